package talk

import (
	"regexp"

	"github.com/stockhand/stockhand/internal/language"
	"github.com/stockhand/stockhand/internal/language/compose/typed"
)

// thatSpan are words for the period that was spoken of: "прибыль за него", "за то же время".
var thatSpan = regexp.MustCompile(`(?i)(^| )(?:за (?:него|нее|неё|это время|этот период|это же время|то же время|тот же период|` +
	`тот же срок|этот же период)|for (?:it|that time|that period|the same time|the same period))([ ?.!,]|$)`)

// withSpan returns a message with the period of the last message in place of such words, if that one was not answered
// with figures of its own, such as one that was refused (rule R1045). Any other message is returned as it is.
func withSpan(task string, in language.Input) string {
	m := thatSpan.FindStringSubmatchIndex(task)
	if m == nil || len(in.Earlier) == 0 {
		return task
	}
	last := in.Earlier[len(in.Earlier)-1]
	if in.Previous != nil && in.Previous.Task == last {
		return task
	}
	alone := in
	alone.Previous, alone.Rows, alone.Earlier = nil, nil, nil
	s := (&talk{in: alone}).parts(last, true)
	span := ""
	for _, p := range s.parts {
		if p.slots[0] == slot(typed.SpanPeriod) {
			if span != "" {
				return task
			}
			span = s.words(p.from, p.to)
		}
	}
	if span == "" {
		return task
	}
	return task[:m[3]] + span + task[m[4]:]
}
