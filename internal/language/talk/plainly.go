package talk

import (
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/language"
	"github.com/stockhand/stockhand/internal/language/act"
	"github.com/stockhand/stockhand/internal/language/compose/typed"
	"github.com/stockhand/stockhand/internal/language/query"
	"github.com/stockhand/stockhand/internal/language/refer"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/tool"
	"github.com/stockhand/stockhand/internal/words"
)

// plainly returns a follow-up in words that always mean the same, where people say it in many ways (rule R771): "чё
// так мало" as "почему", "ниже минимума которые" as "только ниже минимума". Any other message is returned as it is.
func plainly(task string, in language.Input) string {
	if in.Previous == nil || !in.Previous.Skill.Reads() {
		return task
	}
	if open := rowAlone(task, in.Rows); open != "" {
		return open
	}
	if first := onlyFirst(task); first != "" && ofRows(in.Previous) {
		return first
	}
	folded := strings.TrimSpace(words.Fold(strings.Trim(task, " ?.!,")))
	if says(task, inside, aroundLast) && asksInside(task) && in.Rows != nil && in.Rows.Dimension == "document" &&
		len(in.Rows.IDs) == 1 && !in.Rows.Earlier {
		return "открой первый"
	}
	if said := beforeShown(folded, in.Previous); said != folded {
		return said
	}
	if said := beforeThis(folded, in.Previous, in.Now); said != "" {
		return said
	}
	if said := shortSayings().plain(task, in.Previous); said != "" {
		return said
	}
	if soldOutHidden.said.MatchString(folded) {
		return soldOutHidden.plain
	}
	if said := inFamily(task, in); said != "" {
		return said
	}
	if act.Read(task).Kind == act.Why && token.Split(task)[0].Cyrillic && !has(task, thereWords) {
		return "почему"
	}
	for _, w := range slices.Concat(ranking, sayings, terse) {
		if m := w.said.FindStringSubmatchIndex(folded); m != nil && (w.of == nil || w.of(in.Previous)) {
			text := strings.Join(strings.Fields(string(w.said.ExpandString(nil, w.plain, folded, m))), " ")
			if text == "сколько осталось" || text == "а сколько осталось" || text == "how many left" {
				text = leftOf(in, text)
			}
			if text != folded {
				return text
			}
		}
	}
	return task
}

// leftOf asks how much is left of the goods that were shown, if those were the first of a ranking.
func leftOf(in language.Input, text string) string {
	rows := in.Rows
	limit := in.Previous.Arguments.Limit
	if q := in.Previous.Query; q != nil {
		limit = q.Limit
	}
	switch {
	case !language.NamedRows(rows) || rows.Dimension != "product" || rows.Earlier:
	case limit > 1:
		return pick(text, "сколько их осталось", "stock of them")
	case rows.Top || limit == 1:
		return pick(text, "сколько его осталось", "stock of it")
	}
	return text
}

// pick returns the Russian or the English words, as those of a message are.
func pick(message, russian, english string) string {
	if token.Split(message)[0].Cyrillic {
		return russian
	}
	return english
}

// saying is a way to say a follow-up: a message that matches as a whole means the plain words, behind some answers.
type saying struct {
	said  *regexp.Regexp
	plain string
	of    func(done *language.Reading) bool // nil for all answers
}

// asSaid makes a saying. In the pattern, «А» stands for the conjunctions that a message may begin with, «КТО» for a
// question word, «ГДЕ» for being in stock.
func asSaid(pattern, plain string, of func(done *language.Reading) bool) saying {
	pattern = strings.NewReplacer("«А»", "(?:а |и |ну )?", "«КТО»", "(?:какой|какая|какое|какие|кто|что|где)",
		"«ГДЕ»", "(?:на складе|на складах|в наличии)").Replace(pattern)
	return saying{regexp.MustCompile("^(?:" + pattern + ")$"), plain, of}
}

const (
	stockOfShown = "остаток этих товаров "
	stockedOnly  = "только с остатком больше 0"
)

// soldOutHidden is "без остатка не показывай": what is left are the goods in stock, and no others (rule R999).
var soldOutHidden = asSaid(`«А»(?:те |товары |то )?(?:что |которые |которых |какие )?(?:без (?:остатк\p{L}+|наличия)|`+
	`с нулев\p{L}+ остатк\p{L}+|нет в наличии)(?: товары)? (?:не показывай|не показывать|не надо|не нужн\p{L}+|`+
	`убери|уберем|скрой|исключи|выкинь|не считай)`, stockedOnly, nil)

// sayings are tried in their order.
var sayings = []saying{
	asSaid(`«А»((?:на|в) .{3,30}?),? (?:это|они|эти товары|эти) (?:вообще )?`+
		`(?:есть|имеется|имеются|лежит|лежат|в наличии)(?: ли| сейчас)?`, stockOfShown+"$1", rowsOfGoods),
	asSaid(`«А»(?:это|они|эти товары|эти) ((?:на|в) .{3,30}?) (?:вообще )?`+
		`(?:есть|имеется|имеются|лежит|лежат)(?: ли| сейчас)?`, stockOfShown+"$1", rowsOfGoods),
	asSaid(`«А»(?:есть|имеется|имеются|лежит|лежат)(?: ли)? (?:это|они|эти товары|эти|такие|такое) `+
		`((?:на|в) .{3,30}?)(?: сейчас)?`, stockOfShown+"$1", rowsOfGoods),
	asSaid(`(?:and |do we have |are |is )*(?:they|them|these|those|it|any of (?:them|these))(?: in stock)? `+
		`((?:at|in|on) .{3,30}?)`, "stock of these goods $1", rowsOfGoods),
	asSaid(`«А»(?:что|какие|какой|какая|какое|кто|которые) из (?:них|этих) (лучше|хуже)( всего| всех|) `+
		`(?:идут|идет|уходят|уходит|расходятся|расходится|разлетаются|берут)(| .+)`,
		"что из них $1 $2 продается $3", nil),
	asSaid(`«А»(?:это |оно |они )?(?:без|за вычетом|минус) резерв\p{L}*(?: сколько| покажи| только)?`,
		"а свободный остаток", ofStock),
	asSaid(`«А»(?:это |они |тут |там )(?:уже )?(?:без|с|со|вместе с|с учетом|без учета|за вычетом) резерв\p{L}*`+
		`(?: или (?:без|нет|с))?(?: резерва| него)?`, "с резервом", ofStock),
	asSaid(`«А»(?:покажи |дай )?(?:с|со|вместе с) резерв\p{L}+ (?:покажи|дай|давай)`, "с резервом", ofStock),
	asSaid(`((?:а |и )?)(.+ )?«ГДЕ» сколько(?: есть| осталось| лежит| сейчас)?`, "$1 $2 сколько осталось", ofSales),
	asSaid(`((?:а |и )?)сколько ((?:\S+ ){0,2}?)(?:сейчас |есть |лежит |осталось )?«ГДЕ»`+
		`(?: есть| осталось| лежит| сейчас)?`, "$1 сколько $2 осталось", ofSales),
	asSaid(`(а |и )?(?:какой |сколько )?(?:остаток|остатки|осталось|остается)(?: сколько| какой| есть| сейчас)?`,
		"$1 сколько осталось", ofSales),
	asSaid(`«А»(?:сколько )?(?:это )?(?:все )?(?:это )?в (?:рублях|руб|рубли|деньгах)(?: сколько| это)*`,
		"на какую сумму", func(done *language.Reading) bool { return done.Skill == language.Stock }),
	asSaid(`(?:а |и )?(.+) (?:в|за) эт(?:и|от|о) (?:же |самое |самые )?(?:дни|период|время)`, "а $1", ofPeriod),
	asSaid(`(?:а |и )?(.+) (?:в|за) эт(?:от|ом) (?:же |самый )?(?:месяц|месяце)`, "а $1", ofOneMonth),
	asSaid(`(?:а |и )?(.+) (?:в|за) эт(?:у|ой) (?:же |самую )?(?:неделю|неделе)`, "а $1", ofOneWeek),
	asSaid(`(?:всмысле|в смысле|тоесть|то есть|вернее|точнее) (.+)`, "$1", nil),
	asSaid(`(?:а|и|ну) (?:за|на|в) (?:ту|тот|то|той|том|те)(?: (?:неделю|неделе|месяц|месяце|год|году|`+
		`день|квартал|квартале|выходные))?`, "а за предыдущий период", ofPeriod),
	asSaid(`(?:нет )?(?:я )?(?:же )?(?:сказал|просил|говорил|написал|спрашивал)\p{L}* ?(?:про )?`+
		`(.+?),? а не .+`, "а $1", nil),
	asSaid(`(.+?),? (?:я )?(?:имею|имел|имела|подразумеваю|подразумевал) ?в ?виду`, "$1", nil),
}

// ofOneMonth reports whether an answer was of one month, and not one row of many: "в этом месяце" is that month.
func ofOneMonth(done *language.Reading) bool {
	first, days := spanOf(done)
	const least, most = 27, 31
	return days >= least && days <= most || days > 1 && days <= most && first.Day() == 1
}

// ofOneWeek reports whether an answer was of one week.
func ofOneWeek(done *language.Reading) bool {
	first, days := spanOf(done)
	const week = 7
	return days == week || days > 1 && days < week && first.Weekday() == time.Monday
}

// spanOf returns the first of the days that an answer was of, and their number; 0 if it shows times one by one.
func spanOf(done *language.Reading) (first time.Time, days int) {
	from, to := periodOf(done)
	first, err := time.Parse(time.DateOnly, string(from))
	last, err2 := time.Parse(time.DateOnly, string(to))
	if err != nil || err2 != nil || done.Query != nil && len(done.Query.By) > 0 && timeRows[done.Query.By[0]] {
		return first, 0
	}
	return first, int(last.Sub(first).Hours())/24 + 1
}

// rowsOfGoods reports whether the rows of an answer are goods.
func rowsOfGoods(done *language.Reading) bool {
	return ofShort(done) || done.Query != nil && slices.Equal(done.Query.By, []string{"product"}) ||
		done.Skill == language.Stock
}

func ofStock(done *language.Reading) bool {
	switch done.Skill {
	case language.Stock, language.StockByStore, language.StockAge, language.Product:
		return true
	}
	return done.Query != nil && slices.ContainsFunc(done.Query.Measures, func(m string) bool {
		return m == "stock" || m == "free" || m == "reserve" || worthOf[m]
	})
}

// ofBuyer reports whether an answer was how much customers bought: what they bought is what we sold (rule R862).
func ofBuyer(done *language.Reading) bool {
	return ofSales(done) && done.Query != nil && slices.ContainsFunc(done.Query.Where,
		func(w analysis.Condition) bool { return w.Field == "counterparty" && w.Op == analysis.In })
}

func ofPeriod(done *language.Reading) bool {
	from, _ := periodOf(done)
	return from != ""
}

func ofPrice(done *language.Reading) bool {
	return done.Query != nil && slices.Contains(done.Query.Measures, "sale_price")
}

var (
	worthOf = words.Set("stock_cost stock_price")
	soldOf  = words.Set("revenue profit quantity margin sales receipts")
)

func ofSales(done *language.Reading) bool {
	switch done.Skill {
	case language.Profitability, language.SalesTrend, language.ABCXYZ:
		return true
	}
	return done.Query != nil && slices.ContainsFunc(done.Query.Measures, func(m string) bool { return soldOf[m] })
}

// ofNoSales reports whether an answer was about goods, and not about what was sold or bought.
func ofNoSales(done *language.Reading) bool {
	return !ofSales(done) && !ofBought(done) && done.Skill != language.Turnover
}

func ofDebts(done *language.Reading) bool {
	return done.Skill == language.Receivables || done.Query != nil && len(done.Query.Measures) > 0 &&
		agesOf[done.Query.Measures[0]] != ""
}

// ofPlace reports whether an answer was about the money in one place.
func ofPlace(done *language.Reading) bool { return ofMoney(done) && done.Arguments.Place != "" }

func ofMoney(done *language.Reading) bool { return done.Skill == language.Money }

// total reads "итого", "по ним одной суммой" and "а вместе" as the figures of the answer before without its rows
// (rule R772). It returns nil for any other message.
func (t *talk) total(m *message) *language.Reading {
	task, in := m.task, m.in
	in.Rows = m.shown
	if t.done == nil || !t.done.Skill.Reads() || !says(task, totalWords, aroundTotal) &&
		!saysAll(task) {
		return nil
	}
	base := t.done.Composed(in.Catalogue)
	if of := conditionsOf(t.done); !says(task, totalWords, aroundTotal) && len(of) > 0 && (base.Query == nil ||
		opensWithAnd(task) || len(base.Query.By) == 0 && !slices.ContainsFunc(of, func(w analysis.Condition) bool {
		return w.Op == analysis.In && len(w.Values) > 1
	})) { // "а всего" after one name is of all, "всего" after several of those
		return nil
	}
	if t.asksForSum(task) && !t.ofMoney(base.Query) {
		return nil // "сумма" after a number of orders is another figure
	}
	if t.done.Skill == language.Documents || t.done.Skill == language.SalesTrend ||
		base.Query != nil && len(base.Query.By) == 0 { // its answer says the sum
		x := *t.done
		x.Task, x.FollowUp, x.Confidence = task, true, 1
		x.Language = languageOf(task, in)
		return &x
	}
	if base.Query == nil || len(base.Query.By) == 0 {
		return nil
	}
	q := *base.Query
	if slices.ContainsFunc(q.Where, func(w analysis.Condition) bool { // of rows, and not of their sum
		_, measure := in.Catalogue.Measure(w.Field)
		return measure
	}) {
		if q.Limit == 0 && t.ofMoney(&q) { // the totals of its rows
			x := *t.done
			x.Task, x.FollowUp, x.Confidence, x.Language = task, true, 1, languageOf(task, in)
			return &x
		}
		x := language.Read("сколько это всего в рублях", in)
		x.Task, x.Language = task, languageOf(task, in)
		if complete(&x) && x.FollowUp {
			return &x
		}
		return nil
	}
	if rows := in.Rows; q.Limit > 0 { // of those that were shown
		if !language.NamedRows(rows) || rows.Earlier || rows.Dimension != q.By[0] ||
			rows.More && len(rows.IDs) < q.Limit {
			return nil
		}
		w := analysis.Condition{Field: rows.Dimension, Op: analysis.In}
		for _, id := range rows.IDs[:min(q.Limit, len(rows.IDs))] {
			w.Values = append(w.Values, analysis.Scalar(id))
		}
		q.Where = append(slices.Clone(q.Where), w)
	}
	q.By, q.Order, q.Limit, q.Share = nil, nil, 0, false
	if !query.Possible(in.Catalogue, q) {
		return nil
	}
	return changedTo(task, base.Language, &q)
}

// saysAll reports whether a message is "а всего?", which also drops what the answer before was limited to.
func saysAll(task string) bool {
	return says(task, aroundTotal, nil) && slices.ContainsFunc(token.Split(task),
		func(x token.Token) bool { return x.Norm == "всего" })
}

// opensWithAnd reports whether a message begins with a conjunction.
func opensWithAnd(task string) bool { return conjunctions[token.Split(task)[0].Norm] }

func (t *talk) asksForSum(task string) bool {
	return slices.ContainsFunc(token.Split(task), func(x token.Token) bool { return sumsAlone[x.Norm] })
}

// ofMoney reports whether the answer before shows sums of money.
func (t *talk) ofMoney(q *analysis.Query) bool {
	if t.done.Skill == language.Documents {
		return true
	}
	return q != nil && slices.ContainsFunc(q.Measures, func(name string) bool {
		m, ok := t.in.Catalogue.Measure(name)
		return ok && m.Unit == tool.UnitMoney && m.Adds
	})
}

var (
	sumsAlone  = words.Set("сумма сумму суммы sum amount")
	totalWords = words.Set("итого итог итоги итогом итоговая итоговую итогу суммой суммарно суммарная вместе " +
		"целом сложи сложить общий общая общую совокупно total altogether overall сумме")
	aroundTotal = words.Set("а и по ним всем всего одной общей общая общую общий сколько в это выходит " +
		"выйдет получается получилось вышло будет их за все всё дай покажи скажи посчитай посчитать " +
		"давай только какая какой какую цифрой числом одним строкой цифра там весь у нас сумма сумму the " +
		"in for them all one sum what is only just please show me how much")
)

// changedTo returns a follow-up that asks a query.
func changedTo(task string, l stockhand.Language, q *analysis.Query) *language.Reading {
	return &language.Reading{Task: task, Language: l, Skill: language.Analyze, Query: q, FollowUp: true,
		Confidence: 1}
}

// pronounOnly reads "а прибыль с него" after figures that are limited to names as "а прибыль": the period and the
// breakdown stay, too (rule R773). It returns nil for any other message.
func (t *talk) pronounOnly(m *message) *language.Reading {
	task, in := m.task, m.in
	if t.done == nil || t.done.Query == nil || len(conditionsOf(t.done)) == 0 || linked(task, in) {
		return nil
	}
	ts := token.Split(task)
	var rest []string
	found := false
	for i, x := range ts {
		next := i+1 < len(ts) && (refer.IsHe(ts[i+1].Norm) || refer.IsThey(ts[i+1].Norm))
		switch {
		case refer.IsHe(x.Norm) || refer.IsThey(x.Norm):
			found = true
		case next && ofHim[x.Norm], x.Punctuation(), conjunctions[x.Norm] && i == 0:
		default:
			rest = append(rest, x.Raw)
		}
	}
	if !found || len(rest) == 0 || len(rest) > 2 {
		return nil
	}
	x := language.Read("а "+strings.Join(rest, " "), in)
	if !complete(&x) || !x.FollowUp || x.Query == nil || slices.ContainsFunc(conditionsOf(t.done),
		func(w analysis.Condition) bool {
			return !slices.ContainsFunc(x.Query.Where, func(o analysis.Condition) bool {
				return o.Field == w.Field && slices.Equal(o.Values, w.Values)
			})
		}) {
		return nil
	}
	x.Task = task
	return &x
}

var ofHim = words.Set("с со по от у на за of from with on")

// inside reads "сладости раскрой" and "что в сладостях" after figures by group as those of the goods of that group
// (rule R774); the same for a customer, a warehouse and such. It returns nil for any other message.
func (t *talk) inside(m *message) *language.Reading {
	task, in := m.task, m.in
	if t.done == nil {
		return nil
	}
	opens := false
	ts := token.Split(task)
	for _, x := range ts {
		opens = opens || openingWords[x.Norm]
	}
	base := t.done.Composed(in.Catalogue)
	if !opens || base.Query == nil || len(base.Query.By) == 0 || slices.Contains(base.Query.By, "product") {
		return nil
	}
	s := t.parts(task, false)
	var name *part
	for i, p := range s.parts {
		switch {
		case isName(p) && name == nil && !p.excludes:
			name = &s.parts[i]
		case p.slots[0] == slot(typed.SpanDimension) && (p.id == "product" || p.id == "document"):
		case p.slots[0] == "unknown" && t.allOpening(s, p):
		default:
			return nil
		}
	}
	if name == nil {
		return nil
	}
	for i, x := range s.ts {
		if (i < name.from || i >= name.to) && !x.Punctuation() && !openingWords[x.Norm] &&
			!aroundOpening[x.Norm] {
			return nil
		}
	}
	x := language.Read("а "+s.words(name.core, name.to)+" по товарам", in)
	if !complete(&x) || !x.FollowUp || x.Query == nil || !slices.Equal(x.Query.By, []string{"product"}) {
		return nil
	}
	x.Task = task
	return &x
}

func (t *talk) allOpening(s *sentence, p part) bool {
	for i := p.from; i < p.to; i++ {
		if !openingWords[s.norm(i)] && !aroundOpening[s.norm(i)] {
			return false
		}
	}
	return true
}

var (
	openingWords = words.Set("раскрой разверни распиши детализируй детально подробнее подробно поподробнее " +
		"подробней что чего какие внутри details detail expand open inside what")
	aroundOpening = words.Set("а и по в во с у на группу группе группа группы товары товарам товаров товар " +
		"именно там внутри покажи дай продали продавали продалось купили берут брали is in the by " +
		"product products show of and out")
)

// comparedWith reads "сравни с августом по прибыли", and "с августом" after a comparison, as the answer before
// compared with that period, and then what else is said (rule R775): the period is no other period of the figures.
func (t *talk) comparedWith(m *message) *language.Reading {
	task, in := m.task, m.in
	if t.done == nil || !t.done.Skill.Reads() {
		return nil
	}
	s := t.parts(task, false)
	compares := slices.ContainsFunc(s.ts, func(x token.Token) bool { return comparisons[x.Norm] })
	if !compares && (t.done.Query == nil || t.done.Query.Compare == nil) && !t.done.Arguments.Compare {
		return nil
	}
	at := slices.IndexFunc(s.parts, func(p part) bool { return p.slots[0] == slot(typed.SpanPeriod) })
	if at < 0 || !withWords[s.norm(s.parts[at].from)] || len(s.ts) > mostWords {
		return nil
	}
	p := s.parts[at]
	var rest []string
	for i, x := range s.ts {
		if (i < p.from || i >= p.to) && !x.Punctuation() && !comparisons[x.Norm] && !leads[x.Norm] {
			rest = append(rest, x.Raw)
		}
	}
	if compares && len(rest) == 0 && comparisons[s.norm(0)] {
		return nil // it is read as it is
	}
	x := language.Read("сравни "+s.words(p.from, p.to), in)
	if compares && len(rest) == 0 && complete(&x) && x.FollowUp {
		x.Task = task
		return &x
	}
	if !complete(&x) || !x.FollowUp || x.Query == nil || x.Query.Compare == nil {
		return nil
	}
	if len(rest) > 0 {
		compare := x.Query.Compare
		in.Previous, in.Rows = &x, nil
		x = language.Read("а "+strings.Join(rest, " "), in)
		if !complete(&x) || !x.FollowUp || x.Query == nil || x.Query.Compare == nil ||
			*x.Query.Compare != *compare {
			return nil
		}
	}
	x.Task = task
	return &x
}

var withWords = words.Set("с со vs versus with against")

// addedPeriod reads "добавь октябрь" after figures of September as those of both months, side by side (rule R776).
func (t *talk) addedPeriod(m *message) *language.Reading {
	task, in := m.task, m.in
	if t.done == nil || !t.done.Skill.Reads() {
		return nil
	}
	s := t.parts(task, false)
	if len(s.parts) != 1 || s.parts[0].slots[0] != slot(typed.SpanPeriod) {
		return nil
	}
	adds := false
	for i, x := range s.ts {
		p := s.parts[0]
		adds = adds || addingPeriod[x.Norm]
		if (i < p.from || i >= p.to) && !x.Punctuation() && !leads[x.Norm] && !addingPeriod[x.Norm] {
			return nil
		}
	}
	base := t.done.Composed(in.Catalogue)
	if !adds || base.Query == nil || base.Query.From == "" || base.Query.Compare != nil {
		return nil
	}
	other := language.Read("а "+s.words(s.parts[0].from, s.parts[0].to), in)
	from, to := periodOf(&other)
	if !complete(&other) || from == "" || to == "" || from == base.Query.From {
		return nil
	}
	q := *base.Query
	q.Compare = &analysis.Comparison{From: from, To: to}
	if q.From < from {
		q.From, q.To, q.Compare = from, to, &analysis.Comparison{From: q.From, To: q.To}
	}
	if !query.Possible(in.Catalogue, q) {
		return nil
	}
	return changedTo(task, base.Language, &q)
}

var addingPeriod = words.Set("добавь добавить прибавь плюс приплюсуй add include plus")

// besideName reads "сравни с витриной" after figures of one name as those of both, side by side (rule R777), and
// "сравни" after one name and then another.
func (t *talk) besideName(m *message) *language.Reading {
	task, in := m.task, m.in
	if t.done == nil || !t.done.Skill.Reads() || !slices.ContainsFunc(token.Split(task),
		func(x token.Token) bool { return comparing[x.Norm] || comparisons[x.Norm] }) {
		return nil
	}
	s := t.parts(task, false)
	base := t.done.Composed(in.Catalogue)
	if len(s.parts) != 1 || !isName(s.parts[0]) || s.parts[0].excludes || base.Query == nil {
		return nil
	}
	p := s.parts[0]
	for i, x := range s.ts {
		if (i < p.from || i >= p.to) && !x.Punctuation() && !leads[x.Norm] && !comparing[x.Norm] &&
			!comparisons[x.Norm] {
			return nil
		}
	}
	other := language.Read("а "+s.words(p.from, p.to), in)
	if withWords[s.norm(p.from)] {
		other = language.Read("а "+s.words(p.from+1, p.to), in)
	}
	if other = other.Composed(in.Catalogue); !complete(&other) || other.Query == nil {
		return nil
	}
	q := *base.Query
	q.Where = slices.Clone(q.Where)
	for i, w := range q.Where {
		k := slices.IndexFunc(other.Query.Where, func(o analysis.Condition) bool {
			return o.Field == w.Field && o.Op == analysis.In && w.Op == analysis.In &&
				!slices.Equal(o.Values, w.Values)
		})
		if _, named := fields[w.Field]; k < 0 || !named {
			continue
		}
		q.Where[i].Values = append(slices.Clone(w.Values), other.Query.Where[k].Values...)
		q.By = []string{w.Field}
		if query.Possible(in.Catalogue, q) {
			return changedTo(task, base.Language, &q)
		}
	}
	return nil
}
