package documents

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"github.com/stockhand/stockhand/internal/connector/moysklad/account"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/connector/moysklad/wording"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
)

// row is a document for display. Sums are in main units of its own currency, and unknown where its type has none or
// the employee may not see them.
type row struct {
	msapi.Document
	of                   *kind
	currency             string
	sum, paid, unpaid    decimal.Maybe
	shipped, unshipped   decimal.Maybe
	overdue              int           // days past its planned date, if something is left to ship or receive
	goodQuantity, ofGood decimal.Maybe // of the goods that were asked for
}

// read reads the documents of all types, at most most of them.
func (c *call) read(ctx context.Context, q *conditions, most int) ([]row, error) {
	type part struct {
		of    *kind
		query msapi.DocumentQuery
		rows  []row
		err   error
	}
	var parts []*part
	for _, k := range q.kinds {
		query := c.query(q, k)
		parts = append(parts, &part{of: k, query: query})
		if k.name == transfer && len(q.stores) > 0 { // one filter cannot say "from here or to here"
			query.Target = true
			parts = append(parts, &part{of: k, query: query})
		}
	}
	var size atomic.Int64 // of all lists
	work, inner := errgroup.WithContext(msapi.WithSizes(ctx, func(path string, n int) error {
		if strings.Count(path, "/") > 1 { // the further lines of a document
			return nil
		}
		if found := size.Add(int64(n)); found > int64(most) {
			return c.tooMany(found, most)
		}
		return nil
	}))
	for _, p := range parts {
		work.Go(func() error {
			p.err = account.Each(c.Call, c.Reader.Documents(inner, string(p.of.name), p.query),
				func(d msapi.Document) { p.rows = append(p.rows, c.row(q, p.of, d)) })
			if closed(p.err) {
				return nil
			}
			return p.err
		})
	}
	if err := work.Wait(); err != nil {
		return nil, err
	}
	var rows []row
	have := map[msapi.ID]bool{}
	for _, p := range parts {
		if p.err != nil && !slices.Contains(q.unseen, p.of) {
			if len(q.kinds) == 1 && len(q.unseen) == 0 {
				c.section = p.of.section()
				return nil, p.err
			}
			q.unseen = append(q.unseen, p.of)
		}
		for _, r := range p.rows {
			if !have[r.ID] {
				have[r.ID] = true
				rows = append(rows, r)
			}
		}
	}
	c.noteVisibility(q)
	return rows, nil
}

// closed reports whether a type of documents cannot be read with the employee's rights or the account's tariff.
func closed(err error) bool { return msapi.IsForbidden(err) || msapi.IsTariff(err) }

// tooMany is the error of a list that would read more documents than it may. The first pages say how many there are.
func (c *call) tooMany(found int64, most int) error {
	return account.Invalid("from", c.Pickf(
		"документов слишком много: не меньше %s, а читается не больше %s; сократите период или добавьте условия",
		"there are too many documents: at least %s, and at most %s are read; ask for a shorter period or add conditions",
		tool.FormatQuantity(decimal.FromInt(found), c.Lang), tool.FormatQuantity(decimal.FromInt(int64(most)), c.Lang)))
}

// query returns what the server filters. Every condition is tested again on the rows.
func (c *call) query(q *conditions, k *kind) msapi.DocumentQuery {
	m := msapi.DocumentQuery{
		Number: digits(q.Number), Numbers: q.numbers, Text: q.Text, Posted: q.Posted,
		Positions: q.wanted != nil,
		Agents:    account.Ids(q.agents, func(r msapi.Ref) msapi.ID { return r.ID }), Stores: q.stores,
		Owners:        account.Ids(q.owners, func(x msapi.Colleague) msapi.ID { return x.ID }),
		Projects:      account.Ids(q.projects, func(x msapi.Named) msapi.ID { return x.ID }),
		Organizations: account.Ids(q.entities, func(x msapi.Organization) msapi.ID { return x.ID }),
		States:        q.states[k.name], NoState: q.noState,
	}
	if len(q.goods) <= account.IDsPerRequest { // more of them take more requests than the documents themselves
		m.Goods = q.goods
	}
	if q.id != "" {
		m.IDs = []msapi.ID{q.id}
	}
	if q.period.from != "" {
		m.From = account.DayStart(q.period.from)
	}
	if q.period.to != "" {
		m.To = account.DayEnd(q.period.to)
	}
	switch {
	case q.Overdue:
		m.PlannedBefore = account.DayStart(q.today)
	case q.DueTo != "":
		m.PlannedBefore = account.DayStart(q.DueTo.Add(1))
	}
	if q.DueFrom != "" {
		m.PlannedFrom = account.DayStart(q.DueFrom)
	}
	if k.name == "inventory" {
		m.Posted = nil // stocktakings are not posted
	}
	if c.Rights.Has(account.RightCost) { // a filter by a hidden sum is an error
		if q.SumFrom != nil {
			m.SumFrom = decimal.Some(q.SumFrom.Mul(decimal.Hundred))
		}
		if q.SumTo != nil {
			m.SumTo = decimal.Some(q.SumTo.Mul(decimal.Hundred))
		}
	}
	return m
}

// digits returns a number without leading zeros, so that «заказ 12» finds 00012.
func digits(number string) string {
	number = strings.TrimSpace(number)
	if rest := strings.TrimLeft(number, "0"); rest != "" {
		return rest
	}
	return number
}

// row computes what is shown of a document.
func (c *call) row(q *conditions, k *kind, d msapi.Document) row {
	r := row{Document: d, of: k, currency: account.Iso(d.Rate.Currency, c.currency, c.currencies)}
	if k.sum {
		r.sum = account.Major(d.Sum)
	}
	if k.paid {
		r.paid = account.Major(d.Paid)
		r.unpaid = account.Left(r.sum, r.paid)
	}
	if k.shipped {
		r.shipped = account.Major(d.Shipped)
		r.unshipped = account.Left(r.sum, r.shipped)
		// As overdue orders are defined: without a sum nothing says that the order is shipped.
		done := r.sum.Known && r.sum.Sign() > 0 && r.unshipped.Known && r.unshipped.Sign() == 0
		if !d.Planned.IsZero() && d.Posted() && !done {
			r.overdue = max(0, tool.Period{From: tool.DayOf(d.Planned.In(msapi.Moscow)), To: q.today}.Days()-1)
		}
	}
	if q.wanted != nil {
		r.goodQuantity, r.ofGood = account.GoodsIn(&r.Document, func(id msapi.ID) bool { return q.wanted[id] })
		r.Positions = nil // a hundred thousand documents with their lines would not fit in memory
	}
	return r
}

// settle applies what the state of an order says: nothing more will be shipped or received of one that its state
// closes, and nothing paid for a cancelled one (decision 51).
func (r *row) settle(s msapi.State) {
	if !r.of.shipped || !s.Closing() {
		return
	}
	r.overdue, r.unshipped = 0, decimal.Some(decimal.Zero)
	if s.Type == msapi.StateUnsuccessful {
		r.unpaid = decimal.Some(decimal.Zero)
	}
}

// choose keeps the documents that meet all conditions, newest first, and says what it could not decide.
func (c *call) choose(q *conditions, rows []row) []row {
	var kept []row
	var unknown, drafts, unclear int
	for _, r := range rows {
		if !q.meets(&r) {
			continue
		}
		r.settle(q.closing[r.State.ID])
		if (q.SumFrom != nil || q.SumTo != nil) && !r.sum.Known {
			unknown++
			continue
		}
		switch left := q.left(&r); {
		case left == done:
		case left == hidden:
			unknown++
		case left == something && !r.Posted():
			drafts++
		case q.Overdue && r.overdue == 0:
		default:
			if q.Overdue && (!r.sum.Known || r.sum.Sign() == 0) {
				unclear++
			}
			kept = append(kept, r)
		}
	}
	if q.Number != "" {
		kept = c.exact(q.Number, kept)
	}
	if unknown > 0 {
		c.Missing(account.SectionCost,
			fmt.Sprintf("документов, суммы которых скрыты: %d — подходят ли они, неизвестно, в ответе их нет", unknown),
			fmt.Sprintf("the sums of %d documents are hidden, so they are left out", unknown))
	}
	if drafts > 0 {
		c.Noticef(tool.NoticePartial, "Непроведённые документы не учтены: %d.",
			"Documents that are not posted are left out: %d.", drafts)
	}
	if unclear > 0 {
		c.Noticef(tool.NoticePartial, "Заказов, сумма которых нулевая или не видна: %d; выполнены ли они, по сумме "+
			"сказать нельзя.", "The sum of %d orders is zero or hidden: it does not show whether they are done.",
			unclear)
	}
	slices.SortFunc(kept, func(x, y row) int {
		return cmp.Or(y.Moment.Compare(x.Moment.Time), strings.Compare(y.Name, x.Name),
			strings.Compare(string(x.of.name), string(y.of.name)), strings.Compare(string(x.ID), string(y.ID)))
	})
	return kept
}

// leftover says whether something that was asked for is left to do with a document.
type leftover int

const (
	notAsked leftover = iota
	something
	done
	hidden // the sums that would say so
)

func (q *conditions) left(r *row) leftover {
	state := notAsked
	for _, x := range []struct {
		asked bool
		left  decimal.Maybe
	}{{q.Unpaid, r.unpaid}, {q.Unshipped || q.NotReceived, r.unshipped}} {
		switch {
		case !x.asked:
		case !x.left.Known:
			return hidden
		case x.left.Sign() == 0:
			return done
		default:
			state = something
		}
	}
	return state
}

// planned reports whether an order is planned for a day within the bounds.
func (q *conditions) planned(r *row) bool {
	if r.Planned.IsZero() {
		return false
	}
	day := tool.DayOf(r.Planned.In(msapi.Moscow))
	return day >= q.DueFrom && (q.DueTo == "" || day <= q.DueTo)
}

// meets reports whether a document meets the conditions that the server filters, too.
func (q *conditions) meets(r *row) bool {
	one := func(id msapi.ID, ids []msapi.ID) bool { return len(ids) == 0 || slices.Contains(ids, id) }
	day := tool.DayOf(r.Moment.In(msapi.Moscow))
	switch {
	case q.period.from != "" && day < q.period.from, q.period.to != "" && day > q.period.to:
	case !strings.Contains(wording.Fold(r.Name), wording.Fold(digits(q.Number))):
	case !strings.Contains(wording.Fold(r.Description), wording.Fold(q.Text)):
	case q.Posted != nil && *q.Posted != r.Posted():
	case q.due() && !q.planned(r):
	case len(q.agents) > 0 && !slices.ContainsFunc(q.agents, func(a msapi.Ref) bool { return a.ID == r.Agent.ID }):
	case len(q.stores) > 0 && !one(r.Store.ID, q.stores) && !one(r.From.ID, q.stores) && !one(r.To.ID, q.stores):
	case len(q.owners) > 0 && !slices.ContainsFunc(q.owners,
		func(x msapi.Colleague) bool { return x.ID == r.Owner.ID }):
	case len(q.projects) > 0 && !slices.ContainsFunc(q.projects,
		func(x msapi.Named) bool { return x.ID == r.Project.ID }):
	case len(q.entities) > 0 && !slices.ContainsFunc(q.entities,
		func(x msapi.Organization) bool { return x.ID == r.Organization.ID }):
	case q.states != nil && !slices.Contains(q.states[r.of.name], r.State.ID) && !(q.noState && r.State.IsZero()):
	case len(q.channels) > 0 && !slices.ContainsFunc(q.channels,
		func(x msapi.SalesChannel) bool { return x.ID == r.SalesChannel.ID }):
	case q.wanted != nil && !r.goodQuantity.Known:
	case q.SumFrom != nil && r.sum.Known && r.sum.Cmp(*q.SumFrom) < 0:
	case q.SumTo != nil && r.sum.Known && r.sum.Cmp(*q.SumTo) > 0:
	default:
		return true
	}
	return false
}

// exact keeps the documents with exactly this number, but for leading zeros, or all if there is none.
func (c *call) exact(number string, rows []row) []row {
	want := wording.Fold(digits(number))
	same := slices.DeleteFunc(slices.Clone(rows), func(r row) bool { return wording.Fold(digits(r.Name)) != want })
	if len(same) > 0 {
		return same
	}
	if len(rows) > 0 {
		c.Noticef(tool.NoticeAssumption, "Документа с номером %s нет: показаны те, в номере которых он есть.",
			"No document has the number %s: shown are those that contain it.", wording.InQuotes(number, c.Lang))
	}
	return rows
}
