package language

import (
	"strings"
	"time"
)

// lengths are the words for lengths of time, in every case of Russian: a stemmer gives "дне" for "дней".
var lengths = func() map[string]length {
	m := map[string]length{}
	for l, words := range map[length]string{
		day:     "день дня дней дни дню дням днями днях дн сутки суток day days",
		week:    "неделя недели неделю неделе недель неделей неделям неделями неделях нед week weeks wk wks",
		month:   "месяц месяца месяцу месяцем месяце месяцев месяцы месяцам мес month months mo mth",
		quarter: "квартал квартала кварталу кварталом квартале кварталов кварталы кв quarter quarters qtr",
		half:    "полугодие полугодия полугодию полугодием полугодии",
		year:    "год года году годом годе лет годы г гг year years yr yrs",
	} {
		for w := range strings.FieldsSeq(words) {
			m[w] = l
		}
	}
	return m
}()

// months are the names of months and their abbreviations.
var months = func() map[string]time.Month {
	m := map[string]time.Month{}
	for i, words := range []string{
		"январь января январе январю январем янв january jan",
		"февраль февраля феврале февралю февралем фев февр february feb",
		"март марта марте марту мартом мар march mar", "апрель апреля апреле апрелю апрелем апр april apr",
		"май мая мае маю маем may", "июнь июня июне июню июнем июн june jun", "июль июля июле июлю июлем июл july jul",
		"август августа августе августу августом авг august aug",
		"сентябрь сентября сентябре сентябрю сентябрем сен сент september sep sept",
		"октябрь октября октябре октябрю октябрем окт october oct",
		"ноябрь ноября ноябре ноябрю ноябрем ноя нояб november nov",
		"декабрь декабря декабре декабрю декабрем дек december dec",
	} {
		for w := range strings.FieldsSeq(words) {
			m[w] = time.Month(i + 1)
		}
	}
	return m
}()

// weekdays are the names of weekdays in the cases that follow "в", "за" and "с".
var weekdays = func() map[string]time.Weekday {
	m := map[string]time.Weekday{}
	for i, words := range []string{
		"воскресенье воскресенья вс sunday", "понедельник понедельника пн monday mon",
		"вторник вторника вт tuesday tue",
		"среда среду среды ср wednesday wed", "четверг четверга чт thursday thu",
		"пятница пятницу пятницы пт friday fri", "суббота субботу субботы сб saturday",
	} {
		for w := range strings.FieldsSeq(words) {
			m[w] = time.Weekday(i)
		}
	}
	return m
}()

// numerals are numbers in words.
var numerals = func() map[string]int {
	m := map[string]int{}
	for n, words := range map[int]string{
		1: "один одну одна одного one", 2: "два две двух пару пара two couple", 3: "три трех three",
		4: "четыре четырех four", 5: "пять пяти five", 6: "шесть шести six",
		7: "семь семи seven", 8: "восемь восьми eight", 9: "девять девяти nine",
		10: "десять десяти десятка десятку десяток ten", 11: "одиннадцать eleven",
		12: "двенадцать двенадцати twelve", 13: "тринадцать тринадцати thirteen", 14: "четырнадцать fourteen",
		15: "пятнадцать пятнадцати fifteen", 16: "шестнадцать sixteen", 17: "семнадцать seventeen",
		18: "восемнадцать eighteen", 19: "девятнадцать nineteen", 20: "двадцать двадцати twenty",
		30: "тридцать тридцати thirty", 40: "сорок forty",
		50: "пятьдесят пятидесяти fifty", 60: "шестьдесят шестидесяти sixty", 70: "семьдесят seventy",
		80: "восемьдесят eighty",
		90: "девяносто ninety", 100: "сто ста hundred",
	} {
		for w := range strings.FieldsSeq(words) {
			m[w] = n
		}
	}
	return m
}()

// ordinals number quarters and half-years.
var ordinals = func() map[string]int {
	m := map[string]int{}
	for n, words := range map[int]string{
		1: "первый первого первое первом первому i first 1st", 2: "второй второго второе втором второму ii second 2nd",
		3: "третий третьего третье третьем iii third 3rd", 4: "четвертый четвертого четвертом iv fourth 4th",
	} {
		for w := range strings.FieldsSeq(words) {
			m[w] = n
		}
	}
	return m
}()

// The small words that hold a period together.
var (
	thisWords     = set("этот эта эту это этой этого этом этому сей текущий текущая текущую текущей текущего текущем this current")
	previousWords = set("прошлый прошлая прошлую прошлой прошлого прошлом прошлым прошлому прошлое предыдущий предыдущая предыдущую предыдущей предыдущего предыдущем предыдущим минувший минувшую минувшей минувшего минувшем прошедший прошедшую прошедшей прошедшего прошедшем last previous prior")
	beforeLast    = set("позапрошлый позапрошлую позапрошлой позапрошлого позапрошлом")
	rollingWords  = set("последний последние последних последнюю последняя последней последнего последнее крайний крайние крайних крайнюю past trailing recent прошедшие прошедших прошлые прошлых предыдущие предыдущих last previous latest")
	nextWords     = set("следующий следующие следующую следующей следующего следующих следующем следующем ближайший ближайшие ближайшую ближайшей ближайших будущий будущую будущей будущего будущем предстоящий предстоящую предстоящие next upcoming coming following")
	overWords     = set("больше более дольше свыше старше over older longer exceeding beyond минимум min от")
	fromWords     = set("с со от from since начиная after после")
	toWords       = set("по до to until till through и and")
	fillers       = set("the of a an в за на in for on at during over самого числа число г года год ходе течение числам")
)
