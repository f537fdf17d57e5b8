// Package replay works on recorded conversations with the whole service: [Record] asks and records, [Run] plays.
package replay

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/agent"
	"github.com/stockhand/stockhand/internal/agent/redact"
	"github.com/stockhand/stockhand/internal/app"
	"github.com/stockhand/stockhand/internal/cassette"
	"github.com/stockhand/stockhand/internal/cassette/outcome"
	"github.com/stockhand/stockhand/internal/limit"
	"github.com/stockhand/stockhand/internal/llm"
	"github.com/stockhand/stockhand/internal/traffic"
)

// stage is the service on which a conversation is recorded or played: in this process, with a temporary database.
type stage struct {
	*app.Service
	session   stockhand.SessionID
	measures  []json.RawMessage                 // of the organization, as cassettes have them
	names     map[stockhand.ConnectionID]string // in the cassette that is played
	connected map[string]connected              // by these names
	settings  map[stockhand.Setting]string      // of the organization

	mu   sync.Mutex
	tape *cassette.Tape // of the turn
	at   time.Time      // what the turn takes for now
}

func open(ctx context.Context, c app.Config) (s *stage, err error) {
	s = &stage{names: map[stockhand.ConnectionID]string{}, connected: map[string]connected{},
		settings: map[stockhand.Setting]string{}}
	clock := c.Clock
	if clock == nil {
		clock = time.Now
	}
	c.Clock = func() time.Time {
		if at := s.now(); !at.IsZero() {
			return at
		}
		return clock()
	}
	c.Tape = func(ctx context.Context, _ agent.Taped) (context.Context, time.Time, func(context.Context)) {
		s.mu.Lock()
		defer s.mu.Unlock()
		return cassette.With(ctx, s.tape), s.at, nil
	}
	s.Service, err = app.OpenLocal(ctx, c)
	return s, err
}

func (s *stage) now() time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.at
}

// turn works on one turn until it ends.
func (s *stage) turn(ctx context.Context, t cassette.Turn, about stockhand.ConnectionID, by stockhand.AgentID,
	tape *cassette.Tape) (*agent.Finished, json.RawMessage, error) {
	s.mu.Lock()
	s.tape, s.at = tape, t.At
	s.mu.Unlock()
	task := agent.Task{Text: t.Task, Session: s.session, Connection: about, Language: t.Language, Agent: by,
		Actor: stockhand.Actor{Org: s.Org, Name: t.By}}
	if len(t.History) > 0 {
		if err := json.Unmarshal(t.History, &task.History); err != nil {
			return nil, nil, err
		}
	}
	turn, decided, err := s.decide(ctx, t.Decision, task, tape)
	if err == nil && !decided {
		turn, err = s.Agent.Start(ctx, s.Org, task)
	}
	if err != nil {
		return nil, nil, err
	}
	s.session = turn.Session
	for _, err := range s.Agent.Follow(ctx, s.Org, turn.Run, 0) {
		if err != nil {
			return nil, nil, s.Agent.GiveUp(ctx, s.Org, turn, err)
		}
	}
	f, err := s.Agent.Finished(ctx, s.Org, turn.Run)
	if err != nil {
		return nil, nil, err
	}
	out, err := outcome.Of(f)
	return f, out, err
}

// Task is a turn to record.
type Task struct {
	Text       string
	Language   stockhand.Language // empty means the task's
	Connection string             // the label of an account; empty leaves it to the task
}

// Recording is a conversation that was asked and recorded.
type Recording struct {
	Cassette *cassette.Cassette
	Secrets  cassette.Secrets
	Finished []*agent.Finished // by turn
}

// Record connects the accounts of the configuration's tokens, asks the tasks in one conversation, and records them.
func Record(ctx context.Context, c app.Config, title string, tasks ...Task) (*Recording, error) {
	if len(c.Tokens) == 0 {
		return nil, stockhand.Errorf(stockhand.CodeValidation, "no account: STOCKHAND_MOYSKLAD_TOKEN is not set").
			WithHint("set it to an employee token of the account to ask")
	}
	c.Database, c.SecretKey, c.SecretKeyFile, c.SecretKeyCommand = "", "", "", ""
	s, err := open(ctx, c)
	if err != nil {
		return nil, err
	}
	defer s.Close()
	out := &Recording{Cassette: &cassette.Cassette{Header: cassette.Header{Title: title, Settings: cassette.Settings{
		Reader: c.LLM.Reader, MaxIterations: c.LLM.Limits.MaxIterations, RunTokens: c.LLM.Limits.RunTokens}}}}
	if model := s.ModelName(); model != "" {
		out.Cassette.Header.Model = model
	}
	names := map[stockhand.ConnectionID]string{}
	for _, token := range c.Tokens {
		if err := s.Connect(ctx, token.Connector, token.Token, ""); err != nil {
			return nil, err
		}
		out.Secrets.Token(token.Token)
	}
	for _, p := range c.LLM.Providers {
		out.Secrets.Token(p.APIKey)
	}
	connected, err := s.Store.Connections(ctx, s.Org) // in the order in which people see them
	if err != nil {
		return nil, err
	}
	for _, con := range connected {
		described, err := traffic.Describe(s.Connections, con, len(names)+1)
		if err != nil {
			return nil, err
		}
		names[con.ID] = described.Name
		described.Hide(con, &out.Secrets)
		out.Cassette.Header.Connections = append(out.Cassette.Header.Connections, described.Connection)
	}
	for _, task := range tasks {
		t := cassette.Turn{Task: redact.Text(task.Text), Language: task.Language}
		var about stockhand.ConnectionID
		for _, con := range connected {
			if strings.EqualFold(con.Label, task.Connection) {
				about, t.Connection = con.ID, names[con.ID]
			}
		}
		if task.Connection != "" && about == "" {
			return nil, stockhand.Errorf(stockhand.CodeNotFound, "no account has the label %s", task.Connection)
		}
		s.mu.Lock()
		s.at = time.Time{}
		s.mu.Unlock()
		t.At = clockOf(c)().UTC().Truncate(time.Second)
		recorder, tape := cassette.Record(t, names)
		f, result, err := s.turn(ctx, t, about, "", tape)
		if err != nil {
			return nil, err
		}
		if t, err = recorder.Turn(result); err != nil {
			return nil, err
		}
		out.Cassette.Turns = append(out.Cassette.Turns, t)
		out.Finished = append(out.Finished, f)
	}
	return out, nil
}

func clockOf(c app.Config) func() time.Time {
	if c.Clock != nil {
		return c.Clock
	}
	return time.Now
}

// Played is a turn that was played.
type Played struct {
	Turn        cassette.Turn
	Finished    *agent.Finished
	Differences []cassette.Difference
	Missing     []string // requests to accounts that are not in the cassette
}

// Changed reports whether the turn came to something else, or the model read something else besides its instructions
// and tools, which change more often.
func (p Played) Changed() bool {
	for _, d := range p.Differences {
		if d.Part == "messages" || d.Part == "outcome" {
			return true
		}
	}
	return false
}

// Run plays a cassette without a network. With a model, that one answers instead of the recorded one, from the same
// traffic with the accounts.
func Run(ctx context.Context, c *cassette.Cassette, model llm.Model) ([]Played, error) {
	h := c.Header
	config := app.Config{Limiter: unlimited{}, Model: model, LLM: llm.Config{Reader: h.Settings.Reader,
		Limits: llm.Limits{MaxIterations: h.Settings.MaxIterations, RunTokens: h.Settings.RunTokens}},
		Servers: map[string]string{}}
	if model == nil && h.Model != "" {
		config.Model = cassette.Absent(h.Model)
	}
	config.ModelContext = h.Settings.Context
	if h.Settings.Links {
		config.Site = cassette.Server
	}
	for _, con := range h.Connections {
		config.Servers[con.Connector] = cassette.Site + con.Path
	}
	s, err := open(ctx, config)
	if err != nil {
		return nil, err
	}
	defer s.Close()
	if h.Settings.Notes != "" {
		if err := s.Notes.Set(ctx, s.owner(), h.Settings.Notes); err != nil {
			return nil, err
		}
	}
	if err := s.connectAll(ctx, h.Connections); err != nil {
		return nil, err
	}
	talk := cassette.Play(s.names)
	var all []Played
	for _, t := range c.Turns {
		by, err := s.agent(ctx, t.Agent)
		if err != nil {
			return all, err
		}
		if err := s.define(ctx, t.Measures); err != nil {
			return all, err
		}
		player, tape := talk.Turn(t, model)
		f, out, err := s.turn(ctx, player.Live, s.connected[t.Connection].id, by, tape)
		if err != nil {
			return all, err
		}
		all = append(all, Played{t, f, player.Differences(out), player.Missing()})
	}
	return all, nil
}

// unlimited never delays a request: nothing is sent.
type unlimited struct{}

func (unlimited) Acquire(ctx context.Context, _ limit.Request) (func(limit.Feedback), error) {
	return func(limit.Feedback) {}, ctx.Err()
}

// Model returns the model that an address such as http://127.0.0.1:11434/v1/qwen3 names.
func Model(address, key string) (llm.Model, error) {
	base, name, ok := strings.Cut(address, "/v1/")
	base += "/v1"
	if !ok {
		i := strings.LastIndexByte(address, '/')
		base, name = address[:max(i, 0)], address[i+1:]
	}
	if base == "" || name == "" {
		return nil, errors.New("a model is URL/name, as in http://127.0.0.1:11434/v1/qwen3")
	}
	p, err := llm.Load(llm.Config{Providers: []llm.ProviderConfig{{Name: "other", BaseURL: base, APIKey: key,
		Models: []llm.ModelConfig{{Name: name}}}}}, slog.New(slog.DiscardHandler))
	if err != nil {
		return nil, err
	}
	return p.Model(), nil
}
