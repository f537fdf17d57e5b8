package tool

import (
	"slices"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/decimal"
)

// Table returns the documents of a draft as a result with one row for each: what it is, between whom, its lines, its
// sum, and its state once one of them is decided (rule R550). Columns that are empty in every row are left out.
func (d Draft) Table(l stockhand.Language) *Result {
	r := &Result{Title: d.Title}
	all := []struct {
		Column
		cell func(int, DraftDocument) Value
	}{
		{Column{Name: "document", Label: "№", Unit: UnitNumber},
			func(i int, _ DraftDocument) Value { return Number(decimal.FromInt(int64(i + 1))) }},
		{Column{Name: "title", Label: l.Pick("Документ", "Document"), Unit: UnitText},
			func(_ int, doc DraftDocument) Value { return TextValue(doc.Name(l)) }},
		{Column{Name: "party", Label: d.partyLabel(l), Unit: UnitText},
			func(_ int, doc DraftDocument) Value { return TextValue(doc.Party(l)) }},
		{Column{Name: "lines", Label: l.Pick("Строк", "Lines"), Unit: UnitCount},
			func(_ int, doc DraftDocument) Value {
				if len(doc.Lines) == 0 {
					return Empty
				}
				return Number(decimal.FromInt(int64(len(doc.Lines))))
			}},
		{Column{Name: "sum", Label: l.Pick("Сумма", "Sum"), Unit: UnitMoney},
			func(_ int, doc DraftDocument) Value {
				sum, least := doc.worth()
				return sumOf(sum, doc.Currency, least, l)
			}},
		{Column{Name: "state", Label: l.Pick("Состояние", "State"), Unit: UnitText},
			func(_ int, doc DraftDocument) Value {
				if d.waits() {
					return Empty
				}
				return TextValue(StateWords[doc.State].In(l))
			}},
	}
	r.Rows = make(Rows, len(d.Documents))
	for _, c := range all {
		if !slices.ContainsFunc(d.Documents, func(doc DraftDocument) bool { return !c.cell(0, doc).IsEmpty() }) {
			continue
		}
		r.Columns = append(r.Columns, c.Column)
		for i, doc := range d.Documents {
			r.Rows[i] = append(r.Rows[i], c.cell(i, doc))
		}
		r.Totals = append(r.Totals, d.totalOf(c.Name, l))
	}
	return r
}

// waits reports whether nothing of the draft is decided yet.
func (d Draft) waits() bool {
	return !slices.ContainsFunc(d.Documents,
		func(doc DraftDocument) bool { return doc.State != stockhand.DocumentPending })
}

// totalOf adds a column of the documents. It is empty where something is unknown or currencies differ.
func (d Draft) totalOf(column string, l stockhand.Language) Value {
	switch column {
	case "lines":
		n := 0
		for _, doc := range d.Documents {
			n += len(doc.Lines)
		}
		return Number(decimal.FromInt(int64(n)))
	case "sum":
		sum, least := decimal.Some(decimal.Zero), false
		for _, doc := range d.Documents {
			worth, part := doc.worth()
			if doc.Currency != d.Documents[0].Currency || !worth.Known && doc.Kind != SupplierOrder {
				return Empty
			}
			if least = least || part; worth.Known {
				sum = decimal.Some(sum.Add(worth.Decimal))
			}
		}
		return sumOf(sum, d.Documents[0].Currency, least, l)
	}
	return Empty
}

// worth returns the total of a document. If lines have no price, it is what the others come to at least, and unknown if
// none has one.
func (d DraftDocument) worth() (sum decimal.Maybe, least bool) {
	if d.Total.Known {
		return d.Total, false
	}
	sum, unpriced := d.PricedSum()
	return sum, unpriced > 0
}

// sumOf is a sum in a table, with a sign if it is the least.
func sumOf(sum decimal.Maybe, currency string, least bool, l stockhand.Language) Value {
	switch {
	case !least && !sum.Known:
		return Empty
	case !least:
		return Money(sum.Decimal, currency)
	case !sum.Known || sum.Sign() == 0:
		return TextValue(l.Pick("без цены", "no price"))
	}
	return TextValue("≥ " + FormatMoney(sum.Decimal, currency, l))
}

// partyLabel heads the parties of the documents.
func (d Draft) partyLabel(l stockhand.Language) string {
	kind := DocumentKind("")
	for i, doc := range d.Documents {
		if i > 0 && doc.Kind != kind {
			return l.Pick("Для кого, где", "For whom, where")
		}
		kind = doc.Kind
	}
	switch kind {
	case SupplierOrder:
		return l.Pick("Поставщик → склад", "Supplier → warehouse")
	case Transfer:
		return l.Pick("Откуда → куда", "From → to")
	case PriceChange:
		return l.Pick("Тип цен", "Price type")
	case MinimumStock:
		return l.Pick("Склад", "Warehouse")
	default:
		return l.Pick("Где", "Where")
	}
}

// Name says what a document is without what [Document.Party] says.
func (d Document) Name(l stockhand.Language) string {
	switch {
	case d.Party(l) == "":
	case d.Kind == SupplierOrder:
		return l.Pick("Заказ поставщику", "Supplier order")
	case d.Kind == Transfer:
		return l.Pick("Перемещение", "Transfer")
	}
	return d.Title
}

// Party names the supplier and the warehouse of an order, the two warehouses of a transfer, the type of changed prices
// and the warehouse of minimum stocks. It is empty for other documents, and if they are several.
func (d Document) Party(l stockhand.Language) string {
	name := func(r *Ref) string {
		if r == nil {
			return ""
		}
		return r.Name
	}
	pair := func(from, to string) string {
		if from == "" || to == "" {
			return from + to
		}
		return from + " → " + to
	}
	switch d.Kind {
	case SupplierOrder:
		return pair(name(d.Supplier), name(d.Store))
	case Transfer:
		return pair(name(d.Store), name(d.Target))
	case PriceChange:
		return name(d.PriceType)
	case MinimumStock:
		one := ""
		for i, x := range d.Lines {
			at := name(x.Store)
			if x.Store == nil {
				at = l.Pick("все вместе", "all together")
			}
			if i > 0 && at != one {
				return ""
			}
			one = at
		}
		return one
	default:
		return ""
	}
}
