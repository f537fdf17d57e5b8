// Package lookup reads a task that looks something up: documents with conditions, one document, the card of a good or
// of a counterparty, deliveries that are expected, a forecast, a list of prices or of what the account has.
//
// Words have typed meanings (a type of documents, a state, a name, a number, an amount, a period, what is wanted of a
// card), and each type of look-up says which of them it can take. A word that none of them takes is unexplained, and a
// look-up with unexplained words is not made: the reader asks.
package lookup

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/language/compose/typed"
	"github.com/stockhand/stockhand/internal/language/quantity"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// Reading is a look-up and how much of the task it explains.
type Reading struct {
	Call
	Options     []Option // the task is unclear: these are what it may mean
	Ask         Ask      // why there are options
	Unexplained []int    // tokens
	PriceTypes  bool     // the names of price types are needed
	PriceType   string   // the word for it
	// Plain is set if a query of figures answers the task as well: a type of documents and a period, or their number.
	Plain bool
	// Rows is set if the task asks for the rows in so many words: "which".
	Rows bool
	// Sure is set if a list has what the task says and no query of figures has: an order, or a number of documents that
	// something is left to do with.
	Sure bool
	// Listing is set if the task can only ask for rows: it names a period, a state, the last ones or the like.
	Listing bool
	Named   []int     // tokens that are read as names
	All     bool      // every meaning of the names is meant: "which mugs are there"
	Word    string    // what cannot be done, of a question
	Ahead   bool      // the refusal is of what lies ahead: figures of the past are no answer
	Refusal [2]string // says what cannot be done and what can, in Russian and English; empty for none
}

// Call is a tool with its input, or a query of figures.
type Call struct {
	Tool  string // without the connector's prefix; empty for a query
	Input any
	Query *analysis.Query
}

// Option is one meaning of an unclear task.
type Option struct {
	Call
	Text string // a task that means exactly this
}

// Ask is the reason of a question.
type Ask uint8

// The reasons.
const (
	Nothing      Ask = iota
	WhichType        // several types of documents have numbers of their own
	WhichName        // a name fits several
	TooLate          // forecasts begin today
	NoDueDate        // only orders have a planned day
	WhichKind        // goods or money
	WhichLast        // only a document with a number can be opened
	NoSuchFilter     // documents cannot be selected by a word
	NoSuchPart       // documents of the type have nothing of the kind
	NoManager        // who looks after a customer is not known
	WhichOverdue     // orders, deliveries and debts can be late
	NoPayDay         // until when bills are to be paid is not known
	NoGoodsTo        // goods of transfers are known by where they left
)

// Skill is the tool of the call: of a query, the one that answers queries.
func (c Call) Skill() string {
	if c.Query != nil {
		return "analyze"
	}
	return c.Tool
}

// OneDocument reports whether the task names a document by its number: then it is no command to make one.
func (r *Reading) OneDocument() bool { return r.Tool == documentTool || r.Ask == WhichType }

// Names are the kinds of names that words of the look-up may be.
func (r *Reading) Names() []connector.NameKind {
	kinds := []connector.NameKind{connector.NameProduct, connector.NameCounterparty, connector.NameGroup}
	switch r.Tool {
	case documentsTool:
		kinds = []connector.NameKind{connector.NameCounterparty, connector.NameProduct, connector.NameStore,
			connector.NameEmployee, connector.NameGroup, connector.NameSalesChannel}
	case "counterparty":
		kinds = []connector.NameKind{connector.NameCounterparty, connector.NameProduct}
	case "product":
		kinds = []connector.NameKind{connector.NameProduct}
	}
	if r.PriceTypes {
		kinds = append(kinds, connector.NamePriceType)
	}
	return kinds
}

// Question is the text of the question.
func (r *Reading) Question(l stockhand.Language) string {
	switch r.Ask {
	case WhichType:
		return l.Pick("Какой документ с этим номером?", "Which document with that number?")
	case WhichName:
		return l.Pick("Подходит несколько названий. Какое?", "Several names fit. Which one?")
	case TooLate:
		return l.Pick("Прогноз начинается с сегодняшнего дня. Показать его до конца этого периода?",
			"Forecasts begin today. Show one until the end of that period?")
	case NoDueDate:
		return l.Pick("Просрочка видна только у заказов. Показать все неоплаченные?",
			"Only orders can be overdue here. Show all that are unpaid?")
	case WhichKind:
		return l.Pick("Поступления товара или денег?", "Goods or money received?")
	case NoSuchPart:
		return fmt.Sprintf(l.Pick("У таких документов этого нет: «%s». Показать без этого?",
			"Such documents have nothing of the kind: “%s”. Show them without that?"), r.Word)
	case NoSuchFilter:
		return fmt.Sprintf(l.Pick("Отобрать документы по слову «%s» не могу: это видно в столбцах списка. Показать "+
			"все?",
			"Documents cannot be selected by “%s”: the columns of the list show it. Show all of them?"), r.Word)
	case NoPayDay:
		return l.Pick("Сроков оплаты в учёте не видно. Что показать?",
			"The account does not say until when bills are to be paid. What shall I show?")
	case NoGoodsTo:
		return l.Pick("По складу, куда переместили, видны документы, а не товары. Показать их?",
			"By the warehouse that goods came to I can show the transfers, not the goods. Show them?")
	case WhichOverdue:
		return l.Pick("Просрочка чего интересует?", "What is overdue: orders, deliveries or debts?")
	case NoManager:
		return l.Pick("Кто ведёт клиента, в учёте не видно. Показать, кто оформлял его продажи?",
			"The account does not say who looks after a customer. Show who made the sales to this one?")
	case WhichLast:
		return l.Pick("Целиком документ открывается по номеру. Показать, какой это?",
			"A document is opened by its number. Show which one it is?")
	default:
		return ""
	}
}

// Complete reports whether every word of the task is explained.
func (r *Reading) Complete() bool { return len(r.Unexplained) == 0 }

// meaning is the type of a word's meaning.
type meaning uint8

const (
	unexplained meaning = iota
	function            // harmless here
	asking              // "which", "show", "list": it asks for rows
	counting            // "how many", "for which sum": rows answer it too
	document            // a type of documents
	flag                // what is left to do with a document
	state               // "status"
	stateName           // one of the states that every account begins with
	last                // "last"
	number
	more
	less
	from
	upTo
	exactly // "for 5000": an amount
	numbered
	contents // "what is in"
	comment
	name
	period
	joining
	wish     // what is wanted of a card
	kindOf   // a list of the account: warehouses, employees
	expected // deliveries
	forecast
	lasting
	coming // "the next" 30 days
	older
	running // what runs out
	enough
	buying
	service
	without
	goods
	prices
	priceType
	customers
	rfm
	when
	agent      // "customer", "supplier" beside a name
	verb       // of a type of documents: "shipped", "were paid"
	unfiltered // what documents cannot be selected by: "paid"
	about      // before an amount
	between
	whether   // "or not": it asks about the state of a document
	who       // who looks after a customer
	supplying // what a supplier sells to us
	restock   // what to buy
	available // in stock
	times     // how many times
	sized     // "large": with an amount, it says no more
	onTime    // "not shipped on time" is overdue
	whom      // "from whom": it asks for rows with their counterparties
	every
	archived
	ranking   // the order of documents: "the largest", "oldest first"
	breakdown // "by warehouse"
	dueBy     // the period is that of planned days
)

// item is a meaning and its tokens [at, end).
type item struct {
	meaning meaning
	at, end int
	id      string
	one     bool // in the singular
	name    *typed.Name
	period  *quantity.Period
	value   string // of a number: decimal
	unit    words.UnitKind
	used    bool
}

// sentence is a task while it is read.
type sentence struct {
	typed.Input
	task  string
	ts    []token.Token
	items []*item

	unclear *item // a name that fits several
	fits    []connector.Name
}

// Read reads a task; nil if it looks nothing up.
func Read(task string, in typed.Input) *Reading {
	in.Tokens = slices.Clone(in.Tokens)
	s := &sentence{Input: in, task: task, ts: in.Tokens}
	s.freeWords()
	s.ts = slices.Clone(in.Tokens)
	s.scan(quantity.Periods(s.ts, s.Today))
	if s.has(forecast) || s.has(enough) || s.has(restock) || s.has(expected) || s.has(running) || s.has(lasting) ||
		s.has(dueBy) {
		s.ts = slices.Clone(in.Tokens)
		s.scan(quantity.Coming(s.ts, s.Today))
	}
	for _, read := range []func(*sentence) *Reading{(*sentence).numberAlone, (*sentence).boughtLast,
		(*sentence).overdueAlone, (*sentence).moneyAhead, (*sentence).archive, (*sentence).looksAfter,
		(*sentence).states, (*sentence).lacking,
		(*sentence).moved, (*sentence).partly, (*sentence).toPay,
		(*sentence).documents, (*sentence).deliveries, (*sentence).outlook,
		(*sentence).priceList, (*sentence).cards,
		(*sentence).lists} {
		for _, it := range s.items {
			it.used = it.meaning == function || it.meaning == whether || it.meaning == whom
		}
		s.unclear = nil
		r := read(s)
		if r == nil {
			continue
		}
		for _, it := range s.items {
			if it.used && it.meaning == name {
				r.Named = append(r.Named, it.name.At...)
			}
			if !it.used {
				for i := it.at; i < it.end; i++ {
					if s.ts[i].Kind != token.Mark {
						r.Unexplained = append(r.Unexplained, i)
					}
				}
			}
		}
		if r.Options == nil && s.unclear != nil {
			r.Ask, r.Options = WhichName, s.each()
		}
		return r
	}
	return nil
}

// freeWords takes the names that no look-up is about for the words that they are: "перемещали" is no item of expenses.
func (s *sentence) freeWords() {
	for _, n := range s.Names {
		about := slices.ContainsFunc(n.Meanings, func(m connector.Name) bool {
			return m.Kind != connector.NameExpenseItem && m.Kind != connector.NameProject &&
				m.Kind != connector.NameState
		})
		if about || len(n.At) != 1 || n.At[0] >= len(s.ts) {
			continue
		}
		t := &s.ts[n.At[0]]
		if known[t.Stem] && t.Use == token.AsName {
			t.Use = token.Unused
		}
	}
}

// each reads the task with each meaning of the name that is unclear.
func (s *sentence) each() []Option {
	const most = 8
	var out []Option
	at := slices.IndexFunc(s.Names, func(n typed.Name) bool { return slices.Equal(n.At, s.unclear.name.At) })
	for _, n := range s.fits[:min(most, len(s.fits))] {
		in := s.Input
		in.Names = slices.Clone(in.Names)
		in.Names[at].Meanings = []connector.Name{n}
		if r := Read(s.task, in); r != nil {
			out = append(out, Option{Text: s.instead(s.unclear.name.At, "«"+n.Name+"»"), Call: r.Call})
		}
	}
	return out
}

// scan turns the tokens into items, the longest meaning first at each place.
func (s *sentence) scan(periods []quantity.Period) {
	s.items = nil
	for i := 0; i < len(s.ts); {
		it := s.item(i, periods)
		if it == nil {
			i++
			continue
		}
		s.items = append(s.items, it)
		i = it.end
	}
}

func (s *sentence) item(i int, periods []quantity.Period) *item {
	t := &s.ts[i]
	if t.Kind == token.Mark {
		if t.Norm == "№" || t.Norm == "#" {
			return &item{meaning: numbered, at: i, end: i + 1}
		}
		return nil
	}
	for k := range periods {
		if p := &periods[k]; p.At <= i && i < p.End {
			return &item{meaning: period, at: i, end: p.End, period: p}
		}
	}
	if end := s.documentNumber(i); end > 0 && !s.insideName(i) {
		return &item{meaning: number, at: i, end: end, value: s.raw(i, end), id: "document"}
	}
	switch t.Use {
	case token.AsName:
		if id, ok := word(t, priceType); ok && s.ofPrices() { // "прайс опт", not the company "Инструмент-Опт"
			return &item{meaning: priceType, at: i, end: i + 1, id: id}
		}
		return s.nameItem(i)
	case token.AsAccount:
		return &item{meaning: function, at: i, end: i + 1}
	case token.Unused, token.AsPeriod, token.AsNumber:
	}
	if t.Kind == token.Quoted {
		return &item{meaning: unexplained, at: i, end: i + 1}
	}
	p, end := lexicon.At(s.ts, i)
	if p != nil && otherTense(p.Meaning, s.ts[i:end]) {
		if p, end = lexicon.At(s.ts[:i+1], i); p != nil && otherTense(p.Meaning, s.ts[i:end]) {
			p = nil
		}
	}
	if p != nil {
		return &item{meaning: p.Meaning.meaning, at: i, end: end, id: p.Meaning.id, one: isOne(s.ts[i:end])}
	}
	if n, unit, end := typed.NumberAt(s.Input.Catalogue, s.ts, i); end > 0 {
		return &item{meaning: number, at: i, end: end, value: n, unit: unit}
	}
	if words.IsLegalForm(t.Norm) || typed.IsFunction(s.Input.Catalogue, t) || s.rangeGoesOn(i) {
		return &item{meaning: function, at: i, end: i + 1}
	}
	return &item{meaning: unexplained, at: i, end: i + 1}
}

// language returns the language of the task: names may be Russian in English tasks, too.
func (s *sentence) language() stockhand.Language {
	if slices.ContainsFunc(s.ts, func(t token.Token) bool { return t.Cyrillic && t.Use != token.AsName }) {
		return stockhand.Russian
	}
	return stockhand.English
}

// insideName reports whether a number is a further word of a name: the 5 of "Столовая № 5" (rule R1024).
func (s *sentence) insideName(i int) bool {
	return slices.ContainsFunc(s.Names, func(n typed.Name) bool { return slices.Index(n.At, i) > 0 })
}

// rangeGoesOn reports whether "но" joins the two ends of a range: "больше 10, но меньше 50 тысяч".
func (s *sentence) rangeGoesOn(i int) bool {
	if w := s.ts[i].Norm; w != "но" && w != "but" || i == 0 || i+2 >= len(s.ts) {
		return false
	}
	_, _, behind := typed.NumberAt(s.Input.Catalogue, s.ts, i+2)
	return behind > 0 && s.ts[i-1].Kind == token.Number
}

// otherTense reports whether words have the stems of a phrase and not its tense: "сколько закупили" is not "сколько
// закупить", and "что заказать" not "что заказали".
func otherTense(m sense, ts []token.Token) bool {
	ends := func(list ...string) bool {
		return slices.ContainsFunc(ts, func(t token.Token) bool {
			return slices.ContainsFunc(list, func(e string) bool { return strings.HasSuffix(t.Norm, e) })
		})
	}
	switch {
	case m.meaning == document: // "заказать чай" is no order
		return ends("азать")
	case m.meaning == buying: // "что отгрузить завтра", "что отгружаем завтра" is no "что отгрузили"
		return ends("ть", "гружаем", "грузим", "правляем", "правим")
	case m.meaning == restock:
		return ends("или", "ала", "али", "ила", "упил", "азал")
	case m.meaning == verb && (m.id == "purchaseorder" || m.id == "supply"):
		return ends("ать", "ить", "ажем", "упим")
	}
	return false
}

// documentNumber returns the token after the number of a document: digits that begin with a zero or follow "№" or the
// type of the document, perhaps after letters; 0 if there is none.
func (s *sentence) documentNumber(i int) int {
	t := &s.ts[i]
	j := i
	if t.Kind == token.Word && j+2 < len(s.ts) && s.ts[j+1].Norm == "-" && s.ts[j+1].Glued && s.ts[j+2].Glued &&
		s.ts[j+2].Kind == token.Number && len([]rune(t.Norm)) <= 4 && s.behindDocument(i) {
		return j + 3
	}
	if t.Kind == token.Number && strings.HasPrefix(t.Norm, "0") && len(t.Norm) > 2 && s.documentFollows(i+1) {
		return i + 1
	}
	if t.Kind != token.Number || strings.ContainsAny(t.Norm, ",.") || !s.behindDocument(i) {
		return 0
	}
	if strings.HasPrefix(t.Norm, "0") && len(t.Norm) > 2 {
		return i + 1
	}
	if len(s.items) == 0 {
		return 0
	}
	before := s.items[len(s.items)-1]
	if i+1 < len(s.ts) {
		next := &s.ts[i+1]
		if next.Kind == token.Word && !behindNumber[next.Norm] && next.Use == token.Unused ||
			next.Use == token.AsName && before.meaning != numbered {
			return 0 // "заказ 5 кружек"
		}
	}
	if i+1 < len(s.ts) && s.ts[i+1].Kind != token.Mark {
		if _, unit, end := typed.NumberAt(s.Input.Catalogue, s.ts, i); end > i+1 || unit != words.NoUnit {
			return 0
		}
	}
	if before.meaning == numbered || before.meaning == document && before.one {
		return i + 1
	}
	return 0
}

// behindNumber are words that may follow the number of a document.
var behindNumber = words.Set("от за у по для на клиента покупателя поставщика контрагента from of for by to please " +
	"пожалуйста плиз и and с со is был была есть")

// ofPrices reports whether the task has a word for prices.
func (s *sentence) ofPrices() bool {
	return slices.ContainsFunc(s.ts, func(t token.Token) bool {
		_, ok := word(&t, prices)
		return ok
	})
}

// behindDocument reports whether the type of a document stands before the token, or "№" behind such a type.
func (s *sentence) behindDocument(i int) bool {
	for k := len(s.items) - 1; k >= 0; k-- {
		switch it := s.items[k]; it.meaning {
		case document:
			return true
		case numbered, function, contents, agent, last, whether, asking, flag, unfiltered, verb, state:
		case name: // "order of Alfa 00012"
		default:
			return false
		}
	}
	return false
}

// documentFollows reports whether a type of documents begins at token i: "00012 заказ".
func (s *sentence) documentFollows(i int) bool {
	if i >= len(s.ts) || s.ts[i].Kind != token.Word {
		return false
	}
	p, end := lexicon.At(s.ts, i)
	return p != nil && p.Meaning.meaning == document && isOne(s.ts[i:end])
}

func (s *sentence) raw(i, end int) string { return s.task[s.ts[i].Start:s.ts[end-1].End] }

func (s *sentence) nameItem(i int) *item {
	for k := range s.Names {
		n := &s.Names[k]
		if at := slices.Index(n.At, i); at == 0 {
			return &item{meaning: name, at: i, end: i + 1, name: n}
		} else if at > 0 { // a further word of the same name
			return &item{meaning: function, at: i, end: i + 1}
		}
	}
	return &item{meaning: function, at: i, end: i + 1} // a mark or a legal form beside a name
}

// first returns the first item of a meaning, or nil.
func (s *sentence) first(m meaning) *item {
	for _, it := range s.items {
		if it.meaning == m {
			return it
		}
	}
	return nil
}

func (s *sentence) has(m meaning) bool { return s.first(m) != nil }

// use marks the items of the meanings as explained.
func (s *sentence) use(ms ...meaning) {
	for _, it := range s.items {
		it.used = it.used || slices.Contains(ms, it.meaning)
	}
}

// beside returns the next item in a direction that is no function word.
func (s *sentence) beside(i, step int) *item {
	for i += step; i >= 0 && i < len(s.items); i += step {
		if s.items[i].meaning != function {
			return s.items[i]
		}
	}
	return nil
}

// meanings returns what a name may mean of some kinds, each thing once.
func meanings(n *typed.Name, kinds ...connector.NameKind) []connector.Name {
	var out []connector.Name
	for _, m := range n.Meanings {
		if slices.Contains(kinds, m.Kind) &&
			!slices.ContainsFunc(out, func(o connector.Name) bool { return o.ID == m.ID && o.Name == m.Name }) {
			out = append(out, m)
		}
	}
	return out
}

// argument is a name as an argument: the ID where the name may fit another one.
func argument(all []connector.Name, n connector.Name) string {
	alike := 0
	for _, o := range all {
		if strings.EqualFold(o.Name, n.Name) && o.ID != n.ID {
			alike++
		}
	}
	if alike > 0 && n.ID != "" {
		return n.ID
	}
	return n.Name
}

// instead returns the task with other words for some tokens.
func (s *sentence) instead(at []int, text string) string {
	first, last := s.ts[at[0]].Start, s.ts[at[len(at)-1]].End
	return s.task[:first] + text + s.task[last:]
}

// Without returns the task without some tokens, to offer what is left of it.
func Without(task string, ts []token.Token, tokens []int) string {
	var b strings.Builder
	end := 0
	for _, i := range tokens {
		b.WriteString(task[end:ts[i].Start])
		end = ts[i].End
	}
	b.WriteString(task[end:])
	return strings.Join(strings.Fields(strings.Trim(b.String(), " ,.;")), " ")
}

func (s *sentence) daysUntil(to time.Time) int { return int(to.Sub(s.Today).Hours()/24) + 1 }
