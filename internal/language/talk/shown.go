package talk

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/language"
	"github.com/stockhand/stockhand/internal/language/compose/typed"
	"github.com/stockhand/stockhand/internal/language/draft"
	"github.com/stockhand/stockhand/internal/language/request"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// onShown reads a request for a draft that names no goods as one for the goods that were shown right before (rule
// R417): "подними на 50 рублей" after the card of a mug, "закажи на месяц" after a list that was limited to a group.
// After a list of everything, a request that is complete stays about everything.
func (t *talk) onShown(task string, in language.Input, r language.Reading, linked bool) language.Reading {
	if t.leavesOpen(task, &r) {
		return ofWhich(r)
	}
	if !r.Skill.Proposes() || linked || t.done == nil || !t.done.Skill.Reads() || r.Outside ||
		complete(&r) && !limited(t.done) {
		return r
	}
	s := t.parts(task, false)
	named := append(nameSlots, "other name")
	if r.Skill == language.ProposeTransfers { // "перемести на Лесную" names no goods
		named = slices.DeleteFunc(slices.Clone(named), func(x slot) bool { return x == "store" })
	}
	if s.has(named...) || s.has("unknown") && !complete(&r) || s.ofAll() {
		return r
	}
	if alone := t.task(task); complete(&r) && !same(&r, alone) {
		return r // it is already about what was shown
	}
	goods := goodsShown(in.Rows)
	for _, text := range s.withGoods(r.Language.Pick("эти товары", "these products"), goods, t) {
		x := language.Read(text, in)
		if x.Skill != r.Skill || same(&x, &r) {
			continue
		}
		if x.FollowUp = false; complete(&x) || asks(&x) && offersAll(&r) && !offersAll(&x) {
			return x
		}
	}
	if complete(&r) { // it would be about everything, where the answer before was not
		r.Question = &language.Question{Text: r.Language.Pick(
			"Прошлый ответ был не обо всех товарах. Скажите целиком, на что это: на какие товары, группу или склад?",
			"The last answer was not about all goods. Say it as one whole task: for which goods, group or warehouse?")}
	}
	return r
}

// offersAll reports whether a question about a draft offers it for all goods.
func offersAll(r *language.Reading) bool {
	return r.Question != nil && slices.ContainsFunc(r.Question.Options, func(o language.Option) bool {
		d, ok := o.Input.(draft.Draft)
		return ok && d.Everything
	})
}

// leavesOpen reports whether a request for a draft says no more than what to do, right after a question about what was
// asked for: "закажи" without an answer to "which of these suppliers?".
func (t *talk) leavesOpen(task string, r *language.Reading) bool {
	if r.Skill != language.ProposeSupplierOrders && r.Skill != language.ProposeTransfers || !complete(r) {
		return false
	}
	s := t.parts(task, false)
	if len(t.in.Earlier) == 0 || s.ofAll() || s.has(append(nameSlots, "other name", slot(typed.SpanNumber))...) {
		return false
	}
	open := func(x *language.Reading) bool {
		return x != nil && x.Skill.Reads() && (x.Question != nil || len(x.Unknown) > 0)
	}
	if open(t.said(len(t.in.Earlier))) {
		return true
	}
	input, err := json.Marshal(r.ToolInput())
	return err == nil && string(input) == "{}" && open(t.task(t.in.Earlier[len(t.in.Earlier)-1]))
}

// ofWhich asks what a draft is for that would be of everything (rule R560).
func ofWhich(r language.Reading) language.Reading {
	all := language.Option{Text: r.Language.Pick("Закажи всё, чего не хватает", "Order everything that is short"),
		Skill: r.Skill, Input: r.Input}
	if r.Skill == language.ProposeTransfers {
		all.Text = r.Language.Pick("Перемести всё, чего не хватает", "Transfer everything that is short")
	}
	r.Question = &language.Question{Text: r.Language.Pick("Прошлый вопрос остался без ответа. Взять всё, чего не "+
		"хватает?",
		"The last question has no answer yet. Take everything that is short?"), Options: []language.Option{all}}
	return r
}

// limited reports whether an answer showed a part of what there is: by names, by a condition, or the first rows.
func limited(r *language.Reading) bool {
	return ofCard[r.Skill] || r.Skill == language.StockAge || len(conditionsOf(r)) > 0 || r.Arguments.Limit > 0 ||
		r.Query != nil && (len(r.Query.Where) > 0 || r.Query.Limit > 0)
}

// ofAll reports whether a message says that all goods are meant.
func (s *sentence) ofAll() bool {
	return slices.ContainsFunc(s.ts, func(t token.Token) bool { return allGoods[t.Norm] })
}

var allGoods = words.Set("все всё всех всем весь всего любые all everything every")

// orderOfShown reads an order that names no goods and is no whole request as one for what was shown right before:
// "закажи 10" or "поставь 900" after a card, "перемести по 2 на Витрину" after a list (rule R672).
func (t *talk) orderOfShown(m *message) *language.Reading {
	task, in, own := m.task, m.in, &m.own
	ofRows := linked(task, in)
	if x := t.priceOfShown(task, own, ofRows); x != nil {
		return x
	}
	if t.done == nil || !t.done.Skill.Reads() || ofRows || own.Skill.Proposes() && complete(own) ||
		!request.Orders(task) {
		return nil
	}
	s := t.parts(task, false)
	if s.has("goods", "other name") || s.ofAll() {
		return nil
	}
	goods := goodsShown(in.Rows) && !ofCard[t.done.Skill]
	var question *language.Reading
	for _, text := range s.withGoods(own.Language.Pick("эти товары", "these products"), goods, t) {
		with := t.in
		if goods {
			with = in
		}
		x := language.Read(text, with)
		if !x.Skill.Proposes() || len(x.Unknown) > 0 {
			continue
		}
		if x.FollowUp, x.Task = false, task; complete(&x) {
			return &x
		}
		unclear := !own.Skill.Proposes() || own.Question != nil && len(own.Question.Options) == 0
		if asks(&x) && question == nil && unclear { // "перемести 5 на Лесную" after a card: from where?
			question = &x
		}
	}
	return question
}

// mostGoods is how many goods of a question a draft names.
const mostGoods = 8

// withGoods returns the task with words for the goods that were shown, likeliest first: all rows of the table, or the
// names that the answer was limited to.
func (s *sentence) withGoods(these string, goods bool, t *talk) (list []string) {
	task := strings.TrimRight(s.text, " ?.!")
	counted := func(name string) {
		for _, p := range s.parts {
			if p.slots[0] == slot(typed.SpanNumber) && p.unit == words.NoUnit { // "перемести 2 на Витрину"
				n := s.words(p.core, p.to)
				behind := s.text[s.ts[p.to-1].End:]
				if goods {
					list = append(list, s.text[:s.ts[p.from].Start]+name+" по "+n+" шт"+behind)
				} else {
					list = append(list, s.text[:s.ts[p.from].Start]+n+" шт "+name+behind)
				}
			}
		}
	}
	if goods {
		list = append(list, task+" на "+these, task+" "+these)
		counted(these)
		return list
	}
	if d := t.done; d.Skill == language.StockAge || d.Skill == language.Shortages ||
		d.Query != nil && (d.Query.Limit > 0 || slices.ContainsFunc(d.Query.Where,
			func(w analysis.Condition) bool { return fields[w.Field] == nil })) {
		return nil // names alone would be more than what was shown
	}
	for _, w := range conditionsOf(t.done) {
		if w.Op != analysis.In || len(w.Values) > mostGoods {
			continue
		}
		var named []string
		for _, v := range w.Values {
			named = append(named, "«"+strings.Trim(cmp.Or(t.in.NameOf(string(v)), string(v)), "«»")+"»")
		}
		name := strings.Join(named, ", ")
		switch {
		case w.Field == "product":
			list = append(list, task+" на "+name, task+" "+name)
			if len(named) == 1 {
				counted(name)
			}
		case w.Field == "group":
			list = append(list, task+" на группу "+name, task+" из группы "+name)
		case w.Field == "supplier" && len(named) == 1:
			list = append(list, task+" у поставщика "+name, task+" поставщика "+name)
		}
	}
	return list
}

// priceOfShown reads a price for the one good that was shown or just priced, with the type of price or without:
// "опт 250", "и на сайт 520", after the price of a good also "сделай 999".
func (t *talk) priceOfShown(task string, own *language.Reading, linked bool) *language.Reading {
	if t.done == nil || linked || complete(own) && own.Skill.Proposes() {
		return nil
	}
	value, kind, sets := "", "", false
	for _, x := range token.Split(task) {
		sets = sets || request.Sets[x.Norm]
		switch w := x.Norm; {
		case x.Kind == token.Number && value == "":
			value = w
		case request.PriceType(w) && kind == "":
			kind = w
		case x.Punctuation(), priceFillers[w]:
		default:
			return nil
		}
	}
	name := t.oneGood()
	if value == "" || name == "" || kind == "" && !(sets && t.priced()) {
		return nil
	}
	l := own.Language
	text := l.Pick("поставь цену ", "set the price of ") + kind + l.Pick(" на ", " ") + name
	text += l.Pick(" ", " to ") + value
	text = strings.Join(strings.Fields(text), " ")
	if x := *t.task(text); x.Skill == language.ProposePriceChange && complete(&x) {
		x.Task = task
		return &x
	}
	return nil
}

var priceFillers = words.Set("а и в на по для тогда теперь пусть будет сделай сделаем поставь поставить цену " +
	"цена цены ещё еще нет лучше руб рублей р ₽ and at to the price make set it for then rub")

// oneGood returns the only good that the last answer or draft was about, quoted; "" for none.
func (t *talk) oneGood() string {
	var list []string
	if d, ok := t.done.Input.(draft.Draft); ok && t.done.Skill == language.ProposePriceChange {
		list = slices.Clone(d.Products)
		for _, item := range d.Items {
			list = append(list, item.Product)
		}
	} else if t.done.Skill.Reads() {
		for _, w := range conditionsOf(t.done) {
			if w.Field == "product" && w.Op == analysis.In {
				for _, v := range w.Values {
					list = append(list, string(v))
				}
			}
		}
	}
	if len(list) != 1 {
		return ""
	}
	return "«" + cmp.Or(t.in.NameOf(list[0]), list[0]) + "»"
}

// priced reports whether the last answer was a price.
func (t *talk) priced() bool {
	return t.done.Query != nil && slices.Contains(t.done.Query.Measures, "sale_price")
}
