package stockhand

import (
	"encoding/json"
	"time"
)

// FirstAnswer is what was answered to a write that carried an Idempotency-Key, kept so that the same request again does
// nothing twice and hears the same (product.md, section 2).
type FirstAnswer struct {
	By          string          // the actor: another one's key is another key
	Key         string          // the header's value
	Fingerprint string          // of the method, the address and the body
	Status      int             // 0 while the request is on its way
	Header      json.RawMessage // what of the answer's header matters
	Body        Sealed          // the answer's body; it may hold a secret that is shown once
	Claimed     time.Time       // when the request began, or was last seen at work: who holds an older one has lost it
}
