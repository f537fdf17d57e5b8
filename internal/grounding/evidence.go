package grounding

import (
	"slices"
	"strings"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/grounding/prose"
	"github.com/stockhand/stockhand/internal/tool"
)

// fact is a number that a tool returned or was asked for, or that the person said.
type fact struct {
	value    decimal.Decimal
	kind     kind
	currency string
	noun     string
	exact    bool        // must be repeated as it is, without rounding
	measures []columnRef // of a number in a sentence: the columns whose words are beside it
	location
}

// location is where a fact comes from.
type location struct {
	origin Origin
	table  int // index of the table; −1 for none
	column string
	row    int // −1 for none
}

// columnRef identifies a column of a source.
type columnRef struct{ table, column int }

// source is a table and the sentences about it.
type source struct {
	id       string
	columns  []tool.Column
	roles    []role
	rows     rows
	totals   tool.Row
	wording  []wording
	parts    []tool.Part
	coverage []string // notices about the share of revenue whose cost is known
	draft    bool
	noun     string // what its rows are counted as; empty for lines and goods
	tool     string
	filters  []string     // the names to which the result is restricted, as words
	period   *tool.Period // nil for figures of now
	other    *tool.Period // the period of comparison
}

// wording is a sentence that a tool wrote.
type wording struct {
	text  string
	plain string // normalized for comparison
	owner string // title of the document that it is about; empty when it is about the whole
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

// evidence is what a text is checked against, indexed.
type evidence struct {
	l       stockhand.Language
	sources []source
	names   *nameIndex
	labels  map[string][]columnRef // columns by their label
	words   map[string][]columnRef // columns by the beginnings of the words of their labels
	global  []fact
	said    []fact
	asked   []fact
	days    map[string]map[int][]int
	years   [2]int
	today   tool.Day // the last day on which data was read
	groups  map[groupKey][]fact

	fits func(*figure, fact) bool // nil while the evidence is read

	compared  string // the text that comparing was computed for
	comparing map[prose.Span]bool
}

func newEvidence(text string, l stockhand.Language, e Evidence) *evidence {
	x := &evidence{l: l, names: newNameIndex(), labels: map[string][]columnRef{}, words: map[string][]columnRef{},
		days: map[string]map[int][]int{}, groups: map[groupKey][]fact{}}
	for _, s := range e.Sources {
		x.addSource(s)
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
		x.singles(t)
		for _, w := range x.sources[t].wording {
			x.sentence(t, w.text)
		}
	}
	for _, s := range e.Sources {
		x.arguments(s.Arguments)
	}
	for _, message := range e.Messages {
		x.person(message)
	}
	return x
}

// addSource turns what a tool returned into tables.
func (x *evidence) addSource(s Source) {
	switch {
	case s.Result != nil:
		r := s.Result
		x.period(r.Provenance)
		x.sources = append(x.sources, source{id: s.ID, columns: r.Columns, rows: rows{all: r.Rows, pages: s.Pages},
			totals: r.Totals, parts: r.Parts, tool: r.Tool, filters: filtersOf(s.Arguments),
			period: r.Provenance.Period, other: otherPeriod(s.Arguments),
			wording: wordings("", append(notices(r.Notices), r.Answer, r.Title, r.Provenance.Method)...)})
		for _, n := range r.Notices {
			if n.Code == tool.NoticeCostPartial {
				s := &x.sources[len(x.sources)-1]
				s.coverage = append(s.coverage, n.Message)
			}
		}
		x.count(len(x.sources)-1, x.sources[len(x.sources)-1].rows.count(), "")
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

// documents makes one table of all lines of a draft. A document's supplier and warehouses are columns of it, so that
// the lines of a supplier can be added up.
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
				location: location{FromTotal, at, "sum", -1}})
		}
		x.count(at, len(d.Lines), "lines")
		lines, _ := d.Ordered()
		for i, l := range lines {
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
			s.rows.all = append(s.rows.all, row)
		}
	}
	for i := range s.rows.all {
		for len(s.rows.all[i]) < len(s.columns) {
			s.rows.all[i] = append(s.rows.all[i], tool.Empty)
		}
	}
	x.sources = append(x.sources, s, x.perDocument(id, documents))
	for currency, sum := range sums {
		x.global = append(x.global, fact{value: sum, kind: money, currency: currency,
			location: location{FromTotal, at, "sum", -1}})
	}
	x.count(at, len(documents), "documents")
	x.count(at, len(s.rows.all), "lines")
}

// perDocument makes a table of the documents of a draft, as the person sees it (rule R550).
func (x *evidence) perDocument(id string, documents []tool.Document) source {
	s := source{id: id, draft: true, noun: "documents", columns: []tool.Column{{Name: "document", Unit: tool.UnitText},
		{Name: "supplier", Unit: tool.UnitText}, {Name: "store", Unit: tool.UnitText},
		{Name: "target", Unit: tool.UnitText},
		{Name: "lines", Label: x.l.Pick("Строк", "Lines"), Unit: tool.UnitCount},
		{Name: "sum", Label: x.l.Pick("Сумма", "Sum"), Unit: tool.UnitMoney}}}
	for _, d := range documents {
		s.rows.all = append(s.rows.all, tool.Row{tool.TextValue(d.Title), ref(d.Supplier), ref(d.Store), ref(d.Target),
			tool.Number(decimal.FromInt(int64(len(d.Lines)))), tool.MaybeMoney(d.Total, d.Currency)})
	}
	return s
}

func ref(r *tool.Ref) tool.Value {
	if r == nil {
		return tool.Empty
	}
	return tool.TextValue(r.Name)
}

func (x *evidence) count(table, n int, noun string) {
	x.global = append(x.global, fact{value: decimal.FromInt(int64(n)), kind: count, noun: noun,
		location: location{FromCount, table, "", -1}})
}

func (x *evidence) period(p tool.Provenance) {
	at := len(x.sources)
	if p.Period != nil {
		x.global = append(x.global, fact{value: decimal.FromInt(int64(p.Period.Days())), kind: days,
			location: location{FromPeriod, at, "", -1}})
		x.year(p.Period.From.Time().Year())
		x.year(p.Period.To.Time().Year())
	}
	if !p.Read.IsZero() {
		x.year(p.Read.Year())
		x.today = max(x.today, tool.DayOf(p.Read.In(p.Zone.Location())))
	}
	x.global = append(x.global, fact{value: decimal.FromInt(int64(p.Requests)), kind: count, noun: "requests",
		location: location{FromPeriod, at, "", -1}})
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

// roleOf returns what the words of a column are to the figures of its row.
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

// index finds the rows of a table that the texts name.
func (x *evidence) index(t int) {
	s := &x.sources[t]
	s.roles = make([]role, len(s.columns))
	first := true
	for i, c := range s.columns {
		s.roles[i] = roleOf(c, first)
		if c.Unit == tool.UnitText || c.Unit == tool.UnitDate || c.Unit == tool.UnitMoment {
			first = false
		}
		label := labelKey(c.Label)
		if label != "" {
			x.labels[label] = append(x.labels[label], columnRef{t, i})
		}
		if name := labelKey(c.Name); name != "" && name != label { // what a model sees, and may repeat
			x.labels[name] = append(x.labels[name], columnRef{t, i})
		}
		for _, w := range prose.Tokens(c.Label) {
			if key := measureKey(w.Folded); key != "" {
				x.words[key] = append(x.words[key], columnRef{t, i})
			}
		}
	}
	for k := range s.rows.count() { // each once, because they may be in pages
		row := s.rows.at(k)
		for i, r := range s.roles {
			if r == nothing || i >= len(row) {
				continue
			}
			cell := row[i].Text()
			switch {
			case cell == "":
			case r == day:
				x.day(cell, t, k)
			default:
				x.names.add(cell, r, columnRef{t, i}, k)
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
