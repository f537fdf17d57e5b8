package byword

import (
	"cmp"
	"context"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/agent"
	"github.com/stockhand/stockhand/internal/agent/dialogue"
	"github.com/stockhand/stockhand/internal/draft"
	"github.com/stockhand/stockhand/internal/language/act"
	"github.com/stockhand/stockhand/internal/language/courtesy"
	"github.com/stockhand/stockhand/internal/tool"
	"github.com/stockhand/stockhand/internal/words"
)

// shown is a draft that the conversation has shown.
type shown struct {
	stockhand.Draft
	content tool.Draft
	version int64 // the last one shown
	own     bool  // in a turn of the person's own
}

func (x *shown) title() string { return cmp.Or(x.content.Title, string(x.ID)) }

// conversation is what was shown before a message.
type conversation struct {
	open     []*shown           // the drafts that wait, oldest first
	decided  []*shown           // the others, oldest first
	last     []*shown           // those that the last turn showed and that wait
	focus    []*shown           // those that were shown last, if only talk about them followed
	since    int                // how many turns ago the last draft was shown
	own      bool               // the last turn is the person's own
	asks     bool               // the last turn asked a question
	figures  bool               // the last turn showed figures
	unheard  bool               // the last message may be about the draft before it, and changed nothing
	question *dialogue.Question // of this package
	language stockhand.Language // of the last draft
}

// mostRuns is how many turns back a draft may have been shown.
const mostRuns = 30

// conversation reads the drafts that a conversation has shown to those who may see them.
func (s *Service) conversation(ctx context.Context, t agent.Task) (c conversation, err error) {
	if t.Session == "" {
		return s.inHistory(ctx, t)
	}
	runs, err := s.Store.Runs(ctx, t.Actor.Org, t.Session)
	if err != nil {
		return c, err
	}
	runs = runs[max(0, len(runs)-mostRuns):]
	all := map[stockhand.DraftID]*shown{}
	var order []stockhand.DraftID
	for i, r := range runs {
		drafts, question, called, err := s.Agent.Shown(ctx, t.Actor.Org, r.ID)
		if err != nil {
			return c, err
		}
		last := i == len(runs)-1
		if last {
			c.own = r.State == stockhand.RunDone && r.By == t.Actor.Name
			if c.asks = question != nil; c.asks && c.own {
				c.question = question
			}
			if c.unheard, err = s.unheard(ctx, r, called || len(drafts) > 0); err != nil {
				return c, err
			}
		}
		c.figures = called && len(drafts) == 0
		if called || len(drafts) > 0 {
			c.focus = nil
		}
		if c.since++; len(drafts) > 0 {
			c.since = 0
		}
		for _, x := range drafts {
			d := all[x.ID]
			if d == nil {
				if d, err = s.read(ctx, t.Actor, x.ID); err != nil {
					return c, err
				}
				if d == nil {
					continue
				}
				all[x.ID] = d
			}
			d.version, d.own = x.Version, d.own || r.By == t.Actor.Name && r.State == stockhand.RunDone
			order = slices.DeleteFunc(order, func(id stockhand.DraftID) bool { return id == x.ID })
			order = append(order, x.ID)
			if last && d.content.Pending() && !slices.Contains(c.last, d) {
				c.last = append(c.last, d)
			}
			if d.content.Pending() && !slices.Contains(c.focus, d) {
				c.focus = append(c.focus, d)
			}
		}
	}
	for _, id := range order {
		c.add(all[id])
	}
	return c, nil
}

// unheard reports whether a turn did nothing about a message that is no word of assent or thanks. It may have been
// meant to change the draft.
func (s *Service) unheard(ctx context.Context, r stockhand.Run, did bool) (bool, error) {
	if did {
		return false, nil
	}
	m, err := s.Store.Message(ctx, r.Org, r.Message)
	if err != nil {
		return false, err
	}
	switch act.Read(m.Text).Kind {
	case act.Agree, act.Reject, act.Undo, act.Drafts, act.Total, act.Why, act.Details, act.Lost, act.Chart, act.Export,
		act.More, act.All:
		return false, nil
	default:
		said := strings.Trim(words.Fold(m.Text), " .!")
		return !draft.Confirms(m.Text) && !heard[said] && courtesy.ReadSocial(m.Text) == courtesy.NotSocial, nil
	}
}

// heard are messages that only say that an answer was read.
var heard = words.Set("ок окей хорошо понятно ясно угу ага ok okay")

func (c *conversation) add(d *shown) {
	c.language = d.Language
	if d.content.Pending() {
		c.open = append(c.open, d)
	} else {
		c.decided = append(c.decided, d)
	}
}

// read returns a draft if the person may see it, and nil otherwise.
func (s *Service) read(ctx context.Context, actor stockhand.Actor, id stockhand.DraftID) (*shown, error) {
	d, err := s.Drafts.Draft(ctx, actor.Org, id)
	if stockhand.CodeOf(err) == stockhand.CodeNotFound {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if !actor.MaySee(d.By) {
		return nil, nil
	}
	content, err := tool.ReadDraft(d)
	return &shown{Draft: d, content: content}, err
}

// draftLine is the sentence with which an answer shows a draft.
var draftLine = regexp.MustCompile(`(?:Это черновик|This is draft) (drf_[0-9a-z]+), (?:версия|version) (\d+):`)

// inHistory reads the drafts in a history that the caller keeps. It is not trusted: a draft counts only if it is the
// person's own, and if the answer that showed it is stored and the same word for word.
func (s *Service) inHistory(ctx context.Context, t agent.Task) (c conversation, err error) {
	said := slices.DeleteFunc(slices.Clone(t.History), func(m agent.HistoryMessage) bool {
		return m.Author != stockhand.FromAgent
	})
	said = said[max(0, len(said)-mostRuns):]
	all := map[stockhand.DraftID]*shown{}
	var order []*shown
	for i, m := range said {
		for _, found := range draftLine.FindAllStringSubmatch(m.Text, -1) {
			id := stockhand.DraftID(found[1])
			d := all[id]
			if d == nil {
				if d, err = s.read(ctx, t.Actor, id); err != nil {
					return c, err
				}
				if d == nil || d.By != t.Actor.Name {
					continue
				}
				if same, err := s.wasSaid(ctx, d, m.Text); err != nil || !same {
					return c, err
				}
				d.own = true
				all[id] = d
				order = append(order, d)
			}
			d.version, _ = strconv.ParseInt(found[2], 10, 64)
			if i == len(said)-1 && t.History[len(t.History)-1].Author == stockhand.FromAgent && d.content.Pending() {
				c.last, c.focus, c.own = append(c.last, d), append(c.focus, d), true
			}
		}
	}
	for _, d := range order {
		c.add(d)
	}
	if n := len(t.History); n > 0 && t.History[n-1].Author == stockhand.FromAgent {
		c.asks = dialogue.FromText(t.History[n-1].Text) != nil
	}
	return c, nil
}

// wasSaid reports whether a text begins with the stored answer of the run that made a draft.
func (s *Service) wasSaid(ctx context.Context, d *shown, text string) (bool, error) {
	runs, err := s.Store.Runs(ctx, d.Org, d.Session)
	if err != nil {
		return false, err
	}
	for _, r := range runs {
		if r.By != d.By || r.State != stockhand.RunDone {
			continue
		}
		f, err := s.Agent.Finished(ctx, d.Org, r.ID)
		if err != nil {
			return false, err
		}
		if answer := strings.TrimSpace(f.FinalResponse); strings.Contains(answer, string(d.ID)) &&
			strings.HasPrefix(strings.TrimSpace(text), answer) {
			return true, nil
		}
	}
	return false, nil
}

// confirming begins the message of an option that confirms a draft. A typed message is never taken for one.
const confirming = "confirm "

// choosing reports whether a message picks an option of a question of this package.
func (s *Service) choosing(ctx context.Context, t agent.Task) (bool, error) {
	const longest = 200 // bytes
	if t.Session == "" || len(t.Text) > longest {
		return false, nil
	}
	runs, err := s.Store.Runs(ctx, t.Actor.Org, t.Session)
	if err != nil || len(runs) == 0 {
		return false, err
	}
	last := runs[len(runs)-1]
	_, question, _, err := s.Agent.Shown(ctx, t.Actor.Org, last.ID)
	c := conversation{question: question}
	return last.State == stockhand.RunDone && last.By == t.Actor.Name && c.chosen(t.Text) != "", err
}

// chosen returns the message that an option of the last question stands for; "" for none.
func (c *conversation) chosen(text string) string {
	if c.question == nil {
		return ""
	}
	if o := c.question.Chosen(text); o != nil {
		return o.Message
	}
	return ""
}
