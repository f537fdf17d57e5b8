package moysklad

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/connector/moysklad/analyze/measures"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/sandbox"
	"github.com/stockhand/stockhand/internal/sandbox/company"
	"github.com/stockhand/stockhand/internal/tool"
)

// rawFact is a line of a document of the sandbox: the oracle knows neither reports nor the planner.
type rawFact struct {
	kind     company.DocumentType
	document company.ID
	day      tool.Day
	keys     map[string]string // IDs by dimension
	up       map[string][]string
	unit     string
	quantity decimal.Decimal
	sum      decimal.Decimal
	full     decimal.Decimal // before discount
	cost     decimal.Decimal
	first    bool
	shipped  decimal.Decimal // of the document
	paid     decimal.Decimal
	reserved decimal.Decimal
	of       *company.Document
	position *company.Position // nil for a document without lines
}

func rawFacts(c *company.Company) []rawFact {
	var all []rawFact
	for _, kind := range []company.DocumentType{company.DemandDoc, company.RetailDemandDoc, company.SalesReturnDoc,
		company.RetailSalesReturnDoc, company.CustomerOrderDoc, company.PurchaseOrderDoc, company.SupplyDoc,
		company.LossDoc, company.EnterDoc, company.MoveDoc, company.InventoryDoc, company.PaymentInDoc,
		company.CashInDoc,
		company.PaymentOutDoc, company.CashOutDoc} {
		for _, d := range c.Documents(kind) {
			if !d.Applicable {
				continue
			}
			rate := decimal.One
			if d.Rate != 0 {
				rate = d.Rate.Decimal()
			}
			money := func(m company.Money) decimal.Decimal { return m.Decimal().Major().Mul(rate) }
			at := d.Moment.In(msapi.Moscow)
			keys := map[string]string{"document": string(d.ID), "document_type": string(kind),
				"legal_entity": string(d.Organization.ID), "employee": string(d.Owner.ID)}
			up := map[string][]string{}
			if d.Store != nil {
				keys["store"] = string(d.Store.ID)
				for s := d.Store.Parent; s != nil; s = s.Parent {
					up["store"] = append(up["store"], string(s.ID))
				}
			}
			if d.Agent != nil {
				keys["counterparty"] = string(d.Agent.ID)
				addFields(keys, "counterparty", d.Agent.Attributes)
				up["tag"] = slices.Sorted(slices.Values(d.Agent.Tags))
				keys["tag"] = strings.Join(up["tag"], ", ")
			}
			addPayment(keys, d)
			keys["currency"] = string(c.Catalogue().Currencies[0].ID)
			if d.Currency != nil {
				keys["currency"] = string(d.Currency.ID)
			}
			if d.State != nil {
				keys["state"] = string(d.State.ID)
			}
			if d.SalesChannel != nil {
				keys["sales_channel"] = string(d.SalesChannel.ID)
			}
			if d.Project != nil {
				keys["project"] = string(d.Project.ID)
			}
			if d.Contract != nil {
				keys["contract"] = string(d.Contract.ID)
			}
			addFields(keys, string(kind), d.Attributes)
			for _, step := range []analysis.Step{analysis.Day, analysis.Week, analysis.Month, analysis.Quarter,
				analysis.Year, analysis.Weekday, analysis.Hour} {
				keys[string(step)] = analysis.Interval(step, at)
			}
			if len(d.Positions) == 0 {
				all = append(all, rawFact{kind: kind, document: d.ID, day: tool.DayOf(at), keys: keys, up: up,
					sum: money(d.Sum), of: d})
			}
			for i, p := range d.Positions {
				f := rawFact{kind: kind, document: d.ID, day: tool.DayOf(at), keys: map[string]string{}, up: up,
					quantity: p.Quantity.Decimal(), sum: money(p.Sum()), cost: c.PositionCost(d, i).Decimal().Major(),
					full:  p.Price.Decimal().Major().Mul(p.Quantity.Decimal()).Mul(rate),
					first: i == 0, shipped: money(d.ShippedSum), paid: money(d.PayedSum),
					reserved: money(d.ReservedSum), of: d, position: &d.Positions[i]}
				for k, v := range keys {
					f.keys[k] = v
				}
				if kind == company.InventoryDoc {
					f.quantity = (p.Quantity - p.Expected).Decimal()
					f.sum = p.Price.Decimal().Mul(f.quantity).Round(0).Major()
				}
				for k, v := range goodKeys(p.Good) {
					f.keys[k] = v
				}
				f.unit = f.keys["unit"]
				all = append(all, f)
			}
		}
	}
	return all
}

// goodKeys returns the values of the dimensions of goods.
func goodKeys(g *company.Good) map[string]string {
	root := g.Root()
	keys := map[string]string{"product": string(root.ID), "variant": string(g.ID), "kind": string(root.Kind)}
	keys["article"], keys["barcode"] = textsOf(g)
	addFields(keys, "product", root.Attributes)
	if root.Folder != nil {
		keys["group"] = string(root.Folder.ID)
	}
	if root.Supplier != nil {
		keys["supplier"] = string(root.Supplier.ID)
	}
	if root.Country != nil {
		keys["country"] = string(root.Country.ID)
	}
	if p := root.Prices().Sale[0]; p.Value > 0 && p.Currency.Default {
		for _, bound := range []int64{0, 100, 250, 500, 1000, 2500, 5000, 10000, 25000, 50000, 100000} {
			if decimal.FromInt(bound).Cmp(p.Value.Decimal().Major()) <= 0 {
				keys["price_band"] = fmt.Sprint(bound)
			}
		}
	}
	if root.Unit != nil {
		keys["unit"] = root.Unit.Name
	}
	return keys
}

// oracleRow adds up the facts of a row.
type oracleRow struct {
	sales, returns, sold, returned, discount, cost, covered decimal.Decimal
	lines                                                   int64
	receipts                                                map[company.ID]bool
	orders, purchases, supplies                             map[company.ID]bool
	orderSum, orderShipped, orderPaid, reserved             decimal.Decimal
	purchaseSum, purchaseShipped, supplySum, supplied       decimal.Decimal
	units, returnUnits, supplyUnits                         map[string]bool
	corrections                                             map[company.DocumentType]correction
	moneyIn, moneyOut                                       decimal.Decimal
}

// costSlice identifies a good within a reading of the profitability report, which is where its cost is known or not.
type costSlice struct{ good, slice string }

func isSale(k company.DocumentType) bool {
	return k == company.DemandDoc || k == company.RetailDemandDoc
}
func isReturn(k company.DocumentType) bool {
	return k == company.SalesReturnDoc || k == company.RetailSalesReturnDoc
}

// oracle computes the rows of a breakdown from the raw facts, the cost of each good once for each slice.
func oracle(facts []rawFact, by []string, sliced []string, good string) map[string]*oracleRow {
	cost := map[costSlice]decimal.Decimal{}
	sliceOf := func(f rawFact) costSlice {
		s := costSlice{good: f.keys[good]}
		for _, d := range sliced {
			s.slice += f.keys[d] + "|"
		}
		return s
	}
	for _, f := range facts {
		if isSale(f.kind) || isReturn(f.kind) {
			cost[sliceOf(f)] = cost[sliceOf(f)].Add(f.cost)
		}
	}
	rows := map[string]*oracleRow{}
	for _, f := range facts {
		id := ""
		for _, d := range by {
			id += f.keys[d] + "|"
		}
		r := rows[id]
		if r == nil {
			r = &oracleRow{receipts: map[company.ID]bool{}, orders: map[company.ID]bool{}, units: map[string]bool{},
				purchases: map[company.ID]bool{}, supplies: map[company.ID]bool{}, supplyUnits: map[string]bool{},
				returnUnits: map[string]bool{}, corrections: map[company.DocumentType]correction{}}
			rows[id] = r
		}
		known := cost[sliceOf(f)].Sign() != 0 || f.keys["kind"] == "service"
		switch {
		case isSale(f.kind):
			r.sales, r.sold, r.lines = r.sales.Add(f.sum), r.sold.Add(f.quantity), r.lines+1
			r.discount = r.discount.Add(f.full.Sub(f.sum))
			r.receipts[f.document], r.units[f.unit] = true, true
			if known {
				r.cost, r.covered = r.cost.Add(f.cost), r.covered.Add(f.sum)
			}
		case isReturn(f.kind):
			r.returns, r.returned = r.returns.Add(f.sum), r.returned.Add(f.quantity)
			r.units[f.unit], r.returnUnits[f.unit] = true, true
			if known {
				r.cost, r.covered = r.cost.Sub(f.cost), r.covered.Sub(f.sum)
			}
		case f.kind == company.CustomerOrderDoc:
			r.orders[f.document] = true
			r.orderSum = r.orderSum.Add(f.sum)
			if f.first {
				shipped, paid := settled(f)
				r.orderShipped, r.orderPaid = r.orderShipped.Add(shipped), r.orderPaid.Add(paid)
				r.reserved = r.reserved.Add(f.reserved)
			}
		case f.kind == company.PurchaseOrderDoc:
			r.purchases[f.document] = true
			r.purchaseSum = r.purchaseSum.Add(f.sum)
			if f.first {
				received, _ := settled(f)
				r.purchaseShipped = r.purchaseShipped.Add(received)
			}
		case f.kind == company.SupplyDoc:
			r.supplies[f.document], r.supplyUnits[f.unit] = true, true
			r.supplySum, r.supplied = r.supplySum.Add(f.sum), r.supplied.Add(f.quantity)
		case f.kind == company.PaymentInDoc || f.kind == company.CashInDoc:
			r.moneyIn = r.moneyIn.Add(f.sum)
		case f.kind == company.PaymentOutDoc || f.kind == company.CashOutDoc:
			r.moneyOut = r.moneyOut.Add(f.sum)
		default:
			r.corrections[f.kind] = r.corrections[f.kind].with(f)
		}
	}
	return rows
}

// settled returns what counts as shipped or received and as paid of an order: all of it if its state says that nothing
// more will come (decision 51).
func settled(f rawFact) (shipped, paid decimal.Decimal) {
	shipped, paid = f.shipped, f.paid
	rate := decimal.One
	if f.of.Rate != 0 {
		rate = f.of.Rate.Decimal()
	}
	sum := f.of.Sum.Decimal().Major().Mul(rate)
	if s := f.of.State; s != nil && s.StateType != "Regular" {
		shipped = sum
		if s.StateType == "Unsuccessful" {
			paid = sum
		}
	}
	return shipped, paid
}

// value computes a measure of the row by a formula of its own; false means that it is unknown.
func (r *oracleRow) value(measure string) (decimal.Decimal, bool) {
	count := func(m map[company.ID]bool) (decimal.Decimal, bool) { return decimal.FromInt(int64(len(m))), len(m) > 0 }
	div := func(a, b decimal.Decimal) (decimal.Decimal, bool) {
		if b.Sign() <= 0 {
			return a, false
		}
		return a.Div(b), true
	}
	percent := func(a, b decimal.Decimal) (decimal.Decimal, bool) { return div(a.Mul(decimal.Hundred), b) }
	net, oneUnit := r.sales.Sub(r.returns), len(r.units) == 1
	switch measure {
	case "revenue":
		return net, true
	case "sales":
		return r.sales, true
	case "returns":
		return r.returns, true
	case "return_rate":
		return percent(r.returns, r.sales)
	case "quantity":
		return r.sold.Sub(r.returned), oneUnit
	case "quantity_returned":
		return r.returned, len(r.returnUnits) == 1
	case "receipts":
		return count(r.receipts)
	case "average_receipt":
		return div(r.sales, decimal.FromInt(int64(len(r.receipts))))
	case "lines_per_receipt":
		return div(decimal.FromInt(r.lines), decimal.FromInt(int64(len(r.receipts))))
	case "average_price":
		v, ok := div(r.sales, r.sold)
		return v, ok && oneUnit
	case "discount":
		return r.discount, true
	case "cost":
		return r.cost, true
	case "profit":
		return r.covered.Sub(r.cost), true
	case "margin":
		return percent(r.covered.Sub(r.cost), r.covered)
	case "markup":
		return percent(r.covered.Sub(r.cost), r.cost)
	case "cost_coverage":
		if net.Sign() == 0 {
			return net, false
		}
		v := r.covered.Mul(decimal.Hundred).Div(net).Max(decimal.Zero).Min(decimal.Hundred)
		if r.covered.Cmp(net) != 0 && v.Cmp(decimal.MustParse("99.9")) > 0 {
			v = decimal.MustParse("99.9")
		}
		return v, true
	case "orders":
		return count(r.orders)
	case "orders_sum":
		return r.orderSum, true
	case "unshipped":
		return r.orderSum.Sub(r.orderShipped), true
	case "unpaid":
		return r.orderSum.Sub(r.orderPaid), true
	case "reserved":
		return r.reserved, true
	case "money_in":
		return r.moneyIn, true
	case "money_out":
		return r.moneyOut, true
	case "net_flow":
		return r.moneyIn.Sub(r.moneyOut), true
	case "purchase_orders":
		return count(r.purchases)
	case "ordered":
		return r.purchaseSum, true
	case "not_received":
		return r.purchaseSum.Sub(r.purchaseShipped), true
	case "deliveries":
		return count(r.supplies)
	case "purchases":
		return r.supplySum, true
	case "quantity_received":
		return r.supplied, len(r.supplyUnits) == 1
	case "purchase_price":
		v, ok := div(r.supplySum, r.supplied)
		return v, ok && len(r.supplyUnits) == 1
	}
	if v, known, ok := r.corrected(measure); ok {
		return v, known
	}
	panic("the oracle does not know " + measure)
}

// queriesPerPair is how many random periods and filters each allowed pair of measure and dimension is tested with; the
// environment can raise it.
func queriesPerPair() int {
	if n, err := strconv.Atoi(os.Getenv("STOCKHAND_TEST_QUERIES")); err == nil {
		return n
	}
	return 4
}

// Every measure by every dimension that it allows equals, to the kopeck, what an oracle adds up from the raw documents,
// for random periods and conditions.
func TestEveryMeasureByEveryDimensionEqualsTheRawDocuments(t *testing.T) { // rules R198 to R200
	s := openShop(t, sandbox.Options{})
	a := s.owner(t)
	facts := rawFacts(s.company)
	random := rand.New(rand.NewPCG(1, 2))
	full, err := a.Catalogue(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	compared, pairs := 0, 0
	for _, d := range full.Dimensions {
		if d.Name == measures.DimABC || d.Name == measures.DimXYZ { // classes have a test of their own
			continue
		}
		groups := alike(full, d.Name)
		if strings.Contains(d.Name, ".") { // additional fields: one group each, to save time
			groups = groups[random.IntN(len(groups)):][:1]
		}
		for _, group := range groups {
			pairs += len(group)
			for range queriesPerPair() {
				compared += compareWithOracle(t, a, facts, full, d.Name, group, random)
			}
		}
	}
	t.Logf("%d pairs of measure and dimension, %d figures equal to the raw documents", pairs, compared)
}

// alike groups the measures over a dimension by the documents that they are read from.
func alike(full *analysis.Catalogue, dimension string) [][]string {
	groups := map[string][]string{}
	var order []string
	for _, m := range full.Measures {
		if !slices.Contains(m.Over, dimension) || slices.Contains(notOfDocuments, m.Name) {
			continue
		}
		key := fmt.Sprint(m.Over)
		if groups[key] == nil {
			order = append(order, key)
		}
		groups[key] = append(groups[key], m.Name)
	}
	var list [][]string
	for _, key := range order {
		list = append(list, slices.Collect(slices.Chunk(groups[key], analysis.MaxMeasures))...)
	}
	return list
}

func compareWithOracle(t *testing.T, a opened, facts []rawFact, full *analysis.Catalogue, dimension string,
	measures []string, random *rand.Rand) int {
	t.Helper()
	from := tool.Day("2026-09-25").Add(random.IntN(40))
	period := tool.Period{From: from, To: from.Add(random.IntN(25))}
	m, _ := full.Measure(measures[0])
	q := analysis.Query{Measures: measures, By: []string{dimension}, From: period.From, To: period.To}
	within := slices.DeleteFunc(slices.Clone(facts),
		func(f rawFact) bool { return f.day < period.From || f.day > period.To })
	where, value := "", ""
	costs := slices.Contains(measures, "profit") || slices.Contains(measures, "profit_per_day")
	if !costs && len(within) > 0 && random.IntN(2) == 0 {
		where = m.Over[random.IntN(len(m.Over))]
		f := within[random.IntN(len(within))]
		if value = f.keys[where]; where == "counterparty" && f.keys["recipient"] != "" {
			value = "" // conditions name counterparties only
		}
	}
	if where == "variant" || where == "product" || where == "unit" { // the reader of names knows no bundles' parts
		where = ""
	}
	if where != "" && value != "" {
		op := []analysis.Op{analysis.Equal, analysis.NotEqual}[random.IntN(2)]
		q.Where = []analysis.Condition{{Field: where, Op: op, Values: []analysis.Scalar{analysis.Scalar(value)}}}
		within = slices.DeleteFunc(within, func(f rawFact) bool {
			is := f.keys[where] == value || slices.Contains(f.up[where], value)
			return is == (op == analysis.NotEqual)
		})
	}
	arguments, err := json.Marshal(q)
	if err != nil {
		t.Fatal(err)
	}
	r, err := tryTool(a, "moysklad_analyze", string(arguments), tool.Env{Now: noon})
	report := dimension == "sales_channel" || where == "sales_channel" // which cannot be broken down by everything
	// may be one of documents that the measures are not of
	foreign := where == "state" || where == "document_type"
	if stockhand.CodeOf(err) == stockhand.CodeValidation && (report || foreign) {
		return 0
	}
	if err != nil {
		t.Errorf("%s: %v", arguments, err)
		return 0
	}
	var sliced []string
	if d, _ := full.Dimension(dimension); d.Step != "" || dimension == "store" ||
		dimension == "legal_entity" {
		sliced = []string{dimension}
	}
	good := "product"
	if dimension == "variant" || dimension == "barcode" { // each variant has its own
		good = "variant"
	}
	want := oracle(within, q.By, sliced, good)
	compared := 0
	// averages a day are of these
	elapsed := tool.Period{From: period.From, To: min(period.To, tool.DayOf(noon))}.Days()
	seen := map[string]bool{}
	shown := map[string]string{"понедельник": "1", "вторник": "2", "среда": "3", "четверг": "4", "пятница": "5",
		"суббота": "6", "воскресенье": "7"}
	for i := range 24 {
		shown[fmt.Sprintf("%02d:00", i)] = fmt.Sprintf("%02d", i)
	}
	for day := period.From; day <= period.To; day = day.Add(1) {
		shown[day.Format("ru")] = string(day)
	}
	for i := range r.Rows {
		row := r.Row(i)
		id := row[dimension].Text()
		if v, ok := row[dimension+"_id"]; ok {
			id = v.Text()
		} else if shown[id] != "" {
			id = shown[id]
		}
		seen[id+"|"] = true
		w := want[id+"|"]
		if w == nil {
			t.Errorf("%s: a row %q that no document has", arguments, id)
			continue
		}
		compared += compareRow(t, string(arguments), id, measures, row, w, elapsed)
	}
	total := oracle(within, nil, sliced, good)[""]
	if r.Totals != nil && total != nil {
		row := map[string]tool.Value{}
		for i, c := range r.Columns {
			row[c.Name] = r.Totals[i]
		}
		compared += compareRow(t, string(arguments), "total", measures, row, total, elapsed)
	}
	return compared
}

func compareRow(t *testing.T, query, id string, names []string, row map[string]tool.Value, w *oracleRow,
	days int) int {
	t.Helper()
	n := 0
	for _, name := range names {
		m, _ := measures.Catalogue.Measure(name)
		of, perDay := strings.CutSuffix(name, "_per_day")
		want, known := w.value(of)
		if perDay {
			want = want.Div(decimal.FromInt(int64(days)))
		}
		got, ok := row[name].Decimal()
		places := 2
		switch {
		case perDay:
			places = m.Places
		case m.Unit == tool.UnitPercent:
			places = 1
		case m.Unit == tool.UnitQuantity:
			places = 4
		}
		want = want.Round(places)
		if !ok && known && want.Sign() != 0 || ok && known && got.Cmp(want) != 0 || ok && !known && got.Sign() != 0 {
			t.Errorf("%s %s %s: %v, want %s (%v)", query, id, name, row[name], want, known)
		}
		n++
	}
	return n
}
