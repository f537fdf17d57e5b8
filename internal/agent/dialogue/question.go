// Package dialogue recalls what a conversation has said before a turn: the questions that were asked, and what the rows
// of the last table are about.
package dialogue

import (
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/agent/render"
	"github.com/stockhand/stockhand/internal/language/act"
	"github.com/stockhand/stockhand/internal/language/refer"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// Question asks the user to choose. The next message answers it with an option's text or number.
type Question struct {
	Text    string         `json:"text"`
	Code    stockhand.Code `json:"code,omitempty"` // ACCOUNT_REQUIRED if an account must be chosen
	Options []Option       `json:"options"`
}

// Option is an answer to a question, with everything needed to act on it.
type Option struct {
	Text       string                 `json:"text"`
	Tool       string                 `json:"tool,omitempty"`
	Arguments  json.RawMessage        `json:"arguments,omitempty"`
	Connection stockhand.ConnectionID `json:"connection_id,omitempty"`
	Account    stockhand.AccountID    `json:"account_id,omitempty"`
	Message    string                 `json:"message,omitempty"` // that says the same, if the text does not
}

// InWords reports whether the options are answers in words, as a model's are, and not calls or accounts.
func (q *Question) InWords() bool {
	return len(q.Options) > 0 && !slices.ContainsFunc(q.Options, func(o Option) bool {
		return o.Tool != "" || o.Connection != ""
	})
}

// ChosenAll returns all options, if a message picks all of them.
func (q *Question) ChosenAll(message string) []Option {
	if allWords[strings.Join(strings.Fields(strings.Trim(words.Fold(message), " .!,")), " ")] {
		return q.Options
	}
	return nil
}

// AfterAll returns what a message says behind words that pick all options: of "both, by week" the rest; "" if it says
// only that, or something else.
func (q *Question) AfterAll(message string) string {
	words := strings.Fields(message)
	for n := min(len(words)-1, 4); n > 0; n-- {
		if q.ChosenAll(strings.Join(words[:n], " ")) != nil {
			return strings.Join(words[n:], " ")
		}
	}
	return ""
}

var allWords = map[string]bool{"все": true, "обе": true, "оба": true, "и то и другое": true, "и то, и другое": true,
	"все варианты": true, "и то и то": true, "давай все": true, "давай оба": true, "все сразу": true, "all": true,
	"both": true, "all of them": true, "both of them": true, "everything": true, "all of these": true,
	"и первое и второе": true}

// Picks reports whether a message is nothing but the number of an option: "1", "второе".
func Picks(message string) bool {
	many := Question{Options: make([]Option, 20)}
	return many.optionAt(message) >= 0
}

// FromText reads the question at the end of an answer that a caller keeps, whose options are tasks; nil for none.
func FromText(answer string) *Question {
	lines := strings.Split(strings.TrimSpace(answer), "\n")
	var q Question
	for i := len(lines) - 1; i > 0; i-- {
		number, text, ok := strings.Cut(strings.TrimSpace(lines[i]), ". ")
		if n, err := strconv.Atoi(number); !ok || err != nil || n < 1 {
			break
		} else if text = strings.ReplaceAll(text, "\\", ""); n == 1 {
			q.Options = append(q.Options, Option{Text: text})
			slices.Reverse(q.Options)
			q.Text = strings.TrimSpace(lines[i-1])
			return &q
		}
		q.Options = append(q.Options, Option{Text: text})
	}
	return nil
}

// optionAt returns the place of the option that a message names by an ordinal, from 0, or −1: "второе", "the first
// one".
func (q *Question) optionAt(message string) int {
	at, feminine := -1, false
	for _, t := range token.Split(message) {
		n := refer.Ordinal(t.Norm)
		feminine = feminine || n > 0 && (strings.HasSuffix(t.Norm, "ая") || strings.HasSuffix(t.Norm, "ую"))
		if i, err := strconv.Atoi(strings.TrimSuffix(t.Norm, ".")); err == nil {
			n = i
		} else if n == 0 && !besideOrdinal[t.Norm] {
			n, _ = words.Numeral(t.Norm)
		}
		switch {
		case n < 0:
			n += len(q.Options) + 1
			fallthrough
		case n > 0:
			if at >= 0 || n > len(q.Options) || n < 1 {
				return -1
			}
			at = n - 1
			if feminine && n < len(q.Options) && allFitting.MatchString(q.Options[0].Text) {
				at = n // "первая" is the first of the mugs, and not the option of all of them
			}
		case t.Kind != token.Mark && !besideOrdinal[t.Norm]:
			return -1
		}
	}
	return at
}

// everyVariant is the end of the option that takes each variant of a product.
var everyVariant = regexp.MustCompile(`\((?:каждый вариант|each variant|every variant), \d+\)$`)

// allFitting is the end of the option that takes all goods which a name fits.
var allFitting = regexp.MustCompile(`: (?:все подходящие товары|all matching products)(?: \(\d+\))?$`)

var besideOrdinal = words.Set("вариант варианта варианту давай покажи номер пункт под е я й ое ую the option " +
	"number one please пожалуйста выбираю выберу беру возьми возьму хочу show me i choose take pick i'll go " +
	"with no # № " +
	"ну тогда пусть будет лучше скорее наверное а да мне нужен нужно подходит который которое")

// byPart returns the only option whose text has all words of a short message, or the only one of those that has no
// others but the words of all options: "серия АА" is no "серия АА № 2" (rule R1040).
func (q *Question) byPart(message string) *Option {
	found := q.fitting(message)
	if ts := token.Split(message); len(found) > 1 && len(ts) > 1 {
		found = slices.DeleteFunc(found, func(i int) bool {
			return slices.ContainsFunc(q.distinguishing(i), func(w string) bool {
				return !slices.ContainsFunc(ts, func(t token.Token) bool { return t.Norm == w || says(w, t) })
			})
		})
	}
	if len(found) == 1 {
		return &q.Options[found[0]]
	}
	return nil
}

// distinguishing returns the words of an option that some other option does not have.
func (q *Question) distinguishing(i int) []string {
	return slices.DeleteFunc(wordsOf(q.Options[i].Text), func(w string) bool {
		return !slices.ContainsFunc(q.Options, func(o Option) bool {
			return !allFitting.MatchString(o.Text) && !slices.Contains(wordsOf(o.Text), w)
		})
	})
}

// wordsOf returns the words of a text, also of those in quotes.
func wordsOf(text string) (list []string) {
	for _, t := range token.Split(text) {
		switch t.Kind {
		case token.Mark:
		case token.Quoted:
			for _, x := range token.Split(t.Norm) {
				if x.Kind != token.Mark {
					list = append(list, x.Norm)
				}
			}
		default:
			list = append(list, t.Norm)
		}
	}
	return list
}

// says reports whether a word of a message says a word of an option, in any inflection.
func says(w string, t token.Token) bool {
	h := token.Split(w)
	return len(h) == 1 && (h[0].Norm == t.Norm || h[0].Kind == token.Word &&
		(h[0].Stem == t.Stem && t.Stem != "" || inflected(h[0].Norm, t.Norm)))
}

// Narrowed returns the question with only the options that have all words of a short message, if some but not all of
// them do; nil for any other message.
func (q *Question) Narrowed(message string) *Question {
	found := q.fitting(message)
	if len(found) < 2 || len(found) == len(q.Options) {
		return nil
	}
	x := *q
	x.Options = nil
	for _, i := range found {
		x.Options = append(x.Options, q.Options[i])
	}
	return &x
}

// fitting returns the places of the options whose texts have all words of a short message.
func (q *Question) fitting(message string) (found []int) {
	const most = 8
	ts := token.Split(message)
	if len(ts) == 0 || len(ts) > most || strings.Contains(message, "?") {
		return nil
	}
	for i, o := range q.Options {
		if strings.HasSuffix(o.Text, ")") && everyVariant.MatchString(o.Text) {
			continue
		}
		have := token.Split(o.Text)
		missing := slices.ContainsFunc(ts, func(t token.Token) bool {
			if t.Kind == token.Mark || placeWords[t.Norm] && len(ts) > 1 {
				return false
			}
			return !slices.ContainsFunc(have, func(h token.Token) bool {
				return h.Norm == t.Norm || h.Kind == token.Word && (h.Stem == t.Stem || inflected(h.Norm, t.Norm)) ||
					h.Kind == token.Quoted && (strings.Contains(h.Norm, t.Stem) && len([]rune(t.Stem)) > 3 ||
						slices.ContainsFunc(wordsOf(h.Norm), func(w string) bool { return says(w, t) }))
			})
		})
		if !missing {
			found = append(found, i)
		}
	}
	return found
}

// placeWords may stand before the place that an option names: "to Витрина" picks "на склад «Витрина»".
var placeWords = words.Set("на в со с to at the склад магазин warehouse store")

// inflected reports whether two words differ by an ending that the stemmer does not know, as those of surnames.
func inflected(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	const root, ending = 5, 2 // letters
	return strings.HasPrefix(b, a) && len([]rune(a)) >= root && len([]rune(b))-len([]rune(a)) <= ending
}

// yes are the messages that take the only option.
var yes = words.Set("да ага угу давай yes yep ok ок окей sure okay конечно")

// Chosen returns the option that a message picks by its number, its text, or the account's label or ID.
func (q *Question) Chosen(message string) *Option {
	plain := func(s string) string { return strings.TrimRight(strings.TrimSpace(s), ".)!") }
	message = plain(message)
	if n, err := strconv.Atoi(message); err == nil && n >= 1 && n <= len(q.Options) {
		return &q.Options[n-1]
	}
	var named []int // the accounts with that label
	for i, o := range q.Options {
		if strings.EqualFold(plain(o.Text), message) ||
			(o.Account != "" && strings.EqualFold(string(o.Account), message)) ||
			(o.Connection != "" && strings.EqualFold(string(o.Connection), message)) {
			return &q.Options[i]
		}
		label := plain(strings.TrimSuffix(o.Text, " ("+string(o.Account)+")"))
		if o.Account != "" && strings.EqualFold(label, message) {
			named = append(named, i)
		}
	}
	if len(named) == 1 {
		return &q.Options[named[0]]
	}
	if len(q.Options) == 1 && (yes[words.Fold(strings.TrimRight(message, "!, "))] ||
		act.Read(message).Kind == act.Agree && !(sends(message) && q.Options[0].reads())) {
		return &q.Options[0]
	}
	if q.ChosenAll(message) != nil {
		for i, o := range q.Options { // of names that fit several things
			if strings.Contains(o.Text, "все подходящие") || strings.Contains(o.Text, "all matching") {
				return &q.Options[i]
			}
		}
		return nil
	}
	if q.Code == stockhand.CodeAccountRequired {
		message = withoutAccountWords(message)
	}
	if i := q.optionAt(message); i >= 0 {
		return &q.Options[i]
	}
	if o := q.byPart(message); o != nil {
		return o
	}
	return q.byAlternative(message)
}

// byAlternative returns the option that a word of the question itself picks: "товара" after "Поступления товара или
// денег?" (rule R778).
func (q *Question) byAlternative(message string) *Option {
	ts := token.Split(q.Text)
	or := slices.IndexFunc(ts, func(t token.Token) bool { return t.Norm == "или" || t.Norm == "or" })
	if len(q.Options) != 2 || or < 1 {
		return nil
	}
	found := -1
	for _, t := range token.Split(message) {
		unit, _ := words.UnitOf(t.Norm)
		plain := func(x token.Token) bool { return x.Norm == t.Norm }
		if t.Kind == token.Mark && unit.Kind != words.Percent && unit.Kind != words.Money || besideOrdinal[t.Norm] ||
			besideAlternative[t.Norm] || slices.ContainsFunc(ts[:or], plain) && slices.ContainsFunc(ts[or+1:], plain) {
			continue
		}
		same := func(x token.Token) bool {
			u, _ := words.UnitOf(x.Norm)
			return x.Norm == t.Norm || u.Kind == unit.Kind && (u.Kind == words.Percent || u.Kind == words.Money) ||
				x.Kind == token.Word && (x.Stem == t.Stem || moneyWords[x.Norm] && moneyWords[t.Norm])
		}
		at := -1
		switch {
		case same(ts[or-1]):
			at = 0
		case slices.ContainsFunc(ts[or+1:], same):
			at = 1
		}
		if at < 0 || found >= 0 && found != at {
			return nil
		}
		found = at
	}
	if found < 0 {
		return nil
	}
	return &q.Options[found]
}

var (
	besideAlternative = words.Set("я мне про имею имел имела виду в а нас нам интересует интересуют надо нужно " +
		"конечно смысле i mean")
	moneyWords = words.Set("деньги денег деньгам деньгах денежные")
)

// reads reports whether an option shows figures: "отправь" and "подтверждаю" pick none of those.
func (o *Option) reads() bool { return o.Tool != "" && !strings.Contains(o.Tool, "_propose_") }

// sends reports whether a message can only agree to something that is written.
func sends(message string) bool {
	folded := words.Fold(message)
	return slices.ContainsFunc([]string{"отправ", "провод", "проведи", "оформ", "верж", "верди", "confirm", "send",
		"submit"}, func(w string) bool { return strings.Contains(folded, w) })
}

// withoutAccountWords returns the words that tell accounts apart: of "по второму аккаунту" the second.
func withoutAccountWords(message string) string {
	return strings.Join(slices.DeleteFunc(strings.Fields(message), func(w string) bool {
		return accountWords[words.Fold(strings.Trim(w, ",:;"))]
	}), " ")
}

var accountWords = words.Set("аккаунт аккаунта аккаунту аккаунте аккаунтом кабинет кабинета кабинету кабинете " +
	"по про о об для в во на из у давай это ну тогда account accounts for about in of the it's its let's use")

// NotAnswered returns the question to ask after a message that neither answers it nor fits anything that it offers.
func (q *Question) NotAnswered(message string, l stockhand.Language) *Question {
	x := *q
	for _, lead := range notAnswered {
		if _, rest, ok := strings.Cut(x.Text, lead); ok {
			x.Text = rest
		}
	}
	x.Text = l.Pick("Не понял, к чему относится «", "I do not see what “") + strings.Trim(message, " ?.!") +
		l.Pick(notAnswered[0], notAnswered[1]) + x.Text
	return &x
}

// WhichOne returns the question to ask after "yes" to several options.
func (q *Question) WhichOne(l stockhand.Language) *Question {
	x := *q
	lead := l.Pick("Какой из вариантов? Ответьте номером. ", "Which one? Answer with its number. ")
	x.Text = lead + strings.TrimPrefix(x.Text, lead)
	return &x
}

var notAnswered = [2]string{"». Скажите целиком, или выберите. ", "” is about. Say it as one whole task, or choose. "}

// Message returns the question as the run's answer.
func (q *Question) Message() render.Markdown {
	text := render.Plain(q.Text)
	for i, o := range q.Options {
		text += "\n" + render.Markdown(strconv.Itoa(i+1)) + ". " + render.Plain(o.Text)
	}
	return text
}
