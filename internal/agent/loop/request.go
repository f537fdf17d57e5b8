package loop

import (
	"cmp"
	"context"
	"encoding/json"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/llm"
)

// ask requests the next step from the model and stores it. A request that no model has room for is made shorter and
// repeated (rule R376).
func (l *Loop) ask(ctx, record context.Context) (llm.Message, error) {
	step := l.step + 1
	for {
		request, money, err := l.next(ctx, record, step)
		if err != nil {
			return llm.Message{}, err
		}
		got, err := l.complete(ctx, record, request, money)
		if llm.IsTooLong(err) && l.shrink(request) {
			continue
		}
		if err != nil {
			return llm.Message{}, err
		}
		return l.keep(record, step, got)
	}
}

// next returns the request for a step and the most that it may cost. If another step would leave no words for the
// answer, or no time for them, the model must answer.
func (l *Loop) next(ctx, record context.Context, step int64) (llm.Request, int64, error) {
	left, err := l.left(record)
	if err != nil {
		return llm.Request{}, 0, err
	}
	if until, ok := l.until(ctx); ok && !time.Now().Before(until) && len(l.said) > 0 {
		l.lastReply = true
	}
	request := l.request(l.mustAnswer(step))
	most, err := l.afford(request, left)
	if err == nil && !request.Answer && len(l.said) > 0 {
		if _, after := l.afford(request, left.minus(most, l.model.Cost(most))); after != nil {
			l.lastReply = true
			request = l.request(true)
			most, err = l.afford(request, left)
		}
	}
	request.MaxTokens = most.Output
	request.Small = l.model.Routing.Fits(l.Text, l.Change, step-l.given, l.first != nil)
	if l.step > l.given { // before that, the reader takes over
		request.Patience = l.model.patience()
		if end, ok := ctx.Deadline(); ok {
			request.Patience = min(request.Patience, time.Until(end))
		}
	}
	return request, l.model.Cost(most), err
}

// complete asks the model, within the organization's budget.
func (l *Loop) complete(ctx, record context.Context, request llm.Request, money int64) (llm.Reply, error) {
	settle, err := l.model.Budget.Reserve(record, l.Run.Org, l.Run.By, request.Tokens()+request.MaxTokens, money)
	if err != nil {
		return llm.Reply{}, err
	}
	asked, done := l.turn.Span(ctx, "model "+l.model.Name())
	live, resume := l.newDeltas(), l.turn.Wait(ctx)
	thought := l.think(request)
	defer thought.end()
	request.Waiting = thought.waiting
	got, failure := l.model.Complete(asked, request, func(offset int, text string) {
		thought.end()
		live.add(offset, text)
	})
	thought.end()
	if failure == nil {
		l.model.Gauge.Observe(got.Model, request.Tokens(), got.Usage.Input)
	}
	resume()
	live.end()
	done(failure)
	l.used, l.cost = l.used.Plus(got.Usage), l.cost+got.Cost
	if err := settle(record, cmp.Or(got.Model, l.model.Name()), got.Usage, got.Cost); err != nil {
		return llm.Reply{}, err
	}
	return got, failure
}

// shrink halves the room for requests of the run, and reports whether the next one can be shorter.
func (l *Loop) shrink(r llm.Request) bool {
	before := l.size(r)
	l.model.Context = before / 2
	return l.size(l.request(r.Answer)) < before
}

// size returns the tokens of a request, as far as they are known before it.
func (l *Loop) size(r llm.Request) int { return l.model.Gauge.Tokens(r.Tokens()) }

// keep stores a step.
func (l *Loop) keep(record context.Context, step int64, got llm.Reply) (llm.Message, error) {
	m := l.normalize(got.Message, step)
	if got.Cut && len(m.Calls) == 0 {
		m.Content += l.Language.Pick("…\n\n(Ответ модели обрезан: он слишком длинный.)",
			"…\n\n(The model's answer is cut: it is longer than allowed.)")
	}
	message, err := json.Marshal(m)
	if err != nil {
		return llm.Message{}, err
	}
	events, err := l.store.AddModelStep(record, l.Run.Org, l.Run.Generation, stockhand.ModelStep{
		Run: l.Run.ID, Seq: step, Message: message, Model: got.Model,
		InputTokens: got.Usage.Input, OutputTokens: got.Usage.Output, CachedTokens: got.Usage.Cached, Cost: got.Cost,
		At: l.Now().UTC(),
	}, l.planned(step, m)...)
	for _, e := range events {
		l.turn.Notify(e)
	}
	l.step = step
	return m, err
}

// budget is what a request may still use.
type budget struct {
	tokens, money int64
	over          func() error // why that is too little
}

func (b budget) minus(u llm.Usage, money int64) budget {
	b.tokens, b.money = b.tokens-int64(u.Total()), b.money-money
	return b
}

// left returns what is left for the run: of its own limits and of the organization's month.
func (l *Loop) left(ctx context.Context) (budget, error) {
	left := budget{int64(l.model.Limits.RunTokens - l.used.Total()), math.MaxInt64, llm.OverRun}
	if limit := llm.Micros(l.model.Limits.RunMoney); limit > 0 {
		left.money = limit - l.cost
	}
	tokens, money, err := l.model.Budget.Left(ctx, l.Run.Org)
	if tokens < left.tokens || money < left.money {
		left.over = llm.OverMonth
	}
	left.tokens, left.money = min(left.tokens, tokens), min(left.money, money)
	return left, err
}

// afford returns the most that a request may use: the reply is as long as what is left allows. It returns an error if
// that is too little for an answer.
func (l *Loop) afford(r llm.Request, left budget) (llm.Usage, error) {
	most := llm.Usage{Input: r.Tokens()}
	most.Output = int(min(left.tokens-int64(most.Input), replyTokens))
	for most.Output >= leastReply && l.model.Cost(most) > left.money {
		most.Output /= 2
	}
	if most.Output < leastReply {
		return most, left.over()
	}
	return most, nil
}

const (
	replyTokens = 4096 // the reply length to reserve
	leastReply  = 64   // a shorter reply is useless
)

// request returns the request to the model: the instructions, the earlier conversation, the task and the steps of this
// run. If it is too long, the oldest results are shortened first, then the conversation.
func (l *Loop) request(answer bool) llm.Request {
	r := l.compose(answer, 0, l.Past)
	for short := 1; short < len(l.said) && l.size(r) > l.model.Room(); short++ {
		r = l.compose(answer, short, l.Past)
	}
	for past := l.Past; len(past) > 0 && l.size(r) > l.model.Room(); {
		past = past[1:]
		r = l.compose(answer, max(0, len(l.said)-1), past)
	}
	return r
}

// compose returns a request in which the given number of oldest steps is shortened.
func (l *Loop) compose(answer bool, short int, past []llm.Message) llm.Request {
	r := llm.Request{Tools: l.box.Shown(), Answer: answer}
	r.Messages = append(r.Messages, llm.Message{Role: llm.System, Content: l.Instructions})
	said := append(slices.Clone(past),
		llm.Message{Role: llm.User, Content: strings.TrimSpace(l.Text + "\n\n" + l.Hint)})
	if l.Recall != "" { // before the first message of the person: some models take no two of them in a row
		if said[0].Role == llm.User {
			said[0].Content = l.Recall + "\n\n" + said[0].Content
		} else {
			said = slices.Insert(said, 0, llm.Message{Role: llm.User, Content: l.Recall})
		}
	}
	r.Messages = append(r.Messages, said...)
	for i, e := range l.said {
		r.Messages = append(r.Messages, e.message)
		if e.back != "" {
			r.Messages = append(r.Messages, llm.Message{Role: llm.User, Content: e.back})
		}
		for j, o := range e.replies {
			text := o.text
			if i < short {
				text = o.short
			}
			if answer && i == len(l.said)-1 && j == len(e.replies)-1 {
				text += "\n\nNo more tools can be called. Answer now with what there is, and say what is missing."
			}
			r.Messages = append(r.Messages,
				llm.Message{Role: llm.ToolRole, Content: text, CallID: e.message.Calls[j].ID})
		}
	}
	return r
}
