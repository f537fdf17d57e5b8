package stockhand

import (
	"encoding/json"
	"time"
)

// StoredReport is a question that an organization keeps, as it is stored; internal/reports reads the body.
type StoredReport struct {
	ID         ReportID
	Connection ConnectionID // with which it is deleted
	Body       json.RawMessage
	By         string // the actor who saved it
	Created    time.Time
}
