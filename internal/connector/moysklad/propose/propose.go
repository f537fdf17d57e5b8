// Package propose contains the tools that prepare documents for a person to confirm. They only read.
package propose

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"strconv"

	"github.com/stockhand/stockhand/internal/connector/moysklad/account"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/connector/moysklad/propose/catalogue"
	"github.com/stockhand/stockhand/internal/connector/moysklad/shortage"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
)

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
		env.Memo = nil // what is proposed is based on what is true now, not on what the run has read before
		ctx, c := account.Begin(ctx, a, env, title)
		documents, err := do(&call{c}, ctx, in)
		var missing *tool.Missing
		if none := (*catalogue.NothingError)(nil); errors.As(err, &none) {
			missing = none.Missing
			c.Notice(tool.NoticeEmpty, "Ничего не подготовлено.", "Nothing was prepared.")
			c.Result.Answer = c.Pickf("Ничего не подготовлено: %s.", "Nothing was prepared: %s.", none.Text)
			err = nil
		}
		if err == nil && len(documents) == 0 {
			err = c.CheckSuppliers(ctx)
		}
		if err != nil {
			return nil, err
		}
		if a, ok := any(in).(asker); ok && c.Result.Answer != "" {
			if text := a.asked(c); text != "" {
				c.Result.Answer += c.Pickf(" Условия: %s.", " Conditions: %s.", text)
			}
		}
		for i := range documents {
			for n := range documents[i].Lines {
				documents[i].Lines[n].ID = strconv.Itoa(n + 1)
			}
		}
		r := c.Finish()
		return &tool.Proposal{
			Title: r.Title, Answer: r.Answer, Documents: append([]tool.Document{}, documents...),
			Notices: append([]tool.Notice{}, r.Notices...), Provenance: r.Provenance, Missing: missing,
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

// notShort says how many goods of a table are not in the draft because they are not short (rule R863). roots are the
// products of variants that are.
func (c *call) notShort(rows []string, short map[msapi.Key]bool, cards map[msapi.Key]*catalogue.Card) {
	with := maps.Clone(short)
	for k := range short {
		if card := cards[k]; card != nil && card.Root() != nil {
			with[card.Root().ID.Key()] = true
		}
	}
	left := 0
	for _, row := range rows {
		if id, ok := msapi.ParseID(row); ok && !with[id.Key()] {
			left++
		}
	}
	if left == 0 {
		return
	}
	c.Noticef(tool.NoticePartial, "Товаров в списке: %d, не вошли: %d — по минимуму и темпу продаж нехватки у них "+
		"нет. Чтобы взять и их, назовите количество, например «по 5 штук».",
		"Goods in the list: %d, left out: %d, because by minimum and sales rate they are not short. To take them too, "+
			"say how many, such as “5 of each”.", len(rows), left)
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

// oneStore returns the warehouse that an argument names.
func (c *call) oneStore(field, name string, stores []msapi.Store) (msapi.Store, error) {
	return account.FindOne(c.Call, field, tool.Text{RU: "склад", EN: "warehouse"}, name, stores,
		func(s msapi.Store) (msapi.ID, []string) {
			return s.ID, []string{s.Name, s.Code, account.JoinPath(s.PathName, s.Name)}
		})
}

// legalEntities returns the own legal entities, or only the named one. It returns none if the employee may not read
// them; the answer then says so.
func (c *call) legalEntities(ctx context.Context, name string) ([]msapi.Organization, error) {
	list, err := c.OrganizationList(ctx)
	if err != nil {
		return nil, c.Refuse(err, account.SectionOrganizations)
	}
	if name != "" {
		one, err := account.FindOne(c.Call, "organization", tool.Text{RU: "юрлицо", EN: "legal entity"}, name, list,
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
