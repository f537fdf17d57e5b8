package memory

import (
	"regexp"
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/agent/render"
)

// mostLaid is how many sentences are kept.
const mostLaid = 40

// laidIn returns what the person laid down in turns, oldest first, each sentence once.
func laidIn(turns []Turn) []string {
	var all []string
	for _, t := range turns {
		for _, s := range Laid(t.Person) {
			all = append(slices.DeleteFunc(all, func(o string) bool { return strings.EqualFold(o, s) }), s)
		}
	}
	return all[max(0, len(all)-mostLaid):]
}

// Laid returns the sentences of a message that lay something down for what follows: a budget, what to leave alone, how
// things are done in this company. A question lays something down only if it names a bound.
func Laid(message string) []string {
	var out []string
	for _, s := range sentences(message) {
		cue := rules
		if strings.HasSuffix(s, "?") {
			cue = bounds
		}
		if cue.MatchString(s) {
			out = append(out, render.Clip(s, laidSize))
		}
	}
	return out
}

var (
	// bounds are words that bind what follows even in a question
	bounds = words(`бюджет\p{L}*|не трог\p{L}*|не трож\p{L}*|не больше|не более|не дороже|` +
		`budget\p{L}*|at most|no more than|leave .{1,40} alone`)
	rules = words(`бюджет\p{L}*|лимит\p{L}*|не больше|не более|не дороже|максимум|не трог\p{L}*|не трож\p{L}*|` +
		`не (?:за)?заказыва\p{L}*|не закупа\p{L}*|не бер[её]м|не бери\p{L}*|не использ\p{L}*|не предлаг\p{L}*|не перемеща\p{L}*|` +
		`не продава\p{L}*|не считай\p{L}*|не показыва\p{L}*|исключ\p{L}*|кроме|без уч[её]та|всегда|никогда|запомни\p{L}*|` +
		`помни\p{L}*|учти\p{L}*|учитыва\p{L}*|имей\p{L}* в виду|считай\p{L}*|у нас|для нас|нам важн\p{L}*|` +
		`budget\p{L}*|limit\p{L}*|at most|no more than|maximum|do not|don['’]t|never|always|remember|keep in mind|` +
		`exclude|except|ignore|leave .{1,40} alone|we (?:only|usually)|for us`)
	ends = regexp.MustCompile(`[.!?…]+(?:\s|$)|\n+|;\s`)
)

func words(of string) *regexp.Regexp {
	return regexp.MustCompile(`(?i)(?:^|[^\p{L}])(?:` + of + `)(?:[^\p{L}]|$)`)
}

// abbreviated ends what is no sentence yet: "300 тыс."
var abbreviated = regexp.MustCompile(`(?i)(?:^|[^\p{L}])(?:тыс|млн|млрд|руб|р|шт|кг|г|л|т|ул|дн|мес|пр|etc|approx|no)\.$`)

func sentences(message string) []string {
	var out []string
	start := 0
	add := func(end int) {
		if s := oneLine(message[start:end]); s != "" {
			out = append(out, s)
		}
		start = end
	}
	for _, at := range ends.FindAllStringIndex(message, -1) {
		s := message[start:at[1]]
		if !abbreviated.MatchString(strings.TrimSpace(s)) || strings.HasSuffix(s, "\n") {
			add(at[1])
		}
	}
	add(len(message))
	return out
}
