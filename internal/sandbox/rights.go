package sandbox

import (
	"slices"

	"github.com/stockhand/stockhand/internal/sandbox/company"
)

// right is a right that does not belong to a document type (fact M89). Its value is the name in context/employee;
// rights missing there have a name of our own in parentheses.
type right string

// Rights.
const (
	noRight       right = ""
	rightAdmin    right = "admin"
	rightCost     right = "viewProductCostAndProfit"
	rightBuyPrice right = "(buyPrice)" // see roleRights
	rightBoard    right = "dashboard"
	rightMoney    right = "dashboardMoney"
	rightProfit   right = "pnl"
	rightStock    right = "stock"
	rightTurnover right = "(turnover)" // not in context/employee
	rightCashFlow right = "viewCashFlow"
	rightCRM      right = "company_crm"
	rightAudit    right = "audit_dashboard"
)

// roleRights are the rights of each role. Where the vendor documents nothing:
//   - the storekeeper sees turnover, without its sums, which are costs;
//   - without the cost right, stock reports are known to hide purchase prices, but the catalogue may not. To test
//     clients with both cases, buyPrice is hidden everywhere for the storekeeper and visible in the catalogue for the
//     sales manager;
//   - the sales manager has no profit report, no dashboard and no short stock report.
var roleRights = map[company.Role][]right{
	company.RoleOwner: {
		rightAdmin, rightCost, rightBuyPrice, rightBoard, rightMoney, rightProfit, rightStock, rightTurnover,
		rightCashFlow, rightCRM, rightAudit,
	},
	company.RoleStorekeeper: {rightStock, rightTurnover},
	company.RoleSales:       {rightBuyPrice, rightCRM},
}

// scope is the extent of a view right.
type scope string

// Scopes that the sandbox's roles have.
const (
	scopeNone scope = "NO"
	scopeOwn  scope = "OWN"
	scopeAll  scope = "ALL"
)

// employee is an employee of an account, with rights.
type employee struct {
	*company.Employee
	account *account
}

// employee returns the first employee with a role, or nil.
func (a *account) employee(role company.Role) *employee {
	for _, e := range a.Catalogue().Employees {
		if e.Role == role && !e.Archived {
			return &employee{Employee: e, account: a}
		}
	}
	return nil
}

func (e *employee) has(r right) bool {
	return r == noRight || slices.Contains(roleRights[e.Role], r)
}

// moneyDocuments are hidden from the storekeeper.
var moneyDocuments = []string{"paymentin", "paymentout", "cashin", "cashout"}

// view returns which objects of a type the employee sees.
func (e *employee) view(typ string) scope {
	switch e.Role {
	case company.RoleStorekeeper:
		if slices.Contains(moneyDocuments, typ) {
			return scopeNone
		}
	case company.RoleSales:
		if isDocument(typ) {
			return scopeOwn
		}
	case company.RoleOwner:
	}
	return scopeAll
}

func isDocument(typ string) bool {
	return slices.Contains(company.DocumentTypes, company.DocumentType(typ))
}

// salesWork are the documents that a sales manager creates.
var salesWork = []string{"customerorder", "demand", "salesreturn", "retaildemand", "retailsalesreturn", "paymentin",
	"cashin"}

// can reports whether the employee may perform an action. The owner may do everything, the storekeeper may change every
// document they see, the sales manager those in salesWork. Only administrators edit the catalogue.
func (e *employee) can(action, typ string) bool {
	switch {
	case e.view(typ) == scopeNone:
		return false
	case e.has(rightAdmin) || action == "print":
		return true
	case e.Role == company.RoleSales:
		return slices.Contains(salesWork, typ)
	}
	return isDocument(typ)
}

// permission is an entity's row in both tables of permissions: its key in context/employee, its different key in
// …/security (fact M89), and its actions besides view.
type permission struct {
	context, security string
	actions           []string
}

var (
	editing    = []string{"create", "update", "delete"}
	printing   = []string{"create", "update", "delete", "print"}
	operations = []string{"create", "update", "delete", "approve", "print"}
)

// entityPermissions lists the entities in the order of the vendor's sample.
var entityPermissions = []permission{
	{"currency", "currency", editing},
	{"uom", "uom", editing},
	{"productfolder", "", printing},
	{"product", "good", printing},
	{"bundle", "", printing},
	{"service", "", printing},
	{"consignment", "", printing},
	{"variant", "", printing},
	{"store", "warehouse", editing},
	{"counterparty", "company", printing},
	{"organization", "myCompany", editing},
	{"employee", "employee", editing},
	{"settings", "", printing},
	{"contract", "contract", printing},
	{"project", "project", editing},
	{"country", "country", editing},
	{"customentity", "customEntity", editing},
	{"demand", "demand", operations},
	{"customerorder", "customerOrder", operations},
	{"internalorder", "internalOrder", operations},
	{"invoiceout", "invoiceOut", operations},
	{"invoicein", "invoiceIn", operations},
	{"paymentin", "paymentIn", operations},
	{"paymentout", "paymentOut", operations},
	{"cashin", "cashIn", operations},
	{"cashout", "cashOut", operations},
	{"supply", "supply", operations},
	{"salesreturn", "salesReturn", operations},
	{"purchasereturn", "purchaseReturn", operations},
	{"retailstore", "retailStore", editing},
	{"retailshift", "retailShift", printing},
	{"retaildemand", "retailDemand", operations},
	{"retailsalesreturn", "retailSalesReturn", operations},
	{"purchaseorder", "purchaseOrder", operations},
	{"move", "move", operations},
	{"enter", "enter", operations},
	{"loss", "loss", operations},
	{"pricelist", "priceList", operations},
	{"assortment", "", printing},
	{"inventory", "inventory", printing},
	{"processing", "processing", operations},
	{"webhook", "", editing},
}

// reportPermissions are the rights without actions, by name in …/security.
var reportPermissions = []struct {
	security string
	right    right
}{
	{"viewProductCostAndProfit", rightCost},
	{"viewDashboard", rightBoard},
	{"viewAudit", rightAudit},
	{"viewSaleProfit", rightProfit},
	{"viewStockReport", rightStock},
	{"viewTurnover", rightTurnover},
	{"viewCashFlow", rightCashFlow},
	{"viewCompanyCRM", rightCRM},
	{"viewMoneyDashboard", rightMoney},
}

// writePermissions writes the permissions of context/employee. Those not granted are absent.
func (e *employee) writePermissions(w *encoder) {
	w.object(func() {
		for _, p := range entityPermissions {
			reach := e.reach(p, "view")
			if reach == scopeNone {
				continue
			}
			w.key(p.context).object(func() {
				w.key("view").string(string(reach))
				for _, action := range p.actions {
					if r := e.reach(p, action); r != scopeNone {
						w.key(action).string(string(r))
					}
				}
			})
		}
		for _, r := range roleRights[e.Role] {
			if r[0] != '(' {
				w.key(string(r)).object(func() {
					w.key("view").string(string(scopeAll))
				})
			}
		}
	})
}

// reach returns the scope of an action.
func (e *employee) reach(p permission, action string) scope {
	switch {
	case p.context == "webhook" && !e.has(rightAdmin):
		return scopeNone
	case action == "view" || e.can(action, p.context):
		return e.view(p.context)
	}
	return scopeNone
}

// writeSecurity writes the permissions of employee/<id>/security, including those not granted.
func (e *employee) writeSecurity(w *encoder) {
	w.object(func() {
		w.key("apiRequest").bool(true)
		for _, r := range reportPermissions {
			w.key(r.security).bool(e.has(r.right))
		}
		for _, p := range entityPermissions {
			if p.security == "" {
				continue
			}
			w.key(p.security).object(func() {
				for _, action := range append([]string{"view"}, p.actions...) {
					w.key(action).string(string(e.reach(p, action)))
				}
			})
		}
	})
}
