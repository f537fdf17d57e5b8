package audit

import (
	"bytes"
	"encoding/json"
	"time"

	"github.com/stockhand/stockhand"
)

// shown is an exported entry: everything that its hash covers, and the hash.
type shown struct {
	Org      stockhand.OrgID      `json:"org_id"`
	Seq      int64                `json:"seq"`
	At       time.Time            `json:"at"`
	Actor    string               `json:"actor"`
	Action   string               `json:"action"`
	Draft    stockhand.DraftID    `json:"draft_id"`
	Document stockhand.DocumentID `json:"document_id"`
	Version  int64                `json:"version"`
	External string               `json:"external"`
	Detail   json.RawMessage      `json:"detail"`
	Previous string               `json:"previous"`
	Hash     string               `json:"hash"`
}

// Line returns an entry as a JSON object with a line break: the format of exports and of streamed entries.
func Line(e stockhand.AuditEntry) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(shown(e))
	return b.Bytes(), err
}
