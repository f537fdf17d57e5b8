package propose

import (
	"strings"

	"github.com/stockhand/stockhand/internal/connector/moysklad/account"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/connector/moysklad/wording"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
)

// openLine is what a posted supplier order still expects of a good.
type openLine struct {
	order    tool.Ref
	supplier msapi.Ref
	left     decimal.Decimal
}

// addOpen records what an order still expects, by its warehouse.
func (h *history) addOpen(o msapi.Order) {
	for _, p := range o.Positions {
		if left := p.Quantity.Sub(p.Shipped.Decimal); p.Quantity.Known && left.Sign() > 0 {
			at := account.StockKey{Good: p.Assortment.ID.Key(), Store: o.Store.ID.Key()}
			h.open[at] = append(h.open[at], openLine{orderRef(o), o.Agent, left})
		}
	}
}

// orderRef refers to an existing order by its number.
func orderRef(o msapi.Order) tool.Ref {
	return tool.Ref{Type: "purchaseorder", ID: string(o.ID), Name: o.Name}
}

// overlap says which open supplier orders contain a line's good for its warehouse, or for none; empty if there are
// none.
func (w *orderProposal) overlap(x *orderLine, h history) (said string, named []tool.Ref) {
	var parts []string
	supplier, _ := w.supplierOf(x)
	for _, at := range []account.StockKey{x.StockKey, {Good: x.Good}} {
		for _, l := range h.open[at] {
			text := w.Pickf("№ %s — %s", "No. %s: %s", l.order.Name, w.quantity(l.left))
			if l.supplier.ID.Key() != supplier.ID.Key() && l.supplier.Name != "" {
				text += " (" + l.supplier.Name + ")"
			}
			parts, named = append(parts, text), append(named, l.order)
		}
	}
	if len(parts) == 0 {
		return "", nil
	}
	said = w.Pick("уже заказано и не принято: ", "already ordered and not received: ") + strings.Join(parts, ", ")
	return said, named
}

// overlaps counts the lines of a document that overlap open orders.
func (w *orderProposal) overlaps(d tool.Document) []string {
	n := 0
	for _, l := range d.Lines {
		for _, f := range l.Flags {
			if f.Code == tool.NoticeOverlap {
				n++
			}
		}
	}
	if n == 0 {
		return nil
	}
	return []string{w.Pickf("В открытых заказах поставщикам уже есть: %s; ожидаемое вычтено, если отмечено «в пути».",
		"Already in open orders to suppliers: %s; what is expected was subtracted where it is “on the way”.",
		wording.NounLine.Count(w.Lang, n))}
}
