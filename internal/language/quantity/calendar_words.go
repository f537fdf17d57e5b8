package quantity

import (
	"time"

	"github.com/stockhand/stockhand/internal/words"
)

// weekdays are the names of weekdays in the grammatical cases used after "в", "за" and "с".
var weekdays = words.Table(map[time.Weekday]string{
	time.Sunday:    "воскресенье воскресенья воскресенью воскресеньем вс sunday",
	time.Monday:    "понедельник понедельника понедельнику понедельником пн monday mon",
	time.Tuesday:   "вторник вторника вторнику вторником вт tuesday tue tues",
	time.Wednesday: "среда среду среды среде средой ср wednesday wed weds",
	time.Thursday:  "четверг четверга четвергу четвергом чт thursday thu thur thurs",
	time.Friday:    "пятница пятницу пятницы пятнице пятницей пт friday fri",
	time.Saturday:  "суббота субботу субботы субботе субботой сб saturday",
})

// informalNumbers are colloquial numerals that occur only in tasks.
var informalNumbers = words.Table(map[int]string{2: "пару пара двое двоих couple", 3: "тройка тройку тройки трое троих",
	4: "четверка четверку четверо четверых", 5: "пяток пятка пятерка пятерку пятеро пятерых",
	10: "десятка десятку десяток десятком", 20: "двадцатка двадцатку", 30: "тридцатка тридцатку",
	12: "дюжина дюжины дюжину", 50: "полсотни полста полтинник полтинника полтинником",
	100: "hundred сотня сотни сотню сотка сотки сотку соткой", 500: "пятихатка пятихатки пятихатку пятисотка пятисотки"})

// Numeral returns the number that a word of a task means, or 0.
func Numeral(w string) int {
	if n, ok := words.Numeral(w); ok {
		return n
	}
	return informalNumbers[w]
}

// ordinals number quarters and half-years.
var ordinals = words.Table(map[int]string{
	1: "первый первая первую первой первого первое первом первому i first 1st", 2: "второй вторая вторую второго второе втором второму ii second 2nd",
	3: "третий третья третью третьей третьего третье третьем iii third 3rd", 4: "четвертый четвертая четвертую четвертой четвертого четвертом iv fourth 4th",
})

// The function words of periods.
var (
	thisWords = words.Set("этот эта эту это этой этого этом этому сей текущий текущая текущую текущей " +
		"текущего текущем this current")
	previousWords = words.Set("прошлый прошлая прошлую прошлой прошлого прошлом прошлым прошлому прошлое " +
		"предыдущий предыдущая предыдущую предыдущей предыдущего предыдущем предыдущим минувший минувшую " +
		"минувшей минувшего минувшем прошедший прошедшую прошедшей прошедшего прошедшем истекший истекшую " +
		"истекшего истекшем last previous prior")
	thatWords  = words.Set("тот ту той том того та")
	beforeLast = words.Set("позапрошлый позапрошлую позапрошлой позапрошлого позапрошлом " +
		"позапрошлое позапрошлым позапрошлому позапрошлая")
	rollingWords = words.Set("последний последние последних последнюю последняя последней последнего " +
		"последнее крайний крайние крайних крайнюю past trailing recent прошедшие прошедших прошлые прошлых " +
		"предыдущие предыдущих last previous latest")
	nextWords = words.Set("следующий следующие следующую следующей следующего следующих следующем " +
		"следующем ближайший ближайшие ближайшую ближайшей ближайших будущий будущую будущей будущего " +
		"будущем предстоящий предстоящую предстоящие next upcoming coming following")
	overWords = words.Set("больше более дольше свыше старше over older longer exceeding beyond минимум min от")
	fromWords = words.Set("с со от from since начиная after после")
	toWords   = words.Set("по до to until till through и and")
	fillers   = words.Set("the of a an в за на in for on at during over самого числа число г года год " +
		"ходе течение числам")
)

func IsCalendarWord(w string) bool {
	return words.TimeUnitOf(w) != noLength || MonthOf(w) != 0 || Numeral(w) != 0 || ordinals[w] != 0 ||
		thisWords[w] ||
		previousWords[w] || IsWeekday(w) || overWords[w] || rollingWords[w] || nextWords[w] || beforeLast[w] ||
		relativeDays[w]
}

var relativeDays = words.Set("yday yest зимой весной летом осенью сегодня вчера позавчера завтра today " +
	"yesterday tomorrow выходные выходных выходным выходными weekend weekends полгода fortnight ytd mtd qtd начала начало конец " +
	"конца вперед назад ago ahead")

// IsWeekday reports whether a word names a weekday.
func IsWeekday(w string) bool { _, ok := weekdays[w]; return ok }

// Weekday returns the weekday that a word names; false if it names none.
func Weekday(w string) (time.Weekday, bool) { d, ok := weekdays[w]; return d, ok }
