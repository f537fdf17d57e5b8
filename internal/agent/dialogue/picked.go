package dialogue

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/stockhand/stockhand/internal/language/refer"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// Spelled returns the whole task that an answer to a question about a draft stands for, if it is more than the number
// or the words of one option: some options ("1 и 3", "первые два"), all but some ("все, кроме зелёного"), or an option
// with a figure ("второй, 10 штук") (rule R1180). It is empty for any other message.
func (q *Question) Spelled(message string) string {
	if q == nil || len(q.Options) < 2 || q.Chosen(message) != nil || q.ChosenAll(message) != nil ||
		slices.ContainsFunc(q.Options, func(o Option) bool {
			return o.Connection != "" || o.Tool != "" && !strings.Contains(o.Tool, "_propose_")
		}) {
		return ""
	}
	said := strings.Trim(message, " .!")
	if task := q.joined(q.picked(said)); task != "" {
		return task
	}
	head, figure := splitFigure(said)
	task := ""
	if o := q.one(head); o != nil {
		task = o.Text
	} else if figure != "" {
		task = q.joined(q.picked(head))
	}
	if task == "" || figure == "" || token.HasDigit(quotedName.ReplaceAllString(task, "")) { // it has its own figures
		return ""
	}
	end := ofGroup.FindString(task)
	return strings.TrimSpace(strings.TrimSuffix(task, end)) + " " + strings.TrimSpace(figure+" "+end)
}

// one returns the only option that some words pick, and never the one of all goods.
func (q *Question) one(said string) *Option {
	o := q.Chosen(said)
	if o == nil || allFitting.MatchString(o.Text) || everyVariant.MatchString(o.Text) {
		return nil
	}
	return o
}

// picked returns the places of the options that a message picks, if they are more than one.
func (q *Question) picked(said string) []int {
	if q.ChosenAll(said) != nil && q.complete() {
		return q.singles()
	}
	if m := leavesOut().FindStringSubmatch(said); m != nil {
		return q.without(m[1])
	}
	var numbered []int
	count, first := 0, false
	for _, t := range token.Split(said) {
		n, err := strconv.Atoi(t.Norm)
		amount, isAmount := words.Numeral(t.Norm)
		switch {
		case firstOnes[t.Norm]:
			first = true
			continue
		case first && err == nil:
			count = n
			continue
		case isAmount:
			count = amount
			continue
		case err != nil:
			n = refer.Ordinal(t.Norm)
		}
		switch {
		case n > 0 && n <= len(q.Options):
			numbered = append(numbered, n-1)
		case n != 0 || t.Kind != token.Mark && !andWords[t.Norm] && !besideOrdinal[t.Norm]:
			return nil
		}
	}
	singles := q.singles()
	switch {
	case first && len(numbered) == 0 && count > 1 && count <= len(singles):
		return singles[:count] // "первые два" are of the goods, and not the option of all of them
	case !first && count == 0 && len(numbered) > 1:
		return numbered
	}
	return nil
}

// OnlyPicks reports whether a message is nothing but ordinals or several numbers: "первый и третий", "1 и 3".
func OnlyPicks(message string) bool {
	ordinals, numbers := 0, 0
	for _, t := range token.Split(message) {
		_, amount := words.Numeral(t.Norm)
		switch {
		case refer.Ordinal(t.Norm) != 0 || firstOnes[t.Norm]:
			ordinals++
		case t.Kind == token.Number:
			numbers++
		case t.Kind == token.Word && !amount && !andWords[t.Norm] && !besideOrdinal[t.Norm]:
			return false
		}
	}
	return ordinals > 0 || numbers > 1
}

var (
	firstOnes = words.Set("первые первых первым first")
	andWords  = words.Set("и and плюс")
)

// without returns the places of the options of single goods but for those that some words fit; nil if the options are
// not all goods that there are.
func (q *Question) without(said string) []int {
	if !q.complete() {
		return nil
	}
	singles := q.singles()
	out := q.fitting(said)
	if i := q.optionAt(said); i >= 0 {
		out = []int{i}
	}
	kept := slices.DeleteFunc(slices.Clone(singles), func(i int) bool { return slices.Contains(out, i) })
	if len(kept) == 0 || len(kept) == len(singles) {
		return nil
	}
	return kept
}

// complete reports whether the options are all goods that a name fits, and one for all of them.
func (q *Question) complete() bool {
	count := "(" + strconv.Itoa(len(q.singles())) + ")"
	return slices.ContainsFunc(q.Options, func(o Option) bool {
		return allFitting.MatchString(o.Text) && strings.HasSuffix(o.Text, count)
	})
}

// singles returns the places of the options that are of one thing each.
func (q *Question) singles() (list []int) {
	for i, o := range q.Options {
		if !allFitting.MatchString(o.Text) && !everyVariant.MatchString(o.Text) && !ofGroup.MatchString(o.Text) {
			list = append(list, i)
		}
	}
	return list
}

// joined returns one task of several options, which differ only in the name that they have; "" if they differ in more.
func (q *Question) joined(at []int) string {
	if len(at) == 0 {
		return ""
	}
	var names []string
	rest := ""
	for k, i := range at {
		text := q.Options[i].Text
		m := quotedName.FindStringIndex(text)
		if m == nil {
			return ""
		}
		from := m[0] // "20 шт «…»", each with its figure
		if f := figureOfName.FindStringIndex(text[:m[0]]); f != nil {
			from = f[0]
		}
		around := text[:from] + "\x00" + text[m[1]:]
		if k > 0 && around != rest {
			return ""
		}
		rest = around
		names = append(names, text[from:m[1]])
	}
	last := len(names) - 1
	list := strings.Join(names[:last], ", ")
	if and := " и "; last > 0 {
		if !strings.ContainsAny(quotedName.ReplaceAllString(rest, ""), cyrillic) {
			and = " and "
		}
		list += and
	}
	return strings.Replace(rest, "\x00", list+names[last], 1)
}

const cyrillic = "абвгдеёжзийклмнопрстуфхцчшщъыьэюя"

var (
	quotedName = regexp.MustCompile(`[«“][^»”]*[»”]`)
	// figureOfName is a figure right before a name: "20 шт", "20 of".
	figureOfName = regexp.MustCompile(aNumber + `(?:шт\.?|кг|of|pcs)?\s*$`)
	ofGroup      = regexp.MustCompile(`\((?:группа|group)\)$`)
)

// leavesOut matches "все, кроме зелёного".
var leavesOut = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)^(?:(?:все|всё|всех|всем|all|everything|all of them)\s*,?\s*)?` +
		`(?:кроме|без|не считая|except|but|without)\s+(.+)$`)
})

// splitFigure parts "второй, 10 штук" into the words for an option and a figure; the figure is empty for none.
func splitFigure(said string) (head, figure string) {
	if m := figureBehind().FindStringSubmatch(said); m != nil {
		return m[1], m[2]
	}
	if m := figureBefore().FindStringSubmatch(said); m != nil {
		return m[2], m[1]
	}
	return said, ""
}

var (
	figureBehind = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)^(.+?)[\s,:—-]+((?:(?:на|по|до|by|to)\s+)?` + figureWords + `)$`)
	})
	figureBefore = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)^(` + aNumber + `(?:` + pieces + `|кг|kg))\s+(.+)$`)
	})
)

const (
	aNumber     = `\d+(?:[.,]\d+)?\s*`
	pieces      = `шт\.?|штук|штуки|штуку|pcs|pieces`
	figureWords = aNumber + `(?:` + pieces + `|кг|л|м|%|процент\pL*|руб\pL*|р\.?|₽|kg|percent|roubles)?` +
		`(?:\s+(?:каждого|каждой|каждый|each))?`
)
