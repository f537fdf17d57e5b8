package typed

import (
	"slices"
	"strconv"
	"strings"

	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// usually reads "обычно" beside a day of the week as an average of these days, and not as the last such day: "сколько
// обычно продаём в субботу" (rule R1116).
func (s *Sentence) usually() {
	if s.Previous != nil {
		return
	}
	var usual, day *Item
	dated := false
	for _, it := range s.Items {
		switch {
		case it.Kind == Average || it.Kind != Named && it.Kind != Measure && s.saysUsual(it):
			usual = it
		case it.Kind == Weekdays:
			day = it
		case it.Kind == Period && day == nil && s.oneWeekday(it):
			day = it
		case it.Kind == Period:
			dated = dated || it.Period.From.Equal(it.Period.To)
		}
	}
	if usual == nil || day == nil || dated {
		return
	}
	usual.Kind = Average
	for _, it := range s.Items {
		if it.Kind == Measure && it.ID == "receipts" { // with an average, it is no average receipt
			it.ID = "receipts_per_day"
		}
	}
	if day.Kind == Period {
		n := int(day.Period.From.Weekday())
		if n == 0 {
			n = 7
		}
		day.Kind, day.ID, day.Period = Weekdays, strconv.Itoa(n), nil
	}
}

func (s *Sentence) saysUsual(it *Item) bool {
	return usualWords[s.Tokens[it.At].Norm] ||
		it.At > 0 && s.Tokens[it.At].Norm == "правило" && s.Tokens[it.At-1].Norm == "как" ||
		it.End-it.At == 2 && s.Tokens[it.At].Norm == "как" && s.Tokens[it.At+1].Norm == "правило"
}

var usualWords = words.Set("обычно обычный обычная обычную обычное обычной традиционно типично типичная типичный " +
	"типичную стабильно usually typically normally typical usual normal")

// oneWeekday reports whether an item is one day that is called by its weekday alone: "в субботу", not "в прошлую
// субботу" or "в эту субботу".
func (s *Sentence) oneWeekday(it *Item) bool {
	if !it.Period.From.Equal(it.Period.To) || it.End-it.At > 2 {
		return false
	}
	named := false
	for _, t := range s.Tokens[it.At:it.End] {
		switch {
		case t.Norm == "в" || t.Norm == "во" || t.Norm == "on" || t.Norm == "за":
		case weekdayStems[t.Stem]:
			named = true
		default:
			return false
		}
	}
	return named
}

var weekdayStems = token.Stems("понедельник вторник среда среду четверг пятница пятницу суббота субботу воскресенье " +
	"monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays saturdays " +
	"sundays")

// hadToDo takes "должны были уехать" for no debt: the verb behind it says what was to be done. A verb of paying says no
// more than the debt: "кто должен заплатить" (rule R1117).
func (s *Sentence) hadToDo() {
	for _, it := range s.Items {
		if it.Kind != Measure || it.ID != "owed_to_us" && it.ID != "owed_by_us" ||
			!mustWords[s.Tokens[it.End-1].Norm] {
			continue
		}
		k := it.End
		for k < len(s.Tokens) && besideMust[s.Tokens[k].Norm] {
			k++
		}
		if k >= len(s.Tokens) || s.Tokens[k].Use != token.Unused || !infinitive(s.Tokens[k].Norm) {
			continue
		}
		says := func(list []string) bool {
			return slices.ContainsFunc(list, func(p string) bool { return strings.Contains(s.Tokens[k].Norm, p) })
		}
		switch i := slices.IndexFunc(s.Items, func(x *Item) bool { return x.At == k && x.End == k+1 }); {
		case says(orderVerbs):
		case !says(payVerbs):
			it.Kind = Unexplained
		case i >= 0 && (s.Items[i].Kind == Unexplained || s.Items[i].Kind == Measure):
			s.Items[i].Kind, s.Items[i].ID = Function, ""
		}
	}
}

func infinitive(w string) bool {
	const shortest = 5
	return len([]rune(w)) >= shortest && (strings.HasSuffix(w, "ть") || strings.HasSuffix(w, "ти") ||
		strings.HasSuffix(w, "чь") || strings.HasSuffix(w, "ться"))
}

var (
	mustWords  = words.Set("должен должна должно должны")
	besideMust = words.Set("был была было были уже еще ещё нам мы вчера сегодня давно")
	payVerbs   = []string{"плат", "отда", "верну", "перевест", "перечисл", "погас", "внест", "скинут", "рассчит",
		"выплат", "закры"}
	orderVerbs = []string{"купи", "заказ", "закупа", "закупи", "заказа"}
)
