package language

import (
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// imperative reports whether a word of one of the concepts begins a clause as an order: only padding precedes it.
func (r *reader) imperative(concepts ...concept) bool {
	for _, f := range r.found {
		if !slices.Contains(concepts, f.Meaning) {
			continue
		}
		i := f.At[0]
		last := f.At[len(f.At)-1]
		if next := r.normAt(last + 1); nounAfter[next] || f.Meaning == conceptBuy && ofBuying[next] ||
			f.Meaning != conceptBuy && toMe[next] {
			continue
		}
		if r.opens(i) {
			return true
		}
	}
	return false
}

// nounAfter are words that turn the English verb before them into a noun: "order list", "purchase report".
var nounAfter = words.Set("list lists recommendations recommendation suggestions plan plans needs proposal " +
	"volume report reports status statuses point points history summary analysis overview book total totals " +
	"abc date dates count counts value values sum sums size sizes")

// ofBuying are words that do so behind a verb of buying only: "purchase price", but not "raise prices".
var ofBuying = words.Set("price prices cost costs")

// toMe are words after which a verb of carrying asks for an answer and not for goods: "send me the report".
var toMe = words.Set("me us мне нам through")

// padding are the words that may precede an order.
var padding = words.Set("нужна нужен пожалуйста плиз пож ну а и давай давайте мне нам ты можешь можете " +
	"сможешь надо нужно хочу прошу будь добр слушай привет здравствуйте добрый день так же тогда please pls " +
	"can could would you kindly i want to need us hey hi hello now then and also go ahead just let let's " +
	"lets бы еще быстро быстренько срочно ка теперь потом затем then okay ok окей")

func (r *reader) opens(i int) bool {
	for j := i - 1; j >= 0; j-- {
		t := &r.ts[j]
		if t.Kind == token.Mark {
			if strings.Contains(",.!;:-", t.Norm) {
				return true
			}
			continue
		}
		if t.Norm == "and" || t.Norm == "и" || t.Norm == "then" {
			return !r.asks(j)
		}
		if !padding[t.Norm] {
			return false
		}
	}
	return true
}

// asks reports whether the words before token j ask a question: "что заканчивается и что заказать".
func (r *reader) asks(j int) bool {
	for i := range j {
		switch r.ts[i].Norm {
		case "что", "чего", "какие", "какой", "сколько", "what", "which", "how":
			return true
		}
	}
	return false
}
