// Package propose contains the tools that prepare documents for a person to confirm. They only read.
package propose

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/stockhand/stockhand/internal/connector/moysklad/account"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/connector/moysklad/shortage"
	"github.com/stockhand/stockhand/internal/connector/moysklad/wording"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
)

// mostLines is the maximum number of lines per document (fact M14).
const mostLines = 1000

// call is one call of a propose tool.
type call struct{ *account.Call }

// Tools returns the propose tools, bound to an account.
func Tools(a *account.Account) []tool.Tool {
	return []tool.Tool{proposeOrdersTool(a), proposeTransfersTool(a), proposePricesTool(a),
		proposeMinimumTool(a)}
}

// proposing returns a propose tool that runs a method of call. The title, answer, notices and provenance collected for
// a result become the proposal's. The reader below it rejects everything but GET, so nothing can be written.
func proposing[In any](a *account.Account, name string, title, about tool.Text,
	do func(c *call, ctx context.Context, in In) ([]tool.Document, error)) tool.Tool {
	return tool.Propose(name, title, about, func(ctx context.Context, env tool.Env, in In) (*tool.Proposal, error) {
		ctx, c := account.Begin(ctx, a, env, title)
		documents, err := do(&call{c}, ctx, in)
		if err == nil && len(documents) == 0 {
			err = c.CheckSuppliers(ctx)
		}
		if err != nil {
			return nil, err
		}
		for i := range documents {
			for n := range documents[i].Lines {
				documents[i].Lines[n].ID = strconv.Itoa(n + 1)
			}
		}
		r := c.Finish()
		return &tool.Proposal{
			Title: r.Title, Answer: r.Answer, Documents: append([]tool.Document{}, documents...),
			Notices: append([]tool.Notice{}, r.Notices...), Provenance: r.Provenance,
		}, nil
	})
}

// shortagesFor finds shortages for a proposal. It returns nil if the employee may not read them; the answer then says
// so.
func (c *call) shortagesFor(ctx context.Context, q shortage.Query) (*shortage.List, error) {
	aside := c.Aside()
	list, err := shortage.Find(ctx, aside, q)
	if err != nil {
		return nil, err
	}
	c.Adopt(aside)
	if list == nil {
		c.Result.Answer = aside.Result.Answer
	}
	return list, nil
}

// card is a good with the data that documents need; a variant includes its product.
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

// buy returns the purchase price in main units: the good's, or its product's if it has none.
func (g *card) buy() (decimal.Maybe, msapi.Ref) {
	if price, currency := shortage.PurchasePrice(g.BuyPrice); price.Known {
		return price, currency
	}
	return shortage.PurchasePrice(g.root().BuyPrice)
}

// pack returns the smallest pack of more than one unit, of the good or its product; unknown without packs.
func (g *card) pack() decimal.Maybe {
	if own := shortage.SmallestPack(g.Packs); own.Known {
		return own
	}
	return shortage.SmallestPack(g.root().Packs)
}

// minimumIn returns the minimum of one warehouse.
func (g *card) minimumIn(store msapi.Key) decimal.Maybe {
	m := g.Minimum
	if g.parent != nil && shortage.Inherits(m) {
		m = g.parent.Minimum
	}
	q, _ := m.In(store.ID())
	return q
}

func (g *card) ref() tool.Ref { return tool.Ref{Type: g.Type, ID: string(g.ID), Name: g.Name} }

// cards reads products and variants by ID, and the products of the variants.
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
	if err := account.Each(c.Call, c.Reader.ProductCards(ctx, q), add); err != nil {
		return nil, err
	}
	if q.IDs = missing(); len(q.IDs) == 0 {
		return list, nil
	}
	if err := account.Each(c.Call, c.Reader.VariantCards(ctx, q), add); err != nil {
		return nil, err
	}
	return list, c.parents(ctx, list, q)
}

// parents adds their products to the variants of a list.
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
	return account.Each(c.Call, c.Reader.ProductCards(ctx, q), func(x msapi.Card) {
		for _, g := range children[x.ID.Key()] {
			g.parent = &x
		}
	})
}

// stockByStore reads the current stock of goods in every warehouse; known is false if the employee may not see it.
func (c *call) stockByStore(ctx context.Context, goods []msapi.Ref) (levels map[account.StockKey]account.Level,
	known bool, err error) {
	aside := c.Aside()
	levels, _, err = aside.Levels(ctx, account.Filter{Goods: goods}, nil)
	if c.Denied(err, account.SectionStock) {
		return map[account.StockKey]account.Level{}, false, nil
	}
	return levels, true, err
}

// seenAt returns the figures that a line is based on, in its warehouse.
func seenAt(levels map[account.StockKey]account.Level, known bool, at account.StockKey) tool.Seen {
	l := levels[at]
	if !known || l.Unknown {
		return tool.Seen{}
	}
	return tool.Seen{
		Stock: decimal.Some(l.Stock.Decimal()), Reserve: decimal.Some(l.Reserve.Decimal()),
		InTransit: decimal.Some(l.Transit.Decimal()),
	}
}

// legalEntities returns the own legal entities, or only the named one. It returns none if the employee may not read
// them; the answer then says so.
func (c *call) legalEntities(ctx context.Context, name string) ([]msapi.Organization, error) {
	list, err := c.OrganizationList(ctx)
	if err != nil {
		return nil, c.Refuse(err, account.SectionOrganizations)
	}
	if name != "" {
		one, err := findOne(c, "organization", tool.Text{RU: "юрлицо", EN: "legal entity"}, name, list,
			func(x msapi.Organization) (msapi.ID, []string) {
				return x.ID, []string{x.Name, x.Code, x.LegalTitle}
			})
		return []msapi.Organization{one}, err
	}
	if len(list) == 0 {
		c.Result.Answer = c.Refusal(account.SectionOrganizations)
	}
	return list, nil
}

// findOne finds the only entry with a name or ID. No match and several matches are errors that list the entries;
// findOne never guesses.
func findOne[T any](c *call, field string, word tool.Text, name string, list []T, of func(T) (msapi.ID, []string)) (T,
	error) {
	id, isID := msapi.ParseID(name)
	var found []T
	var all []string
	for _, x := range list {
		own, words := of(x)
		all = append(all, words[0])
		if isID && own == id || !isID &&
			slices.ContainsFunc(words, func(w string) bool {
				return w != "" &&
					wording.Fold(w) == wording.Fold(name)
			}) {
			found = append(found, x)
		}
	}
	if len(found) == 1 {
		return found[0], nil
	}
	message := c.Pickf("%s «%s»: в МоёмСкладе не найдено", "%s “%s”: not found in MoySklad", word.In(c.Lang), name)
	if len(found) > 1 {
		message = c.Pickf("%s «%s»: таких несколько, укажите идентификатор", "%s “%s”: there are several, give the id",
			word.In(c.Lang), name)
	}
	var none T
	return none, account.Invalid(field, message).WithHint("%s", c.Pick("есть: ", "there are: ")+strings.Join(all, "; "))
}

// usualEntity returns the legal entity used most often for documents of a kind; sure is false if there are several and
// no documents to decide by.
func usualEntity(list []msapi.Organization, used map[msapi.ID]int) (best msapi.Organization, sure bool) {
	best = list[0]
	for _, o := range list {
		if used[o.ID] > used[best.ID] {
			best = o
		}
	}
	return best, len(list) == 1 || used[best.ID] > 0
}

// noticeFirstEntity adds a notice that the first legal entity was used by default.
func (c *call) noticeFirstEntity(name, whyRU, whyEN string) {
	c.Notice(tool.NoticeAssumption,
		fmt.Sprintf("Юрлиц несколько, %s: взято первое, «%s».", whyRU, name),
		fmt.Sprintf("There are several legal entities, %s: the first one was taken, “%s”.", whyEN, name))
}

func (c *call) quantity(d decimal.Decimal) string { return tool.FormatQuantity(d, c.Lang) }
