package propose

import (
	"context"
	"slices"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/stockhand/stockhand/internal/connector/moysklad/account"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/connector/moysklad/outlook"
	"github.com/stockhand/stockhand/internal/connector/moysklad/shortage"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
	"golang.org/x/sync/errgroup"
)

// ordering are the arguments that decide what of the shortages is ordered. Without any, all of it is.
type ordering struct {
	Forecast      bool             `json:"forecast,omitempty" jsonschema:"not plain rate"`
	LeadDays      *leadDays        `json:"lead_days,omitempty"`
	Except        *exceptions      `json:"except,omitempty"`
	TransferFirst bool             `json:"transfer_first,omitempty" jsonschema:"first from other warehouses"`
	Budget        *decimal.Decimal `json:"budget,omitempty" jsonschema:"account currency"`
	Prefer        preference       `json:"prefer,omitempty"`
	MinOrder      *decimal.Decimal `json:"min_order,omitempty" jsonschema:"least sum of an order"`
}

type leadDays int

func (leadDays) Schema() *jsonschema.Schema {
	return &jsonschema.Schema{Type: "integer", Minimum: jsonschema.Ptr(0.0), Maximum: jsonschema.Ptr(365.0),
		Description: "where the supplier's is unknown"}
}

type preference string

const (
	preferCover  preference = "cover"
	preferMargin preference = "margin"
)

func (preference) Schema() *jsonschema.Schema {
	return tool.DescribedEnum("what a budget buys first; default: cover", preferCover, preferMargin)
}

// exceptions are goods that are not ordered: any of these.
type exceptions struct{ account.GoodsArgs }

// ofShortages reports whether any of the arguments is set that a list cannot have.
func (o ordering) ofShortages() bool {
	return o.Forecast || o.LeadDays != nil || o.Except != nil || o.TransferFirst || o.MinOrder != nil
}

// checkOrdering rejects arguments that cannot be combined.
func (w *orderProposal) checkOrdering() error {
	in := w.in
	switch {
	case in.Items != nil && in.ofShortages():
		return account.Invalid("items", w.Pick(
			"список товаров не сочетается с forecast, lead_days, except, transfer_first и min_order",
			"a list of items does not go with forecast, lead_days, except, transfer_first and min_order"))
	case in.Except != nil && len(in.Except.Groups)+len(in.Except.Suppliers)+len(in.Except.Products) == 0:
		return account.Invalid("except", w.Pick("назовите группы, поставщиков или товары",
			"name groups, suppliers or products"))
	case in.Budget != nil && in.Budget.Sign() <= 0:
		return account.Invalid("budget", w.Pick("бюджет должен быть больше нуля", "the budget must be above zero"))
	case in.MinOrder != nil && in.MinOrder.Sign() <= 0:
		return account.Invalid("min_order", w.Pick("минимальный заказ должен быть больше нуля",
			"the minimum order must be above zero"))
	case in.Prefer != "" && in.Budget == nil:
		return account.Invalid("prefer", w.Pick("prefer говорит, на что тратить бюджет: назовите budget",
			"prefer says what a budget goes to: give a budget"))
	case in.Forecast && in.Mode == shortage.BelowMinimum:
		return account.Invalid("forecast", w.Pick("минимумы с прогнозом не сравниваются",
			"minimums are not compared with a forecast"))
	}
	return nil
}

// foresee reads the forecasts and lead times that the arguments ask for.
func (w *orderProposal) foresee(ctx context.Context) (*shortage.Outlook, error) {
	if !w.in.Forecast && w.in.LeadDays == nil {
		return nil, nil //nolint:nilnil // the pace of the period decides
	}
	out := &shortage.Outlook{}
	var history *outlook.History
	work, inner := errgroup.WithContext(ctx)
	if w.in.LeadDays != nil {
		work.Go(func() (err error) { w.leads, err = w.readLeads(inner, int(*w.in.LeadDays)); return })
	}
	if w.in.Forecast {
		work.Go(func() error {
			chosen, err := w.FindStores(inner, w.in.Stores)
			if err != nil {
				return err
			}
			var stores []msapi.ID
			for k := range account.StoresWithin(chosen, w.stores) {
				stores = append(stores, k.ID())
			}
			slices.Sort(stores)
			if !w.in.TransferFirst {
				history, err = outlook.Read(inner, w.call.Call, outlook.DefaultHistory, stores, len(stores) > 0)
				return err
			}
			// Any warehouse may send, so each one's sales are needed.
			if history, err = outlook.Read(inner, w.call.Call, outlook.DefaultHistory, nil, true); err == nil {
				history.AddTogether()
			}
			return err
		})
	}
	if err := work.Wait(); err != nil {
		return nil, err
	}
	if w.leads != nil {
		out.Lead, out.Longest = w.leads.of, w.leads.longest()
	}
	if history != nil {
		out.Expected, out.Goods = history.Expected, history.Goods()
	}
	return out, nil
}

// exclude drops the lines of the goods that are not to be ordered.
func (w *orderProposal) exclude(ctx context.Context) error {
	if w.in.Except == nil {
		return nil
	}
	except := w.in.Except.GoodsArgs
	for _, one := range []account.GoodsArgs{{Groups: except.Groups}, {Suppliers: except.Suppliers},
		{Products: except.Products}} {
		f, err := w.Aside().Narrow(ctx, nil, one)
		if err != nil {
			return err
		}
		w.lines = slices.DeleteFunc(w.lines, func(x *orderLine) bool { return x.Of(f) })
	}
	w.ledger.record(tool.Text{RU: "исключено", EN: "excluded"}, w.amount())
	return nil
}

// ration drops what the arguments do not allow to be ordered: small orders, and what the budget does not suffice for.
// Goods without a supplier stay, because they are reported and not ordered.
func (w *orderProposal) ration() {
	if w.in.MinOrder != nil {
		w.dropSmall(*w.in.MinOrder)
	}
	if w.in.Budget == nil {
		return
	}
	groups, orphans := w.group(w.lines)
	var lines []*orderLine
	whole := map[*orderLine]decimal.Decimal{} // quantities before the budget
	for _, x := range w.lines {
		if whole[x] = x.quantity; !slices.Contains(orphans, x) {
			lines = append(lines, x)
		}
	}
	bought, unpriced := w.spend(lines, *w.in.Budget)
	for w.in.MinOrder != nil {
		k, small := w.smallestOrder(bought, *w.in.MinOrder)
		if !small {
			break
		}
		// What the smallest order would have cost goes to the others.
		lines = slices.DeleteFunc(lines, func(x *orderLine) bool { return slices.Contains(groups[k], x) })
		for _, x := range lines {
			x.quantity = whole[x]
		}
		bought, _ = w.spend(lines, *w.in.Budget)
	}
	w.lines = append(orphans, bought...)
	w.ledger.record(tool.Text{RU: "не хватило бюджета", EN: "beyond the budget"}, w.amount())
	w.noticeCut(whole)
	if len(unpriced) > 0 {
		w.Notice(tool.NoticeNoPrice,
			"Без закупочной цены в валюте учёта бюджет не посчитать, эти товары не заказаны: "+named(unpriced, "ru")+".",
			"A budget cannot count goods without a purchase price in the account currency; they are not ordered: "+
				named(unpriced, "en")+".")
	}
}

// dropSmall drops the lines of orders that would be worth less than a sum.
func (w *orderProposal) dropSmall(least decimal.Decimal) {
	groups, orphans := w.group(w.lines)
	w.lines = orphans
	for k, list := range groups {
		if _, small := w.smallestOrder(list, least); small {
			delete(groups, k)
			continue
		}
		w.lines = append(w.lines, list...)
	}
	w.ledger.record(tool.Text{RU: "заказ поставщику меньше минимального", EN: "below the minimum order"}, w.amount())
}

// smallestOrder returns the order worth least, if that is less than a sum. An order with an unknown price counts as
// worth enough: it may be.
func (w *orderProposal) smallestOrder(lines []*orderLine, least decimal.Decimal) (smallest orderKey, small bool) {
	groups, _ := w.group(lines)
	for k, list := range groups {
		sum := decimal.Some(decimal.Zero)
		for _, x := range list {
			worth := w.inAccountCurrency(x)
			sum = decimal.Maybe{Decimal: sum.Add(worth.Decimal), Known: sum.Known && worth.Known}
		}
		if sum.Known && (sum.Less(least) || small && sum.Cmp(least) == 0 && compareOrders(k, smallest) < 0) {
			smallest, small, least = k, true, sum.Decimal
		}
	}
	return smallest, small
}

// inAccountCurrency returns what a line costs, or unknown in another currency.
func (w *orderProposal) inAccountCurrency(x *orderLine) decimal.Maybe {
	if !x.price.Known || account.Iso(x.currency, w.currency, w.of) != w.currency {
		return decimal.Maybe{}
	}
	return decimal.Some(x.quantity.Mul(x.price.Decimal).Round(2))
}
