// Package traffic keeps what the runs of a server ask accounts and models, if the operator wants that, so that a
// conversation can be exported as a cassette later (rule R551).
//
// A run that is kept works as in a recording: it opens its account for itself and reads nothing from caches. What a
// cassette cannot hold is not kept, and such runs work as ever: see [refusal].
package traffic

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/agent"
	"github.com/stockhand/stockhand/internal/cassette"
	"github.com/stockhand/stockhand/internal/cassette/outcome"
	"github.com/stockhand/stockhand/internal/connection"
	"github.com/stockhand/stockhand/internal/measure"
)

// Limits say how much is kept; zero is nothing.
type Limits struct {
	Age  time.Duration
	Size int64 // bytes of an organization
}

// Store stores traffic and knows conversations.
type Store interface {
	Connections(ctx context.Context, org stockhand.OrgID) ([]stockhand.Connection, error)
	Runs(ctx context.Context, org stockhand.OrgID, of stockhand.SessionID) ([]stockhand.Run, error)
	Setting(ctx context.Context, org stockhand.OrgID, name stockhand.Setting) (string, error)
	WriteStop(ctx context.Context, org stockhand.OrgID) (stockhand.WriteStop, error)
}

// Kept is where the traffic is.
type Kept interface {
	Traffic(ctx context.Context, org stockhand.OrgID, run stockhand.RunID) ([]byte, error)
	Put(ctx context.Context, org stockhand.OrgID, run stockhand.RunID, body []byte, at time.Time, most int64) error
}

// Config is what a service needs.
type Config struct {
	Limits
	Store       Store
	Kept        Kept
	Connections *connection.Service
	Measures    func(ctx context.Context, org stockhand.OrgID) ([]measure.Measure, error)
	Notes       func(ctx context.Context, org stockhand.OrgID) (string, error)
	Finished    func(ctx context.Context, org stockhand.OrgID, run stockhand.RunID) (*agent.Finished, error)
	ProofLife   time.Duration // how long a proof of who a person is counts for drafts
	// Profile returns who answers in the conversation of a task; see agent.Agent.Profile.
	Profile  func(ctx context.Context, t agent.Task) (p stockhand.AgentProfile, offers bool, err error)
	Model    string            // "provider/model"; empty without a model
	Settings cassette.Settings // without notes and links
	Keys     []string          // of models
	Address  func() string     // of this server; nil if it is not served
	Clock    func() time.Time
	Logger   *slog.Logger
}

// Service keeps and exports traffic. Its methods are safe for concurrent use.
type Service struct {
	Config

	mu     sync.Mutex
	ending map[stockhand.RunID]chan struct{} // closed when the traffic of the run is stored
}

// New returns a service.
func New(c Config) *Service {
	if c.Clock == nil {
		c.Clock = time.Now
	}
	return &Service{Config: c, ending: map[stockhand.RunID]chan struct{}{}}
}

// Tape gives a run a tape if what it asks is to be kept; see agent.Config.
func (s *Service) Tape(ctx context.Context, t agent.Taped) (context.Context, time.Time, func(context.Context)) {
	if s.Age <= 0 || t.Direct {
		return ctx, time.Time{}, nil
	}
	b, why, err := s.begin(ctx, t, nil)
	if err != nil {
		s.Logger.WarnContext(ctx, "the traffic of a run is not kept", "run", t.Run.ID, "err", err)
		return ctx, time.Time{}, nil
	}
	over := make(chan struct{})
	s.mu.Lock()
	s.ending[t.Run.ID] = over
	s.mu.Unlock()
	end := func(record context.Context) {
		defer func() {
			s.mu.Lock()
			delete(s.ending, t.Run.ID)
			s.mu.Unlock()
			close(over)
		}()
		if err := s.end(record, t.Run, b, why); err != nil {
			s.Logger.WarnContext(record, "keep the traffic of a run", "run", t.Run.ID, "err", err)
		}
	}
	if b == nil {
		return ctx, time.Time{}, end
	}
	return cassette.With(ctx, b.tape), b.at, end
}

// Decide gives a decision on drafts by words a tape if what it asks is to be kept; see byword.Service.
func (s *Service) Decide(ctx context.Context, t agent.Task) (context.Context, func(context.Context, agent.Turn)) {
	if s.Age <= 0 {
		return ctx, nil
	}
	b, why, err := s.beginDecision(ctx, t)
	if err != nil {
		s.Logger.WarnContext(ctx, "the traffic of a decision is not kept", "err", err)
		return ctx, nil
	}
	end := func(record context.Context, turn agent.Turn) {
		if err := s.end(record, stockhand.Run{Org: t.Actor.Org, ID: turn.Run}, b, why); err != nil {
			s.Logger.WarnContext(record, "keep the traffic of a decision", "run", turn.Run, "err", err)
		}
	}
	if b == nil {
		return ctx, end
	}
	return cassette.With(ctx, b.tape), end
}

func (s *Service) beginDecision(ctx context.Context, t agent.Task) (*beginning, refusal, error) {
	if len(t.History) > 0 {
		return nil, elsewhere, nil
	}
	if t.Session != "" { // what a turn came to is stored before its draft changes
		runs, err := s.Store.Runs(ctx, t.Actor.Org, t.Session)
		if err != nil {
			return nil, "", err
		}
		for _, r := range runs {
			if err := s.settled(ctx, r); err != nil {
				return nil, "", err
			}
		}
	}
	stop, err := s.Store.WriteStop(ctx, t.Actor.Org)
	if err != nil {
		return nil, "", err
	}
	if stop.Refusal() != nil {
		return nil, stopped, nil
	}
	d := &cassette.Decision{Person: t.Actor.Person, Scopes: t.Actor.Scopes,
		Proven: t.Actor.ProvenWithin(s.ProofLife, s.Clock())}
	if d.Keys, err = s.Store.Setting(ctx, t.Actor.Org, stockhand.KeysMayConfirm); err != nil {
		return nil, "", err
	}
	rules, err := s.Store.Setting(ctx, t.Actor.Org, stockhand.DraftRules)
	if err != nil {
		return nil, "", err
	}
	if d.Rules = json.RawMessage(rules); rules == "" {
		d.Rules = nil
	}
	taped := agent.Taped{Run: stockhand.Run{Org: t.Actor.Org, By: t.Actor.Name}, Task: t}
	if taped.Profile, taped.Offers, err = s.Profile(ctx, t); err != nil {
		return nil, "", err
	}
	return s.begin(ctx, taped, d)
}

// author returns who wrote a task as a cassette has it: the ID of a person or a key, or the kind of program.
func author(name string) string {
	kind, id, _ := strings.Cut(name, ":")
	if kind == "user" || kind == "key" {
		return id
	}
	return kind
}

// beginning is a run that is recorded.
type beginning struct {
	recorder *cassette.Recorder
	tape     *cassette.Tape
	header   cassette.Header
	secrets  cassette.Secrets
	at       time.Time
}

// begin prepares to record a run or a decision, or says why it is not recorded.
func (s *Service) begin(ctx context.Context, t agent.Taped, d *cassette.Decision) (*beginning, refusal, error) {
	if t.Run.Generation > 1 {
		return nil, interrupted, nil
	}
	all, err := s.Store.Connections(ctx, t.Run.Org)
	if err != nil {
		return nil, "", err
	}
	b := &beginning{at: s.Clock().UTC().Truncate(time.Second),
		header: cassette.Header{Model: s.Model, Settings: s.Settings}}
	b.header.Settings.Links = s.Address != nil
	if b.header.Settings.Notes, err = s.Notes(ctx, t.Run.Org); err != nil {
		return nil, "", err
	}
	turn := cassette.Turn{Task: t.Task.Text, Language: t.Task.Language, At: b.at,
		By: author(t.Run.By), Decision: d}
	if len(t.Task.History) > 0 {
		if turn.History, err = json.Marshal(t.Task.History); err != nil {
			return nil, "", err
		}
	}
	own, err := s.Measures(ctx, t.Run.Org)
	if err != nil {
		return nil, "", err
	}
	for _, m := range own {
		one, err := json.Marshal(m.OwnMeasure)
		if err != nil {
			return nil, "", err
		}
		turn.Measures = append(turn.Measures, one)
	}
	if p := t.Profile; p.Instructions != "" || len(p.Tools)+len(p.Connections) > 0 {
		turn.Agent = &cassette.Agent{Instructions: p.Instructions, Tools: p.Tools}
	}
	names := map[stockhand.ConnectionID]string{}
	for _, c := range all {
		k, err := s.Connections.Kind(c.Connector)
		if err != nil {
			return nil, "", err
		}
		named := slices.Contains(t.Profile.Connections, c.ID)
		if k.ToolsOnly && (!t.Offers || !named) {
			continue
		}
		described, err := Describe(s.Connections, c, len(names)+1)
		if err != nil {
			return nil, "", err
		}
		names[c.ID] = described.Name
		described.Hide(c, &b.secrets)
		if k.ToolsOnly {
			turn.Agent.Servers = append(turn.Agent.Servers, described.Connection)
			continue
		}
		b.header.Connections = append(b.header.Connections, described.Connection)
		if c.ID == t.Task.Connection {
			turn.Connection = described.Name
		}
		if named {
			turn.Agent.Connections = append(turn.Agent.Connections, described.Name)
		}
	}
	for _, key := range s.Keys {
		b.secrets.Token(key)
	}
	if s.Address != nil {
		b.secrets.Own(s.Address())
	}
	b.recorder, b.tape = cassette.Record(turn, names)
	return b, "", nil
}

// end stores what a finished run asked, or why that is not kept. A run that another replica goes on with is stored
// there.
func (s *Service) end(ctx context.Context, run stockhand.Run, b *beginning, why refusal) error {
	f, err := s.Finished(ctx, run.Org, run.ID)
	if err != nil {
		return err
	}
	if f.Cancelled {
		why = cancelled
	}
	var body bytes.Buffer
	if why == "" {
		result, err := outcome.Of(f)
		if err != nil {
			return err
		}
		turn, err := b.recorder.Turn(result)
		switch {
		case stockhand.CodeOf(err) == stockhand.CodeBodyTooLarge:
			why = large
		case err != nil:
			return err
		default:
			one := cassette.Cassette{Header: b.header, Turns: []cassette.Turn{turn}}
			if err := one.Keep(&body, b.secrets); err != nil {
				return err
			}
		}
	}
	if why != "" {
		if err := json.NewEncoder(&body).Encode(refused{why}); err != nil {
			return err
		}
	}
	return s.Kept.Put(ctx, run.Org, run.ID, body.Bytes(), s.Clock().UTC(), s.Size)
}

// Export writes the conversation up to a finished run as a cassette.
func (s *Service) Export(ctx context.Context, w io.Writer, run stockhand.Run) error {
	c, err := s.cassette(ctx, run)
	if err != nil {
		return err
	}
	return c.Write(w, cassette.Secrets{}) // they were removed before it was stored
}

func (s *Service) cassette(ctx context.Context, run stockhand.Run) (*cassette.Cassette, error) {
	all, err := s.Store.Runs(ctx, run.Org, run.Session)
	if err != nil {
		return nil, err
	}
	out := &cassette.Cassette{}
	for i, r := range all {
		if r.Created.After(run.Created) {
			break
		}
		if err := s.settled(ctx, r); err != nil {
			return nil, err
		}
		body, err := s.Kept.Traffic(ctx, r.Org, r.ID)
		if stockhand.CodeOf(err) == stockhand.CodeNotFound {
			return nil, s.notKept(r, i+1, r.ID == run.ID, "")
		}
		if err != nil {
			return nil, err
		}
		var no refused
		if json.Unmarshal(body, &no) == nil && no.Why != "" {
			return nil, s.notKept(r, i+1, r.ID == run.ID, no.Why)
		}
		one, err := cassette.Read(bytes.NewReader(body))
		if err != nil {
			return nil, err
		}
		if i > 0 && !reflect.DeepEqual(one.Header.Connections, out.Header.Connections) {
			return nil, stockhand.Errorf(stockhand.CodeConflict,
				"accounts were connected, changed or removed before turn %d of this conversation", i+1).
				WithHint("export an earlier turn")
		}
		out.Header, out.Turns = one.Header, append(out.Turns, one.Turns...)
		if r.ID == run.ID {
			return out, nil
		}
	}
	return nil, s.notKept(run, len(all), true, "")
}

// settled waits until the traffic of a finished run is stored.
func (s *Service) settled(ctx context.Context, run stockhand.Run) error {
	s.mu.Lock()
	over := s.ending[run.ID]
	s.mu.Unlock()
	if over == nil || !run.State.Finished() {
		return nil
	}
	select {
	case <-over:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Described is a connection as a cassette has it, with what must not get into one.
type Described struct {
	cassette.Connection

	base  string // the address of the server
	own   bool   // it is the connection's own
	token string
}

// Describe describes a connection, which is the one with that number in the cassette.
func Describe(of *connection.Service, c stockhand.Connection, number int) (out Described, err error) {
	k, err := of.Kind(c.Connector)
	if err != nil {
		return out, err
	}
	reach, err := of.Reach(c)
	if err != nil {
		return out, err
	}
	out = Described{base: cmp.Or(reach.BaseURL, k.DefaultURL), Connection: cassette.Connection{
		Name: fmt.Sprint("account ", number), Connector: c.Connector, Account: c.Account, Label: c.Label,
		Organization: c.Organization, Rights: c.Rights}}
	if k.Recorded != nil {
		r, err := k.Recorded(reach.Saved, fmt.Sprint(cassette.Site, "/", number))
		out.Name, out.Account, out.Saved = fmt.Sprint("server ", number), r.Account, r.Saved
		out.base, out.own, out.token = r.Address, true, r.Token
		return out, err
	}
	out.token = reach.Token
	u, err := url.Parse(out.base)
	if err != nil {
		return out, err
	}
	out.Path = u.Path
	return out, nil
}

// Hide adds to the secrets of a cassette what must not get into it of a connection.
func (d Described) Hide(c stockhand.Connection, s *cassette.Secrets) {
	s.Token(d.token)
	s.Employee(c.Employee, c.Login)
	if d.own {
		s.Endpoint(d.base, string(c.Account), "https://"+string(d.Account))
		return
	}
	s.Server(d.base)
}
