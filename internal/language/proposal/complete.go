package proposal

import (
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/language/draft"
	"github.com/stockhand/stockhand/internal/language/proposal/intent"
	"github.com/stockhand/stockhand/internal/language/request"
	"github.com/stockhand/stockhand/internal/language/token"
)

// meet makes rows of goods that several words fit, where groups or suppliers are said too: those that are both.
func (s *sentence) meet() {
	d := &s.draft
	together := slices.ContainsFunc(s.names, func(n *named) bool {
		return n.used && !n.excluded && n.role == aProduct && len(n.chosen) > 1 && !n.All
	})
	if !together || len(d.Groups)+len(d.Suppliers) == 0 || len(d.Products) < 2 || d.RowsOf != nil || d.Items != nil ||
		len(d.Where) > 0 && s.kind != Prices {
		return
	}
	d.RowsOf = &RowsOf{Query: &analysis.Query{Measures: []string{"stock"}, By: []string{"product"},
		Where: among("product", d.Products)}}
	d.Products = nil
}

// complete asks for what a draft cannot do without, and for what cannot be said together.
func (s *sentence) complete(a intent.Act) {
	d := &s.draft
	if d.Scoped() {
		d.Everything = false
	}
	s.meet()
	s.exceptItems()
	s.exceptRows()
	switch s.kind {
	case Prices:
		s.completePrices(a)
	case Orders:
		s.completeOrders()
	case Transfers:
		s.completeTransfers()
	case Minimums:
		s.completeMinimums()
	case None:
	}
	for i := 0; i < len(s.later) && s.question == ""; i++ {
		s.later[i]()
	}
}

// exceptItems leaves goods out of a list: "30 of each tea, except the green ones".
func (s *sentence) exceptItems() {
	d := &s.draft
	if d.Except == nil || len(d.Items) == 0 || len(d.Except.Groups)+len(d.Except.Suppliers) > 0 {
		return
	}
	var ids []string
	for _, n := range s.names {
		for _, m := range n.chosen {
			if n.excluded {
				ids = append(ids, m.ID, m.Name)
			}
		}
	}
	kept := slices.DeleteFunc(slices.Clone(d.Items), func(x Item) bool {
		return slices.Contains(d.Except.Products, x.Product) || slices.Contains(ids, x.Product)
	})
	if len(kept) > 0 && len(kept) < len(d.Items) {
		d.Items, d.Except, s.leftItems = kept, nil, true
	}
}

// exceptRows makes rows of goods of an exception, for drafts that have none of their own: "всю бакалею, кроме риса".
func (s *sentence) exceptRows() {
	d := &s.draft
	if d.Except == nil || s.kind != Transfers && s.kind != Minimums {
		return
	}
	if d.Items != nil || d.RowsOf != nil && d.RowsOf.Query == nil {
		s.ask("Исключения не сочетаются со списком или строками таблицы. Назовите что-то одно.",
			"Exceptions do not go with a list or with rows of a table. Name one of them.")
		return
	}
	q := &analysis.Query{Measures: []string{"sale_price"}, By: []string{"product"}}
	if d.RowsOf != nil {
		clone := *d.RowsOf.Query
		q = &clone
		q.Where = slices.Clone(q.Where)
	}
	add := func(g Goods, op analysis.Op) {
		for _, of := range []struct {
			field string
			names []string
		}{{"group", g.Groups}, {"supplier", g.Suppliers}, {"product", g.Products}} {
			for _, c := range among(of.field, of.names) {
				c.Op = op
				q.Where = append(q.Where, c)
			}
		}
	}
	add(d.Goods, analysis.In)
	add(*d.Except, analysis.NotIn)
	d.RowsOf, d.Goods, d.Except, d.Everything = &RowsOf{Query: q}, Goods{}, nil, false
}

func (s *sentence) completePrices(a intent.Act) {
	d := &s.draft
	rounded := d.Round != nil && (a.Verb == intent.Round || a.Verb == intent.Set || a.Verb == intent.Change)
	s.leastShare(a)
	s.mostPrice()
	goal := d.Percent + d.Markup + d.Margin + d.Price + d.Amount
	if len(d.Items) > 0 && (!d.Goods.Empty() || len(d.Where) > 0 || d.RowsOf != nil || d.Except != nil) {
		s.ask("Новые цены по списку не сочетаются с группами и условиями. Назовите товары с ценами или одно условие.",
			"New prices of a list do not go with groups and conditions. Name goods with their prices, or one "+
				"condition.")
		return
	}
	if goal == "" && len(d.Items) == 0 && !rounded {
		if request.Begins(s.Word(a.At), []string{"верн"}) {
			s.ask(noEarlier[0], noEarlier[1])
			return
		}
		s.ask("На сколько изменить цены? Напишите процент, сумму, наценку, маржу или новую цену.",
			"Change the prices by how much? Write a percentage, an amount, a markup, a margin or a new price.",
			s.waysOf(a.Verb)...)
		return
	}
	if r := s.Rows; d.Everything && !d.Scoped() && len(s.later) == 0 && d.Except == nil && r != nil &&
		r.Result != "" && !r.Earlier && (r.Dimension == "product" || r.Dimension == "variant") && s.question == "" {
		shown := d.Clone() // "подними все на 5 %" after a list
		shown.Everything, shown.RowsOf = false, ofRows(r)
		s.ask("На показанные товары или на все, какие есть?", "The goods that were shown, or all that there are?",
			s.option(shown), s.option(d.Clone()))
		return
	}
	if d.Scoped() || d.Everything || len(s.later) > 0 {
		return
	}
	every := d.Clone()
	every.Everything = true
	if (d.PriceType != "" || d.Except != nil) && d.Price == "" {
		s.draft = every // "оптовые цены" says which
		return
	}
	options := []Option{s.option(every)}
	if r := s.Rows; r != nil && r.Result != "" && (r.Dimension == "product" || r.Dimension == "variant") {
		shown := d.Clone()
		shown.RowsOf = ofRows(r)
		options = slices.Insert(options, 0, s.option(shown))
	}
	s.ask("На какие товары? Назовите товары, группу, поставщика или условие. Или на все?",
		"Of which goods? Name goods, a group, a supplier or a condition. Or of all?", options...)
}

// waysOf are examples of how much prices can change.
func (s *sentence) waysOf(v intent.Verb) (options []Option) {
	if !s.draft.Scoped() {
		return nil
	}
	add := func(set func(d *Draft)) {
		d := s.draft.Clone()
		set(&d)
		options = append(options, s.option(d))
	}
	if v != intent.Lower {
		add(func(d *Draft) { d.Percent = "5" })
	}
	if v != intent.Raise {
		add(func(d *Draft) { d.Percent = "-5" })
	}
	add(func(d *Draft) { d.Markup = "30" })
	return options
}

// leastShare reads "сделай, чтобы маржа была не ниже 25 %" as that margin for the goods below it.
func (s *sentence) leastShare(a intent.Act) {
	d := &s.draft
	goal := d.Percent + d.Markup + d.Margin + d.Price + d.Amount
	if a.Verb != intent.Set && a.Verb != intent.NoVerb || goal != "" || len(d.Items) > 0 || len(d.Where) != 1 ||
		d.Where[0].Op != analysis.GreaterEqual || len(s.later) > 0 {
		return
	}
	switch w := &d.Where[0]; w.Field {
	case "margin":
		d.Margin, w.Op = string(w.Values[0]), analysis.Less
	case "markup":
		d.Markup, w.Op = string(w.Values[0]), analysis.Less
	}
}

// mostPrice reads "чтобы цена была не
// больше 99" as that price for the goods above it, and "не меньше" for those below.
func (s *sentence) mostPrice() {
	d := &s.draft
	if d.Percent+d.Markup+d.Margin+d.Price+d.Amount != "" || len(d.Items) > 0 || len(d.Where) != 1 || d.Round != nil ||
		d.Where[0].Field != "price" || len(s.later) > 0 || !s.Anywhere("чтоб") && !s.Anywhere("чтобы") {
		return
	}
	w := &d.Where[0]
	beyond := map[analysis.Op]analysis.Op{analysis.LessEqual: analysis.Greater,
		analysis.GreaterEqual: analysis.Less}[w.Op]
	if beyond != "" {
		d.Price, w.Op = string(w.Values[0]), beyond
	}
}

func (s *sentence) askEither() {
	s.ask("Названия товаров не сочетаются с условием на строки. Назовите что-то одно.",
		"Names of goods do not go with a condition on rows. Name one of them.")
}

// toRows turns conditions into rows of goods, for drafts that have no conditions of their own.
func (s *sentence) toRows() {
	d := &s.draft
	if len(d.Where) == 0 {
		return
	}
	if d.RowsOf != nil || len(d.Products) > 0 && s.kind != Orders || d.Items != nil {
		s.askEither()
		return
	}
	price := slices.IndexFunc(d.Where, func(w analysis.Condition) bool { return w.Field == "price" })
	if price >= 0 && s.kind == Orders && s.Find(request.PriceNouns) < 0 || price >= 0 && s.kind == Orders {
		sale, buy := d.Clone(), d.Clone()
		buy.Where[price].Field = "purchase_price"
		for _, x := range []*Draft{&sale, &buy} {
			x.RowsOf, x.Where = &RowsOf{Query: query(x.Where)}, nil
		}
		if w := d.Where[price]; w.Op == analysis.LessEqual && d.Budget == "" && len(w.Values[0]) > 3 &&
			!s.saidEach() {
			spend := d.Clone()
			spend.Where, spend.Budget = slices.Delete(spend.Where, price, price+1), string(w.Values[0])
			if spend.Where = slices.Clip(spend.Where); len(spend.Where) == 0 {
				s.ask("Это бюджет на весь заказ или цена товара: закупочная или продажи?",
					"Is that the budget of the whole order, or a price of goods: the purchase or the sale price?",
					s.option(spend), s.option(buy), s.option(sale))
				return
			}
		}
		s.ask("По какой цене смотреть: закупочной или продажи?",
			"Which price counts: the purchase price or the sale price?",
			s.option(buy), s.option(sale))
		return
	}
	d.RowsOf, d.Where = &RowsOf{Query: query(d.Where)}, nil
}

// onlyOfShort keeps to what is below minimum where that was shown before, and only some of it is ordered:
// "закажи только посуду".
func (s *sentence) onlyOfShort() {
	d, b := &s.draft, s.Before
	if b == nil || b.RowsOf == nil || b.RowsOf.Query == nil || d.Items != nil || d.RowsOf != nil || d.Mode != "" ||
		!slices.Contains(b.RowsOf.Query.Measures, "shortage") || !s.Anywhere("только") && !s.Anywhere("only") {
		return
	}
	if d.Mode = "below_minimum"; len(d.Stores) == 0 {
		d.Stores = b.Stores
	}
}

// saidEach reports whether an amount is said to be of each good.
func (s *sentence) saidEach() bool {
	return slices.ContainsFunc(s.Words, func(t token.Token) bool { return request.Each[t.Norm] })
}

func (s *sentence) completeOrders() {
	d := &s.draft
	if len(s.later) > 0 || s.askVariant() {
		return
	}
	s.onlyOfShort()
	s.toRows()
	if s.needed {
		s.askWhere()
		return
	}
	list := d.Items != nil || d.RowsOf != nil && d.RowsOf.Quantity != ""
	if !list {
		s.askMore()
		s.askQuantity()
		return
	}
	if d.Mode = ""; len(d.Products)+len(d.Groups) > 0 || d.Except != nil || d.Forecast || d.LeadDays > 0 ||
		d.MinOrder != "" || d.Days > 0 || d.From != "" {
		s.ask("Список с количествами не сочетается с группами, сроками и товарами без количества. "+
			"Назовите что-то одно.",
			"A list with quantities does not go with groups, days or goods without a quantity. Name one of them.")
		return
	}
	switch len(d.Stores) {
	case 1:
		d.Store, d.Stores = d.Stores[0], nil
	case 0: // the tool takes the one that all recent orders went to, or asks
	default:
		stores := d.Stores
		d.Stores = nil
		s.askStore(func(d *Draft, name string) { d.Store = name }, "На какой склад заказать?", "To which warehouse?",
			stores...)
	}
}

// askWhere asks where goods that are needed come from.
func (s *sentence) askWhere() {
	order, move := s.draft.Clone(), s.draft.Clone()
	if len(order.Stores) == 1 && order.Items != nil {
		order.Store, order.Stores = order.Stores[0], nil
	}
	options := []Option{s.option(order)}
	if len(move.Stores) == 1 && move.Items != nil && move.Goods.Empty() && move.Days == 0 {
		options = append(options, Option{Text: draft.Text(Transfers, move, s.Language), Kind: Transfers, Draft: move})
	}
	if d, ok := s.asPrices(); ok {
		options = append(options, d)
		s.ask("Это количества для заказа или новые цены?", "Are these quantities to order, or new prices?", options...)
		return
	}
	s.ask("Заказать у поставщика или переместить с другого склада?",
		"Order from a supplier, or transfer from another warehouse?", options...)
}

// asPrices returns a list of goods whose figures have no unit and no verb as new prices: "дрель 4990, пила 1290".
func (s *sentence) asPrices() (Option, bool) {
	d := Draft{}
	for _, x := range s.draft.Items {
		if x.Price != "" {
			return Option{}, false
		}
		d.Items = append(d.Items, Item{Product: x.Product, Price: x.Quantity})
	}
	for i := range s.Words { // nothing else is said
		t := &s.Words[i]
		if t.Kind == token.Word && t.Norm != "а" && t.Norm != "и" && t.Norm != "and" &&
			!slices.ContainsFunc(s.names, func(n *named) bool { return n.At[0] <= i && i <= n.At[len(n.At)-1] }) {
			return Option{}, false
		}
	}
	if len(d.Items) == 0 {
		return Option{}, false
	}
	return Option{Text: draft.Text(Prices, d, s.Language), Kind: Prices, Draft: d}, true
}

// askMore asks of what to order more, where nothing but "more" is said: "закажи ещё".
func (s *sentence) askMore() {
	more := slices.ContainsFunc(s.Words, func(t token.Token) bool { return t.Norm == "еще" || t.Norm == "more" })
	if d := &s.draft; more && d.Goods.Empty() && d.RowsOf == nil && d.Mode == "" && d.Budget == "" && d.Days == 0 &&
		len(d.Stores) == 0 {
		s.ask("Чего заказать ещё? Назовите товары или возьмите то, чего не хватает.",
			"More of what? Name goods, or take what is short.", s.option(*d))
	}
}

// askQuantity asks how many to order of goods that are named, where nothing says that what is short is meant: "закажи
// чай зелёный 200 г".
func (s *sentence) askQuantity() {
	d := &s.draft
	whole := slices.ContainsFunc(s.names, func(n *named) bool {
		return n.used && n.role == aProduct && !n.excluded && len(n.chosen) == 1 && !n.All
	})
	if !whole || len(d.Products) == 0 || len(d.Products) > 3 || len(d.Groups) > 0 || d.Except != nil || d.Mode != "" ||
		d.Days > 0 || d.Budget != "" || d.MinOrder != "" || d.Forecast || d.From != "" || d.LeadDays > 0 || s.lacks() ||
		d.RowsOf != nil || s.saidAll {
		return
	}
	said := strings.Join(d.Products, s.Language.Pick("», «", "”, “"))
	s.askf("Сколько заказать: «%s»? Напишите количество, или закажу столько, сколько не хватает.",
		"How many to order: “%s”? Write the quantity, or I order what is short.", said, s.option(*d))
}

// askStore asks for a warehouse, with the ones that are known as options.
func (s *sentence) askStore(set func(*Draft, string), ru, en string, names ...string) {
	if len(names) == 0 {
		for _, x := range s.Stores {
			names = append(names, x.Name)
		}
	}
	var options []Option
	for _, name := range names[:min(maxOptions, len(names))] {
		d := s.draft.Clone()
		if set(&d, name); slices.Equal(d.Stores, d.FromStores) && d.Stores != nil {
			continue
		}
		options = append(options, s.option(d))
	}
	s.ask(ru, en, options...)
}

func (s *sentence) completeTransfers() {
	d := &s.draft
	if len(s.later) > 0 || s.askVariant() {
		return
	}
	s.toRows()
	if d.RowsOf != nil && len(d.Products) > 0 {
		s.askEither()
	}
	if d.Items == nil && (d.RowsOf == nil || d.RowsOf.Quantity == "") {
		if d.Mode == "" && d.Days == 0 && !s.lacks() && (len(d.Products)+len(d.Groups) > 0 || d.Everything ||
			s.stock() ||
			d.RowsOf != nil &&
				d.RowsOf.Query != nil) {
			s.askHowMany()
		}
		d.Everything = false
		return
	}
	if len(d.Products)+len(d.Groups)+len(d.Suppliers) > 0 || d.Mode != "" || d.Days > 0 {
		s.ask("Список с количествами не сочетается с группами, сроками и товарами без количества. Назовите что-то "+
			"одно.",
			"A list with quantities does not go with groups, days or goods without a quantity. Name one of them.")
		return
	}
	if len(d.FromStores) != 1 && len(d.Stores) > 1 {
		s.ask("Откуда и куда переместить? Напишите один склад отправления и один склад назначения.",
			"From where and to where? Name one warehouse that sends and one that receives.")
		return
	}
	if len(d.FromStores) != 1 {
		s.askStore(func(d *Draft, name string) { d.FromStores = []string{name} }, "С какого склада переместить?",
			"From which warehouse?")
	}
	if len(d.Stores) != 1 {
		s.askStore(func(d *Draft, name string) { d.Stores = []string{name} }, "На какой склад переместить?",
			"To which warehouse?")
	}
}

// stock reports whether the stock of one warehouse is to go to another: "перенеси остатки с витрины на основной склад".
func (s *sentence) stock() bool {
	return len(s.draft.FromStores) == 1 && len(s.draft.Stores) == 1 && s.draft.FromStores[0] != s.draft.Stores[0] &&
		slices.ContainsFunc(s.Words, func(t token.Token) bool {
			return t.Kind == token.Word && request.Begins(t.Norm, request.StockWords)
		})
}

// askHowMany asks whether what is short moves, or all that there is.
func (s *sentence) askHowMany() {
	lacking := s.draft.Clone()
	lacking.Everything = false
	options := []Option{s.option(lacking)}
	options[0].Text = strings.Replace(options[0].Text, s.Language.Pick("Перемести", "Transfer"),
		s.Language.Pick("Перемести то, чего не хватает,", "Transfer what is short"), 1)
	if r := lacking.RowsOf; r != nil && r.Query != nil && len(lacking.FromStores) > 0 && ofDays(r.Query) {
		s.ask("Сколько дней товары лежат на одном складе, условием черновика быть не может. Покажите список, "+
			"например «что лежит больше года на Мира», и скажите «перемести их».",
			"How long goods lie at one warehouse cannot be a condition of a draft. Show a list, such as “what "+
				"lies longer than a year at …”, and say “transfer them”.")
		return
	}
	if d := lacking; len(d.FromStores) == 1 && len(d.Stores) == 1 && len(d.Suppliers) == 0 &&
		(d.RowsOf == nil || d.RowsOf.Query != nil && d.RowsOf.Query.Limit == 0) {
		q := &analysis.Query{Measures: []string{"stock"}, By: []string{"variant"}, Where: []analysis.Condition{
			{Field: "store", Op: analysis.In, Values: []analysis.Scalar{analysis.Scalar(d.FromStores[0])}},
			{Field: "stock", Op: analysis.Greater, Values: []analysis.Scalar{"0"}}}}
		if d.RowsOf != nil {
			q.Where = append(q.Where, d.RowsOf.Query.Where...)
			for _, m := range d.RowsOf.Query.Measures {
				if m != "stock" && m != "sale_price" {
					q.Measures = append(q.Measures, m)
				}
			}
		}
		q.Where = append(q.Where, among("group", d.Groups)...)
		q.Where = append(q.Where, among("product", d.Products)...)
		d.Groups, d.Products, d.RowsOf = nil, nil, &RowsOf{Query: q, Column: "stock"}
		if s.saidAll {
			s.draft = d
			return
		}
		o := Option{Draft: d, Kind: s.kind, Text: strings.Replace(draft.Text(s.kind, lacking, s.Language),
			s.Language.Pick("Перемести",
				"Transfer"),
			s.Language.Pick("Перемести весь остаток", "Transfer all of the stock"), 1)}
		options = append(options, o)
	}
	if len(lacking.Products) > 0 {
		options[0].Text = draft.Text(s.kind, lacking, s.Language)
	}
	s.ask("Сколько переместить? Напишите количество, или выберите.", "How many? Write the quantity, or choose.",
		options...)
}

// ofDays reports whether a query has figures that are of all warehouses together only.
func ofDays(q *analysis.Query) bool {
	return slices.Contains(q.Measures, "days_in_stock") || slices.Contains(q.Measures, "days_since_sale")
}

// among returns a condition that a field is one of these; none for an empty list.
func among(field string, values []string) []analysis.Condition {
	if len(values) == 0 {
		return nil
	}
	c := analysis.Condition{Field: field, Op: analysis.In}
	for _, v := range values {
		c.Values = append(c.Values, analysis.Scalar(v))
	}
	return []analysis.Condition{c}
}

// lacks reports whether the task says that what is short is meant, in words that are used by now.
func (s *sentence) lacks() bool {
	return s.lacking || slices.ContainsFunc(s.Words, func(t token.Token) bool {
		return t.Use != token.Unused && request.Begins(t.Norm, []string{"хват", "нехват", "недост", "дефиц", "short",
			"lack",
			"missing",
			"излиш", "surplus", "restock", "replenish", "пополн", "восполн"})
	})
}
