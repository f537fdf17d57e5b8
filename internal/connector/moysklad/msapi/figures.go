package msapi

import (
	"context"
	"errors"
	"iter"

	"github.com/tidwall/gjson"

	"github.com/stockhand/stockhand/internal/decimal"
)

// GroupBy is what a row of the turnover report stands for.
type GroupBy string

// The groupings. With ByVariant, products and their variants are separate rows; with ByProduct, variants are added to
// their product (fact M72).
const (
	ByProduct GroupBy = "product"
	ByVariant GroupBy = "variant"
)

// TurnoverQuery restricts the turnover report. Period is required.
type TurnoverQuery struct {
	Period    Period
	Stores    []ID
	Products  []ID // requested separately from Variants
	Variants  []ID
	Suppliers []ID
	GroupBy   GroupBy // empty means by product
	Still     bool    // include goods that did not move in the period
	Archived  Archived
	Filter    Filter
}

// TurnoverRow is the movement of one good over a period (Обороты).
type TurnoverRow struct {
	Assortment Ref      `json:"-"`
	Folder     Ref      `json:"-"`
	Unit       string   `json:"-"`
	Start      Turnover `json:"onPeriodStart"`
	End        Turnover `json:"onPeriodEnd"`
	Income     Turnover `json:"income"`
	Outcome    Turnover `json:"outcome"`
}

// Turnover is a quantity and its cost: Sum is cost in minor units, not revenue (fact M79).
type Turnover struct {
	Quantity decimal.Maybe `json:"quantity"`
	Sum      decimal.Maybe `json:"sum"`
}

// goods is a good within a report's row.
type goods struct {
	Ref
	Folder Ref
	Unit   string
}

// UnmarshalJSON decodes the link, the folder and the unit.
func (g *goods) UnmarshalJSON(b []byte) error {
	*g = goods{}
	return g.read(gjson.ParseBytes(b), func(name string, value gjson.Result) error {
		switch name {
		case "productFolder":
			return g.Folder.read(value, nil)
		case "uom":
			var unit Ref
			err := unit.read(value, nil)
			g.Unit = unit.Name
			return err
		}
		return nil
	})
}

type wireTurnover struct {
	TurnoverRow
	Assortment goods `json:"assortment"`
}

func (w *wireTurnover) key() Key { return w.Assortment.ID.Key() }

// Turnover reads report/turnover/all. It requires a right that context/employee does not report.
func (r *Reader) Turnover(ctx context.Context, q TurnoverQuery) iter.Seq2[TurnoverRow, error] {
	err := checkPeriod(q.Period)
	if err == nil {
		err = checkIDs(q.Stores, q.Products, q.Variants, q.Suppliers)
	}
	if err != nil {
		return failed[TurnoverRow](err)
	}
	l := listing{path: "report/turnover/all", params: q.Period.params()}
	if q.GroupBy != "" {
		l.params.Set("groupBy", string(q.GroupBy))
	}
	l.filter = r.are(q.Archived.filter().And(q.Filter), "store", "store", q.Stores)
	l.filter = r.are(l.filter, "supplier", "counterparty", q.Suppliers)
	if q.Still {
		l.filter = l.filter.Where("withoutturnover", Eq, "true")
	}
	return convert(rowsOfGoods[wireTurnover](ctx, r, l, q.Products, q.Variants),
		func(w *wireTurnover) (TurnoverRow, error) {
			row, of := w.TurnoverRow, w.Assortment
			row.Assortment, row.Folder, row.Unit = of.Ref, of.Folder, of.Unit
			return row, nil
		})
}

// ProfitBy is the subject of a profitability report, and the last part of the report's path.
type ProfitBy string

// The profitability reports.
const (
	ProfitByProduct      ProfitBy = "byproduct" // includes variants, bundles and services
	ProfitByVariant      ProfitBy = "byvariant"
	ProfitByEmployee     ProfitBy = "byemployee"
	ProfitByCounterparty ProfitBy = "bycounterparty"
	ProfitBySalesChannel ProfitBy = "bysaleschannel"
)

// ProfitQuery restricts the profitability reports. Period is required.
type ProfitQuery struct {
	Period    Period
	Stores    []ID
	Goods     []Ref // products, variants, services, bundles by Type and ID; cannot be combined with Folders
	Folders   []ID  // includes nested folders
	Suppliers []ID

	Counterparties []ID
	Organizations  []ID
	Channels       []ID
}

// ProfitRow is a row of a profitability report (Прибыльность). Money is in minor units of the account currency. Numbers
// that a report lacks are unknown: quantities exist by product and variant, counts by employee, counterparty and
// channel. Sums are before returns; a cost of zero means that the cost is unknown (facts M82 and M81).
type ProfitRow struct {
	Subject        Ref           `json:"-"` // the subject of the row
	Unit           string        `json:"-"` // unit of measure of a good
	SellQuantity   decimal.Maybe `json:"sellQuantity"`
	SellSum        decimal.Maybe `json:"sellSum"`
	SellCostSum    decimal.Maybe `json:"sellCostSum"`
	ReturnQuantity decimal.Maybe `json:"returnQuantity"`
	ReturnSum      decimal.Maybe `json:"returnSum"`
	ReturnCostSum  decimal.Maybe `json:"returnCostSum"`
	SalesCount     decimal.Maybe `json:"salesCount"`
}

type wireProfit struct {
	ProfitRow
	Assortment   goods `json:"assortment"`
	Employee     Ref   `json:"employee"`
	Counterparty Ref   `json:"counterparty"`
	SalesChannel Ref   `json:"salesChannel"`
}

func (w *wireProfit) subject() Ref {
	for _, ref := range []Ref{w.Assortment.Ref, w.Employee, w.Counterparty, w.SalesChannel} {
		if !ref.IsZero() {
			return ref
		}
	}
	return Ref{}
}

func (w *wireProfit) key() Key { return w.subject().ID.Key() }

// Profit reads report/profit/<by>.
func (r *Reader) Profit(ctx context.Context, by ProfitBy, q ProfitQuery) iter.Seq2[ProfitRow, error] {
	err := checkPeriod(q.Period)
	if err == nil {
		err = checkIDs(q.Stores, q.Folders, q.Suppliers, q.Counterparties, q.Organizations, q.Channels)
	}
	if err == nil && q.Goods != nil && len(q.Folders) > 0 {
		err = queryError("goods together with folders")
	}
	if err != nil {
		return failed[ProfitRow](err)
	}
	l := listing{path: "report/profit/" + string(by), params: q.Period.params()}
	f := r.are(Filter{}, "store", "store", q.Stores)
	f = r.are(f, "productFolder", "productfolder", q.Folders)
	f = r.are(f, "counterparty", "counterparty", q.Counterparties)
	f = r.are(f, "organization", "organization", q.Organizations)
	f = r.are(f, "salesChannel", "saleschannel", q.Channels)
	l.filter = r.are(f, "supplier", "counterparty", q.Suppliers)
	if q.Goods != nil {
		var hrefs []string
		for _, g := range q.Goods {
			if err := checkIDs([]ID{g.ID}); err != nil || g.Type == "" {
				return failed[ProfitRow](errors.Join(queryError("a good without a type or ID"), err))
			}
			hrefs = append(hrefs, r.href(g.Type, g.ID))
		}
		l.split, l.none = alternatives("product", hrefs), len(hrefs) == 0
		// Only rows about goods remain correct when the goods are spread over several requests; other rows would be
		// partial sums.
		if chunks, err := r.chunks(l); err == nil && len(chunks) > 1 && by != ProfitByProduct && by != ProfitByVariant {
			return failed[ProfitRow](queryError("too many goods for one request of the report %s", by))
		}
	}
	return convert(list[wireProfit](ctx, r, l), func(w *wireProfit) (ProfitRow, error) {
		row := w.ProfitRow
		row.Subject, row.Unit = w.subject(), w.Assortment.Unit
		return row, nil
	})
}
