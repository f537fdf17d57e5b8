package compose

import (
	"slices"
	"strconv"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/language/compose/typed"
	"github.com/stockhand/stockhand/internal/language/quantity"
	"github.com/stockhand/stockhand/internal/language/query"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// bareSpans reads a unit of time beside a verb for what has not happened, or what lies, as how long: "месяц не
// покупали", "лежит год" (rule R600).
func (s *sentence) bareSpans() {
	for i, it := range s.Items {
		if of := s.lasting(i, -1); it.Kind == typed.Period && of != nil && lastsDays[of.ID] && it.Period.Rolling > 0 &&
			longerThan[s.Tokens[it.At].Norm] { // "haven't paid for over 30 days"
			of.Least = strconv.Itoa(it.Period.Rolling)
			it.Kind = typed.Function
			continue
		}
		if s.boundOfDays(i) {
			continue
		}
		days := spans[s.Tokens[it.At].Norm]
		if it.Kind != typed.Dimension && it.Kind != typed.Unexplained || it.End != it.At+1 || days == 0 ||
			i > 0 && s.Items[i-1].Kind == typed.Per {
			continue
		}
		of := s.lasting(i, 1)
		if of == nil {
			of = s.lasting(i, -1)
		}
		switch {
		case of == nil:
			continue
		case of.ID == "days_since" || of.ID == "stock pace" || of.ID == "days_since_sale":
			it.Kind = typed.Period
			it.Period = &quantity.Period{At: it.At, End: it.End, From: s.Today.AddDate(0, 0, 1-days), To: s.Today,
				Rolling: days}
		default: // the number follows its measure
			if age := ages[of.ID]; age != "" && of.ID != "stock_cost" {
				of.ID = age
			}
			it.Kind, it.Number = typed.Number, typed.Numeral{Value: strconv.Itoa(days), Unit: words.Days}
			if k := slices.Index(s.Items, of); k > i {
				s.Items[i], s.Items[k] = of, it
			}
		}
	}
}

// boundOfDays reads a unit of time behind a comparison as its number of days where days are compared: "хватит
// меньше чем на неделю".
func (s *sentence) boundOfDays(i int) bool {
	it := s.Items[i]
	days := spans[s.Tokens[it.End-1].Norm]
	if days == 0 || it.Kind != typed.Period && it.Kind != typed.Dimension || it.Kind == typed.Period &&
		it.Period.Rolling == 0 && it.End > it.At+1 {
		return false
	}
	k := i - 1
	for k >= 0 && s.Items[k].Kind == typed.Function {
		k--
	}
	if k < 0 || s.Items[k].Kind != typed.Operator {
		return false
	}
	if before := k - 1; before >= 0 && s.Items[before].Kind == typed.Measure && s.Items[before].ID == "stock" &&
		s.Tokens[it.At-1].Norm == "на" {
		s.Items[before].ID = "days_of_cover" // "чего осталось меньше чем на неделю"
	}
	if !slices.ContainsFunc(s.Items, func(o *typed.Item) bool {
		return o.Kind == typed.Measure && (o.ID == "days_of_cover" || o.ID == "days_in_stock")
	}) {
		return false
	}
	it.Kind, it.Period, it.Number = typed.Number, nil, typed.Numeral{Value: strconv.Itoa(days),
		Unit: words.Days}
	return true
}

// spans are the days of a unit of time that is said of how long something lasts.
var spans = map[string]int{"неделю": 7, "месяц": 30, "квартал": 91, "год": 365, "полгода": 182,
	"полмесяца": 15, "week": 7, "month": 30, "quarter": 91, "year": 365}

var (
	longerThan = words.Set("over older longer more beyond exceeding")
	lastsDays  = words.Set("debt_age our_debt_age days_in_stock")
)

// lasting returns the measure beside an item that says how long something has lasted; nil for none.
func (s *sentence) lasting(i, step int) *typed.Item {
	for i += step; i >= 0 && i < len(s.Items); i += step {
		switch it := s.Items[i]; {
		case it.Kind == typed.Function:
		case it.Kind == typed.Measure && s.ofDays(it.ID):
			return it
		default:
			return nil
		}
	}
	return nil
}

func (s *sentence) ofDays(id string) bool {
	return id == "days_since" || id == "days_since_sale" || id == "stock pace" || id == "days_in_stock" ||
		id == "debt_age" || id == "our_debt_age" || id == "owed_to_us" || id == "owed_by_us"
}

// buyers takes legal entities that bought something for customers: "юр лица, которые купили в октябре" (rule R601).
func (d *draft) buyers() {
	i := slices.Index(d.q.By, "legal_entity")
	if i < 0 || d.Previous != nil || slices.Contains(d.q.By, "counterparty") {
		return
	}
	for k, it := range d.Items {
		if it.Kind == typed.Dimension && it.ID == "legal_entity" && is(d.neighbour(k, -1), typed.Per) {
			return
		}
	}
	if slices.ContainsFunc(d.Items, func(it *typed.Item) bool {
		return it.Kind == typed.Measure && buyingStems[d.Tokens[it.End-1].Stem] ||
			it.Kind == typed.Measure && (it.ID == "days_since" || it.ID == "purchases_count")
	}) {
		d.q.By = slices.Clone(d.q.By)
		d.q.By[i] = "counterparty"
		d.replace("purchases", "revenue")
	}
}

// bothPrices shows the prices of the types that a task names without the word for a price: "розница и опт на чай".
func (d *draft) bothPrices() bool {
	return len(d.q.Measures) == 0 && len(d.periods) == 0 && d.ofGoods() &&
		(slices.Equal(d.q.By, []string{"price_type"}) || d.conditioned("price_type"))
}

// onlyVerbs reports whether a measure is asked for by verbs only: "продали", "sell".
func (d *draft) onlyVerbs(id string) bool {
	found := false
	for _, it := range d.Items {
		if it.Kind != typed.Measure || it.ID != id {
			continue
		}
		found = true
		for i := it.At; i < it.End; i++ {
			t := &d.Tokens[i]
			if !verbs[t.Stem] && t.Kind == token.Word && !typed.IsFunction(d.Catalogue, t) {
				return false
			}
		}
	}
	return found
}

// whereGoodsLie shows the warehouses of goods that "где" asks for: "где лежит чай дороже 500" (rule R635).
func (d *draft) whereGoodsLie() {
	if d.Previous != nil || !whereWords[d.first()] || !slices.Contains(d.q.Measures, "stock") ||
		!slices.Equal(d.q.By, []string{"product"}) || d.conditioned("store") {
		return
	}
	q := d.q
	q.By = []string{"product", "store"}
	d.pricesThere(&q)
	if query.Possible(d.Catalogue, q) {
		d.q = q
	}
}

// receiptsOfSum shows sales by their sum where receipts are counted above or below an amount: "сколько чеков было
// больше 5 тысяч" (rule R640). A number of receipts by itself is smaller.
func (d *draft) receiptsOfSum() {
	const leastSum = 500
	if d.Previous != nil || !slices.Equal(d.asked, []string{"receipts"}) || d.goods || len(d.q.By) > 0 ||
		len(d.q.Order) > 0 {
		return
	}
	for i, w := range d.q.Where {
		if w.Field != "receipts" || len(w.Values) == 0 {
			continue
		}
		if n, err := strconv.ParseFloat(string(w.Values[0]), 64); err != nil || n < leastSum {
			continue
		}
		d.replace("receipts", "revenue")
		d.q.Where[i].Field, d.q.By = "revenue", []string{"document"}
		return
	}
}

// leftOfOrders keeps the orders of which something is left, where they are shown one by one: "какие заказы поставщикам
// ещё не приехали" (rule R633).
func (d *draft) leftOfOrders() {
	if d.Previous != nil || !slices.Contains(d.q.By, "document") {
		return
	}
	for _, m := range []string{"not_received", "unshipped", "unpaid"} {
		if slices.Contains(d.q.Measures, m) && !d.conditioned(m) {
			d.where(m, analysis.Greater, "0")
		}
	}
}
