package catalogue

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/connector/moysklad/account"
	"github.com/stockhand/stockhand/internal/connector/moysklad/analyze"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
)

// RowsOf names goods by the rows of a table: a stored result, or a query that is executed now (rule R262). Only the IDs
// of the goods are taken from it. Prices, stock and sales are read again.
type RowsOf struct {
	Result stockhand.ResultID `json:"result,omitempty" jsonschema:"res_…, rows are goods"`
	Query  *query             `json:"query,omitempty"`
	Rows   []string           `json:"rows,omitempty" jsonschema:"numbers from 1, or ids; default: all"`
	Except []string           `json:"except,omitempty"`

	among []string // the names of products that the rows are limited to
}

// RowsInQuantity also says how much of each row's good.
type RowsInQuantity struct {
	RowsOf
	Quantity *decimal.Decimal `json:"quantity,omitempty" jsonschema:"of every good"`
	Column   string           `json:"column,omitempty" jsonschema:"with quantities; both: fill up to; neither: what is short"`
}

// query is a query in the form that moysklad_analyze takes.
type query struct{ json.RawMessage }

// Schema refers to the tool that documents it, because a model pays for every copy.
func (query) Schema() *jsonschema.Schema {
	return &jsonschema.Schema{Type: "object",
		Description: "instead of result: of " + analyze.ToolName + ", by product or variant"}
}

// goodsRow is a row of the table: a good, and its quantity if there is one.
type goodsRow struct {
	id       msapi.ID
	quantity decimal.Maybe
}

// named returns the goods of the chosen rows, as they are now. It names those that are gone since the table was read.
func (r *RowsOf) named(ctx context.Context, c *account.Call, column string) ([]goodsRow, error) {
	table, err := r.table(ctx, c)
	if err != nil {
		return nil, err
	}
	all, err := goodsOf(c, table, column)
	if err != nil {
		return nil, err
	}
	if all, err = r.chosen(c, all); err != nil {
		return nil, err
	}
	among, err := r.limitedTo(ctx, c)
	if err != nil {
		return nil, err
	}
	keys := make([]msapi.Key, len(all))
	for i, x := range all {
		keys[i] = x.id.Key()
	}
	now, err := c.DescribeAll(ctx, keys)
	if err != nil {
		return nil, c.Refuse(err, account.SectionGoods)
	}
	var rows []goodsRow
	var gone, other []string
	for _, x := range all {
		switch item, there := now[x.id.Key()]; {
		case among != nil && (!there || !among[x.id.Key()] && !among[item.Product.ID.Key()]):
		case !there:
			gone = append(gone, string(x.id))
		case item.Archived:
			gone = append(gone, item.Name)
		case item.Type != "product" && item.Type != "variant":
			other = append(other, item.Name)
		default:
			rows = append(rows, x)
		}
	}
	if len(rows) == 0 {
		if len(r.among) > 0 && r.Query == nil {
			return nil, &NothingError{Text: c.Pick("названных товаров в таблице нет",
				"the table has none of the named goods")}
		}
		if len(r.among) > 0 {
			return nil, &NothingError{Text: c.Pick("под условие не подходит ни один из названных товаров",
				"none of the named goods meets the condition")}
		}
		if len(all) == 0 && r.Query != nil {
			return nil, &NothingError{Text: c.Pickf("подходящих товаров нет (%s)", "no goods fit (%s)", r.Describe(c))}
		}
		return nil, account.Invalid("rows_of", c.Pick("в этих строках нет ни одного товара",
			"none of these rows is a good"))
	}
	if len(gone) > 0 {
		c.Noticef(tool.NoticePartial, "С тех пор в архиве, удалены или скрыты, не вошли (%d): %s.",
			"Archived, deleted or hidden since, left out (%d): %s.", len(gone), c.ListNames(gone))
	}
	if len(other) > 0 {
		c.Noticef(tool.NoticePartial, "Комплекты и услуги не вошли (%d): %s.",
			"Bundles and services are left out (%d): %s.", len(other), c.ListNames(other))
	}
	if r.Result != "" {
		c.Noticef(tool.NoticeAssumption, "Товары взяты из таблицы от %s; цены, остатки и продажи прочитаны заново.",
			"The goods are from a table of %s; prices, stock and sales were read again.",
			table.Provenance.Read.In(c.Env.Clock().Location()).Format("02.01.2006 15:04"))
	}
	return rows, nil
}

// table returns the stored result, or executes the query with the same employee's rights.
func (r *RowsOf) table(ctx context.Context, c *account.Call) (tool.Table, error) {
	switch {
	case (r.Result == "") == (r.Query == nil):
		return tool.Table{}, account.Invalid("rows_of", c.Pick("нужно ровно одно из: result, query",
			"exactly one is needed of: result, query"))
	case r.Query != nil:
		env := c.Env
		env.Progress = nil
		table, err := analyze.Tools(c.Account)[0].Call(ctx, env, r.Query.RawMessage)
		if err != nil {
			return tool.Table{}, err
		}
		for _, n := range table.Notices {
			c.Notice(n.Code, n.Message, n.Message)
		}
		return table.InPages(), nil
	case c.Env.Result == nil:
		return tool.Table{}, account.Invalid("rows_of", c.Pick("здесь нет сохранённых результатов: передайте query",
			"there are no stored results here: give a query"))
	}
	table, err := c.Env.Result(ctx, r.Result)
	if err != nil {
		return table, err
	}
	if from := table.Provenance; from.Account != c.Who.Account || from.Login != c.Who.Login ||
		from.Employee != c.Who.Employee { // the caller has checked this (rule R4); a draft deserves a second look
		return table, account.Invalid("rows_of", c.Pick(
			"этот результат прочитан другим сотрудником или в другом аккаунте",
			"that result is of another employee or account"))
	}
	return table, nil
}

// goodColumns are the columns with IDs of goods, the most specific first.
var goodColumns = []string{"variant_id", "product_id", "id"}

// goodsOf returns the goods of a table's rows. A row may repeat a good.
func goodsOf(c *account.Call, table tool.Table, column string) ([]goodsRow, error) {
	at := func(name string) int {
		return slices.IndexFunc(table.Columns, func(x tool.Column) bool { return x.Name == name })
	}
	quantity := -1
	if column != "" {
		if quantity = at(column); quantity < 0 || table.Columns[quantity].Hidden {
			return nil, account.Invalid("rows_of", c.Pickf("в таблице нет столбца «%s»", "the table has no column “%s”",
				column))
		}
		if table.Columns[quantity].Unit != tool.UnitQuantity {
			var fit []string
			for _, x := range table.Columns {
				if x.Unit == tool.UnitQuantity && !x.Hidden {
					fit = append(fit, x.Name)
				}
			}
			return nil, account.Invalid("rows_of", c.Pickf("столбец «%s» — не количество товара",
				"the column “%s” is not a quantity of goods", column)).
				WithHint("%s", c.Pick("столбцы с количеством: ", "columns with a quantity: ")+strings.Join(fit, ", "))
		}
	}
	rows := make([]goodsRow, 0, table.Count)
	add := func(row tool.Row) error {
		var x goodsRow
		for _, name := range goodColumns {
			if n := at(name); n >= 0 && x.id == "" {
				x.id, _ = msapi.ParseID(row[n].Text())
			}
		}
		if x.id == "" {
			return account.Invalid("rows_of", c.Pickf(
				"строка %d таблицы — не товар: нужен разрез product или variant, либо отчёт о товарах",
				"row %d of the table is not a good: break it down by product or variant, or take a report on goods",
				len(rows)+1))
		}
		if quantity >= 0 {
			n, known := row[quantity].Decimal()
			x.quantity = decimal.Maybe{Decimal: n, Known: known}
		}
		rows = append(rows, x)
		return nil
	}
	for page, err := range table.Pages {
		if err != nil {
			return nil, err
		}
		for _, row := range page {
			if err := add(row); err != nil {
				return nil, err
			}
		}
	}
	return rows, nil
}

// chosen applies rows and except. What neither a number of a row nor a good in it fits is an error.
func (r *RowsOf) chosen(c *account.Call, all []goodsRow) ([]goodsRow, error) {
	at := map[msapi.ID][]int{}
	for i, x := range all {
		at[x.id] = append(at[x.id], i)
	}
	pick := func(names []string, of string) (map[int]bool, error) {
		set := map[int]bool{}
		for _, name := range names {
			before := len(set)
			if id, isID := msapi.ParseID(name); isID {
				for _, i := range at[id] {
					set[i] = true
				}
			} else if n, err := strconv.Atoi(name); err == nil && n > 0 && n <= len(all) {
				set[n-1] = true
			}
			if len(set) == before {
				return nil, account.Invalid("rows_of", c.Pickf("%s: строки «%s» в таблице нет или она названа дважды",
					"%s: the table has no row “%s”, or it is named twice", of, name))
			}
		}
		return set, nil
	}
	only, err := pick(r.Rows, "rows")
	if err != nil {
		return nil, err
	}
	without, err := pick(r.Except, "except")
	if err != nil {
		return nil, err
	}
	var rows []goodsRow
	for i, x := range all {
		if (r.Rows == nil || only[i]) && !without[i] {
			rows = append(rows, x)
		}
	}
	return rows, nil
}

// limitedTo returns the keys of the products that the rows are limited to; nil if they are not.
func (r *RowsOf) limitedTo(ctx context.Context, c *account.Call) (map[msapi.Key]bool, error) {
	if len(r.among) == 0 {
		return nil, nil
	}
	found, err := Find(ctx, c, r.among)
	if err != nil {
		return nil, err
	}
	keys := make(map[msapi.Key]bool, len(found))
	for i, x := range found {
		keys[x.ID.Key()] = true
		r.among[i] = x.Name
	}
	return keys, nil
}

// Narrow sets the goods of the rows as the products of a call. Products that the call names limit the rows to those
// and to their variants (rule R812).
func (r *RowsOf) Narrow(ctx context.Context, c *account.Call, g *account.GoodsArgs) error {
	r.among, g.Products = g.Products, nil
	rows, err := r.named(ctx, c, "")
	taken := make(map[msapi.ID]bool, len(rows))
	for _, x := range rows {
		if !taken[x.id] {
			taken[x.id] = true
			g.Products = append(g.Products, string(x.id))
		}
	}
	return err
}

// Items adds the rows with their quantities, or narrows g to their goods if the call says nothing about quantities.
func (r *RowsInQuantity) Items(ctx context.Context, c *account.Call, g *account.GoodsArgs, listed bool,
	add func(product string, quantity decimal.Decimal)) error {
	switch {
	case listed:
		return account.Invalid("rows_of", c.Pick("rows_of не сочетается с items", "rows_of does not go with items"))
	case r.Quantity == nil && r.Column == "":
		return r.Narrow(ctx, c, g)
	}
	r.among, g.Products = g.Products, nil
	rows, err := r.named(ctx, c, r.Column)
	none := (*NothingError)(nil)
	if r.Quantity != nil && r.Column != "" && r.Query != nil && errors.As(err, &none) {
		return r.fillEmpty(c, err, add)
	}
	if err != nil {
		return err
	}
	if r.Quantity != nil && r.Column != "" {
		return r.fillUp(c, rows, add)
	}
	skipped := 0
	taken := map[msapi.ID]bool{}
	for _, x := range rows {
		quantity := x.quantity
		if r.Quantity != nil {
			quantity = decimal.Some(*r.Quantity)
			if taken[x.id] {
				continue // the same quantity of every good, not of every row
			}
			taken[x.id] = true
		}
		if !quantity.Known || quantity.Sign() <= 0 {
			skipped++
			continue
		}
		add(string(x.id), quantity.Decimal)
	}
	if skipped > 0 {
		c.Noticef(tool.NoticePartial, "Строк без количества больше нуля: %d, они не вошли.",
			"Rows without a quantity above zero: %d, left out.", skipped)
	}
	if skipped == len(rows) {
		return account.Invalid("rows_of", c.Pick("ни в одной строке нет количества больше нуля",
			"no row has a quantity above zero"))
	}
	return nil
}

// fillUp adds what each good lacks of the quantity: there is what the column says (rule R674).
func (r *RowsInQuantity) fillUp(c *account.Call, rows []goodsRow,
	add func(product string, quantity decimal.Decimal)) error {
	var order []msapi.ID
	there := map[msapi.ID]decimal.Decimal{}
	for _, x := range rows {
		has, seen := there[x.id]
		if !seen {
			order = append(order, x.id)
		}
		if x.quantity.Known {
			has = has.Add(x.quantity.Decimal)
		}
		there[x.id] = has
	}
	enough := 0
	for _, id := range order {
		if lacks := r.Quantity.Sub(there[id]); lacks.Sign() > 0 {
			add(string(id), lacks)
		} else {
			enough++
		}
	}
	up, now := tool.FormatQuantity(*r.Quantity, c.Env.Language), ""
	if len(order) == 1 {
		now = tool.FormatQuantity(there[order[0]], c.Env.Language)
	}
	if enough == len(order) {
		return &NothingError{Text: c.Pickf("уже есть не меньше %s: с тем, что в пути, %s",
			"there are %s or more: %s with what is expected", up, now)}
	}
	if len(order) == 1 {
		c.Noticef(tool.NoticeAssumption, "До %s: доступно %s (свободно и в пути), заказано недостающее.",
			"Up to %s: %s are available (free and expected), the rest is ordered.", up, now)
		return nil
	}
	c.Noticef(tool.NoticeAssumption,
		"До %s каждого: заказано то, чего не хватает к доступному (свободно и в пути).",
		"Up to %s of each: what is missing beside what is available (free and expected) is ordered.", up)
	return nil
}

// fillEmpty adds the whole quantity of the goods that a query names, where it has no row of them: there are none.
func (r *RowsInQuantity) fillEmpty(c *account.Call, none error,
	add func(product string, quantity decimal.Decimal)) error {
	var q struct {
		Where []struct {
			Field  string
			Op     analysis.Op
			Values []analysis.Scalar
		}
	}
	if json.Unmarshal(r.Query.RawMessage, &q) != nil {
		return none
	}
	added := false
	for _, w := range q.Where {
		for _, v := range w.Values {
			if w.Field == "product" && w.Op == analysis.In {
				add(string(v), *r.Quantity)
				added = true
			}
		}
	}
	if !added {
		return none
	}
	c.Noticef(tool.NoticeAssumption, "До %s: сейчас доступно 0, заказано всё.",
		"Up to %s: none are available, all are ordered.",
		tool.FormatQuantity(*r.Quantity, c.Env.Language))
	return nil
}
