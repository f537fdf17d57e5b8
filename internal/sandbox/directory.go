package sandbox

import (
	"slices"
	"time"

	"github.com/stockhand/stockhand/internal/sandbox/company"
)

// collections maps the path element of an entity type to the entity.
var collections map[string]collection

// The tables refer to each other through collections, which would be an initialization cycle.
func init() {
	collections = map[string]collection{
		"store":        storeEntity(),
		"organization": organizationEntity(),
		"counterparty": counterpartyEntity(),
		"employee":     employeeEntity(),
		"currency":     currencyEntity(),
		"saleschannel": salesChannelEntity(),
		"uom":          unitEntity(),
		"country":      countryEntity(),
		"group":        groupEntity(),
		"retailstore":  retailStoreEntity(),
		"project":      projectEntity(),
		"contract":     contractEntity(),
		"expenseitem":  expenseItemEntity(),
	}
	for _, typ := range emptyTypes {
		collections[typ] = emptyEntity(typ)
	}
	addGoods(collections)
	addDocuments(collections)
}

// emptyTypes are types without objects: the vendor knows them, so their list is empty and not an error.
var emptyTypes = []string{
	"consignment", "region", "task", "webhook", "webhookstock",
	"internalorder", "invoicein", "invoiceout", "purchasereturn", "inventory", "commissionreportin",
	"commissionreportout", "factureout", "facturein", "prepayment", "prepaymentreturn", "retailshift",
	"retaildrawercashin", "retaildrawercashout", "processing", "processingorder", "processingplan", "pricelist",
	"bonusprogram", "bonustransaction", "discount",
}

func emptyEntity(typ string) collection {
	type R = *struct{}
	return directory(typ, func(*company.Catalogue) []R { return nil }, func(R) company.ID { return "" }, []field[R]{
		textField("name", searched, func(R) string { return "" }),
		flagField("archived", canFilter, func(R) bool { return false }),
		flagField("applicable", canFilter, func(R) bool { return false }),
		momentField("moment", canFind, func(R) time.Time { return time.Time{} }),
		momentField("updated", canFind, func(R) time.Time { return time.Time{} }),
	})
}

// directory is an entity with so few rows that lookups scan them.
func directory[R any](typ string, rows func(*company.Catalogue) []R, id func(R) company.ID,
	fields ...[]field[R]) *entity[R] {
	return &entity[R]{
		typ:  typ,
		rows: func(a *account) []R { return rows(a.Catalogue()) },
		id:   func(r R) string { return string(id(r)) },
		find: func(a *account, want string) (r R, ok bool) {
			for _, r := range rows(a.Catalogue()) {
				if string(id(r)) == want {
					return r, true
				}
			}
			return r, false
		},
		fields: append([]field[R]{idField(id)}, fieldsOf(fields...)...),
	}
}

const searched = canFind | canSearch

func storeEntity() collection {
	type R = *company.Store
	t := directory("store", func(k *company.Catalogue) []R { return k.Stores }, func(r R) company.ID { return r.ID },
		[]field[R]{accountField[R]()}, ofMainGroup[R](), []field[R]{
			momentField("updated", canFind, func(r R) time.Time { return r.Updated }),
			textField("name", searched, func(r R) string { return r.Name }),
			textField("code", searched, func(r R) string { return r.Code }),
			textField("externalCode", canFind, func(r R) string { return r.ExternalCode }),
			flagField("archived", canFind, func(r R) bool { return r.Archived }),
			linkField("parent", "store", canFilter|canExpand, func(r R) company.ID {
				if r.Parent == nil {
					return ""
				}
				return r.Parent.ID
			}),
			alwaysText("pathName", canFind, func(r R) string { return r.PathName }),
			emptyCollection("zones", "storezone", "store", func(r R) company.ID { return r.ID }),
			emptyCollection("slots", "slot", "store", func(r R) company.ID { return r.ID }),
		}, addressFields("address", func(r R) string { return r.Address }))
	t.gone = func(r R) bool { return r.Archived }
	return t
}

// alwaysText is a text field that is written even if empty, such as pathName at the top of a tree.
func alwaysText[R any](name string, can ability, of func(R) string) field[R] {
	f := textField(name, can, of)
	f.write = func(_ *call, e *encoder, r R, _ expansion) {
		e.key(name).string(of(r))
	}
	return f
}

func organizationEntity() collection {
	type R = *company.Organization
	t := directory("organization", func(k *company.Catalogue) []R { return k.Organizations },
		func(r R) company.ID { return r.ID },
		[]field[R]{accountField[R]()}, ofMainGroup[R](), []field[R]{
			momentField("updated", canFind, func(r R) time.Time { return r.Updated }),
			textField("name", searched, func(r R) string { return r.Name }),
			textField("code", searched, func(r R) string { return r.Code }),
			textField("externalCode", canFind, func(r R) string { return r.ExternalCode }),
			flagField("archived", canFind, func(R) bool { return false }),
			momentField("created", 0, func(r R) time.Time { return r.Updated }),
			textField("companyType", canFind, func(r R) string { return r.CompanyType }),
			textField("legalTitle", searched, func(r R) string { return r.LegalTitle }),
			textField("legalAddress", canFind, func(r R) string { return r.LegalAddress }),
			textField("email", searched, func(r R) string { return r.Email }),
			textField("inn", canFind, func(r R) string { return r.INN }),
			textField("kpp", canFind, func(r R) string { return r.KPP }),
			textField("ogrn", canFind, func(r R) string { return r.OGRN }),
			{name: "accounts", can: canExpand, write: func(c *call, e *encoder, r R, x expansion) {
				var rows func(int)
				if _, full := x["accounts"]; full {
					rows = func(i int) { c.bankAccount(e, r.Accounts[i]) }
				}
				c.nested(e, "accounts", "account", "/entity/organization/"+string(r.ID)+"/accounts", len(r.Accounts),
					rows)
			}},
			flagField("isEgaisEnable", 0, func(R) bool { return false }),
			flagField("payerVat", 0, func(R) bool { return true }),
		})
	t.children = map[string]func(*call, R) (answer, error){
		"accounts": func(c *call, r R) (answer, error) {
			return c.childList("account", len(r.Accounts), func(i int) string { return string(r.Accounts[i].ID) },
				func(e *encoder, i int, _ expansion) { c.bankAccount(e, r.Accounts[i]) })
		},
	}
	return t
}

// bankAccount writes the members of an account of an organization.
func (c *call) bankAccount(e *encoder, b *company.BankAccount) {
	c.plainMeta(e, "account", "/entity/organization/"+string(b.Organization.ID)+"/accounts/"+string(b.ID))
	e.members("id", b.ID, "accountId", c.account.info.AccountID, "updated", b.Organization.Updated,
		"isDefault", b.Default, "accountNumber", optional(b.Number), "bankName", optional(b.BankName),
		"bic", optional(b.BIC), "correspondentAccount", optional(b.CorrespondentAccount))
	c.member(e, "agent", link, linkValue("organization", string(b.Organization.ID)), nil)
	if b.Currency != nil {
		c.member(e, "currency", link, linkValue("currency", string(b.Currency.ID)), nil)
	}
}

func counterpartyEntity() collection {
	type R = *company.Counterparty
	t := directory("counterparty", func(k *company.Catalogue) []R { return k.Counterparties },
		func(r R) company.ID { return r.ID },
		[]field[R]{accountField[R]()},
		belonging(func(r R) *company.Employee { return r.Owner }, func(r R) *company.Group { return r.Group }),
		[]field[R]{
			momentField("updated", canFind, func(r R) time.Time { return r.Updated }),
			textField("name", searched, func(r R) string { return r.Name }),
			textField("code", searched, func(r R) string { return r.Code }),
			textField("externalCode", canFind, func(r R) string { return r.ExternalCode }),
			flagField("archived", canFind, func(r R) bool { return r.Archived }),
			momentField("created", canFind, func(r R) time.Time { return r.Updated }),
			textField("companyType", canFind, func(r R) string { return r.CompanyType }),
			textField("legalTitle", searched, func(r R) string { return r.LegalTitle }),
			textField("phone", searched, func(r R) string { return r.Phone }),
			textField("email", searched, func(r R) string { return r.Email }),
			textField("description", canFind, func(r R) string { return r.Description }),
			uidField("syncId", canFilter, func(r R) company.ID { return r.SyncID }),
			textField("inn", canFind, func(r R) string { return r.INN }),
			textField("kpp", canFind, func(r R) string { return r.KPP }),
			emptyCollection("accounts", "account", "counterparty", func(r R) company.ID { return r.ID }),
			writtenField("tags", func(_ *call, e *encoder, r R, _ expansion) {
				e.key("tags").array(func() {
					for _, tag := range r.Tags {
						e.string(tag)
					}
				})
			}),
			emptyCollection("contactpersons", "contactperson", "counterparty", func(r R) company.ID { return r.ID }),
			emptyCollection("notes", "note", "counterparty", func(r R) company.ID { return r.ID }),
			writtenField("priceType", func(c *call, e *encoder, r R, _ expansion) {
				if r.PriceType != nil {
					e.key("priceType").object(func() { c.priceType(e, r.PriceType) })
				}
			}),
			writtenField("salesAmount", func(c *call, e *encoder, r R, _ expansion) {
				e.key("salesAmount").fixed(int64(c.salesOf(r.ID)))
			}),
			countField("bonusPoints", 0, func(R) int { return 0 }),
			attributesField("counterparty", func(r R) []company.AttributeValue { return r.Attributes }),
		},
		addressFields("actualAddress", func(r R) string { return r.ActualAddress }),
		addressFields("legalAddress", func(r R) string { return r.LegalAddress }))
	t.attributes = func(r R) []company.AttributeValue { return r.Attributes }
	t.rows = func(a *account) []R {
		return slices.DeleteFunc(slices.Clone(a.Catalogue().Counterparties), func(r R) bool { return r.Deleted })
	}
	t.find = func(a *account, id string) (R, bool) {
		for _, r := range a.Catalogue().Counterparties {
			if string(r.ID) == id {
				return r, !r.Deleted
			}
		}
		return nil, false
	}
	t.gone = func(r R) bool { return r.Archived }
	t.special = map[string]func(*call, []condition) (func(R) bool, error){"tags": tagTest}
	return t
}

// tagTest finds counterparties one of whose tags matches.
func tagTest(c *call, conditions []condition) (func(*company.Counterparty) bool, error) {
	m, err := compile("tags", text, conditions, c.server.options.Switches.NotEqualKeepsNull)
	if err != nil {
		return nil, err
	}
	return func(r *company.Counterparty) bool {
		for _, tag := range r.Tags {
			if m(textValue(tag)) {
				return true
			}
		}
		return len(r.Tags) == 0 && m(value{})
	}, nil
}

func (c *call) salesOf(id company.ID) company.Money {
	if c.sales == nil {
		c.sales = map[company.ID]company.Money{}
		for _, r := range c.account.CounterpartyReport() {
			c.sales[r.Counterparty.ID] = r.DemandsSum
		}
	}
	return c.sales[id]
}

func projectEntity() collection {
	type R = *company.Project
	return directory("project", func(k *company.Catalogue) []R { return k.Projects },
		func(r R) company.ID { return r.ID },
		[]field[R]{accountField[R]()}, ofMainGroup[R](), []field[R]{
			momentField("updated", canFind, func(r R) time.Time { return r.Updated }),
			textField("name", searched, func(r R) string { return r.Name }),
			textField("description", searched, func(r R) string { return r.Description }),
			textField("code", canFind, func(r R) string { return r.Code }),
			textField("externalCode", canFind, func(r R) string { return r.ExternalCode }),
			flagField("archived", canFind, func(R) bool { return false }),
		})
}

func expenseItemEntity() collection {
	type R = *company.ExpenseItem
	return directory("expenseitem", func(k *company.Catalogue) []R { return k.ExpenseItems },
		func(r R) company.ID { return r.ID },
		[]field[R]{accountField[R](),
			momentField("updated", canFind, func(r R) time.Time { return r.Updated }),
			textField("name", searched, func(r R) string { return r.Name }),
			textField("code", canFind, func(r R) string { return r.Code }),
			textField("externalCode", canFind, func(r R) string { return r.ExternalCode }),
			flagField("archived", canFind, func(R) bool { return false }),
		})
}

func contractEntity() collection {
	type R = *company.Contract
	return directory("contract", func(k *company.Catalogue) []R { return k.Contracts },
		func(r R) company.ID { return r.ID },
		[]field[R]{accountField[R]()}, ofMainGroup[R](), []field[R]{
			momentField("updated", canFind, func(r R) time.Time { return r.Updated }),
			textField("name", searched, func(r R) string { return r.Name }),
			textField("code", searched, func(r R) string { return r.Code }),
			textField("externalCode", canFind, func(r R) string { return r.ExternalCode }),
			flagField("archived", canFind, func(R) bool { return false }),
			momentField("moment", canFind, func(r R) time.Time { return r.Moment }),
			countField("sum", canFind, func(R) int { return 0 }),
			literal[R]("contractType", "Sales"),
			linkField("ownAgent", "organization", canFilter|canExpand,
				func(r R) company.ID { return r.Organization.ID }),
			linkField("agent", "counterparty", canFilter|canExpand, func(r R) company.ID { return r.Agent.ID }),
		})
}

func employeeEntity() collection {
	type R = *company.Employee
	t := directory("employee", func(k *company.Catalogue) []R { return k.Employees },
		func(r R) company.ID { return r.ID },
		[]field[R]{accountField[R]()},
		belonging(func(r R) *company.Employee { return r }, func(r R) *company.Group { return r.Group }),
		[]field[R]{
			momentField("updated", canFind, func(r R) time.Time { return r.Updated }),
			textField("name", searched, func(r R) string { return r.ShortName }),
			textField("externalCode", canFind, func(r R) string { return "employee-" + r.UID }),
			flagField("archived", canFind, func(r R) bool { return r.Archived }),
			momentField("created", 0, func(r R) time.Time { return r.Updated }),
			textField("uid", canFind, func(r R) string { return r.UID }),
			textField("email", searched, func(r R) string { return r.Email }),
			textField("lastName", searched, func(r R) string { return r.LastName }),
			textField("firstName", searched, func(r R) string { return r.FirstName }),
			textField("middleName", searched, func(r R) string { return r.MiddleName }),
			textField("fullName", canFind, func(r R) string { return r.FullName }),
			textField("shortFio", canFind, func(r R) string { return r.ShortName }),
			textField("position", canFind, func(r R) string { return r.Position }),
			writtenField("cashiers", func(_ *call, e *encoder, _ R, _ expansion) {
				e.key("cashiers").array(func() {})
			}),
		})
	t.gone = func(r R) bool { return r.Archived }
	t.children = map[string]func(*call, R) (answer, error){"security": security}
	return t
}

func currencyEntity() collection {
	type R = *company.Currency
	t := directory("currency", func(k *company.Catalogue) []R { return k.Currencies },
		func(r R) company.ID { return r.ID },
		[]field[R]{
			flagField("system", 0, func(r R) bool { return r.Default }),
			textField("name", searched, func(r R) string { return r.Name }),
			textField("fullName", canFind, func(r R) string { return r.FullName }),
			numberField("rate", canFind, func(r R) company.Money { return r.Rate }),
			countField("multiplicity", canFind, func(r R) int { return r.Multiplicity }),
			flagField("indirect", canFind, func(r R) bool { return r.Indirect }),
			literal[R]("rateUpdateType", "manual"),
			textField("code", canFind, func(r R) string { return r.Code }),
			textField("isoCode", canFind, func(r R) string { return r.ISOCode }),
			flagField("archived", canFind, func(R) bool { return false }),
			flagField("default", canFind, func(r R) bool { return r.Default }),
		})
	t.search = bySubstring
	return t
}

func salesChannelEntity() collection {
	type R = *company.SalesChannel
	return directory("saleschannel", func(k *company.Catalogue) []R { return k.SalesChannels },
		func(r R) company.ID { return r.ID },
		[]field[R]{accountField[R]()}, ofMainGroup[R](), []field[R]{
			momentField("updated", canFind, func(r R) time.Time { return r.Updated }),
			textField("name", searched, func(r R) string { return r.Name }),
			textField("externalCode", canFind, func(r R) string { return r.ExternalCode }),
			flagField("archived", canFind, func(R) bool { return false }),
			textField("type", canFind, func(r R) string { return r.Type }),
		})
}

func unitEntity() collection {
	type R = *company.Unit
	return directory("uom", func(k *company.Catalogue) []R { return k.Units },
		func(r R) company.ID { return r.ID },
		[]field[R]{
			textField("name", searched, func(r R) string { return r.Name }),
			textField("description", searched, func(r R) string { return r.Description }),
			textField("code", canFind, func(r R) string { return r.Code }),
			textField("externalCode", canFind, func(r R) string { return r.Code }),
		})
}

func countryEntity() collection {
	type R = *company.Country
	return directory("country", func(k *company.Catalogue) []R { return k.Countries },
		func(r R) company.ID { return r.ID },
		[]field[R]{
			textField("name", searched, func(r R) string { return r.Name }),
			textField("code", canFind, func(r R) string { return r.Code }),
			textField("externalCode", canFind, func(r R) string { return r.Code }),
		})
}

func groupEntity() collection {
	type R = *company.Group
	return directory("group", func(k *company.Catalogue) []R { return k.Groups },
		func(r R) company.ID { return r.ID },
		[]field[R]{
			accountField[R](),
			textField("name", searched, func(r R) string { return r.Name }),
			countField("index", canFind, func(r R) int { return r.Index }),
		})
}

func retailStoreEntity() collection {
	type R = *company.RetailStore
	return directory("retailstore", func(k *company.Catalogue) []R { return k.RetailStores },
		func(r R) company.ID { return r.ID },
		[]field[R]{accountField[R]()}, ofMainGroup[R](), []field[R]{
			momentField("updated", canFind, func(r R) time.Time { return r.Updated }),
			textField("name", searched, func(r R) string { return r.Name }),
			textField("externalCode", canFind, func(r R) string { return r.ExternalCode }),
			flagField("archived", canFind, func(R) bool { return false }),
			textField("address", canFind, func(r R) string { return r.Address }),
			flagField("active", 0, func(R) bool { return true }),
			linkField("organization", "organization", canFilter|canExpand,
				func(r R) company.ID { return r.Organization.ID }),
			linkField("store", "store", canFilter|canExpand, func(r R) company.ID { return r.Store.ID }),
		})
}
