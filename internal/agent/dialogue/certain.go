package dialogue

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/language"
	"github.com/stockhand/stockhand/internal/language/harmless"
)

// Certain reports whether a reading may be answered without asking a configured model: it calls a tool, uses every
// word of the task, and there is no second reading (rule R325). A follow-up is for the model, which knows what it
// said, and so is a search, for which any words will do. The task must have been read with a catalogue: otherwise its
// words are not accounted for.
func Certain(r language.Reading) bool {
	return r.Skill.Calls() && r.Skill != language.FindProducts && r.Question == nil && !r.Outside && !r.FollowUp &&
		len(Unknown(r)) == 0 &&
		len(r.Ignored) == 0 && len(r.Unused) == 0
}

// Unknown returns the phrases that may be names. Function words alone, such as the first of "что заказать", are none
// unless they stand where a name must.
func Unknown(r language.Reading) (all []language.Phrase) {
	for _, p := range r.Unknown {
		if p.Named || slices.ContainsFunc(strings.Fields(p.Words), func(w string) bool {
			return !harmless.Words[strings.ToLower(w)]
		}) {
			all = append(all, p)
		}
	}
	return all
}

// The limits of a hint.
const (
	maxReadings  = 3
	maxHintCall  = 600 // bytes of one call
	maxHintWords = 10
)

// Hint tells a model how the reader understood a task: the calls that it would make, the best first, and the words that
// it did not understand (rule R325). Empty if it understood nothing.
func Hint(r language.Reading, prefix string) string {
	var b strings.Builder
	add := func(s language.Skill, input any) {
		raw, err := json.Marshal(input)
		if s.Calls() && err == nil && len(raw) <= maxHintCall {
			b.WriteString("- " + prefix + string(s) + " " + string(raw) + "\n")
		}
	}
	switch {
	case r.Outside:
	case r.Question != nil:
		for i, o := range r.Question.Options {
			if i < maxReadings {
				add(o.Skill, o.ToolInput())
			}
		}
	default:
		add(r.Skill, r.ToolInput())
	}
	if b.Len() == 0 {
		return ""
	}
	var unclear []string
	for _, p := range Unknown(r) {
		unclear = append(unclear, p.Words)
	}
	for _, m := range r.Ignored {
		unclear = append(unclear, m.Words)
	}
	unclear = append(unclear, r.Unused...)
	if len(unclear) > 0 {
		b.WriteString("Not understood by it: " + strings.Join(unclear[:min(len(unclear), maxHintWords)], "; ") + "\n")
	}
	return "[Stockhand's own reader, which knows fewer words than you, would call:\n" + b.String() +
		"Use it if it fits the message; correct what it missed.]"
}
