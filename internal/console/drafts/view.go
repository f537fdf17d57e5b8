package drafts

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/console/page"
	"github.com/stockhand/stockhand/internal/console/text"
	"github.com/stockhand/stockhand/internal/console/ui"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
)

// summary is a draft in the inbox.
type summary struct {
	tool.Draft
	Account string
	By      string
	Total   string // empty if there is none
	Badges  []badge
	states  []stockhand.DocumentState
}

// badge is a state of documents.
type badge struct {
	Kind  ui.Kind
	Title string
}

// piece is a part of a sentence: words, or a draft that they name.
type piece struct {
	Words string
	Draft stockhand.DraftID
}

var draftIDs = regexp.MustCompile(`drf_[0-9a-z]+`)

// named divides a sentence at the drafts that it names.
func named(sentence string) (all []piece) {
	from := 0
	for _, at := range draftIDs.FindAllStringIndex(sentence, -1) {
		all = append(all, piece{Words: sentence[from:at[0]]}, piece{Draft: stockhand.DraftID(sentence[at[0]:at[1]])})
		from = at[1]
	}
	return append(all, piece{Words: sentence[from:]})
}

// kinds are the meanings of the states.
var kinds = map[stockhand.DocumentState]ui.Kind{
	stockhand.DocumentPending: ui.Info, stockhand.DocumentConfirmed: ui.Info, stockhand.DocumentApplying: ui.Info,
	stockhand.DocumentUnknown: ui.Warn, stockhand.DocumentApplied: ui.Good, stockhand.DocumentFailed: ui.Bad,
	stockhand.DocumentRejected: ui.Plain, stockhand.DocumentExpired: ui.Plain,
}

func summaryOf(ctx context.Context, d tool.Draft, names page.Names,
	accounts map[stockhand.ConnectionID]string) summary {
	s := summary{Draft: d, By: names.Of(ctx, d.By), Account: accounts[d.Connection],
		Total: totalOf(ctx, d.Documents)}
	if s.Account == "" {
		s.Account = text.NoConnection.In(ctx)
	}
	s.Badges, s.states = badgesOf(ctx, d.Documents)
	if slices.ContainsFunc(d.Documents, awaits) {
		s.Badges = append(s.Badges, badge{ui.Warn, text.SecondNeeded.In(ctx)})
	}
	return s
}

// badgesOf counts the documents in each state, in the order of their first.
func badgesOf(ctx context.Context, docs []tool.DraftDocument) (all []badge, states []stockhand.DocumentState) {
	counts := map[stockhand.DocumentState]int{}
	for _, d := range docs {
		if counts[d.State]++; counts[d.State] == 1 {
			states = append(states, d.State)
		}
	}
	for _, s := range states {
		title := text.DocumentStates[s].In(ctx)
		if len(states) > 1 {
			title += fmt.Sprintf(": %d", counts[s])
		}
		all = append(all, badge{kinds[s], title})
	}
	return all, states
}

// totalOf adds the totals of orders, if all are known and of one currency. It is empty if no document has one.
func totalOf(ctx context.Context, docs []tool.DraftDocument) string {
	var sum decimal.Maybe
	currency := ""
	for _, d := range docs {
		if d.Kind != tool.SupplierOrder {
			continue
		}
		switch {
		case !d.Total.Known:
			return text.Unknown.In(ctx)
		case !sum.Known:
			sum, currency = d.Total, d.Currency
		case d.Currency != currency:
			return text.SeveralTimes.In(ctx)
		default:
			sum = decimal.Some(sum.Add(d.Total.Decimal))
		}
	}
	if !sum.Known {
		return ""
	}
	return ui.Money(ctx, sum, currency)
}

// view is the page of a draft.
type view struct {
	tool.Draft
	Org     stockhand.OrgID
	Account string
	Names   page.Names
	Badges  []badge
	May     bool   // the person may edit and decide
	Me      string // the person, as records name them
	Docs    []documentView
	Since   *changes // shown above the documents; nil for none
	Problem *stockhand.Words
	Done    string // what was just done, in words

	Selectable bool // several documents wait, so a part may be confirmed
	Waiting    int  // documents that a person can decide on
	Unsettled  int  // documents that are being written
	Settled    int  // documents that were, among those once confirmed
	Applied    int
}

// documentView is a document on the page.
type documentView struct {
	tool.DraftDocument
	Lines     []lineView
	Editable  bool
	Wrong     string      // why what the person entered cannot be
	Arguments [][2]string // of a remote call
}

// lineView is a line on the page.
type lineView struct {
	tool.Line
	Doc       stockhand.DocumentID
	Attention bool
	Dropped   bool   // as the person left it
	Entered   Inputs // what the person typed; empty shows the value
	Errors    Inputs
}

// Inputs belong to the fields of a line.
type Inputs struct{ Quantity, Price string }

// name returns the name of a field: q-doc_…-1.
func (l lineView) name(field string) string { return field + "-" + string(l.Doc) + "-" + l.ID }

// quantities reports whether lines of the kind have a quantity that can be edited; prices, a price.
func quantities(k tool.DocumentKind) bool {
	return k == tool.SupplierOrder || k == tool.Transfer || k == tool.MinimumStock
}

func prices(k tool.DocumentKind) bool { return k == tool.SupplierOrder || k == tool.PriceChange }

// plain formats a number for a field, with the decimal mark of the language and without separators.
func plain(ctx context.Context, n decimal.Maybe) string {
	if !n.Known {
		return ""
	}
	return strings.Replace(n.String(), ".", text.Language(ctx).Pick(",", "."), 1)
}

// viewOf returns the page of a draft for a person.
func (h Handlers) viewOf(ctx context.Context, a stockhand.Actor, stored stockhand.Draft) (view, error) {
	d, err := tool.ReadDraft(stored)
	if err != nil {
		return view{}, err
	}
	v := view{Draft: d, Org: a.Org, May: a.May(stockhand.ScopeWriteTools), Me: a.Name}
	if v.Names, err = page.NamesOf(ctx, h.Members, a); err != nil {
		return view{}, err
	}
	accounts, err := h.accounts(ctx, a.Org)
	if err != nil {
		return view{}, err
	}
	v.Account = accounts[d.Connection]
	if v.Account == "" {
		v.Account = text.NoConnection.In(ctx)
	}
	v.Badges, _ = badgesOf(ctx, d.Documents)
	for _, doc := range d.Documents {
		v.count(doc.State)
		shown := documentView{DraftDocument: doc, Editable: v.May && doc.State == stockhand.DocumentPending}
		lines, first := doc.Ordered()
		for i, l := range lines {
			shown.Lines = append(shown.Lines, lineView{Line: l, Doc: doc.ID, Attention: i < first})
		}
		if doc.Call != nil {
			for _, row := range doc.Table(d.Language).Rows {
				shown.Arguments = append(shown.Arguments, [2]string{row[0].Text(), row[1].Text()})
			}
		}
		v.Docs = append(v.Docs, shown)
	}
	v.Selectable = v.May && v.Waiting > 1
	return v, nil
}

func (v *view) count(s stockhand.DocumentState) {
	switch s {
	case stockhand.DocumentPending:
		v.Waiting++
	case stockhand.DocumentConfirmed, stockhand.DocumentApplying, stockhand.DocumentUnknown:
		v.Unsettled++
	case stockhand.DocumentApplied, stockhand.DocumentFailed:
		v.Settled++
	case stockhand.DocumentRejected, stockhand.DocumentExpired:
	}
	if s == stockhand.DocumentApplied {
		v.Applied++
	}
}

// document returns the document of the page, or an empty one.
func (v *view) document(id stockhand.DocumentID) *documentView {
	for i := range v.Docs {
		if v.Docs[i].ID == id {
			return &v.Docs[i]
		}
	}
	return &documentView{}
}

// line returns the line of the page, or nil.
func (v *view) line(doc stockhand.DocumentID, id string) *lineView {
	lines := v.document(doc).Lines
	if at := slices.IndexFunc(lines, func(l lineView) bool { return l.ID == id }); at >= 0 {
		return &lines[at]
	}
	return nil
}

// changePercent formats by how much a price changes.
func changePercent(ctx context.Context, l tool.Line) string {
	if !l.Price.Known || !l.OldPrice.Known || l.OldPrice.Sign() <= 0 {
		return "—"
	}
	change := l.Price.Sub(l.OldPrice.Decimal).Mul(decimal.Hundred).Div(l.OldPrice.Decimal)
	sign := ""
	if change.Round(1).Sign() > 0 {
		sign = "+"
	}
	return sign + tool.Number(change).Format(tool.UnitPercent, text.Language(ctx))
}

// approver returns the actor who was the first of two to confirm, if a second person must.
func (v view) approver() string {
	for _, d := range v.Docs {
		if awaits(d.DraftDocument) {
			return d.ApprovedBy
		}
	}
	return ""
}

// card returns the page of a line's good; empty if the person may not open it.
func (v view) card(l lineView) string {
	if !v.May || l.Product.ID == "" {
		return ""
	}
	return page.Path(v.Org, page.Goods, l.Product.ID) + "?connection=" + string(v.Connection)
}

// decided reports whether the person has confirmed first all that waits, so that only another one can go on.
func (v view) decided() bool {
	return !slices.ContainsFunc(v.Docs, func(d documentView) bool {
		return d.State == stockhand.DocumentPending && d.ApprovedBy != v.Me
	})
}

// awaits reports whether a document was confirmed by the first of two people.
func awaits(d tool.DraftDocument) bool {
	return d.State == stockhand.DocumentPending && d.ApprovedBy != ""
}

// totalLine is what the bar of a draft says: how many documents wait, and their total.
func totalLine(ctx context.Context, v view) string {
	var waiting []tool.DraftDocument
	for _, d := range v.Documents {
		if d.State == stockhand.DocumentPending {
			waiting = append(waiting, d)
		}
	}
	line := text.Documents.Of(ctx, len(waiting))
	if sum := totalOf(ctx, waiting); sum != "" {
		line += ", " + sum
	}
	return line
}

// facts are what a document is about, in a line.
func (d documentView) facts(ctx context.Context) []string {
	all := []string{text.DocumentKinds[string(d.Kind)].In(ctx)}
	add := func(name text.T, value string) {
		if value != "" {
			all = append(all, name.In(ctx)+": "+value)
		}
	}
	add(text.Supplier, reference(d.Supplier))
	if d.Target != nil {
		add(text.From, reference(d.Store))
		add(text.To, reference(d.Target))
	} else {
		add(text.Warehouse, reference(d.Store))
	}
	add(text.PriceType, reference(d.PriceType))
	add(text.Deletes, reference(d.Deletes))
	add(text.LegalEntity, reference(d.Organization))
	if d.Delivery != "" {
		add(text.Delivery, d.Delivery.Format(text.Language(ctx)))
	}
	if d.Call != nil {
		add(text.ServerName, d.Call.Server)
		add(text.ToolName, d.Call.Tool)
	}
	return all
}

// entered reports whether one of the changes has what the person typed.
func (c changes) entered() bool {
	return slices.ContainsFunc(c.Rows, func(r change) bool { return r.Entered != "" })
}

func (c change) title() string {
	if c.Product == "" {
		return c.Document
	}
	return c.Product
}

// confirmLabel is what the button of the last step says: what will be written, and for how much.
func confirmLabel(ctx context.Context, c confirmation) string {
	docs := text.Documents.Of(ctx, c.Passing)
	switch {
	case c.First == c.Passing:
		return text.ConfirmFirst.In(ctx)
	case c.Sum == "":
		return text.ConfirmButton.With(ctx, docs)
	}
	return text.ConfirmFor.With(ctx, docs, c.Sum)
}
