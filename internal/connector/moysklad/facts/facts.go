// Package facts keeps documents and goods that were read, so that the next question about them takes a few requests.
//
// What is kept is compared with the account before each use, and a figure is never given up for speed: where that
// comparison proves nothing, documents are read again (decision 50).
package facts

import (
	"context"
	"errors"
	"iter"
	"log/slog"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi/survey"
)

// Types lists the documents that are kept: those whose figures change only when the document itself is changed.
var Types = []string{string(msapi.Demand), string(msapi.RetailDemand), string(msapi.SalesReturn),
	string(msapi.RetailSalesReturn), "supply", "loss", "enter", "move"}

// Kept names what is kept of the objects at a path, which one request compares; empty for those that are not kept.
func Kept(path string) string {
	name := strings.TrimPrefix(path, "entity/")
	switch {
	case slices.Contains(Types, name):
		return name
	case path == assortmentPath:
		return "goods"
	}
	return ""
}

// List reads documents from the account.
type List func(context.Context, msapi.OrderQuery) iter.Seq2[msapi.Order, error]

// Config configures a Session.
type Config struct {
	Reader *msapi.Reader
	Kept   connector.Kept // nil: nothing is kept
	Clock  func() time.Time
	Logger *slog.Logger
	Fresh  bool // read again, and keep that

	// SameRights reports whether the employee still has the rights that Kept is for (rule R236).
	SameRights func(context.Context) bool
}

// Session reads the documents of one call of a tool, which compares each type of documents with the account once. It is
// safe for concurrent use.
type Session struct {
	Config

	mu    sync.Mutex
	types map[string]*typed
	used  Used
	goods goods

	ask     sync.Once
	trusted bool
}

// Used says what was not read because it was kept.
type Used struct {
	Documents int
	Goods     int
	Read      time.Time // when the oldest of them was read from the account
	AsOf      time.Time // when they were compared with it
}

// New returns a session.
func New(c Config) *Session { return &Session{Config: c, types: map[string]*typed{}} }

// trusts reports whether what is kept is what the employee may see now. It is asked once, when it is needed.
func (s *Session) trusts(ctx context.Context) bool {
	s.ask.Do(func() { s.trusted = s.SameRights(ctx) })
	return s.trusted
}

// Used returns what was used so far.
func (s *Session) Used() Used {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.used
}

// typed is a type of documents in a session.
type typed struct {
	*Session
	document string

	mu     sync.Mutex         // one list is read at a time
	early  map[month]*segment // decoded by Has
	latest *msapi.Latest      // of all documents of the type
	after  time.Time          // of those that were changed after it, latest has the lines; zero if of none
	at     time.Time          // when latest was asked for
}

func (s *Session) of(document string) *typed {
	s.mu.Lock()
	defer s.mu.Unlock()
	t := s.types[document]
	if t == nil {
		t = &typed{Session: s, document: document}
		s.types[document] = t
	}
	return t
}

// Documents lists the posted documents of whole days, in no particular order. Those that are kept have only what
// package facts keeps of them; see [Types].
func (s *Session) Documents(ctx context.Context, document string, q msapi.OrderQuery,
	list List) iter.Seq2[msapi.Order, error] {
	if s == nil || s.Kept == nil || !slices.Contains(Types, document) || q.Posted == nil || !*q.Posted ||
		q.From.IsZero() || q.To.IsZero() || q.States != nil || q.NoState || !q.PlannedBefore.IsZero() {
		return list(ctx, q)
	}
	return func(yield func(msapi.Order, error) bool) {
		t := s.of(document)
		t.mu.Lock()
		defer t.mu.Unlock()
		p, ok := (*period)(nil), s.trusts(ctx)
		if ok {
			p, ok = t.prepare(ctx, q, list)
		}
		if !ok {
			list(ctx, q)(yield)
			return
		}
		if s := survey.Of(ctx); s != nil {
			p.survey(s)
		}
		p.list(yield) //nolint:contextcheck // p has it
	}
}

// Keeps reports whether anything that is read may be kept.
func (s *Session) Keeps(ctx context.Context) bool { return s != nil && s.Kept != nil && s.trusts(ctx) }

// Has reports whether all documents of whole days are kept. They are not compared with the account yet.
func (s *Session) Has(ctx context.Context, document string, q msapi.OrderQuery) bool {
	if !s.Keeps(ctx) || s.Fresh {
		return false
	}
	t := s.of(document)
	t.mu.Lock()
	defer t.mu.Unlock()
	p := &period{typed: t, ctx: ctx, query: q, segments: map[month]*segment{}}
	if p.load() != nil || len(p.missing()) > 0 {
		return false
	}
	t.early = p.segments
	return true
}

// period is one list that is read.
type period struct {
	*typed
	ctx      context.Context //nolint:containedctx // it lives as long as the loop over the list
	query    msapi.OrderQuery
	read     List
	segments map[month]*segment
	changed  map[month]bool     // to be saved
	mixed    map[msapi.Key]bool // what was read, if other documents are kept; else nil
}

// narrow reports whether the list is not of all documents of its days.
func (p *period) narrow() bool { return p.query.Stores != nil || p.query.Agents != nil }

// prepare loads what is kept and brings it up to date. It returns false if the list must be read without it.
func (t *typed) prepare(ctx context.Context, q msapi.OrderQuery, list List) (*period, bool) {
	p := &period{typed: t, ctx: ctx, query: q, read: list, segments: map[month]*segment{}, changed: map[month]bool{}}
	if err := p.load(); err != nil {
		t.Logger.WarnContext(ctx, "kept documents cannot be used", "type", t.document, "err", err)
		return nil, false
	}
	if p.narrow() && len(p.missing()) > 0 {
		return nil, false
	}
	if survey.Of(ctx) != nil {
		return p, true
	}
	if err := p.look(); err != nil {
		return nil, false // the list has the same error, or none
	}
	if err := p.refresh(); err != nil { //nolint:contextcheck // p has it
		if !errors.Is(err, errDrop) {
			return nil, false
		}
		for m, s := range p.segments {
			p.segments[m] = &segment{month: m, version: s.version}
		}
	}
	return p, !p.narrow() || len(p.missing()) == 0
}

func (p *period) load() error {
	var names []string
	for m := monthOf(p.query.From); m <= monthOf(p.query.To); m++ {
		names = append(names, p.name(m))
	}
	pieces, err := p.Kept.Load(p.ctx, names...)
	if err != nil {
		return err
	}
	for m := monthOf(p.query.From); m <= monthOf(p.query.To); m++ {
		piece, ok := pieces[p.name(m)]
		if !ok {
			continue
		}
		if early := p.early[m]; early != nil && early.version == piece.Version {
			delete(p.early, m)
			p.segments[m] = early
			continue
		}
		s, err := decode(piece.Body)
		if err != nil || s.month != m || p.Fresh {
			s = &segment{month: m}
		}
		s.version = piece.Version
		p.segments[m] = s
	}
	return nil
}

func (p *period) name(m month) string { return p.document + " " + strconv.Itoa(int(m)) }

// missing returns the days of the period that are not kept, or without the lines that are needed.
func (p *period) missing() (list []span) {
	for m := monthOf(p.query.From); m <= monthOf(p.query.To); m++ {
		for day := 1; day <= m.start(32).AddDate(0, 0, -m.start(32).Day()).Day(); day++ {
			at := m.start(day)
			if at.Before(p.query.From) || at.After(p.query.To) || p.segments[m].covers(day, p.query.Positions) {
				continue
			}
			list = extend(list, m, day)
		}
	}
	return list
}

// list yields first what has to be read, so that its size is known early, and then what is kept.
func (p *period) list(yield func(msapi.Order, error) bool) {
	missing := p.missing()
	if survey.Of(p.ctx) == nil && len(missing) > 0 && p.uses(missing) {
		p.mixed = map[msapi.Key]bool{}
	}
	for _, s := range missing {
		if !p.readDays(s, yield) {
			return
		}
	}
	if survey.Of(p.ctx) != nil {
		return
	}
	moved, err := p.moved()
	if err != nil {
		yield(msapi.Order{}, err)
		return
	}
	p.save()
	used := Used{AsOf: p.at}
	for _, s := range p.segments {
		for _, o := range s.documents {
			if !p.keeps(&o, missing) || p.mixed[o.ID.Key()] {
				continue
			}
			if _, changed := moved[o.ID.Key()]; changed {
				continue
			}
			if !p.query.Positions {
				o.Positions = nil
			}
			if used.Documents++; used.Read.IsZero() || s.read.Before(used.Read) {
				used.Read = s.read
			}
			if !yield(o, nil) {
				return
			}
		}
	}
	for key, o := range moved {
		if !p.mixed[key] && o.Applicable && p.wants(&o) && !yield(o, nil) {
			return
		}
	}
	p.Session.use(used)
}

// uses reports whether the list has documents of other days than the missing ones.
func (p *period) uses(missing []span) bool {
	for _, s := range p.segments {
		for i := range s.documents {
			if p.keeps(&s.documents[i], missing) {
				return true
			}
		}
	}
	return false
}

// keeps reports whether a document belongs to the list and is not read.
func (p *period) keeps(o *msapi.Order, missing []span) bool {
	return p.wants(o) && !slices.ContainsFunc(missing, func(s span) bool { return s.has(o.Moment.Time) })
}

// moved returns what was changed while some days were read and others were not, because they are kept: a document that
// moved between them would be in the list twice, or not at all (rule R237).
func (p *period) moved() (map[msapi.Key]msapi.Order, error) {
	if p.mixed == nil || p.latest.Size == 0 {
		return nil, nil
	}
	changes, err := p.Reader.Changes(p.ctx, p.document, p.latest.Updated(), p.query.Positions, 10*smallPage)
	if err != nil && !errors.Is(err, msapi.ErrManyChanges) {
		return nil, err
	}
	moved := map[msapi.Key]msapi.Order{}
	for _, o := range changes {
		if !o.Updated.Before(p.latest.Updated()) {
			moved[o.ID.Key()] = o
		}
	}
	return moved, nil
}

func (s *Session) use(u Used) {
	if u.Documents == 0 && u.Goods == 0 {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.used.Documents += u.Documents
	s.used.Goods = max(s.used.Goods, u.Goods) // the same ones
	if s.used.Read.IsZero() || u.Read.Before(s.used.Read) {
		s.used.Read = u.Read
	}
	if s.used.AsOf.IsZero() || u.AsOf.Before(s.used.AsOf) {
		s.used.AsOf = u.AsOf
	}
}

// wants reports whether a kept document belongs to the list.
func (p *period) wants(o *msapi.Order) bool {
	among := func(ids []msapi.ID, id msapi.ID) bool { return ids == nil || slices.Contains(ids, id) }
	return span{p.query.From, p.query.To}.has(o.Moment.Time) && among(p.query.Stores, o.Store.ID) &&
		among(p.query.Agents, o.Agent.ID)
}

// survey notes that what is kept will be compared with the account.
func (p *period) survey(s *survey.Survey) {
	n := 0
	for _, kept := range p.segments {
		for i := range kept.documents {
			if p.wants(&kept.documents[i]) {
				n++
			}
		}
	}
	s.Add(survey.Reading{Path: "entity/" + p.document, Rows: n, Requests: 1})
}

// save keeps what has changed. It is only a cache, so that an error does not matter.
func (p *period) save() {
	for m := range p.changed {
		s := p.segments[m]
		body, err := s.encode()
		if err == nil {
			err = p.Kept.Save(p.ctx, p.name(m), stockhand.Piece{Version: s.version, Read: s.read, Body: body})
		}
		if err != nil && p.ctx.Err() == nil {
			p.Logger.WarnContext(p.ctx, "documents cannot be kept", "type", p.document, "err", err)
			return
		}
	}
}
