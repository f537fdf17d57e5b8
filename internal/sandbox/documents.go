package sandbox

import (
	"slices"
	"time"

	"github.com/stockhand/stockhand/internal/sandbox/company"
)

type document = *company.Document

// Groups of document types that share fields.
var (
	orders        = []company.DocumentType{company.CustomerOrderDoc, company.PurchaseOrderDoc}
	customerOrder = []company.DocumentType{company.CustomerOrderDoc}
	purchaseOrder = []company.DocumentType{company.PurchaseOrderDoc}
	moves         = []company.DocumentType{company.MoveDoc}
	retail        = []company.DocumentType{company.RetailDemandDoc, company.RetailSalesReturnDoc}
	money         = []company.DocumentType{
		company.PaymentInDoc, company.PaymentOutDoc, company.CashInDoc, company.CashOutDoc,
	}
	cashless = []company.DocumentType{company.PaymentInDoc, company.PaymentOutDoc}
	spent    = []company.DocumentType{company.PaymentOutDoc, company.CashOutDoc}
	trade    = []company.DocumentType{ // goods for money
		company.SupplyDoc, company.DemandDoc, company.RetailDemandDoc, company.SalesReturnDoc,
		company.RetailSalesReturnDoc, company.CustomerOrderDoc, company.PurchaseOrderDoc, company.PurchaseReturnDoc,
		company.InvoiceOutDoc, company.InvoiceInDoc,
	}
	// with a single store
	stocked = append(slices.Clone(trade), company.EnterDoc, company.LossDoc, company.InventoryDoc,
		company.InternalOrderDoc)
	goodsOf = append(slices.Clone(stocked), company.MoveDoc) // with positions
	agents  = append(slices.Clone(trade), money...)
	sold    = append([]company.DocumentType{company.CustomerOrderDoc, company.DemandDoc, company.SalesReturnDoc},
		money...)
	payable = []company.DocumentType{
		company.SupplyDoc, company.DemandDoc, company.SalesReturnDoc, company.CustomerOrderDoc,
		company.PurchaseOrderDoc, company.RetailDemandDoc, company.InvoiceOutDoc, company.InvoiceInDoc,
		company.PurchaseReturnDoc,
	}
	// posted are all but stocktakings
	posted = slices.DeleteFunc(slices.Clone(company.DocumentTypes), func(t company.DocumentType) bool {
		return t == company.InventoryDoc
	})
)

// costSums are the types whose sums are hidden together with costs (fact M91).
var costSums = []company.DocumentType{company.EnterDoc, company.PurchaseOrderDoc}

// documentField is a field with the document types that have it.
type documentField struct {
	types []company.DocumentType // nil: all
	field[document]
}

// documentFields is the table of all document types (fact M63).
func documentFields() []documentField {
	var table []documentField
	add := func(types []company.DocumentType, fields ...field[document]) {
		for _, f := range fields {
			table = append(table, documentField{types, f})
		}
	}
	add(nil,
		accountField[document](),
		uidField("syncId", canFilter, func(d document) company.ID { return d.SyncID }),
		momentField("updated", canFind, func(d document) time.Time { return d.Updated }),
		textField("name", searched, func(d document) string { return d.Name }),
		textField("description", searched, func(d document) string { return d.Description }),
		textField("code", canFind, func(d document) string { return d.Code }),
		textField("externalCode", canFind, func(d document) string { return d.ExternalCode }),
		linkTo("project", "project", func(d document) *company.Project { return d.Project },
			func(p *company.Project) company.ID { return p.ID }),
	)
	add(agents, linkTo("contract", "contract", func(d document) *company.Contract { return d.Contract },
		func(k *company.Contract) company.ID { return k.ID }))
	add([]company.DocumentType{company.CustomerOrderDoc, company.DemandDoc},
		addressFields("shipmentAddress", func(d document) string { return d.ShipmentAddress })...)
	add(nil, belonging(func(d document) *company.Employee { return d.Owner },
		func(d document) *company.Group { return d.Group })...)
	add(nil,
		momentField("moment", canFind, func(d document) time.Time { return d.Moment }),
		momentField("created", canFind, func(d document) time.Time { return d.Created }),
		flagField("printed", canFind, func(document) bool { return false }),
		flagField("published", canFind, func(document) bool { return false }),
		flagField("isDeleted", canFilter|unwritten, func(document) bool { return false }),
	)
	add(posted, flagField("applicable", canFind, func(d document) bool { return d.Applicable }))
	add(trade,
		flagField("vatEnabled", canFilter, func(d document) bool { return d.VATEnabled }),
		field[document]{name: "vatIncluded", kind: flag, of: func(d document) value {
			return value{filled: d.VATEnabled, flag: d.VATIncluded}
		}},
		field[document]{name: "vatSum", kind: number, of: func(d document) value {
			return value{filled: d.VATEnabled, num: int64(d.VATSum)}
		}},
	)
	add(nil,
		numberField("sum", canFind, func(d document) company.Money { return d.Sum }),
		writtenField("rate", func(c *call, e *encoder, d document, _ expansion) { c.rate(e, d) }),
		linkTo("organization", "organization", func(d document) *company.Organization { return d.Organization },
			func(o *company.Organization) company.ID { return o.ID }),
	)
	add(cashless, writtenField("organizationAccount", func(c *call, e *encoder, d document, _ expansion) {
		if b := d.OrganizationAccount; b != nil {
			e.key("organizationAccount").object(func() {
				c.plainMeta(e, "account", "/entity/organization/"+string(b.Organization.ID)+"/accounts/"+string(b.ID))
			})
		}
	}))
	storeID := func(s *company.Store) company.ID { return s.ID }
	add(stocked, linkTo("store", "store", func(d document) *company.Store { return d.Store }, storeID))
	add(moves,
		withAbility(linkTo("sourceStore", "store", func(d document) *company.Store { return d.Store }, storeID),
			canExpand),
		withAbility(linkTo("targetStore", "store", func(d document) *company.Store { return d.Target }, storeID),
			canExpand),
		// Moves are filterable only by these two names (fact M24).
		withAbility(linkTo("store", "store", func(d document) *company.Store { return d.Store }, storeID),
			canFilter|unwritten),
		withAbility(linkTo("agentStore", "store", func(d document) *company.Store { return d.Target }, storeID),
			canFilter|unwritten),
	)
	add(agents, agentField())
	add(spent, linkTo("expenseItem", "expenseitem", func(d document) *company.ExpenseItem { return d.ExpenseItem },
		func(x *company.ExpenseItem) company.ID { return x.ID }))
	add(nil, stateField(), textField("state.name", canFilter|unwritten, func(d document) string {
		if d.State == nil {
			return ""
		}
		return d.State.Name
	}))
	add(sold, linkTo("salesChannel", "saleschannel", func(d document) *company.SalesChannel { return d.SalesChannel },
		func(s *company.SalesChannel) company.ID { return s.ID }))
	add(retail, linkTo("retailStore", "retailstore", func(d document) *company.RetailStore { return d.RetailStore },
		func(s *company.RetailStore) company.ID { return s.ID }))
	add(goodsOf, positionsField())
	add(customerOrder, numberField("reservedSum", 0, func(d document) company.Money { return d.ReservedSum }))
	add(orders, momentField("deliveryPlannedMoment", canFind, func(d document) time.Time { return d.Planned }))
	add(payable, numberField("payedSum", canOrder, func(d document) company.Money { return d.PayedSum }))
	add(orders,
		numberField("shippedSum", canOrder, func(d document) company.Money { return d.ShippedSum }),
		numberField("invoicedSum", canOrder, func(document) company.Money { return 0 }),
	)
	add(purchaseOrder, numberField("waitSum", canOrder, func(d document) company.Money { return d.WaitSum() }))
	add(retail,
		numberField("cashSum", 0, func(d document) company.Money { return d.CashSum }),
		numberField("noCashSum", 0, func(d document) company.Money { return d.NoCashSum }),
		numberField("qrSum", 0, func(document) company.Money { return 0 }),
	)
	add(money, writtenField("operations", func(c *call, e *encoder, d document, _ expansion) {
		if d.Order == nil {
			return
		}
		e.key("operations").array(func() {
			e.object(func() {
				c.meta(e, string(d.Order.Type), string(d.Order.ID), string(d.Order.ID))
				e.key("linkedSum").fixed(int64(d.Sum))
			})
		})
	}))
	add([]company.DocumentType{company.DemandDoc, company.RetailDemandDoc},
		baseField("customerOrder", func(d document) document { return d.Order }))
	add([]company.DocumentType{company.SupplyDoc},
		baseField("purchaseOrder", func(d document) document { return d.Order }))
	add([]company.DocumentType{company.SalesReturnDoc, company.RetailSalesReturnDoc},
		baseField("demand", func(d document) document { return d.Base }))
	add([]company.DocumentType{company.InvoiceOutDoc},
		baseField("customerOrder", func(d document) document { return d.Order }))
	add([]company.DocumentType{company.InvoiceInDoc}, writtenField("supplies",
		func(c *call, e *encoder, d document, _ expansion) {
			if d.Order != nil {
				c.links(e, "supplies", []document{d.Order})
			}
		}))
	add(customerOrder, linksField("demands", company.DemandDoc, company.RetailDemandDoc),
		linksField("invoicesOut", company.InvoiceOutDoc))
	add(purchaseOrder, linksField("supplies", company.SupplyDoc))
	add([]company.DocumentType{company.SupplyDoc}, linksField("invoicesIn", company.InvoiceInDoc))
	add([]company.DocumentType{company.DemandDoc}, linksField("returns", company.SalesReturnDoc))
	add(payable, writtenField("payments", func(c *call, e *encoder, d document, _ expansion) {
		paid := d.Made(money...)
		if len(paid) == 0 {
			return
		}
		e.key("payments").array(func() {
			for _, p := range paid {
				e.object(func() {
					c.meta(e, string(p.Type), string(p.ID), string(p.ID))
					e.key("linkedSum").fixed(int64(p.Sum))
				})
			}
		})
	}))
	return table
}

// agentField is the other side of a document: a counterparty, or of payments also an employee or an own company.
func agentField() field[document] {
	return field[document]{name: "agent", kind: link, can: canFilter | canExpand, of: func(d document) value {
		if d.Agent == nil {
			return linkValue(d.Recipient.Type, string(d.Recipient.ID))
		}
		return linkValue("counterparty", string(d.Agent.ID))
	}}
}

func withAbility(f field[document], can ability) field[document] {
	f.can = can
	return f
}

// linkTo is a field with an optional reference.
func linkTo[T any](name, typ string, of func(document) *T, id func(*T) company.ID) field[document] {
	return linkField(name, typ, canFilter|canExpand, func(d document) company.ID {
		if t := of(d); t != nil {
			return id(t)
		}
		return ""
	})
}

func baseField(name string, of func(document) document) field[document] {
	return field[document]{name: name, kind: link, can: canFilter | canExpand, of: func(d document) value {
		if b := of(d); b != nil {
			return linkValue(string(b.Type), string(b.ID))
		}
		return value{}
	}}
}

// linksField writes references to the documents of these types that were made from this one.
func linksField(name string, types ...company.DocumentType) field[document] {
	return writtenField(name, func(c *call, e *encoder, d document, _ expansion) { c.links(e, name, d.Made(types...)) })
}

func (c *call) links(e *encoder, name string, docs []document) {
	if len(docs) == 0 {
		return
	}
	e.key(name).array(func() {
		for _, d := range docs {
			e.object(func() { c.meta(e, string(d.Type), string(d.ID), string(d.ID)) })
		}
	})
}

// stateField needs its own kind of reference, because states are below the metadata of their document type.
func stateField() field[document] {
	return field[document]{
		name: "state", kind: link, can: canFilter | canExpand,
		of: func(d document) value {
			if d.State == nil {
				return value{}
			}
			return linkValue("state", string(d.State.ID))
		},
		write: func(c *call, e *encoder, d document, x expansion) {
			if d.State == nil {
				return
			}
			e.key("state").object(func() {
				if _, full := x["state"]; full {
					c.state(e, d.State)
					return
				}
				c.plainMeta(e, "state", statePath(d.State))
			})
		},
	}
}

func statePath(s *company.State) string {
	return "/entity/" + string(s.EntityType) + "/metadata/states/" + string(s.ID)
}

func (c *call) state(e *encoder, s *company.State) {
	c.plainMeta(e, "state", statePath(s))
	e.members("id", s.ID, "accountId", c.account.info.AccountID, "name", s.Name, "color", s.Color,
		"stateType", s.StateType, "entityType", string(s.EntityType))
}

// oneState serves entity/<type>/metadata/states/<id>.
func (c *call) oneState(typ, id string) (answer, error) {
	for _, s := range c.account.Catalogue().States[company.DocumentType(typ)] {
		if string(s.ID) == id {
			return answer{body: func(e *encoder) { e.object(func() { c.state(e, s) }) }}, nil
		}
	}
	return answer{}, errNotFound("state", id)
}

// rate writes the currency of a document. The value is omitted if it is 1 (fact M32).
func (c *call) rate(e *encoder, d document) {
	cur := d.Currency
	if cur == nil {
		cur = c.account.Catalogue().Currencies[0]
	}
	e.key("rate").object(func() {
		c.member(e, "currency", link, linkValue("currency", string(cur.ID)), nil)
		if d.Rate != 0 && d.Rate != one {
			e.key("value").fixed(int64(d.Rate))
		}
	})
}

func addDocuments(to map[string]collection) {
	for _, typ := range company.DocumentTypes {
		to[string(typ)] = documentEntity(typ)
	}
}

func documentEntity(typ company.DocumentType) *entity[document] {
	t := &entity[document]{
		typ:  string(typ),
		rows: func(a *account) []document { return a.Documents(typ) },
		find: func(a *account, id string) (document, bool) {
			d, ok := a.Document(company.ID(id))
			return d, ok && d.Type == typ
		},
		id: func(d document) string { return string(d.ID) },
		owner: func(d document) string {
			if d.Owner == nil {
				return ""
			}
			return string(d.Owner.ID)
		},
		search:     bySubstring,
		special:    map[string]func(*call, []condition) (func(document) bool, error){"assortment": positionTest},
		children:   map[string]func(*call, document) (answer, error){"audit": (*call).audit},
		fields:     []field[document]{idField(func(d document) company.ID { return d.ID })},
		attributes: func(d document) []company.AttributeValue { return d.Attributes },
		metadata: func(c *call, e *encoder) {
			states := c.account.Catalogue().States[typ]
			if len(states) == 0 {
				return
			}
			e.key("states").array(func() {
				for _, s := range states {
					e.object(func() { c.state(e, s) })
				}
			})
		},
	}
	for _, f := range documentFields() {
		if f.types != nil && !slices.Contains(f.types, typ) {
			continue
		}
		if slices.Contains(costSums, typ) && slices.Contains(sumFields, f.name) {
			f.needs = rightCost
		}
		t.fields = append(t.fields, f.field)
	}
	t.fields = append(t.fields, attributesField(string(typ), t.attributes))
	if slices.Contains(goodsOf, typ) {
		t.children["positions"] = func(c *call, d document) (answer, error) {
			c.withStock = c.query.Get("fields") == "stock"
			stock := c.stockAt(d)
			return c.childList(positionType(typ), len(d.Positions),
				func(i int) string { return string(d.PositionID(i)) },
				func(e *encoder, i int, x expansion) { c.position(e, d, i, x, stock) })
		}
	}
	return t
}

// sumFields are the sums of a document, hidden together.
var sumFields = []string{"sum", "vatSum", "payedSum", "shippedSum", "invoicedSum", "waitSum"}

// positionTest selects documents with a position whose good, or the good's folder, matches.
func positionTest(c *call, conditions []condition) (func(document) bool, error) {
	if err := c.checkLinks(conditions); err != nil {
		return nil, err
	}
	var want []string
	for _, k := range conditions {
		_, id, ok := splitHref(k.value)
		if !ok || k.op != opEqual {
			return nil, errFilterValue(k.field, k.value)
		}
		want = append(want, id)
	}
	return func(d document) bool {
		return slices.ContainsFunc(d.Positions, func(p company.Position) bool {
			if slices.Contains(want, string(p.Good.ID)) {
				return true
			}
			return folderTest(want, nil, true)(p.Good)
		})
	}, nil
}
