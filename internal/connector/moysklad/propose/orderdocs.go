package propose

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/connector/moysklad/account"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/connector/moysklad/shortage"
	"github.com/stockhand/stockhand/internal/connector/moysklad/wording"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
)

// historyDays is how many days of past orders are read to find a supplier's usual legal entity and the usual
// quantities.
const historyDays = 180

// unusual is the multiple of the usual quantity from which a quantity gets a notice.
var unusual = decimal.FromInt(3)

// history summarizes recent orders.
type history struct {
	entities map[msapi.Key]map[msapi.ID]int // by supplier: the number of orders for each legal entity
	last     map[msapi.Key]pastLine         // by good: the latest order line
	open     map[account.StockKey][]openLine
	stores   map[msapi.Key]map[msapi.Key]int // by supplier, those with a warehouse; of all under the zero key
}

type pastLine struct {
	order    tool.Ref
	moment   msapi.Moment
	quantity decimal.Decimal
}

// history reads the posted orders, to all suppliers: another one may have been asked for the same goods (rule R256).
// Without the right, the usual values are unknown and a notice says so.
func (w *orderProposal) history(ctx context.Context) (history, error) {
	if w.past != nil {
		return *w.past, nil
	}
	h := history{map[msapi.Key]map[msapi.ID]int{}, map[msapi.Key]pastLine{}, map[account.StockKey][]openLine{},
		map[msapi.Key]map[msapi.Key]int{}}
	posted := true
	q := msapi.OrderQuery{Posted: &posted, Positions: true,
		From: account.DayStart(account.Today(w.Env).Add(-historyDays))}
	err := account.Each(w.call.Call, w.Reader.PurchaseOrders(ctx, q), func(o msapi.Order) {
		k := o.Agent.ID.Key()
		if h.entities[k] == nil {
			h.entities[k] = map[msapi.ID]int{}
		}
		h.entities[k][o.Organization.ID]++
		h.deliveredTo(k, o.Store.ID.Key())
		h.addOpen(o)
		for _, p := range o.Positions {
			good := p.Assortment.ID.Key()
			if past, ok := h.last[good]; p.Quantity.Known && (!ok || o.Moment.After(past.moment.Time)) {
				h.last[good] = pastLine{orderRef(o), o.Moment, p.Quantity.Decimal}
			}
		}
	})
	if msapi.IsForbidden(err) {
		w.Missing(account.SectionPurchases, "прошлые заказы не прочитаны, с ними не сравнено",
			"past orders could not be read and are not compared with")
		err = nil
	} else if err == nil {
		w.NoticePartialView("purchaseorder", account.SectionPurchases)
		w.past = &h
	}
	return h, err
}

// deliveredTo counts an order by its warehouse.
func (h *history) deliveredTo(supplier, store msapi.Key) {
	if store == (msapi.Key{}) {
		return
	}
	for _, k := range []msapi.Key{supplier, {}} {
		if h.stores[k] == nil {
			h.stores[k] = map[msapi.Key]int{}
		}
		h.stores[k][store]++
	}
}

// orderKey identifies the document that a line belongs to.
type orderKey struct {
	supplier msapi.Key
	store    msapi.Key
	currency string
}

func compareOrders(x, y orderKey) int {
	return cmp.Or(compareKeys(x.supplier, y.supplier), compareKeys(x.store, y.store),
		strings.Compare(x.currency, y.currency))
}

// supplierOf returns whom a line is ordered from, and false if it has no supplier.
func (w *orderProposal) supplierOf(x *orderLine) (msapi.Ref, bool) {
	supplier := x.Root().Supplier
	if w.supplier != nil {
		supplier = *w.supplier
	}
	supplier.Name = cmp.Or(supplier.Name, string(supplier.ID)) // the employee may not see counterparties
	return supplier, supplier.ID != "" && supplier.Type != "organization"
}

// group groups lines by the order that they belong to. Orphans have no supplier.
func (w *orderProposal) group(lines []*orderLine) (groups map[orderKey][]*orderLine, orphans []*orderLine) {
	groups = map[orderKey][]*orderLine{}
	var loose []*orderLine // without a price: added to the supplier's other goods
	for _, x := range lines {
		supplier, known := w.supplierOf(x)
		switch {
		case !known:
			orphans = append(orphans, x)
		case !x.price.Known:
			loose = append(loose, x)
		default:
			k := orderKey{supplier.ID.Key(), x.StockKey.Store, account.Iso(x.currency, w.currency, w.of)}
			groups[k] = append(groups[k], x)
		}
	}
	for _, x := range loose {
		supplier, _ := w.supplierOf(x)
		k := orderKey{supplier.ID.Key(), x.StockKey.Store, w.currency}
		if len(groups[k]) == 0 {
			k.currency = w.nearest(groups, k)
		}
		groups[k] = append(groups[k], x)
	}
	return groups, orphans
}

// documents builds one document per supplier, warehouse, legal entity and currency.
func (w *orderProposal) documents(ctx context.Context, entities []msapi.Organization) ([]tool.Document, error) {
	groups, without := w.group(w.lines)
	var orphans, unpriced []string
	for _, x := range without {
		orphans = append(orphans, x.Name)
	}
	suppliers := map[msapi.Key]msapi.Ref{}
	for k, list := range groups {
		for _, x := range list {
			suppliers[k.supplier], _ = w.supplierOf(x)
			if !x.price.Known && !w.priceHidden {
				unpriced = append(unpriced, x.Name)
			}
		}
	}
	ordered := w.lines[:0:0]
	for _, list := range groups {
		ordered = append(ordered, list...)
	}
	w.lines = ordered
	w.ledger.record(tool.Text{RU: "без поставщика", EN: "without a supplier"}, w.amount())
	if len(groups) == 0 {
		w.summarize(nil, orphans, unpriced, 0)
		return nil, nil
	}
	h, err := w.history(ctx)
	if err != nil {
		return nil, err
	}
	documents := w.build(groups, suppliers, entities, h)
	w.summarize(documents, orphans, unpriced, len(suppliers))
	return documents, nil
}

// nearest returns the currency of another document for the same supplier and warehouse, because goods without a price
// need no separate document.
func (w *orderProposal) nearest(groups map[orderKey][]*orderLine, k orderKey) string {
	var there []string
	for other := range groups {
		if other.supplier == k.supplier && other.store == k.store {
			there = append(there, other.currency)
		}
	}
	if len(there) == 0 {
		return k.currency
	}
	return slices.Min(there)
}

func (w *orderProposal) build(groups map[orderKey][]*orderLine, suppliers map[msapi.Key]msapi.Ref,
	entities []msapi.Organization,
	h history) []tool.Document {
	var keys []orderKey
	stores := map[msapi.Key]string{}
	for _, s := range w.stores {
		stores[s.ID.Key()] = s.Name
	}
	for k := range groups {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, func(x, y orderKey) int {
		return cmp.Or(strings.Compare(wording.Fold(suppliers[x.supplier].Name),
			wording.Fold(suppliers[y.supplier].Name)),
			strings.Compare(string(x.supplier.ID()), string(y.supplier.ID())),
			strings.Compare(wording.Fold(stores[x.store]), wording.Fold(stores[y.store])),
			strings.Compare(x.currency, y.currency))
	})
	delivery := cmp.Or(w.in.Delivery, account.Today(w.Env).Add(deliveryDays))
	if w.in.Delivery == "" && w.leads == nil && len(keys) > 0 {
		w.Notice(tool.NoticeAssumption, "День поставки не указан: взят "+delivery.Format("ru")+", через неделю.",
			"No day of delivery was named: taken "+delivery.Format("en")+", in a week.")
	}
	var documents []tool.Document
	var unsure []string
	for _, k := range keys {
		entity, sure := usualEntity(entities, h.entities[k.supplier])
		supplier := suppliers[k.supplier]
		if name := supplier.Name; !sure && !slices.Contains(unsure, name) {
			unsure = append(unsure, name)
		}
		list := groups[k]
		slices.SortStableFunc(list, func(x, y *orderLine) int {
			return cmp.Or(strings.Compare(wording.Fold(x.Name), wording.Fold(y.Name)),
				strings.Compare(string(x.ID), string(y.ID)))
		})
		for part := range slices.Chunk(list, account.LinesPerDocument) {
			d := tool.Document{
				Kind: tool.SupplierOrder, Delivery: delivery, Currency: k.currency,
				Title: fmt.Sprintf(
					w.Pick("Заказ поставщику %s на склад %s", "Order to %s for the warehouse %s"),
					wording.InQuotes(supplier.Name, w.Lang), wording.InQuotes(stores[k.store], w.Lang)),
				Reason:       w.why(part),
				Organization: &tool.Ref{Type: "organization", ID: string(entity.ID), Name: entity.Name},
				Supplier:     &tool.Ref{Type: "counterparty", ID: string(supplier.ID), Name: supplier.Name},
				Store:        &tool.Ref{Type: "store", ID: string(k.store.ID()), Name: stores[k.store]},
			}
			if k.currency != w.currency {
				for id, code := range w.of {
					if code == k.currency {
						d.CurrencyID = string(id)
					}
				}
			}
			for _, x := range part {
				d.Lines = append(d.Lines, w.line(x, h))
			}
			d.Total = d.Sum()
			d.Consequences = append(w.consequences(d, part), w.overlaps(d)...)
			if w.leads != nil {
				d.Delivery = cmp.Or(w.in.Delivery, account.Today(w.Env).Add(w.leads.of(k.supplier)))
				d.Consequences = append(d.Consequences, w.leads.describe(w.call, k.supplier))
			}
			documents = append(documents, d)
		}
	}
	if len(unsure) > 0 {
		w.noticeFirstEntity(entities[0].Name,
			"а прошлых заказов поставщикам "+wording.Quoted(unsure, "ru")+" нет", "and there are no past orders to "+
				wording.Quoted(unsure, "en"))
	}
	return documents
}

func (w *orderProposal) line(x *orderLine, h history) tool.Line {
	l := tool.Line{
		Product: x.Ref(), Quantity: decimal.Some(x.quantity), Unit: x.unit, Pack: x.Pack(), Whole: x.whole,
		Price: x.price, Reason: w.reason(x), Seen: seenAt(w.levels, w.levelsKnown, x.StockKey),
	}
	l.Seen.Updated = x.Updated
	if !x.overall { // the figures seen are those of the warehouse
		l.Seen.Minimum = x.Minimum
	}
	if daily := w.daily(x); daily.Known {
		l.Seen.Daily = decimal.Some(daily.Round(3))
	}
	// When the price is read again, only one in the document's currency can be compared; a variant may not show one.
	if price, _ := shortage.PurchasePrice(x.BuyPrice); price.Known {
		l.Seen.Price = price
	}
	remarks, named := w.remarks(x, h)
	for _, message := range remarks {
		l.Flags = append(l.Flags, tool.Notice{Code: tool.NoticeUnusual, Message: message})
	}
	message, open := w.overlap(x, h)
	if message != "" {
		l.Flags = append(l.Flags, tool.Notice{Code: tool.NoticeOverlap, Message: message})
	}
	for _, ref := range append(named, open...) {
		if !slices.Contains(l.Named, ref) {
			l.Named = append(l.Named, ref)
		}
	}
	return l
}

// daily returns the sales rate over all warehouses, or of the line's warehouse if the shortage has it.
func (w *orderProposal) daily(x *orderLine) decimal.Maybe {
	if daily := x.PerDay(w.period); daily.Known {
		return daily
	}
	if s, ok := w.sold[x.Good]; ok && w.source != shortage.RateUnknown {
		return decimal.Some(s.Quantity.Div(decimal.FromInt(int64(w.period.Days()))))
	}
	return decimal.Maybe{}
}
