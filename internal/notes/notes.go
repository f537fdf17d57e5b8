// Package notes keeps what an organization wants its agent to know: what is never ordered, lead times, when the fiscal
// year begins. People write the notes; the agent may propose a change, as a draft that a person confirms (rule R473).
package notes

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/tool"
)

// Most is the greatest length of an organization's notes in characters: they are part of every request to a model.
const Most = 4000

// Store stores settings; internal/store documents the methods.
type Store interface {
	Setting(ctx context.Context, org stockhand.OrgID, name stockhand.Setting) (string, error)
	ChangeSetting(ctx context.Context, org stockhand.OrgID, name stockhand.Setting, value string,
		entry stockhand.AuditEntry) error
}

// Service reads and changes notes.
type Service struct {
	Store Store
	Clock func() time.Time // nil means time.Now
}

// Text returns the notes of an organization, a note in a line.
func (s *Service) Text(ctx context.Context, org stockhand.OrgID) (string, error) {
	return s.Store.Setting(ctx, org, stockhand.Notes)
}

// Set replaces the notes and audits that. Only an owner or admin in person may. VALIDATION_FAILED if they are too long.
func (s *Service) Set(ctx context.Context, actor stockhand.Actor, text string) error {
	if err := actor.AdministersInPerson("the notes", "заметки"); err != nil {
		return err
	}
	return s.set(ctx, actor.Org, actor.Name, clean(text))
}

func (s *Service) set(ctx context.Context, org stockhand.OrgID, by, text string) error {
	if n := utf8.RuneCountInString(text); n > Most {
		return &stockhand.Error{Code: stockhand.CodeValidation,
			Fields:  []stockhand.FieldError{{Field: "notes", Message: fmt.Sprintf("at most %d characters", Most)}},
			Message: fmt.Sprintf("the notes have %d characters, and may have %d", n, Most),
			RU:      stockhand.Words{Message: fmt.Sprintf("в заметках %d знаков, а можно не больше %d", n, Most)}}
	}
	now := time.Now
	if s.Clock != nil {
		now = s.Clock
	}
	detail, err := json.Marshal(map[string]any{"setting": stockhand.Notes, "characters": utf8.RuneCountInString(text)})
	if err != nil {
		return err
	}
	return s.Store.ChangeSetting(ctx, org, stockhand.Notes, text,
		stockhand.AuditEntry{At: now(), Actor: by, Action: "setting.changed", Detail: detail})
}

// clean returns a text without empty lines and without characters that move or hide others.
func clean(text string) string {
	var lines []string
	for line := range strings.Lines(strings.ReplaceAll(text, "\r", "\n")) {
		if line = strings.TrimSpace(strings.Map(stockhand.Visible, strings.TrimSuffix(line, "\n"))); line != "" {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "\n")
}

// Change is a change of notes: a note that goes, and one that comes. One of them may be empty.
type Change struct {
	Remove string `json:"remove,omitempty"`
	Add    string `json:"add,omitempty"`
}

// maxNote is the greatest length of a proposed note in characters.
const maxNote = 500

// Document returns the document that proposes a change of notes to a person. VALIDATION_FAILED if a note that is to go
// does not exist.
func (s *Service) Document(ctx context.Context, org stockhand.OrgID, c Change, l stockhand.Language) (tool.Document,
	error) {
	c.Add, c.Remove = strings.ReplaceAll(clean(c.Add), "\n", " "), strings.TrimSpace(c.Remove)
	d := tool.Document{Kind: tool.NoteChange, Lines: []tool.Line{},
		Title: l.Pick("Заметки организации", "Notes of the organization")}
	now, err := s.Text(ctx, org)
	if err != nil {
		return d, err
	}
	if _, err := c.apply(now); err != nil {
		return d, err
	}
	arguments, err := json.Marshal(c)
	d.Call = &tool.Remote{Server: "Stockhand", Tool: "notes", Arguments: arguments}
	return d, err
}

// apply returns notes after a change.
func (c Change) apply(text string) (string, error) {
	invalid := func(format string, args ...any) error {
		return stockhand.Errorf(stockhand.CodeValidation, format, args...)
	}
	lines := strings.Split(text, "\n")
	if text == "" {
		lines = nil
	}
	switch {
	case c.Add == "" && c.Remove == "":
		return "", invalid("a change of notes adds a note or removes one")
	case utf8.RuneCountInString(c.Add) > maxNote:
		return "", invalid("a note has at most %d characters", maxNote)
	case c.Add != "" && slices.Contains(lines, c.Add):
		return "", invalid("there is this note already")
	}
	at := len(lines)
	if c.Remove != "" {
		if at = slices.Index(lines, c.Remove); at < 0 {
			return "", invalid("there is no note “%s”; repeat it word for word", c.Remove)
		}
		lines = slices.Delete(lines, at, at+1)
	}
	if c.Add != "" {
		lines = slices.Insert(lines, at, c.Add)
	}
	out := strings.Join(lines, "\n")
	if utf8.RuneCountInString(out) > Most {
		return "", invalid("the notes would have more than %d characters", Most)
	}
	return out, nil
}

// Writer writes confirmed changes of notes. It implements draft.Writer.
type Writer struct {
	Notes    *Service
	Org      stockhand.OrgID
	Language stockhand.Language
}

func changeOf(doc tool.Document) (c Change, err error) {
	if doc.Kind != tool.NoteChange || doc.Call == nil {
		return c, stockhand.Errorf(stockhand.CodeValidation, "this document changes no notes")
	}
	return c, json.Unmarshal(doc.Call.Arguments, &c)
}

// Bodies returns the change, byte for byte.
func (w Writer) Bodies(doc tool.Document) ([]tool.Body, error) {
	if _, err := changeOf(doc); err != nil {
		return nil, err
	}
	return []tool.Body{{Method: "SET", Path: "notes", Body: doc.Call.Arguments}}, nil
}

// Check finds nothing to check: a note that is to go and is gone is found by [Writer.Apply].
func (w Writer) Check(_ context.Context, _ stockhand.Language, docs []tool.Document) ([]tool.Check, error) {
	checks := make([]tool.Check, len(docs))
	for i, doc := range docs {
		checks[i].Fresh = doc
	}
	return checks, nil
}

// Apply makes each change, in order.
func (w Writer) Apply(ctx context.Context, docs []tool.Document) []tool.Outcome {
	outcomes := make([]tool.Outcome, len(docs))
	for i, doc := range docs {
		outcomes[i].State = stockhand.DocumentApplied
		if err := w.apply(ctx, doc); err != nil {
			outcomes[i] = tool.Outcome{State: stockhand.DocumentFailed, Problem: w.Language.Pick(
				"заметки с тех пор изменились; ничего не записано",
				"the notes have changed since; nothing was written")}
		}
	}
	return outcomes
}

func (w Writer) apply(ctx context.Context, doc tool.Document) error {
	c, err := changeOf(doc)
	if err != nil {
		return err
	}
	now, err := w.Notes.Text(ctx, w.Org)
	if err != nil {
		return err
	}
	then, err := c.apply(now)
	if err != nil {
		return err
	}
	return w.Notes.set(ctx, w.Org, "system", then)
}

// Find reports whether changes are made.
func (w Writer) Find(ctx context.Context, docs []tool.Document) ([]tool.Outcome, error) {
	now, err := w.Notes.Text(ctx, w.Org)
	if err != nil {
		return nil, err
	}
	lines := strings.Split(now, "\n")
	outcomes := make([]tool.Outcome, len(docs))
	for i, doc := range docs {
		c, err := changeOf(doc)
		if err != nil {
			return nil, err
		}
		outcomes[i].State = stockhand.DocumentFailed
		if (c.Add == "" || slices.Contains(lines, c.Add)) && (c.Remove == "" || !slices.Contains(lines, c.Remove)) {
			outcomes[i].State = stockhand.DocumentApplied
		}
	}
	return outcomes, nil
}

// Reverse returns the change that takes another back.
func (c Change) Reverse() Change { return Change{Remove: c.Add, Add: c.Remove} }
