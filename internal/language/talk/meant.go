package talk

import (
	"regexp"
	"slices"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/language"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// ofWhatWasMeant checks a reading of "что у него брали" and "что из этого не продаётся" once more (rule R997): it must
// be limited to what was shown, whatever the words were reworded to. Otherwise the message is read as it stands, or
// asked about.
func ofWhatWasMeant(task string, r *language.Reading, in language.Input) {
	if in.Previous == nil || !in.Previous.Skill.Reads() || !complete(r) || !r.Skill.Reads() ||
		r.Skill == language.Document || r.Skill == language.Documents || keepsMeant(r, task, in) {
		return
	}
	if own := language.Read(task, in); own.Question != nil && own.FollowUp ||
		complete(&own) && own.Skill.Reads() && keepsMeant(&own, task, in) {
		*r = own
		return
	}
	if x := narrowed(task, r, in); x != nil {
		*r = *x
		return
	}
	if text := ofThisThing.ReplaceAllString(" "+task, " из них$1"); text != " "+task {
		if x := Read(text[1:], in); complete(&x) {
			x.Task = task
			*r = x
			return
		}
	}
	*r = withoutOptions(notSure(*r, task, in.Previous))
}

// keepsMeant reports whether a reading is limited to what the words of a message stand for, if they stand for anything.
func keepsMeant(r *language.Reading, task string, in language.Input) bool {
	one, several := standIns(task)
	if !one && !several {
		return true
	}
	rows := in.Rows
	if rows != nil && mentions(r, slices.Concat(rows.IDs, rows.Names)...) {
		return true
	}
	before, now := conditionsOf(in.Previous), conditionsOf(r)
	if len(before) == 0 {
		return keepsWhole(r, in) && !(one && rows != nil && len(rows.IDs) > 0)
	}
	return !slices.ContainsFunc(before, func(w analysis.Condition) bool {
		return !slices.ContainsFunc(now, func(o analysis.Condition) bool { return o.Field == w.Field })
	})
}

// keepsWhole reports whether a reading is about all that an answer without names showed: a change of it, or its rows.
func keepsWhole(r *language.Reading, in language.Input) bool {
	done, rows := in.Previous, in.Rows
	switch {
	case isLimited(done):
		return false
	case r.Skill == done.Skill:
		return true
	case r.Query == nil || rows == nil:
		return r.FollowUp && r.Query != nil
	}
	return r.FollowUp || slices.Contains(r.Query.By, rows.Dimension)
}

// standIns reports whether a message has a word behind a preposition that stands for one thing that was shown, or for
// several: "у него", "из этих".
func standIns(task string) (one, several bool) {
	ts := token.Split(task)
	for i, t := range ts {
		if i == 0 || t.Kind != token.Word {
			continue
		}
		last := i+1 == len(ts) || ts[i+1].Kind == token.Mark
		switch {
		case behindHim[t.Norm]:
			one = true
		case behindThem[t.Norm], fromThis[ts[i-1].Norm] && thisThing[t.Norm] &&
			(last || words.TimeUnitOf(ts[i+1].Norm) == words.NoTime):
			several = true
		}
	}
	return one, several
}

var (
	behindHim  = words.Set("него нему нее ней")
	behindThem = words.Set("них ними")
	fromThis   = words.Set("из of from among")
	thisThing  = words.Set("этого этих этой these those them it")

	ofThisThing = regexp.MustCompile(`(?i) из (?:всего )?этого([ ?.!,]|$)`)
)
