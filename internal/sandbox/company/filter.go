package company

import (
	"strings"
)

// chooser is a Choice converted to sets.
type chooser struct {
	only, except map[ID]bool // nil: no condition
}

func (c Choice) chooser() chooser {
	var out chooser
	if c.Only != nil {
		out.only = set(c.Only)
	}
	if len(c.Except) > 0 {
		out.except = set(c.Except)
	}
	return out
}

func set(ids []ID) map[ID]bool {
	m := make(map[ID]bool, len(ids))
	for _, id := range ids {
		m[id] = true
	}
	return m
}

func (c chooser) allows(id ID) bool {
	return (c.only == nil || c.only[id]) && !c.except[id]
}

func (c chooser) all() bool { return c.only == nil && c.except == nil }

// idOf returns the id of an optional entity.
func (s *Store) idOf() ID {
	if s == nil {
		return ""
	}
	return s.ID
}

func (p *Counterparty) idOf() ID {
	if p == nil {
		return ""
	}
	return p.ID
}

func (s *SalesChannel) idOf() ID {
	if s == nil {
		return ""
	}
	return s.ID
}

func (s *RetailStore) idOf() ID {
	if s == nil {
		return ""
	}
	return s.ID
}

// goodFilter compiles a GoodFilter; nil accepts all goods.
func (c *Company) goodFilter(f GoodFilter) func(*Good) bool {
	var tests []func(*Good) bool
	add := func(t func(*Good) bool) { tests = append(tests, t) }
	switch f.Archived {
	case NotArchived:
		add(func(g *Good) bool { return !g.IsArchived() })
	case OnlyArchived:
		add((*Good).IsArchived)
	}
	if t := itemFilter(f.Products, f.Variants); t != nil {
		add(t)
	}
	if folders := c.nestedFolders(f.Folders, !f.WithoutSubfolder); !folders.all() {
		add(func(g *Good) bool {
			if folder := g.Root().Folder; folder != nil {
				return folders.allows(folder.ID)
			}
			return folders.allows("")
		})
	}
	if suppliers := f.Suppliers.chooser(); !suppliers.all() {
		add(func(g *Good) bool { return suppliers.allows(g.Root().Supplier.idOf()) })
	}
	if text := strings.ToLower(f.Search); text != "" {
		add(func(g *Good) bool { return strings.Contains(strings.ToLower(g.Name), text) })
	}
	if text := strings.ToLower(f.SearchNot); text != "" {
		add(func(g *Good) bool { return !strings.Contains(strings.ToLower(g.Name), text) })
	}
	if f.Weighed != nil {
		add(func(g *Good) bool { return g.Root().Weighed == *f.Weighed })
	}
	return func(g *Good) bool {
		for _, t := range tests {
			if !t(g) {
				return false
			}
		}
		return true
	}
}

// itemFilter combines the choices of products and variants: a good selected by either is included. Reports accept
// variants among the products.
func itemFilter(products, variants Choice) func(*Good) bool {
	p, v := products.chooser(), variants.chooser()
	if p.all() && v.all() {
		return nil
	}
	return func(g *Good) bool {
		if p.except[g.Root().ID] || p.except[g.ID] || v.except[g.ID] {
			return false
		}
		if p.only == nil && v.only == nil {
			return true
		}
		return p.only[g.Root().ID] || p.only[g.ID] || v.only[g.ID]
	}
}

// nestedFolders extends a choice of folders by nested folders.
func (c *Company) nestedFolders(choice Choice, nested bool) chooser {
	out := choice.chooser()
	if nested {
		for _, f := range c.catalogue.Folders { // parents are before children
			if f.Parent != nil {
				widen(out, f.ID, f.Parent.ID)
			}
		}
	}
	return out
}

// nestedStores extends a choice of stores by nested stores (fact M59).
func (c *Company) nestedStores(choice Choice) chooser {
	out := choice.chooser()
	for _, s := range c.catalogue.Stores {
		if s.Parent != nil {
			widen(out, s.ID, s.Parent.ID)
		}
	}
	return out
}

func widen(c chooser, child, parent ID) {
	if c.only[parent] {
		c.only[child] = true
	}
	if c.except[parent] {
		c.except[child] = true
	}
}

// columnsOf returns which columns of the ledger a choice of stores includes. Without a choice it includes all, and also
// the column for no store.
func (c *Company) columnsOf(choice Choice) []bool {
	return c.columns(c.nestedStores(choice))
}

func (c *Company) columns(stores chooser) []bool {
	out := make([]bool, c.ledger.width)
	out[0] = stores.all()
	for i, s := range c.catalogue.Stores {
		out[i+1] = stores.allows(s.ID)
	}
	return out
}

// hasTag reports whether a counterparty has one of the tags. Without tags it accepts any counterparty, or none.
func hasTag(p *Counterparty, tags []string) bool {
	if len(tags) == 0 {
		return true
	}
	if p == nil {
		return false
	}
	for _, want := range tags {
		for _, tag := range p.Tags {
			if strings.EqualFold(tag, want) {
				return true
			}
		}
	}
	return false
}
