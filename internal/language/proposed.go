package language

import (
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/language/draft"
	"github.com/stockhand/stockhand/internal/language/lookup"
	"github.com/stockhand/stockhand/internal/language/phrase"
	"github.com/stockhand/stockhand/internal/language/proposal"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// proposals are the skills of the kinds of drafts.
var proposals = map[proposal.Kind]Skill{proposal.Prices: ProposePriceChange, proposal.Orders: ProposeSupplierOrders,
	proposal.Transfers: ProposeTransfers, proposal.Minimums: ProposeMinimumStocks}

// propose reads the task as a request for a draft, and reports whether it is one. ts are the tokens before any was
// corrected or read as a number.
func (r *reader) propose(out *Reading, ts []token.Token) bool {
	if out.Consolidate || lookup.ListsPrices(ts) || r.ordersReport() {
		return false
	}
	in := proposal.Input{Task: r.task, Tokens: ts, Catalogue: r.in.Catalogue, Today: r.today,
		Language: r.language, Rows: r.in.Rows, Before: r.in.Previous.asDraft(), Short: r.in.Previous.showsShort()}
	for k, s := range proposals {
		if out.Skill == s && out.Question == nil && !out.FollowUp {
			in.Kind = k
		}
	}
	for _, m := range r.mentions {
		in.Names = append(in.Names, proposal.Name{At: m.at, Words: m.words, Exact: m.exact,
			Meanings: m.things(), All: m.all, ByID: m.byID, Complete: m.total <= len(m.meanings),
			Wider: m.wider})
	}
	in.PriceTypes, in.Stores = r.in.NamesOf(connector.NamePriceType), r.in.NamesOf(connector.NameStore)
	in.Suppliers = r.in.names(connector.NameSupplier)
	in.Variants = r.in.variantsOf
	p := proposal.Read(in)
	if p == nil && in.Kind != proposal.None { // nothing is ordered: "перемещения с витрины"
		r.outside(out)
	}
	if p == nil || p.Cannot != "" && r.looksUp(ts, Documents) ||
		p.Kind == proposal.Orders && (r.looksUp(ts, Shortages) || r.opensOne(ts)) {
		return false
	}
	for _, i := range p.Together {
		r.mentions[i].all = true
	}
	for _, i := range slices.Backward(p.Ignored) {
		r.mentions = slices.Delete(r.mentions, i, i+1)
	}
	*out = Reading{Task: out.Task, Language: out.Language, Account: out.Account, Accounts: out.Accounts,
		Alike: out.Alike, Period: out.Period, Confidence: 1}
	if p.Kind == proposal.Prices && p.Cannot == "" && r.toCustomer(ts) {
		p.Cannot = r.language.Pick("Скидку покупателю назначить не могу: ничего не подготовлено. Могу "+
			"изменить цены товаров.\n"+
			"Например: «снизь цены на посуду на 5 %».",
			"I cannot give a customer a discount: nothing was prepared. I can change the prices of goods.\n"+
				"For example: “lower the prices of Посуда by 5%”.")
	}
	if p.Cannot != "" {
		out.Outside, out.Refusal = true, p.Cannot
		return true
	}
	out.Skill = proposals[p.Kind]
	out.Input = r.ofShownPrices(p.Draft)
	if p.Kind == proposal.Transfers && p.Question == "" {
		r.ofShownStock(p.Draft, ts, out)
	}
	if p.Question != "" {
		out.Question = &Question{Text: p.Question}
		for _, o := range p.Options {
			out.Question.Options = append(out.Question.Options,
				Option{Text: o.Text, Skill: proposals[o.Kind], Input: r.ofShownPrices(o.Draft)})
		}
	}
	for _, u := range p.Unknown {
		words := r.task[ts[u.From].Start:ts[u.To-1].End]
		if u.To == u.From+1 && ts[u.From].Kind == token.Quoted {
			words = ts[u.From].Raw
		}
		out.Unknown = append(out.Unknown, Phrase{Words: words, Kinds: u.Kinds})
	}
	for _, m := range r.mentions {
		if len(m.meanings) == 1 {
			out.Matched = append(out.Matched, Match{Name: m.meanings[0], Words: m.words, Exact: m.exact})
		}
	}
	return true
}

// ordersReport reports whether the task orders a report (rule R842): "подготовь отчёт о просроченных заказах".
func (r *reader) ordersReport() bool {
	return slices.ContainsFunc(r.found, func(f phrase.Found) bool {
		return f.Meaning == conceptCreate && r.means(f.At[len(f.At)-1]+1, conceptReport)
	})
}

// toCustomer reports whether a discount is asked for the customers that the answer before was about: "сделай им скидку"
// (rule R624).
func (r *reader) toCustomer(ts []token.Token) bool {
	p := r.in.Previous
	if p == nil {
		return false
	}
	customers := len(p.Arguments.Counterparties) > 0 || r.in.Rows != nil && r.in.Rows.Dimension == "counterparty"
	if p.Query != nil {
		customers = customers || slices.Contains(p.Query.By, "counterparty") ||
			slices.ContainsFunc(p.Query.Where, func(w analysis.Condition) bool { return w.Field == "counterparty" })
	}
	discount, them := false, false
	for i := range ts {
		w := ts[i].Norm
		discount = discount || strings.HasPrefix(w, "скидк") || strings.HasPrefix(w, "discount")
		them = them || personWords[w] && (i == 0 || !aboutGoods[ts[i-1].Norm])
	}
	return customers && discount && them
}

var (
	personWords = words.Set("им ему ей them him her")
	aboutGoods  = words.Set("on of к")
)

// ofShownPrices gives a change of the prices that were shown their type of price: after the wholesale prices of a
// group, "подними их на 3 %" is about those (rule R622).
func (r *reader) ofShownPrices(d proposal.Draft) proposal.Draft {
	p := r.in.Previous
	if p == nil || p.Query == nil || d.PriceType != "" || d.Percent+d.Price+d.Amount == "" ||
		d.RowsOf == nil && len(r.in.Rows.Refer(token.Split(r.task))) == 0 {
		return d
	}
	for _, w := range p.Query.Where {
		if w.Field == "price_type" && w.Op == analysis.In && len(w.Values) == 1 {
			d.PriceType = string(w.Values[0])
		}
	}
	return d
}

// whereTo asks where rows go that were shown of one warehouse, if a transfer of them names no warehouse: it would
// balance all of them (rule R1138).
func (r *reader) whereTo(d proposal.Draft, out *Reading) bool {
	p := r.in.Previous
	if p == nil || d.RowsOf == nil || d.RowsOf.Result == "" || len(d.Stores)+len(d.FromStores) > 0 {
		return false
	}
	shown := p.shownStore()
	if shown == "" {
		return false
	}
	out.Input = nil
	out.Question = &Question{Text: r.language.Pick("На какой склад переместить? Напишите его или выберите.",
		"To which warehouse? Write it, or choose.")}
	const most = 8
	for _, x := range r.in.NamesOf(connector.NameStore) {
		if x.Name == shown || len(out.Question.Options) == most {
			continue
		}
		to := d.Clone()
		to.FromStores, to.Stores = []string{shown}, []string{x.Name}
		out.Question.Options = append(out.Question.Options, Option{
			Text: draft.Text(draft.Transfers, to, r.language), Skill: ProposeTransfers, Input: to})
	}
	return true
}

// shownStore returns the only warehouse that a reading is limited to, or "".
func (r *Reading) shownStore() (store string) {
	if r.Query == nil && len(r.Arguments.Stores) == 1 {
		return r.Arguments.Stores[0]
	}
	if r.Query != nil {
		for _, w := range r.Query.Where {
			if w.Field == "store" && w.Op == analysis.In && len(w.Values) == 1 {
				store = string(w.Values[0])
			}
		}
	}
	return store
}

// ofShownStock makes a transfer of rows that were shown with their stock at one warehouse one from there (rule R864):
// "перевези всё это на Мира" after what did not sell at Лесная takes the whole stock of those goods at Лесная. Without
// "всё" it asks how many.
func (r *reader) ofShownStock(d proposal.Draft, ts []token.Token, out *Reading) {
	p := r.in.Previous
	if r.whereTo(d, out) {
		return
	}
	if p == nil || d.RowsOf == nil || d.RowsOf.Result == "" ||
		d.RowsOf.Quantity+d.RowsOf.Column != "" ||
		len(d.FromStores) > 0 || len(d.Stores) != 1 || d.Mode != "" || d.Days > 0 {
		return
	}
	if p.Query == nil && p.Skill != Stock || p.Query != nil && (!slices.Contains(p.Query.Measures, "stock") ||
		slices.Contains(p.Query.Measures, "shortage")) {
		return
	}
	from := p.shownStore()
	if from == "" || from == d.Stores[0] {
		return
	}
	short, whole := d.Clone(), d.Clone()
	short.FromStores, whole.FromStores = []string{from}, []string{from}
	text := draft.Text(draft.Transfers, whole, r.language)
	whole.RowsOf.Column = "stock"
	if rows := r.in.Rows; NamedRows(rows) && rows.Dimension == "product" && !rows.More &&
		len(rows.IDs) > 0 && !slices.Contains(rows.IDs, "") && len(d.RowsOf.Rows)+len(d.RowsOf.Except) == 0 {
		goods := analysis.Condition{Field: "product", Op: analysis.In} // a product with variants moves by variant
		for _, id := range rows.IDs {
			goods.Values = append(goods.Values, analysis.Scalar(id))
		}
		whole.RowsOf = &draft.RowsOf{Column: "stock", Query: &analysis.Query{Measures: []string{"stock"},
			By: []string{"variant"}, Where: []analysis.Condition{goods,
				{Field: "store", Op: analysis.In, Values: []analysis.Scalar{analysis.Scalar(from)}},
				{Field: "stock", Op: analysis.Greater, Values: []analysis.Scalar{"0"}}}}}
	}
	if slices.ContainsFunc(ts, func(t token.Token) bool { return allOfThem[t.Norm] }) {
		out.Input = whole
		return
	}
	out.Question = &Question{Text: r.language.Pick("Сколько переместить? Напишите количество, или выберите.",
		"How many? Write the quantity, or choose."), Options: []Option{
		{Text: strings.Replace(text, r.language.Pick("Перемести", "Transfer"),
			r.language.Pick("Перемести весь остаток", "Transfer all of the stock"), 1),
			Skill: ProposeTransfers, Input: whole},
		{Text: strings.Replace(text, r.language.Pick("Перемести", "Transfer"),
			r.language.Pick("Перемести то, чего не хватает,", "Transfer what is short"), 1),
			Skill: ProposeTransfers, Input: short}}}
}

var allOfThem = words.Set("все всё весь всю всех целиком полностью all everything whole")

// asDraft returns what the answer of the reading was about as the scope of a draft: "закажи их". Nil if a draft cannot
// say it.
func (r *Reading) asDraft() *proposal.Draft {
	if r == nil {
		return nil
	}
	a := r.Arguments
	goods := proposal.Goods{Groups: a.Groups, Suppliers: a.Suppliers, Products: a.Products}
	switch r.Skill {
	case Shortages:
		if a.Limit > 0 {
			return nil
		}
		return &proposal.Draft{Goods: goods, Stores: a.Stores, Mode: a.Mode, Days: a.Days, From: a.From, To: a.To}
	case Forecast:
		var of proposal.Draft
		raw, err := json.Marshal(r.Input)
		if err != nil || json.Unmarshal(raw, &of) != nil || of.Goods.Empty() {
			return nil
		}
		return &proposal.Draft{Goods: of.Goods, Stores: of.Stores}
	case StockAge:
		if a.Limit > 0 || len(a.Stores) > 0 {
			return nil
		}
		return &proposal.Draft{Goods: goods, Where: []analysis.Condition{{Field: "days_in_stock",
			Op: analysis.GreaterEqual, Values: []analysis.Scalar{analysis.Scalar(strconv.Itoa(cmp.Or(a.MinDays,
				90)))}}}}
	case Product:
		var card struct{ Product string }
		raw, err := json.Marshal(r.Input)
		if err != nil || json.Unmarshal(raw, &card) != nil || card.Product == "" {
			return nil
		}
		return &proposal.Draft{Goods: proposal.Goods{Products: []string{card.Product}}}
	case ProposePriceChange, ProposeSupplierOrders, ProposeTransfers, ProposeMinimumStocks:
		return nil
	}
	if q := r.Query; q != nil && len(q.By) == 0 && len(q.Where) == 1 && q.Where[0].Field == "product" &&
		q.Where[0].Op == analysis.In { // a question about one product
		for _, v := range q.Where[0].Values {
			goods.Products = append(goods.Products, string(v))
		}
		return &proposal.Draft{Goods: goods}
	}
	if q := r.asQuery(); q != nil && (slices.Equal(q.By, []string{"product"}) || slices.Equal(q.By,
		[]string{"variant"})) {
		return &proposal.Draft{RowsOf: &proposal.RowsOf{Query: q}, Stores: lackingAt(q), Mode: lackingHow(q)}
	}
	return nil
}

// showsShort reports whether the answer of the reading was a list of goods that are short.
func (r *Reading) showsShort() bool {
	if r == nil || r.Skill == Shortages {
		return r != nil
	}
	return r.Query != nil && (slices.Contains(r.Query.Measures, "shortage") ||
		slices.Contains(r.Query.Measures, "days_of_cover")) && len(r.Query.By) > 0
}

// lackingHow returns how the goods of a query are short: those below their minimum are ordered and moved for that alone
// (rule R793).
func lackingHow(q *analysis.Query) string {
	if slices.Contains(q.Measures, "shortage") {
		return "below_minimum"
	}
	return ""
}

// lackingAt returns the warehouses where the goods of a query are short.
func lackingAt(q *analysis.Query) (stores []string) {
	if !slices.Contains(q.Measures, "shortage") && !slices.Contains(q.Measures, "days_of_cover") {
		return nil
	}
	for _, w := range q.Where {
		if w.Field == "store" && w.Op == analysis.In {
			for _, v := range w.Values {
				stores = append(stores, string(v))
			}
		}
	}
	return stores
}
