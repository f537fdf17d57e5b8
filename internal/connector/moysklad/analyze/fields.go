package analyze

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/connector/moysklad/account"
	"github.com/stockhand/stockhand/internal/connector/moysklad/analyze/doctype"
	"github.com/stockhand/stockhand/internal/connector/moysklad/analyze/measures"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/connector/moysklad/wording"
	"github.com/stockhand/stockhand/internal/tool"
)

// The types of entities whose additional fields are dimensions, besides those of documents.
const (
	entityGood         = "product" // all kinds of goods share its fields
	entityCounterparty = "counterparty"
)

// fieldOwners lists the types of entities whose additional fields are dimensions.
func fieldOwners() []string {
	owners := []string{entityGood, entityCounterparty}
	for _, k := range doctype.All {
		for _, t := range k {
			owners = append(owners, t.Name)
		}
	}
	return owners
}

// fieldName is the name of the dimension of an additional field: "product.attribute:" and its ID. A query may also use
// the field's own name in quotes, as in product."Brand".
func fieldName(owner string, id msapi.ID) string { return owner + ".attribute:" + string(id) }

// fieldOf splits the name of a dimension. The field's own name is empty if its ID is given. The owner is empty for
// dimensions that are not additional fields.
func fieldOf(dimension string) (owner, id, name string) {
	owner, rest, dotted := strings.Cut(dimension, ".")
	if !dotted || !slices.Contains(fieldOwners(), owner) {
		return "", "", ""
	}
	if id, ok := strings.CutPrefix(rest, "attribute:"); ok {
		return owner, strings.ToLower(id), ""
	}
	if len(rest) > 1 && rest[0] == '"' && rest[len(rest)-1] == '"' {
		return owner, "", rest[1 : len(rest)-1]
	}
	return owner, "", rest
}

// isOfGoods reports whether a dimension is a property of goods, so that the lines of documents are needed.
func isOfGoods(dimension string) bool {
	return slices.Contains(measures.OfGoods, dimension) || isClassOfGoods(dimension) ||
		strings.HasPrefix(dimension, entityGood+".")
}

// isOfAgent reports whether a dimension is a property of the counterparty. Facts carry the counterparty in its place
// until [call.named] replaces it.
func isOfAgent(dimension string) bool {
	return dimension == measures.DimTag || strings.HasPrefix(dimension, entityCounterparty+".")
}

// FullCatalogue returns what can be asked of an account, with its additional fields. Those that the employee may not
// see are left out. It takes a request for each type of entity whose fields are not cached.
func FullCatalogue(ctx context.Context, a *account.Account) (*analysis.Catalogue, error) {
	fields := map[string][]msapi.AttributeDefinition{}
	for _, owner := range fieldOwners() {
		list, err := a.AttributeList(ctx, owner)
		if err != nil && !msapi.IsForbidden(err) && !msapi.IsTariff(err) {
			return nil, err
		}
		fields[owner] = list
	}
	return withFields(fields), nil
}

// withFields returns a copy of the catalogue with the additional fields of types of entities.
func withFields(fields map[string][]msapi.AttributeDefinition) *analysis.Catalogue {
	all := *measures.Catalogue
	full := &all
	full.Measures, full.Dimensions = slices.Clone(full.Measures), slices.Clone(full.Dimensions)
	for _, owner := range fieldOwners() {
		for _, a := range fields[owner] {
			if a.Type == msapi.AttributeFile {
				continue
			}
			d := analysis.Dimension{Name: fieldName(owner, a.ID), Title: words(a.Name, a.Name),
				Words: measures.Called([]string{a.Name}, a.Name), Type: valueType(a.Type)}
			full.Dimensions = append(full.Dimensions, d)
			for i := range full.Measures {
				if m := &full.Measures[i]; allowsFields(m, owner) {
					m.Over = append(slices.Clip(m.Over), d.Name)
				}
			}
		}
	}
	return full
}

// allowsFields reports whether a measure can be broken down by the additional fields of a type of entity: those of
// goods and counterparties go with the measures that these go with, those of documents with what is read from them.
func allowsFields(m *analysis.Measure, owner string) bool {
	switch owner {
	case entityGood:
		return slices.Contains(m.Over, measures.DimProduct)
	case entityCounterparty:
		return slices.Contains(m.Over, measures.DimCounterparty)
	}
	of := func(t doctype.Type) bool { return t.Name == owner && t.Has(m.Bases) }
	return slices.Contains(m.Over, measures.DimDocument) &&
		slices.ContainsFunc(doctype.All, func(k doctype.Kind) bool { return slices.ContainsFunc(k, of) })
}

func valueType(t msapi.AttributeType) analysis.ValueType {
	switch t {
	case msapi.AttributeLong, msapi.AttributeDouble:
		return analysis.Number
	case msapi.AttributeFlag:
		return analysis.Flag
	case msapi.AttributeTime:
		return analysis.Date
	case msapi.AttributeString, msapi.AttributeText, msapi.AttributeURL, msapi.AttributeFile:
	}
	return analysis.Text
}

// extend sets the catalogue that the query is checked against. It reads the additional fields of the types of entities
// that the query names fields of, and replaces their own names in the query by those of the dimensions.
func (c *call) extend(ctx context.Context, q *analysis.Query) error {
	fields := map[string][]msapi.AttributeDefinition{}
	q.By, q.Where, q.Order = slices.Clone(q.By), slices.Clone(q.Where), slices.Clone(q.Order)
	var names []*string
	for i := range q.By {
		names = append(names, &q.By[i])
	}
	for i := range q.Where {
		names = append(names, &q.Where[i].Field)
	}
	for i := range q.Order {
		names = append(names, &q.Order[i].Field)
	}
	for _, name := range names {
		owner, id, own := fieldOf(*name)
		if owner == "" {
			continue
		}
		list, err := c.AttributeList(ctx, owner)
		if err != nil {
			return err
		}
		fields[owner] = list
		found, err := c.findField(owner, id, own, list)
		if err != nil {
			return err
		}
		*name = fieldName(owner, found)
	}
	c.catalogue = withFields(fields)
	if c.preset { // the tool has its own measures and bounds its own arguments
		c.catalogue.Measures = append(c.catalogue.Measures, c.own...)
		c.catalogue.MaxValues = math.MaxInt
	}
	var err error
	if c.AddOwn != nil && !c.preset {
		if c.catalogue, err = c.AddOwn(ctx, c.catalogue); err != nil {
			return err
		}
	}
	c.catalogue, err = c.catalogue.Define(q.Define)
	return err
}

// findField returns the ID of an additional field by its ID or its own name.
func (c *call) findField(owner, id, own string, list []msapi.AttributeDefinition) (msapi.ID, error) {
	var found []msapi.ID
	var possible []string
	for _, a := range list {
		if string(a.ID) == id || own != "" && wording.Fold(a.Name) == wording.Fold(own) {
			found = append(found, a.ID)
		}
		possible = append(possible, fmt.Sprintf(`%s."%s"`, owner, a.Name))
	}
	if len(found) == 1 {
		return found[0], nil
	}
	message := c.Pick("нет такого дополнительного поля", "there is no such additional field")
	if len(found) > 1 {
		message = c.Pick("так называются несколько полей, назовите одно по ID из каталога",
			"several fields have this name, name one by its ID from the catalogue")
	}
	if len(possible) > 0 {
		message += c.Pick("; есть: ", "; there are: ") + strings.Join(possible[:min(len(possible), 20)], ", ")
	}
	return "", account.Invalid("by", message)
}

// fieldKey returns the value of an additional field among those of an object; the zero Key if it is not filled.
func (c *call) fieldKey(dimension string, values []msapi.AttributeValue) analysis.Key {
	_, id, _ := fieldOf(dimension)
	i := slices.IndexFunc(values, func(v msapi.AttributeValue) bool { return string(v.Field) == id })
	if i < 0 {
		return analysis.Key{}
	}
	d, _ := c.catalogue.Dimension(dimension)
	v := values[i]
	switch {
	case d.Type == analysis.Number && v.Number.Known:
		return plainKey(v.Number.String())
	case d.Type == analysis.Flag:
		return plainKey(fmt.Sprint(v.Flag))
	case d.Type == analysis.Date && !v.Time.IsZero():
		return plainKey(string(tool.DayOf(v.Time.In(msapi.Moscow))))
	case v.Link.ID != "":
		return analysis.Key{ID: string(v.Link.ID), Name: v.Link.Name}
	}
	return plainKey(v.Text)
}

// plainKey is the key of a value that is not an object.
func plainKey(text string) analysis.Key { return analysis.Key{ID: text, Name: text} }

// nameAgents replaces counterparties by what they are in a dimension that is a property of theirs.
func (c *call) nameAgents(ctx context.Context, field string, at int, facts []analysis.Fact) error {
	wanted := map[string]bool{}
	for _, f := range facts {
		if id := f.Keys[at].ID; id != "" {
			wanted[id] = true
		}
	}
	agents, err := c.agents(ctx, wanted)
	if err != nil {
		return err
	}
	for _, f := range facts {
		f.Keys[at] = c.agentKey(field, agents[f.Keys[at].ID])
	}
	return nil
}

// agentKey returns what a counterparty is in a dimension.
func (c *call) agentKey(field string, x msapi.Counterparty) analysis.Key {
	if field == measures.DimTag {
		return tagKey(x.Tags)
	}
	return c.fieldKey(field, x.Attributes)
}

// fewAgents is how many counterparties are read by their IDs, about a hundred per request, before the list of all of
// them, a thousand per request, is read and cached.
const fewAgents = 100

// agents returns counterparties by ID.
func (c *call) agents(ctx context.Context, wanted map[string]bool) (map[string]msapi.Counterparty, error) {
	found := make(map[string]msapi.Counterparty, len(wanted))
	list, cached := c.KnownCounterparties()
	if !cached && len(wanted) > fewAgents {
		var err error
		if list, err = c.CounterpartyList(ctx); err != nil {
			return nil, err
		}
	}
	for _, x := range list {
		found[string(x.ID)] = x
	}
	query := msapi.ListQuery{IDs: []msapi.ID{}, Archived: msapi.ArchivedAlso}
	for id := range wanted {
		if _, ok := found[id]; !ok {
			query.IDs = append(query.IDs, msapi.ID(id))
		}
	}
	slices.Sort(query.IDs)
	return found, account.Each(c.Call, c.Reader.Counterparties(ctx, query),
		func(x msapi.Counterparty) { found[string(x.ID)] = x })
}
