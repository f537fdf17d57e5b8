package main

import (
	"fmt"
	"strings"

	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/llm"
	"github.com/stockhand/stockhand/internal/llm/llmtest"
	"github.com/stockhand/stockhand/internal/sandbox/company"
	"github.com/stockhand/stockhand/internal/tool"
)

// task is a conversation whose last answer can be checked.
type task struct {
	kind  string
	turns []string

	figures      []decimal.Decimal // that the answer must have
	names        []string
	draft        func(tool.Draft) bool // nil: none is asked for
	unanswerable bool

	// what the stand-in does: the calls of each turn, and what it says to the last one
	calls   [][]llm.Call
	answer  string
	planted *decimal.Decimal // a wrong figure in its answer
}

// The kinds of tasks.
var kinds = []string{"single figure", "comparison", "why", "what to order", "draft", "follow-up", "unanswerable"}

// both is a sentence in both languages; %s are the same in each.
type both struct{ ru, en string }

// builder makes the tasks of one language.
type builder struct {
	*truth
	english bool
	all     []task
}

func (b *builder) in(s both, values ...any) string {
	format := s.ru
	if b.english {
		format = s.en
	}
	return fmt.Sprintf(format, values...)
}

func (b *builder) add(t task) { b.all = append(b.all, t) }

func (b *builder) money(d decimal.Decimal) string { return b.number(d) + " ₽" }

func (b *builder) pieces(d decimal.Decimal) string { return b.number(d) + b.in(both{" шт.", " pcs"}) }

// change says that a figure rose or fell.
func (b *builder) change(before, after decimal.Decimal, write func(decimal.Decimal) string) string {
	by := write(after.Sub(before).Abs())
	if after.Less(before) {
		return b.in(both{"снизилось на %s", "it fell by %s"}, by)
	}
	return b.in(both{"выросло на %s", "it rose by %s"}, by)
}

// number writes a number as people do.
func (b *builder) number(d decimal.Decimal) string {
	text := d.String()
	whole, cents, _ := strings.Cut(text, ".")
	sign := ""
	if whole, _ = strings.CutPrefix(whole, "-"); len(whole) < len(strings.TrimSuffix(text, "."+cents)) {
		sign = "-"
	}
	separator, point := "\u00a0", ","
	if b.english {
		separator, point = ",", "."
	}
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + separator + whole[i:]
	}
	if cents != "" {
		cents = point + cents
	}
	return sign + whole + cents
}

// call is the stand-in's call of a tool.
func call(name, format string, values ...any) []llm.Call {
	return []llm.Call{llmtest.Call("call_1", name, fmt.Sprintf(format, values...))}
}

func analyze(measures string, m month, more string) []llm.Call {
	return call("analyze", `{"measures":[%s],%s%s}`, measures, m.arguments(), more)
}

// of restricts a query to a good.
func of(g *company.Good) string {
	return fmt.Sprintf(`,"where":[{"field":"product","op":"in","values":[%q]}]`, g.Name)
}

// tasks returns the 60 tasks: the same in both languages.
func tasks(t *truth) []task {
	var all []task
	for _, english := range []bool{false, true} {
		b := &builder{truth: t, english: english}
		b.single()
		b.comparisons()
		b.why()
		b.toOrder()
		b.drafts()
		b.followUps()
		b.unanswerable()
		all = append(all, b.all...)
	}
	planted := 0
	for i := range all { // the stand-in is wrong in every fifth answer with a figure
		if t := &all[i]; len(t.figures) > 0 {
			if planted++; planted%5 == 0 {
				t.spoil()
			}
		}
	}
	return all
}

// spoil makes the first digit of the stand-in's last figure wrong.
func (t *task) spoil() {
	at := figure.FindAllStringIndex(t.answer, -1)
	last := at[len(at)-1][0]
	digit := t.answer[last] + 1
	if digit > '9' {
		digit = '1'
	}
	t.answer = t.answer[:last] + string(digit) + t.answer[last+1:]
	wrong := figuresIn(t.answer)
	t.planted = &wrong[len(wrong)-1].readings[0]
}

func (b *builder) single() {
	x, y := b.goods[0], b.goods[1]
	figure := func(q string, value decimal.Decimal, answer string, calls []llm.Call) {
		b.add(task{kind: kinds[0], turns: []string{q}, figures: []decimal.Decimal{value}, answer: answer,
			calls: [][]llm.Call{calls}})
	}
	said := func(name, value string) string { return b.in(both{"«%s»: %s.", "“%s”: %s."}, name, value) }
	figure(b.in(both{"Какая выручка за октябрь за вычетом возвратов?", "What was revenue in October, net of returns?"}),
		b.revenue(october), b.in(both{"Выручка за октябрь — %s.", "Revenue in October was %s."},
			b.money(b.revenue(october))), analyze(`"revenue"`, october, ""))
	figure(b.in(both{"Выручка сентября, возвраты вычти", "Revenue of September, less returns"}), b.revenue(september),
		b.in(both{"Выручка сентября — %s.", "September: revenue %s."}, b.money(b.revenue(september))),
		analyze(`"revenue"`, september, ""))
	figure(b.in(both{"Сколько «%s» на всех складах?", "How many “%s” are there in all warehouses?"}, x.Name),
		b.stock(x), said(x.Name, b.pieces(b.stock(x))),
		call("stock", `{"products":[%q],"only":"all"}`, x.Name))
	figure(b.in(both{"остаток %s", "stock of %s"}, y.Name), b.stock(y), said(y.Name, b.pieces(b.stock(y))),
		call("stock", `{"products":[%q],"only":"all"}`, y.Name))
	figure(b.in(both{"На сколько продали «%s» в октябре?", "How much revenue did “%s” bring in October?"}, x.Name),
		b.revenueOf(x, october), said(x.Name, b.money(b.revenueOf(x, october))),
		analyze(`"revenue"`, october, of(x)))
	figure(b.in(both{"Сколько штук «%s» продали в октябре?", "How many pieces of “%s” were sold in October?"}, x.Name),
		b.quantity(x, october), said(x.Name, b.pieces(b.quantity(x, october))),
		analyze(`"quantity"`, october, of(x)))
	figure(b.in(both{"Сколько рублей на счетах и в кассах?", "How many roubles are in the bank and the cash desks?"}),
		b.cash(), b.in(both{"На счетах и в кассах %s.", "There is %s in the bank and the cash desks."},
			b.money(b.cash())),
		call("money", `{}`))
	figure(b.in(both{"Цена продажи «%s»?", "What is the sale price of “%s”?"}, y.Name), b.price(y),
		said(y.Name, b.in(both{"цена продажи %s", "sale price %s"}, b.money(b.price(y)))),
		call("stock", `{"products":[%q],"only":"all"}`, y.Name))
}

func (b *builder) comparisons() {
	x, y := b.goods[0], b.goods[1]
	compare := func(q string, before, after decimal.Decimal, write func(decimal.Decimal) string, calls []llm.Call) {
		b.add(task{kind: kinds[1], turns: []string{q},
			figures: []decimal.Decimal{before, after, after.Sub(before).Abs()},
			answer: b.in(both{"Было %s, стало %s, %s.", "It was %s and is %s now: %s."}, write(before), write(after),
				b.change(before, after, write)), calls: [][]llm.Call{calls}})
	}
	previous := `,"compare":{"with":"previous"}`
	compare(b.in(both{"Сравни выручку сентября и октября: обе суммы и разницу",
		"Compare revenue of September and October: both sums and the difference"}), b.revenue(september),
		b.revenue(october), b.money, analyze(`"revenue"`, october, previous))
	compare(b.in(both{"Выручка августа против сентября: сколько было, сколько стало, на сколько изменилась",
		"Revenue of August against September: each, and the change"}), b.revenue(august), b.revenue(september),
		b.money, analyze(`"revenue"`, september, previous))
	compare(b.in(both{"Сколько «%s» продали в сентябре и сколько в октябре, какая разница в штуках?",
		"How many “%s” were sold in September, how many in October, and what is the difference?"}, x.Name),
		b.quantity(x, september), b.quantity(x, october), b.pieces,
		analyze(`"quantity"`, october, of(x)+previous))
	pair := func(q string, one, other decimal.Decimal, write func(decimal.Decimal) string, calls []llm.Call) {
		b.add(task{kind: kinds[1], turns: []string{q}, figures: []decimal.Decimal{one, other},
			answer: fmt.Sprintf("- %s: %s\n- %s: %s", x.Name, write(one), y.Name, write(other)),
			calls:  [][]llm.Call{calls}})
	}
	pair(b.in(both{"Выручка октября: «%s» и «%s», что больше?", "Revenue of October: “%s” or “%s”, which is more?"},
		x.Name, y.Name), b.revenueOf(x, october), b.revenueOf(y, october), b.money,
		analyze(`"revenue"`, october, fmt.Sprintf(`,"by":["product"],"where":[{"field":"product","op":"in","values":[%q,%q]}]`, x.Name, y.Name)))
	pair(b.in(both{"Чего на складах больше, «%s» или «%s»? Назови оба остатка",
		"Which is there more of, “%s” or “%s”? Give both stocks"}, x.Name, y.Name), b.stock(x), b.stock(y),
		b.pieces, call("stock", `{"products":[%q,%q],"only":"all"}`, x.Name, y.Name))
}

func (b *builder) why() {
	for _, m := range []struct {
		from, to month
		q        both
	}{
		{september, october, both{"Почему изменилась выручка в октябре к сентябрю? Назови изменение и товар, который повлиял больше всех",
			"Why did revenue change from September to October? Name the change, and the good that contributed most"}},
		{august, september, both{"За счёт какого товара больше всего изменилась выручка в сентябре против августа и на сколько она изменилась всего?",
			"Which good explains most of the change of revenue from August to September, and what is the whole change?"}},
	} {
		good, _ := b.mover(m.from, m.to)
		b.add(task{kind: kinds[2], turns: []string{b.in(m.q)}, names: []string{good.Name},
			figures: []decimal.Decimal{b.revenue(m.to).Sub(b.revenue(m.from)).Abs()},
			answer: b.in(both{"Больше всех повлиял «%s». Всего выручка изменилась: %s.",
				"“%s” contributed most. In all, revenue changed: %s."}, good.Name,
				b.change(b.revenue(m.from), b.revenue(m.to), b.money)),
			calls: [][]llm.Call{analyze(`"revenue"`, m.to,
				`,"by":["product"],"compare":{"with":"previous"},"order":[{"field":"revenue","change":true}]`)}})
	}
	x := b.goods[0]
	b.add(task{kind: kinds[2], turns: []string{b.in(both{"Почему «%s» принёс в октябре другую выручку, чем в сентябре? Сколько штук продали тогда и теперь?",
		"Why did “%s” bring another revenue in October than in September? How many pieces were sold then and now?"}, x.Name)},
		figures: []decimal.Decimal{b.quantity(x, september), b.quantity(x, october)},
		answer: b.in(both{"«%s»: в сентябре %s, в октябре %s.", "“%s”: %s in September, %s in October."}, x.Name,
			b.pieces(b.quantity(x, september)), b.pieces(b.quantity(x, october))),
		calls: [][]llm.Call{analyze(`"revenue","quantity"`, october, of(x)+`,"compare":{"with":"previous"}`)}})
}

func (b *builder) toOrder() {
	for _, q := range []both{{"Что ниже минимального остатка?", "Which goods are below their minimum stock?"},
		{"что пора заказать — только то, где остаток меньше неснижаемого", "what should I reorder: only what is below its minimum"},
		{"Перечисли товары, которых осталось меньше неснижаемого остатка", "List the goods of which less than the minimum is left"}} {
		b.add(task{kind: kinds[3], turns: []string{b.in(q)}, names: b.short(),
			answer: "- " + strings.Join(b.short(), "\n- "),
			calls:  [][]llm.Call{call("shortages", `{}`)}})
	}
}

func (b *builder) drafts() {
	x, y := b.goods[0], b.goods[1]
	line := func(g *company.Good, check func(tool.Line) bool) func(tool.Draft) bool {
		return func(d tool.Draft) bool {
			return len(d.Documents) == 1 && len(d.Documents[0].Lines) == 1 &&
				d.Documents[0].Lines[0].Product.Name == g.Name && check(d.Documents[0].Lines[0])
		}
	}
	for i, g := range []*company.Good{x, y} {
		n := decimal.FromInt(int64(12 + 5*i))
		order := b.in(both{"Закажи %s шт. «%s»", "Order %s pieces of “%s”"}, n, g.Name)
		b.add(task{kind: kinds[4], turns: []string{order}, answer: "—",
			draft: line(g, func(l tool.Line) bool { return l.Quantity.Known && l.Quantity.Decimal.Cmp(n) == 0 }),
			calls: [][]llm.Call{call("propose_supplier_orders", `{"items":[{"product":%q,"quantity":%s}]}`, g.Name, n)}})
		price := b.price(g).Add(decimal.FromInt(100))
		b.add(task{kind: kinds[4], turns: []string{b.in(both{"Поставь на «%s» цену продажи %s ₽",
			"Set the sale price of “%s” to %s ₽"}, g.Name, price)}, answer: "—",
			draft: line(g, func(l tool.Line) bool { return l.Price.Known && l.Price.Decimal.Cmp(price) == 0 }),
			calls: [][]llm.Call{call("propose_price_change", `{"items":[{"product":%q,"price":%s}]}`, g.Name, price)}})
	}
}

func (b *builder) followUps() {
	x, y := b.goods[2], b.goods[3]
	follow := func(first, second string, value decimal.Decimal, answer string, calls ...[]llm.Call) {
		b.add(task{kind: kinds[5], turns: []string{first, second}, figures: []decimal.Decimal{value}, answer: answer,
			calls: calls})
	}
	follow(b.in(both{"Выручка за октябрь?", "Revenue in October?"}), b.in(both{"а за сентябрь?", "and in September?"}),
		b.revenue(september), b.in(both{"Выручка сентября — %s.", "September: revenue %s."},
			b.money(b.revenue(september))), analyze(`"revenue"`, october, ""), analyze(`"revenue"`, september, ""))
	follow(b.in(both{"Остаток «%s»?", "Stock of “%s”?"}, x.Name), b.in(both{"а «%s»?", "and “%s”?"}, y.Name),
		b.stock(y),
		b.in(both{"«%s»: %s.", "“%s”: %s."}, y.Name, b.pieces(b.stock(y))),
		call("stock", `{"products":[%q],"only":"all"}`, x.Name), call("stock", `{"products":[%q],"only":"all"}`, y.Name))
	follow(b.in(both{"Сколько штук «%s» продали в октябре?", "How many “%s” were sold in October?"}, x.Name),
		b.in(both{"а на какую сумму?", "and for how much money?"}), b.revenueOf(x, october),
		b.in(both{"«%s»: %s.", "“%s”: %s."}, x.Name, b.money(b.revenueOf(x, october))),
		analyze(`"quantity"`, october, of(x)), analyze(`"revenue"`, october, of(x)))
	follow(b.in(both{"Выручка за август?", "Revenue in August?"}),
		b.in(both{"а на сколько в сентябре больше или меньше?", "and by how much was September more or less?"}),
		b.revenue(september).Sub(b.revenue(august)).Abs(),
		b.in(both{"В сентябре выручка: %s.", "In September, revenue: %s."},
			b.change(b.revenue(august), b.revenue(september), b.money)), analyze(`"revenue"`, august, ""),
		analyze(`"revenue"`, september, `,"compare":{"with":"previous"}`))
}

func (b *builder) unanswerable() {
	for _, q := range []both{
		{"Сколько посетителей зашло в магазин вчера?", "How many visitors entered the shop yesterday?"},
		{"По какой цене «%s» продаёт конкурент?", "At what price does the competitor sell “%s”?"},
		{"Сколько дней отпуска осталось у кладовщика?", "How many days of holiday does the storekeeper have left?"}} {
		text := b.in(q)
		if strings.Contains(q.ru, "%s") {
			text = b.in(q, b.goods[0].Name)
		}
		b.add(task{kind: kinds[6], turns: []string{text}, unanswerable: true, calls: [][]llm.Call{nil},
			answer: b.in(both{"Этого в учётной системе нет.", "The account does not know that."})})
	}
}
