package talk

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"

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
