package msapi

import (
	"maps"
	"slices"
	"strings"
)

// View is whose objects of a kind an employee sees.
type View string

// The lowest and highest view. With any view but ViewAll, totals depend on who asks (fact M90).
const (
	ViewNone View = "" // no right: the key is missing
	ViewAll  View = "ALL"
)

// Rights are the views of an employee by kind of object. An administrator sees everything, even if the response does
// not list the newer keys.
type Rights struct{ views map[string]View }

// kinds maps the documented names of entity rights to those of the documentation's sample, which the real API uses
// (fact M89).
var kinds = map[string]string{"good": "product", "company": "counterparty", "warehouse": "store",
	"mycompany": "organization"}

// View returns the view of an entity type, e.g. "customerorder".
func (r Rights) View(entity string) View {
	v := r.views[strings.ToLower(entity)]
	if v == ViewNone && r.views["admin"] != ViewNone {
		return ViewAll
	}
	return v
}

// Keys lists the rights by their API names in alphabetical order, as a connection stores them.
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
