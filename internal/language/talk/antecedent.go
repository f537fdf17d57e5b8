package talk

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/language"
	"github.com/stockhand/stockhand/internal/language/refer"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// ofAntecedent checks every answer to a message with a word for what was shown, "а они нам должны?", "what is its
// margin", once more, whatever read it (rule R1240): it is limited to the rows that were shown or to what the answer
// before was limited to, or the message is asked about.
func ofAntecedent(task string, r *language.Reading, in language.Input) {
	done := in.Previous
	if done == nil || !done.Skill.Reads() || !r.Skill.Reads() || !standsIn(task) || !loaded(in) && len(r.Unknown) > 0 {
		return
	}
	if r.Question != nil || r.Outside || r.Refusal != "" || r.Skill == language.Document ||
		keepsShown(r, in) && !leavesShownOut(r, in) && !(saysOne(task) && manyOf(r, in)) {
		return
	}
	if x := ofSubject(task, in); x != nil {
		*r = *x
		return
	}
	if x := narrowed(task, r, in); x != nil && complete(x) {
		*r = *x
		return
	}
	own := *r
	own.Unused, own.Ignored = nil, nil
	*r = withoutOptions(notSure(own, task, done))
}

// standsIn reports whether a message has a word that stands for what was shown.
func standsIn(task string) bool {
	ts := token.Split(task)
	for i, x := range ts {
		if x.Kind == token.Word && (standsForShown(x) || i > 0 && subjects[x.Norm]) {
			return true
		}
	}
	return false
}

var subjects = words.Set("it its")

// saysOne reports whether a message has a word for one thing and none for several: "ему", and not "им".
func saysOne(task string) bool {
	ts := token.Split(task)
	return slices.ContainsFunc(ts, func(x token.Token) bool { return refer.IsHe(x.Norm) && !refer.IsThey(x.Norm) }) &&
		!slices.ContainsFunc(ts, func(x token.Token) bool { return refer.IsThey(x.Norm) })
}

// manyOf reports whether a reading is limited to several of the rows that were shown.
func manyOf(r *language.Reading, in language.Input) bool {
	if in.Rows == nil {
		return false
	}
	if in.Previous.Skill.Reads() && keepsAll(r, in.Previous) && len(conditionsOf(in.Previous)) > 0 {
		return false // "плед" is two of them
	}
	n := 0
	for i, id := range in.Rows.IDs {
		if mentions(r, id, in.Rows.Names[i]) {
			n++
		}
	}
	return n > 1
}

// keepsShown reports whether a reading is limited to rows that were shown or to what the answer before was limited to,
// or changes an answer about everything.
func keepsShown(r *language.Reading, in language.Input) bool {
	if in.Rows != nil && mentions(r, slices.Concat(in.Rows.IDs, in.Rows.Names)...) {
		return true
	}
	before, now := conditionsOf(in.Previous), conditionsOf(r)
	if len(before) > 0 { // by its ID or by its name
		return slices.ContainsFunc(before, func(w analysis.Condition) bool {
			return slices.ContainsFunc(now, func(o analysis.Condition) bool {
				return o.Field == w.Field || partnerFields[o.Field] && partnerFields[w.Field]
			})
		})
	}
	var list struct{ Limit int }
	if same(r, in.Previous) || r.Skill == language.Documents && decode(r.ToolInput(), &list) && list.Limit == 1 {
		return true // the last document is what was shown
	}
	return keepsWhole(r, in)
}

// mentions reports whether the input of a reading has rows of a table, or one of some names or IDs.
func mentions(r *language.Reading, values ...string) bool {
	raw, err := json.Marshal(r.ToolInput())
	input := string(raw)
	return err == nil && (strings.Contains(input, `"rows_of"`) || slices.ContainsFunc(values, func(v string) bool {
		return strings.Contains(input, quoted(v))
	}))
}

// ofSubject reads a message with a word for what was shown as one about the only thing that the answer before was
// limited to: "do they owe us anything" after the goods that Alfa buys is about Alfa (rule R1240). It returns nil if
// there is none, or if the message cannot be about it.
func ofSubject(task string, in language.Input) *language.Reading {
	var one *refer.Rows
	for _, w := range conditionsOf(in.Previous) {
		if w.Op != analysis.In || len(w.Values) != 1 {
			continue
		}
		if one != nil {
			return nil
		}
		one = &refer.Rows{Dimension: w.Field, IDs: []string{string(w.Values[0])}, Names: []string{string(w.Values[0])}}
	}
	if one == nil || in.Rows != nil && slices.Equal(in.Rows.IDs, one.IDs) ||
		len(one.Refer(token.Split(task))) == 0 {
		return nil
	}
	in.Rows = one
	x := Read(task, in)
	if !complete(&x) || !x.Skill.Reads() || !mentions(&x, one.IDs...) {
		return nil
	}
	return &x
}
