package agent

import (
	"context"
	"slices"
	"strings"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/agent/aside"
	"github.com/stockhand/stockhand/internal/agent/dialogue"
	"github.com/stockhand/stockhand/internal/agent/render"
	"github.com/stockhand/stockhand/internal/agent/results"
	"github.com/stockhand/stockhand/internal/agent/toolbox"
	"github.com/stockhand/stockhand/internal/language"
	"github.com/stockhand/stockhand/internal/language/act"
	"github.com/stockhand/stockhand/internal/language/talk"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/tool"
)

// Question asks the user to choose. The next message answers it with an option's text or number.
type Question = dialogue.Question

// Option is an answer to a question, with everything needed to act on it.
type Option = dialogue.Option

// before returns what the session has said before this turn.
func (t *turn) before(ctx context.Context, in language.Input) (dialogue.Past, error) {
	past, runs, err := dialogue.Recall(ctx, t.store, t.org, t.message.ID, func(name string) bool {
		from, _, _ := strings.Cut(name, "_") // a tool's name starts with its connector's
		return name == toolbox.QueryName || name == toolbox.ComputeName ||
			t.kind(stockhand.Connection{Connector: from}).ToolsOnly
	})
	if err == nil && runs == 0 {
		return t.beforeInHistory(ctx, in)
	}
	return past, err
}

// readRows reads what the rows of the last tables are about, if the session's employee may read them.
func (t *turn) readRows(ctx context.Context, s *subject, past dialogue.Past) error {
	i := slices.IndexFunc(s.connections, func(c stockhand.Connection) bool { return c.ID == t.session.Connection })
	if i < 0 {
		if len(accountsOf(s.connections)) == 1 { // the names in a history that the caller keeps
			s.input.Rows = dialogue.Meant(s.task, past.Shown)
		}
		return nil
	}
	c := s.connections[i]
	reader := results.Reader{Account: c.Account, Employee: c.Employee, Login: c.Login}
	var tables []dialogue.Shown
	for i, shown := range past.Tables {
		kept, err := t.store.Result(ctx, t.org, shown.Result)
		if err != nil || kept.Expired {
			return err
		}
		table, err := tool.ReadTable(kept, t.store.ResultRows(ctx, t.org, shown.Result, 0, kept.Rows))
		if err != nil {
			return err
		}
		if !reader.May(table.Provenance) {
			break
		}
		if s.last.Table == nil { // pages are read once
			last, err := tool.ReadTable(kept, t.store.ResultRows(ctx, t.org, shown.Result, 0, kept.Rows))
			if err != nil {
				return err
			}
			s.last.Table, s.last.URL, s.last.Result = &last, t.resultURL(shown.Result), shown.Result
		}
		if i == 0 && shown.Reading != nil && past.Reading != nil && talk.Same(shown.Reading, past.Reading) {
			if s.input.Days, err = dialogue.DaysOf(table, shown.Reading); err != nil {
				return err
			}
		}
		rows, err := dialogue.RowsOf(string(shown.Result), table, shown.Reading)
		if err != nil {
			return err
		}
		if rows != nil {
			rows.Earlier = i > len(tables) || s.last.Question != nil
			rows.Top = shown.Reading != nil && dialogue.AsksForTop(shown.Reading.Task)
			tables = append(tables, dialogue.Shown{Rows: rows, Reading: shown.Reading})
		}
	}
	s.input.Rows = dialogue.Meant(s.task, tables)
	if s.goods != nil {
		s.input.Rows = dialogue.Among(s.task, s.goods, s.input.Rows)
	}
	if ts := token.Split(s.task); len(s.input.Rows.Refer(ts)) == 0 {
		if one := dialogue.TheOne(past.Reading); one != nil && len(one.Refer(ts)) > 0 {
			s.input.Rows = one // "сколько мы ему должны" after the purchases from one supplier by month
		}
	}
	return nil
}

// beforeInHistory returns the turns before the session's first from the caller's history (rule R290): the last query,
// read from the person's messages in their order, and the question that the last answer asked. One about accounts
// counts only if it has exactly the text that it would have now, because only then do its numbers refer to the same
// accounts.
func (t *turn) beforeInHistory(ctx context.Context, in language.Input) (dialogue.Past, error) {
	var out dialogue.Past
	connections, err := t.connections(ctx)
	if err != nil || len(connections) == 0 {
		return out, err
	}
	in.Now = t.now()
	var asked *Question  // by the message before
	var latest []history // readings of the last message, likeliest first
	for _, p := range t.start.History {
		text := p.Text
		if p.Author != stockhand.FromPerson || strings.TrimSpace(text) == "" {
			if asked = t.askedBefore(out.Asked, text, latest, connections[0]); asked == nil {
				asked = dialogue.FromText(text)
			}
			if rows := dialogue.RowsFromText(out.Asked, text); rows != nil {
				out.Shown = slices.Insert(out.Shown, 0, dialogue.Shown{Rows: rows, Reading: out.Reading})
			}
			continue
		}
		s := subject{asking: asked != nil, asked: out.Asked, connection: connections[0]}
		out.Asked, s.last.Question = text, asked
		if asked != nil {
			if o := asked.Chosen(text); o != nil {
				text, s.asking = o.Text, false
			} else if whole := asked.Spelled(text); whole != "" {
				text, s.asking = whole, false
			}
		}
		in.Previous, in.Earlier, in.Rows = out.Reading, out.Earlier, dialogue.Meant(text, out.Shown)
		s.task, s.input, s.reading = text, in, talk.Read(text, in)
		t.assume(&s)
		r := s.reading
		if r.Skill.Calls() && r.Question == nil && len(r.Unknown) == 0 {
			out.Reading = &r
		}
		latest = []history{{in, r}}
		if all := in; all.Unsearched {
			all.Unsearched = false
			latest = append(latest, history{all, talk.Read(text, all)})
		}
		out.Earlier = append(out.Earlier, text)
	}
	if out.Asked == "" {
		return out, nil
	}
	last := t.start.History[len(t.start.History)-1]
	if last.Author != stockhand.FromAgent {
		return out, nil
	}
	for _, l := range []stockhand.Language{stockhand.Russian, stockhand.English} {
		_, q, err := t.choose(l, subject{connections: connections})
		if err != nil {
			return out, err
		}
		if q != nil && strings.TrimSpace(last.Text) == string(q.Message()) {
			out.Question = q
			return out, nil
		}
	}
	if accounts := accountsOf(connections); len(accounts) == 1 {
		out.Question = asked
		out.Asking = out.Question != nil
	}
	return out, nil
}

// history is a message of a conversation that the caller keeps, as it is read.
type history struct {
	in      language.Input
	reading language.Reading
}

// askedBefore returns the question that an answer asked, with the calls of its options, which their words may not say
// exactly; nil if the task leads to another one.
func (t *turn) askedBefore(task, answer string, readings []history, c stockhand.Connection) *Question {
	for _, h := range readings {
		d := t.decide(subject{task: task, input: h.in, reading: h.reading, connection: c})
		if q := d.question; q != nil && strings.TrimSpace(answer) == string(q.Message()) {
			return q
		}
	}
	return nil
}

// aside answers what is no question about figures, and reads "show all" after a limited answer as that without its
// limit. It returns "" for a task.
func (t *turn) aside(s *subject) (render.Markdown, error) {
	if s.asking && len(s.last.Question.ChosenAll(s.task)) > 0 {
		return "", nil
	}
	if question, text := aside.Focus(s.task, s.input, s.reading, t.language); text != "" {
		return render.Plain(text), nil
	} else if question != "" {
		s.task = question
		s.reading = language.Read(s.task, s.input)
	}
	if text := aside.Ordered(s.task, t.language); text != "" && s.last.Question == nil {
		return text, nil
	}
	if s.last.Question == nil && s.reading.Skill.Calls() && s.reading.Question == nil && talk.AtPlace(s.task, s.input) {
		return "", nil
	}
	if s.last.Question == nil && talk.BehindFirst(s.task, s.input) {
		return "", nil
	}
	if r := aside.Refined(s.task, s.previous, s.input.Rows); r != nil {
		s.reading = *r
		return "", nil
	}
	if s.last.Question == nil && talk.OpensRow(s.task, s.input.Rows) && s.reading.Skill.Calls() &&
		s.reading.Question == nil {
		return "", nil
	}
	if r := &s.reading; r.FollowUp && r.Skill.Proposes() && s.last.Question == nil {
		return "", nil // "15" is another figure for the draft
	}
	if a := act.Read(s.task); a.Kind != act.Why || !s.reading.Skill.Calls() ||
		s.reading.Question != nil {
		if text, err := s.last.Answer(s.task, t.language); text != "" || err != nil {
			return text, err
		}
	}
	if !s.reading.Skill.Calls() && s.reading.Question == nil && len(t.several(*s)) == 0 &&
		!(len(s.reading.Unknown) > 0 && (s.reading.FollowUp || mayName(s))) { // its words may be names
		return aside.WithoutTool(s.task, t.language, s.reading), nil
	}
	return "", nil
}

// mayName reports whether a task that is not understood by itself may be goods with their figures, as in "кружка 590
// р", a name in a period, as in "посуда за октябрь", or only a name, as in "расскажи про Альфу": the account's names
// tell.
func mayName(s *subject) bool {
	return s.input.Unsearched && s.reading.Refusal == "" && (token.HasDigit(s.task) || s.reading.Period != "" ||
		s.reading.AboutName) && !act.IsNoTask(s.task)
}
