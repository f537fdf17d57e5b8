package facts

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi/survey"
)

// parts is the number of pieces that the goods are kept in: by the first digit of their ID, a variant with its product.
const parts = 16

// partOf returns the number of the part that a good belongs to.
func partOf(x *msapi.AssortmentItem) int {
	if p := x.Product.ID; p != "" {
		return int(p.Key()[0] >> 4)
	}
	return int(x.ID.Key()[0] >> 4)
}

// part is the goods of an account whose IDs begin alike, archived ones too.
//
// Its invariant is that of a segment: all changes up to newest are in it, apart from deletions. So all parts together
// have every good that the account has, and perhaps deleted ones. If the account has as many goods, they are the same.
type part struct {
	number  int
	version int64     // of the stored piece
	read    time.Time // the reading
	newest  time.Time
	changed bool // to be saved
	goods   []good
}

// good is a good with what is kept of it: neither stock and the number of variants, which change without it, nor
// additional fields and the path of its group, whose names do.
type good struct {
	msapi.AssortmentItem
	key     msapi.Key
	updated time.Time
}

// bound returns the time after which changes may not be in the part.
func (p *part) bound() time.Time { return p.newest.Add(-overlap) }

// goods are the goods of a session.
type goods struct {
	mu     sync.Mutex
	loaded bool // what is kept is in parts
	kept   bool // parts were kept before the session
	proven bool // parts are as the account is
	failed bool
	at     time.Time  // when they were compared with the account, or read from it
	size   int        // in the account, if it was asked
	priced []msapi.ID // the types of prices of the good that was changed last, as the account has it now
	parts  [parts]*part
}

// Goods are all goods of an account.
type Goods struct {
	session *Session
	state   *goods
}

// Goods returns all goods of the account if that takes at most so many requests: one or a few if they are kept, else
// one for a thousand. It returns nil if they are to be read in another way. Sparing also returns nil instead of reading
// many archived goods that were not asked for.
func (s *Session) Goods(ctx context.Context, most int, sparing bool) *Goods {
	if s == nil || s.Kept == nil || most < 1 || survey.Of(ctx) != nil {
		return nil
	}
	g := &s.goods
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.proven {
		return &Goods{s, g}
	}
	if g.failed || !s.trusts(ctx) {
		return nil
	}
	s.loadGoods(ctx)
	err := errDrop
	if g.kept && !s.Fresh {
		if err = s.compareGoods(ctx); err != nil {
			g.kept = false
		}
	}
	if errors.Is(err, errDrop) && most > 1 {
		err = s.readGoods(ctx, most, sparing)
	}
	switch {
	case err == nil:
		g.proven = true
		s.saveGoods(ctx)
		return &Goods{s, g}
	case !errors.Is(err, errMany) && !errors.Is(err, errDrop):
		g.failed = true // what else reads them has the same error, or none
	}
	return nil
}

// HasGoods returns the number of goods that are kept. They are not compared with the account yet.
func (s *Session) HasGoods(ctx context.Context) (n int) {
	if !s.Keeps(ctx) || s.Fresh {
		return 0
	}
	s.goods.mu.Lock()
	defer s.goods.mu.Unlock()
	s.loadGoods(ctx)
	if !s.goods.kept {
		return 0
	}
	return s.goods.count()
}

func (g *goods) count() (n int) {
	for _, p := range g.parts {
		n += len(p.goods)
	}
	return n
}

func partName(n int) string { return "goods " + strconv.Itoa(n) }

// loadGoods loads what is kept. A part that is missing makes all of them useless.
func (s *Session) loadGoods(ctx context.Context) {
	g := &s.goods
	if g.loaded {
		return
	}
	g.loaded, g.kept = true, true
	names := make([]string, parts)
	for n := range parts {
		names[n] = partName(n)
	}
	pieces, err := s.Kept.Load(ctx, names...)
	if err != nil {
		s.Logger.WarnContext(ctx, "kept goods cannot be used", "err", err)
		g.failed = true
	}
	var work sync.WaitGroup
	for n := range parts {
		g.parts[n] = &part{number: n}
		if piece, ok := pieces[names[n]]; ok {
			work.Go(func() {
				if kept, err := decodePart(piece.Body); err == nil && kept.number == n {
					g.parts[n] = kept
				}
				g.parts[n].version = piece.Version
			})
		}
	}
	work.Wait()
	for _, p := range g.parts {
		g.kept = g.kept && !p.read.IsZero()
	}
}

// saveGoods keeps the parts that have changed. They are only a cache, so that an error does not matter.
func (s *Session) saveGoods(ctx context.Context) {
	for _, p := range s.goods.parts {
		if !p.changed {
			continue
		}
		body, err := p.encode()
		if err == nil {
			err = s.Kept.Save(ctx, partName(p.number), stockhand.Piece{Version: p.version, Read: p.read, Body: body})
		}
		if err != nil && ctx.Err() == nil {
			s.Logger.WarnContext(ctx, "goods cannot be kept", "err", err)
			return
		}
		p.changed = false
	}
}

// DropGoods makes the next call of [Session.Goods] read them again.
func (s *Session) DropGoods() {
	s.goods.mu.Lock()
	defer s.goods.mu.Unlock()
	s.goods.kept, s.goods.proven = false, false
}

// Kept reports whether they were kept before this session.
func (g *Goods) Kept() bool { return g.state.kept }

// All calls f for each good.
func (g *Goods) All(f func(*msapi.AssortmentItem)) {
	n := 0
	for _, p := range g.state.parts {
		n += len(p.goods)
		for i := range p.goods {
			f(&p.goods[i].AssortmentItem)
		}
	}
	g.used(n)
}

// used notes that so many goods were used.
func (g *Goods) used(n int) {
	if !g.state.kept {
		return
	}
	used := Used{Goods: n, AsOf: g.state.at, Read: g.state.parts[0].read}
	for _, p := range g.state.parts {
		used.Read = earlier(used.Read, p.read)
	}
	g.session.use(used)
}

// Pick returns the goods with these keys.
func (g *Goods) Pick(wanted map[msapi.Key]bool) map[msapi.Key]msapi.AssortmentItem {
	found := make(map[msapi.Key]msapi.AssortmentItem, len(wanted))
	for _, p := range g.state.parts {
		for i := range p.goods {
			if x := &p.goods[i]; wanted[x.key] {
				found[x.key] = x.AssortmentItem
			}
		}
	}
	g.used(len(found))
	return found
}

// Priced reports whether each good has a price of each type that the account has now, in their order. If not, a type is
// new or gone, and the last change of a good does not tell (fact M132). The account's types are those of the good that
// was changed last, in the response that the goods were compared with (fact M53).
func (g *Goods) Priced() bool {
	for _, p := range g.state.parts {
		for i := range p.goods {
			if !slices.EqualFunc(p.goods[i].SalePrices, g.state.priced,
				func(x msapi.SalePrice, id msapi.ID) bool { return x.PriceType.ID == id }) {
				return false
			}
		}
	}
	return true
}
