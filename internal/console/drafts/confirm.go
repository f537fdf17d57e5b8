package drafts

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/console/page"
	"github.com/stockhand/stockhand/internal/console/text"
	"github.com/stockhand/stockhand/internal/draft"
	"github.com/stockhand/stockhand/internal/tool"
)

// confirmation is the page of the last step before documents are written.
type confirmation struct {
	view
	Chosen  []checked
	Version int64
	Passing int    // how many would be written
	First   int    // how many need another person after this one
	Sum     string // of those that would be written; empty if there is none
	Prove   bool   // the person must prove who they are first
	Passkey bool   // they have a passkey
	Failed  string // why a proof was refused
}

// checked is a document with the verdict of the checks.
type checked struct {
	tool.DraftDocument
	draft.Verdict
}

// problems returns why the document would not be written.
func (c checked) problems() (all []string) {
	for _, g := range c.Gates {
		if !g.Passed && (g.Name != draft.GateRules || !c.Verdict.First) {
			all = append(all, g.Message)
		}
	}
	return all
}

// whats say what a document does to the account.
var whats = map[tool.DocumentKind]text.T{
	tool.SupplierOrder: text.Creates, tool.Transfer: text.Moves, tool.PriceChange: text.Reprices,
	tool.MinimumStock: text.Minimums, tool.Deletion: text.DeletesOne, tool.RemoteCall: text.CallsServer,
	tool.NoteChange: text.ChangesNotes,
}

// effect says what the document does to the account.
func (c checked) effect(ctx context.Context) string {
	said := whats[c.Kind].In(ctx)
	if n := len(c.Lines); n > 0 {
		said += ": " + text.Lines.Of(ctx, n)
	}
	if total := c.TotalText(text.Language(ctx)); total != "" {
		said += ", " + total
	}
	return said
}

// pretty returns a request's body as people read JSON.
func pretty(b tool.Body) string {
	var out bytes.Buffer
	if json.Indent(&out, b.Body, "", "  ") != nil {
		return string(b.Body)
	}
	return out.String()
}

// Check serves the page that shows what a confirmation would write and where, after reading the account again.
func (h Handlers) Check(w http.ResponseWriter, r *http.Request) error {
	return h.check(w, r, decisionOf(r, r.URL.Query()), "")
}

func (h Handlers) check(w http.ResponseWriter, r *http.Request, what draft.Decision, failed string) error {
	ctx, a := r.Context(), stockhand.ActorOf(r.Context())
	d, err := h.Drafts.Draft(ctx, a.Org, what.Draft)
	if err != nil {
		return err
	}
	if d.Version != what.Version {
		return h.again(w, r, errChanged, what.Version, nil)
	}
	p, err := h.Drafts.Preview(ctx, a, what)
	if err != nil {
		return h.again(w, r, err, what.Version, nil)
	}
	v, err := h.viewOf(ctx, a, p.Draft)
	if err != nil {
		return err
	}
	c := confirmation{view: v, Version: what.Version, Failed: failed}
	var passing []tool.DraftDocument
	for _, verdict := range p.Verdicts {
		i := slices.IndexFunc(v.Documents, func(d tool.DraftDocument) bool { return d.ID == verdict.Document })
		if i < 0 {
			continue
		}
		c.Chosen = append(c.Chosen, checked{v.Documents[i], verdict})
		if verdict.Passed || verdict.First {
			passing = append(passing, v.Documents[i])
		}
		if verdict.First {
			c.First++
		}
		c.Prove = c.Prove || slices.ContainsFunc(verdict.Gates, func(g draft.Gate) bool { return g.StepUp })
	}
	c.Passing, c.Sum = len(passing), totalOf(ctx, passing)
	if c.Prove {
		keys, err := h.Prover.Passkeys(ctx, a)
		if err != nil {
			return err
		}
		c.Passkey = len(keys) > 0
	}
	return h.Frames.Show(w, r, page.Page{Title: text.ConfirmTitle.In(ctx), Section: page.Drafts,
		Narrow: true, Content: confirmPage(c)})
}

var errChanged = &stockhand.Error{Code: stockhand.CodeDraftChanged, Message: "the draft has changed",
	RU: stockhand.Words{Message: "черновик изменился"}}

// confirmTime is how long the page waits for documents to be written, before it shows them being written.
const confirmTime = 2 * time.Second

// Confirm confirms what the page of the last step showed. Writing goes on if the person leaves.
func (h Handlers) Confirm(w http.ResponseWriter, r *http.Request) error {
	ctx, a := r.Context(), stockhand.ActorOf(r.Context())
	form, err := page.Form(r)
	if err != nil {
		return err
	}
	what := decisionOf(r, form)
	_, _, err = h.Settle(ctx, confirmTime, a.Org, what.Draft, func(ctx context.Context) (stockhand.Draft, error) {
		return h.Drafts.Confirm(ctx, a, what)
	})
	switch {
	case err == nil:
		return page.Go(w, r, draftPath(a.Org, what.Draft))
	case stockhand.CodeOf(err) == stockhand.CodeStepUpRequired:
		return h.check(w, r, what, "")
	}
	return h.again(w, r, err, what.Version, nil)
}

// Prove lets the person prove who they are, and returns to the last step.
func (h Handlers) Prove(w http.ResponseWriter, r *http.Request) error {
	ctx, a := r.Context(), stockhand.ActorOf(r.Context())
	form, err := page.Form(r)
	if err != nil {
		return err
	}
	what := decisionOf(r, form)
	if answer := form.Get("credential"); answer != "" {
		err = h.Prover.StepUpByPasskey(ctx, a, []byte(answer))
	} else {
		err = h.Prover.StepUp(ctx, a, form.Get("password"), form.Get("code"))
	}
	if err != nil {
		words, ok := page.Said(ctx, err)
		if !ok {
			return err
		}
		return h.check(w, r, what, words.Message)
	}
	query := "?version=" + form.Get("version")
	for _, id := range what.Documents {
		query += "&document=" + string(id)
	}
	return page.Go(w, r, draftPath(a.Org, what.Draft, "confirm")+query)
}
