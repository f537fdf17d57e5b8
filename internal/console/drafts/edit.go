package drafts

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/console/page"
	"github.com/stockhand/stockhand/internal/console/text"
	"github.com/stockhand/stockhand/internal/console/ui"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/draft"
	"github.com/stockhand/stockhand/internal/tool"
)

// The fields of the form are named by their meaning, document and line: q-doc_…-1.
const (
	fieldQuantity = "q"
	fieldPrice    = "p"
	fieldDropLine = "x"
	fieldDropDoc  = "d"
)

// entry is a field that the person changed.
type entry struct {
	Field    string // one of the fields above
	Document stockhand.DocumentID
	Line     string
	Text     string // as typed
	Old      string // what the person saw
	Title    string // of the product or document
	number   decimal.Maybe
}

// Save stores what the person changed as a new version.
func (h Handlers) Save(w http.ResponseWriter, r *http.Request) error {
	ctx, a := r.Context(), stockhand.ActorOf(r.Context())
	form, err := page.Form(r)
	if err != nil {
		return err
	}
	version := versionOf(form)
	entered, err := h.entered(ctx, a, draftID(r), version, form)
	if err != nil {
		return err
	}
	edits, err := editsOf(entered)
	if err == nil {
		_, err = h.Drafts.Edit(ctx, a, draftID(r), version, edits)
	}
	if err != nil {
		return h.again(w, r, err, version, entered)
	}
	return page.Go(w, r, draftPath(a.Org, draftID(r))+fmt.Sprintf("?since=%d&saved", version))
}

// Try shows the totals, flags and consequences of what the person has typed so far. Nothing is stored.
func (h Handlers) Try(w http.ResponseWriter, r *http.Request) error {
	ctx, a := r.Context(), stockhand.ActorOf(r.Context())
	form, err := page.Form(r)
	if err != nil {
		return err
	}
	version := versionOf(form)
	entered, err := h.entered(ctx, a, draftID(r), version, form)
	if err != nil {
		return err
	}
	d, err := h.Drafts.Draft(ctx, a.Org, draftID(r))
	if err != nil {
		return err
	}
	if len(entered) > 0 {
		edits, failed := editsOf(entered)
		if failed == nil {
			var tried stockhand.Draft
			if tried, failed = h.Drafts.TryEdit(ctx, a, d.ID, version, edits); failed == nil {
				d = tried
			}
		}
		if failed != nil {
			if stockhand.CodeOf(failed) != stockhand.CodeValidation {
				w.WriteHeader(http.StatusNoContent) // saving will say why
				return nil
			}
			v, err := h.viewOf(ctx, a, d)
			if err != nil {
				return err
			}
			v.restore(ctx, entered, failed)
			return page.Write(w, r, http.StatusOK, triedErrors(v))
		}
	}
	v, err := h.viewOf(ctx, a, d)
	if err != nil {
		return err
	}
	return page.Write(w, r, http.StatusOK, tried(v))
}

// entered returns the fields that differ from the version that the person saw.
func (h Handlers) entered(ctx context.Context, a stockhand.Actor, id stockhand.DraftID, version int64,
	form url.Values) (all []entry, err error) {
	d, err := h.Drafts.Draft(ctx, a.Org, id)
	if err != nil {
		return nil, err
	}
	seen, err := h.version(ctx, d, version)
	if err != nil {
		return nil, err
	}
	for _, doc := range seen.Documents {
		if form.Has(fieldDropDoc + "-" + string(doc.ID)) {
			all = append(all, entry{Field: fieldDropDoc, Document: doc.ID, Title: doc.Title})
			continue
		}
		for _, l := range doc.Lines {
			all = append(all, enteredOf(ctx, doc, l, form)...)
		}
	}
	return all, nil
}

func enteredOf(ctx context.Context, doc tool.Document, l tool.Line, form url.Values) (all []entry) {
	at := lineView{Line: l, Doc: doc.ID}
	e := entry{Document: doc.ID, Line: l.ID, Title: l.Product.Name}
	if form.Has(at.name(fieldDropLine)) {
		e.Field = fieldDropLine
		return []entry{e}
	}
	for field, was := range map[string]decimal.Maybe{fieldQuantity: l.Quantity, fieldPrice: l.Price} {
		if !form.Has(at.name(field)) {
			continue
		}
		e.Field, e.Text, e.Old = field, strings.TrimSpace(form.Get(at.name(field))), plain(ctx, was)
		e.number = number(e.Text)
		if e.Text != e.Old && (!e.number.Known || differ(e.number, was)) {
			all = append(all, e)
		}
	}
	slices.SortFunc(all, func(x, y entry) int { return strings.Compare(y.Field, x.Field) })
	return all
}

// number reads what a person typed: spaces between thousands, and a point or a comma before the fraction.
func number(typed string) decimal.Maybe {
	typed = strings.Map(func(r rune) rune {
		switch r {
		case ' ', '\u00a0', '\u202f', '\u2009':
			return -1
		case ',':
			return '.'
		case '−':
			return '-'
		}
		return r
	}, typed)
	n, err := decimal.Parse(typed)
	if err != nil {
		return decimal.Maybe{}
	}
	return decimal.Some(n)
}

// editsOf returns the edits that a person entered. Like those of [draft.Service], its error names each wrong field.
func editsOf(entered []entry) (edits draft.Edits, err error) {
	var wrong []stockhand.FieldError
	for _, e := range entered {
		i := slices.IndexFunc(edits.Documents, func(d draft.DocumentEdit) bool { return d.ID == e.Document })
		if i < 0 {
			i = len(edits.Documents)
			edits.Documents = append(edits.Documents, draft.DocumentEdit{ID: e.Document})
		}
		doc := &edits.Documents[i]
		if e.Field == fieldDropDoc {
			doc.Drop = true
			continue
		}
		j := slices.IndexFunc(doc.Lines, func(l draft.LineEdit) bool { return l.ID == e.Line })
		if j < 0 {
			j = len(doc.Lines)
			doc.Lines = append(doc.Lines, draft.LineEdit{ID: e.Line})
		}
		line := &doc.Lines[j]
		name := map[string]string{fieldQuantity: "quantity", fieldPrice: "price"}[e.Field]
		switch {
		case e.Field == fieldDropLine:
			line.Drop = true
		case !e.number.Known:
			wrong = append(wrong, stockhand.FieldError{Field: fmt.Sprintf("documents[%d].lines[%d].%s", i, j, name)})
		case e.Field == fieldQuantity:
			line.Quantity = e.number
		default:
			line.Price = e.number
		}
	}
	if len(wrong) > 0 {
		return edits, &stockhand.Error{Code: stockhand.CodeValidation, Message: "these edits cannot be made",
			Fields: wrong}
	}
	return edits, nil
}

// restore puts what the person entered back into the fields, with what is wrong about it.
func (v *view) restore(ctx context.Context, entered []entry, failed error) {
	edits, _ := editsOf(entered)
	for _, e := range entered {
		l := v.line(e.Document, e.Line)
		if l == nil {
			continue
		}
		switch e.Field {
		case fieldQuantity:
			l.Entered.Quantity = e.Text
		case fieldPrice:
			l.Entered.Price = e.Text
		case fieldDropLine:
			l.Dropped = true
		}
	}
	own, ok := errors.AsType[*stockhand.Error](failed)
	if !ok {
		return
	}
	for _, f := range own.Fields {
		message := f.Message
		if message == "" {
			message = text.NotANumber.In(ctx)
		}
		for i, doc := range edits.Documents {
			for j, line := range doc.Lines {
				l := v.line(doc.ID, line.ID)
				if at := fmt.Sprintf("documents[%d].lines[%d]", i, j); l != nil && strings.HasPrefix(f.Field, at) {
					if strings.HasSuffix(f.Field, ".price") {
						l.Errors.Price = message
					} else {
						l.Errors.Quantity = message
					}
				}
			}
			if f.Field == fmt.Sprintf("documents[%d].lines", i) {
				v.document(doc.ID).Wrong = message // no line would be left, or the total is too large
			}
		}
	}
}

// withEntered adds what the person typed to the changes since the version that they saw.
func withEntered(ctx context.Context, c *changes, version int64, entered []entry) *changes {
	if len(entered) == 0 {
		return c
	}
	if c == nil {
		c = &changes{Version: version}
	}
	for _, e := range entered {
		what := map[string]text.T{fieldQuantity: text.Quantity, fieldPrice: text.Price, fieldDropLine: text.DropLine,
			fieldDropDoc: text.DropDocument}[e.Field].In(ctx)
		typed := e.Text
		if e.Field == fieldDropLine || e.Field == fieldDropDoc {
			typed = text.Dropped.In(ctx)
		}
		i := slices.IndexFunc(c.Rows, func(r change) bool { return r.Product == e.Title && r.What == what })
		if i < 0 {
			old := e.Old
			if old == "" {
				old = ui.Quantity(ctx, decimal.Maybe{})
			}
			i = len(c.Rows)
			c.Rows = append(c.Rows, change{Product: e.Title, What: what, Old: old, New: old})
		}
		c.Rows[i].Entered = typed
	}
	return c
}
