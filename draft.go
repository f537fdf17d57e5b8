package stockhand

import (
	"encoding/json"
	"time"
)

// Draft is a proposal stored, waiting for a person. Nothing of it is sent until a person confirms it (specification,
// section 1, rule 6). Each edit makes a new version; a confirmation names the version it saw.
type Draft struct {
	ID         DraftID
	Org        OrgID
	Session    SessionID // the conversation it was made in; empty for one made by a direct call
	Run        RunID
	Connection ConnectionID
	Account    AccountID
	Tool       string // the propose tool that made it
	Title      string
	Language   Language        // of its titles, reasons and remarks
	Version    int64           // from 1
	Body       json.RawMessage // internal/tool.Proposal as it stands in this version
	Documents  []DraftDocument // where each document of the body stands, in the body's order
	Undoes     DraftID         // the draft whose documents this one takes back; empty for others
	By         string          // the name of the actor it was made for; empty for the command line's own
	Created    time.Time
	Expires    time.Time // after it, pending documents can no longer be confirmed
}

// DraftDocument is where one document of a draft stands.
type DraftDocument struct {
	ID          DocumentID
	State       DocumentState
	Version     int64           // the draft's version that was confirmed; 0 while pending
	Fingerprint string          // of the exact bodies to be sent, as they were confirmed
	ConfirmedBy string          // the person, or the key where the organization lets keys confirm
	Attempt     int64           // grows each time it is sent or looked up: a worker that holds an older one has lost it
	Outcome     json.RawMessage // internal/tool.Outcome, once there is one
	Problem     string          // for people: why it was not sent, failed or is unknown; empty otherwise
	Updated     time.Time
}

// DocumentState is where a document stands on its way into the external system.
type DocumentState string

// The states of a document (product.md, section 7).
const (
	DocumentPending   DocumentState = "pending"   // waits for a person
	DocumentConfirmed DocumentState = "confirmed" // a person said yes; nothing is sent yet
	DocumentApplying  DocumentState = "applying"  // being sent; after a crash this means unknown
	DocumentApplied   DocumentState = "applied"   // the external system has it
	// the external system refused it; it has nothing of it that the outcome does not name
	DocumentFailed   DocumentState = "failed"
	DocumentUnknown  DocumentState = "unknown"  // the answer was never seen; it is looked up, never blindly repeated
	DocumentRejected DocumentState = "rejected" // a person said no
	DocumentExpired  DocumentState = "expired"  // nobody said anything in time
)

var documentMoves = map[DocumentState][]DocumentState{
	DocumentPending: {DocumentConfirmed, DocumentRejected, DocumentExpired},
	// pending again: the world moved, it is shown anew
	DocumentConfirmed: {DocumentApplying, DocumentPending, DocumentFailed},
	DocumentApplying:  {DocumentApplied, DocumentFailed, DocumentUnknown},
	// applying again only once it was looked up and is not there
	DocumentUnknown: {DocumentApplied, DocumentFailed, DocumentApplying},
}

// CanBecome tells whether the move from s to next is legal.
func (s DocumentState) CanBecome(next DocumentState) bool {
	for _, n := range documentMoves[s] {
		if n == next {
			return true
		}
	}
	return false
}

// Final tells whether nothing more will happen to a document in this state.
func (s DocumentState) Final() bool { return len(documentMoves[s]) == 0 }

// DraftChange is what happens to a draft in one transaction, all or nothing: a new version, moves of its documents, and
// the entries of the audit log that tell of it.
type DraftChange struct {
	// the version the change rests on: DRAFT_CHANGED when the draft has another; 0 rests on none
	Version int64
	Body    json.RawMessage // what the next version holds; nil leaves the version as it is
	Drop    []DocumentID    // pending documents that the next version no longer has; CONFLICT when one is not pending
	Moves   []DocumentMove
	Audit   []AuditEntry
}

// DocumentMove takes one document from the state and attempt that the mover saw to another: of several who saw the
// same, one wins and the others get CONFLICT.
type DocumentMove struct {
	From    DocumentState
	Attempt int64
	To      DraftDocument
}
