package msapi

import (
	"context"
	"strings"
	"sync"
	"time"

	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi/meter"
	"github.com/stockhand/stockhand/internal/limit"
)

// Survey finds out what reading would take, without reading it. With the context of [WithSurvey], lists of entities
// report their size to the smallest request and yield no rows; reports are asked once for each path, since all readings
// of one report are about as large; what is one response whatever its size is not asked at all.
type Survey struct {
	mu       sync.Mutex
	readings []SurveyReading
	reports  map[string]int // rows by path
}

// SurveyReading is a list or report that would be read.
type SurveyReading struct {
	Path     string
	Filter   string // as it would be sent, decoded
	Rows     int    // -1 if not known
	Requests int
	Exact    bool // Requests is known and not an estimate
}

// StockReport reports whether the reading is one of those of which fewer are allowed per second (rule R24).
func (s SurveyReading) StockReport() bool { return heavy(s.Path) }

type surveyKey struct{}

// WithSurvey returns a context in which nothing is read, and s notes what would be.
func WithSurvey(ctx context.Context, s *Survey) context.Context {
	return context.WithValue(ctx, surveyKey{}, s)
}

// WithoutSurvey returns a context in which everything is read, for what must be known to make a plan.
func WithoutSurvey(ctx context.Context) context.Context {
	if Surveying(ctx) == nil {
		return ctx
	}
	return context.WithValue(ctx, surveyKey{}, (*Survey)(nil))
}

// Surveying returns the survey of a context, or nil if everything is read. A caller adds readings to it that depend on
// rows, which a survey has none of.
func Surveying(ctx context.Context) *Survey {
	s, _ := ctx.Value(surveyKey{}).(*Survey)
	return s
}

// Readings returns what was noted, in no particular order.
func (s *Survey) Readings() []SurveyReading {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]SurveyReading(nil), s.readings...)
}

// Rows returns the rows of the readings that are known.
func (s *Survey) Rows() (n int) {
	for _, r := range s.Readings() {
		n += max(r.Rows, 0)
	}
	return n
}

// Add notes a reading.
func (s *Survey) Add(r SurveyReading) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.readings = append(s.readings, r)
}

// whole notes a response that is requested once, whatever its size.
func (s *Survey) whole(q request) {
	s.Add(SurveyReading{Path: q.label(), Filter: q.filter, Rows: -1, Requests: 1, Exact: true})
}

// list notes a list.
func (s *Survey) list(ctx context.Context, r *Reader, l listing, chunks []*chunk) error {
	page := l.pageSize()
	for _, c := range chunks {
		q := request{path: l.path, filter: c.label}
		noted := SurveyReading{Path: q.label(), Filter: c.label, Rows: -1, Requests: 1}
		if len(l.split) > 0 { // its size is at most the number of alternatives
			s.Add(noted)
			continue
		}
		size, exact, err := s.size(ctx, r, l, c)
		if err != nil {
			return err
		}
		if size >= 0 {
			noted.Rows = size
			if l.first > 0 {
				noted.Rows = min(size, l.first)
			}
			noted.Requests, noted.Exact = max(1, (noted.Rows+page-1)/page), exact
			if err := sizedAs(ctx, l.path, size); err != nil {
				return err
			}
		}
		s.Add(noted)
	}
	return nil
}

// size asks for the number of rows; it is not exact if it is that of an earlier reading of the same report.
func (s *Survey) size(ctx context.Context, r *Reader, l listing, c *chunk) (size int, exact bool, err error) {
	report := strings.HasPrefix(l.path, "report/")
	if report {
		s.mu.Lock()
		defer s.mu.Unlock() // the next reading of the path waits for the answer
		if known, ok := s.reports[l.path]; ok {
			return known, false, nil
		}
	}
	smallest := l
	smallest.params, smallest.page, smallest.first, smallest.order = l.unexpanded(), 0, 1, ""
	p := &pager[struct{}]{ctx: ctx, reader: r, listing: smallest}
	meter.Of(ctx).Plan(1, heavy(l.path))
	got, err := p.fetch(task{chunk: c})
	if err != nil {
		return 0, false, err
	}
	size = -1
	if got.meta.Size != nil {
		size = *got.meta.Size
	}
	if report {
		if s.reports == nil {
			s.reports = map[string]int{}
		}
		s.reports[l.path] = size
	}
	return size, true, nil
}

// Prices returns the vendor's budget for one employee and the units that requests cost at a time (facts M9 and M10).
func Prices(at time.Time) limit.Vendor {
	v := limit.Vendor{Limit: 45, Interval: 3 * time.Second, Light: 2, Heavy: maxHeavyUnits}
	for _, month := range []time.Month{time.September, time.December} {
		if !at.Before(time.Date(2026, month, 1, 0, 0, 0, 0, Moscow)) {
			v.Light++
		}
	}
	return v
}

// Duration returns how long an idle account's limits make requests take at least, stock of them stock reports.
func Duration(requests, stock int, at time.Time) time.Duration {
	return limit.Bound(requests, stock, limit.Config{}, Prices(at))
}

type sizesKey struct{}

// WithSizes returns a context whose lists pass their size to f when the first page reports it, before the next page is
// requested. An error of f ends the reading. f may be called concurrently.
func WithSizes(ctx context.Context, f func(path string, size int) error) context.Context {
	return context.WithValue(ctx, sizesKey{}, f)
}

// sizedAs passes the size of a list on.
func sizedAs(ctx context.Context, path string, size int) error {
	if f, ok := ctx.Value(sizesKey{}).(func(string, int) error); ok {
		return f(path, size)
	}
	return nil
}
