package groundingtest

import (
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"text/template"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/connector/moysklad"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/grounding"
	"github.com/stockhand/stockhand/internal/sandbox"
	"github.com/stockhand/stockhand/internal/sandbox/company"
	"github.com/stockhand/stockhand/internal/tool"
)

// asked are the tool calls behind the answers in testdata/answers.txt, by the name used there.
var asked = map[string][2]string{
	"oct":      {"profitability", `{"from":"2026-10-01","to":"2026-10-31"}`},
	"sep":      {"profitability", `{"from":"2026-09-01","to":"2026-09-30"}`},
	"instr":    {"profitability", `{"from":"2026-10-01","to":"2026-10-31","groups":["Инструмент"]}`},
	"instrsep": {"profitability", `{"from":"2026-09-01","to":"2026-09-30","groups":["Инструмент"]}`},
	"months":   {"analyze", `{"measures":["revenue","profit"],"by":["month"],"from":"2026-08-01","to":"2026-10-31"}`},
	"cmp": {"analyze", `{"measures":["revenue"],"by":["group"],"from":"2026-10-01","to":"2026-10-31",` +
		`"compare":{"from":"2026-09-01","to":"2026-09-30"}}`},
	"stores": {"analyze", `{"measures":["revenue","profit"],"by":["store"],"from":"2026-10-01","to":"2026-10-31"}`},
	"weeks":  {"sales_trend", `{"interval":"week","from":"2026-10-05","to":"2026-11-01"}`},
	"turn":   {"turnover", `{"from":"2026-10-01","to":"2026-10-31"}`},
	"stock":  {"stock", `{}`}, "debts": {"receivables", `{}`}, "late": {"overdue_orders", `{}`},
	"money": {"money", `{}`}, "age": {"stock_age", `{}`},
}

// answer is an answer that a model might give: its text, and the figures and direction words in it.
type answer struct {
	name     string
	l        stockhand.Language
	text     string
	said     []said
	turned   []turned
	evidence grounding.Evidence
}

// said is a figure of an answer.
type said struct {
	from, to int // bytes of the text
	class    grounding.Class
	places   map[string][]string // true figures of other places as they would be written here, by kind
}

// turned is a word of an answer that says a direction, with its opposite.
type turned struct {
	from, to int
	opposite string
}

// amount is a value on its way into an answer.
type amount struct {
	value    decimal.Decimal
	unit     tool.Unit
	currency string
	class    grounding.Class
	elsewhere
}

type elsewhere map[string][]amount

// writer fills in an answer's template.
type writer struct {
	*answer
	results map[string]*tool.Result
	used    []string
}

func (w *writer) result(name string) (*tool.Result, error) {
	r := w.results[name]
	if r == nil {
		return nil, fmt.Errorf("no result %q", name)
	}
	return r, nil
}

func columnOf(r *tool.Result, name string) int {
	for i, c := range r.Columns {
		if c.Name == name {
			return i
		}
	}
	return -1
}

func amountOf(r *tool.Result, row tool.Row, column int) (amount, bool) {
	if column < 0 || column >= len(row) {
		return amount{}, false
	}
	d, ok := row[column].Decimal()
	return amount{value: d, unit: r.Columns[column].Unit, currency: row[column].Currency(),
		class: grounding.ClassRead}, ok
}

// read returns a cell with the true figures that it could be mistaken for. Row −1 is the totals.
func (w *writer) read(name string, row int, column string) (amount, error) {
	r, err := w.result(name)
	if err != nil {
		return amount{}, err
	}
	cells := func(r *tool.Result) tool.Row {
		if row < 0 {
			return r.Totals
		}
		return r.Rows[row]
	}
	at := columnOf(r, column)
	a, ok := amountOf(r, cells(r), at)
	if !ok {
		return a, fmt.Errorf("%s has no %s in row %d", name, column, row)
	}
	a.elsewhere = elsewhere{}
	add := func(kind string, o amount, ok bool) {
		if ok && o.unit == a.unit && o.currency == a.currency && !o.value.IsZero() {
			a.elsewhere[kind] = append(a.elsewhere[kind], o)
		}
	}
	for i, other := range r.Rows[:min(len(r.Rows), 6)] {
		if row >= 0 && i != row {
			o, ok := amountOf(r, other, at)
			add("another row", o, ok)
		}
	}
	for i := range r.Columns {
		if i != at {
			o, ok := amountOf(r, cells(r), i)
			add("another column", o, ok)
		}
	}
	for _, n := range w.used {
		other := w.results[n]
		if n == name || other.Tool != r.Tool || asked[n][0] != asked[name][0] {
			continue
		}
		kind := "another period"
		if *other.Provenance.Period == *r.Provenance.Period {
			kind = "another scope"
		}
		if row < 0 {
			o, ok := amountOf(other, other.Totals, columnOf(other, column))
			add(kind, o, ok)
			continue
		}
		for _, cells := range other.Rows {
			if cells[0].Text() == r.Rows[row][0].Text() {
				o, ok := amountOf(other, cells, columnOf(other, column))
				add(kind, o, ok)
			}
		}
	}
	return a, nil
}

// derived returns a computed value.
func derived(like amount, unit tool.Unit, value decimal.Decimal) amount {
	return amount{value: value, unit: unit, currency: like.currency, class: grounding.ClassComputed}
}

func total(all []amount) decimal.Decimal {
	s := decimal.Zero
	for _, a := range all {
		s = s.Add(a.value)
	}
	return s
}

// put writes a figure and records it; write formats a value for its place.
func (w *writer) put(a amount, write func(amount) string) string {
	s := said{class: a.class, places: map[string][]string{}}
	text := write(a)
	for kind, others := range a.elsewhere {
		for _, o := range others {
			if other := write(o); other != text && write(amount{value: o.value.Neg(), unit: o.unit,
				currency: o.currency}) != text {
				s.places[kind] = append(s.places[kind], other)
			}
		}
	}
	w.said = append(w.said, s)
	return "\x01" + text + "\x02"
}

func (w *writer) functions() template.FuncMap {
	l := w.l
	percentOf := func(a, b decimal.Decimal) decimal.Decimal { return a.Mul(decimal.Hundred).Div(b) }
	return template.FuncMap{
		"seq": func(n int) []int {
			all := make([]int, n)
			for i := range all {
				all[i] = i
			}
			return all
		},
		"name": func(n string, row int) string { return w.results[n].Rows[row][0].Text() },
		"text": func(n string, row int, c string) string {
			r := w.results[n]
			return r.Rows[row][columnOf(r, c)].Text()
		},
		"date": func(n string, row int) string { return w.results[n].Rows[row][0].Format(tool.UnitDate, l) },
		"at":   w.read,
		"total": func(n, c string) (amount, error) {
			return w.read(n, -1, c)
		},
		"count": func(n string) amount {
			return amount{value: decimal.FromInt(int64(len(w.results[n].Rows))), unit: tool.UnitCount,
				class: grounding.ClassRead}
		},
		"wording": func(n string, _ int) amount { // the roubles of all accounts
			r := w.results[n]
			sum := decimal.Zero
			for _, row := range r.Rows {
				if v := row[columnOf(r, "balance")]; v.Currency() == "RUB" {
					d, _ := v.Decimal()
					sum = sum.Add(d)
				}
			}
			return amount{value: sum, unit: tool.UnitMoney, currency: "RUB", class: grounding.ClassRead}
		},
		"diff":  func(a, b amount) amount { return derived(a, a.unit, a.value.Sub(b.value)) },
		"sum":   func(all ...amount) amount { return derived(all[0], all[0].unit, total(all)) },
		"share": func(a, b amount) amount { return derived(a, tool.UnitPercent, percentOf(a.value, b.value)) },
		"change": func(a, b amount) amount {
			return derived(a, tool.UnitPercent, percentOf(a.value.Sub(b.value), b.value))
		},
		"ratio": func(a, b amount) amount { return derived(a, tool.UnitNumber, a.value.Div(b.value)) },
		"avg": func(all ...amount) amount {
			return derived(all[0], all[0].unit, total(all).Div(decimal.FromInt(int64(len(all)))))
		},
		"size": func(a amount) amount {
			a.value = a.value.Abs()
			for kind, others := range a.elsewhere {
				for i := range others {
					a.elsewhere[kind][i].value = others[i].value.Abs()
				}
			}
			return a
		},
		"exact": func(a amount) string {
			return w.put(a, func(a amount) string { return tool.FormatMoney(a.value, a.currency, l) })
		},
		"whole": func(a amount) string {
			return w.put(a, func(a amount) string { return tool.FormatQuantity(a.value.Round(0), l) + " ₽" })
		},
		"thousand": func(a amount) string {
			return w.put(a, func(a amount) string {
				return tool.FormatQuantity(a.value.Div(decimal.FromInt(1000)).Round(1), l) + l.Pick(" тыс. ₽", "k ₽")
			})
		},
		"percent": func(a amount) string {
			return w.put(a, func(a amount) string { return tool.Number(a.value).Format(tool.UnitPercent, l) })
		},
		"pieces": func(a amount) string {
			return w.put(a, func(a amount) string { return tool.FormatQuantity(a.value, l) + l.Pick(" шт.", " pcs") })
		},
		"plain": func(a amount) string {
			return w.put(a, func(a amount) string { return tool.FormatQuantity(a.value, l) })
		},
		"times": func(a amount) string {
			return w.put(a, func(a amount) string {
				return tool.FormatQuantity(a.value.Round(1), l) + l.Pick(" раза", " times")
			})
		},
		"est": func(number, unit string) string {
			return w.put(amount{class: grounding.ClassEstimate}, func(amount) string { return number + unit })
		},
		"updown": func(up, down string, by amount) string {
			if by.value.Sign() < 0 {
				up, down = down, up
			}
			w.turned = append(w.turned, turned{opposite: down})
			return "\x03" + up + "\x04"
		},
	}
}

// answers fills in testdata/answers.txt from a sandbox.
func answers(t *testing.T) []*answer {
	t.Helper()
	s := sandbox.New(sandbox.Options{Company: company.Options{Seed: 7, Products: 120, Days: 120}, Accounts: 1,
		NoLimits: true, Now: func() time.Time { return noon }})
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	config := connector.Config{BaseURL: server.URL + sandbox.APIPath, Token: s.Accounts()[0].Tokens.Owner}
	who, err := moysklad.Kind.Verify(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	results := map[stockhand.Language]map[string]*tool.Result{}
	for _, l := range []stockhand.Language{stockhand.Russian, stockhand.English} {
		results[l] = map[string]*tool.Result{}
		for _, tl := range moysklad.Kind.Open(config, who).Tools() {
			for name, call := range asked {
				if tl.Name != "moysklad_"+call[0] {
					continue
				}
				if results[l][name], err = tl.Call(t.Context(), tool.Env{Now: noon, Language: l},
					json.RawMessage(call[1])); err != nil {
					t.Fatal(name, err)
				}
			}
		}
	}
	data, err := os.ReadFile("testdata/answers.txt")
	if err != nil {
		t.Fatal(err)
	}
	var out []*answer
	for _, section := range strings.Split(string(data), "=== ")[1:] {
		head, body, _ := strings.Cut(section, "\n")
		about, task, _ := strings.Cut(head, " | ")
		words := strings.Fields(about)
		a := &answer{name: words[0], l: stockhand.Language(words[1])}
		w := &writer{answer: a, results: results[a.l], used: words[2:]}
		made, err := template.New(a.name).Funcs(w.functions()).Parse(body)
		if err != nil {
			t.Fatal(err)
		}
		var filled strings.Builder
		if err := made.Execute(&filled, nil); err != nil {
			t.Fatal(err)
		}
		a.place(strings.TrimSpace(filled.String()))
		a.evidence.Messages = []string{task}
		for i, name := range w.used {
			a.evidence.Sources = append(a.evidence.Sources, grounding.Source{ID: fmt.Sprint("res_", i),
				Arguments: json.RawMessage(asked[name][1]), Result: results[a.l][name]})
		}
		out = append(out, a)
	}
	return out
}

// place removes the marks around figures and direction words, and remembers where they are.
func (a *answer) place(marked string) {
	var b strings.Builder
	figure, word := 0, 0
	for _, r := range marked {
		switch r {
		case 1:
			a.said[figure].from = b.Len()
		case 2:
			a.said[figure].to = b.Len()
			figure++
		case 3:
			a.turned[word].from = b.Len()
		case 4:
			a.turned[word].to = b.Len()
			word++
		default:
			b.WriteRune(r)
		}
	}
	a.text = b.String()
}
