package talk

import (
	"slices"

	"github.com/stockhand/stockhand/internal/language"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

var (
	// appending open a message that bounds or narrows the draft before it, and takes nothing's place.
	appending = words.Set("но кроме без исключая окромя не чтобы чтоб кратно кратными округли округляй округлить бюджет " +
		"уложись уложиться уложимся впиши впишись втисни максимум минимум оставь оставьте оставить оставим оставляя " +
		"упаковками пачками коробками ящиками блоками однако главное потолок лимит каждого каждой хотя хоть " +
		"except without but keep leave cap max at budget never not no in round rounded rounding skip excluding limit")
	// leadIn may stand in front of them.
	leadIn = words.Set("и да а ну ой стоп давай только лишь ещё еще при этом ладно хорошо ок окей and also just ok okay " +
		"please then теперь тогда так")
)

// appended reads a message that bounds the draft before it, or leaves something out: "но не ниже себестоимости",
// "кратно 6", "кроме сковородок". Its words are put behind those of the task before, with none left out (rule R532). It
// returns nil if that is not one whole request.
func (t *talk) appended(task string, last *language.Reading) *language.Reading {
	if !last.Skill.Proposes() || last.Question != nil || !appends(task) {
		return nil
	}
	x := t.narrowed(task, nil, last)
	if x == nil || !complete(x) {
		return nil
	}
	return x
}

// appends reports whether a message opens as a bound or an exception, and contrasts nothing: "не 5, а 8".
func appends(task string) bool {
	ts := token.Split(task)
	ts = slices.DeleteFunc(ts, func(x token.Token) bool { return x.Kind == token.Mark && x.Norm != "%" })
	for len(ts) > 1 && leadIn[ts[0].Norm] {
		ts = ts[1:]
	}
	return len(ts) > 1 && appending[ts[0].Norm] && !slices.ContainsFunc(ts[1:], func(x token.Token) bool {
		return x.Norm == "а" || x.Norm == "вместо" || x.Norm == "instead"
	})
}
