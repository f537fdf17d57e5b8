package words

// UnitKind is what a number with a unit measures. Figures of different kinds are never equal.
type UnitKind uint8

// The kinds of units.
const (
	NoUnit   UnitKind = iota // not a unit, or a scale such as "thousand"
	Money                    // of a known or unspecified currency
	Percent                  // includes percentage points
	Quantity                 // pieces, kilograms
	Count                    // goods, orders, documents
	Days                     // includes weeks, months and years, in days
	Times                    // "three times as many"
	Other                    // hours, minutes: units that Stockhand does not use
)

// Unit is a word or sign after a number.
type Unit struct {
	Kind     UnitKind
	Currency string // for money: ISO code
	Noun     string // for a count: what is counted
	Factor   int64  // for a scale or time unit: the multiplier; 0 means 1
	Scale    bool   // thousand, million: a unit may follow
	Attached bool   // a unit only directly after the digits, because it may also be another word
	Measure  bool   // for a quantity: weighed, measured or packed, not counted in pieces
}

var signs = map[rune]Unit{
	'%': {Kind: Percent}, '‰': {Kind: Other}, '₽': {Kind: Money, Currency: "RUB"},
	'$': {Kind: Money, Currency: "USD"}, '€': {Kind: Money, Currency: "EUR"}, '¥': {Kind: Money, Currency: "CNY"},
	'₸': {Kind: Money, Currency: "KZT"}, '£': {Kind: Money, Currency: "GBP"},
}

// SignOf returns the unit of a sign such as % or ₽.
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
	{Kind: Quantity}:                "штук единиц упаков комплект пачк пачек баночк банок бутыл пакетик рулон флакон bottle piece",
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

// UnitOf returns the unit that a folded word means. "г" is a gram; [TimeUnitOf] reads it as a year.
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
