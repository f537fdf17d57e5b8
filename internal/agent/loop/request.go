package loop

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/llm"
)

// ask requests the next step from the model and stores it.
func (l *Loop) ask(ctx, record context.Context) (llm.Message, error) {
	step := l.step + 1
	request := l.request(l.mustAnswer(step))
	most, err := l.afford(request)
	if err == nil && !request.Answer && len(l.said) > 0 {
		if _, after := l.afford(request, most); after != nil { // another step would leave no words for the answer
			l.lastReply = true
			request = l.request(true)
			most, err = l.afford(request)
		}
	}
	if err != nil {
		return llm.Message{}, err
	}
	money := l.model.Cost(most)
	request.MaxTokens = most.Output
	settle, err := l.model.Budget.Reserve(record, l.Run.Org, most.Total(), money)
	if err != nil {
		return llm.Message{}, err
	}
	asked, done := l.turn.Span(ctx, "model "+l.model.Name())
	live, resume := l.newDeltas(), l.turn.Wait(ctx)
	got, failure := l.model.Complete(asked, request, live.add)
	resume()
	live.end()
	done(failure)
	l.used, l.cost = l.used.Plus(got.Usage), l.cost+got.Cost
	if err := settle(record, got.Usage, got.Cost); err != nil {
		return llm.Message{}, err
	}
	if failure != nil {
		return llm.Message{}, failure
	}
	m := l.normalize(got.Message, step)
	if got.Cut && len(m.Calls) == 0 {
		m.Content += l.Language.Pick("…\n\n(Ответ модели обрезан: он слишком длинный.)",
			"…\n\n(The model's answer is cut: it is longer than allowed.)")
	}
	message, err := json.Marshal(m)
	if err != nil {
		return llm.Message{}, err
	}
	_, err = l.store.AddModelStep(record, l.Run.Org, l.Run.Generation, stockhand.ModelStep{
		Run: l.Run.ID, Seq: step, Message: message, Model: got.Model,
		InputTokens: got.Usage.Input, OutputTokens: got.Usage.Output, At: l.Now().UTC(),
	})
	l.step = step
	return m, err
}

// afford returns the most that a request may use, after what the run has used and the given usages: the reply is as
// long as what is left of the run's tokens and money allows. It returns an error if that is too little for an answer.
func (l *Loop) afford(r llm.Request, spent ...llm.Usage) (llm.Usage, error) {
	used, cost := l.used, l.cost
	for _, u := range spent {
		used, cost = used.Plus(u), cost+l.model.Cost(u)
	}
	most := llm.Usage{Input: r.Tokens()}
	most.Output = min(l.model.Limits.RunTokens-used.Total()-most.Input, replyTokens)
	if limit := llm.Micros(l.model.Limits.RunMoney); limit > 0 {
		for most.Output >= leastReply && cost+l.model.Cost(most) > limit {
			most.Output /= 2
		}
	}
	if most.Output < leastReply {
		return most, llm.OverRun()
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
	for short := 1; short < len(l.said) && r.Tokens() > l.model.Context; short++ {
		r = l.compose(answer, short, l.Past)
	}
	for past := l.Past; len(past) > 0 && r.Tokens() > l.model.Context; {
		past = past[1:]
		r = l.compose(answer, max(0, len(l.said)-1), past)
	}
	return r
}

// compose returns a request in which the given number of oldest steps is shortened.
func (l *Loop) compose(answer bool, short int, past []llm.Message) llm.Request {
	r := llm.Request{Tools: l.box.Shown(), Answer: answer}
	r.Messages = append(r.Messages, llm.Message{Role: llm.System, Content: l.Instructions})
	r.Messages = append(r.Messages, past...)
	r.Messages = append(r.Messages, llm.Message{Role: llm.User, Content: strings.TrimSpace(l.Text + "\n\n" + l.Hint)})
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
