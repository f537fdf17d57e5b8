package cassette

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptrace"
	"slices"
	"sync"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/llm"
)

// Conversation plays the turns of a cassette one after another.
type Conversation struct {
	names map[stockhand.ConnectionID]string
	ids   *numbers
	made  *made
}

// Play begins to play a cassette. The names are those of its connections.
func Play(names map[stockhand.ConnectionID]string) *Conversation {
	return &Conversation{names: names, ids: newNumbers(), made: newMade()}
}

// Turn returns a player of the next turn, and the tape to work with. With a model, that one answers instead of the
// recorded one.
func (c *Conversation) Turn(t Turn, model llm.Model) (*Player, *Tape) {
	live := t
	if b, err := marshal(t); err == nil {
		b = c.ids.restore(b)
		c.ids.number(b) // in the order of the file
		if json.Unmarshal(b, &live) != nil {
			live = t
		}
	}
	p := &Player{turn: t, Live: live, ids: c.ids, made: c.made, model: model, left: map[string][]Exchange{}}
	for _, x := range t.Exchanges {
		p.left[x.key()] = append(p.left[x.key()], x)
	}
	return p, &Tape{names: c.names, side: p, opened: map[stockhand.ConnectionID]connector.Account{}}
}

// Player answers what one turn asks with what was recorded.
type Player struct {
	Live Turn // the turn with the IDs of the conversation that is played

	turn  Turn
	ids   *numbers
	made  *made
	model llm.Model // nil: the recorded one

	mu      sync.Mutex
	left    map[string][]Exchange // by key; the last one is given again
	steps   int
	differs []Difference
	missing []string
}

// Difference is something that a turn asked or answered otherwise than recorded.
type Difference struct {
	Step int    // of the model, from 1; 0 for the outcome
	Part string // "instructions", "tools", "messages" or "outcome"
	Want string // where they begin to differ
	Got  string
}

func (d Difference) String() string {
	if d.Step == 0 {
		return fmt.Sprintf("%s: recorded …%s, now …%s", d.Part, d.Want, d.Got)
	}
	return fmt.Sprintf("step %d, %s: recorded …%s, now …%s", d.Step, d.Part, d.Want, d.Got)
}

// Differences returns what differs, with the outcome of the turn.
func (p *Player) Differences(outcome json.RawMessage) []Difference {
	p.mu.Lock()
	defer p.mu.Unlock()
	all := slices.Clone(p.differs)
	if p.model != nil {
		return all
	}
	if p.steps < len(p.turn.Steps) {
		all = append(all, Difference{p.steps + 1, "messages", "a request to the model", "none"})
	}
	if d, ok := differ(compact(p.turn.Outcome), p.ids.number(compact(outcome))); ok {
		d.Part = "outcome"
		all = append(all, d)
	}
	return all
}

// Missing returns the requests to accounts that are not in the cassette. They were answered with an error.
func (p *Player) Missing() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.missing)
}

func (p *Player) exchange(x Exchange, r *http.Request, _ http.RoundTripper) (*http.Response, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	x.Request = string(p.made.recorded(p.ids.known([]byte(x.Request))))
	x.Sent = p.made.recorded(p.ids.known(x.Sent))
	key := x.key()
	if len(p.left[key]) == 0 && len(x.Sent) > 0 {
		key = p.alike(x)
	}
	recorded := p.left[key]
	switch {
	case len(recorded) == 0:
		p.missing = append(p.missing, x.Request)
		return Exchange{Status: http.StatusGone, Text: "this request is not in the cassette"}.response(r), nil
	case len(recorded) > 1:
		p.left[key] = recorded[1:]
	}
	answer := recorded[0]
	if answer.Status == 0 {
		if trace := httptrace.ContextClientTrace(r.Context()); answer.Lost && trace != nil && trace.GotConn != nil {
			trace.GotConn(httptrace.GotConnInfo{})
		}
		return nil, errors.New("the recorded request had no response")
	}
	answer.Body, answer.Text = p.live(answer.Body), string(p.live([]byte(answer.Text)))
	return answer.response(r), nil
}

// live returns a recorded text with the IDs of the conversation that is played.
func (p *Player) live(b []byte) []byte { return p.made.live(p.ids.restore(b)) }

func (p *Player) complete(ctx context.Context, _ llm.Model, r llm.Request, onText func(int, string)) (llm.Reply,
	error) {
	if p.model != nil {
		return p.model.Complete(ctx, r, onText)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.steps++
	if p.steps > len(p.turn.Steps) {
		p.differs = append(p.differs, Difference{p.steps, "messages", "no request to the model", "another one"})
		return llm.Reply{}, stockhand.Errorf(stockhand.CodeModelUnavailable, "the cassette has no more replies")
	}
	s := p.turn.Steps[p.steps-1]
	p.compare(s, r)
	if s.Failure != nil {
		return llm.Reply{Usage: s.Reply.Usage, Cost: s.Reply.Cost}, s.Failure.err()
	}
	var reply Reply
	b, err := marshal(s.Reply)
	if err == nil {
		b = p.ids.restore(b)
		p.ids.number(b)
		err = json.Unmarshal(b, &reply)
	}
	if err != nil {
		return llm.Reply{}, err
	}
	if onText != nil && reply.Message.Content != "" {
		onText(0, reply.Message.Content)
	}
	return llm.Reply{Message: reply.Message, Model: reply.Model, Usage: reply.Usage, Cost: reply.Cost,
		Cut: reply.Cut}, ctx.Err()
}

// compare notes how a request differs from the recorded one.
func (p *Player) compare(s Step, r llm.Request) {
	instructions := func(all []llm.Message) (first, rest []llm.Message) {
		if len(all) > 0 && all[0].Role == llm.System {
			return all[:1], all[1:]
		}
		return nil, all
	}
	wantFirst, want := instructions(s.Messages)
	gotFirst, got := instructions(r.Messages)
	for _, part := range []struct {
		name      string
		want, got any
	}{
		{"instructions", wantFirst, gotFirst}, {"messages", want, got},
		{"messages", []any{s.Answer, s.MaxTokens}, []any{r.Answer, r.MaxTokens}}, {"tools", s.Tools, toolsOf(r.Tools)},
	} {
		w, err := marshal(part.want)
		g, failed := marshal(part.got)
		if err != nil || failed != nil {
			continue // messages and tools are JSON
		}
		if d, ok := differ(w, p.ids.number(g)); ok {
			d.Step, d.Part = p.steps, part.name
			p.differs = append(p.differs, d)
		}
	}
}

// differ returns where two texts begin to differ.
func differ(want, got []byte) (d Difference, ok bool) {
	if bytes.Equal(want, got) {
		return d, false
	}
	i := 0
	for i < min(len(want), len(got)) && want[i] == got[i] {
		i++
	}
	part := func(b []byte) string {
		from, to := max(0, i-30), min(len(b), i+90)
		return string(bytes.ToValidUTF8(b[min(from, to):to], nil))
	}
	return Difference{Want: part(want), Got: part(got)}, true
}
