package language

import (
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/language/compose/typed"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// defines answers what a figure means, and shows none: "что такое маржа", "чем отличается остаток от доступно", "what
// does free stock mean" (rule R1128). It reports whether the task asks that.
func (r *reader) defines(out *Reading) bool {
	if len(r.mentions) > 0 || !asksMeaning(r.ts) {
		return false
	}
	var ids []string
	for _, it := range typed.Scan(r.composeInput(r.ts)).Items {
		switch {
		case it.Kind == typed.Measure && r.ts[it.At].Stem == token.StemOf("берется"): // of the question
		case it.Kind == typed.Measure:
			for id := range strings.FieldsSeq(it.ID) {
				if !slices.Contains(ids, id) {
					ids = append(ids, id)
				}
			}
		case it.Kind == typed.Period, it.Kind == typed.Number, it.Kind == typed.Named:
			return false
		case it.Kind == typed.Dimension && it.ID == "store" && !slices.Contains(ids, "stock") && len(ids) > 0:
			ids = append(ids, "stock") // "почему доступно меньше, чем на складе"
		}
	}
	out.Language = languageOf(r.ts, r.in.spoken())
	var lines []string
	for _, id := range ids {
		if m, ok := r.in.Catalogue.Measure(id); ok && m.Formula.In(out.Language) != "" {
			lines = append(lines, out.Language.Pick("«", "“")+m.Title.In(out.Language)+
				out.Language.Pick("» — ", "” is ")+m.Formula.In(out.Language)+".")
		}
	}
	if len(lines) == 0 || len(lines) < 2 && comparesMeanings(r.ts) {
		return false
	}
	out.Outside, out.Confidence, out.Refusal = true, 1, strings.Join(lines, "\n")
	return true
}

// asksMeaning reports whether a task opens with a question for the meaning of a word.
func asksMeaning(ts []token.Token) bool {
	var ws []string
	for i := range ts {
		if ts[i].Kind == token.Word && !(len(ws) == 0 && beforeMeaning[ts[i].Norm]) {
			ws = append(ws, ts[i].Norm)
		}
	}
	said := " " + strings.Join(ws, " ") + " "
	if strings.HasPrefix(said, " what does ") || strings.HasPrefix(said, " what do ") {
		return strings.HasSuffix(said, " mean ") || strings.HasSuffix(said, " mean here ")
	}
	if slices.ContainsFunc(meaningFrames, func(f string) bool { return strings.HasPrefix(said, " "+f+" ") }) {
		return true
	}
	return comparesMeanings(ts) || strings.HasPrefix(said, " how is ") && (strings.HasSuffix(said, " calculated ") ||
		strings.HasSuffix(said, " computed ") || strings.HasSuffix(said, " worked out "))
}

var (
	beforeMeaning = words.Set("а и ну скажи подскажи подскажите объясни объясните поясни поясните расскажи " +
		"напомни мне плиз пожалуйста please explain tell me and so")
	meaningFrames = []string{"что такое", "что значит", "что означает", "что означают", "что за показатель",
		"что за столбец", "что показывает столбец", "что показывает колонка", "что показывает показатель",
		"что подразумевается под", "что понимается под", "как понимать", "как считается", "как считаются",
		"как рассчитывается", "как рассчитываются", "как вычисляется", "как посчитана", "как посчитан",
		"по какой формуле", "откуда берется", "откуда берутся", "what is meant by", "define", "definition of",
		"the meaning of", "meaning of", "how do you calculate", "how do you compute", "how are you calculating"}
)

// comparesMeanings reports whether a task asks how two figures of stock or of money differ in meaning.
func comparesMeanings(ts []token.Token) bool {
	for i := range ts {
		w, next := ts[i].Norm, ""
		if i+1 < len(ts) {
			next = ts[i+1].Norm
		}
		switch {
		case i < 4 && (w == "чем" || w == "what") && (strings.HasPrefix(next, "отлича") || next == "разнится"),
			i < 5 && w == "difference" && next == "between",
			i < 5 && w == "разница" && next == "между":
			return true
		case i < 3 && (w == "почему" || w == "why") && slices.ContainsFunc(ts[i+1:], func(t token.Token) bool {
			return available[t.Norm]
		}) && slices.ContainsFunc(ts[i+1:], func(t token.Token) bool { return unlike[t.Norm] }):
			return true
		}
	}
	return false
}

var (
	available = words.Set("доступно доступный доступного доступных свободно свободный свободного свободных available free")
	unlike    = words.Set("меньше больше отличается отличаются разные разное не less more differs differ different lower")
)
