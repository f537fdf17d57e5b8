package facts

import (
	"errors"
	"slices"
	"time"

	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
)

const (
	// overlap is how long after a change an older one may appear in lists (fact M136).
	overlap = time.Minute

	// attempts is how often what is kept is compared again because the account changed meanwhile.
	attempts = 4

	// fewDocuments is how many of the documents that were changed last are read to compare what is kept.
	fewDocuments = 25

	smallPage, largePage = 100, 1000 // documents that one request reads, with and without lines
)

// errDrop means that reading again is right or cheaper.
var errDrop = errors.New("what is kept is not used")

// look asks how many documents of the type there are and which were changed last, unless that is known and as new as
// what is kept.
func (p *period) look() error {
	few, lines, bound, newest := fewDocuments, false, time.Time{}, time.Time{}
	for _, s := range p.segments {
		if s.covered == 0 {
			continue
		}
		if lines = lines || s.lines != 0; bound.IsZero() || s.bound().Before(bound) {
			bound = s.bound()
		}
		newest = later(newest, s.newest)
		for i := range s.documents {
			newest = later(newest, s.documents[i].Updated.Time)
		}
		few = max(few, len(s.recent)+fewDocuments/2)
	}
	var after time.Time // of which the lines are needed
	if lines {
		after = later(bound, time.Time{}.Add(1))
	}
	if p.latest != nil && !newest.After(p.latest.Updated()) && (!lines || !p.after.IsZero() && !p.after.After(after)) {
		return nil
	}
	at := p.Clock()
	latest, err := p.Reader.LatestChanges(p.ctx, p.document, min(few, smallPage), after)
	if err != nil {
		return err
	}
	p.latest, p.after, p.at = &latest, after, at
	return nil
}

// now returns the state of the account.
func (p *period) now() state {
	now := state{total: p.latest.Size, newest: p.latest.Updated()}
	for _, o := range p.latest.Rows {
		if o.Updated.After(now.bound()) {
			now.recent = append(now.recent, o.ID.Key())
		}
	}
	return now
}

// since returns what was changed after a time, if that is among the changes that the session has read.
func (p *period) since(bound time.Time) (changes []msapi.Order, all bool) {
	for i, o := range p.latest.Rows {
		if !o.Updated.After(bound) {
			return p.latest.Rows[:i], true
		}
	}
	return p.latest.Rows, len(p.latest.Rows) == p.latest.Size
}

// refresh brings the segments up to date.
func (p *period) refresh() error {
	var list []*segment
	var bound time.Time // after which there may be changes that they lack
	for _, s := range p.segments {
		if s.covered == 0 {
			continue
		}
		if list = append(list, s); len(list) == 1 || s.bound().Before(bound) {
			bound = s.bound()
		}
	}
	if len(list) == 0 {
		return nil
	}
	spans := runs(list)
	changes, all := p.since(bound)
	proven := all && p.nothingDeleted(list, changes)
	for range attempts {
		if !all {
			var err error
			if changes, err = p.changes(list, bound); err != nil {
				return err
			}
		}
		p.apply(list, changes)
		if !proven {
			var err error
			if proven, err = p.same(list, spans); err != nil {
				return err
			}
		}
		if proven {
			p.compared(list)
			return nil
		}
		for _, s := range spans {
			if err := p.prune(list, s); err != nil {
				return err
			}
		}
		all = false
	}
	return errDrop
}

func earlier(x, y time.Time) time.Time {
	if y.Before(x) {
		return y
	}
	return x
}

// compared notes that segments are as the account is.
func (p *period) compared(list []*segment) {
	now := p.now()
	for _, s := range list {
		if s.total != now.total || !s.newest.Equal(now.newest) || !slices.Equal(s.recent, now.recent) {
			s.state = now
			p.changed[s.month] = true
		}
	}
}

// nothingDeleted reports whether no document can have been deleted since the segments were compared with the account.
// Their number and the changes are of one response. A document among the changes that was created before and is not
// known to have been there may have been restored in place of a deleted one.
func (p *period) nothingDeleted(list []*segment, changes []msapi.Order) bool {
	was := list[0].state
	if slices.ContainsFunc(list, func(s *segment) bool {
		return s.total != was.total || !s.newest.Equal(was.newest) || !slices.Equal(s.recent, was.recent)
	}) || p.latest.Updated().Before(was.newest) {
		return false
	}
	there := make(map[msapi.Key]bool, len(changes))
	for _, o := range changes {
		there[o.ID.Key()] = slices.Contains(was.recent, o.ID.Key())
	}
	for _, s := range list {
		for i := range s.documents {
			key := s.documents[i].ID.Key()
			if known, changed := there[key]; changed && !known {
				there[key] = !s.documents[i].Updated.After(was.bound()) // else it may have come in between
			}
		}
	}
	created := 0
	for _, o := range changes {
		switch {
		case o.Created.After(was.newest):
			created++
		case !there[o.ID.Key()]:
			return false
		}
	}
	return was.total+created == p.latest.Size
}

// changes reads what was changed since a time.
func (p *period) changes(list []*segment, since time.Time) ([]msapi.Order, error) {
	most, lines := smallPage, false
	for _, s := range list {
		most += len(s.documents)
		lines = lines || s.lines != 0
	}
	if since.Year() < 2000 {
		return nil, errDrop // nothing was there yet
	}
	changes, err := p.Reader.Changes(p.ctx, p.document, since, lines, most)
	if errors.Is(err, msapi.ErrManyChanges) {
		err = errDrop
	}
	return changes, err
}

// apply applies changes to the segments.
func (p *period) apply(list []*segment, changes []msapi.Order) {
	newest := p.latest.Updated()
	last := map[msapi.Key]msapi.Order{}
	for _, o := range changes {
		newest = later(newest, o.Updated.Time)
		if key := o.ID.Key(); !o.Updated.Before(last[key].Updated.Time) {
			last[key] = o
		}
	}
	for _, s := range list {
		s.remove(func(o *msapi.Order) bool {
			_, changed := last[o.ID.Key()]
			return changed || o.Updated.After(newest) // it is gone, or was put back to what it was before
		})
		for _, o := range last {
			if o.Applicable {
				s.add(o)
			}
		}
	}
}

// same reports whether the account has as many documents as the segments, and the same last change. Then they are the
// same: the segments lack none.
func (p *period) same(list []*segment, spans []span) (bool, error) {
	for _, s := range spans {
		now, err := p.latestIn(s)
		if err != nil {
			return false, err
		}
		if n, newest := count(list, s); now.Size != n || !now.Updated().Equal(newest) {
			return false, nil
		}
	}
	return true, nil
}

// count returns the number of documents within a range, and their last change.
func count(list []*segment, within span) (n int, newest time.Time) {
	for _, s := range list {
		for i := range s.documents {
			if o := &s.documents[i]; within.has(o.Moment.Time) {
				n++
				newest = later(newest, o.Updated.Time)
			}
		}
	}
	return n, newest
}

func (p *period) latestIn(s span) (msapi.Latest, error) {
	posted := true
	return p.Reader.LatestChange(p.ctx, p.document, msapi.OrderQuery{Posted: &posted, From: s.from, To: s.to})
}

// prune finds where documents were deleted: it compares the numbers of halves, and reads again what fits into a
// request. It leaves to the next comparison what was changed since.
func (p *period) prune(list []*segment, s span) error {
	n, _ := count(list, s)
	if n == 0 {
		return nil
	}
	now, err := p.latestIn(s)
	if err != nil {
		return err
	}
	if now.Size >= n { // the same, or more: those were changed since
		return nil
	}
	page := largePage
	if slices.ContainsFunc(list, func(s *segment) bool { return s.lines != 0 }) {
		page = smallPage
	}
	if now.Size > page {
		half := s.from.Add(s.to.Sub(s.from) / 2).Truncate(time.Minute)
		if !half.After(s.from) {
			return errDrop
		}
		if err := p.prune(list, span{s.from, half.Add(-time.Second)}); err != nil {
			return err
		}
		return p.prune(list, span{half, s.to})
	}
	posted := true
	read, err := msapi.Collect(p.read(msapi.WithMemo(p.ctx, nil), msapi.OrderQuery{Posted: &posted, From: s.from,
		To: s.to, Positions: page == smallPage}))
	if err != nil {
		return err
	}
	if len(read) > page {
		return errDrop // several pages, between which documents may have moved
	}
	for _, of := range list {
		of.replace(s, read)
	}
	return nil
}
