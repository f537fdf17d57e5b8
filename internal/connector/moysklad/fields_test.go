package moysklad

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/sandbox"
	"github.com/stockhand/stockhand/internal/sandbox/company"
	"github.com/stockhand/stockhand/internal/tool"
)

// addFields adds the additional fields of an object to the oracle's keys, by the names of their dimensions.
func addFields(keys map[string]string, owner string, values []company.AttributeValue) {
	for _, v := range values {
		value := v.Text
		switch v.Type {
		case "long", "double":
			value = v.Number.Decimal().String()
		case "boolean":
			value = fmt.Sprint(v.Flag)
		case "time":
			value = string(tool.DayOf(v.Time.In(msapi.Moscow)))
		case company.DirectoryType:
			value = string(v.Element())
		}
		keys[owner+".attribute:"+string(v.ID)] = value
	}
}

// The additional fields of goods, counterparties and documents are dimensions: the catalogue lists them, and a query
// names them by their ID or their own name.
func TestAdditionalFieldsAreDimensions(t *testing.T) { // rule R220
	s := openShop(t, sandbox.Options{})
	a := s.owner(t)
	full, err := a.Catalogue(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	for owner, list := range s.company.Catalogue().Attributes {
		for _, x := range list {
			d, ok := full.Dimension(owner + ".attribute:" + string(x.ID))
			if !ok || d.Title.RU != x.Name {
				t.Errorf("%s %q: %v %v", owner, x.Name, d, ok)
			}
		}
	}
	facts := rawFacts(s.company)
	const dates = `"from":"2026-10-01","to":"2026-10-31"`
	for query, keep := range map[string]func(rawFact) bool{
		`"by":["product.\"бренд\""]`: func(rawFact) bool { return true },
		`"by":["product.\"Бренд\""],"where":[{"field":"product.\"Срок годности, дней\"","op":">=","values":[30]}]`: between(
			s.company, "product", "Срок годности, дней", 30),
		`"by":["counterparty.\"Источник\""],"where":[{"field":"product.\"Хрупкий\"","op":"=","values":["да"]}]`: is(
			s.company, "product", "Хрупкий", "true"),
	} {
		r := callTool(t, a, "moysklad_analyze", `{"measures":["sales"],`+query+`,`+dates+`}`)
		want := oracle(slices.DeleteFunc(slices.Clone(facts), func(f rawFact) bool {
			return f.day < "2026-10-01" || f.day > "2026-10-31" || !keep(f)
		}), nil, nil, "product")[""]
		wantEqual(t, query, number(t, r, r.Totals, "sales"), want.sales)
		if len(r.Rows) == 0 || r.Columns[0].Label != "Бренд" && r.Columns[0].Label != "Источник" {
			t.Errorf("%s: %d rows by %q", query, len(r.Rows), r.Columns[0].Label)
		}
	}
	for _, of := range []string{"stock", "income", "profit"} { // from reports, which have no fields
		r := callTool(t, a, "moysklad_analyze", `{"measures":["`+of+`"],"by":["product.\"Бренд\""],`+dates+`}`)
		if len(r.Rows) < 5 {
			t.Errorf("%s by brand: %d rows", of, len(r.Rows))
		}
	}
	for _, wrong := range []string{`"by":["product.\"Цвет\""]`, `"by":["product.attribute:0"]`,
		`"by":["move.\"Водитель\""]`, `"by":["purchaseorder.\"Номер заявки\""]`,
		`"where":[{"field":"product.\"Бренд\"","op":">","values":["1"]}]`,
		`"where":[{"field":"product.\"Жирность, %\"","op":"=","values":["мало"]}]`,
		`"where":[{"field":"product.\"Сертификат до\"","op":">","values":["31.12.2026"]}]`} {
		_, err := tryTool(a, "moysklad_analyze", `{"measures":["sales"],`+wrong+`}`, tool.Env{Now: noon})
		if stockhand.CodeOf(err) != stockhand.CodeValidation {
			t.Errorf("%s: %v", wrong, err)
		}
	}
	_, err = tryTool(a, "moysklad_analyze", `{"measures":["sales"],"by":["product.Цвет"]}`, tool.Env{Now: noon})
	if err == nil || !strings.Contains(err.Error(), `product."Бренд"`) {
		t.Errorf("the error names no fields: %v", err)
	}
}

// The definitions of fields are read once for each type of entity that a query names, and not for other queries.
func TestAdditionalFieldsAreReadWhenAQueryNamesThem(t *testing.T) { // rule R220
	a := openShop(t, sandbox.Options{}).owner(t)
	definitions := func(r *tool.Result) (n int) {
		for _, from := range r.Provenance.Sources {
			if strings.HasSuffix(from.Path, "/metadata/attributes") {
				n += from.Requests
			}
		}
		return n
	}
	named := `{"measures":["orders"],"by":["customerorder.\"Курьер\"","counterparty.\"Источник\""],` + inOctober + `}`
	for i, want := range []int{0, 2, 0} { // without fields, with those of two types, and with the same again
		query := `{"measures":["orders"],"by":["counterparty"],` + inOctober + `}`
		if i > 0 {
			query = named
		}
		if n := definitions(callTool(t, a, "moysklad_analyze", query)); n != want {
			t.Errorf("query %d: %d requests for definitions, want %d", i, n, want)
		}
	}
}

func fieldNamed(c *company.Company, owner, name string) string {
	list := c.Catalogue().Attributes[owner]
	i := slices.IndexFunc(list, func(a *company.Attribute) bool { return a.Name == name })
	return owner + ".attribute:" + string(list[i].ID)
}

func is(c *company.Company, owner, name, value string) func(rawFact) bool {
	field := fieldNamed(c, owner, name)
	return func(f rawFact) bool { return f.keys[field] == value }
}

func between(c *company.Company, owner, name string, least int) func(rawFact) bool {
	field := fieldNamed(c, owner, name)
	return func(f rawFact) bool {
		var n int
		_, err := fmt.Sscan(f.keys[field], &n)
		return err == nil && n >= least
	}
}
