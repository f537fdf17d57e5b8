package language

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/words"
)

// plain holds for each skill a task that asks for it alone, and what it gives.
var plain = map[Skill][2]string{
	Stock:                 {"Какие остатки товаров", "What stock do we have"},
	StockByStore:          {"Остатки по складам", "Stock by warehouse"},
	Shortages:             {"Что заканчивается и что заказать", "What is running low and what to order"},
	StockAge:              {"Что залежалось на складе", "Slow-moving stock by days in stock"},
	Turnover:              {"Обороты товаров: приход и расход", "Goods movement: received and shipped"},
	Profitability:         {"Прибыль по товарам", "Profit by product"},
	Money:                 {"Сколько денег на счетах", "How much money is in the accounts"},
	OverdueOrders:         {"Какие заказы просрочены", "Which orders are overdue"},
	SalesTrend:            {"Динамика продаж по дням", "Sales trend by day"},
	Receivables:           {"Кто нам должен", "Who owes us"},
	ABCXYZ:                {"ABC/XYZ-анализ", "ABC/XYZ analysis"},
	FindProducts:          {"Найди товар", "Find a product"},
	Reference:             {"Список складов", "List of warehouses"},
	AccountOverview:       {"Сводка по аккаунту", "Account overview"},
	ProposeSupplierOrders: {"Подготовь заказы поставщикам", "Draft purchase orders"},
	ProposeTransfers:      {"Подготовь перемещение между складами", "Draft a transfer between warehouses"},
	ProposePriceChange:    {"Измени цены", "Change prices"},
}

var lists = []struct {
	kind   connector.NameKind
	ru, en string
}{
	{connector.NameStore, "Список складов", "List of warehouses"},
	{connector.NameSupplier, "Список поставщиков", "List of suppliers"},
	{connector.NameCounterparty, "Список контрагентов", "List of customers"},
	{connector.NameGroup, "Список групп товаров", "List of product groups"},
	{connector.NamePriceType, "Список типов цен", "List of price types"},
	{connector.NameOrganization, "Список организаций", "List of organizations"},
	{connector.NameEmployee, "Список сотрудников", "List of employees"},
	{connector.NameSalesChannel, "Список каналов продаж", "List of sales channels"},
}

// option makes an answer to a question that is done as it stands and reads as the same.
func (r *reader) option(s Skill, a Arguments) Option {
	l := r.language
	text := l.Pick(plain[s][0], plain[s][1])
	switch s {
	case Money:
		if a.What == "flow" {
			text = l.Pick("Движение денег", "Cash flow")
		}
	case Receivables:
		if a.Direction == "owed_by_us" {
			text = l.Pick("Кому мы должны", "Whom do we owe")
		}
	case Profitability:
		switch a.By {
		case "employee":
			text = l.Pick("Прибыль по сотрудникам", "Profit by employee")
		case "counterparty":
			text = l.Pick("Прибыль по покупателям", "Profit by customer")
		case "sales_channel":
			text = l.Pick("Прибыль по каналам продаж", "Profit by sales channel")
		case "variant":
			text = l.Pick("Прибыль по модификациям", "Profit by variant")
		}
	case Reference:
		for _, k := range lists {
			if string(k.kind) == a.Kind {
				text = l.Pick(k.ru, k.en)
			}
		}
	}
	if s.Proposes() {
		return Option{Text: r.draftText(s, a), Skill: s, Arguments: a}
	}
	for _, part := range []struct {
		names  []string
		ru, en string
	}{
		{a.Stores, "на складе", "at warehouse"}, {a.Groups, "по группе", "in group"},
		{a.Suppliers, "по поставщику", "from supplier"},
		{a.Products, "по товару", "for product"}, {a.Counterparties, "по контрагенту", "for customer"},
	} {
		if len(part.names) > 0 && len(part.names) <= 3 {
			text += " " + l.Pick(part.ru, part.en) + " «" + strings.Join(part.names, "», «") + "»"
		}
	}
	if a.From != "" {
		text += l.Pick(fmt.Sprintf(" с %s по %s", dotted(a.From), dotted(a.To)),
			fmt.Sprintf(" from %s to %s", a.From, a.To))
	}
	return Option{Text: text, Skill: s, Arguments: a}
}

func dotted(iso string) string {
	t, err := time.Parse(time.DateOnly, iso)
	if err != nil {
		return iso
	}
	return t.Format("02.01.2006")
}

// filled is the arguments of a skill with the names that are not in doubt.
func (r *reader) filled(s Skill) Arguments {
	out := Reading{Question: &Question{}} // no further question from names
	out.Arguments = r.fill(s)
	r.applyNames(&out, s)
	out.Question = nil
	r.finish(&out, s)
	return out.Arguments
}

func (r *reader) ask(skills ...Skill) *Question {
	q := &Question{Text: r.language.Pick("Уточните, что показать:", "Which of these do you mean?")}
	for _, s := range skills {
		q.Options = append(q.Options, r.option(s, r.filled(s)))
	}
	return q
}

// closeCall asks which of the skills near the best score is meant.
func (r *reader) closeCall(best float64) *Question {
	var ss []Skill
	for _, s := range r.ranking {
		if best-s.score < closeMargin && s.score >= minScore && s.skill != SmallTalk && s.skill != Help && len(ss) < 4 {
			ss = append(ss, s.skill)
		}
	}
	return r.ask(ss...)
}

// vague asks when a task names a field of ours and nothing to do in it: "товары", "отчет".
func (r *reader) vague() *Question {
	e := r.evidence
	has := func(c concept) bool { return e.has(c) }
	if r.strayWords() > 2 && !has(conceptProduct) && !has(conceptOrder) {
		return nil
	}
	switch {
	case has(conceptPrice) && !has(conceptProduct):
		return r.ask(ProposePriceChange, Profitability)
	case has(conceptOrder):
		return r.ask(OverdueOrders, Shortages, ProposeSupplierOrders)
	case has(conceptSupplier):
		q := r.ask(Shortages)
		return r.withLists(q, connector.NameSupplier, r.option(Receivables, Arguments{Direction: "owed_by_us"}))
	case has(conceptCustomer):
		q := r.ask(Receivables)
		return r.withLists(q, connector.NameCounterparty,
			r.option(Profitability, Arguments{By: "counterparty", Order: "profit"}))
	case has(conceptEmployee):
		return r.withLists(&Question{Text: r.ask().Text}, connector.NameEmployee,
			r.option(Profitability, Arguments{By: "employee", Order: "profit"}))
	case has(conceptChannel):
		return r.withLists(&Question{Text: r.ask().Text}, connector.NameSalesChannel,
			r.option(Profitability, Arguments{By: "sales_channel", Order: "profit"}))
	case has(conceptGroup):
		q := r.ask(Stock, Profitability)
		return r.withLists(q, connector.NameGroup)
	case has(conceptStore):
		q := r.ask(StockByStore, Shortages)
		return r.withLists(q, connector.NameStore)
	case has(conceptProduct), len(e.names) > 0, has(conceptVariant), has(conceptBest), has(conceptWorst):
		return r.ask(Stock, Profitability, Shortages, StockAge)
	case has(conceptReport), has(conceptTrend), has(conceptCompare), has(conceptLiesInStock), has(conceptHowMany) &&
		len(r.strayList()) == 0 &&
		!r.hasNumbers() && !has(conceptOutOfScope), len(r.periods) > 0 && len(r.strayList()) == 0:
		return r.ask(AccountOverview, SalesTrend, Stock, Profitability, Money)
	case r.subject():
		var ss []Skill
		for _, s := range r.ranking[:min(3, len(r.ranking))] {
			ss = append(ss, s.skill)
		}
		return r.ask(ss...)
	}
	return nil
}

// subject tells whether the task has a subject of ours, whatever it asks about it.
func (r *reader) subject() bool {
	return len(r.ranking) > 0 && r.ranking[0].skill.Reads() && slices.ContainsFunc(r.found, func(f found) bool {
		c := f.concept
		return heads[c] != "" || c == conceptNegative || c == conceptZero || c == conceptOverdue
	})
}

// strayList returns the words that the lexicon does not know.
func (r *reader) strayList() []string {
	var out []string
	for i := range r.ts {
		if r.strange(i) {
			out = append(out, r.ts[i].norm)
		}
	}
	return out
}

func (r *reader) strayWords() int { return len(r.strayList()) }

func (r *reader) withLists(q *Question, k connector.NameKind, more ...Option) *Question {
	q.Options = append(q.Options, r.option(Reference, Arguments{Kind: string(k)}))
	q.Options = append(q.Options, more...)
	return q
}

func (r *reader) whichList() *Question {
	q := &Question{Text: r.language.Pick("Какой список показать?", "Which list do you want?")}
	for _, k := range lists {
		q.Options = append(q.Options, r.option(Reference, Arguments{Kind: string(k.kind)}))
	}
	return q
}

// maxOptions is how many similar names are offered.
const maxOptions = 8

// whichName asks which of several names is meant.
func (r *reader) whichName(s Skill, a Arguments, m *mention) *Question {
	q := &Question{Text: fmt.Sprintf(r.language.Pick("«%s» может значить разное. Что имеется в виду?",
		"“%s” could mean several things. Which one?"), m.words)}
	all := a
	goods := 0
	for _, n := range m.meanings {
		same := 0
		for _, o := range m.meanings {
			if o.Kind == n.Kind && strings.EqualFold(o.Name, n.Name) {
				same++
			}
		}
		one := a
		one.add(n, same > 1)
		if n.Kind == connector.NameProduct {
			goods++
			all.add(n, same > 1)
		}
		if len(q.Options) < maxOptions {
			o := r.option(s, one)
			if same > 1 && len(n.Also) > 0 {
				o.Text += " (" + n.Also[0] + ")"
			}
			q.Options = append(q.Options, o)
		}
	}
	if goods > 1 {
		o := Option{Text: fmt.Sprintf(r.language.Pick("%s: все подходящие товары (%d)",
			"%s: all matching products (%d)"), r.language.Pick(plain[s][0], plain[s][1]), goods), Skill: s,
			Arguments: all}
		q.Options = slices.Insert(q.Options, 0, o)
	}
	return q
}

// future asks when the period has not begun.
func (r *reader) future(s Skill, a Arguments) *Question {
	if a.From != "" || s == Shortages || s.Proposes() {
		return nil
	}
	ahead := slices.ContainsFunc(r.durations, func(d duration) bool { return d.ahead && nextWords[r.ts[d.at].norm] })
	if !ahead && (len(r.periods) == 0 || !r.periods[0].from.After(r.today)) {
		return nil
	}
	q := &Question{Text: r.language.Pick("Этот период ещё не начался. За какой показать?",
		"That period has not begun. Which one shall I take?")}
	for _, l := range []length{week, month, year} {
		b := a
		b.From, b.To = iso(begin(l, r.today)), iso(r.today)
		q.Options = append(q.Options, r.option(s, b))
	}
	return q
}

// Skills returns the reading skills in the order in which to show them.
func Skills() []Skill {
	return []Skill{Shortages, Stock, StockByStore, StockAge, Profitability, SalesTrend, Turnover, Money, Receivables,
		OverdueOrders, ABCXYZ, FindProducts, Reference, AccountOverview}
}

// Title names what a skill gives, in the language, as a task that asks for it.
func (s Skill) Title(l stockhand.Language) string { return l.Pick(plain[s][0], plain[s][1]) }

func (r *reader) hasNumbers() bool {
	return slices.ContainsFunc(r.ts, func(t token) bool { return t.kind == number && t.use == unused })
}

// excludes tells whether a name is to be left out: "всё, кроме посуды".
func (r *reader) excludes(m *mention) bool {
	for j := m.at[0] - 1; j >= 0 && j >= m.at[0]-3; j-- {
		if w := r.ts[j].norm; exceptWords[w] {
			return true
		} else if !isKindWord(w) && w != "for" && w != "the" {
			return false
		}
	}
	return false
}

var exceptWords = words.Set("кроме исключая except excluding besides")

// withoutOrOnly asks what to do about a name that is to be left out: no tool can.
func (r *reader) withoutOrOnly(s Skill, n connector.Name) *Question {
	all := Reading{Arguments: r.fill(s)}
	r.finish(&all, s)
	return &Question{
		Text: fmt.Sprintf(r.language.Pick("Исключить «%s» нельзя. Взять всё или только это?",
			"“%s” cannot be left out. Take everything, or that alone?"), n.Name),
		Options: []Option{r.option(s, all.Arguments), r.option(s, r.filled(s))},
	}
}
