package talk

import (
	"reflect"
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/language"
	"github.com/stockhand/stockhand/internal/language/draft"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// onePrice asks of which good a price of another type is, after a list of prices: "опт 400" (rule R966).
func (t *talk) onePrice(task string, last *language.Reading, d draft.Draft) *language.Reading {
	if last.Skill != language.ProposePriceChange || len(d.Items) < 2 {
		return nil
	}
	var trade token.Token
	figure := ""
	for _, x := range token.Split(task) {
		switch {
		case tradeOf(x.Norm) != "" && trade.Norm == "":
			trade = x
		case x.Kind == token.Number && figure == "":
			figure = strings.ReplaceAll(x.Norm, ",", ".")
		case x.Kind == token.Mark, aroundType[x.Norm], leadIn[x.Norm], money[x.Norm]:
		default:
			return nil
		}
	}
	if trade.Norm == "" || figure == "" {
		return nil
	}
	types := typesNamed(trade, t.in.NamesOf(connector.NamePriceType))
	if len(types) != 1 {
		return nil
	}
	q := &language.Question{Text: last.Language.Pick("Для какого товара цена ", "Of which product is the price ") +
		figure + "?"}
	every := d.Clone()
	every.PriceType = types[0].Name
	for i, item := range d.Items {
		every.Items[i].Price = figure
		if i < mostGoods {
			one := draft.Draft{PriceType: types[0].Name, Items: []draft.Item{{Product: item.Product, Price: figure}}}
			q.Options = append(q.Options, language.Option{Text: draft.Text(draft.Prices, one, last.Language),
				Skill: last.Skill, Input: one})
		}
	}
	q.Options = append(q.Options, language.Option{Text: draft.Text(draft.Prices, every, last.Language),
		Skill: last.Skill, Input: every})
	x := of(last, d)
	x.Input, x.Question = nil, q
	return x
}

// priceOfOrder reads the price of what is ordered: "цена 250", "по 250 рублей". It is never a quantity (rule R968).
func priceOfOrder(task string, last *language.Reading, d draft.Draft) *language.Reading {
	if last.Skill != language.ProposeSupplierOrders || len(d.Items) == 0 || d.RowsOf != nil {
		return nil
	}
	figure, priced := "", false
	for _, x := range token.Split(task) {
		switch {
		case x.Kind == token.Number && figure == "":
			figure = strings.ReplaceAll(x.Norm, ",", ".")
		case money[x.Norm], strings.HasPrefix(x.Norm, "цен"), x.Norm == "price":
			priced = true
		case x.Kind == token.Mark && x.Norm != "%", leadIn[x.Norm], regoals[x.Norm], x.Norm == "по":
		default:
			return nil
		}
	}
	if !priced || figure == "" {
		return nil
	}
	x := of(last, d)
	if len(d.Items) > 1 {
		x.Input, x.Question = nil, &language.Question{Text: last.Language.Pick("Для какого товара цена ",
			"Of which product is the price ") + figure + "?"}
		for i := range d.Items[:min(len(d.Items), mostGoods)] {
			one := d.Clone()
			one.Items[i].Price = figure
			x.Question.Options = append(x.Question.Options, language.Option{Text: draft.Text(draft.Orders, one,
				last.Language), Skill: last.Skill, Input: one})
		}
		return x
	}
	d.Items[0].Price = figure
	return of(last, d)
}

var money = words.Set("рублей рубля руб р ₽ roubles rub")

// marginBounds reads bounds and goals without a name, right after margins, as those: "где меньше 30 подними до 35" sets
// no price of 35 roubles (rule R968). What it cannot read so is asked about.
func (t *talk) marginBounds(m *message) *language.Reading {
	own := &m.own
	d, ok := own.Input.(draft.Draft)
	if t.done == nil || !showsMargin(t.done) || !ok || !own.Skill.Proposes() || d.Price == "" ||
		!slices.ContainsFunc(d.Where, func(w analysis.Condition) bool { return w.Field == "price" }) ||
		slices.ContainsFunc(token.Split(m.task), func(x token.Token) bool {
			return money[x.Norm] || strings.HasPrefix(x.Norm, "цен") || strings.HasPrefix(x.Norm, "дорож") ||
				strings.HasPrefix(x.Norm, "дешевл") || strings.HasPrefix(x.Norm, "price")
		}) {
		return nil
	}
	of := d.Clone()
	of.Margin, of.Price = d.Price, ""
	for i := range of.Where {
		if of.Where[i].Field == "price" {
			of.Where[i].Field = "margin"
		}
	}
	x := *own
	x.Input, x.FollowUp = nil, true
	x.Question = &language.Question{Text: own.Language.Pick("Это маржа или цена?", "Is that the margin, or the price?"),
		Options: []language.Option{{Text: draft.Text(draft.Prices, of, own.Language), Skill: own.Skill, Input: of},
			{Text: draft.Text(draft.Prices, d, own.Language), Skill: own.Skill, Input: d}}}
	return &x
}

// showsMargin reports whether an answer was of margins.
func showsMargin(done *language.Reading) bool {
	if q := done.Query; q != nil && len(q.Measures) > 0 {
		return q.Measures[0] == "margin"
	}
	return done.Skill == language.Profitability && done.Arguments.Order == "margin"
}

// addedPrice reads another good with its price behind a list of prices: "и на кружку с рисунком 300" (rule R969).
func (t *talk) addedPrice(task string, last *language.Reading) *language.Reading {
	d, ok := last.Input.(draft.Draft)
	rest, adds := addition(task)
	if !ok || last.Skill != language.ProposePriceChange || last.Question != nil || len(d.Items) == 0 || !adds {
		return nil
	}
	l := last.Language
	begin := draft.Text(draft.Prices, draft.Draft{PriceType: d.PriceType, Items: []draft.Item{{}}}, l)
	begin, _, _ = strings.Cut(begin, " «»")
	x := t.apart(begin + " " + rest)
	with := func(input any) (all draft.Draft, ok bool) {
		more, ok := input.(draft.Draft)
		if ok && reflect.DeepEqual(more, draft.Draft{PriceType: d.PriceType, Price: more.Price,
			Goods: draft.Goods{Products: more.Products}}) { // one price of several goods
			for _, name := range more.Products {
				more.Items = append(more.Items, draft.Item{Product: name, Price: more.Price})
			}
		}
		if !ok || !listed(&more) || more.PriceType != d.PriceType {
			return all, false
		}
		all = d.Clone()
		for _, item := range more.Items {
			i := slices.IndexFunc(all.Items, func(o draft.Item) bool { return o.Product == item.Product })
			if item.Price == "" {
				return all, false
			} else if i < 0 {
				all.Items = append(all.Items, item)
			} else {
				all.Items[i] = item
			}
		}
		return all, true
	}
	if x.Skill != last.Skill || len(x.Unknown)+len(x.Unused) > 0 {
		return nil
	}
	if x.Question == nil {
		if all, ok := with(x.Input); ok {
			return of(last, all)
		}
		return nil
	}
	q := *x.Question
	q.Options = nil
	for _, o := range x.Question.Options {
		all, ok := with(o.Input)
		if !ok {
			return nil
		}
		q.Options = append(q.Options, language.Option{Text: draft.Text(draft.Prices, all, l), Skill: o.Skill,
			Input: all})
	}
	x.Question, x.FollowUp, x.Input = &q, true, nil
	return &x
}
