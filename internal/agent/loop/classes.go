package loop

import (
	"slices"
	"strings"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/grounding"
)

// mostListed is how many figures of a class are listed below a text.
const mostListed = 8

// classes lists which figures of an answer were computed, each with its formula, and which are estimates, for clients
// that show only text (rule R471). Figures that were read look like the text; unverified ones have their mark. It
// returns "" if there are neither.
func classes(facts []grounding.Fact, l stockhand.Language) string {
	var computed, estimates []string
	for _, f := range facts {
		switch {
		case f.Class == grounding.ClassComputed && f.Formula != "":
			computed = listOnce(computed, f.Text+" = "+f.Formula)
		case f.Class == grounding.ClassEstimate:
			estimates = listOnce(estimates, f.Text)
		}
	}
	var lines []string
	add := func(title string, all []string) {
		if len(all) == 0 {
			return
		}
		line := title + strings.Join(all[:min(len(all), mostListed)], "; ")
		if len(all) > mostListed {
			line += "; …"
		}
		lines = append(lines, "_"+line+"_")
	}
	add(l.Pick("Посчитано по прочитанному: ", "Computed from what was read: "), computed)
	add(l.Pick("Оценка, а не данные учёта: ", "An estimate, not the account's data: "), estimates)
	return strings.Join(lines, "\n")
}

func listOnce(all []string, s string) []string {
	s = strings.NewReplacer("_", " ", "*", "×", "\n", " ").Replace(s)
	if slices.Contains(all, s) {
		return all
	}
	return append(all, s)
}
