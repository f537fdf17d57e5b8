package eval

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// The verdicts on a turn, from best to worst.
const (
	right     = "right"
	sensible  = "sensible question"
	refused   = "refused"
	noticed   = "misread with notice"
	silent    = "misread silently"
	notJudged = "not judged"
)

var verdictsInOrder = []string{right, sensible, refused, noticed, silent, notJudged}

// judged is the verdict on a turn, with what is missing, what was not asked for, and what could not be judged.
type judged struct {
	verdict               string
	missing, extra, doubt []string
	ignores               bool // a draft was prepared although a condition is missing
	late                  bool // what was not applied is named, but below the first line
}

func (j judged) why() string {
	var parts []string
	if len(j.missing) > 0 {
		parts = append(parts, "missing: "+strings.Join(j.missing, "; "))
	}
	if len(j.extra) > 0 {
		parts = append(parts, "not asked for: "+strings.Join(j.extra, "; "))
	}
	if len(j.doubt) > 0 {
		parts = append(parts, "not judged: "+strings.Join(j.doubt, "; "))
	}
	return strings.Join(parts, " · ")
}

// judge compares an answer with the turn's hints.
func judge(x turn, s *seen) judged {
	a := s.answer
	s.kind, s.lenient = x.Kind, x.OkToAsk != nil
	j := s.compare(x)
	drafted := len(a.Drafts) > 0
	switch {
	case len(a.Error) > 0:
		j.verdict = refused
	case a.asks() && !drafted:
		j.verdict = s.question(x)
	case len(s.tools) == 0 && !drafted:
		j.verdict = s.spoken(x, j)
	case len(j.missing) > 0 || len(j.extra) > 0:
		j.verdict = silent
		if said(a.FinalResponse, x.Say) {
			j.verdict, j.late = noticed, !said(a.firstLine(), x.Say)
		}
		j.ignores = drafted && slices.ContainsFunc(j.missing, func(h string) bool {
			return !strings.HasPrefix(h, "measure ") // a draft in place of figures
		})
	case len(j.doubt) > 0:
		j.verdict = notJudged
	default:
		j.verdict = right
	}
	return j
}

func (s *seen) compare(x turn) judged {
	var j judged
	for _, h := range x.Must {
		switch s.hint(h) {
		case no:
			j.missing = append(j.missing, h)
		case unsure:
			j.doubt = append(j.doubt, h)
		case yes:
		}
	}
	for _, f := range s.extra(x.Must, x.Say) {
		j.extra = append(j.extra, strings.TrimSpace(fmt.Sprint(f.kind, " ", f.field, " ", f.op, " ", f.value)))
	}
	return j
}

// question judges a question: it must be acceptable, and one of its options, if it has any, must be what was asked for.
func (s *seen) question(x turn) string {
	q := s.answer.Question
	asked := slices.ContainsFunc(x.Must, func(h string) bool { return strings.Contains(h, "question") })
	if x.OkToAsk == nil && !asked {
		return refused
	}
	if q == nil || len(q.Options) == 0 {
		return sensible
	}
	callable := false
	for _, o := range q.Options {
		if o.Tool == "" {
			continue
		}
		callable = true
		option := look(answered{ToolCalls: []call{{o.Tool, o.Arguments}}, FinalResponse: s.answer.FinalResponse},
			s.before,
			s.state)
		option.partly = x.OkToAsk != nil && oneOf.MatchString(*x.OkToAsk)
		if j := option.compare(x); len(j.missing) == 0 && len(j.extra) == 0 {
			return sensible
		}
	}
	if callable && !asked {
		return refused
	}
	return sensible
}

// spoken judges an answer without figures: a refusal, a word, or an act on a draft.
func (s *seen) spoken(x turn, j judged) string {
	honest := strings.Contains(x.Means, "Honest cannot accepted") && s.answer.refuses() && !s.answer.helps() &&
		!puzzled.MatchString(s.answer.FinalResponse)
	switch {
	case honest:
		return right
	case len(j.missing) > 0:
		return refused
	case len(j.doubt) > 0:
		return notJudged
	}
	return right
}

var (
	notApplied = regexp.MustCompile(`(?i)не учт|не примен|не учит|без учёта|not applied|not taken into account|ignored|` +
		`left out|не понял|not understood`)
	puzzled = regexp.MustCompile(`(?i)не понял|do not understand`)
	quoted  = regexp.MustCompile(`[«“"]([^»”"]+)[»”"]`)
)

// said reports whether an answer names words of the task as not applied.
func said(answer, task string) bool {
	for line := range strings.Lines(answer) {
		if !notApplied.MatchString(line) {
			continue
		}
		for _, m := range quoted.FindAllStringSubmatch(line, -1) {
			if strings.Contains(fold(task), fold(m[1])) {
				return true
			}
		}
	}
	return false
}

// oneOf finds in what may be asked that one of several goods may be offered.
var oneOf = regexp.MustCompile(`(?i)one of|which|did you mean| or `)
