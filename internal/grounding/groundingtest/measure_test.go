package groundingtest

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/grounding"
	"github.com/stockhand/stockhand/internal/tool"
)

// claim is one figure of a row that an answer may state.
type claim struct {
	result   *tool.Result
	l        stockhand.Language
	row      int
	column   int
	value    decimal.Decimal
	currency string
}

func (c claim) unit() tool.Unit { return c.result.Columns[c.column].Unit }
func (c claim) name() string    { return c.result.Rows[c.row][0].Text() }

// plain formats the value as tables do.
func (c claim) plain(value decimal.Decimal) string {
	v := tool.Number(value)
	if c.unit() == tool.UnitMoney {
		v = tool.Money(value, c.currency)
	}
	text := v.Format(c.unit(), c.l)
	switch c.unit() {
	case tool.UnitQuantity:
		text += c.l.Pick(" шт.", " pcs")
	case tool.UnitDays:
		text += c.l.Pick(" дн.", " days")
	case tool.UnitText, tool.UnitMoney, tool.UnitCount, tool.UnitPercent, tool.UnitDate, tool.UnitMoment:
	}
	return text
}

// styles are the formats in which a model may state a figure.
var styles = map[string]func(c claim, name, figure string) string{
	"list": func(c claim, name, figure string) string { return "- **" + name + "** — " + figure + "\n" },
	"prose": func(c claim, name, figure string) string {
		return c.l.Pick("Больше всех выделяется «", "The one that stands out is “") + name + c.l.Pick("»: ", "”: ") +
			figure + "."
	},
	"label": func(c claim, name, figure string) string { return name + ". " + c.label() + ": " + figure },
	"table": func(c claim, name, figure string) string {
		return "| " + c.l.Pick("Название", "Name") + " | " + c.label() + " |\n|---|---:|\n| " + name + " | " + figure +
			" |\n"
	},
	"other heading": func(c claim, name, figure string) string {
		return "| № | " + c.l.Pick("Что", "What") + " | " + c.l.Pick("Число", "Number") + " |\n|---|---|---:|\n| 1 | " +
			name + " | " + figure + " |\n"
	},
	"section": func(c claim, name, figure string) string {
		return "### " + name + "\n\n- " + c.label() + ": " + figure + "\n"
	},
}

func (c claim) label() string { return c.result.Columns[c.column].Label }

// claims picks figures from random rows whose name contains letters.
func claims(t *testing.T) (list []claim, sources map[*tool.Result]grounding.Source) {
	sources = map[*tool.Result]grounding.Source{}
	random := rand.New(rand.NewPCG(1, 2))
	for _, a := range sandboxCalls(t) {
		r := a.result
		if r == nil || a.employee != "owner" || len(r.Rows) < 2 || r.Columns[0].Unit != tool.UnitText {
			continue
		}
		sources[r] = a.source()
		for _, row := range random.Perm(len(r.Rows))[:1] {
			for i, v := range r.Rows[row] {
				if d, ok := v.Decimal(); ok && !r.Columns[i].Hidden && letters(r.Rows[row][0].Text()) {
					list = append(list, claim{r, a.language, row, i, d, v.Currency()})
				}
			}
		}
	}
	return list, sources
}

func letters(name string) bool {
	return strings.ContainsFunc(name, func(r rune) bool { return r > '9' })
}

// tally counts checked figures and wrong verdicts.
type tally struct{ all, wrong int }

func (x tally) String() string {
	if x.all == 0 {
		return "none"
	}
	return fmt.Sprintf("%d of %d (%.2f %%)", x.wrong, x.all, 100*float64(x.wrong)/float64(x.all))
}

func counts(m map[string]*tally, key string) *tally {
	if m[key] == nil {
		m[key] = &tally{}
	}
	return m[key]
}

func report(t *testing.T, title string, m map[string]*tally) (sum tally) {
	for _, k := range slices.Sorted(maps.Keys(m)) {
		t.Logf("%s, %s: %s", title, k, m[k])
		sum.all += m[k].all
		sum.wrong += m[k].wrong
	}
	t.Logf("%s, all: %s", title, sum)
	return sum
}

func TestTrueFiguresAreNotMarkedHoweverTheyAreWritten(t *testing.T) {
	list, sources := claims(t)
	alarms := map[string]*tally{}
	shown := 0
	for _, c := range list {
		e := grounding.Evidence{Sources: []grounding.Source{sources[c.result]}}
		written := map[string]string{"as in the table": c.plain(c.value)}
		if c.unit() == tool.UnitMoney {
			rounded := tool.FormatQuantity(c.value.Round(0), c.l) + " " + c.l.Pick("руб.", "RUB")
			if !c.value.Round(0).IsZero() && (c.currency == "RUB" || c.currency == "") {
				written["whole roubles"] = rounded
			}
			if c.value.Abs().Cmp(decimal.FromInt(1000)) >= 0 {
				written["thousands"] = tool.FormatQuantity(c.value.Div(decimal.FromInt(1000)).Round(1), c.l) +
					c.l.Pick(" тыс.", "k")
			}
		}
		for style, write := range styles {
			for form, figure := range written {
				text := write(c, c.name(), figure)
				x := counts(alarms, form+", "+style)
				x.all++
				if checked := grounding.Check(text, c.l, e); len(checked.Unmatched) > 0 {
					x.wrong++
					if shown++; shown <= 15 {
						t.Logf("marked: %s %s: %s", c.result.Tool, c.label(), checked.Text)
					}
				}
			}
		}
	}
	if sum := report(t, "true figures marked", alarms); sum.wrong*100 > sum.all {
		t.Errorf("%s of the true figures were marked", sum)
	}
}

// mutations produce false claims. They return false if the mutated claim would happen to be true.
var mutations = map[string]func(c claim, r *rand.Rand) (name, figure string, ok bool){
	"a digit changed": func(c claim, r *rand.Rand) (string, string, bool) {
		figure := []byte(c.plain(c.value))
		var digits []int
		for i, b := range figure {
			if b >= '0' && b <= '9' {
				digits = append(digits, i)
			}
		}
		if len(digits) == 0 {
			return "", "", false
		}
		at := digits[r.IntN(len(digits))]
		figure[at] = '0' + (figure[at]-'0'+byte(1+r.IntN(9)))%10
		if at == digits[0] && figure[at] == '0' && len(digits) > 1 {
			return "", "", false
		}
		return c.name(), string(figure), true
	},
	"another row's": func(c claim, r *rand.Rand) (string, string, bool) {
		other := c.result.Rows[r.IntN(len(c.result.Rows))]
		for _, row := range c.result.Rows { // skip if a row of that name has the same value
			if row[0].Text() == other[0].Text() &&
				row[c.column].Format(c.unit(), c.l) == c.result.Rows[c.row][c.column].Format(c.unit(), c.l) {
				return "", "", false
			}
		}
		return other[0].Text(), c.plain(c.value), letters(other[0].Text())
	},
	"percent for money": func(c claim, _ *rand.Rand) (string, string, bool) {
		return c.name(), tool.Number(c.value).Format(tool.UnitPercent, c.l), c.unit() == tool.UnitMoney
	},
	"money for a quantity": func(c claim, _ *rand.Rand) (string, string, bool) {
		return c.name(), tool.FormatMoney(c.value, "RUB", c.l), c.unit() == tool.UnitQuantity && !c.value.IsZero()
	},
	"kopecks for roubles": func(c claim, _ *rand.Rand) (string, string, bool) {
		return c.name(), tool.FormatMoney(c.value.Mul(decimal.Hundred), c.currency, c.l), c.unit() == tool.UnitMoney &&
			!c.value.IsZero()
	},
	"the total at a name": func(c claim, _ *rand.Rand) (string, string, bool) {
		if c.result.Totals == nil {
			return "", "", false
		}
		total, ok := c.result.Totals[c.column].Decimal()
		return c.name(), c.plain(total), ok && total.Cmp(c.value) != 0
	},
	"another column's": func(c claim, r *rand.Rand) (string, string, bool) {
		for _, i := range r.Perm(len(c.result.Columns)) {
			v, ok := c.result.Rows[c.row][i].Decimal()
			if ok && c.result.Columns[i].Unit == c.unit() && v.Round(2).Cmp(c.value.Round(2)) != 0 {
				return c.name(), c.plain(v), true
			}
		}
		return "", "", false
	},
}

// byChance reports whether a mutated claim is true: a row of that name has the figure, in the claim's column if named.
func (c claim) byChance(name, figure string, named bool) bool {
	for _, row := range c.result.Rows {
		if row[0].Text() != name {
			continue
		}
		for i, v := range row {
			d, ok := v.Decimal()
			if !ok || i != c.column && named {
				continue
			}
			own := claim{result: c.result, l: c.l, column: i, currency: v.Currency()}
			for places := range 4 { // a rounded figure is true as well
				if own.plain(d.Round(places)) == figure {
					return true
				}
			}
		}
	}
	return false
}

func TestFalseFiguresAreMarked(t *testing.T) {
	list, sources := claims(t)
	r := rand.New(rand.NewPCG(3, 4))
	undetected, byUnit := map[string]*tally{}, map[string]*tally{}
	shown := map[string]int{}
	for _, c := range list {
		e := grounding.Evidence{Sources: []grounding.Source{sources[c.result]}}
		for _, mutation := range slices.Sorted(maps.Keys(mutations)) { // sorted, to make runs reproducible
			name, figure, ok := mutations[mutation](c, r)
			if !ok {
				continue
			}
			for style, write := range styles {
				if mutation == "another column's" && style != "table" && style != "label" && style != "section" {
					continue // these styles do not name the column
				}
				if c.byChance(name, figure, style == "table" || style == "label" || style == "section") {
					continue
				}
				x := counts(undetected, mutation+", "+style)
				y := counts(byUnit, string(c.unit())+", "+mutation)
				x.all++
				y.all++
				if checked := grounding.Check(write(c, name, figure), c.l, e); len(checked.Unmatched) == 0 {
					x.wrong++
					y.wrong++
					if shown[mutation]++; shown[mutation] <= 6 {
						t.Logf("not detected (%s): %s: %s %+v", mutation, c.result.Tool, write(c, name, figure),
							checked.Matched)
					}
				}
			}
		}
	}
	report(t, "by unit", byUnit)
	if sum := report(t, "false figures not marked", undetected); sum.wrong*100 > 3*sum.all {
		t.Errorf("%s of the false figures were not marked", sum)
	}
}

func TestFalseFiguresWithoutANameAreMarked(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	undetected, anywhere := map[string]*tally{}, map[string]*tally{}
	for _, a := range sandboxCalls(t) {
		if a.result == nil || len(a.result.Rows) < 20 || a.employee != "owner" {
			continue
		}
		cells := map[string]bool{} // numbers that a scan of all cells would find
		for _, row := range a.result.Rows {
			for i, v := range row {
				if d, ok := v.Decimal(); ok {
					cells[string(a.result.Columns[i].Unit)+d.Round(1).String()] = true
				}
			}
		}
		e := grounding.Evidence{Sources: []grounding.Source{a.source()}}
		try := func(kind string, unit tool.Unit, value decimal.Decimal, text string) {
			x, y := counts(undetected, kind), counts(anywhere, kind)
			x.all++
			y.all++
			if c := grounding.Check(text, a.language, e); len(c.Unmatched) == 0 {
				x.wrong++
			}
			if cells[string(unit)+value.Round(1).String()] {
				y.wrong++
			}
		}
		for range 40 {
			n := decimal.FromInt(2 + r.Int64N(98))
			if n.Cmp(decimal.FromInt(int64(len(a.result.Rows)))) == 0 {
				continue
			}
			try("pieces up to 100", tool.UnitQuantity, n,
				a.language.Pick("Осталось "+n.String()+" шт.", n.String()+" pcs are left."))
			try("goods up to 100", tool.UnitQuantity, n,
				a.language.Pick("Заканчивается "+n.String()+" товаров.", n.String()+" goods are running out."))
			try("whole percent", tool.UnitPercent, n,
				a.language.Pick("Это "+n.String()+" %.", "That is "+n.String()+"%."))
			m := decimal.FromInt(100 + r.Int64N(99_900))
			try("roubles up to 100,000", tool.UnitMoney, m,
				a.language.Pick("Это "+m.String()+" ₽.", "That is "+m.String()+" RUB."))
		}
	}
	report(t, "false figures without a name not marked", undetected)
	if sum := report(t, "the same with a scan of all cells", anywhere); sum.all == 0 {
		t.Error("no figures were checked")
	}
	if x := undetected["roubles up to 100,000"]; x.wrong*100 > x.all {
		t.Errorf("%s of false amounts were not marked", x)
	}
}
