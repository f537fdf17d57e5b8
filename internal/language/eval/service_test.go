package eval

import (
	"encoding/json"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stockhand/stockhand/internal/app"
	"github.com/stockhand/stockhand/internal/app/apptest"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/sandbox/company"
)

// answered is what the service made of a turn.
type answered struct {
	SessionID     string          `json:"session_id"`
	State         string          `json:"state"`
	FinalResponse string          `json:"final_response"`
	Error         json.RawMessage `json:"error"`
	ToolCalls     []call          `json:"tool_calls"`
	Drafts        []draft         `json:"drafts"`
	Question      *struct {
		Options []struct {
			Text      string          `json:"text"`
			Tool      string          `json:"tool"`
			Arguments json.RawMessage `json:"arguments"`
		} `json:"options"`
	} `json:"question"`
	Results []struct {
		Rows []map[string]any `json:"rows"`
	} `json:"results"`
	Requests int `json:"external_requests"`
}

type call struct {
	Tool      string          `json:"name"`
	Arguments json.RawMessage `json:"arguments"`
}

type draft struct {
	ID        string `json:"id"`
	Version   int    `json:"version"`
	Tool      string `json:"tool"`
	Undoes    string `json:"undoes"`
	Documents []struct {
		State    string      `json:"state"`
		Supplier named       `json:"supplier"`
		Store    named       `json:"store"`
		Target   named       `json:"target"` // of a transfer, whose store is the source
		Lines    []draftLine `json:"lines"`
	} `json:"documents"`
}

type named struct {
	Name string `json:"name"`
}

type draftLine struct {
	Product  named   `json:"product"`
	Quantity string  `json:"quantity"`
	Price    *amount `json:"price"`
	OldPrice *amount `json:"old_price"`
}

type amount struct {
	Amount string `json:"amount"`
}

func (d draft) lines() []draftLine {
	var list []draftLine
	for _, doc := range d.Documents {
		list = append(list, doc.Lines...)
	}
	return list
}

// goods returns the names of the goods of the turn's drafts.
func (a *answered) goods() []string {
	var list []string
	for _, d := range a.Drafts {
		for _, l := range d.lines() {
			list = append(list, l.Product.Name)
		}
	}
	return list
}

// rows returns the names in the rows of the answer.
func (a *answered) rows() []string {
	var list []string
	for _, r := range a.Results {
		for _, row := range r.Rows {
			for _, key := range []string{"product", "name", "counterparty"} {
				name, ok := row[key].(string)
				if of, isMap := row[key].(map[string]any); isMap {
					name, ok = of["name"].(string)
				}
				if ok {
					list = append(list, name)
					break
				}
			}
		}
	}
	return list
}

// orderedFrom reports whether all documents of the drafts are orders to a supplier.
func (a *answered) orderedFrom(supplier string) bool {
	orders := 0
	for _, d := range a.Drafts {
		for _, doc := range d.Documents {
			if orders++; !sameName(doc.Supplier.Name, supplier) {
				return false
			}
		}
	}
	return orders > 0
}

var ending = regexp.MustCompile(`\?\s*$`)

// asks reports whether the turn ended with a question.
func (a *answered) asks() bool {
	if a.Question != nil && len(a.Question.Options) > 0 {
		return true
	}
	return len(a.ToolCalls) == 0 && len(a.Drafts) == 0 && ending.MatchString(a.firstLine())
}

// helps reports whether the answer is the page that lists examples.
func (a *answered) helps() bool {
	return strings.Contains(a.FinalResponse, "Вот что умею, например") ||
		strings.Contains(a.FinalResponse, "Here is what I can do, for example")
}

var refusal = regexp.MustCompile(`(?i)не умею|не подготовлен|не могу|нельзя|не вижу|не понял|can.t do|cannot|No draft was`)

func (a *answered) refuses() bool {
	return len(a.ToolCalls) == 0 && len(a.Drafts) == 0 && refusal.MatchString(a.FinalResponse)
}

func (a *answered) firstLine() string {
	line, _, _ := strings.Cut(strings.TrimSpace(a.FinalResponse), "\n")
	return line
}

// lacks reports whether the answer has rows but no value of a measure in any of them.
func (a *answered) lacks(measure string) bool {
	rows, shown := 0, false
	for _, r := range a.Results {
		for _, row := range r.Rows {
			if v, has := row[measure]; has {
				rows++
				shown = shown || v != nil
			}
		}
	}
	return rows > 0 && !shown
}

func (a *answered) hasTable() bool { return strings.Contains(a.FinalResponse, "\n|") }

func difference(from, to string) string {
	x, err1 := decimal.Parse(from)
	y, err2 := decimal.Parse(to)
	if err1 != nil || err2 != nil {
		return ""
	}
	return number(y.Sub(x).String())
}

func toInt(s string) int {
	n, _ := strconv.Atoi(s)
	return n
}

// serve starts the service with the demo's shop.
func serve(t *testing.T) *apptest.Service {
	now := unseenDay.Time().Add(9 * time.Hour)
	return apptest.Start(t, apptest.Options{Accounts: 1, SQLite: true, Company: company.Options{Seed: 1, Now: now,
		Products: 300, Days: 365}, Configure: func(c *app.Config) { c.Clock = func() time.Time { return now } }})
}

// converse has conversations with the service, each in a session of its own.
func converse(t *testing.T, s *apptest.Service, all []conversation, each func(conversation, int, answered)) {
	for _, c := range all {
		session := ""
		for i, x := range c.Turns {
			body := map[string]any{"message": x.Say}
			if session != "" {
				body["session_id"] = session
			}
			var a answered
			s.Do(http.MethodPost, "/sessions/stream?wait=60", s.AdminToken, body).Decode(t, &a)
			session = a.SessionID
			if string(a.Error) == "null" {
				a.Error = nil
			}
			each(c, i, a)
		}
	}
}

// stateOf returns the state of a draft's first document that is not pending, or else pending.
func stateOf(t *testing.T, s *apptest.Service, id string) string {
	var d draft
	s.Do(http.MethodGet, "/drafts/"+id, s.AdminToken, nil).Decode(t, &d)
	for _, doc := range d.Documents {
		if doc.State != "pending" {
			return doc.State
		}
	}
	return "pending"
}
