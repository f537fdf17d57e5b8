package grounding

import (
	"encoding/json"
	"slices"
	"strings"
	"unicode"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
)

// fact is a number that was read, computed by a tool, or said.
type fact struct {
	value    decimal.Decimal
	kind     kind
	currency string
	noun     string
	exact    bool   // has to be said back as it is, without rounding
	measures []spot // of one from a sentence: the columns whose words stand beside it
	place
}

// place is where a fact is.
type place struct {
	origin Origin
	table  int // index of the table; −1 for none
	column string
	row    int // −1 for none
}

// spot is a column of a table.
type spot struct{ table, column int }

// source is a table with what was said about it.
type source struct {
	id       string
	columns  []tool.Column
	roles    []role
	rows     []tool.Row
	totals   tool.Row
	wording  []wording
	coverage []string // notices on the share of revenue whose cost is known
	draft    bool
}

// wording is a text that a tool wrote.
type wording struct {
	text  string
	plain string // as it can be compared
	owner string // the words of the title of the document that it is about; empty when it is about the whole
}

func wordings(owner string, texts ...string) []wording {
	var out []wording
	for _, t := range texts {
		if t != "" {
			out = append(out, wording{t, plainWording(t), owner})
		}
	}
	return out
}

// evidence is what a text is checked against.
type evidence struct {
	l       stockhand.Language
	sources []source
	names   *nameIndex
	labels  map[string][]spot // columns by their label
	words   map[string][]spot // columns by the beginnings of the words of their labels
	global  []fact
	said    []fact
	asked   []fact
	days    map[string]map[int][]int
	years   [2]int
	groups  map[groupKey][]fact

	compared  string // the text that comparing is of
	comparing map[span]bool
}

func newEvidence(text string, l stockhand.Language, e Evidence) *evidence {
	x := &evidence{l: l, names: newNameIndex(), labels: map[string][]spot{}, words: map[string][]spot{},
		days: map[string]map[int][]int{}, groups: map[groupKey][]fact{}}
	for _, s := range e.Sources {
		x.take(s)
	}
	x.names.learn(text)
	for _, s := range x.sources {
		for _, w := range s.wording {
			x.names.learn(w.text)
		}
	}
	for t := range x.sources {
		x.index(t)
	}
	x.names.done()
	for t := range x.sources {
		x.totals(t)
		for _, w := range x.sources[t].wording {
			x.sentence(t, w.text)
		}
	}
	for _, s := range e.Sources {
		x.arguments(s.Arguments)
	}
	for _, said := range e.Said {
		x.person(said)
	}
	return x
}

// take turns what a tool returned into tables.
func (x *evidence) take(s Source) {
	switch {
	case s.Result != nil:
		r := s.Result
		x.period(r.Provenance)
		x.sources = append(x.sources, source{id: s.ID, columns: r.Columns, rows: r.Rows, totals: r.Totals,
			wording: wordings("", append(notices(r.Notices), r.Answer, r.Title, r.Provenance.Method)...)})
		for _, n := range r.Notices {
			if n.Code == tool.NoticeCostPartial {
				s := &x.sources[len(x.sources)-1]
				s.coverage = append(s.coverage, n.Message)
			}
		}
		x.count(len(x.sources)-1, len(r.Rows), "")
	case s.Proposal != nil:
		p := s.Proposal
		x.period(p.Provenance)
		x.documents(s.ID, p.Documents, append(notices(p.Notices), p.Answer, p.Title, p.Provenance.Method))
	case s.Draft != nil:
		var documents []tool.Document
		for _, d := range s.Draft.Documents {
			documents = append(documents, d.Document)
		}
		x.documents(s.ID, documents, append(notices(s.Draft.Notices), s.Draft.Answer, s.Draft.Title))
	}
}

func notices(list []tool.Notice) []string {
	var out []string
	for _, n := range list {
		out = append(out, n.Message)
	}
	return out
}

// documents makes one table of all lines of a draft: what is the same for a document's lines, its supplier and
// warehouses, is a column, so that a supplier's lines add up to the document.
func (x *evidence) documents(id string, documents []tool.Document, texts []string) {
	s := source{id: id, wording: wordings("", texts...), draft: true,
		columns: []tool.Column{{Name: "document", Unit: tool.UnitText}, {Name: "supplier", Unit: tool.UnitText},
			{Name: "store", Unit: tool.UnitText}, {Name: "target", Unit: tool.UnitText}}}
	column := func(c tool.Column) int {
		if i := slices.IndexFunc(s.columns, func(o tool.Column) bool { return o.Name == c.Name }); i >= 0 {
			return i
		}
		s.columns = append(s.columns, c)
		return len(s.columns) - 1
	}
	at := len(x.sources)
	sums := map[string]decimal.Decimal{}
	for _, d := range documents {
		s.wording = append(s.wording, wordings(strings.TrimSpace(wordsOf(d.Title)),
			append([]string{d.Title, d.Reason}, d.Consequences...)...)...)
		table := d.Table(x.l)
		if d.Total.Known {
			sums[d.Currency] = sums[d.Currency].Add(d.Total.Decimal)
			x.global = append(x.global, fact{value: d.Total.Decimal, kind: money, currency: d.Currency,
				place: place{FromTotal, at, "sum", -1}})
		}
		x.count(at, len(d.Lines), "lines")
		for i, l := range d.Lines {
			row := tool.Row{tool.TextValue(d.Title), ref(d.Supplier), ref(d.Store), ref(d.Target)}
			set := func(c tool.Column, v tool.Value) {
				k := column(c)
				for len(row) <= k {
					row = append(row, tool.Empty)
				}
				row[k] = v
			}
			for k, c := range table.Columns {
				set(c, table.Rows[i][k])
			}
			for name, v := range map[string]decimal.Maybe{"stock": l.Seen.Stock, "reserve": l.Seen.Reserve,
				"in_transit": l.Seen.InTransit, "minimum": l.Seen.Minimum, "daily_sales": l.Seen.Daily,
				"pack": l.Pack} {
				set(tool.Column{Name: name, Unit: tool.UnitQuantity}, tool.MaybeNumber(v))
			}
			set(tool.Column{Name: "cost", Unit: tool.UnitMoney}, tool.MaybeMoney(l.Cost, d.Currency))
			s.rows = append(s.rows, row)
		}
	}
	for i := range s.rows {
		for len(s.rows[i]) < len(s.columns) {
			s.rows[i] = append(s.rows[i], tool.Empty)
		}
	}
	x.sources = append(x.sources, s)
	for currency, sum := range sums {
		x.global = append(x.global, fact{value: sum, kind: money, currency: currency,
			place: place{FromTotal, at, "sum", -1}})
	}
	x.count(at, len(documents), "documents")
	x.count(at, len(s.rows), "lines")
}

func ref(r *tool.Ref) tool.Value {
	if r == nil {
		return tool.Empty
	}
	return tool.TextValue(r.Name)
}

func (x *evidence) count(table, n int, noun string) {
	x.global = append(x.global, fact{value: decimal.FromInt(int64(n)), kind: count, noun: noun,
		place: place{FromCount, table, "", -1}})
}

func (x *evidence) period(p tool.Provenance) {
	at := len(x.sources)
	if p.Period != nil {
		x.global = append(x.global, fact{value: decimal.FromInt(int64(p.Period.Days())), kind: days,
			place: place{FromPeriod, at, "", -1}})
		x.year(p.Period.From.Time().Year())
		x.year(p.Period.To.Time().Year())
	}
	if !p.Read.IsZero() {
		x.year(p.Read.Year())
	}
	x.global = append(x.global, fact{value: decimal.FromInt(int64(p.Requests)), kind: count, noun: "requests",
		place: place{FromPeriod, at, "", -1}})
}

func (x *evidence) year(y int) {
	if y < 1990 {
		return
	}
	if x.years[0] == 0 || y < x.years[0] {
		x.years[0] = y
	}
	x.years[1] = max(x.years[1], y)
}

// roleOf says what a column of words is.
func roleOf(c tool.Column, first bool) role {
	switch c.Unit {
	case tool.UnitDate, tool.UnitMoment:
		if first {
			return day
		}
		return nothing
	case tool.UnitText:
	default:
		return nothing
	}
	switch c.Name {
	case "name", "product", "article", "code", "order", "account", "indicator", "document":
		return subject
	case "unit", "kind", "class", "abc", "xyz", "details", "flags", "barcodes", "currency", "line", "id":
		return nothing
	case "state", "reason":
		return weak
	case "store", "supplier", "group", "counterparty", "organization", "target", "employee", "channel", "sales_channel",
		"price_type":
		if first {
			return subject
		}
		return attribute
	}
	if first && !strings.HasSuffix(c.Name, "_id") {
		return subject
	}
	return nothing
}

// index finds which rows of a table are named in the texts.
func (x *evidence) index(t int) {
	s := &x.sources[t]
	s.roles = make([]role, len(s.columns))
	first := true
	for i, c := range s.columns {
		s.roles[i] = roleOf(c, first)
		if c.Unit == tool.UnitText || c.Unit == tool.UnitDate || c.Unit == tool.UnitMoment {
			first = false
		}
		if label := labelKey(c.Label); label != "" {
			x.labels[label] = append(x.labels[label], spot{t, i})
		}
		for _, w := range tokens(c.Label) {
			if key := measureKey(w.folded); key != "" {
				x.words[key] = append(x.words[key], spot{t, i})
			}
		}
	}
	for i, r := range s.roles {
		if r == nothing {
			continue
		}
		for k, row := range s.rows {
			if i >= len(row) {
				continue
			}
			cell := row[i].Text()
			switch {
			case cell == "":
			case r == day:
				x.day(cell, t, k)
			default:
				x.names.add(cell, r, t, k)
			}
		}
	}
}

func (x *evidence) day(key string, t, row int) {
	if len(key) > len("2026-11-05") {
		key = key[:len("2026-11-05")]
	}
	keys := []string{key}
	if strings.HasSuffix(key, "-01") {
		keys = append(keys, key[:len("2026-11")])
	}
	for _, k := range keys {
		if x.days[k] == nil {
			x.days[k] = map[int][]int{}
		}
		x.days[k][t] = append(x.days[k][t], row)
	}
}

// labelKey makes labels comparable: words alone, without a unit behind a comma or in brackets.
func labelKey(label string) string {
	if i := strings.LastIndexAny(label, ",("); i > 0 {
		if _, ok := unitOf(strings.Trim(label[i:], ",() .")); ok {
			label = label[:i]
		}
	}
	return strings.TrimSpace(wordsOf(label))
}

// measureKey is the beginning by which a word of a label is known in its other forms; empty for words that say little.
func measureKey(word string) string {
	r := []rune(word)
	if len(r) < 4 {
		return ""
	}
	key := string(r[:min(len(r), 5)])
	switch key {
	case "товар", "склад", "сумма", "сумме", "сумму", "дней", "день", "цена", "item", "days", "total", "value", "goods",
		"почем", "номер", "name":
		return ""
	}
	return key
}

// totals are the figures of a table as a whole.
func (x *evidence) totals(t int) {
	s := &x.sources[t]
	for i, v := range s.totals {
		if f, ok := cellFact(s.columns[i], v); ok {
			f.place = place{FromTotal, t, s.columns[i].Name, -1}
			f.measures = []spot{{t, i}}
			x.global = append(x.global, f)
		}
	}
}

// cellFact is the number of a cell.
func cellFact(c tool.Column, v tool.Value) (fact, bool) {
	d, ok := v.Decimal()
	if !ok || !d.Valid() {
		return fact{}, false
	}
	f := fact{value: d}
	switch c.Unit {
	case tool.UnitMoney:
		f.kind, f.currency = money, v.Currency()
	case tool.UnitPercent:
		f.kind = percent
	case tool.UnitDays:
		f.kind = days
	case tool.UnitCount:
		f.kind = count
	case tool.UnitQuantity:
		f.kind = quantity
	case tool.UnitText, tool.UnitDate, tool.UnitMoment:
	}
	return f, true
}

// sentence takes the figures of a tool's own text: those beside a name belong to it, the others to the table.
func (x *evidence) sentence(t int, text string) {
	d := x.read(text)
	for _, m := range d.mentions {
		if len(m.name.rows[t]) == 0 {
			m.name.scopes[t] = true
		}
	}
	for _, f := range d.figures {
		own := x.attached(d, f)
		for _, r := range f.readings[:min(1, len(f.readings))] {
			of := fact{value: r.value, kind: f.kind, currency: f.currency, noun: f.noun, measures: x.measures(d, f),
				place: place{FromText, t, "", -1}}
			if len(own) == 0 {
				x.global = append(x.global, of)
			}
			for _, n := range own {
				if x.inRows(f, t, n) {
					continue // the cell says more: which column it is
				}
				n.about = append(n.about, of)
			}
		}
	}
}

func (x *evidence) inRows(f *figure, t int, n *name) bool {
	for _, row := range n.rows[t][:min(fewRows, len(n.rows[t]))] {
		if x.inRow(f, t, row, nil) != nil {
			return true
		}
	}
	return false
}

// read takes a text apart.
func (x *evidence) read(text string) *document {
	d := &document{text: text, mentions: x.names.find(text), known: x.labels}
	d.mentions = slices.DeleteFunc(d.mentions,
		func(m mention) bool { return m.name.claims && !quoted(text, m.start, m.end) })
	s := &scanner{text: text, l: x.l, years: x.years}
	for _, m := range d.mentions {
		s.taken = append(s.taken, m.span)
	}
	s.scan()
	d.figures, d.dates = s.found, s.dates
	d.lay()
	return d
}

// person takes the numbers of what the person said. One without a unit may be said back as money only when it is no
// small number.
func (x *evidence) person(text string) {
	s := &scanner{text: text, l: x.l, years: x.years}
	s.scan()
	for _, f := range s.found {
		for _, r := range f.readings {
			x.said = append(x.said, fact{value: r.value, kind: f.kind, currency: f.currency, noun: f.noun, exact: true,
				place: place{FromPerson, -1, "", -1}})
		}
	}
}

// arguments takes the numbers a tool was asked for. They can be said back as how many were asked for, as days and as
// percent: never as money or goods, because the one who writes the answer chose them.
func (x *evidence) arguments(arguments json.RawMessage) {
	var v any
	d := json.NewDecoder(strings.NewReader(string(arguments)))
	d.UseNumber()
	if len(arguments) == 0 || d.Decode(&v) != nil {
		return
	}
	var walk func(v any)
	walk = func(v any) {
		switch v := v.(type) {
		case map[string]any:
			for _, inner := range v {
				walk(inner)
			}
		case []any:
			for _, inner := range v {
				walk(inner)
			}
		case json.Number:
			if n, err := decimal.Parse(v.String()); err == nil {
				for _, k := range []kind{top, days, percent} {
					x.asked = append(x.asked,
						fact{value: n, kind: k, exact: true, place: place{FromArgument, -1, "", -1}})
				}
			}
		}
	}
	walk(v)
}

// plainWording makes sentences comparable: without markup, with single spaces.
func plainWording(text string) string {
	var b strings.Builder
	space := false
	for _, r := range text {
		switch {
		case r == '*' || r == '_' || r == '`' || r == '\\':
			continue
		case unicode.IsSpace(r):
			space = b.Len() > 0
			continue
		}
		if space {
			b.WriteByte(' ')
			space = false
		}
		b.WriteRune(r)
	}
	return b.String()
}
