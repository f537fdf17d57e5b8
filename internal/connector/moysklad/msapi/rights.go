package msapi

import (
	"maps"
	"slices"
	"strings"
)

// View says whose objects of a kind an employee sees.
type View string

// The view levels at the two ends. What is not ViewAll makes totals depend on who asks (fact M90).
const (
	ViewNone View = "" // no right: the key is absent
	ViewAll  View = "ALL"
)

// Rights are how much of each kind of object an employee sees. An administrator sees everything, whether or not the
// answer lists the newer keys.
type Rights struct{ views map[string]View }

// kinds maps the documentation's names of entity rights to those of its sample, which live answers follow
// (fact M89).
var kinds = map[string]string{"good": "product", "company": "counterparty", "warehouse": "store",
	"mycompany": "organization"}

// View returns the view level of an entity type, e.g. "customerorder".
func (r Rights) View(entity string) View {
	v := r.views[strings.ToLower(entity)]
	if v == ViewNone && r.views["admin"] != ViewNone {
		return ViewAll
	}
	return v
}

// Keys lists the rights in the API's names, in alphabetical order, as a connection keeps them.
func (r Rights) Keys() []string { return slices.Sorted(maps.Keys(r.views)) }

func readRights(permissions map[string]struct {
	View View `json:"view"`
}) Rights {
	r := Rights{views: make(map[string]View, len(permissions))}
	for key, p := range permissions {
		key = strings.ToLower(key)
		if sample, ok := kinds[key]; ok {
			key = sample
		}
		if p.View != "NO" {
			r.views[key] = p.View
		}
	}
	return r
}
