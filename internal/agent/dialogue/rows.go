package dialogue

import (
	"slices"
	"strings"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/language"
	"github.com/stockhand/stockhand/internal/language/refer"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/tool"
	"github.com/stockhand/stockhand/internal/words"
)

// mostRows is how many rows of a table a task may refer to.
const mostRows = 5000

// RowsOf returns what the rows of a table are about, so that a task can refer to them (rule R291); nil if they are
// about nothing that has an ID. r is the reading that led to the table.
func RowsOf(id string, t tool.Table, r *language.Reading) (*refer.Rows, error) {
	if strings.HasSuffix(t.Tool, "_"+string(language.Product)) ||
		strings.HasSuffix(t.Tool, "_"+string(language.Counterparty)) {
		return cardOf(id, t)
	}
	dimension, column := about(t, r)
	if column < 0 {
		return nil, nil
	}
	name := slices.IndexFunc(t.Columns, func(c tool.Column) bool { return c.Name == dimension })
	if name < 0 {
		name = slices.IndexFunc(t.Columns, func(c tool.Column) bool {
			return c.Unit == tool.UnitText && c.Name != tool.PartColumn
		})
	}
	rows := &refer.Rows{Result: id, Dimension: dimension,
		Newest: strings.HasSuffix(t.Tool, "_"+string(language.Documents))}
	for page, err := range t.Pages {
		if err != nil {
			return nil, err
		}
		for _, row := range page {
			if len(rows.IDs) == mostRows {
				return nil, nil
			}
			if t.Parts != nil && row[column].IsEmpty() {
				continue
			}
			rows.IDs = append(rows.IDs, row[column].Text())
			rows.Names = append(rows.Names, row[name].Text())
		}
	}
	return rows, nil
}

// GoodsOf returns the goods of a draft that waits, so that a task can refer to them: "сколько их на складе" (rule
// R1061); nil if there are none.
func GoodsOf(d *tool.Draft) *refer.Rows {
	rows := &refer.Rows{Dimension: "product", Draft: true}
	for i := range d.Documents {
		doc := &d.Documents[i]
		if doc.State != stockhand.DocumentPending {
			continue
		}
		for j := range doc.Lines {
			if good := doc.Lines[j].Product; good.ID != "" && !slices.Contains(rows.IDs, good.ID) {
				rows.IDs, rows.Names = append(rows.IDs, good.ID), append(rows.Names, good.Name)
			}
		}
	}
	if len(rows.IDs) == 0 || len(rows.IDs) > mostRows {
		return nil
	}
	return rows
}

// Among returns the goods of a draft if a task means them by a word such as "их", and other rows otherwise: a row by
// its place is one of a table.
func Among(task string, goods, others *refer.Rows) *refer.Rows {
	refs := goods.Refer(token.Split(task))
	elsewhere := func(r refer.Reference) bool { return r.Placed || len(r.Rows) == 0 }
	if len(refs) == 0 || slices.ContainsFunc(refs, elsewhere) {
		return others
	}
	return goods
}

// DaysOf returns the days that a table shows, in its order; nil if its rows are no days.
func DaysOf(t tool.Table, r *language.Reading) ([]tool.Day, error) {
	if r == nil || r.Query == nil || !slices.Equal(r.Query.By, []string{"day"}) {
		return nil, nil
	}
	column := slices.IndexFunc(t.Columns, func(c tool.Column) bool { return c.Name == "day" })
	if column < 0 {
		return nil, nil
	}
	var days []tool.Day
	for page, err := range t.Pages {
		if err != nil {
			return nil, err
		}
		for _, row := range page {
			days = append(days, tool.Day(row[column].Text()))
		}
	}
	return days, nil
}

// Shown are the rows of a table, and the reading that led to it.
type Shown struct {
	Rows    *refer.Rows
	Reading *language.Reading
}

// Meant returns the rows that a task refers to: of the last table, unless only an earlier one has such rows. "And the
// second one?" after the card of the first is about the list. "They" are what the last question was about, whatever
// rows its answer has.
func Meant(task string, tables []Shown) *refer.Rows {
	ts := token.Split(task)
	placed := func(r refer.Reference) bool { return r.Placed }
	if rows := another(ts, tables); rows != nil {
		return rows
	}
	for i, t := range tables {
		rows := t.Rows
		refs := rows.Refer(ts)
		if len(refs) == 0 && len(rows.IDs) == 0 && i+1 < len(tables) { // "он" is no word for nothing
			refs = tables[i+1].Rows.Refer(ts)
		}
		if i == 0 && len(refs) > 0 && !slices.ContainsFunc(refs, func(r refer.Reference) bool { return !r.Ambiguous }) {
			if x := TheOne(t.Reading); x != nil && x.Dimension != rows.Dimension {
				return x
			}
		}
		if len(refs) > 0 && !slices.ContainsFunc(refs, placed) {
			for _, earlier := range tables[i+1:] {
				if rows.Dimension == "product" && earlier.Rows.Dimension == "group" {
					continue // "на них цены" after the goods of one group means those goods
				}
				if rows.Dimension == earlier.Rows.Dimension && chooses(t.Reading) {
					continue
				}
				if x := subset(earlier.Rows, t.Reading); x != nil {
					return x
				}
			}
		}
		if len(rows.IDs) == 0 && slices.ContainsFunc(refs, placed) {
			continue
		}
		if len(refs) > 0 && !slices.ContainsFunc(refs, func(r refer.Reference) bool { return len(r.Rows) == 0 }) {
			return rows
		}
		if len(refs) > 0 && len(rows.IDs) == 0 { // of nothing, and not of what was shown before
			return rows
		}
	}
	if len(tables) == 0 {
		return nil
	}
	return tables[0].Rows
}

// another returns the table of which a message names another row: "а второй?" after what the first of the customers
// bought is the second customer, and no row of what the first one bought. It returns nil for any other message.
func another(ts []token.Token, tables []Shown) *refer.Rows {
	if len(tables) < 2 || tables[0].Reading == nil {
		return nil
	}
	refs := tables[0].Rows.Refer(ts)
	if len(refs) != 1 || !refs[0].Placed {
		return nil
	}
	for i, t := range ts {
		if !slices.Contains(refs[0].At, i) && t.Kind != token.Mark && !leadsToAnother[t.Norm] {
			return nil
		}
	}
	before := tables[1].Rows.Refer(token.Split(tables[0].Reading.Task))
	if len(before) != 1 || !before[0].Placed || len(before[0].Rows) != 1 ||
		tables[0].Rows.Dimension == tables[1].Rows.Dimension {
		return nil
	}
	return tables[1].Rows
}

var leadsToAnother = words.Set("а и у для по теперь and the what about of for now")

// TheOne returns the one customer, supplier or employee that a question was about: "he" after what Kuznetsov bought is
// Kuznetsov, and none of the goods. It returns nil if there is none, or if there are several.
func TheOne(r *language.Reading) *refer.Rows {
	if r == nil || r.Query == nil {
		return nil
	}
	var x *refer.Rows
	for _, w := range r.Query.Where {
		if !slices.Contains([]string{"counterparty", "supplier", "employee"}, w.Field) || w.Op != analysis.In {
			continue
		}
		if x != nil || len(w.Values) != 1 {
			return nil
		}
		x = &refer.Rows{Dimension: w.Field, IDs: []string{string(w.Values[0])}, Names: []string{string(w.Values[0])}}
	}
	return x
}

// dimensionsOfTools are what the rows of a tool's table are about, if it has a column of IDs without a name of its own.
var dimensionsOfTools = map[language.Skill]string{
	language.Stock: "product", language.StockByStore: "product", language.Shortages: "product",
	language.StockAge: "product", language.Turnover: "product", language.ABCXYZ: "product",
	language.FindProducts: "product", language.Receivables: "counterparty", language.OverdueOrders: "document",
	language.Documents: "document",
}

// dimensionsOfLists are what the rows of a list of the account's names are about.
var dimensionsOfLists = map[string]string{string(connector.NameStore): "store",
	string(connector.NameSupplier):     "supplier",
	string(connector.NameCounterparty): "counterparty", string(connector.NameGroup): "group",
	string(connector.NameEmployee): "employee", string(connector.NameSalesChannel): "sales_channel",
	string(connector.NameOrganization): "legal_entity"}

// about returns what the rows of a table are about, and the column with their IDs; −1 for none.
func about(t tool.Table, r *language.Reading) (dimension string, column int) {
	at := func(name string) int {
		return slices.IndexFunc(t.Columns, func(c tool.Column) bool { return c.Name == name && !c.Hidden })
	}
	if i := at("id"); i >= 0 {
		_, skill, _ := strings.Cut(t.Tool, "_")
		dimension := dimensionsOfTools[language.Skill(skill)]
		if r != nil && language.Skill(skill) == r.Skill {
			switch r.Skill {
			case language.Profitability:
				if dimension = r.Arguments.By; dimension == "" {
					dimension = "product"
				}
			case language.Reference:
				dimension = dimensionsOfLists[r.Arguments.Kind]
			}
		}
		if dimension == "" {
			return "", -1
		}
		return dimension, i
	}
	if i := at("product_id"); i >= 0 {
		return "product", i
	}
	for i, c := range t.Columns {
		if name, ok := strings.CutSuffix(c.Name, "_id"); ok && !c.Hidden {
			return name, i
		}
	}
	return "", -1
}

// unquoted returns a name without the quotes around it, and with those inside as they are written in the account: of
// «ООО „Альфа“», ООО «Альфа».
func unquoted(s string) string {
	for _, q := range [][2]string{{"«", "»"}, {"“", "”"}} {
		if in, ok := strings.CutPrefix(s, q[0]); ok {
			if in, ok = strings.CutSuffix(in, q[1]); ok && q[0] == "«" {
				return insideQuotes.Replace(in)
			} else if ok {
				return in
			}
		}
	}
	return strings.Trim(s, "«»“”")
}

// insideQuotes writes the quotes of a name as they are without other quotes around it.
var insideQuotes = strings.NewReplacer("„", "«", "“", "»")

// cardOf returns the one thing that a card is about.
func cardOf(id string, t tool.Table) (*refer.Rows, error) {
	_, dimension, _ := strings.Cut(t.Tool, "_")
	rows := &refer.Rows{Result: id, Dimension: dimension}
	name, value := slices.IndexFunc(t.Columns, func(c tool.Column) bool { return c.Name == "name" }),
		slices.IndexFunc(t.Columns, func(c tool.Column) bool { return c.Name == "value" })
	if name < 0 || value < 0 {
		return nil, nil
	}
	for page, err := range t.Pages {
		if err != nil {
			return nil, err
		}
		for _, row := range page {
			if row[name].Text() == "ID" && len(rows.IDs) == 0 {
				rows.IDs = []string{row[value].Text()}
			}
		}
	}
	if len(rows.IDs) == 0 {
		return nil, nil
	}
	title := t.Title
	if i := strings.IndexAny(title, "«“"); i >= 0 {
		title = unquoted(title[i:])
	}
	rows.Names = []string{title}
	return rows, nil
}
