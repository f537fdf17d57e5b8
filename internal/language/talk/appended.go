package talk

import (
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/language"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

var (
	// excepting open a message that leaves something out of the draft before it. They are never read without.
	excepting = words.Set("кроме без исключая окромя не исключи исключить убери убрать выкинь вычеркни пропусти " +
		"except without skip excluding not never drop remove exclude")
	// appending open one that bounds it, and takes nothing's place.
	appending = words.Set("но чтобы чтоб кратно кратными округли округляй округлить бюджет уложись уложиться " +
		"уложимся впиши впишись втисни максимум минимум оставь оставьте оставить оставим оставляя упаковками " +
		"пачками коробками ящиками блоками однако главное потолок лимит каждого каждой хотя хоть but keep leave " +
		"cap max at budget no in round rounded rounding limit")
	denials = words.Set("не без кроме not no never without except")
	// leadIn may stand in front of them.
	leadIn = words.Set("и да а ну ой стоп давай только лишь ещё еще при этом ладно хорошо ок окей and also just ok " +
		"okay please then теперь тогда так")
)

// appended reads a message that bounds the draft before it, or leaves something out: "но не ниже себестоимости",
// "кратно 6", "кроме сковородок". Its words are put behind those of the task before, with none left out (rule R532).
// What leaves something out and makes no whole request is asked about: the other ways to read a follow-up would lose
// the word that says so.
func (t *talk) appended(task string, own, last *language.Reading) *language.Reading {
	adds, strict := appends(task)
	if !last.Skill.Proposes() || last.Question != nil || !adds {
		return nil
	}
	x := t.narrowed(excepted(task, last), nil, last)
	switch {
	case x != nil && (complete(x) || strict && asks(x)):
		return x
	case strict && !complete(own):
		y := notSure(*own, task, last)
		y.Skill, y.Question.Options = last.Skill, nil
		if rest, how := restricts(task, last); how == goodsLeftOut && !opensWithOrdinal(task) {
			y.Question.Text = noLine(own.Language, rest)
		}
		return &y
	case strict:
		y := notSure(*own, task, last)
		return &y
	}
	return nil
}

// excepted writes "исключи сладости" as "кроме сладости", which requests say, too.
func excepted(task string, last *language.Reading) string {
	ts := slices.DeleteFunc(token.Split(task), func(x token.Token) bool { return x.Punctuation() })
	if n := len(ts); n > 2 && ts[n-2].Norm == "не" { // "и кофе не надо"
		first := 0
		for first < n-3 && (leadIn[ts[first].Norm] || also[ts[first].Norm]) {
			first++
		}
		return "кроме " + task[ts[first].Start:ts[n-3].End]
	}
	if i := leftAlone(ts); i > 0 { // "какао не трогай и цикорий"
		first := 0
		for first < i-1 && (leadIn[ts[first].Norm] || also[ts[first].Norm]) {
			first++
		}
		return "кроме " + task[ts[first].Start:ts[i-1].End] + " " + strings.TrimSpace(task[ts[i+1].End:])
	}
	task = withoutLines(task)
	if said := takenOut(task); said != "" {
		return last.Language.Pick("кроме ", "except ") + said
	}
	for _, x := range token.Split(task) {
		if excluding[x.Norm] {
			return task[:x.Start] + last.Language.Pick("кроме", "except") + task[x.End:]
		}
		if !leadIn[x.Norm] && !x.Punctuation() {
			break
		}
	}
	return task
}

// withoutLines leaves out a last word for lines of a draft: "drop the cheese lines".
func withoutLines(task string) string {
	ts := token.Split(task)
	for len(ts) > 0 && ts[len(ts)-1].Punctuation() {
		ts = ts[:len(ts)-1]
	}
	if n := len(ts); n > 2 && ofLines[ts[n-1].Norm] && ts[n-2].Kind != token.Number {
		return strings.TrimSpace(task[:ts[n-1].Start])
	}
	return task
}

var ofLines = words.Set("lines line rows row positions entries строки строку строчки позиции позицию")

// takenOut returns what "take the cheese out" leaves out; empty for any other message.
func takenOut(task string) string {
	ts := slices.DeleteFunc(token.Split(task), func(x token.Token) bool { return x.Punctuation() })
	for len(ts) > 1 && leadIn[ts[0].Norm] {
		ts = ts[1:]
	}
	n := len(ts)
	if n < 3 || !takes[ts[0].Norm] || ts[n-1].Norm != "out" && ts[n-1].Norm != "off" {
		return ""
	}
	return task[ts[1].Start:ts[n-2].End]
}

var takes = words.Set("take leave cut get pull keep")

// leftAlone returns the place of "не" in "не трогай" behind what is left out, with more of that behind it; 0 for none.
func leftAlone(ts []token.Token) int {
	for i := 1; i+2 < len(ts); i++ {
		if ts[i].Norm == "не" && unwanted[ts[i+1].Norm] && (ts[i+2].Norm == "и" || ts[i+2].Norm == ",") {
			return i
		}
	}
	return 0
}

var also = words.Set("тоже также вообще")

var excluding = words.Set("исключи исключить убери убрать выкинь вычеркни пропусти skip drop remove exclude")

// appends reports whether a message opens as a bound or an exception and contrasts nothing, as "не 5, а 8" does;
// strict: it denies or leaves out.
func appends(task string) (adds, strict bool) {
	ts := slices.DeleteFunc(token.Split(task), func(x token.Token) bool {
		return x.Punctuation()
	})
	for len(ts) > 1 && leadIn[ts[0].Norm] {
		ts = ts[1:]
	}
	if len(ts) < 2 || slices.ContainsFunc(ts[1:], func(x token.Token) bool {
		return x.Norm == "а" || x.Norm == "вместо" || x.Norm == "instead"
	}) {
		return false, false
	}
	if takenOut(task) != "" {
		return true, true
	}
	first, second := ts[0].Norm, ts[1].Norm
	last := len(ts) - 1
	behind := last > 0 && ts[last-1].Norm == "не" && ts[last].Kind == token.Word || leftAlone(ts) > 0 // "ножи не трогай"
	switch {
	case first == "не" && (second == "надо" || second == "нужно"), first == "not" && second == "so":
		return len(ts) > 2, len(ts) > 2
	case excepting[first], appending[first] && denials[second], behind:
		return true, true
	}
	return appending[first], false
}
