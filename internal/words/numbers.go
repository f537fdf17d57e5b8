package words

import (
	"maps"
	"slices"
	"strings"
	"time"
)

var numerals = func() map[string]int {
	m := Table(map[int]string{
		1: "один одна одно одного одной одному одним одном одну one",
		2: "два две двух двум двумя two", 3: "три трех трем тремя three",
		4: "четыре четырех четырем четырьмя four", 8: "восемь восьми восемью восьмью eight",
		11: "eleven", 12: "twelve", 13: "thirteen", 14: "fourteen", 15: "fifteen", 16: "sixteen", 17: "seventeen",
		18: "eighteen", 19: "nineteen", 20: "twenty", 30: "thirty",
		40: "сорок сорока forty", 50: "пятьдесят пятидесяти fifty", 60: "шестьдесят шестидесяти sixty",
		70: "семьдесят семидесяти seventy", 80: "восемьдесят восьмидесяти eighty",
		90: "девяносто девяноста ninety", 100: "сто ста",
		200: "двести двухсот", 300: "триста трехсот", 400: "четыреста четырехсот", 500: "пятьсот пятисот",
		600: "шестьсот шестисот", 700: "семьсот семисот", 800: "восемьсот восьмисот", 900: "девятьсот девятисот",
	})
	for n, stem := range map[int]string{5: "пят", 6: "шест", 7: "сем", 9: "девят", 10: "десят", 11: "одиннадцат",
		12: "двенадцат", 13: "тринадцат", 14: "четырнадцат", 15: "пятнадцат", 16: "шестнадцат", 17: "семнадцат",
		18: "восемнадцат", 19: "девятнадцат", 20: "двадцат", 30: "тридцат"} {
		m[stem+"ь"], m[stem+"и"], m[stem+"ью"] = n, n, n
	}
	for n, word := range map[int]string{5: "five", 6: "six", 7: "seven", 9: "nine", 10: "ten"} {
		m[word] = n
	}
	return m
}()

// Numeral returns the value of a folded numeral: 1 to 20, tens, and Russian hundreds, in any grammatical case.
func Numeral(word string) (n int, ok bool) {
	n, ok = numerals[word]
	return n, ok
}

var months = func() map[string]time.Month {
	m := map[string]time.Month{}
	for i, w := range []string{"январ:ь я е ю ем| янв", "феврал:ь я е ю ем| фев февр", "март: а е у ом| мар",
		"апрел:ь я е ю ем| апр", "ма:й я е ю ем|", "июн:ь я е ю ем|", "июл:ь я е ю ем|", "август: а е у ом| авг",
		"сентябр:ь я е ю ем| сен сент", "октябр:ь я е ю ем| окт", "ноябр:ь я е ю ем| ноя нояб",
		"декабр:ь я е ю ем| дек"} {
		stem, rest, _ := strings.Cut(w, ":")
		endings, short, _ := strings.Cut(rest, "|")
		for e := range strings.SplitSeq(endings, " ") {
			m[stem+e] = time.Month(i + 1)
		}
		for s := range strings.FieldsSeq(short) {
			m[s] = time.Month(i + 1)
		}
	}
	for i := time.January; i <= time.December; i++ {
		name := strings.ToLower(i.String())
		m[name], m[name[:3]] = i, i
	}
	m["sept"] = time.September
	return m
}()

// MonthOf returns the month that a folded word means, abbreviated or not and in any grammatical case, or 0.
func MonthOf(word string) time.Month { return months[word] }

// Months returns the words for months, in no order.
func Months() []string { return slices.Collect(maps.Keys(months)) }

// TimeUnit is a unit of time.
type TimeUnit uint8

// The units of time.
const (
	NoTime TimeUnit = iota
	Day
	Week
	Month
	Quarter
	HalfYear
	Year
)

// Every case is listed: a stemmer gives "дне" for "дней".
var timeUnits = Table(map[TimeUnit]string{
	Day:      "день дня дней дни дню дням днями днях днем дн сут сутки суток суткам сутками day days",
	Week:     "неделя недели неделю неделе недель неделей неделям неделями неделях нед week weeks wk wks",
	Month:    "месяц месяца месяцу месяцем месяце месяцев месяцы месяцам месяцами месяцах мес month months mo mth",
	Quarter:  "квартал квартала кварталу кварталом квартале кварталов кварталы кв quarter quarters qtr",
	HalfYear: "полугодие полугодия полугодию полугодием полугодии",
	Year:     "год года году годом годе лет годы г гг year years yr yrs",
})

// TimeUnitOf returns the time unit that a folded word means, or NoTime.
func TimeUnitOf(word string) TimeUnit { return timeUnits[word] }

// Days returns the usual number of days in the unit: 30 for a month.
func (u TimeUnit) Days() int {
	return [...]int{Day: 1, Week: 7, Month: 30, Quarter: 90, HalfYear: 180, Year: 365}[u]
}
