package stockhand

import (
	"encoding/json"
	"time"
)

// IdempotencyRecord is the stored answer to a write with an Idempotency-Key. The same request gets it again (rule R43).
type IdempotencyRecord struct {
	By          string          // the actor's name; keys of different actors are independent
	Key         string          // the header's value
	Fingerprint string          // hash of the method, the address and the body
	Status      int             // 0 while the request is being processed
	Header      json.RawMessage // the answer's headers that are repeated
	Body        Sealed          // the answer's body, encrypted: it may contain a secret that is shown once
	// start of the request or its last renewal; a holder of an older time has lost the claim
	Claimed time.Time
	// when the key is free again; the zero time is never
	Expires time.Time
}
