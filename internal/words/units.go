package words

// UnitKind is what a number with a unit counts. Numbers of different kinds are never the same figure.
type UnitKind uint8

// The kinds of units.
const (
	NoUnit   UnitKind = iota // the word is no unit, or a scale such as "thousand"
	Money                    // of a currency, or of one that is not named
	Percent                  // and percentage points
	Quantity                 // pieces, kilograms
	Count                    // goods, orders, documents
	Days                     // and weeks, months, years, in days
	Times                    // "three times as many"
	Other                    // hours, minutes: nothing that Stockhand counts
)

// Unit is a word or sign behind a number.
type Unit struct {
	Kind     UnitKind
	Currency string // of money: its ISO code
	Noun     string // of a count: what is counted
	Factor   int64  // of a scale or a length of time: what the number is multiplied by; 0 means 1
	Scale    bool   // thousand, million: a unit may follow
	Attached bool   // a unit only right behind the digits, where it cannot be another word
	Measure  bool   // of a quantity: weighed, measured or packed, not counted in pieces
}

var signs = map[rune]Unit{
	'%': {Kind: Percent}, '‰': {Kind: Other}, '₽': {Kind: Money, Currency: "RUB"},
	'$': {Kind: Money, Currency: "USD"}, '€': {Kind: Money, Currency: "EUR"}, '¥': {Kind: Money, Currency: "CNY"},
	'₸': {Kind: Money, Currency: "KZT"}, '£': {Kind: Money, Currency: "GBP"},
}

// SignOf returns the unit that a sign such as % or ₽ stands for.
func SignOf(r rune) (Unit, bool) {
	u, ok := signs[r]
	return u, ok
}

// unitWords are whole words and abbreviations.
var unitWords = Table(map[Unit]string{
	{Kind: Money, Currency: "RUB"}:             "руб р rub rur rubs",
	{Kind: Money, Currency: "USD"}:             "usd",
	{Kind: Money, Currency: "EUR"}:             "eur euro euros евро",
	{Kind: Money, Currency: "CNY"}:             "cny rmb",
	{Kind: Money, Currency: "KZT"}:             "kzt тенге tenge",
	{Kind: Money, Currency: "BYN"}:             "byn br",
	{Kind: Money, Currency: "GBP"}:             "gbp",
	{Kind: Other}:                              "час часа часов hour hours коп мин min сек sec ч ms мс",
	{Kind: Percent}:                            "пп pp pct проц",
	{Kind: Quantity}:                           "шт упак уп ед компл пар пара пары pc pcs pk pack packs pair pairs unit units",
	{Kind: Quantity, Measure: true}:            "кг г гр л м мл мм см м2 м3 т кор kg g l ml cm box boxes case cases crate crates",
	{Kind: Times}:                              "раз раза times",
	{Kind: Times, Attached: true}:              "x х",
	{Scale: true, Factor: 1e3}:                 "тыс",
	{Scale: true, Factor: 1e3, Attached: true}: "k к",
	{Scale: true, Factor: 1e6}:                 "млн mln mio",
	{Scale: true, Factor: 1e9}:                 "млрд bn",
})

// unitStems are the beginnings of inflected words.
var unitStems = Table(map[Unit]string{
	{Kind: Money, Currency: "RUB"}:  "рубл ruble rouble",
	{Kind: Money, Currency: "USD"}:  "доллар dollar",
	{Kind: Money, Currency: "CNY"}:  "юан yuan",
	{Kind: Other}:                   "копе kopeck минут minute секунд second",
	{Kind: Percent}:                 "процент percent",
	{Kind: Quantity}:                "штук единиц упаков комплект пачк piece",
	{Kind: Quantity, Measure: true}: "короб ящик паллет палет тонн литр метр грамм кило metre meter litre liter kilo pallet",
	{Scale: true, Factor: 1e3}:      "тысяч thousand",
	{Scale: true, Factor: 1e6}:      "миллион million",
	{Scale: true, Factor: 1e9}:      "миллиард billion",

	{Kind: Count, Noun: "goods"}:     "товар позици наименован артикул модификац вариант sku item good product position variant article",
	{Kind: Count, Noun: "lines"}:     "строк строч line row запис entr record",
	{Kind: Count, Noun: "orders"}:    "заказ order",
	{Kind: Count, Noun: "documents"}: "документ черновик document draft перемещен transfer",
	{Kind: Count, Noun: "sales"}:     "продаж сделк чек отгруз sale deal shipment",
	{Kind: Count, Noun: "customers"}: "покупател клиент customer client",
	{Kind: Count, Noun: "partners"}:  "контрагент counterpart дебитор кредитор debtor creditor",
	{Kind: Count, Noun: "suppliers"}: "поставщик supplier vendor",
	{Kind: Count, Noun: "stores"}:    "склад warehouse store",
	{Kind: Count, Noun: "accounts"}:  "счет касс account",
	{Kind: Count, Noun: "groups"}:    "групп group categor категор",
	{Kind: Count, Noun: "people"}:    "сотрудник employee",
	{Kind: Count, Noun: "requests"}:  "запрос request",
	{Kind: Count, Noun: "channels"}:  "канал channel",
	{Kind: Count, Noun: "days"}:      "будн",
})

// UnitOf returns the unit that a folded word names. "г" is a gram; for a year ask [TimeUnitOf].
func UnitOf(word string) (Unit, bool) {
	if u, ok := unitWords[word]; ok {
		return u, true
	}
	if t := TimeUnitOf(word); t != NoTime && t != HalfYear {
		return Unit{Kind: Days, Factor: int64(t.Days())}, true
	}
	for i := len(word); i > 0; i-- {
		if u, ok := unitStems[word[:i]]; ok {
			return u, true
		}
	}
	return Unit{}, false
}
