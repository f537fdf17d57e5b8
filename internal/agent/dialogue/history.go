package dialogue

import (
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/language"
	"github.com/stockhand/stockhand/internal/language/refer"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// headings are those of the columns that say what the rows of an answer are about.
var headings = map[string]string{"товар": "product", "item": "product", "product": "product",
	"контрагент": "counterparty", "counterparty": "counterparty", "покупатель": "counterparty",
	"customer":  "counterparty",
	"поставщик": "supplier", "supplier": "supplier", "склад": "store", "warehouse": "store", "группа": "group",
	"group": "group", "сотрудник": "employee", "employee": "employee", "канал продаж": "sales_channel",
	"sales channel": "sales_channel"}

// RowsFromText reads what the rows of the table in an answer are about, which a caller keeps (rule R291); nil for none.
// The rows are known by their names. Those that the answer did not show are not known.
func RowsFromText(task, answer string) *refer.Rows {
	var rows *refer.Rows
	for line := range strings.Lines(answer) {
		line = strings.TrimSpace(line)
		first, isRow := strings.CutPrefix(line, "| ")
		first, _, _ = strings.Cut(first, " | ")
		first = strings.TrimSpace(strings.ReplaceAll(strings.TrimSuffix(first, "|"), "\\", ""))
		switch {
		case rows == nil && isRow:
			dimension := headings[strings.ToLower(first)]
			if dimension == "" {
				return nil
			}
			rows = &refer.Rows{Dimension: dimension, Top: AsksForTop(task)}
		case rows == nil, line == "", strings.HasPrefix(first, "---"), strings.HasPrefix(first, "**"):
		case isRow:
			rows.IDs, rows.Names = append(rows.IDs, first), append(rows.Names, first)
		case strings.HasPrefix(line, "… и ещё строк") || strings.HasPrefix(line, "… and "):
			rows.More = true
		}
	}
	return rows
}

var (
	topWords = words.Set("больше дольше дороже дешевле раньше позже лучше чаще меньше хуже реже самый самая самое " +
		"лучший лучшая лучшее худший худшая сильнее крупнейший крупнейшая главный главная топовый наибольший " +
		"наименьший biggest largest best most worst top least longest cheapest dearest oldest")
	// oneThing are words for a single row: "best customer", "самый крупный поставщик".
	oneThing = words.Set("клиент покупатель поставщик товар сотрудник продавец должник склад магазин группа категория " +
		"позиция канал customer client supplier vendor product item seller employee manager debtor warehouse store shop " +
		"group category channel")
	// "а худший?", "а меньше всего"
	topOnes    = words.Set("худший худшая лучший лучшая best worst")
	ofAll      = words.Set("всего всех")
	topOfWords = words.Set("кто кому кого какой какая какое чей где where who whom which what")
)

// AsksForTop reports whether a task asks for the one that is first: "кто должен больше всех", "who is the biggest",
// "кто дольше всех не платит" (rule R1242).
func AsksForTop(task string) bool {
	ts := token.Split(task)
	has := func(set map[string]bool) bool {
		return slices.ContainsFunc(ts, func(t token.Token) bool { return t.Kind != token.Quoted && set[t.Norm] })
	}
	const few = 3
	return has(topWords) && (has(topOfWords) || has(oneThing)) ||
		len(ts) <= few && (has(topOnes) || has(topWords) && has(ofAll))
}

// subset returns the rows of an earlier table to which the question behind a later table was limited: "сколько их
// продали" keeps "их" what it was, whatever rows the answer has. It returns nil if the question named none of them.
func subset(earlier *refer.Rows, r *language.Reading) *refer.Rows {
	if r == nil {
		return nil
	}
	var only []string
	switch {
	case r.Query != nil:
		for _, w := range r.Query.Where {
			if w.Field == earlier.Dimension && w.Op == "in" {
				for _, v := range w.Values {
					only = append(only, string(v))
				}
			}
		}
	case earlier.Dimension == "product":
		only = r.Arguments.Products
	case earlier.Dimension == "counterparty":
		only = r.Arguments.Counterparties
	}
	x := &refer.Rows{Result: earlier.Result, Dimension: earlier.Dimension}
	seen := map[string]bool{}
	for i, id := range earlier.IDs {
		if id != "" && !seen[id] && (slices.Contains(only, id) || slices.Contains(only, earlier.Names[i])) {
			seen[id] = true
			x.IDs, x.Names = append(x.IDs, id), append(x.Names, earlier.Names[i])
		}
	}
	if len(x.IDs) == 0 || len(x.IDs) != len(only) {
		return nil
	}
	x.Part = slices.ContainsFunc(earlier.IDs, func(id string) bool { return !seen[id] })
	return x
}

// chooses reports whether a question picked some of what it named, by a figure or as the first ones: after "что из них
// есть на остатке", "они" are only those that have stock (rule R860).
func chooses(r *language.Reading) bool {
	if r == nil || r.Query == nil {
		return false
	}
	return r.Query.Limit > 0 || slices.ContainsFunc(r.Query.Where, func(w analysis.Condition) bool {
		return w.Op != analysis.In && w.Op != analysis.NotIn
	})
}
