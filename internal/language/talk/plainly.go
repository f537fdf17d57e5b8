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
	"github.com/stockhand/stockhand/internal/language/lookup"
	"github.com/stockhand/stockhand/internal/language/refer"
	"github.com/stockhand/stockhand/internal/language/token"
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
	case !rowsOf(rows, "product"):
	case limit > 1:
		return pick(text, "сколько их осталось", "stock of them")
	case rows.Top || limit == 1:
		return pick(text, "сколько его осталось", "stock of them")
	case !token.Split(text)[0].Cyrillic && !rows.More:
		return "stock of them"
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
	asSaid(`«А»сколько (?:это )?(?:будет )?от (всех|всей|общ\p{L}+) (.+)`, "какая доля от $1 $2", ofSales),
	asSaid(`«А»(?:за |в )?прошл\p{L}+ год\p{L}*,? (?:за |в )?(?:эт|т)\p{L}+ же (?:самый |самом )?`+
		`(?:месяц\p{L}*|период\p{L}*|недел\p{L}*|квартал\p{L}*|время|дни|день)`, "а годом раньше", ofPeriod),
	asSaid(`«А»(?:за |в )?(?:эт|т)\p{L}+ же (?:самый |самом )?(?:месяц\p{L}*|период\p{L}*|недел\p{L}*|квартал\p{L}*|`+
		`время|дни|день),? (?:за |в |но )*прошл\p{L}+ год\p{L}*`, "а годом раньше", ofPeriod),
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
	asSaid(`«А»(?:что|какие|какой|сколько)(?: из)? (?:них|этого|этих|этих товаров|этого списка)(?: у нас)? `+
		`(?:есть|имеется|лежит|осталось|остаток) ((?:на|в) .{3,30}?)(?: сейчас)?`, stockOfShown+"$1", rowsOfGoods),
	asSaid(`(?:and )?(?:the )?(average \S+|profit|margin|revenue|stock|receipts|sales|returns|number of \S+) `+
		`(?:at|for|in|by|per|from) each(?: one| of them| store| of those)?`, "and $1", hasRows),
	asSaid(`(?:всмысле|в смысле|тоесть|то есть|вернее|точнее) (.+)`, "$1", nil),
	asSaid(`(?:а|и|ну) (?:за|на|в) (?:ту|тот|то|той|том|те)(?: (?:неделю|неделе|месяц|месяце|год|году|`+
		`день|квартал|квартале|выходные))?`, "а за предыдущий период", ofPeriod),
	asSaid(`(?:нет )?(?:я )?(?:же )?(?:сказал|просил|говорил|написал|спрашивал)\p{L}* ?(?:про )?`+
		`(.+?),? а не .+`, "а $1", nil),
	asSaid(`(.+?),? (?:я )?(?:имею|имел|имела|подразумеваю|подразумевал) ?в ?виду`, "$1", nil),
}

// ofCustomerOrders reports whether an answer was the orders of customers.
func ofCustomerOrders(done *language.Reading) bool {
	var list lookup.Documents
	return done.Skill == language.OverdueOrders || done.Skill == language.Documents && decode(done.Input, &list) &&
		slices.Equal(list.Kinds, []string{"customerorder"})
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
		done.Skill == language.Stock || done.Skill == language.Profitability && done.Arguments.By == "product"
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

// changedTo returns a follow-up that asks a query.
func changedTo(task string, l stockhand.Language, q *analysis.Query) *language.Reading {
	return &language.Reading{Task: task, Language: l, Skill: language.Analyze, Query: q, FollowUp: true,
		Confidence: 1}
}

// pronounOnly reads "а прибыль с него" after figures that are limited to names as "а прибыль": the period and the
// breakdown stay, too (rule R773). It returns nil for any other message.
func (t *talk) pronounOnly(m *message) *language.Reading {
	task, in := m.task, m.in
	ts := token.Split(task)
	if t.done == nil || len(conditionsOf(t.done)) == 0 || t.done.Query == nil && !t.ofKind(ts, in.Rows) ||
		linked(task, in) && !t.ofKind(ts, in.Rows) {
		return nil
	}
	in.Rows = nil
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
	if !complete(&x) || !x.FollowUp || slices.ContainsFunc(conditionsOf(t.done),
		func(w analysis.Condition) bool {
			return !slices.ContainsFunc(conditionsOf(&x), func(o analysis.Condition) bool {
				return o.Field == w.Field && slices.Equal(o.Values, w.Values)
			})
		}) {
		return nil
	}
	x.Task = task
	return &x
}

// ofKind reports whether "него" is goods of a kind, such as the coffee of "сколько продали кофе", and none of its rows.
func (t *talk) ofKind(ts []token.Token, rows *refer.Rows) bool {
	return rows != nil && rows.Dimension == "product" && !rows.Top && len(rows.IDs) > 1 && !isLimited(t.done) &&
		slices.ContainsFunc(ts, func(x token.Token) bool { return refer.IsHe(x.Norm) }) &&
		slices.ContainsFunc(conditionsOf(t.done), func(w analysis.Condition) bool {
			return w.Op == analysis.In && (w.Field == "product" && len(w.Values) > 1 || w.Field == "group")
		})
}

var ofHim = words.Set("с со по от у на за of from with on")
