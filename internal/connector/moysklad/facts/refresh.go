package facts

import (
	"errors"
	"slices"
	"time"

	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
)

const (
	// overlap is how long a change may take to appear in lists, and how far the clocks may be apart.
	overlap = time.Minute

	// attempts is how often what is kept is compared again because the account changed meanwhile.
	attempts = 4

	smallPage, largePage = 100, 1000 // documents that one request reads, with and without lines
)

// errDrop means that reading again is right or cheaper.
var errDrop = errors.New("what is kept is not used")

// stale reports whether something may have changed since the segment was compared with the account.
func (p *period) stale(s *segment) bool {
	return !s.sure || s.total != p.latest.Size || !s.newest.Equal(p.latest.Last.Updated.Time)
}

// settled reports whether no change can appear any more that is older than the account's last one.
func (p *period) settled() bool { return p.at.Sub(p.latest.Last.Updated.Time) > overlap }

// refresh brings the segments up to date.
func (p *period) refresh() error {
	var stale []*segment
	for _, s := range p.segments {
		if s.covered != 0 && p.stale(s) {
			stale = append(stale, s)
		}
	}
	if len(stale) == 0 {
		return nil
	}
	spans := runs(stale)
	within := slices.ContainsFunc(spans, func(s span) bool { return s.has(p.latest.Last.Moment.Time) })
	known, settled := stale[0].newest, true
	for _, s := range stale {
		known, settled = earlier(known, s.newest), settled && s.sure
	}
	if settled && !within {
		same, err := p.same(stale, spans, known)
		if err != nil {
			return err
		}
		if same {
			p.compared(stale, p.settled())
			return nil
		}
	}
	for range attempts {
		high, err := p.apply(stale, known)
		if err != nil {
			return err
		}
		same, err := p.same(stale, spans, high)
		if err != nil {
			return err
		}
		if same {
			p.compared(stale, p.settled() && !high.After(p.latest.Last.Updated.Time))
			return nil
		}
		for _, s := range spans {
			if err := p.prune(stale, s, high); err != nil {
				return err
			}
		}
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
func (p *period) compared(list []*segment, sure bool) {
	for _, s := range list {
		s.total, s.newest, s.sure = p.latest.Size, p.latest.Last.Updated.Time, sure
		p.changed[s.month] = true
	}
}

// apply reads what was changed since a time, and returns the time of the last change that the segments have now.
func (p *period) apply(list []*segment, since time.Time) (high time.Time, err error) {
	most, lines := smallPage, false
	for _, s := range list {
		most += len(s.documents)
		lines = lines || s.lines != 0
	}
	if since = since.Add(-overlap); since.Year() < 2000 {
		return high, errDrop // nothing was there yet
	}
	changes, err := p.Reader.Changes(p.ctx, p.document, since, lines, most)
	if errors.Is(err, msapi.ErrManyChanges) {
		return high, errDrop
	}
	if err != nil {
		return high, err
	}
	high = p.latest.Last.Updated.Time
	last := map[msapi.Key]msapi.Order{}
	for _, o := range changes {
		if o.Updated.After(high) {
			high = o.Updated.Time
		}
		last[o.ID.Key()] = o // in the order of the changes
	}
	for _, s := range list {
		s.remove(func(o *msapi.Order) bool { _, changed := last[o.ID.Key()]; return changed })
		for _, o := range last {
			if o.Applicable {
				s.add(o)
			}
		}
	}
	return high, nil
}

// same reports whether the account has as many documents as the segments, and none that was changed after the last
// change that they have. Then they are the same: the segments lack none.
func (p *period) same(list []*segment, spans []span, high time.Time) (bool, error) {
	for _, s := range spans {
		now, err := p.latestIn(s)
		if err != nil {
			return false, err
		}
		if now.Size != count(list, s) || now.Last.Updated.After(high) {
			return false, nil
		}
	}
	return true, nil
}

func count(list []*segment, within span) (n int) {
	for _, s := range list {
		n += s.count(within)
	}
	return n
}

func (p *period) latestIn(s span) (msapi.Latest, error) {
	posted := true
	return p.Reader.LatestChange(p.ctx, p.document, msapi.OrderQuery{Posted: &posted, From: s.from, To: s.to})
}

// prune finds where documents were deleted: it compares the numbers of halves, and reads again what fits into a
// request. It leaves to the next comparison what was changed since.
func (p *period) prune(list []*segment, s span, high time.Time) error {
	n := count(list, s)
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
		if err := p.prune(list, span{s.from, half.Add(-time.Second)}, high); err != nil {
			return err
		}
		return p.prune(list, span{half, s.to}, high)
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
