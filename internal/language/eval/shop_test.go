package eval

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode"

	"github.com/stockhand/stockhand/internal/sandbox/company"
)

// directory knows the names of the demo's account.
type directory struct {
	names    map[string]string          // by ID
	products map[string]string          // folded name, article or code: the product of which it is one
	all      []string                   // names of products, bundles and services
	inside   map[string]string          // a warehouse: the one that it is in
	aliases  map[string]map[string]bool // a product: the folded names of its variants
}

var demoShop = sync.OnceValue(func() *directory {
	c := company.New(company.Options{Seed: 1, Now: unseenDay.Time().Add(9 * time.Hour), Products: 300}).Catalogue()
	d := &directory{names: map[string]string{}, inside: map[string]string{}, products: map[string]string{},
		aliases: map[string]map[string]bool{}}
	for _, x := range c.Stores {
		d.names[string(x.ID)] = x.Name
		if x.Parent != nil {
			d.inside[x.Name] = x.Parent.Name
		}
	}
	for _, x := range c.Folders {
		d.names[string(x.ID)] = x.Name
	}
	for _, x := range c.Counterparties {
		d.names[string(x.ID)] = x.Name
	}
	for _, x := range c.Employees {
		d.names[string(x.ID)] = x.ShortName
	}
	for _, x := range c.Organizations {
		d.names[string(x.ID)] = x.Name
	}
	for _, x := range c.SalesChannels {
		d.names[string(x.ID)] = x.Name
	}
	for _, x := range c.PriceTypes {
		d.names[string(x.ID)] = x.Name
	}
	for _, x := range c.ExpenseItems {
		d.names[string(x.ID)] = x.Name
	}
	for _, x := range c.Projects {
		d.names[string(x.ID)] = x.Name
	}
	for _, x := range c.Goods {
		d.names[string(x.ID)], d.names[string(x.InterfaceID)] = x.Name, x.Name
		name := x.Name
		d.all = append(d.all, name)
		d.aliases[fold(name)] = map[string]bool{fold(name): true}
		if x.Product != nil {
			d.aliases[fold(x.Product.Name)][fold(name)] = true
		}
		for _, key := range []string{x.Name, x.Article, x.Code} {
			if key != "" {
				d.products[fold(key)] = name
			}
		}
	}
	return d
})

// name returns the name that a value of an argument stands for.
func (d *directory) name(value string) string {
	if name, ok := d.names[value]; ok {
		return name
	}
	return value
}

// goods returns the products that a value means: a name, an article, a code, or words of names.
func (d *directory) goods(value string) []string {
	value = fold(d.name(value))
	if name, ok := d.products[value]; ok {
		return []string{name}
	}
	return d.matching(value)
}

// matching returns the products that have all words in their names, in any inflection.
func (d *directory) matching(words string) []string {
	var list []string
	for _, name := range d.all {
		if matches(name, words) {
			list = append(list, name)
		}
	}
	return list
}

func matches(name, words string) bool {
	of := strings.Fields(fold(name))
	for _, w := range strings.Fields(fold(words)) {
		stem := stemOf(w)
		if !slices.ContainsFunc(of, func(n string) bool {
			return strings.HasPrefix(n, stem) && len([]rune(n)) <= len([]rune(stem))+4
		}) {
			return false
		}
	}
	return words != ""
}

// stemOf cuts the end of a word that inflection changes.
func stemOf(word string) string {
	r := []rune(word)
	switch {
	case len(r) < 4 || !unicode.IsLetter(r[0]):
		return word
	case len(r) == 4:
		return string(r[:3])
	}
	return string(r[:len(r)-2])
}

// covers reports whether goods are all of a product and its variants, or that product itself.
func (d *directory) covers(list []string, product string) bool {
	variants := 0
	for _, x := range list {
		switch {
		case fold(x) == fold(product):
			return true
		case d.aliases[fold(product)][fold(x)]:
			variants++
		}
	}
	return variants > 0 && variants == len(d.aliases[fold(product)])-1
}

// fold writes a name so that spellings of it are equal.
func fold(s string) string {
	return strings.Join(strings.FieldsFunc(strings.ReplaceAll(strings.ToLower(s), "ё", "е"), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '×'
	}), " ")
}

func values(v any) []string {
	switch v := v.(type) {
	case nil:
		return nil
	case []any:
		var list []string
		for _, x := range v {
			list = append(list, text(x))
		}
		return list
	default:
		return []string{text(v)}
	}
}

func text(v any) string {
	if v == nil {
		return ""
	}
	return fmt.Sprint(v)
}

func encode(v any) string {
	b, _ := json.Marshal(v)
	return string(b)
}

func sortedKeys(m map[string]any) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
