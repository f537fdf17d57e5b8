package stockhand

import (
	"encoding/json"
	"time"
)

// StoredMeasure is a measure that an organization defines, as it is stored; internal/measure reads the definition.
type StoredMeasure struct {
	Name       string
	Definition json.RawMessage
	By         string // the actor who changed it last
	Updated    time.Time
}
