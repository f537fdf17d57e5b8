package stockhand

import (
	"encoding/json"
	"time"
)

// Draft is a stored proposal. Nothing is sent until a person confirms it (rule R9). Each edit creates a new version; a
// confirmation names a version (rule R57).
type Draft struct {
	ID         DraftID
	Org        OrgID
	Session    SessionID // the conversation it belongs to; empty after a direct call
	Run        RunID
	Connection ConnectionID
	Account    AccountID
	Tool       string // the propose tool that created it
	Title      string
	Language   Language        // of its titles, reasons and notices
	Version    int64           // from 1
	Body       json.RawMessage // an internal/tool.Proposal, in this version
	Documents  []DraftDocument // the state of each document, in the order of the body
	Undoes     DraftID         // the draft that this one reverses, if any
	By         string          // the name of the actor it was created for; empty on the local command line
	Editors    []string        // the names of the actors who edited it
	Created    time.Time
	Expires    time.Time // pending documents cannot be confirmed after this time
}

// DraftDocument is the state of one document of a draft.
type DraftDocument struct {
	ID          DocumentID
	State       DocumentState
	Version     int64           // the draft's version that was confirmed; 0 while pending
	Fingerprint string          // hash of the exact request bodies that were confirmed
	ApprovedBy  string          // the name of the first of two approvers (rule R105); empty without one
	Approved    int64           // the draft's version that they approved; it counts for no other version
	ConfirmedBy string          // the name of the actor who confirmed
	Attempt     int64           // incremented when it is sent or looked up; a worker with an older value may not write
	Outcome     json.RawMessage // an internal/tool.Outcome; nil until there is one
	Problem     string          // why it was not sent, failed or is unknown, for people; otherwise empty
	Updated     time.Time
}

// DocumentState is the state of a document on its way to the external system.
type DocumentState string

// The states of a document (rule R59).
const (
	DocumentPending   DocumentState = "pending"   // waiting for a person
	DocumentConfirmed DocumentState = "confirmed" // confirmed by a person; not sent yet
	DocumentApplying  DocumentState = "applying"  // being sent; after a crash this means unknown
	DocumentApplied   DocumentState = "applied"   // written to the external system
	// refused by the external system; it contains nothing of the document except what the outcome names
	DocumentFailed   DocumentState = "failed"
	DocumentUnknown  DocumentState = "unknown"  // no answer was received; it is looked up and never blindly repeated
	DocumentRejected DocumentState = "rejected" // rejected by a person
	DocumentExpired  DocumentState = "expired"  // not confirmed in time
)

var documentMoves = map[DocumentState][]DocumentState{
	DocumentPending: {DocumentConfirmed, DocumentRejected, DocumentExpired},
	// pending again: the data changed, so it is shown to the person again
	DocumentConfirmed: {DocumentApplying, DocumentPending, DocumentFailed},
	DocumentApplying:  {DocumentApplied, DocumentFailed, DocumentUnknown},
	// applying again only after a look-up has shown that it does not exist
	DocumentUnknown: {DocumentApplied, DocumentFailed, DocumentApplying},
}

// CanBecome reports whether a document in state s may move to next.
func (s DocumentState) CanBecome(next DocumentState) bool {
	for _, n := range documentMoves[s] {
		if n == next {
			return true
		}
	}
	return false
}

// Final reports whether the state is final.
func (s DocumentState) Final() bool { return len(documentMoves[s]) == 0 }

// DraftChange is a change to a draft in one transaction: a new version, moves of documents, and audit log entries.
type DraftChange struct {
	// the expected version; another one is DRAFT_CHANGED, 0 accepts any
	Version int64
	Body    json.RawMessage // content of the next version; nil keeps the current version
	Editors []string        // of the next version, with those before
	Drop    []DocumentID    // pending documents to remove in the next version; CONFLICT if one is not pending
	Add     []DocumentID    // new documents of the next version, which are pending
	Moves   []DocumentMove
	Audit   []AuditEntry

	// settings that the change is based on; CONFLICT if one has another value by now
	Given map[Setting]string
	// the change leads to a write: refused while writes are stopped
	Writes bool
}

// DocumentMove moves a document from an expected state and attempt to another. Of several concurrent moves one succeeds
// and the others get CONFLICT.
type DocumentMove struct {
	From    DocumentState
	Attempt int64
	To      DraftDocument
}
