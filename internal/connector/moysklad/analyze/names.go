package analyze

import (
	"context"
	"slices"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/connector/moysklad/account"
	"github.com/stockhand/stockhand/internal/connector/moysklad/analyze/measures"
	"github.com/stockhand/stockhand/internal/connector/moysklad/analyze/values"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
)

// value is a value of a dimension in a list of names.
type value struct {
	id     msapi.ID
	names  []string // the first is for display
	parent msapi.ID
	unsaid bool // a variant whose product was named
}

// list reads the values of a dimension; ok is false for one whose values have no list of their own.
func (c *call) list(ctx context.Context, dimension string) (list []value, ok bool, err error) {
	switch dimension {
	case measures.DimStore:
		list, err := c.EveryStore(ctx)
		return valuesOf(list, func(x msapi.Store) value {
			names := []string{x.Name, x.Code, account.JoinPath(x.PathName, x.Name)}
			return value{id: x.ID, names: names, parent: x.Parent.ID}
		}), true, err
	case measures.DimGroup:
		list, err := c.FolderList(ctx)
		return valuesOf(list, func(x msapi.Folder) value {
			return value{id: x.ID, names: []string{x.Name, x.Code, x.Path()}, parent: x.Parent.ID}
		}), true, err
	case measures.DimEmployee:
		list, err := c.EmployeeList(ctx)
		return valuesOf(list, func(x msapi.Colleague) value {
			return value{id: x.ID, names: []string{x.Name, x.FullName, x.UID}}
		}), true, err
	case measures.DimChannel:
		list, err := c.ChannelList(ctx)
		return valuesOf(list, func(x msapi.SalesChannel) value { return plain(x.Named) }), true, err
	case measures.DimLegalEntity:
		list, err := c.OrganizationList(ctx)
		return valuesOf(list, func(x msapi.Organization) value {
			return value{id: x.ID, names: []string{x.Name, x.Code, x.LegalTitle}}
		}), true, err
	case measures.DimPriceType:
		list, err := c.PriceTypeList(ctx)
		return valuesOf(list, func(x msapi.PriceType) value { return value{id: x.ID, names: []string{x.Name}} }), true,
			err
	case measures.DimCountry:
		list, err := c.CountryList(ctx)
		return valuesOf(list, plain), true, err
	case measures.DimProject:
		list, err := c.ProjectList(ctx)
		return valuesOf(list, plain), true, err
	case measures.DimContract:
		list, err := c.ContractList(ctx)
		return valuesOf(list, plain), true, err
	case measures.DimExpenseItem:
		list, err := c.ExpenseItemList(ctx)
		return valuesOf(list, plain), true, err
	case measures.DimCurrency:
		list, err := c.CurrencyList(ctx)
		return valuesOf(list, func(x msapi.Currency) value {
			return value{id: x.ID, names: []string{x.ISO, x.Name, x.FullName}}
		}), true, err
	case measures.DimState, measures.DimAccount:
		list, err := c.listOfDocuments(ctx, dimension)
		return list, true, err
	}
	return nil, false, nil
}

func plain(x msapi.Named) value { return value{id: x.ID, names: []string{x.Name, x.Code}} }

func valuesOf[T any](list []T, of func(T) value) []value {
	all := make([]value, len(list))
	for i, x := range list {
		all[i] = of(x)
	}
	return all
}

// resolve finds the IDs of the names in conditions. An unknown name is an error that lists similar ones.
func (c *call) resolve(ctx context.Context) error {
	for i := range c.plan.Facts {
		f := &c.plan.Facts[i]
		if closed, err := c.closed(ctx, f); closed || err != nil {
			if err != nil {
				return err
			}
			continue
		}
		switch f.Op {
		case analysis.Equal, analysis.NotEqual, analysis.In, analysis.NotIn:
		default:
			continue
		}
		given := make([]string, len(f.Values))
		for j, v := range f.Values {
			given[j] = string(v)
		}
		found, err := c.valuesByName(ctx, f.Field, given)
		if err != nil {
			return err
		}
		if found == nil { // compared with keys as they are: articles, barcodes, additional fields
			continue
		}
		f.IDs = map[string]bool{}
		for _, v := range found {
			if f.IDs[string(v.id)] = true; !v.unsaid {
				f.Named = append(f.Named, v.names[0])
			}
		}
		if f.Field == measures.DimStore {
			if err := c.addNestedStores(ctx, f.IDs); err != nil {
				return err
			}
		}
	}
	return nil
}

// addNestedStores adds the warehouses below those of a condition: documents name the warehouse itself, so a filter by
// its parent would leave them out.
func (c *call) addNestedStores(ctx context.Context, ids map[string]bool) error {
	list, err := c.EveryStore(ctx)
	if err != nil {
		return err
	}
	for grown := true; grown; {
		grown = false
		for _, s := range list {
			if ids[string(s.Parent.ID)] && !ids[string(s.ID)] {
				ids[string(s.ID)], grown = true, true
			}
		}
	}
	return nil
}

func (c *call) valuesByName(ctx context.Context, dimension string, given []string) ([]value, error) {
	switch dimension {
	case measures.DimCounterparty, measures.DimSupplier:
		refs, err := c.FindCounterparties(ctx, dimension, given)
		return valuesOf(refs, valueOfRef), err
	case measures.DimProduct, measures.DimVariant:
		var known []value
		for _, g := range given {
			if id, ok := msapi.ParseID(g); ok && c.found[id].ID != "" {
				known = append(known, valueOfRef(c.found[id]))
			}
		}
		if len(known) == len(given) {
			return known, nil
		}
		filter, err := c.Narrow(ctx, nil, account.GoodsArgs{Products: given})
		if c.found == nil {
			c.found = map[msapi.ID]msapi.Ref{}
		}
		for _, r := range filter.Goods {
			c.found[r.ID] = r
		}
		named := filter.Named()
		return valuesOf(filter.Goods, func(r msapi.Ref) value {
			v := valueOfRef(r)
			v.unsaid = !slices.Contains(named, r)
			return v
		}), err
	}
	list, ok, err := c.list(ctx, dimension)
	if !ok || err != nil {
		return nil, err
	}
	if dimension == measures.DimCurrency {
		given = values.Currencies(given)
	}
	return account.Match(c.Call, dimension, given, list, func(v value) (msapi.ID, []string) { return v.id, v.names })
}

func valueOfRef(r msapi.Ref) value { return value{id: r.ID, names: []string{r.Name}} }

// idsOf returns the IDs that conditions restrict a dimension to, for the server's own filter; nil for none. Values of a
// nested dimension include those below them.
func (c *call) idsOf(dimension string) []msapi.ID {
	var ids []msapi.ID
	for _, f := range c.plan.Facts {
		if f.Field != dimension || f.IDs == nil || f.Op != analysis.Equal && f.Op != analysis.In {
			continue
		}
		var these []msapi.ID
		for id := range f.IDs {
			these = append(these, msapi.ID(id))
		}
		if ids != nil {
			these = slices.DeleteFunc(these, func(id msapi.ID) bool { return !slices.Contains(ids, id) })
		}
		ids = these
	}
	slices.Sort(ids)
	return ids
}

// named fills the names and parents of the keys.
func (c *call) named(ctx context.Context, facts []analysis.Fact) error {
	for i, field := range c.fields {
		if err := c.nameField(ctx, field, i, facts); err != nil {
			return err
		}
	}
	return nil
}

func (c *call) nameField(ctx context.Context, field string, at int, facts []analysis.Fact) error {
	if isOfAgent(field) {
		return c.nameAgents(ctx, field, at, facts)
	}
	if field == measures.DimCounterparty || field == measures.DimSupplier {
		if !c.showsNames(field) {
			return nil
		}
		return c.nameCounterparties(ctx, at, facts)
	}
	list, ok, err := c.list(ctx, field)
	if msapi.IsForbidden(err) {
		c.nameless[field] = account.SectionOf(err)
		return nil
	}
	if !ok || err != nil {
		return err
	}
	known := make(map[string]value, len(list))
	for _, v := range list {
		known[string(v.id)] = v
	}
	for _, f := range facts {
		k := &f.Keys[at]
		v, ok := known[k.ID]
		if !ok {
			continue
		}
		k.Name = v.names[0]
		for up := v.parent; up != ""; up = known[string(up)].parent {
			k.Parents = append(k.Parents, string(up))
		}
	}
	return nil
}

// showsNames reports whether rows show the names of a dimension, or conditions test them.
func (c *call) showsNames(field string) bool {
	return slices.Contains(c.plan.By, field) || slices.ContainsFunc(c.plan.Facts,
		func(f analysis.Filter) bool { return f.Field == field && f.IDs == nil })
}

// nameCounterparties reads the counterparties that the facts name: those alone, or all that are cached.
func (c *call) nameCounterparties(ctx context.Context, at int, facts []analysis.Fact) error {
	found := map[string]string{}
	list, _ := c.KnownCounterparties()
	for _, x := range list {
		found[string(x.ID)] = x.Name
	}
	wanted := map[string]bool{}
	for _, f := range facts {
		if k := f.Keys[at]; k.ID != "" && k.Name == "" && found[k.ID] == "" {
			wanted[k.ID] = true
		}
	}
	if len(wanted) > 0 {
		query := msapi.ListQuery{Archived: msapi.ArchivedAlso}
		for id := range wanted {
			query.IDs = append(query.IDs, msapi.ID(id))
		}
		slices.Sort(query.IDs)
		err := account.Each(c.Call, c.Reader.Counterparties(ctx, query),
			func(x msapi.Counterparty) { found[string(x.ID)] = x.Name })
		if msapi.IsForbidden(err) {
			c.nameless[c.fields[at]] = account.SectionOf(err)
		} else if err != nil {
			return err
		}
	}
	for _, f := range facts {
		if k := &f.Keys[at]; k.Name == "" {
			k.Name = found[k.ID]
		}
	}
	return c.nameOwn(ctx, at, facts)
}
