package facts

import (
	"cmp"
	"context"
	"errors"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi/meter"
	"github.com/stockhand/stockhand/internal/decimal"
)

const (
	// ahead is how many pages are read concurrently.
	ahead = 5

	// idsPerRequest is roughly how many IDs fit into the URL of one request.
	idsPerRequest = 150

	assortmentPath = "entity/assortment"
)

var ( // smaller in tests
	goodsPerPage = largePage

	// fewGoods is how many of the goods that were changed last are read to compare what is kept.
	fewGoods = 100
)

// errMany means that reading all goods takes more requests than the caller allows.
var errMany = errors.New("reading the goods takes too many requests")

// goodsPage is one page of the assortment.
type goodsPage struct {
	offset, size int
	rows         []good
}

// wireGood is a good as the assortment lists it.
type wireGood struct {
	msapi.AssortmentItem
	Meta struct {
		Href string `json:"href"`
		Type string `json:"type"`
	} `json:"meta"`
	Barcodes []map[string]string `json:"barcodes"`
	Updated  msapi.Moment        `json:"updated"`
}

// page reads a page of goods, archived ones too.
func (s *Session) page(ctx context.Context, filter msapi.Filter, order string, offset, limit int) (goodsPage, error) {
	text, err := filter.Where("archived", msapi.Eq, "true", "false").Build()
	if err != nil {
		return goodsPage{}, err
	}
	params := url.Values{"limit": {strconv.Itoa(limit)}, "order": {order}, "filter": {text}}
	if offset > 0 {
		params.Set("offset", strconv.Itoa(offset))
	}
	list, err := msapi.Get[struct {
		Meta struct {
			Size *int `json:"size"`
		} `json:"meta"`
		Rows []wireGood `json:"rows"`
	}](msapi.WithMemo(ctx, nil), s.Reader, assortmentPath, params)
	if err != nil {
		return goodsPage{}, err
	}
	if list.Meta.Size == nil {
		return goodsPage{}, errDrop
	}
	meter.Of(ctx).Rows(assortmentPath, text, len(list.Rows)-1) // beyond the response itself
	p := goodsPage{offset, *list.Meta.Size, make([]good, len(list.Rows))}
	for i := range list.Rows {
		if !p.rows[i].from(&list.Rows[i]) {
			return goodsPage{}, errDrop
		}
	}
	return p, nil
}

// from takes what is kept of a row. It returns false for one that cannot be compared later.
func (x *good) from(w *wireGood) bool {
	x.AssortmentItem, x.updated = w.AssortmentItem, w.Updated.Time
	x.Type, x.ID = w.Meta.Type, cmp.Or(msapi.IDOf(w.Meta.Href), w.ID)
	x.key = x.ID.Key()
	for _, codes := range w.Barcodes {
		for _, code := range codes {
			x.Barcodes = append(x.Barcodes, code)
		}
	}
	slices.Sort(x.Barcodes)
	x.PathName, x.Variants, x.Stock, x.Quantity, x.Attributes = "", 0, decimal.Maybe{}, decimal.Maybe{}, nil
	for _, r := range x.links() {
		*r = msapi.Ref{Type: r.Type, ID: r.ID}
	}
	return x.key != msapi.Key{} && !x.updated.IsZero()
}

// readGoods reads all goods in the order of their IDs. Each page begins with the last row of the one before: if it
// does, no good between them was missed, whatever was added or deleted meanwhile. So no good is missing that was there
// all the time; one that was changed or added is found by the next comparison, and so is one that was deleted.
func (s *Session) readGoods(ctx context.Context, most int, sparing bool) error {
	g := &s.goods
	fits := func() bool { return 1+(max(g.size-goodsPerPage, 0)+goodsPerPage-2)/(goodsPerPage-1) <= most }
	if g.size > 0 && !fits() {
		return errMany
	}
	at := s.Clock()
	first, err := s.page(ctx, msapi.Filter{}, "id", 0, goodsPerPage)
	if err != nil {
		return err
	}
	if g.size = first.size; len(first.rows) == 0 || !fits() {
		return errMany
	}
	archived, newest := 0, time.Time{}
	for i := range first.rows {
		if first.rows[i].Archived {
			archived++
		}
		newest = later(newest, first.rows[i].updated)
	}
	if sparing && len(first.rows) < first.size && archived > len(first.rows)/10 {
		return errMany
	}
	pages := []goodsPage{first}
	if pages, err = s.otherPages(ctx, pages); err != nil {
		return err
	}
	var fresh [parts]*part
	for n := range parts {
		fresh[n] = &part{number: n, version: g.parts[n].version, read: at, newest: newest,
			changed: len(pages) > 1} // comparing takes a request, too
	}
	seen, settled := make(map[msapi.Key]bool, first.size), true
	for _, p := range pages {
		settled = settled && p.size == first.size
		for _, x := range p.rows {
			if !seen[x.key] {
				seen[x.key] = true
				to := fresh[partOf(&x.AssortmentItem)]
				to.goods = append(to.goods, x)
			}
		}
	}
	if settled && len(seen) != first.size {
		return errDrop // the list is not what it says
	}
	g.parts, g.at, g.kept = fresh, at, false
	return nil
}

func later(x, y time.Time) time.Time {
	if y.After(x) {
		return y
	}
	return x
}

// otherPages reads the pages after the first one.
func (s *Session) otherPages(ctx context.Context, pages []goodsPage) ([]goodsPage, error) {
	var offsets []int
	for at := goodsPerPage - 1; at+1 < pages[0].size; at += goodsPerPage - 1 {
		offsets = append(offsets, at)
	}
	pages = append(pages, make([]goodsPage, len(offsets))...)
	meter.Of(ctx).Plan(len(offsets), false)
	work, inner := errgroup.WithContext(ctx)
	work.SetLimit(ahead)
	for i, at := range offsets {
		work.Go(func() (err error) {
			meter.Of(ctx).Plan(-1, false) // the request announces itself
			pages[i+1], err = s.page(inner, msapi.Filter{}, "id", at, goodsPerPage)
			return err
		})
	}
	if err := work.Wait(); err != nil {
		return nil, err
	}
	for i := range pages {
		for tries := 1; i > 0 && !adjoin(pages[i-1], pages[i]); tries++ { // others were deleted between the two
			if tries == attempts {
				return nil, errDrop
			}
			var err error
			earlier := max(0, offsets[i-1]-10*tries)
			if pages[i], err = s.page(ctx, msapi.Filter{}, "id", earlier, goodsPerPage); err != nil {
				return nil, err
			}
		}
	}
	if last := pages[len(pages)-1]; last.offset+len(last.rows) < last.size {
		return nil, errDrop // others were added
	}
	return pages, nil
}

// adjoin reports whether no row can be between two pages.
func adjoin(x, y goodsPage) bool {
	if len(x.rows) == 0 || len(y.rows) == 0 {
		return false
	}
	end := x.rows[len(x.rows)-1]
	if end.key == y.rows[0].key {
		return true
	}
	compare := func(x, y good) int { return strings.Compare(string(x.ID), string(y.ID)) }
	return slices.IsSortedFunc(x.rows, compare) && slices.IsSortedFunc(y.rows, compare) &&
		compare(y.rows[0], end) < 0
}
