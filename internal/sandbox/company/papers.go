package company

import (
	"fmt"
	"slices"
	"time"
)

// papers adds documents that change no figure: invoices for every third order and every fourth supply, and a
// stocktaking of each store, and the changes of states. They take nothing from the random numbers, so all other
// documents stay as they are.
func (h *history) papers() {
	for _, d := range slices.Clone(h.documents) {
		switch {
		case d.Type == CustomerOrderDoc && d.Name[len(d.Name)-1]%3 == 0:
			h.invoice(InvoiceOutDoc, d)
		case d.Type == SupplyDoc && d.Name[len(d.Name)-1]%4 == 0:
			h.invoice(InvoiceInDoc, d)
		}
		if states := h.cat.States[d.Type]; d.State != nil && d.State != states[0] {
			d.Changes = []StateChange{{From: states[0], To: d.State, At: d.Created, By: d.Owner}}
		}
	}
	for i, s := range h.cat.Stores {
		d := h.paper(InventoryDoc, h.o.Now.AddDate(0, 0, -7-i).Truncate(time.Hour))
		d.Store = s
		for _, g := range h.cat.Goods {
			if n := h.has(g, s); g.Stocked() && n > 0 && len(d.Positions) < 5 {
				more := Units([]int{0, 2, 0, -1, 1}[len(d.Positions)]) // some are missing, some are too many
				d.Positions = append(d.Positions, Position{Good: g, Quantity: n, Price: h.cost(g), Expected: n + more})
			}
		}
		for _, p := range d.Positions {
			d.Sum += p.Sum()
		}
	}
}

// invoice adds the invoice for an order or a supply.
func (h *history) invoice(t DocumentType, of *Document) {
	d := h.paper(t, of.Moment)
	d.Applicable, d.Organization, d.Agent, d.Store, d.Owner = of.Applicable, of.Organization, of.Agent, of.Store,
		of.Owner
	d.Currency, d.Rate, d.Positions, d.Order = of.Currency, of.Rate, slices.Clone(of.Positions), of
	d.Sum, d.VATSum, d.VATIncluded, d.PayedSum = of.Sum, of.VATSum, of.VATIncluded, of.PayedSum
	for i := range d.Positions {
		p := &d.Positions[i]
		p.Shipped, p.Reserve, p.InTransit = 0, 0, 0
	}
	of.Links = append(of.Links, d)
}

func (h *history) paper(t DocumentType, moment time.Time) *Document {
	h.numbers[t]++
	n := h.numbers[t]
	d := &Document{
		Type: t, ID: h.id(string(t), n), Name: fmt.Sprintf("%05d", n), ExternalCode: h.code(string(t), n),
		Moment: moment, Created: moment, Updated: moment, Applicable: true, Organization: h.cat.Organizations[0],
		Owner: h.cat.Employees[1], Group: h.cat.Groups[0], VATEnabled: true, VATIncluded: true,
	}
	h.documents = append(h.documents, d)
	return d
}
