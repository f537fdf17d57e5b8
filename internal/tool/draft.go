package tool

import (
	"cmp"
	"encoding/json"
	"fmt"
	"time"

	"github.com/stockhand/stockhand"
)

// Draft is a stored draft as the API shows it: the proposal in its current version, and the state of each document.
type Draft struct {
	ID         stockhand.DraftID      `json:"id"`
	Version    int64                  `json:"version"`
	Tool       string                 `json:"tool"`
	Title      string                 `json:"title"`
	Answer     string                 `json:"answer"`
	Account    stockhand.AccountID    `json:"account_id"`
	Connection stockhand.ConnectionID `json:"connection_id"`
	Session    stockhand.SessionID    `json:"session_id,omitempty"`
	Undoes     stockhand.DraftID      `json:"undoes,omitempty"`
	By         string                 `json:"created_by,omitempty"` // the name of the actor that it was created for
	Created    time.Time              `json:"created_at"`
	Expires    time.Time              `json:"expires_at"`
	Documents  []DraftDocument        `json:"documents"`
	Notices    []Notice               `json:"notices"`
	Language   stockhand.Language     `json:"language"`
	Zone       Zone                   `json:"time_zone"` // of the account
	URL        string                 `json:"-"`         // of its page; empty where there is none
}

// DraftDocument is a document of a draft with its state. In JSON, money is written as objects; see [DocumentJSON].
type DraftDocument struct {
	Document
	DocumentStatus
}

// DocumentStatus is the state of a document.
type DocumentStatus struct {
	State            stockhand.DocumentState `json:"state"`
	ApprovedBy       string                  `json:"approved_by,omitempty" doc:"Who confirmed first, where two people must; while pending, a second one is needed"`
	ConfirmedBy      string                  `json:"confirmed_by,omitempty"`
	ConfirmedVersion int64                   `json:"confirmed_version,omitempty"`
	Fingerprint      string                  `json:"fingerprint,omitempty"`
	Outcome          *Outcome                `json:"outcome,omitempty"`
	Problem          string                  `json:"problem,omitempty"`
	Updated          time.Time               `json:"updated_at"`
}

// ReadDrafts decodes stored drafts.
func ReadDrafts(all []stockhand.Draft) ([]Draft, error) {
	out := make([]Draft, len(all))
	for i, d := range all {
		var err error
		if out[i], err = ReadDraft(d); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// DroppedOf returns the names of the goods that a person took out of a stored draft.
func DroppedOf(d stockhand.Draft) ([]string, error) {
	var p Proposal
	if err := json.Unmarshal(d.Body, &p); err != nil {
		return nil, fmt.Errorf("read the draft %s: %w", d.ID, err)
	}
	var names []string
	for _, good := range p.Dropped {
		names = append(names, good.Name)
	}
	return names, nil
}

// ReadDraft decodes a stored draft.
func ReadDraft(d stockhand.Draft) (Draft, error) {
	var p Proposal
	if err := json.Unmarshal(d.Body, &p); err != nil {
		return Draft{}, fmt.Errorf("read the draft %s: %w", d.ID, err)
	}
	out := Draft{
		ID: d.ID, Version: d.Version, Tool: d.Tool, Title: p.Title, Answer: p.Answer, Account: d.Account,
		Connection: d.Connection, Session: d.Session,
		Undoes: d.Undoes, By: d.By, Created: d.Created.UTC(), Expires: d.Expires.UTC(), Documents: []DraftDocument{},
		Notices: p.Notices, Language: d.Language, Zone: p.Provenance.Zone,
	}
	if out.Notices == nil {
		out.Notices = []Notice{}
	}
	contents := map[stockhand.DocumentID]Document{}
	for _, doc := range p.Documents {
		contents[doc.ID] = doc
	}
	for _, at := range d.Documents {
		doc := DraftDocument{
			Document: contents[at.ID],
			DocumentStatus: DocumentStatus{
				State: at.State, ConfirmedBy: at.ConfirmedBy, ConfirmedVersion: at.Version,
				Fingerprint: at.Fingerprint, Problem: at.Problem, Updated: at.Updated.UTC(),
			},
		}
		doc.ID = at.ID
		if at.Approved == cmp.Or(at.Version, d.Version) { // the approval of another version is void
			doc.ApprovedBy = at.ApprovedBy
		}
		if len(at.Outcome) > 0 {
			doc.Outcome = new(Outcome)
			if err := json.Unmarshal(at.Outcome, doc.Outcome); err != nil {
				return Draft{}, fmt.Errorf("read the draft %s: %w", d.ID, err)
			}
		}
		out.Documents = append(out.Documents, doc)
	}
	return out, nil
}

// Pending reports whether a person can still decide on something in the draft.
func (d Draft) Pending() bool {
	for _, doc := range d.Documents {
		if doc.State == stockhand.DocumentPending {
			return true
		}
	}
	return false
}

// Approval says for people that a second person must confirm a document, or is empty.
func (d DraftDocument) Approval(l stockhand.Language) string {
	if d.State != stockhand.DocumentPending || d.ApprovedBy == "" {
		return ""
	}
	return fmt.Sprintf(l.Pick("первое подтверждение — %s; по правилам организации нужно ещё одно, от другого человека",
		"confirmed first by %s; by the organization's rules another person must confirm it, too"), d.ApprovedBy)
}

// StateWords say for people where a document stands.
var StateWords = map[stockhand.DocumentState]Text{
	stockhand.DocumentPending:   {RU: "ждёт подтверждения", EN: "waits for confirmation"},
	stockhand.DocumentConfirmed: {RU: "подтверждён, ещё не отправлен", EN: "confirmed, not sent yet"},
	stockhand.DocumentApplying:  {RU: "отправляется", EN: "being sent"},
	stockhand.DocumentApplied:   {RU: "записан", EN: "written"},
	stockhand.DocumentFailed:    {RU: "не записан", EN: "not written"},
	stockhand.DocumentUnknown:   {RU: "пока неизвестно, записан ли", EN: "not known yet whether it was written"},
	stockhand.DocumentRejected:  {RU: "отклонён", EN: "rejected"},
	stockhand.DocumentExpired:   {RU: "просрочен", EN: "expired"},
}
