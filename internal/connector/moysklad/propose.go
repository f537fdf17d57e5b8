package moysklad

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
)

// mostLines is how many lines one document may have (reference, section 5).
const mostLines = 1000

var (
	sectionPurchases     = tool.Text{RU: "Заказы поставщикам", EN: "Supplier orders (Заказы поставщикам)"}
	sectionMoves         = tool.Text{RU: "Перемещения", EN: "Transfers (Перемещения)"}
	sectionOrganizations = tool.Text{RU: "Юрлица", EN: "Legal entities (Юрлица)"}
	sectionPriceTypes    = tool.Text{RU: "Типы цен", EN: "Price types (Типы цен)"}
)

// proposing makes a propose tool of a method of call. What the call gathers as a result's title, answer, notices and
// provenance becomes the proposal's; the reader beneath it refuses everything but GET, so that nothing can be sent.
func proposing[In any](a *account, name string, title, about tool.Text,
	do func(c *call, ctx context.Context, in In) ([]tool.Document, error)) tool.Tool {
	return tool.Propose(name, title, about, func(ctx context.Context, env tool.Env, in In) (*tool.Proposal, error) {
		l := stockhand.Language(env.Language.Pick("ru", "en"))
		label := title.In(l)
		c := &call{
			account: a, env: env, l: l, result: &tool.Result{Title: label},
			meter: msapi.NewMeter(func(done, planned int) { env.Report(done, planned, label) }),
		}
		ctx = msapi.WithMeter(ctx, c.meter)
		if env.Background {
			ctx = msapi.WithBackground(ctx)
		}
		documents, err := do(c, ctx, in)
		if err != nil {
			return nil, err
		}
		for i := range documents {
			for n := range documents[i].Lines {
				documents[i].Lines[n].ID = strconv.Itoa(n + 1)
			}
		}
		r := c.finish()
		return &tool.Proposal{
			Title: r.Title, Answer: r.Answer, Documents: append([]tool.Document{}, documents...),
			Notices: append([]tool.Notice{}, r.Notices...), Provenance: r.Provenance,
		}, nil
	})
}

// aside is a call whose result is its own: another tool's work, done for this one. Its requests count here.
func (c *call) aside() *call {
	return &call{account: c.account, env: c.env, l: c.l, meter: c.meter, result: &tool.Result{}}
}

// adopt takes over the notices of an aside, without those about a table that nobody sees.
func (c *call) adopt(from *call, without ...tool.NoticeCode) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, n := range from.result.Notices {
		if !slices.Contains(without, n.Code) && !slices.Contains(c.result.Notices, n) {
			c.result.Notices = append(c.result.Notices, n)
		}
	}
}

// short is a row of the shortages tool, as it tells it.
type short struct {
	good, store              msapi.Key // the zero store: all warehouses together
	unit                     string
	minimum, daily, lasts    decimal.Maybe
	free, transit, toOrder   decimal.Decimal
	belowMinimum, runningOut bool
}

// shortRows runs the shortages tool and reads its table, so that what is proposed is to the piece what the question
// "what is short" is answered with. refused tells that rights close it; the answer then says so.
func (c *call) shortRows(ctx context.Context, in shortagesInput) (rows []short, refused bool, err error) {
	aside := c.aside()
	if err := aside.shortages(ctx, in); err != nil {
		return nil, false, err
	}
	c.adopt(aside, tool.NoticeEmpty, tool.NoticeNoSupplier, tool.NoticeNoPrice, tool.NoticeCurrency,
		tool.NoticeTruncated)
	c.result.Provenance.Period = aside.result.Provenance.Period
	if len(aside.result.Columns) == 0 {
		c.result.Answer = aside.result.Answer
		return nil, true, nil
	}
	for i := range aside.result.Rows {
		row := aside.result.Row(i)
		number := func(name string) decimal.Maybe {
			d, ok := row[name].Decimal()
			return decimal.Maybe{Decimal: d, Known: ok}
		}
		s := short{
			good: msapi.ID(row["id"].Text()).Key(), store: msapi.ID(row["store_id"].Text()).Key(),
			unit:    row["unit"].Text(),
			minimum: number("minimum"), daily: number("sold_per_day"), lasts: number("days_of_cover"),
			free: number("free").Decimal, transit: number("in_transit").Decimal, toOrder: number("to_order").Decimal,
		}
		s.runningOut = s.daily.Known
		s.belowMinimum = s.minimum.Known && s.free.Less(s.minimum.Decimal)
		rows = append(rows, s)
	}
	return rows, false, nil
}

// card is a good with what a document needs to know of it; a variant brings its product.
type card struct {
	msapi.Card
	parent *msapi.Card
}

func (g *card) root() *msapi.Card {
	if g.parent != nil {
		return g.parent
	}
	return &g.Card
}

func (g *card) gone() bool { return g.Archived || g.root().Archived }

// buy is the purchase price in main units: its own, or its product's while it has none.
func (g *card) buy() (decimal.Maybe, msapi.Ref) {
	if price, currency := purchasePrice(g.BuyPrice); price.Known {
		return price, currency
	}
	return purchasePrice(g.root().BuyPrice)
}

// pack is the smallest pack of more than one unit, its own or its product's; unknown without packs.
func (g *card) pack() decimal.Maybe {
	if own := smallestPack(g.Packs); own.Known {
		return own
	}
	return smallestPack(g.root().Packs)
}

// minimumIn is the minimum that one warehouse is held to.
func (g *card) minimumIn(store msapi.Key) decimal.Maybe {
	m := g.Minimum
	if g.parent != nil && inherits(m) {
		m = g.parent.Minimum
	}
	q, _ := m.In(store.ID())
	return q
}

func (g *card) ref() tool.Ref { return tool.Ref{Type: g.Type, ID: string(g.ID), Name: g.Name} }

// cards reads goods by id, products and variants alike, and the products of the variants.
func (c *call) cards(ctx context.Context, goods []msapi.Key, q msapi.CardQuery) (map[msapi.Key]*card, error) {
	list := make(map[msapi.Key]*card, len(goods))
	if len(goods) == 0 {
		return list, nil
	}
	q.Archived = msapi.ArchivedAlso
	missing := func() (ids []msapi.ID) {
		for _, k := range goods {
			if list[k] == nil {
				ids = append(ids, k.ID())
			}
		}
		return ids
	}
	add := func(x msapi.Card) { list[x.ID.Key()] = &card{Card: x} }
	q.IDs = missing()
	if err := each(c, c.reader.ProductCards(ctx, q), add); err != nil {
		return nil, err
	}
	if q.IDs = missing(); len(q.IDs) == 0 {
		return list, nil
	}
	if err := each(c, c.reader.VariantCards(ctx, q), add); err != nil {
		return nil, err
	}
	return list, c.parents(ctx, list, q)
}

// parents gives the variants of a list their products.
func (c *call) parents(ctx context.Context, list map[msapi.Key]*card, q msapi.CardQuery) error {
	children := map[msapi.Key][]*card{}
	q.IDs = nil
	for _, g := range list {
		if g.Type != "variant" || g.parent != nil {
			continue
		}
		k := g.Product.ID.Key()
		if p := list[k]; p != nil {
			g.parent = &p.Card
			continue
		}
		if children[k] = append(children[k], g); len(children[k]) == 1 {
			q.IDs = append(q.IDs, k.ID())
		}
	}
	if len(q.IDs) == 0 {
		return nil
	}
	return each(c, c.reader.ProductCards(ctx, q), func(x msapi.Card) {
		for _, g := range children[x.ID.Key()] {
			g.parent = &x
		}
	})
}

// whereabouts reads what there is of goods in every warehouse now; known is false when the employee may not see it.
func (c *call) whereabouts(ctx context.Context, goods []msapi.Ref) (levels map[place]level, known bool, err error) {
	aside := c.aside()
	levels, _, err = aside.levels(ctx, scope{goods: goods}, nil)
	if c.denied(err, sectionStock) {
		return map[place]level{}, false, nil
	}
	return levels, true, err
}

// seenAt is what a line rests on, in its warehouse.
func seenAt(levels map[place]level, known bool, at place) tool.Seen {
	l := levels[at]
	if !known || l.unknown {
		return tool.Seen{}
	}
	return tool.Seen{
		Stock: decimal.Some(l.stock.decimal()), Reserve: decimal.Some(l.reserve.decimal()),
		InTransit: decimal.Some(l.transit.decimal()),
	}
}

// paceOf is how much was sold in the period, net of returns, in some warehouses or in all. It is read for all goods:
// narrowed to some, the report would leave out the bundles that contain them, and the pace would be too low. A source
// of paceNone means that rights close both reports that tell it.
func (c *call) paceOf(ctx context.Context, period tool.Period, stores ...msapi.ID) (sold, paceSource, error) {
	aside := c.aside()
	w := &shortage{call: aside, period: period}
	list, source, err := w.sales(ctx, stores)
	w.paceNotices()
	c.adopt(aside)
	return list, source, err
}

// legalEntities lists the own legal entities, the named one alone when one is named. It is empty when rights close
// them; the answer then says so.
func (c *call) legalEntities(ctx context.Context, name string) ([]msapi.Organization, error) {
	list, err := c.organizationList(ctx)
	if err != nil {
		return nil, c.refuse(err, sectionOrganizations)
	}
	if name != "" {
		one, err := only(c, "organization", tool.Text{RU: "юрлицо", EN: "legal entity"}, name, list,
			func(x msapi.Organization) (msapi.ID, []string) {
				return x.ID, []string{x.Name, x.Code, x.LegalTitle}
			})
		return []msapi.Organization{one}, err
	}
	if len(list) == 0 {
		c.result.Answer = c.refusal(sectionOrganizations)
	}
	return list, nil
}

// only finds the one entry that a name or an id means. None and several are errors that list what there is: nothing
// is ever guessed.
func only[T any](c *call, field string, word tool.Text, name string, list []T, of func(T) (msapi.ID, []string)) (T,
	error) {
	id, isID := msapi.ParseID(name)
	var found []T
	var all []string
	for _, x := range list {
		own, words := of(x)
		all = append(all, words[0])
		if isID && own == id || !isID &&
			slices.ContainsFunc(words, func(w string) bool { return w != "" && fold(w) == fold(name) }) {
			found = append(found, x)
		}
	}
	if len(found) == 1 {
		return found[0], nil
	}
	message := fmt.Sprintf(c.pick("%s «%s»: в МоемСкладе не найдено", "%s “%s”: not found in MoySklad"), word.In(c.l),
		name)
	if len(found) > 1 {
		message = fmt.Sprintf(c.pick("%s «%s»: таких несколько, назовите идентификатор",
			"%s “%s”: there are several, name an id"), word.In(c.l), name)
	}
	var none T
	return none, invalid(field, message).WithHint("%s", c.pick("есть: ", "there are: ")+strings.Join(all, "; "))
}

// usual is the legal entity that documents of a kind were mostly made for; sure is false when there are several and
// nothing tells which.
func usual(list []msapi.Organization, used map[msapi.ID]int) (best msapi.Organization, sure bool) {
	best = list[0]
	for _, o := range list {
		if used[o.ID] > used[best.ID] {
			best = o
		}
	}
	return best, len(list) == 1 || used[best.ID] > 0
}

// firstTaken says that the first legal entity was taken for want of a better reason.
func (c *call) firstTaken(name, whyRU, whyEN string) {
	c.notice(tool.NoticeAssumption,
		fmt.Sprintf("Юрлиц несколько, %s: взято первое, «%s».", whyRU, name),
		fmt.Sprintf("There are several legal entities, %s: the first one was taken, “%s”.", whyEN, name))
}

func (c *call) quantity(d decimal.Decimal) string { return tool.FormatQuantity(d, c.l) }
