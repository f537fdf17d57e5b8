// Package aside answers what is no question about figures: what Stockhand cannot do, thanks, and "show all" or "in
// Excel" after an answer.
package aside

import (
	_ "embed"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/agent/render"
	"github.com/stockhand/stockhand/internal/words"
)

// limit is something that people ask for and Stockhand does not do: what it is, the nearest thing that it does, and one
// task that asks for that.
type limit struct {
	words   *regexp.Regexp // of a task that nothing else reads; nil for none
	ordered *regexp.Regexp // of an order, whatever else it may be read as; nil for none
	unless  *regexp.Regexp // of what is none, although ordered matches; nil for none
	orders  []order        // of an order, in any order of its words
	makes   bool           // ordered says to make something: not if that is a report
	cannot  [2]string
	nearest [2]string
	example [2]string
}

//go:embed limits.txt
var limitsText string

// limits are tried in their order.
var limits, offTopic = readLimits(limitsText)

// readLimits reads limits.txt. It panics on a mistake in it, which the tests find.
func readLimits(text string) (list []limit, offTopic *regexp.Regexp) {
	defined := []string{}
	var x limit
	for line := range strings.Lines(text + "\n") {
		key, value, _ := strings.Cut(strings.TrimRight(line, "\n"), " ")
		pattern := func() *regexp.Regexp { return regexp.MustCompile(strings.NewReplacer(defined...).Replace(value)) }
		more := "" // several lines are alternatives
		if x.ordered != nil {
			more = x.ordered.String() + "|"
		}
		ru, en, _ := strings.Cut(value, " | ")
		switch key {
		case "define":
			name, value, _ := strings.Cut(value, " ")
			defined = append(defined, "{"+name+"}", value)
		case "ordered":
			x.ordered, x.makes = regexp.MustCompile(more+pattern().String()), strings.Contains(value, "{makes}")
		case "unless":
			x.unless = pattern()
		case "order":
			x.orders = append(x.orders, newOrder(strings.NewReplacer(defined...).Replace(value)))
		case "words":
			x.words = pattern()
		case "cannot":
			x.cannot = [2]string{ru, en}
		case "nearest":
			x.nearest = [2]string{ru, en}
		case "example":
			x.example = [2]string{ru, en}
			list, x = append(list, x), limit{}
		case "offtopic":
			offTopic = pattern()
		case "", "#":
		default:
			panic("limits.txt: " + line)
		}
	}
	return list, offTopic
}

// reminded matches a question that begins with "remind me".
var reminded = regexp.MustCompile(`^ (?:\S+ ){0,2}(?:напомни|напомните|remind)(?: мне| нам| me| us)? ` +
	`(?:сколько|как\p{L}+|кто|кому|что|чего|где|когда|почему|how|which|who|what|when|where|why) `)

// reports matches what may be made: a report.
var reports = regexp.MustCompile(` отчет| сводк| списо?к| анализ| таблиц| report| list | summary | table | analysis`)

// asking are the words behind which a verb orders nothing, leads those before an English order.
var (
	asking = words.Set("что чего чему кто кого кому кем какой какая какие каких какую сколько когда почему " +
		"зачем где чем " +
		"куда откуда чтобы чтоб ли отмени what which who whom when why where how show list report")
	leads = words.Set("please pls can could would will you i we want to need us hey hi hello and also just let " +
		"s now then " +
		"the ok okay so kindly")
)

// folded returns the words of a task with one space around each.
func folded(task string) string {
	var b strings.Builder
	b.WriteByte(' ')
	for x := range words.Scan(task) {
		if x.Kind != words.Mark {
			b.WriteString(words.Fold(task[x.Start:x.End]))
			b.WriteByte(' ')
		}
	}
	return b.String()
}

// Ordered answers an order that Stockhand does not carry out; "" if the task is none. It comes before the reader, which
// might read the rest of the order: nothing may be prepared instead.
func Ordered(task string, l stockhand.Language) render.Markdown {
	text := folded(task)
	for _, x := range limits { // what names the verb and what is to be done, in any order
		if slices.ContainsFunc(x.orders, func(o order) bool { return o.in(strings.Fields(text)) }) {
			return x.say(l)
		}
	}
	for _, x := range limits {
		if x.ordered != nil && x.ordered.MatchString(text) && !(x.makes && reports.MatchString(text)) &&
			!reminded.MatchString(text) && (x.unless == nil || !x.unless.MatchString(text)) {
			return x.say(l)
		}
	}
	return ""
}

func (x limit) say(l stockhand.Language) render.Markdown {
	return plain(l.Pick(x.cannot[0], x.cannot[1]) + " " + l.Pick(x.nearest[0], x.nearest[1]) + "\n" +
		example(x.example, l))
}

// Cannot answers a task that no tool answers (rule R293): which part cannot be done, the nearest thing that can, and
// one example.
func Cannot(task string, l stockhand.Language) render.Markdown {
	text := folded(task)
	for _, x := range limits {
		if x.unless == nil && x.ordered != nil && x.ordered.MatchString(text) ||
			x.words != nil && x.words.MatchString(text) {
			return x.say(l)
		}
	}
	if offTopic.MatchString(text) {
		return plain(l.Pick("Это не про учёт, тут я не помощник. Спросите об остатках, продажах, деньгах или заказах.",
			"That is not about your business, so I cannot help. Ask about stock, sales, money or orders."))
	}
	const most = 60
	said := render.Clip(strings.Join(strings.Fields(task), " "), most)
	return plain(fmt.Sprintf(l.Pick("Не понял: «%s». Спросите другими словами: об остатках, продажах, "+
		"деньгах, долгах или заказах.",
		"I do not understand “%s”. Say it in other words: ask about stock, sales, money, debts or orders."), said)) +
		plain("\n"+example([2]string{"продажи за прошлый месяц по товарам", "sales last month by product"}, l))
}

func example(text [2]string, l stockhand.Language) string {
	return fmt.Sprintf(l.Pick("Например: «%s».", "For example: “%s”."), l.Pick(text[0], text[1]))
}

// plain escapes each line of a text.
func plain(text string) render.Markdown {
	lines := strings.Split(text, "\n")
	var out render.Markdown
	for i, line := range lines {
		if i > 0 {
			out += "\n"
		}
		out += render.Plain(line)
	}
	return out
}
