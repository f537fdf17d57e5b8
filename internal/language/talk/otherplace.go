package talk

import (
	"strings"

	"github.com/stockhand/stockhand/internal/language"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// otherPlace returns a message about a draft that says of two places which one is meant, with the conjunction that
// people leave out: "не с Лесной, с Основного" is "не с Лесной, а с Основного" (rule R1137). Any other message is
// returned as it is.
func otherPlace(task string, in language.Input) string {
	p := in.Previous
	if p == nil || !p.Skill.Proposes() {
		return task
	}
	const longest = 12
	ts := token.Split(task)
	i := 0
	for i < len(ts) && (ts[i].Punctuation() || regrets[ts[i].Norm]) {
		i++
	}
	if len(ts) > longest || i+3 >= len(ts) || ts[i].Norm != "не" && ts[i].Norm != "not" || !ofPlaces[ts[i+1].Norm] {
		return task
	}
	for j := i + 3; j+1 < len(ts); j++ {
		if mark := ts[j].Norm; mark != "," && mark != "-" && mark != "—" {
			continue
		}
		if !ofPlaces[ts[j+1].Norm] {
			return task
		}
		and := p.Language.Pick(", а ", ", but ")
		return strings.TrimSpace(task[ts[i].Start:ts[j-1].End]) + and + task[ts[j+1].Start:]
	}
	return task
}

var (
	regrets  = words.Set("ой ох блин нет стоп погоди подожди извини прости ошибся ошиблась oh sorry wait no oops")
	ofPlaces = words.Set("с со из на в во у от from to at")
)
