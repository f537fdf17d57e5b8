package sandbox

import (
	"github.com/stockhand/stockhand/internal/sandbox/company"
)

// contextRoutes are the paths below context.
var contextRoutes = map[string]endpoint{
	"employee":                          currentEmployee,
	"companysettings":                   companySettings,
	"companysettings/pricetype":         priceTypes,
	"companysettings/pricetype/default": defaultPriceType,
	"companysettings/pricetype/*":       onePriceType,
}

// currentEmployee serves context/employee: the token's employee and their permissions (fact M89).
func currentEmployee(c *call) (answer, error) {
	id := string(c.employee.ID)
	t := collections["employee"].(*entity[*company.Employee])
	return answer{body: func(e *encoder) {
		e.object(func() {
			c.metaWith(e, "employee", id, id, "?expand=cashier.retailStore", nil)
			e.key("id").string(id)
			t.writeFields(c, e, c.employee.Employee, nil, "")
			e.key("permissions")
			c.employee.writePermissions(e)
		})
	}}, nil
}

// security serves entity/employee/<id>/security, for administrators only.
func security(c *call, of *company.Employee) (answer, error) {
	if !c.employee.has(rightAdmin) {
		return answer{}, errForbidden("прав сотрудников")
	}
	subject := &employee{Employee: of, account: c.account}
	return answer{body: func(e *encoder) {
		e.object(func() {
			e.members("isActive", !of.Archived, "login", of.UID, "email", optional(of.Email))
			if of.Group != nil {
				e.key("group").object(func() { c.reference(e, "group", string(of.Group.ID), nil, true) })
			}
			e.key("role").object(func() {
				if subject.has(rightAdmin) {
					c.plainMeta(e, "systemrole", "/entity/role/admin")
					return
				}
				c.plainMeta(e, "individualrole", "/entity/role/individual")
				e.key("permissions")
				subject.writeSecurity(e)
			})
		})
	}}, nil
}

func companySettings(c *call) (answer, error) {
	k := c.account.Catalogue()
	return answer{body: func(e *encoder) {
		e.object(func() {
			c.plainMeta(e, "companysettings", "/context/companysettings")
			e.key("currency").object(func() { c.reference(e, "currency", string(k.Currencies[0].ID), nil, true) })
			e.key("priceTypes")
			c.writePriceTypes(e)
			e.members("discountStrategy", k.Settings.DiscountStrategy,
				"globalOperationNumbering", k.Settings.GlobalOperationNumbering,
				"checkShippingStock", k.Settings.CheckShippingStock, "checkMinPrice", k.Settings.CheckMinPrice,
				"useRecycleBin", k.Settings.UseRecycleBin, "useCompanyAddress", false, "accountCountry", "RU")
		})
	}}, nil
}

// priceTypes serves context/companysettings/pricetype: a bare array (fact M16).
func priceTypes(c *call) (answer, error) {
	return answer{body: c.writePriceTypes}, nil
}

func (c *call) writePriceTypes(e *encoder) {
	e.array(func() {
		for _, t := range c.account.Catalogue().PriceTypes {
			e.object(func() { c.priceType(e, t) })
		}
	})
}

func defaultPriceType(c *call) (answer, error) {
	return answer{body: func(e *encoder) {
		e.object(func() { c.priceType(e, c.account.Catalogue().PriceTypes[0]) })
	}}, nil
}

func onePriceType(c *call) (answer, error) {
	for _, t := range c.account.Catalogue().PriceTypes {
		if string(t.ID) == c.childID {
			return answer{body: func(e *encoder) { e.object(func() { c.priceType(e, t) }) }}, nil
		}
	}
	return answer{}, errNotFound("pricetype", c.childID)
}
