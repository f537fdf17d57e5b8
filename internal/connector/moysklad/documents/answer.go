package documents

import (
	"cmp"
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/connector/moysklad/wording"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
)

// answer names everything that was applied, then the number of documents and their sums by type.
func (c *call) answer(q *conditions, rows []row, all []*group) {
	what := c.Pick("Документы", "Documents")
	if len(q.kinds) <= 3 && len(q.kinds) > 0 {
		var list []string
		for _, k := range q.kinds {
			list = append(list, k.many.In(c.Lang))
		}
		what = strings.Join(list, ", ")
	}
	what += c.applied(q)
	readable := slices.ContainsFunc(q.kinds, func(k *kind) bool { return !slices.Contains(q.unseen, k) })
	if !readable && len(q.unseen) > 0 {
		c.Result.Answer = c.Pick("Ответить нельзя: сотруднику не доступен ни один из этих видов документов.",
			"This cannot be answered: the employee may read none of these types of documents.")
		return
	}
	if len(rows) == 0 {
		c.Notice(tool.NoticeEmpty, "Документов, которые отвечают всем условиям, нет.",
			"No document meets all conditions.")
		c.Result.Answer = what + c.Pick(": нет ни одного.", ": there are none.")
		return
	}
	var parts []string
	for _, g := range all {
		part := wording.NounDocument.Count(c.Lang, g.count)
		switch {
		case len(all) > 1:
			part = g.of.many.In(c.Lang) + " — " + tool.FormatQuantity(decimal.FromInt(int64(g.count)), c.Lang)
		case len(q.kinds) > 3:
			part = g.of.many.In(c.Lang) + " — " + part
		}
		if g.adds() && len(g.sum) > 0 {
			part += c.Pick(" на ", " for ") + g.sum.Text(c.currency, c.Lang)
		}
		parts = append(parts, part)
	}
	if len(all) > 1 {
		parts = append([]string{wording.NounDocument.Count(c.Lang, len(rows))}, parts...)
	}
	left := ""
	if len(all) == 1 && all[0].adds() {
		left = c.leftText(q, rows)
	}
	left += c.shownText(q, rows)
	c.Result.Answer = what + ": " + strings.Join(parts, "; ") + left + "."
}

// leftText says how much of the documents of one type is not paid, shipped or received.
func (c *call) leftText(q *conditions, rows []row) string {
	said := ""
	if q.Unpaid {
		said += c.Pick(", не оплачено ", ", not paid: ") +
			total(rows, func(r *row) decimal.Maybe { return r.unpaid }).Text(c.currency, c.Lang)
	}
	if q.Unshipped || q.NotReceived || q.Overdue {
		verb := c.Pick(", не отгружено ", ", not shipped: ")
		if rows[0].of.name == purchaseOrder {
			verb = c.Pick(", не принято ", ", not received: ")
		}
		said += verb + total(rows, func(r *row) decimal.Maybe { return r.unshipped }).Text(c.currency, c.Lang)
	}
	return said
}

// applied describes every condition.
func (c *call) applied(q *conditions) string {
	var parts []string
	say := func(applies bool, ru, en, value string) {
		if applies {
			parts = append(parts, c.Pick(ru, en)+value)
		}
	}
	quoted := func(list []string) string { return " " + wording.Quoted(list, c.Lang) }
	named := func(list []msapi.Ref) string {
		return quoted(wording.Names(list, func(r msapi.Ref) string { return cmp.Or(c.names.of(r), string(r.ID)) }))
	}
	day := func(d tool.Day) string { return " " + d.Format(c.Lang) }
	switch p := q.period; {
	case p.from != "" && p.to != "":
		parts = append(parts, wording.Span(tool.Period{From: p.from, To: p.to}, c.Lang))
	default:
		say(p.from != "", "с", "from", day(p.from))
		say(p.to != "", "по", "until", day(p.to))
		say(p == span{}, "за всё время", "of all times", "")
	}
	say(q.Number != "", "номер ", "number ", wording.InQuotes(q.Number, c.Lang))
	say(len(q.agents) > 0, "контрагент", "counterparty", named(q.agents))
	say(len(q.storeName) > 0, "склад", "warehouse", quoted(q.storeName))
	say(q.nested, "с вложенными складами", "with the warehouses nested in it", "")
	say(len(q.Products) > 0, "с товаром", "with the item", quoted(q.products()))
	say(len(q.folders) > 0, "с товарами группы", "with goods of the group", quoted(q.folders))
	say(len(q.channels) > 0, "канал продаж", "sales channel",
		quoted(wording.Names(q.channels, func(x msapi.SalesChannel) string { return x.Name })))
	say(len(q.States) > 0, "статус", "state", quoted(q.States))
	say(len(q.owners) > 0, "владелец", "owner",
		quoted(wording.Names(q.owners, func(x msapi.Colleague) string { return x.Name })))
	say(len(q.projects) > 0, "проект", "project",
		quoted(wording.Names(q.projects, func(x msapi.Named) string { return x.Name })))
	say(len(q.entities) > 0, "юрлицо", "legal entity",
		quoted(wording.Names(q.entities, func(x msapi.Organization) string { return x.Name })))
	say(q.Unpaid, "не оплачены полностью", "not fully paid", "")
	say(q.Unshipped, "не отгружены полностью и не закрыты статусом",
		"not fully shipped and not closed by their state", "")
	say(q.NotReceived, "не приняты полностью и не закрыты статусом",
		"not fully received and not closed by their state", "")
	say(q.Overdue, "просрочены", "overdue", "")
	switch {
	case q.DueFrom != "" && q.DueTo != "":
		say(true, "плановая дата ", "planned for ", wording.Span(tool.Period{From: q.DueFrom, To: q.DueTo}, c.Lang))
	default:
		say(q.DueFrom != "", "плановая дата с", "planned from", day(q.DueFrom))
		say(q.DueTo != "", "плановая дата по", "planned until", day(q.DueTo))
	}
	sum := func(d *decimal.Decimal) string {
		if d == nil {
			return ""
		}
		return " " + tool.FormatMoney(*d, "", c.Lang)
	}
	say(q.SumFrom != nil, "сумма от", "sum from", sum(q.SumFrom))
	say(q.SumTo != nil, "сумма до", "sum up to", sum(q.SumTo))
	say(q.Text != "", "в комментарии ", "the comment has ", wording.InQuotes(q.Text, c.Lang))
	say(q.Posted != nil && *q.Posted, "только проведённые", "posted only", "")
	say(q.Posted != nil && !*q.Posted, "только непроведённые", "drafts only", "")
	if q.By == "" && q.Order != "" {
		parts = append(parts, q.Order.about().In(c.Lang))
	}
	return " " + strings.Join(parts, ", ") // the period is always said
}

// products returns the goods that were asked for by what they are called, also if they were asked for by their IDs.
func (q conditions) products() []string {
	all := slices.Clone(q.Products)
	for i, asked := range all {
		for _, g := range q.goods {
			if string(g.ID) == asked && g.Name != "" {
				all[i] = g.Name
			}
		}
	}
	return all
}
