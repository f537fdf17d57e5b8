package talk

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/language"
	"github.com/stockhand/stockhand/internal/language/act"
	"github.com/stockhand/stockhand/internal/language/draft"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// losesGoods reports whether a changed draft is not about the goods that the message names, or no more about some of
// the goods it was about though no word says so (rule R966): "на сладости всё-таки 2" does not change the prices of
// everything but sweets, and "канцтовары 35" does not drop the other group.
func losesGoods(now *sentence, x, last *language.Reading) bool {
	was, ok1 := last.Input.(draft.Draft)
	is, ok2 := x.Input.(draft.Draft)
	if !ok1 || !ok2 || x.Skill != last.Skill {
		return false
	}
	if leaves := slices.ContainsFunc(now.ts, func(t token.Token) bool {
		return excepting[t.Norm] || removeWords[t.Norm] || onlyWords[t.Norm] || insteadWords[t.Norm]
	}); leaves {
		return false
	}
	if len(was.Groups) > 1 && len(is.Groups) < len(was.Groups) && len(is.Groups) > 0 &&
		!slices.ContainsFunc(is.Groups, func(g string) bool { return !slices.Contains(was.Groups, g) }) {
		return true
	}
	said := func(name string) bool {
		return slices.ContainsFunc(now.parts, func(p part) bool {
			return slices.ContainsFunc(p.names, func(n connector.Name) bool { return n.Name == name || n.ID == name })
		})
	}
	if was.Except != nil && slices.ContainsFunc(slices.Concat(is.Groups, is.Products), func(name string) bool {
		return (slices.Contains(was.Except.Groups, name) || slices.Contains(was.Except.Products, name)) && !said(name)
	}) { // what was left out is not changed because something else is
		return true
	}
	if is.Except == nil || was.Except == nil || !reflect.DeepEqual(is.Except, was.Except) {
		return false
	}
	is.Except = nil
	scope, err := json.Marshal(is)
	if err != nil {
		return false
	}
	return slices.ContainsFunc(now.parts, func(p part) bool {
		return p.slots[0] == "goods" && len(p.names) > 0 && !slices.ContainsFunc(p.names, func(n connector.Name) bool {
			return strings.Contains(string(scope), quotedName(n.Name)) ||
				strings.Contains(string(scope), quotedName(n.ID))
		})
	})
}

func quotedName(text string) string {
	b, err := json.Marshal(text)
	if err != nil || text == "" {
		return "\x00"
	}
	return string(b)
}

// dropsGoods reports whether a message that adds something to a request which is still asked about would take the
// place of the goods of the request: "и кофе 15" after «чай» fits several names.
func dropsGoods(old, now *sentence, x *language.Reading) bool {
	is, ok := x.Input.(draft.Draft)
	if !ok || !x.Skill.Proposes() || len(now.ts) == 0 || !addingWords[now.ts[0].Norm] {
		return false
	}
	goods := func(s *sentence) (n int) {
		for _, p := range s.parts {
			if p.slots[0] == "goods" && len(p.names) > 0 && !p.excludes {
				n++
			}
		}
		return n
	}
	return goods(old) > 0 && goods(now) > 0 && len(is.Items)+len(is.Products)+len(is.Groups) <= goods(now)
}

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

// putBack reads "верни кружки" after a line was taken out of a list: the conversation is read as if that had not been
// said (rule R967).
func (t *talk) putBack(task string, last *language.Reading) *language.Reading {
	if !lists(last.Skill) || last.Question != nil {
		return nil
	}
	var name []string
	back := false
	for _, x := range token.Split(task) {
		switch {
		case puttingBack[x.Norm]:
			back = true
		case x.Kind == token.Mark, backThere[x.Norm]:
		default:
			name = append(name, x.Raw)
		}
	}
	if !back || len(name) == 0 {
		return nil
	}
	said := strings.Join(name, " ")
	for i, text := range slices.Backward(t.in.Earlier) {
		a := act.Read(text)
		if a.Kind != act.Drop || len(a.Names) != 1 || len(a.Lines) > 0 || !namesAll(said, a.Names[0]) {
			continue
		}
		before := *t
		before.in.Earlier = slices.Delete(slices.Clone(t.in.Earlier), i, i+1)
		before.read = nil
		x := before.said(len(before.in.Earlier))
		if x == nil || x.Skill != last.Skill || !complete(x) || same(x, last) {
			return nil
		}
		d, ok := x.Input.(draft.Draft)
		if !ok || !listed(&d) {
			return nil
		}
		return of(last, d)
	}
	return nil
}

var (
	puttingBack = words.Set("верни верните вернуть вернем возвращай восстанови restore")
	backThere   = words.Set("и а ну ладно нет все-таки всё-таки таки назад обратно в заказ заказе черновик список тоже " +
		"пожалуйста давай лучше на место put back")
)

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
