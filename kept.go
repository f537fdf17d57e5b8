package stockhand

import "time"

// Piece is something kept of an external account that can be read again at any time. It is not part of what an
// organization stores: it may disappear.
type Piece struct {
	Version int64     // of the stored piece; 0 for a new one
	Read    time.Time // when the oldest part of it was read from the account
	Body    []byte
}

// KeptFacts is how much is kept of an external account, as one connection may use it.
type KeptFacts struct {
	Pieces         int
	Size           int64 // bytes
	Oldest, Newest time.Time
}
