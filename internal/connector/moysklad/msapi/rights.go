package msapi

import (
	"maps"
	"slices"
	"strings"
)

// View says whose objects of a kind an employee sees.
type View string

// The view levels. What is not ViewAll makes totals depend on who asks (fact M90).
const (
	ViewNone           View = "" // no right: the key is absent
	ViewOwn            View = "OWN"
	ViewOwnShared      View = "OWN_SHARED"
	ViewOwnGroup       View = "OWN_GROUP"
	ViewOwnGroupShared View = "OWN_GROUP_SHARED"
	ViewAll            View = "ALL"
)

// Rights are what decides how much an employee sees. An administrator has all of them, whether or not his answer
// lists the newer keys.
type Rights struct {
	Admin     bool
	Cost      bool // cost, purchase price and profit of goods (Видеть себестоимость, цену закупки и прибыль товаров)
	Profit    bool // the profitability report (Прибыльность)
	Stock     bool // the stock report (Остатки)
	Money     bool // money balances (Видеть остатки денег)
	Dashboard bool // indicators (Показатели)
	CashFlow  bool // cash flow (Движение денежных средств)
	CRM       bool // indicators of counterparties (Показатели контрагентов)

	views map[string]View
}

// kinds maps the documentation's names of entity rights to those of its sample, which live answers follow
// (fact M89).
var kinds = map[string]string{"good": "product", "company": "counterparty", "warehouse": "store",
	"mycompany": "organization"}

// View returns the view level of an entity type, e.g. "customerorder".
func (r Rights) View(entity string) View {
	v := r.views[strings.ToLower(entity)]
	if v == ViewNone && r.Admin {
		return ViewAll
	}
	return v
}

// Partial lists those of the entity types that the employee sees in part only, in alphabetical order.
func (r Rights) Partial(entities ...string) []string {
	var partial []string
	for _, e := range entities {
		if r.View(e) != ViewAll {
			partial = append(partial, e)
		}
	}
	slices.Sort(partial)
	return partial
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
		if p.View == "NO" {
			continue
		}
		r.views[key] = p.View
	}
	has := func(key string) bool { return r.views[key] != ViewNone || r.Admin }
	r.Admin = has("admin")
	r.Cost, r.Profit, r.Stock = has("viewproductcostandprofit"), has("pnl"), has("stock")
	r.Money, r.Dashboard, r.CashFlow = has("dashboardmoney"), has("dashboard"), has("viewcashflow")
	r.CRM = has("company_crm")
	return r
}
