package language

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/stockhand/stockhand/internal/connector"
)

// takes says which arguments a skill's tool has.
type takes struct {
	names  []connector.NameKind
	period bool
	limit  bool
}

var goodsNames = []connector.NameKind{connector.NameProduct, connector.NameGroup, connector.NameSupplier, connector.NameStore}

var skills = map[Skill]takes{
	Stock:                 {names: goodsNames, limit: true},
	StockByStore:          {names: goodsNames, limit: true},
	Shortages:             {names: goodsNames, period: true, limit: true},
	StockAge:              {names: []connector.NameKind{connector.NameGroup, connector.NameSupplier, connector.NameStore}, limit: true},
	Turnover:              {names: goodsNames, period: true, limit: true},
	Profitability:         {names: goodsNames, period: true, limit: true},
	Money:                 {period: true},
	OverdueOrders:         {names: []connector.NameKind{connector.NameCounterparty, connector.NameStore}, limit: true},
	SalesTrend:            {names: []connector.NameKind{connector.NameStore}, period: true},
	Receivables:           {names: []connector.NameKind{connector.NameCounterparty}, limit: true},
	ABCXYZ:                {names: []connector.NameKind{connector.NameGroup, connector.NameSupplier, connector.NameStore}, period: true, limit: true},
	FindProducts:          {limit: true},
	Reference:             {},
	AccountOverview:       {},
	ProposeSupplierOrders: {names: goodsNames, period: true},
	ProposeTransfers:      {names: goodsNames, period: true},
	ProposePriceChange:    {names: goodsNames},
	Help:                  {},
	Greeting:              {},
}

// amount is a number of main currency units that the task compares with.
type amount struct {
	text string // decimal
	at   int
	over bool
}

// quantities are the numbers of a task by what they count.
type quantities struct {
	limit     int
	percent   string
	amounts   []amount
	durations []duration
	periods   []period
}

var moreWords = set("больше более свыше выше превышает превышающие превышающий от дороже крупнее over above exceeding more least exceeds bigger larger greater минимум min")

// scales are the words that multiply the number before them.
var scales = func() map[string]int64 {
	m := map[string]int64{}
	for n, words := range map[int64]string{
		1000:      "к k т тыс тысяч тысячи тысяча тыщ тыщи штук косарей thousand grand thou",
		1_000_000: "млн лям ляма лямов миллион миллиона миллионов million mln m mio",
	} {
		for w := range strings.FieldsSeq(words) {
			m[w] = n
		}
	}
	delete(m, "штук") // pieces, nearly always
	return m
}()

var currencyWords = set("руб рубль рубля рублей рублям р rub rubles roubles ruble rouble ₽ rur usd dollars eur euro")

// readNumbers reads and marks amounts, percentages and counts of the tokens that no period took.
func (c *calendar) readNumbers(q *quantities) {
	for i := range c.ts {
		w := c.norm(i)
		if w == "" {
			continue
		}
		if c.ts[i].kind != number {
			if n, ok := numerals[w]; ok && n > 1 && q.limit == 0 && c.ranked(i, 1) {
				q.limit = n
				c.ts[i].use = asNumber
			}
			continue
		}
		text, j := c.decimal(i)
		if text == "" {
			continue
		}
		if next := c.norm(j); next == "%" || strings.HasPrefix(next, "процент") || next == "percent" || next == "pct" || next == "проц" {
			q.percent = text
			c.use(i, j+1)
			continue
		}
		scale := int64(1)
		if s, ok := scales[c.norm(j)]; ok {
			scale = s
			j++
			if c.norm(j) == "." {
				j++
			}
		}
		currency := false
		if currencyWords[c.norm(j)] || strings.HasPrefix(c.norm(j), "руб") {
			currency = true
			j++
		}
		over := moreWords[c.norm(i-1)] || c.norm(i-1) == "than" && moreWords[c.norm(i-2)] || c.norm(i-1) == "чем" && moreWords[c.norm(i-2)] || c.norm(i-1) == "at" || c.norm(i-1) == "на" && moreWords[c.norm(i-2)]
		n, whole := wholeNumber(text)
		switch {
		case scale > 1 || currency || over && (!whole || n >= 500):
			if v, ok := multiply(text, scale); ok {
				q.amounts = append(q.amounts, amount{text: v, at: i, over: over})
				c.use(i, j)
			}
		case whole && n > 0 && n <= 10_000 && q.limit == 0 && c.ranked(i, j-i):
			q.limit = n
			c.use(i, j)
		}
	}
}

func (c *calendar) use(i, j int) {
	for ; i < j && i < len(c.ts); i++ {
		c.ts[i].use = asNumber
	}
}

// decimal reads a number that may be written in groups: 10 000, 1 234,56, 10,000. It returns it with a point.
func (c *calendar) decimal(i int) (string, int) {
	text := c.norm(i)
	j := i + 1
	for len(text) <= 12 && len(strings.Split(text, " ")[0]) <= 3 && j < len(c.ts) && c.ts[j].kind == number && c.ts[j].use == unused && !c.ts[j].glued && len(c.norm(j)) >= 3 && digitsOnly(c.norm(j)[:3]) && (len(c.norm(j)) == 3 || c.norm(j)[3] == ',' || c.norm(j)[3] == '.') && digitsOnly(text) {
		text += c.norm(j)
		j++
	}
	switch {
	case strings.Count(text, ",") == 1 && strings.Count(text, ".") == 0:
		whole, frac, _ := strings.Cut(text, ",")
		if len(frac) == 3 && !c.russianNear(i) { // 10,000
			text = whole + frac
		} else {
			text = whole + "." + frac
		}
	case strings.Count(text, ",") > 1:
		text = strings.ReplaceAll(text, ",", "")
	}
	if strings.Count(text, ".") > 1 || len(text) > 15 {
		return "", j
	}
	return text, j
}

func (c *calendar) russianNear(i int) bool {
	for _, t := range c.ts[max(0, i-3):min(len(c.ts), i+3)] {
		if t.cyrillic {
			return true
		}
	}
	return false
}

func digitsOnly(s string) bool { return strings.Trim(s, "0123456789") == "" }

func wholeNumber(s string) (int, bool) {
	n, err := strconv.Atoi(s)
	return n, err == nil
}

// multiply is text times scale, exactly, without trailing zeros after the point.
func multiply(text string, scale int64) (string, bool) {
	whole, frac, _ := strings.Cut(text, ".")
	for scale > 1 {
		digit := "0"
		if frac != "" {
			digit, frac = frac[:1], frac[1:]
		}
		whole += digit
		scale /= 10
	}
	whole = strings.TrimLeft(whole, "0")
	frac = strings.TrimRight(frac, "0")
	if whole == "" {
		whole = "0"
	}
	if len(whole) > 15 || !digitsOnly(whole+frac) {
		return "", false
	}
	if frac != "" {
		whole += "." + frac
	}
	return whole, true
}

var rankWords = set("топ top первые первых первую первый first лучшие лучших best худшие худших worst самых самые bottom ведущих крупнейших largest biggest только show покажи выведи limit лимит")

// ranked tells whether the number at i says how many rows are wanted: after "топ", before "самых", "лучших" or a noun
// of rows with a superlative.
func (c *calendar) ranked(i, n int) bool {
	before := c.norm(i - 1)
	if before == "-" {
		before = c.norm(i - 2)
	}
	if before == "the" {
		before = c.norm(i - 2)
	}
	next := c.norm(i + n)
	if before == "топ" || before == "top" || before == "bottom" || before == "limit" || before == "лимит" || before == "антитоп" {
		return true
	}
	if lengths[next] != noLength || currencyWords[next] || next == "шт" || next == "штук" || next == "pcs" || next == "units" || next == "раз" {
		return false
	}
	if rankWords[before] && before != "самые" {
		return true
	}
	return rankWords[next] && next != "только" || strings.HasPrefix(next, "наибол") || strings.HasPrefix(next, "наимен") || strings.HasPrefix(next, "прибыльн") || strings.HasPrefix(next, "крупн") || strings.HasPrefix(next, "убыточн") || strings.HasPrefix(next, "популярн") || strings.HasPrefix(next, "ходов") || strings.HasPrefix(next, "худш") ||
		next == "most" || next == "least" || next == "highest" || next == "lowest" || next == "slowest" || next == "oldest" || next == "top"
}

// fill sets the arguments that the skill takes from what the task says.
func (r *reader) fill(s Skill) Arguments {
	a := Arguments{}
	t := skills[s]
	q := &r.quantities
	if t.limit {
		a.Limit = q.limit
	}
	if t.period {
		if p, ok := r.chosenPeriod(s); ok {
			a.From, a.To = iso(p.from), iso(p.to)
			if p.from.IsZero() {
				a.From = ""
			}
		}
	}
	e := r.evidence
	switch s {
	case Stock:
		r.fillStock(&a)
	case Shortages:
		switch {
		case e.is("BELOWMIN") && !e.is("RUNOUT"):
			a.Mode = "below_minimum"
		case e.is("RUNOUT") && !e.is("BELOWMIN"):
			a.Mode = "running_out"
		}
		for _, d := range q.durations {
			a.Days = d.days
		}
		if len(q.periods) > 0 && q.periods[0].rolling > 0 && e.is("RUNOUT") && a.Days == 0 { // "enough for 10 days"
			a.Days, a.From, a.To = q.periods[0].rolling, "", ""
		}
		if a.Days > 0 && a.Mode == "" && !e.is("TOBUY") {
			a.Mode = "running_out"
		}
	case StockAge:
		a.MinDays = r.minDays()
		if a.MinDays == 0 {
			for _, p := range q.periods {
				if p.rolling > 0 || p.previous == noLength && p.to.Equal(r.today) {
					a.MinDays = int(r.today.Sub(p.from).Hours()/24) + 1
					if p.rolling > 0 {
						a.MinDays = p.rolling
					}
				}
			}
		}
	case OverdueOrders:
		a.MinDays = r.minDays()
	case Profitability:
		r.fillProfitability(&a)
	case Money:
		a.What = "balances"
		if e.is("FLOW", "TURN", "TREND", "BYDAY", "BYMONTH", "BYHOUR") || a.From != "" && a.From != a.To || a.To != "" && a.To != iso(r.today) {
			a.What = "flow"
			a.Interval = r.interval()
		} else {
			a.From, a.To = "", ""
		}
	case SalesTrend:
		a.Interval = r.interval()
		a.Compare = e.is("COMPARE")
	case Receivables:
		a.Direction = "owed_to_us"
		switch {
		case e.is("BOTHWAYS"), e.is("PAYABLE") && r.owedToUs():
			a.Direction = "both"
		case e.is("PAYABLE"):
			a.Direction = "owed_by_us"
		}
		for _, m := range q.amounts {
			a.MinAmount = m.text
		}
	case ABCXYZ:
		switch {
		case e.is("PROFIT", "BYPROFIT", "MARGINWORD"):
			a.By = "profit"
		case e.is("BYQUANTITY", "HOWMANY"):
			a.By = "quantity"
		case e.is("REVENUE", "BYREVENUE"):
			a.By = "revenue"
		}
	case FindProducts:
		a.Query = r.query()
	case Reference:
		a.Kind = r.referenceKind()
	case ProposePriceChange:
		if q.percent != "" {
			a.Percent = q.percent
			if e.is("LOWER") && !e.is("RAISE") {
				a.Percent = "-" + a.Percent
			}
		}
	}
	return a
}

// owedToUs tells whether a task that speaks of what we owe speaks of what others owe as well.
func (r *reader) owedToUs() bool {
	for _, f := range r.found {
		if r.x.concepts[f.concept] != "DEBT" {
			continue
		}
		if w := r.ts[f.at[0]].norm; strings.HasPrefix(w, "дебит") || strings.HasPrefix(w, "receiv") || strings.HasPrefix(w, "debtor") {
			return true
		}
	}
	return false
}

func iso(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.Format(time.DateOnly)
}

// chosenPeriod is the period the skill is to report on. "Сравни октябрь с сентябрем" is about the later one; "сравни
// с прошлым месяцем" is about this one.
func (r *reader) chosenPeriod(s Skill) (period, bool) {
	ps := r.quantities.periods
	if len(ps) == 0 {
		return period{}, false
	}
	p := ps[0]
	if len(ps) > 1 && r.evidence.is("COMPARE") {
		for _, other := range ps[1:] {
			if other.from.After(p.from) {
				p = other
			}
		}
	} else if s == SalesTrend && len(ps) == 1 && p.previous != noLength && r.evidence.is("COMPARE") && r.comparedWith(p) {
		p.from, p.to = whole(p.previous, begin(p.previous, r.today))
	}
	if p.to.After(r.today) {
		p.to = r.today
	}
	return p, !p.from.After(p.to)
}

// comparedWith tells whether the period is what is compared with, and not what is compared.
func (r *reader) comparedWith(p period) bool {
	if p.at == 0 {
		return false
	}
	switch r.ts[p.at-1].norm {
	case "с", "со", "to", "with", "vs", "versus", "против", "чем", "than", "к", "against", "отношению", "the", "относительно":
		return true
	}
	return false
}

func (r *reader) minDays() int {
	for _, d := range r.quantities.durations {
		if !d.ahead {
			return d.days
		}
	}
	for _, d := range r.quantities.durations {
		return d.days
	}
	return 0
}

func (r *reader) interval() string {
	switch e := r.evidence; {
	case e.is("BYHOUR"):
		return "hour"
	case e.is("BYMONTH"):
		return "month"
	case e.is("BYDAY"):
		return "day"
	}
	return ""
}

func (r *reader) fillStock(a *Arguments) {
	e := r.evidence
	switch {
	case e.is("NEGATIVE"):
		a.Only = "negative"
	case e.is("ALLROWS"):
		a.Only = "all"
	case e.is("ZERO"):
		a.Only = "zero"
	}
	switch {
	case e.is("BYVALUE"):
		a.Order = "value"
	case e.is("BYNAME"):
		a.Order = "name"
	case e.is("BEST", "WORST"):
		a.Order = "stock"
	}
	for _, p := range r.quantities.periods {
		day := p.to
		if r.before(p.at, "начало", "beginning", "start") {
			day = p.from
		}
		if day.Before(r.today) {
			a.At = iso(day)
		}
	}
}

// before tells whether one of the words stands in the three tokens before token i.
func (r *reader) before(i int, words ...string) bool {
	for j := i - 1; j >= 0 && j >= i-3; j-- {
		if slices.Contains(words, r.ts[j].norm) {
			return true
		}
	}
	return false
}

func (r *reader) fillProfitability(a *Arguments) {
	e := r.evidence
	switch {
	case e.is("BYEMPLOYEE"), e.is("EMPLOYEE"):
		a.By = "employee"
	case e.is("BYCHANNEL"), e.is("CHANNEL"):
		a.By = "sales_channel"
	case e.is("BYCUSTOMER"), e.is("CUSTOMER") && !e.is("BYPRODUCT", "PRODUCT"):
		a.By = "counterparty"
	case e.is("BYVARIANT"), e.is("VARIANT"):
		a.By = "variant"
	default:
		a.By = "product"
	}
	switch {
	case e.is("MARGINWORD"):
		a.Order = "margin"
	case e.is("PROFIT", "LOSS", "BYPROFIT"):
		a.Order = "profit"
	case e.is("BYQUANTITY"):
		a.Order = "quantity"
	case e.is("REVENUE", "BYREVENUE"), a.By != "product" && a.By != "variant":
		a.Order = "revenue"
	case e.is("SELL") && e.is("BEST", "WORST"):
		a.Order = "quantity"
		if r.salesNoun() {
			a.Order = "revenue"
		}
	case e.is("SELL"):
		a.Order = "revenue"
	}
	switch {
	case e.is("LOSS", "WORST"):
		a.Direction = "asc"
	case e.is("BEST"):
		a.Direction = "desc"
	}
}

// salesNoun tells whether sales are spoken of as money: "топ продаж", "top sales".
func (r *reader) salesNoun() bool {
	for _, f := range r.found {
		if r.x.concepts[f.concept] == "SELL" {
			if w := r.ts[f.at[len(f.at)-1]].norm; w == "продаж" || w == "продажам" || w == "продажи" || w == "sales" || w == "sale" {
				return true
			}
		}
	}
	return false
}

// referenceKind is the kind of list asked for: the one named first.
func (r *reader) referenceKind() string {
	best, kind := len(r.ts)+1, ""
	for name, k := range map[string]connector.NameKind{
		"PRICETYPE": connector.NamePriceType, "ORG": connector.NameOrganization, "STORE": connector.NameStore, "SUPPLIER": connector.NameSupplier,
		"GROUP": connector.NameGroup, "EMPLOYEE": connector.NameEmployee, "CHANNEL": connector.NameSalesChannel, "CUSTOMER": connector.NameCounterparty,
	} {
		for _, f := range r.found {
			if r.x.concepts[f.concept] != name {
				continue
			}
			at := f.at[0]
			if name == "PRICETYPE" {
				at = -1
			}
			if at < best || at == best && k < connector.NameKind(kind) {
				best, kind = at, string(k)
			}
		}
	}
	return kind
}

// query is what is to be found: the words after the verb, without the words that only say that goods are sought.
func (r *reader) query() string {
	at, verb := -1, false
	for _, f := range r.found {
		c, last := r.x.concepts[f.concept], f.at[len(f.at)-1]
		switch {
		case c == "FIND" && (!verb || last > at):
			at, verb = last, true
		case c == "CODE" && !verb && at < 0:
			at = f.at[0] - 1
		}
	}
	pick := func(from, to int) string {
		first, last := -1, -1
		for i := from; i < to; i++ {
			t := &r.ts[i]
			if t.kind == quoted {
				return t.raw
			}
			code := i+2 < to && r.ts[i+1].kind == mark && r.ts[i+1].glued && r.ts[i+2].glued // SKU-77
			if t.kind == mark || first < 0 && r.noise(t) && !code {
				continue
			}
			if first < 0 {
				first = t.start
			}
			if !trailing[t.norm] {
				last = t.end
			}
		}
		if last < first {
			return ""
		}
		if first < 0 {
			return ""
		}
		return strings.Trim(r.task[first:last], " ?!.,:;")
	}
	if s := pick(at+1, len(r.ts)); s != "" {
		return s
	}
	return pick(0, max(at, 0))
}

// leading and trailing are words that stand around what is sought and are no part of it.
var (
	leading  = set("мне нам пожалуйста плиз пож а ну ка товар товара товары товаров позицию позиции продукт карточку карточка по с со под у нас наш есть ли в на базе каталоге названием названию именем какой какие все что за то чтото the a an for me us by with of any all our my product products item items goods called named name code article sku barcode number in on to please is there do we have that which called one ones артикул артикулу артикулом артикула код кода коду кодом штрихкод штрихкоду штрихкодом номер номеру номером ищется о об about информацию info")
	trailing = set("пожалуйста плиз пож нас базе каталоге мне нам срочно быстро спасибо please thanks it them us our catalog catalogue stock складе есть у в на in the ли наличии товар что за такое")
)

// noise tells whether a word is no part of what is sought.
func (r *reader) noise(t *token) bool {
	if t.kind != word {
		return false
	}
	sought := true
	r.x.eachFirst(t, func(p int) {
		if c := r.x.concepts[r.x.patterns[p].concept]; len(r.x.patterns[p].words) == 1 && (c == "FIND" || c == "SHOW" || c == "GREET") {
			sought = false
		}
	})
	return !sought || leading[t.norm]
}
