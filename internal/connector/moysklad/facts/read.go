package facts

import (
	"slices"

	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi/survey"
)

// readDays reads the documents of days and keeps them. It returns false if that failed, or the consumer stopped.
func (p *period) readDays(s span, yield func(msapi.Order, error) bool) bool {
	q := p.query
	q.From, q.To = s.from, s.to
	read := []msapi.Order{}
	for o, err := range p.read(msapi.WithMemo(p.ctx, nil), q) {
		if !yield(o, err) {
			return false
		}
		if err != nil {
			return false
		}
		read = append(read, o)
	}
	if survey.Of(p.ctx) != nil {
		return true
	}
	if p.mixed != nil {
		for i := range read {
			p.mixed[read[i].ID.Key()] = true
		}
	}
	if read, ok := p.steady(s, read); ok {
		p.keep(s, read)
	}
	return true
}

// keep adds what was read to the segments.
func (p *period) keep(s span, read []msapi.Order) {
	for m := monthOf(s.from); m <= monthOf(s.to); m++ {
		seg := p.segments[m]
		if seg == nil {
			seg = &segment{month: m}
			p.segments[m] = seg
		}
		if seg.covered == 0 {
			seg.read, seg.state = p.at, p.now()
		}
		for day := 1; day <= 31; day++ {
			if at := m.start(day); monthOf(at) == m && s.has(at) {
				seg.covered |= 1 << day
				seg.lines &^= 1 << day
				if p.query.Positions {
					seg.lines |= 1 << day
				}
			}
		}
		seg.replace(s, read)
		p.changed[m] = true
	}
}

// steady returns what was read, as it is now, if nothing can be missing. Documents can only be missing if others left
// the list between its pages, and so moved the later ones up (fact M106).
func (p *period) steady(s span, read []msapi.Order) (now []msapi.Order, ok bool) {
	before, newer := p.latest.Updated(), false // than the account's last change when the call began
	known := map[msapi.Key]bool{}
	for i := range read {
		o := &read[i]
		if !o.Applicable || !s.has(o.Moment.Time) {
			return nil, false // the filter did not do what it should
		}
		known[o.ID.Key()] = true
		newer = newer || o.Updated.After(before)
	}
	page := largePage
	if p.query.Positions {
		page = smallPage
	}
	if len(read) <= page { // all in one response
		return read, len(known) == len(read)
	}
	after, err := p.Reader.LatestChange(p.ctx, p.document, msapi.OrderQuery{})
	if err != nil {
		return nil, false
	}
	if after.Size == p.latest.Size && after.Updated().Equal(before) {
		return read, !newer // else what is newer is gone
	}
	changes, err := p.Reader.Changes(p.ctx, p.document, before, p.query.Positions, page)
	if err != nil {
		return nil, false
	}
	last, created := map[msapi.Key]msapi.Order{}, map[msapi.Key]bool{}
	for _, o := range changes {
		if !o.Updated.After(before) {
			continue
		}
		key := o.ID.Key()
		last[key], created[key] = o, o.Created.After(before)
		if in := o.Applicable && s.has(o.Moment.Time); known[key] && !in || !created[key] && !(in && known[key]) {
			return nil, false // it may have left the list
		}
	}
	if slices.ContainsFunc(read, func(o msapi.Order) bool {
		_, there := last[o.ID.Key()]
		return !there && o.Updated.After(before)
	}) {
		return nil, false // it was deleted
	}
	for key, is := range created {
		if !is {
			delete(created, key)
		}
	}
	if after.Size != p.latest.Size+len(created) {
		return nil, false // some were deleted
	}
	now = slices.DeleteFunc(read, func(o msapi.Order) bool { _, changed := last[o.ID.Key()]; return changed })
	for _, o := range last {
		if o.Applicable && s.has(o.Moment.Time) {
			now = append(now, o)
		}
	}
	return now, true
}
