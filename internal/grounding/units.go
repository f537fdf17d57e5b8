package grounding

import "strings"

// kind is what a number counts. Numbers of different kinds are never the same figure, whatever their value.
type kind uint8

const (
	bare     kind = iota // no unit is written
	money                // of a currency, or of one that is not named
	percent              // and percentage points
	quantity             // pieces, kilograms
	count                // goods, orders, documents
	days                 // and weeks, months, years, in days
	top                  // how many of a list were asked for: "top 5"
	times                // "twice as many"
	other                // hours, minutes: nothing that the tools count
)

// unit is a word or sign behind a number.
type unit struct {
	kind     kind
	currency string
	noun     string // of a count: what is counted, in a word of ours
	factor   int64  // of a scale or a span: what the number is multiplied with; 0 for 1
	scale    bool   // thousand, million: a unit may follow
	attached bool   // only right behind the digits, where it cannot be another word
}

// symbols are units that are no words.
var symbols = map[rune]unit{
	'%': {kind: percent}, '‰': {kind: other}, '₽': {kind: money, currency: "RUB"}, '$': {kind: money, currency: "USD"},
	'€': {kind: money, currency: "EUR"},
	'¥': {kind: money, currency: "CNY"}, '₸': {kind: money, currency: "KZT"}, '£': {kind: money, currency: "GBP"},
}

// units are words and abbreviations, whole and in lower case.
var units = map[string]unit{}

// stems are beginnings of words that are inflected, at least this long.
var stems []stem

type stem struct {
	text string
	unit unit
}

func init() { //nolint:gochecknoinits // the tables read better as lists of words
	whole := func(u unit, words string) {
		for w := range strings.FieldsSeq(words) {
			units[w] = u
		}
	}
	begin := func(u unit, words string) {
		for w := range strings.FieldsSeq(words) {
			stems = append(stems, stem{w, u})
		}
	}
	whole(unit{kind: money, currency: "RUB"}, "руб р rub rur rubs")
	begin(unit{kind: money, currency: "RUB"}, "рубл ruble rouble")
	whole(unit{kind: money, currency: "USD"}, "usd")
	begin(unit{kind: money, currency: "USD"}, "доллар dollar")
	whole(unit{kind: money, currency: "EUR"}, "eur euro euros евро")
	whole(unit{kind: money, currency: "CNY"}, "cny rmb")
	begin(unit{kind: money, currency: "CNY"}, "юан yuan")
	whole(unit{kind: money, currency: "KZT"}, "kzt тенге tenge")
	whole(unit{kind: money, currency: "BYN"}, "byn br")
	whole(unit{kind: money, currency: "GBP"}, "gbp")
	begin(unit{kind: other}, "копе kopeck минут minute секунд second")
	whole(unit{kind: other}, "час часа часов hour hours коп мин min сек sec ч ms мс")
	whole(unit{kind: percent}, "пп pp pct")
	begin(unit{kind: percent}, "процент percent")
	whole(unit{kind: days}, "дн день дня дней дню днях днём дням day days сут")
	begin(unit{kind: days}, "сутки суток суткам")
	begin(unit{kind: days, factor: 7}, "недел week")
	whole(unit{kind: days, factor: 30}, "мес")
	begin(unit{kind: days, factor: 30}, "месяц month")
	begin(unit{kind: days, factor: 91}, "квартал quarter")
	whole(unit{kind: days, factor: 365}, "год года лет году year years")
	whole(unit{kind: quantity}, "шт кг г гр л м мл мм см м2 м3 т упак уп ед компл кор пар пара пары pc pcs kg g l ml pk pack packs pair pairs unit units box boxes")
	begin(unit{kind: quantity}, "штук единиц упаков комплект короб ящик пачк тонн литр метр грамм килограмм piece metre meter litre")
	whole(unit{kind: times}, "раз раза times")
	whole(unit{kind: times, attached: true}, "x х")
	begin(unit{scale: true, factor: 1e3}, "тысяч thousand")
	whole(unit{scale: true, factor: 1e3}, "тыс")
	whole(unit{scale: true, factor: 1e3, attached: true}, "k к")
	begin(unit{scale: true, factor: 1e6}, "миллион million")
	whole(unit{scale: true, factor: 1e6}, "млн mln mio")
	begin(unit{scale: true, factor: 1e9}, "миллиард billion")
	whole(unit{scale: true, factor: 1e9}, "млрд bn")
	for noun, words := range map[string]string{
		"goods":     "товар позици наименован артикул модификац вариант sku item good product position variant article",
		"lines":     "строк строч line row запис entr record",
		"orders":    "заказ order",
		"documents": "документ черновик document draft перемещен transfer",
		"sales":     "продаж сделк чек отгруз sale deal shipment",
		"customers": "покупател клиент customer client",
		"partners":  "контрагент counterpart дебитор кредитор debtor creditor",
		"suppliers": "поставщик supplier vendor",
		"stores":    "склад warehouse store",
		"accounts":  "счет счёт счёта касс account",
		"groups":    "групп group categor категор",
		"people":    "сотрудник employee",
		"requests":  "запрос request",
		"channels":  "канал channel",
		"days":      "будн",
	} {
		begin(unit{kind: count, noun: noun}, words)
	}
}

// unitOf reads a word, in lower case.
func unitOf(word string) (unit, bool) {
	if u, ok := units[word]; ok {
		return u, true
	}
	var best stem
	for _, s := range stems {
		if len(s.text) > len(best.text) && strings.HasPrefix(word, s.text) {
			best = s
		}
	}
	return best.unit, best.text != ""
}

// sameNoun tells whether two counts may be of the same things: goods are what the lines of a table are.
func sameNoun(a, b string) bool {
	class := func(n string) string {
		switch n {
		case "goods", "lines":
			return "lines"
		case "customers", "suppliers", "partners":
			return "partners"
		case "documents", "orders":
			return "documents"
		}
		return n
	}
	return a == "" || b == "" || class(a) == class(b)
}

// fits tells whether a number of kind k in a text can be one of kind fact.
func (f *figure) fits(of fact) bool {
	switch {
	case f.kind == bare, f.kind == of.kind:
	case of.kind == bare:
		return f.kind == count || f.kind == quantity || f.kind == top
	case f.kind == count && of.kind == quantity, f.kind == quantity && of.kind == count:
		return f.noun == "goods" || of.noun == "goods"
	case f.kind == top && (of.kind == count || of.kind == quantity):
		return true
	default:
		return false
	}
	if f.kind == money && f.currency != "" && of.currency != "" && f.currency != of.currency {
		return false
	}
	return f.kind != count || sameNoun(f.noun, of.noun)
}

// months are the beginnings of their names.
var months = []string{"январ", "феврал", "март", "апрел", "ма", "июн", "июл", "август", "сентябр", "октябр", "ноябр",
	"декабр",
	"jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"}

var monthNames = func() map[string]int {
	names := map[string]int{}
	for i, endings := range []string{"ь я е ю ём ем", "ь я е ю ём ем", " а е у ом", "ь я е ю ем", "й я е ю ем",
		"ь я е ю ем", "ь я е ю ем", " а е у ом", "ь я е ю ём ем", "ь я е ю ём ем", "ь я е ю ём ем", "ь я е ю ём ем"} {
		for e := range strings.SplitSeq(endings, " ") {
			names[months[i]+e] = i + 1
		}
	}
	for i, full := range strings.Fields(
		"january february march april may june july august september october november december") {
		names[full], names[full[:3]] = i+1, i+1
	}
	names["sept"] = 9
	return names
}()
