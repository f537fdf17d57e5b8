package talk

import (
	"slices"
	"strconv"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/language"
	"github.com/stockhand/stockhand/internal/language/query"
	"github.com/stockhand/stockhand/internal/language/refer"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// terse are follow-ups of a few words, which say what to do with the rows before (rule R802).
var terse = []saying{
	asSaid(`«А»(?:в|во|у|на|из|по|для) как(?:их|ой|ом|им) (\p{L}+)`, "по $1", ofFigures),
	asSaid(`«А»(?:тоже|то же)(?: самое)? (по|для|за|на|у|в|с) (.+)`, "а $1 $2", ofRead),
	asSaid(`(?:and )?(?:just |only )?(?:the )?(?:total|sum|overall)(?: only| please| is)?`, "total", nil),
	asSaid(`(?:and )?(?:the )?same day (?:a |the |last )?(week|month|year)(?: before| ago| earlier)?`,
		"a $1 earlier", ofPeriod),
	asSaid(`(?:and )?(?:a|one) (week|month) (?:ago|before)`, "a $1 earlier", ofPeriod),
	asSaid(`(?:and )?(?:all )?(?:together|combined|in total|altogether|total|both)`, "how much money", ofPlace),
	asSaid(`(?:and )?how (?:many|much)(?: of (?:it|that|those|them))?(?: is| are| do we have|`+
		` have we)?(?: still)? (?:left|in stock|remaining|on hand)`, "how many left", ofSales),
	asSaid(`(?:and )?(?:how much (?:money )?(?:is |are |is tied up |tied up |sits |`+
		`sitting )*(?:in )?(?:them|it|there|those|these)(?: worth)?|how much (?:is|are) (?:it|they|that|`+
		`those) worth|(?:on|for) what (?:amount|sum)|what (?:are they|is it|is that) worth|how much money|`+
		`worth how much)`, "stock value of them", ofAge),
	asSaid(`(?:and |so )?how much (?:are|is|for) (?:they|it|those|these|each|one)(?: each| then)?`, "price",
		ofNamedStock),
	asSaid(`((?:and |only |just |what about |without |except |leave out |exclude |at |in |for )+)(?:the )?`+
		`(?:shop|store|warehouse) (?:on|at|in|of) (.+)`, "$1 $2", nil),
}

// ofBought reports whether an answer was what was bought, not by goods.
func ofBought(done *language.Reading) bool {
	q := done.Query
	return q != nil && !slices.Contains(q.By, "product") &&
		slices.ContainsFunc(q.Measures, func(m string) bool {
			return m == "purchases" || m == "quantity_received" || m == "deliveries"
		})
}

// ofOnePartner reports whether an answer was about one partner.
func ofOnePartner(done *language.Reading) bool {
	return slices.ContainsFunc(conditionsOf(done), func(w analysis.Condition) bool {
		return w.Field == "counterparty" && w.Op == analysis.In && len(w.Values) == 1
	})
}

// firstPartners reports whether an answer was the first rows of a ranking of partners.
func firstPartners(done *language.Reading) bool {
	if done.Query != nil {
		return done.Query.Limit > 1 && slices.Equal(done.Query.By, []string{"counterparty"})
	}
	return done.Skill == language.Profitability && done.Arguments.Limit > 1 &&
		done.Arguments.By == "counterparty"
}

func ofShort(done *language.Reading) bool {
	return ofShortages(done) || done.Query != nil && done.Query.Measures[0] == "shortage"
}

// ofNamedStock reports whether an answer was about the stock of goods that were named.
func ofNamedStock(done *language.Reading) bool { return ofStock(done) && ofGoods(done) }

func ofDocuments(done *language.Reading) bool { return done.Skill == language.Documents }

// ofStockThere reports whether an answer was the stock in some warehouses: a price has no warehouse, so that goods are
// sorted by price as a list of their own (rule R1031).
func ofStockThere(done *language.Reading) bool {
	return ofStock(done) && slices.ContainsFunc(conditionsOf(done), func(w analysis.Condition) bool {
		return w.Field == "store"
	})
}

// ofPartnerDocuments reports whether an answer was a list of the documents of a partner.
func ofPartnerDocuments(done *language.Reading) bool {
	if done.Query != nil && !soldOf[done.Query.Measures[0]] && done.Query.Measures[0] != "money_in" {
		return false
	}
	return slices.ContainsFunc(conditionsOf(done), func(w analysis.Condition) bool {
		return w.Field == "counterparty" && w.Op == analysis.In
	})
}

func ofReturns(done *language.Reading) bool {
	return done.Query != nil && (done.Query.Measures[0] == "returns" ||
		done.Query.Measures[0] == "quantity_returned")
}

func ofMinimum(done *language.Reading) bool {
	return done.Query != nil && done.Query.Measures[0] == "minimum"
}

// byCompared reports whether an answer compared two periods by one dimension that is no person.
func byCompared(done *language.Reading) bool {
	q := done.Query
	return q != nil && q.Compare != nil && len(q.By) == 1 && q.By[0] != "counterparty" &&
		q.By[0] != "employee" &&
		q.By[0] != "supplier"
}

func ofRead(done *language.Reading) bool { return done.Skill.Reads() }

func ofTimes(done *language.Reading) bool {
	return done.Arguments.Interval != "" || done.Query != nil && len(done.Query.By) > 0 &&
		timeRows[done.Query.By[0]]
}

var timeRows = words.Set("day week month quarter year weekday hour")

// ofStockThen reports whether an answer was the stock of all goods on a day.
func ofStockThen(done *language.Reading) bool {
	return done.Skill == language.Stock && done.Arguments.At != "" &&
		len(done.Arguments.Products)+len(done.Arguments.Groups)+len(done.Arguments.Suppliers)+
			len(done.Arguments.Stores) == 0
}

// ofFlow reports whether an answer was money that came in or went out, of all accounts.
func ofFlow(done *language.Reading) bool {
	q := done.Query
	return q != nil && (slices.Contains(q.Measures, "money_in") || slices.Contains(q.Measures, "money_out")) &&
		!slices.ContainsFunc(q.Where, func(w analysis.Condition) bool { return w.Field == "account" })
}

// ofFlows reports whether an answer was the money that came in or went out.
func ofFlows(done *language.Reading) bool {
	return ofFlow(done) || done.Skill == language.Money && done.Arguments.What == "flow"
}

// ofRunningOut reports whether an answer was the goods that last for some days only: a question about all that is short
// would be about more.
func ofRunningOut(done *language.Reading) bool {
	return ofShortages(done) && argumentsOf(done).Mode == "running_out"
}

// ofBelow reports whether an answer was what is below its minimum.
func ofBelow(done *language.Reading) bool { return ofShort(done) && !ofRunningOut(done) }

func ofShortages(done *language.Reading) bool { return done.Skill == language.Shortages }

func ofAge(done *language.Reading) bool { return done.Skill == language.StockAge }

// ofFigures reports whether an answer is a report of figures, and no list or card.
func ofFigures(done *language.Reading) bool { return !lookUps[done.Skill] }

// hidesEmpty reports whether the rows of an answer are figures of stock, which may be zero.
func hidesEmpty(done *language.Reading) bool {
	return ofStock(done) && done.Arguments.Only == ""
}

// OpensRow reports whether a message is a row of the last table and no choice of an option (rule R803).
func OpensRow(task string, rows *refer.Rows) bool { return rowAlone(task, rows) != "" }

// rowAlone returns the words that open the row which a message opens; "" for other messages.
func rowAlone(task string, rows *refer.Rows) string {
	i, ok := rows.Opened(task)
	switch {
	case !ok || rows.Dimension != "document" && !language.NamedRows(rows):
		return ""
	case rows.Dimension == "product":
		return "карточка № " + strconv.Itoa(i+1)
	}
	return "открой № " + strconv.Itoa(i+1)
}

// restToo reads "остальные тоже" after the first rows as the same question without their number (rule R802).
func (t *talk) restToo(m *message) *language.Reading {
	task := m.task
	if t.done == nil || !says(task, theOthers, aroundToo) || !slices.ContainsFunc(token.Split(task),
		func(x token.Token) bool { return tooWords[x.Norm] }) {
		return nil
	}
	x := *t.done
	switch {
	case x.Query != nil && x.Query.Limit+x.Query.LimitEach > 0:
		q := *x.Query
		q.Limit, q.LimitEach, x.Query = 0, 0, &q
	case x.Query == nil && x.Arguments.Limit > 0:
		x.Arguments.Limit = 0
	default:
		return nil
	}
	x.Task, x.FollowUp, x.Confidence = task, true, 1
	return &x
}

var (
	tooWords  = words.Set("тоже также too also")
	aroundToo = words.Set("а и все покажи дай давай тоже также the show too also ones")
)

// retail reads "а розница" after sales as those to the retail customer, also after those of wholesale (rule R809).
func (t *talk) retail(m *message) *language.Reading {
	task, in := m.task, m.in
	if t.done == nil || !ofSales(t.done) || !says(task, retailWords, aroundRetail) {
		return nil
	}
	base := t.done.Composed(in.Catalogue)
	if base.Query == nil {
		return nil
	}
	q := *base.Query
	q.Where = slices.DeleteFunc(slices.Clone(q.Where),
		func(w analysis.Condition) bool { return w.Field == "tag" })
	base.Query, in.Rows = &q, nil
	in.Previous = &base
	x := language.Read("только розничный покупатель", in)
	if !complete(&x) || !x.FollowUp {
		return nil
	}
	x.Task = task
	return &x
}

var (
	retailWords  = words.Set("розница розницу рознице розницей розничные розничных")
	aroundRetail = words.Set("а и только лишь по в теперь покажи дай сколько продажи")
)

// whoseShown reads "чьи они" and "на сколько дней" after a list that shows just that as the same list (rule R804).
// It
// returns nil for any other message.
func (t *talk) whoseShown(m *message) *language.Reading {
	task := m.task
	if t.done == nil {
		return nil
	}
	list := t.done.Skill == language.Documents || t.done.Skill == language.Document ||
		t.done.Skill == language.OverdueOrders
	days := t.done.Skill == language.OverdueOrders && says(task, dayWords, aroundDays)
	compared := t.done.Query != nil && t.done.Query.Compare != nil || t.done.Arguments.Compare
	percents := compared && says(task, percentWords, aroundDiffer) // of the change, which is shown
	sums := t.done.Skill == language.Documents && says(task, sumWords, aroundSum)
	grows := compared && says(task, growing, aroundDiffer)
	if !days && !sums && !grows && !percents && !(list && says(task, whoseWords, aroundWhose)) &&
		!(compared && says(task, differs,
			aroundDiffer)) {
		return nil
	}
	x := *t.done
	x.Task, x.FollowUp, x.Confidence, x.Question = task, true, 1, nil
	x.Language = languageOf(task, t.in)
	return &x
}

var (
	whoseWords  = words.Set("чей чья чьи чье чьё whose")
	aroundWhose = words.Set("а и это он она они оно эти этот эта все заказ заказы отгрузка отгрузки документ " +
		"документы счет счета платеж платежи are they is it these those this that and")
	sumWords  = words.Set("сумму сумма сумме sum amount")
	aroundSum = words.Set("а и на в какую какая какой общая общую всего это сколько их по ним они все what " +
		"is the of them for total")
	percentWords = words.Set("процентах процентов проценты % percent percents")
	growing      = words.Set("растем растет падаем падает рост снижение")
	dayWords     = words.Set("дней дня день days long")
	aroundDays   = words.Set("а и на сколько какой как долго просрочка просрочки просрочено просрочены " +
		"просрочен опаздываем висят висит уже они он она how many late overdue by are they is it and")
)

// oldestDebts reads "самые старые", "сортируй по давности" and "кому платить первому" after debts as those in the
// order of their age (rule R805). It returns nil for any other message.
func (t *talk) oldestDebts(m *message) *language.Reading {
	task, in := m.task, m.in
	if t.done == nil || !says(task, agedWords, aroundAged) {
		return nil
	}
	q, age := t.debtsByAge()
	if age == "" {
		return nil
	}
	if q.Limit > 0 && !has(task, oldestWords) { // of those that were shown
		q, _ = ofFirstShown(q, in.Rows, q.Limit)
		q.Limit = 0
	}
	q.Order = []analysis.Order{{Field: age, Direction: analysis.Descending}}
	if !query.Possible(in.Catalogue, q) {
		return nil
	}
	return changedTo(task, languageOf(task, in), &q)
}

var (
	oldestWords = words.Set("самые самых сначала первым первому раньше oldest")
	agedWords   = words.Set("long давно времени пор since старые старых давние давних древние застарелые давности " +
		"давность возрасту возраст сроку сроках первому первым первыми раньше сначала oldest age")
	aroundAged = words.Set("ли как какого каких сколько висит висят должны должен when how long а и самые " +
		"самых какие какой кто из них покажи дай выведи отсортируй сортируй по долга долги долгов долгу " +
		"с кому кого платить заплатить звонить позвонить надо нужно мне всего всех требовать сверху sort " +
		"sorted by the first ones show of debt debts which are and for already now has have it been overdue late " +
		"outstanding owing owed they is this they're")
)

// lastTime reads "когда последний раз" after figures of named goods or partners as when those were last sold or
// bought
// (rule R806). It returns nil for any other message.
func (t *talk) lastTime(m *message) *language.Reading {
	task, in := m.task, m.in
	price := wording(join(aroundTimes, aroundLastPrice), lastTimes, lastPrices).Is(token.Split(task), nil)
	if t.done == nil || !t.done.Skill.Reads() || !price && !says(task, lastTimes, aroundTimes) {
		return nil
	}
	bought := slices.ContainsFunc(token.Split(task), func(x token.Token) bool { return buysWords[x.Norm] })
	sold := slices.ContainsFunc(token.Split(task), func(x token.Token) bool { return sellsWords[x.Norm] })
	of := conditionsOf(t.done)
	if rows := m.shown; rowsOf(rows, "counterparty") && rows.Top && len(rows.IDs) > 0 &&
		rows.IDs[0] != "" { // "кто больше всех купил", "когда последний раз"
		of = append([]analysis.Condition{oneOf("counterparty", rows.IDs[:1])}, of...)
	}
	for _, w := range of {
		measure := ""
		switch {
		case w.Op != analysis.In:
		case price && w.Field == "product" && !sold:
			measure = "last_purchase_price"
		case price:
		case w.Field == "product" && bought:
			measure = "last_purchase"
		case w.Field == "product":
			measure = "last_sale"
		case (w.Field == "counterparty" || w.Field == "supplier") && t.ofPurchases():
			measure = "last_purchase"
		case w.Field == "counterparty" && !sold || w.Field == "counterparty" && !bought:
			measure = "latest_sale"
		}
		if measure == "" {
			continue
		}
		q := analysis.Query{Measures: []string{measure}, By: []string{w.Field},
			Where: []analysis.Condition{w}}
		if query.Possible(in.Catalogue, q) {
			return changedTo(task, languageOf(task, in), &q)
		}
	}
	return nil
}

// ofPurchases reports whether the answer before was about what was bought.
func (t *talk) ofPurchases() bool {
	return t.done.Query != nil && slices.ContainsFunc(t.done.Query.Measures, func(m string) bool {
		return ofBuying[m]
	})
}

var (
	lastTimes   = words.Set("раз time последней крайний")
	aroundTimes = words.Set("а и когда в был была было были последний последняя это он она они его её ее их " +
		"у него нее них мы нам там брал брала брали берет покупал покупала покупали купил купили " +
		"заказывал заказывала заказывали закупали закупал привозили приходил приходила приходили " +
		"продавали продали продавался отгружали отгрузили when was were the last did they we he she it " +
		"buy bought sell sold order ordered and")
	// "за сколько последний раз брали" is about the price
	lastPrices      = words.Set("сколько почем цене цена цену")
	aroundLastPrice = words.Set("за по какой какая какую скольки обошлись обошелся")
	buysWords       = words.Set("заказывали закупали закупал привозили приходил приходила приходили покупали " +
		"брали ordered order bought buy")
	sellsWords = words.Set("продавали продали продавался отгружали отгрузили sold sell")
)
