package sandbox

import (
	"bytes"
	"encoding/json"
	"net/http"
	"slices"

	"github.com/stockhand/stockhand/internal/sandbox/company"
)

// saveDocument creates or edits a document. A known syncId returns the existing document, whatever the rest of the body
// (fact M43).
func (c *call) saveDocument(typ, id string, o *input) (func(*encoder), error) {
	t := collections[typ].(*entity[document])
	x, err := parseExpand(c.expandText())
	if err != nil {
		return nil, err
	}
	n := company.NewDocument{Draft: c.server.options.Switches.CreatesDrafts, Owner: c.employee.Employee}
	var old document
	var present func(*encoder)
	if id != "" {
		if old, err = t.object(c, id); err != nil {
			return nil, err
		}
		n, present = old.Draft(), t.written(c, old, nil)
	}
	if o.syncID(&n.SyncID); o.err != nil {
		return nil, o.err
	}
	if id == "" && n.SyncID != "" {
		if d, ok := c.account.DocumentBySyncID(company.DocumentType(typ), n.SyncID); ok {
			return t.written(c, d, x), nil
		}
	}
	if err := c.readDocument(typ, o, &n); err != nil {
		return nil, err
	}
	if err := o.finish(t.known(), present); err != nil {
		return nil, err
	}
	if limit := c.server.options.ClosedBefore; !n.Moment.IsZero() && n.Moment.Before(limit) {
		return nil, refuse(http.StatusPreconditionFailed, 17009, "Ошибка: документ относится к закрытому периоду")
	}
	if !n.Draft && (old == nil || !old.Applicable) && !c.employee.can("approve", typ) {
		return nil, refuse(http.StatusForbidden, 1092, "Ошибка доступа: нет прав на проведение объекта типа '%s'", typ)
	}
	var d document
	if id == "" {
		d, err = c.account.Add(company.DocumentType(typ), n)
	} else {
		d, err = c.account.Edit(old.ID, n)
	}
	if err != nil {
		return nil, changeError(err)
	}
	return t.written(c, d, x), nil
}

// readDocument reads the fields of a document and refuses missing required fields.
func (c *call) readDocument(typ string, o *input, n *company.NewDocument) error {
	o.text("name", shortText, &n.Name)
	o.text("code", shortText, &n.Code)
	o.text("externalCode", shortText, &n.ExternalCode)
	o.text("description", longText, &n.Description)
	o.flag("vatEnabled", &n.VATEnabled)
	o.flag("vatIncluded", &n.VATIncluded)
	posted := !n.Draft
	o.flag("applicable", &posted)
	n.Draft = !posted
	refer(o, "organization", "organization", &n.Organization)
	refer(o, "owner", "employee", &n.Owner)
	store, required := "store", []requirement{}
	if typ == string(company.MoveDoc) {
		store = "sourceStore"
		refer(o, "targetStore", "store", &n.Target)
	} else {
		refer(o, "agent", "counterparty", &n.Agent)
	}
	refer(o, store, "store", &n.Store)
	refer(o, "project", "project", &n.Project)
	refer(o, "contract", "contract", &n.Contract)
	switch company.DocumentType(typ) {
	case company.CustomerOrderDoc, company.DemandDoc:
		o.text("shipmentAddress", shortText, &n.ShipmentAddress)
		refer(o, "salesChannel", "saleschannel", &n.SalesChannel)
		refer(o, "customerOrder", "customerorder", &n.Order)
	case company.SupplyDoc:
		refer(o, "purchaseOrder", "purchaseorder", &n.Order)
	default:
	}
	o.moment("moment", &n.Moment)
	o.moment("deliveryPlannedMoment", &n.Planned)
	c.readState(typ, o, n)
	c.readRate(o, n)
	o.attributes(typ, &n.Attributes)
	if o.err != nil {
		return o.err
	}
	needs := company.Needs(company.DocumentType(typ))
	required = append(required, requirement{"organization", n.Organization == nil},
		requirement{"agent", needs.Agent && n.Agent == nil}, requirement{store, needs.Store && n.Store == nil},
		requirement{"targetStore", needs.Target && n.Target == nil})
	for _, r := range required {
		if r.missing {
			return errRequired(r.field)
		}
	}
	before := n.Positions
	var positions []company.Position
	if o.list("positions", func(p *input) { positions = append(positions, p.position(typ, before)) }) {
		n.Positions = positions
	}
	return o.err
}

type requirement struct {
	field   string
	missing bool
}

func (c *call) readState(typ string, o *input, n *company.NewDocument) {
	var w *wireRef
	if there, _ := o.into("state", &w); !there || o.err != nil {
		return
	}
	if n.State = nil; w == nil {
		return
	}
	_, id, err := c.refID("state", w, "state")
	if err != nil {
		o.fail(err)
		return
	}
	for _, s := range c.account.Catalogue().States[company.DocumentType(typ)] {
		if string(s.ID) == id {
			n.State = s
			return
		}
	}
	o.fail(refuse(http.StatusPreconditionFailed, 11001, "Статус не найден"))
}

func (c *call) readRate(o *input, n *company.NewDocument) {
	raw, ok := o.fields["rate"]
	if o.used["rate"] = true; !ok {
		return
	}
	n.Currency, n.Rate = nil, 0
	rate, err := c.input(raw)
	if err != nil {
		o.fail(errType("rate"))
		return
	}
	refer(rate, "currency", "currency", &n.Currency)
	readNumber(rate, "value", &n.Rate)
	if rate.err != nil {
		o.fail(rate.err)
	}
}

// position reads a line. It keeps the shipped quantity of a good's line. The default of inTransit is undocumented and
// therefore a switch.
func (o *input) position(typ string, before []company.Position) company.Position {
	var p company.Position
	for _, name := range []string{"assortment", "quantity"} {
		if o.fields[name] == nil {
			o.fail(errRequired(name))
			return p
		}
	}
	var w wireRef
	_, _ = o.into("assortment", &w)
	_, id, err := o.c.refID("assortment", &w, goodTypes...)
	if err != nil {
		o.fail(err)
		return p
	}
	var known bool
	if p.Good, known = o.c.account.Good(company.ID(id)); !known {
		o.fail(errNowhere("assortment"))
		return p
	}
	var discount int64
	if o.fields["quantity"][0] != '-' { // negative quantities are refused like zero
		readNumber(o, "quantity", &p.Quantity)
	}
	readNumber(o, "price", &p.Price)
	readNumber(o, "discount", &discount)
	_, _ = o.into("vat", &p.VAT)
	o.flag("vatEnabled", &p.VATOn)
	p.Discount = int(discount / one)
	for _, old := range before {
		if old.Good.ID == p.Good.ID {
			p.Shipped = old.Shipped
		}
	}
	switch company.DocumentType(typ) {
	case company.PurchaseOrderDoc:
		if o.c.server.options.Switches.ExpectsAllOrdered {
			p.InTransit = p.Quantity
		}
		readNumber(o, "inTransit", &p.InTransit)
	case company.CustomerOrderDoc:
		readNumber(o, "reserve", &p.Reserve)
	default:
	}
	switch {
	case o.err != nil:
	case p.Quantity <= 0:
		o.fail(refuse(http.StatusPreconditionFailed, 3003,
			"Ошибка сохранения объекта: количество должно быть больше нуля"))
	case discount > 100*one || p.VAT > 100:
		o.fail(refuse(http.StatusPreconditionFailed, 17008, "Ошибка сохранения объекта: скидка или НДС больше 100"))
	case p.InTransit > p.Quantity:
		o.fail(refuse(http.StatusPreconditionFailed, 17004, "Ошибка сохранения объекта: ожидание больше количества"))
	case p.Reserve > p.Quantity:
		o.fail(refuse(http.StatusPreconditionFailed, 17003, "Ошибка сохранения объекта: резерв больше количества"))
	}
	return p
}

// addPositions serves a POST of one or several positions and responds with an array of those added (fact M16).
func (c *call) addPositions(typ, id string) (answer, error) {
	raw, err := c.body()
	if err != nil {
		return answer{}, err
	}
	if bytes.TrimSpace(raw)[0] != '[' {
		raw = slices.Concat(json.RawMessage("["), raw, json.RawMessage("]"))
	}
	old, err := collections[typ].(*entity[document]).object(c, id)
	if err != nil {
		return answer{}, err
	}
	if !c.employee.can("update", typ) {
		return answer{}, refuse(http.StatusForbidden, 1017, "Ошибка доступа: нет прав на изменение объекта типа '%s'",
			typ)
	}
	o := &input{c: c, used: map[string]bool{}, fields: map[string]json.RawMessage{"positions": raw}}
	n := old.Draft()
	o.list("positions", func(p *input) { n.Positions = append(n.Positions, p.position(typ, nil)) })
	if o.err != nil {
		return answer{}, o.err
	}
	d, err := c.account.Edit(old.ID, n)
	if err != nil {
		return answer{}, changeError(err)
	}
	return answer{body: func(e *encoder) {
		e.array(func() {
			for i := len(old.Positions); i < len(d.Positions); i++ {
				e.object(func() { c.position(e, d, i, nil, nil) })
			}
		})
	}}, nil
}
