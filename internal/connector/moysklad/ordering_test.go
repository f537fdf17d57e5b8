package moysklad

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stockhand/stockhand/internal/connector/moysklad/account"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/forecast"
	"github.com/stockhand/stockhand/internal/sandbox"
	"github.com/stockhand/stockhand/internal/sandbox/company"
	"github.com/stockhand/stockhand/internal/tool"
)

var (
	moneyInText = regexp.MustCompile(`([−+]?)(\d[\d\x{a0}\x{202f} ]*,\d\d)[\x{a0}\x{202f} ]₽`)
	linesInText = regexp.MustCompile(`([−+])(\d+) пози`)
)

func amountOf(sign, text string) decimal.Decimal {
	digits := strings.Map(func(r rune) rune {
		switch {
		case r == ',':
			return '.'
		case r >= '0' && r <= '9':
			return r
		}
		return -1
	}, text)
	d := decimal.MustParse(digits)
	if sign == "−" {
		return d.Neg()
	}
	return d
}

// ordered returns the lines and the sum of the supplier orders of a proposal.
func ordered(p *tool.Proposal) (lines int, sum decimal.Decimal) {
	for _, d := range p.Documents {
		if d.Kind == tool.SupplierOrder {
			worth, _ := d.PricedSum()
			lines, sum = lines+len(d.Lines), sum.Add(worth.Decimal)
		}
	}
	return lines, sum
}

// Rule R196: what is short, less and plus the parts, is what is ordered, to the line and to the kopeck.
func TestADraftIsReconciledWithTheShortages(t *testing.T) {
	s := openShop(t, sandbox.Options{Company: company.Options{Seed: 11, Products: 200, Days: 60}})
	a := s.owner(t)
	list := callTool(t, a, "moysklad_shortages", `{"days":90}`)
	short, total := 0, decimal.Zero
	for _, row := range list.Rows {
		if order := number(t, list, row, "to_order"); order.Sign() > 0 {
			short++
			if sum, known := cell(t, list, row, "sum").Decimal(); known {
				total = total.Add(sum)
			}
		}
	}
	group := find(t, s, "good in a group", func(g *company.Good) bool { return g.Folder != nil }).Folder
	for _, arguments := range []string{``, `,"except":{"groups":["` + string(group.ID) + `"]}`, `,"budget":200000`,
		`,"budget":90000,"prefer":"margin","min_order":30000`, `,"transfer_first":true`,
		`,"lead_days":5,"forecast":true,"transfer_first":true,"budget":150000`} {
		p := mustPropose(t, s, a, orders, `{"days":90`+arguments+`}`)
		_, after, _ := strings.Cut(p.Answer, "Не хватает ")
		parts, _, _ := strings.Cut(after, ". ")
		head, steps, ok := strings.Cut(parts, "разница — ")
		sums := moneyInText.FindAllStringSubmatch(head, -1)
		if !ok || len(sums) != 2 {
			t.Fatalf("%s: %s", arguments, p.Answer)
		}
		lines, worth := ordered(p)
		if !strings.Contains(arguments, "lead") { // the list of shortages knows no lead times
			wantEqual(t, arguments+" short", amountOf("", sums[0][2]), total.Round(2))
			if !strings.HasPrefix(head, fmt.Sprintf("%d ", short)) {
				t.Errorf("%s: %d are short: %s", arguments, short, head)
			}
		}
		wantEqual(t, arguments+" ordered", amountOf("", sums[1][2]), worth)
		left := amountOf("", sums[0][2])
		for _, m := range moneyInText.FindAllStringSubmatch(steps, -1) {
			left = left.Add(amountOf(m[1], m[2]))
		}
		wantEqual(t, arguments+" with its parts", left, worth)
		var n int
		if _, err := fmt.Sscanf(head, "%d", &n); err != nil {
			t.Fatal(err)
		}
		for _, m := range linesInText.FindAllStringSubmatch(steps, -1) {
			n += int(amountOf(m[1], m[2]).Float64())
		}
		if n != lines {
			t.Errorf("%s: the parts add up to %d lines, %d are ordered: %s", arguments, n, lines, p.Answer)
		}
	}
}

func TestABudgetIsNeverExceeded(t *testing.T) { // rule R254
	s := openShop(t, sandbox.Options{Company: company.Options{Seed: 11, Products: 200, Days: 60}})
	a := s.owner(t)
	_, all := ordered(mustPropose(t, s, a, orders, `{"days":90}`))
	chosen := map[string]string{}
	for _, prefer := range []string{"cover", "margin"} {
		p := mustPropose(t, s, a, orders, map[string]any{"days": 90, "budget": "100000.01", "prefer": prefer})
		_, sum := ordered(p)
		if decimal.MustParse("100000.01").Less(sum) || sum.Less(decimal.FromInt(95_000)) || all.Less(sum) {
			t.Errorf("%s: %s of a budget of 100,000.01 are spent, all would be %s", prefer, sum, all)
		}
		for _, d := range p.Documents {
			for _, l := range d.Lines {
				if chosen[prefer] += l.Product.ID + " "; !l.Price.Known {
					t.Errorf("%s has no price and is ordered from a budget", l.Product.Name)
				}
				if l.Pack.Known && !account.Integral(l.Quantity.Div(l.Pack.Decimal)) ||
					l.Whole && l.Quantity.Floor(0).Cmp(l.Quantity.Decimal) != 0 {
					t.Errorf("%s: %s are ordered", l.Product.Name, l.Quantity)
				}
			}
		}
	}
	if chosen["cover"] == chosen["margin"] {
		t.Error("the preference makes no difference")
	}
	wantFieldError(t, a, orders, `{"prefer":"margin"}`, "prefer")
	wantFieldError(t, a, orders, `{"budget":0}`, "budget")
	wantFieldError(t, a, orders, `{"except":{}}`, "except")
	wantFieldError(t, a, orders, `{"items":[{"product":"x","quantity":1}],"forecast":true}`, "items")
}

func TestExcludedGoodsAreNotOrdered(t *testing.T) { // rule R254
	s := openShop(t, sandbox.Options{Company: company.Options{Seed: 11, Products: 200, Days: 60}})
	a := s.owner(t)
	d := mustPropose(t, s, a, orders, `{"days":90}`).Documents
	good, supplier := d[0].Lines[0].Product, d[len(d)-1].Supplier
	p := mustPropose(t, s, a, orders, map[string]any{"days": 90,
		"except": map[string]any{"products": []string{good.ID}, "suppliers": []string{supplier.ID}}})
	for _, d := range p.Documents {
		if d.Supplier.ID == supplier.ID || slices.ContainsFunc(d.Lines,
			func(l tool.Line) bool { return l.Product.ID == good.ID }) {
			t.Errorf("%s contains what was excluded", d.Title)
		}
	}
	if len(p.Documents) == 0 {
		t.Error("nothing else is ordered")
	}
}

// Rule R253: lead times are medians of the supplier's own orders.
func TestOrdersKnowTheLeadTimesOfSuppliers(t *testing.T) {
	s := openShop(t, sandbox.Options{Company: company.Options{Seed: 11, Products: 200, Days: 60}})
	first := map[*company.Document]tool.Day{}
	for _, d := range s.company.Documents(company.SupplyDoc) {
		if at := tool.DayOf(d.Moment.In(msapi.Moscow)); d.Applicable && d.Order != nil && d.Order.Applicable &&
			(first[d.Order] == "" || at < first[d.Order]) {
			first[d.Order] = at
		}
	}
	days := map[string][]int{}
	for order, at := range first {
		from := tool.DayOf(order.Moment.In(msapi.Moscow))
		days[string(order.Agent.ID)] = append(days[string(order.Agent.ID)], tool.Period{From: from, To: at}.Days()-1)
	}
	p := mustPropose(t, s, s.owner(t), orders, `{"days":30,"lead_days":9}`)
	known := 0
	for _, d := range p.Documents {
		lead, origin := 9, "как задано"
		if list := days[d.Supplier.ID]; len(list) > 0 {
			slices.Sort(list)
			known++
			lead, origin = list[len(list)/2], fmt.Sprintf("медиана по заказам с приёмкой за год (%d)", len(list))
		}
		if text := strings.Join(d.Consequences, " "); d.Delivery != tool.DayOf(noon).Add(lead) ||
			!strings.Contains(text, fmt.Sprintf("дн.: %d, %s", lead, origin)) {
			t.Errorf("%s: delivery %s, want in %d days, %s: %s", d.Title, d.Delivery, lead, origin, text)
		}
	}
	if known == 0 {
		t.Error("no supplier has delivered in the fixture")
	}
}

// Rule R253: the order covers the forecast of the days until the delivery and of the horizon.
func TestOrdersCoverTheForecastUntilTheDelivery(t *testing.T) {
	s := openShop(t, sandbox.Options{Company: company.Options{Seed: 11, Products: 150, Days: 200}})
	a := s.owner(t)
	p := mustPropose(t, s, a, orders, `{"mode":"running_out","days":30,"forecast":true,"lead_days":4}`)
	period := tool.Period{From: tool.DayOf(noon).Add(-182), To: tool.DayOf(noon).Add(-1)}
	sold, stock, checked := dailySales(s.company, period, ""), stockFromDocuments(s.company), 0
	for _, d := range p.Documents {
		var lead int
		for _, c := range d.Consequences {
			if _, after, ok := strings.Cut(c, "Срок поставки, дн.: "); ok {
				if _, err := fmt.Sscanf(after, "%d", &lead); err != nil {
					t.Fatal(err)
				}
			}
		}
		for _, l := range d.Lines {
			g := goodOf(t, s, l.Product)
			f, _ := forecast.Of(forecast.Series{First: period.From.Time(), Sold: sold[g.ID]}, 30+lead)
			if f == nil || g.Weighed || g.Root().Minimum != nil {
				continue
			}
			var have company.Quantity
			for at, h := range stock {
				if at.good == g.ID {
					have += h.free() + h.transit
				}
			}
			short := f.Total - have.Decimal().Float64()
			checked++
			if got := l.Quantity.Float64(); got < short-0.001 || got >= short+1+packOf(g).Float64() {
				t.Errorf("%s: %v are ordered, %.2f are short in %d days", g.Name, got, short, 30+lead)
			}
		}
	}
	if checked < 5 {
		t.Errorf("only %d lines with a forecast", checked)
	}
}

// Rule R255: what other warehouses can spare is transferred before anything is bought.
func TestOrdersBuyOnlyWhatOtherWarehousesCannotSpare(t *testing.T) {
	s := openShop(t, sandbox.Options{Company: company.Options{Seed: 11, Products: 300, Days: 60}})
	a := s.owner(t)
	alone := mustPropose(t, s, a, orders, `{"mode":"below_minimum"}`)
	p := mustPropose(t, s, a, orders, `{"mode":"below_minimum","transfer_first":true}`)
	sent, bought := map[place]decimal.Decimal{}, map[place]decimal.Decimal{}
	given := map[place]decimal.Decimal{}
	for _, d := range p.Documents {
		for _, l := range d.Lines {
			good := company.ID(l.Product.ID)
			if d.Kind == tool.Transfer {
				at, from := place{good, company.ID(d.Target.ID)}, place{good, company.ID(d.Store.ID)}
				sent[at], given[from] = sent[at].Add(l.Quantity.Decimal), given[from].Add(l.Quantity.Decimal)
			} else {
				at := place{good, company.ID(d.Store.ID)}
				bought[at] = bought[at].Add(l.Quantity.Decimal)
			}
		}
	}
	_, before := ordered(alone)
	if _, after := ordered(p); len(sent) == 0 || !after.Less(before) || !strings.Contains(p.Answer, "Перемещений") {
		t.Fatalf("%d transfers, %s bought instead of %s: %s", len(sent), after, before, p.Answer)
	}
	stock := stockFromDocuments(s.company)
	for at, minimum := range minimums(s.company) {
		g, _ := s.company.Good(at.good)
		if at.store == "" || g.Root().Supplier == nil {
			continue
		}
		h := stock[at]
		missing := (minimum - h.free() - h.transit).Decimal()
		if have := sent[at].Add(bought[at]); missing.Sign() > 0 && have.Less(missing) {
			t.Errorf("%s: %s of %s missing arrive", g.Name, have, missing)
		} else if whole := missing.Ceil(0); sent[at].Cmp(whole) >= 0 && bought[at].Sign() > 0 {
			t.Errorf("%s: %s are bought although %s are sent", g.Name, bought[at], sent[at])
		}
	}
	for from, quantity := range given {
		if free := stock[from].free().Decimal(); free.Less(quantity) {
			t.Errorf("%s are sent of %s free", quantity, free)
		}
	}
}

func TestEveryOrderReachesTheMinimumAlsoWithABudget(t *testing.T) { // rule R254
	s := openShop(t, sandbox.Options{Company: company.Options{Seed: 11, Products: 200, Days: 60}})
	a := s.owner(t)
	least := decimal.FromInt(20_000)
	for _, budget := range []string{"", "60000", "100000", "150000"} {
		in := map[string]any{"days": 90, "min_order": least}
		if budget != "" {
			in["budget"] = budget
		}
		p := mustPropose(t, s, a, orders, in)
		for _, d := range p.Documents {
			if sum, unpriced := d.PricedSum(); unpriced == 0 && d.Currency == "RUB" && sum.Less(least) {
				t.Errorf("budget %q: %s is worth %s", budget, d.Title, sum)
			}
		}
		if _, sum := ordered(p); budget != "" && (decimal.MustParse(budget).Less(sum) || sum.IsZero()) {
			t.Errorf("%s of a budget of %s are spent", sum, budget)
		}
	}
}

// Rule R255: with a forecast, a warehouse keeps what it is expected to sell.
func TestAWarehouseThatSendsKeepsItsForecast(t *testing.T) {
	s := openShop(t, sandbox.Options{Company: company.Options{Seed: 11, Products: 200, Days: 200}})
	p := mustPropose(t, s, s.owner(t), orders, `{"days":60,"forecast":true,"transfer_first":true}`)
	period := tool.Period{From: tool.DayOf(noon).Add(-182), To: tool.DayOf(noon).Add(-1)}
	stock, given, checked := stockFromDocuments(s.company), map[place]decimal.Decimal{}, 0
	for _, d := range p.Documents {
		if d.Kind == tool.Transfer {
			for _, l := range d.Lines {
				from := place{company.ID(l.Product.ID), company.ID(d.Store.ID)}
				given[from] = given[from].Add(l.Quantity.Decimal)
			}
		}
	}
	for from, quantity := range given {
		sold := dailySales(s.company, period, from.store)[from.good]
		f, _ := forecast.Of(forecast.Series{First: period.From.Time(), Sold: sold}, 60)
		if f == nil {
			continue
		}
		checked++
		if left := stock[from].free().Decimal().Sub(quantity).Float64(); left < f.Total-0.001 {
			t.Errorf("%v keeps %v and is expected to sell %v", from, left, f.Total)
		}
	}
	if checked == 0 {
		t.Errorf("no transfer of goods with a forecast: %d", len(given))
	}
}
