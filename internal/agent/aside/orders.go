package aside

import (
	"slices"
	"strings"
)

// order is what a person may order in any words and any order of them: a verb that orders, and words for what.
type order struct {
	verbs  []string   // stems of verbs; of "~" in any form, of "=" as written, and "*" for none
	things [][]string // beginnings of words: one of each list must be there; "_" is a space, "#" a number
	not    []string   // beginnings of words that must not be there
}

// newOrder reads a line of limits.txt: "оформ провед : возврат & клиент ! отчет".
func newOrder(line string) order {
	rest, not, _ := strings.Cut(line, " ! ")
	verbs, things, has := strings.Cut(rest, " : ")
	o := order{verbs: strings.Fields(verbs), not: strings.Fields(not)}
	if !has {
		return o
	}
	for group := range strings.SplitSeq(things, " & ") {
		o.things = append(o.things, strings.Fields(group))
	}
	return o
}

// in reports whether the words of a task say the order. They say none behind a word that asks or shows: "что списать",
// "покажи, что пора списать".
func (o order) in(list []string) bool {
	text := " " + strings.Join(list, " ") + " "
	has := func(beginning string) bool {
		if beginning == "#" {
			return strings.ContainsAny(text, "0123456789")
		}
		return strings.Contains(text, " "+strings.ReplaceAll(beginning, "_", " "))
	}
	if slices.ContainsFunc(o.not, has) || slices.ContainsFunc(o.things, func(group []string) bool {
		return !slices.ContainsFunc(group, has)
	}) {
		return false
	}
	for i, w := range list {
		if asksOrShows(w) {
			return false
		}
		if slices.ContainsFunc(o.verbs, func(verb string) bool { return says(list[:i], w, verb) }) {
			return true
		}
	}
	return false
}

// says reports whether a word behind others orders what a verb of the list says.
func says(before []string, w, verb string) bool {
	switch verb[0] {
	case '*':
		return true
	case '~':
		return strings.HasPrefix(w, verb[1:])
	case '=':
		return w == verb[1:]
	}
	if verb[0] < 0x80 { // English verbs look like nouns, but where an order begins
		return w == verb && !slices.ContainsFunc(before, func(b string) bool { return !leads[b] })
	}
	return strings.HasPrefix(w, verb) && orders(w, w[len(verb):]) && !(len(before) > 0 && before[len(before)-1] == "не")
}

// orders reports whether a Russian verb, of which the end is not its stem, has the form of an order: "спиши",
// "списать", "спишем", and not "списали".
func orders(w, end string) bool {
	w, end = withoutSelf(w), withoutSelf(end)
	if strings.HasSuffix(end, "ли") {
		return false
	}
	ends := func(list ...string) bool {
		return slices.ContainsFunc(list, func(e string) bool { return strings.HasSuffix(w, e) })
	}
	return ends("и", "ите", "й", "йте", "ь", "ьте", "ть", "ти", "чь", "ем", "им") &&
		!ends("ний", "нием", "нии", "кой", "ей", "ый", "ий", "шим", "щим", "ным")
}

// withoutSelf returns a verb without its reflexive ending.
func withoutSelf(w string) string { return strings.TrimSuffix(strings.TrimSuffix(w, "ся"), "сь") }

func asksOrShows(w string) bool {
	return asking[w] || slices.ContainsFunc([]string{"котор", "покаж"},
		func(b string) bool { return strings.HasPrefix(w, b) })
}
