package propose

import (
	"context"
	"fmt"
	"slices"

	"github.com/stockhand/stockhand/internal/connector/moysklad/account"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi/writable"
	"github.com/stockhand/stockhand/internal/connector/moysklad/propose/catalogue"
	"github.com/stockhand/stockhand/internal/connector/moysklad/shortage"
	"github.com/stockhand/stockhand/internal/connector/moysklad/wording"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
)

type minimumInput struct {
	account.StoresArg
	account.GoodsArgs
	RowsOf     *catalogue.RowsOf `json:"rows_of,omitempty" jsonschema:"goods of a table"`
	Everything bool              `json:"everything,omitempty" jsonschema:"needed if no goods are named"`
	Minimum    *decimal.Decimal  `json:"minimum,omitempty" jsonschema:"of each good; default: by sales"`
	LeadDays   *account.Days     `json:"lead_days,omitempty" jsonschema:"default 7"`
	SafetyDays *account.Days     `json:"safety_days,omitempty" jsonschema:"default 3"`
	From       tool.Day          `json:"from,omitempty" jsonschema:"first day of the sales rate"`
	To         tool.Day          `json:"to,omitempty" jsonschema:"its last day"`
}

func proposeMinimumTool(a *account.Account) tool.Tool {
	return proposing(a, "moysklad_propose_minimum_stock",
		tool.Text{RU: "Неснижаемые остатки", EN: "Minimum stocks"},
		tool.Text{
			RU: "Черновик неснижаемых остатков: было → станет, названное число или из темпа продаж × (срок поставки + запас " +
				"дней), целыми упаковками; по складам или на все вместе, как у товара заведено. Ничего не отправляет: решает человек.",
			EN: "A draft of new minimum stocks: a number, or sales rate × (lead + safety days) in whole " +
				"packs; per warehouse where it is so now. It replaces them.",
		}, (*call).proposeMinimum).Requires(account.NeedGoods, account.NeedSalesRate, account.NeedTurnoverRate)
}

// minimumProposal is the state of one call.
type minimumProposal struct {
	*call
	given  decimal.Maybe // the new minimum, if the request names it
	period tool.Period
	cover  decimal.Decimal // days: lead time and safety
	stores []msapi.Store   // named; none: as each good has it
	names  map[msapi.ID]string
	goods  []*catalogue.Card
	sold   map[msapi.Key]shortage.Sales // by warehouse; zero: all together

	raised, lowered, first, unchanged, unsold int
	inherited, same, sum                      []string
}

func (c *call) proposeMinimum(ctx context.Context, in minimumInput) ([]tool.Document, error) {
	w := &minimumProposal{call: c, names: map[msapi.ID]string{}}
	if in.RowsOf != nil {
		if err := in.RowsOf.Narrow(ctx, c.Call, &in.GoodsArgs); err != nil {
			return nil, err
		}
	}
	if scoped := len(in.Groups)+len(in.Suppliers)+len(in.Products) > 0; scoped == in.Everything {
		return nil, account.Invalid("everything", c.Pick(
			"назовите группы, поставщиков или товары, либо everything: true — все товары",
			"name groups, suppliers or products, or everything: true for all goods"))
	}
	if in.Minimum != nil {
		return c.setMinimum(ctx, in, w)
	}
	days := func(given *account.Days, usual int) int {
		if given != nil {
			return int(*given)
		}
		return usual
	}
	lead, safety := days(in.LeadDays, 7), days(in.SafetyDays, 3)
	if in.LeadDays == nil || in.SafetyDays == nil {
		c.Noticef(tool.NoticeAssumption, "Взяты срок поставки %d дн. и запас %d дн.",
			"Taken: a lead time of %d days and %d safety days.", lead, safety)
	}
	if w.cover = decimal.FromInt(int64(lead + safety)); w.cover.IsZero() {
		return nil, account.Invalid("lead_days", c.Pick("срок и запас вместе должны быть больше нуля",
			"the lead time and the safety days must be above zero together"))
	}
	var err error
	if w.period, err = c.PastPeriod(in.From, in.To); err != nil {
		return nil, err
	}
	if err := w.collect(ctx, in); err != nil {
		return nil, c.Refuse(err, account.SectionOf(err))
	}
	if known, err := w.readSales(ctx); err != nil || !known {
		return nil, err
	}
	documents := w.documents(fmt.Sprintf(c.Pick("продажи в день × %d дн. (поставка %d + запас %d)",
		"sales a day × %d days (%d lead time + %d safety)"), lead+safety, lead, safety))
	w.summarize(documents)
	return documents, nil
}

// setMinimum prepares a minimum that the request names.
func (c *call) setMinimum(ctx context.Context, in minimumInput, w *minimumProposal) ([]tool.Document, error) {
	if in.LeadDays != nil || in.SafetyDays != nil || in.From != "" || in.To != "" {
		return nil, account.Invalid("minimum", c.Pick("с числом минимума не называют срок, запас и период продаж",
			"with a given minimum, name no lead time, safety days or period of sales"))
	}
	if in.Minimum.Sign() < 0 {
		return nil, account.Invalid("minimum", c.Pick("не меньше нуля", "zero or more"))
	}
	w.given = decimal.Some(*in.Minimum)
	if err := w.collect(ctx, in); err != nil {
		return nil, c.Refuse(err, account.SectionOf(err))
	}
	for _, g := range w.goods {
		if !shortage.Divisible(g.Root().Unit.Name) && in.Minimum.Cmp(in.Minimum.Ceil(0)) != 0 {
			return nil, account.Invalid("minimum", c.Pickf("«%s» считают целыми", "“%s” is counted in whole units",
				g.Name))
		}
	}
	documents := w.documents(c.Pickf("минимум %s", "a minimum of %s", w.quantity(*in.Minimum)))
	w.summarize(documents)
	return documents, nil
}

// collect reads the goods with their minimums.
func (w *minimumProposal) collect(ctx context.Context, in minimumInput) error {
	s, err := w.Narrow(ctx, in.Stores, in.GoodsArgs)
	if err != nil {
		return err
	}
	w.stores = s.Stores
	all, err := w.StoreList(ctx)
	if err != nil {
		return err
	}
	for _, x := range all {
		w.names[x.ID] = x.Name
	}
	var keys []msapi.Key
	if len(s.Goods) > 0 {
		for _, id := range s.Stocked() {
			keys = append(keys, id.Key())
		}
	} else {
		q := msapi.AssortmentQuery{Types: []string{"product", "variant"}, Folders: s.FolderIDs(),
			Suppliers: s.SupplierIDs()}
		err := account.Each(w.Call, w.Reader.Assortment(ctx, q),
			func(x msapi.AssortmentItem) { keys = append(keys, x.ID.Key()) })
		if err != nil {
			return err
		}
	}
	cards, err := catalogue.Cards(ctx, w.Call, keys, msapi.CardQuery{Minimum: true, Named: true})
	if err != nil {
		return err
	}
	var minimums []*msapi.MinimumStock
	for _, g := range cards {
		minimums = append(minimums, g.Minimum)
	}
	if err := writable.Minimums(ctx, w.Reader, minimums); err != nil {
		return err
	}
	for _, g := range cards {
		root := g.Root()
		if !g.Gone() && (len(s.Folders) == 0 || s.Nested[root.Folder.ID]) &&
			(len(s.Suppliers) == 0 || slices.Contains(s.SupplierIDs(), root.Supplier.ID)) {
			w.goods = append(w.goods, g)
		}
	}
	slices.SortFunc(w.goods, func(x, y *catalogue.Card) int { return account.Tie(0, x.Name, y.Name, x.ID, y.ID) })
	w.goods = slices.DeleteFunc(w.goods, w.untouchable)
	return nil
}

// untouchable records goods whose minimum cannot be written (fact M116).
func (w *minimumProposal) untouchable(g *catalogue.Card) bool {
	m := g.Minimum
	switch {
	case g.Variants > 0, g.Type == "variant" && (m == nil && g.Parent != nil && g.Parent.Minimum != nil ||
		m != nil && m.Inherited):
		w.inherited = append(w.inherited, g.Name)
	case m != nil && m.Kind == msapi.MinimumSame:
		w.same = append(w.same, g.Name)
	case m != nil && m.Kind == msapi.MinimumSum && m.Quantity.Sign() > 0 && len(w.stores) > 0:
		w.sum = append(w.sum, g.Name)
	default:
		return false
	}
	return true
}

// places returns the warehouses whose minimum of a good is proposed; the zero store is all together.
func (w *minimumProposal) places(g *catalogue.Card) []tool.Ref {
	var all []tool.Ref
	for _, s := range w.stores {
		all = append(all, tool.Ref{Type: "store", ID: string(s.ID), Name: s.Name})
	}
	if len(all) == 0 {
		for _, m := range seenMinimums(g, w.names) {
			all = append(all, m.Store)
		}
	}
	if m := g.Minimum; len(all) == 0 && m != nil && m.Kind == msapi.MinimumVaried { // only zeros: it keeps its kind
		for _, s := range m.Stores {
			all = append(all, tool.Ref{Type: "store", ID: string(s.Store.ID), Name: w.names[s.Store.ID]})
		}
	}
	if len(all) == 0 {
		all = []tool.Ref{{}}
	}
	return all
}

// seenMinimums returns the minimums of a good in each warehouse.
func seenMinimums(g *catalogue.Card, names map[msapi.ID]string) []tool.StoreMinimum {
	var all []tool.StoreMinimum
	for _, m := range g.Minimum.ByStore() {
		all = append(all, tool.StoreMinimum{Store: tool.Ref{Type: "store", ID: string(m.Store.ID),
			Name: names[m.Store.ID]}, Quantity: m.Quantity.Decimal})
	}
	return all
}

// readSales reads the sales of each warehouse that is needed; it is false if the employee may not see them.
func (w *minimumProposal) readSales(ctx context.Context) (bool, error) {
	w.sold = map[msapi.Key]shortage.Sales{}
	for _, g := range w.goods {
		for _, place := range w.places(g) {
			id := msapi.ID(place.ID)
			if w.sold[id.Key()] != nil {
				continue
			}
			var only []msapi.ID
			if id != "" {
				only = []msapi.ID{id}
			}
			sold, source, err := shortage.ReadSales(ctx, w.Call, w.period, only...)
			if err != nil {
				return false, err
			}
			if source == shortage.RateUnknown {
				w.Result.Answer = w.Refusal(account.SectionProfit)
				return false, nil
			}
			w.sold[id.Key()] = sold
		}
	}
	return true, nil
}

func (w *minimumProposal) documents(how string) []tool.Document {
	var lines []tool.Line
	var documents []tool.Document
	flush := func() {
		if len(lines) == 0 {
			return
		}
		documents = append(documents, tool.Document{Kind: tool.MinimumStock, Reason: how, Lines: lines,
			Title: w.Pick("Неснижаемые остатки: ", "Minimum stocks: ") + wording.NounLine.Count(w.Lang, len(lines))})
		lines = nil
	}
	for _, g := range w.goods {
		own := w.lines(g)
		if len(lines)+len(own) > account.LinesPerDocument { // the lines of a good stay together
			flush()
		}
		lines = append(lines, own...)
	}
	flush()
	for i, d := range documents {
		raised, lowered, first := 0, 0, 0
		for _, l := range d.Lines {
			switch old := l.Seen.Minimum.Decimal; {
			case old.IsZero():
				first++
			case old.Less(l.Quantity.Decimal):
				raised++
			default:
				lowered++
			}
		}
		documents[i].Consequences = []string{w.Pickf("Выше — %d, ниже — %d, впервые — %d.",
			"Raised: %d, lowered: %d, set for the first time: %d.", raised, lowered, first)}
	}
	return documents
}

// lines returns the changes of a good.
func (w *minimumProposal) lines(g *catalogue.Card) []tool.Line {
	unit := g.Root().Unit.Name
	whole := !shortage.Divisible(unit)
	seen := seenMinimums(g, w.names)
	var lines []tool.Line
	for _, place := range w.places(g) {
		id := msapi.ID(place.ID)
		need, daily, known := w.need(g, id, whole)
		if !known {
			w.unsold++ // without sales there is nothing to compute from: the minimum stays
			continue
		}
		old := decimal.Zero
		l := tool.Line{Product: g.Ref(), Unit: unit, Whole: whole, Pack: g.Pack(), Quantity: decimal.Some(need)}
		if id == "" {
			if g.Minimum != nil {
				old = g.Minimum.Quantity.Decimal
			}
		} else {
			l.Store, l.Seen.Minimums = &place, seen
			for _, m := range seen {
				if m.Store.ID == place.ID {
					old = m.Quantity
				}
			}
		}
		switch {
		case old.Cmp(need) == 0:
			w.unchanged++
			continue
		case old.IsZero():
			w.first++
		case old.Less(need):
			w.raised++
		default:
			w.lowered++
		}
		l.Seen.Minimum, l.Seen.Updated = decimal.Some(old), g.Updated
		if w.given.Known {
			l.Reason = w.Pickf("как сказано: %s → %s", "as you said: %s → %s", w.quantity(old), w.quantity(need))
		} else {
			l.Seen.Daily = decimal.Some(daily.Round(3))
			l.Reason = w.Pickf("продажи %s в день × %s дн.: %s → %s", "sales %s a day × %s days: %s → %s",
				w.quantity(daily.Round(2)), w.quantity(w.cover), w.quantity(old), w.quantity(need))
		}
		if times := unusual; old.Sign() > 0 && (old.Mul(times).Less(need) || need.Mul(times).Less(old)) {
			l.Flags = append(l.Flags, tool.Notice{Code: tool.NoticeUnusual,
				Message: w.Pick("изменение больше чем втрое", "changed more than threefold")})
		}
		lines = append(lines, l)
	}
	return lines
}

// need returns the new minimum of a good and its sales a day; it is not known without sales.
func (w *minimumProposal) need(g *catalogue.Card, store msapi.ID, whole bool) (need, daily decimal.Decimal,
	known bool) {
	if w.given.Known {
		return w.given.Decimal, decimal.Zero, true
	}
	sold := w.sold[store.Key()][g.ID.Key()].Quantity
	if sold.Sign() <= 0 {
		return decimal.Zero, decimal.Zero, false
	}
	period := decimal.FromInt(int64(w.period.Days()))
	need = sold.Mul(w.cover).Div(period).Ceil(3)
	if whole {
		need = need.Ceil(0)
	}
	return shortage.InPacks(need, g.Pack()), sold.Div(period), true
}

func (w *minimumProposal) summarize(documents []tool.Document) {
	if w.given.Known {
		w.Method("Минимум — названное число, у каждого товара в его единице.",
			"The minimum is the given number, for each good in its own unit.")
	} else {
		w.Method("Минимум = продажи в день × (срок поставки + запас), вверх до целых единиц и упаковок.",
			"The minimum is sales a day × (lead time + safety days), rounded up to whole units and packs.")
	}
	leave := func(names []string, ru, en string) {
		if n := len(names); n > 0 {
			w.Noticef(tool.NoticePartial, ru+" (%d): %s.", en+" (%d): %s.", n, w.ListNames(names))
		}
	}
	leave(w.inherited, "Товары с модификациями и модификации, которые следуют товару, не меняются",
		"Products with variants, and variants that follow their product, are not changed")
	leave(w.same, "Минимум «одинаковый на каждом складе» МойСклад не даёт менять через API",
		"MoySklad does not let the API change a minimum that is the same in each warehouse")
	leave(w.sum, "Минимум задан на все склады вместе, по складам его не заменяем",
		"The minimum is for all warehouses together and is not replaced by one for each")
	if w.unsold > 0 {
		w.Noticef(tool.NoticePartial, "Без продаж за период минимум не меняется, строк: %d.",
			"Without sales in the period the minimum stays, rows: %d.", w.unsold)
	}
	if len(documents) == 0 {
		w.Notice(tool.NoticeEmpty, "Ни один минимум не меняется.", "No minimum changes.")
		w.Result.Answer = w.Pick("Менять нечего: ни один неснижаемый остаток не изменится.",
			"There is nothing to change: every minimum stock stays as it is.")
		return
	}
	w.Result.Answer = w.Pickf("Подготовлены неснижаемые остатки: выше — %d, ниже — %d, впервые — %d, без изменения — %d.",
		"Minimum stocks are prepared: raised %d, lowered %d, new %d, unchanged %d.", w.raised, w.lowered, w.first,
		w.unchanged) + " " + w.Pick("Ничего не отправлено: проверьте и подтвердите.",
		"Nothing was sent: check and confirm.")
}
