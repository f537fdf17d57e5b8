// Package lookup contains the tool that lists single fields of goods, counterparties and documents, for what no other
// tool answers.
package lookup

import (
	"context"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/connector/moysklad/account"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/tool"
)

type input struct {
	Entity string      `json:"entity" jsonschema:"of documents.kinds, or product, variant, bundle, service, counterparty"`
	Filter []condition `json:"filter,omitempty"`
	Fields []string    `json:"fields,omitempty" jsonschema:"an unknown one lists them"`
	Limit  *most       `json:"limit,omitempty"`
	Offset *passed     `json:"offset,omitempty"`
}

// most is how many rows to return.
type most int

// Schema bounds them.
func (most) Schema() *jsonschema.Schema { return integer("default 50, at most 200", 1, mostRows) }

// passed is how many rows to pass over.
type passed int

// Schema bounds them.
func (passed) Schema() *jsonschema.Schema { return integer("", 0, 1_000_000) }

func integer(about string, least, most float64) *jsonschema.Schema {
	return &jsonschema.Schema{Type: "integer", Minimum: &least, Maximum: &most, Description: about}
}

const (
	mostRows    = 200
	defaultRows = 50
	// pageRows is the most rows of a page whose links are written out: of longer pages the API leaves the names out
	pageRows = 100
)

// call is one call of the tool.
type call struct {
	*account.Call
	currency   string
	currencies map[msapi.ID]string
}

// Tools returns the tool, bound to an account. It has the client that reads, and no other.
func Tools(a *account.Account) []tool.Tool {
	title := text("Поля объектов", "Fields of objects")
	return []tool.Tool{tool.Read("moysklad_lookup", title,
		text("Любые поля товаров, контрагентов и документов с условиями: страница строк, как они есть в аккаунте. Итогов нет: их "+
			"считает moysklad_analyze.",
			"Fields of goods, counterparties or documents as they are: a page of rows, and their number. No "+
				"totals: analyze. Drafts are in it unless posted is true."),
		func(ctx context.Context, env tool.Env, in input) (*tool.Result, error) {
			ctx, begun := account.Begin(ctx, a, env, title)
			c := &call{Call: begun}
			e, err := entityNamed(begun, in.Entity)
			if err != nil {
				return nil, err
			}
			if err := c.answer(ctx, e, in); err != nil {
				if err = c.Refuse(err, account.SectionAt("entity/"+e.name)); err != nil {
					return nil, err
				}
			}
			return c.Finish(), nil
		}).Requires(account.NeedPurchasePrice)}
}

// answer reads the rows.
func (c *call) answer(ctx context.Context, e *entity, in input) error {
	var fields []*field
	for i := range e.fields[:e.first] {
		fields = append(fields, &e.fields[i])
	}
	if len(in.Fields) > 0 {
		fields = nil
	}
	for _, name := range in.Fields {
		f, err := e.fieldNamed(c.Call, "fields", name)
		if err != nil {
			return err
		}
		if !slices.Contains(fields, f) {
			fields = append(fields, f)
		}
	}
	filter, tests, err := c.where(ctx, e, in.Filter)
	if err != nil {
		return err
	}
	if c.currency, c.currencies, err = c.AccountCurrency(ctx); err != nil {
		return err
	}
	limit, offset := defaultRows, 0
	if in.Limit != nil {
		limit = int(*in.Limit)
	}
	if in.Offset != nil {
		offset = int(*in.Offset)
	}
	rows, size, err := c.read(ctx, e, fields, tests, filter, limit, offset)
	if err != nil {
		return err
	}
	tool.SetColumns(c.Result, c.Lang, c.columns(fields), rows)
	tool.AddRows(c.Result, c.columns(fields), rows)
	c.say(e, fields, tests, len(rows), size, offset)
	return nil
}

// read reads pages until there are as many rows as asked for. It returns how many there are.
func (c *call) read(ctx context.Context, e *entity, fields []*field, tests []test, filter msapi.Filter,
	limit, offset int) ([]row, int, error) {
	text, err := filter.Build()
	if err != nil {
		return nil, 0, account.Invalid("filter", c.Pick("эти условия вместе невозможны",
			"these conditions exclude each other")).WithHint("%v", err)
	}
	expand := links(fields)
	var rows []row
	for {
		n := min(pageRows, limit-len(rows))
		params := url.Values{"limit": {strconv.Itoa(n)}, "offset": {strconv.Itoa(offset + len(rows))}, "order": {e.order}}
		if len(expand) > 0 {
			params.Set("expand", strings.Join(expand, ","))
		}
		if text != "" {
			params.Set("filter", text)
		}
		page, err := msapi.Get[struct {
			Meta struct{ Size int }
			Rows []row
		}](ctx, c.Reader, "entity/"+e.name, params)
		if err != nil {
			return nil, 0, err
		}
		for _, r := range page.Rows {
			if f := failed(tests, r); f != nil {
				return nil, 0, stockhand.Errorf(stockhand.CodeExternalUnavailable, "%s",
					c.Pickf("МойСклад не применил условие на %s", "MoySklad did not apply the condition on %s", f.name))
			}
		}
		rows = append(rows, page.Rows...)
		if len(page.Rows) < n || len(rows) >= limit || offset+len(rows) >= page.Meta.Size {
			return rows, page.Meta.Size, nil
		}
	}
}

// failed returns the field of a condition that a row does not meet; nil for none. Several = on a field are
// alternatives.
func failed(tests []test, r row) *field {
	for _, t := range tests {
		met := t.meets(r)
		for _, other := range tests {
			met = met || t.op == "=" && other.op == "=" && other.field == t.field && other.meets(r)
		}
		if !met {
			return t.field
		}
	}
	return nil
}

// say sets the answer and the notices.
func (c *call) say(e *entity, fields []*field, tests []test, shown, size, offset int) {
	title := e.title.In(c.Lang) + c.conditions(tests)
	c.Result.Answer = c.Pickf("%s: %d.", "%s: %d.", title, size)
	if shown < size {
		c.Result.Answer = c.Pickf("%s: %d, показаны с %d по %d.", "%s: %d, rows %d to %d are shown.",
			title, size, min(offset+1, size), offset+shown)
	}
	if last := offset + shown; shown > 0 && last < size {
		c.Noticef(tool.NoticeTruncated, "Это не все строки: дальше — offset %d.",
			"These are not all rows: offset %d goes on.", last)
	}
	c.NoticePartialView(e.name, account.SectionAt("entity/"+e.name))
	if !c.Rights.Has(account.RightCost) && slices.ContainsFunc(fields, func(f *field) bool { return f.cost }) {
		c.Missing(account.SectionCost, "закупочные цены не показаны", "purchase prices are not shown")
	}
	c.Method("Строки списка «"+e.title.RU+"», как они есть в МоёмСкладе.",
		"Rows of the list “"+e.title.EN+"” as MoySklad has them.")
}
