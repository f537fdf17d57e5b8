package sandbox

import (
	"encoding/json"
	"errors"
	"net/http"
	"strings"

	"github.com/stockhand/stockhand/internal/sandbox/company"
)

// wireDocument is a supplier order or a move as a create sends it. Read-only fields are ignored (fact M46).
type wireDocument struct {
	Meta         json.RawMessage `json:"meta"`
	ID           string          `json:"id"`
	SyncID       string          `json:"syncId"`
	Name         string          `json:"name"`
	ExternalCode string          `json:"externalCode"`
	Description  string          `json:"description"`
	Moment       string          `json:"moment"`
	Planned      string          `json:"deliveryPlannedMoment"`
	Applicable   *bool           `json:"applicable"`
	VATEnabled   bool            `json:"vatEnabled"`
	VATIncluded  bool            `json:"vatIncluded"`
	Organization *wireRef        `json:"organization"`
	Agent        *wireRef        `json:"agent"`
	Store        *wireRef        `json:"store"`
	SourceStore  *wireRef        `json:"sourceStore"`
	TargetStore  *wireRef        `json:"targetStore"`
	State        *wireRef        `json:"state"`
	Rate         *struct {
		Currency *wireRef    `json:"currency"`
		Value    json.Number `json:"value"`
	} `json:"rate"`
	Positions []wirePosition `json:"positions"`
}

type wirePosition struct {
	Quantity   json.Number  `json:"quantity"`
	Price      json.Number  `json:"price"`
	Discount   json.Number  `json:"discount"`
	VAT        int          `json:"vat"`
	VATEnabled bool         `json:"vatEnabled"`
	InTransit  *json.Number `json:"inTransit"`
	Assortment *wireRef     `json:"assortment"`
}

// createDocument creates a supplier order or a move. A syncId that is known gives the document it made before,
// whatever else the body says (fact M43).
func (c *call) createDocument(typ string, raw json.RawMessage) (func(*encoder), error) {
	if !c.employee.can("create", typ) {
		return nil, refuse(http.StatusForbidden, 1045, "Ошибка доступа: нет прав на создание объекта типа '%s'", typ)
	}
	var w wireDocument
	if err := c.decode(raw, &w); err != nil {
		return nil, err
	}
	switch {
	case w.Meta != nil:
		return nil, errMethod() // an update, which the sandbox has not
	case w.ID != "":
		return nil, refuse(http.StatusPreconditionFailed, 1006, "При создании объекта указан идентификатор")
	case w.SyncID != "" && !isID(w.SyncID):
		return nil, refuse(http.StatusPreconditionFailed, 1052, "Неверный идентификатор: '%s'", w.SyncID)
	}
	t := collections[typ].(*entity[document])
	x, err := parseExpand(c.expandText())
	if err != nil {
		return nil, err
	}
	written := func(d document) func(*encoder) {
		return func(e *encoder) { e.object(func() { t.write(c, e, d, x, "") }) }
	}
	w.SyncID = strings.ToLower(w.SyncID)
	if w.SyncID != "" {
		if d, ok := c.account.DocumentBySyncID(company.DocumentType(typ), company.ID(w.SyncID)); ok {
			return written(d), nil
		}
	}
	n, err := c.newDocument(typ, &w)
	if err != nil {
		return nil, err
	}
	if !n.Draft && !c.employee.can("approve", typ) {
		return nil, refuse(http.StatusForbidden, 1092, "Ошибка доступа: нет прав на проведение объекта типа '%s'", typ)
	}
	add := c.account.AddPurchaseOrder
	if typ == string(company.MoveDoc) {
		add = c.account.AddMove
	}
	d, err := add(n)
	if err != nil {
		return nil, changeError(err)
	}
	return written(d), nil
}

// newDocument reads the body of a create.
func (c *call) newDocument(typ string, w *wireDocument) (company.NewDocument, error) {
	n := company.NewDocument{
		SyncID: company.ID(w.SyncID), Name: w.Name, ExternalCode: w.ExternalCode, Description: w.Description,
		Draft: c.server.options.Switches.CreatesDrafts, VATEnabled: w.VATEnabled, VATIncluded: w.VATIncluded,
		Owner: c.employee.Employee,
	}
	if w.Applicable != nil {
		n.Draft = !*w.Applicable
	}
	var err error
	failed := func(e error) bool {
		if err == nil {
			err = e
		}
		return err != nil
	}
	org, e := resolve[*company.Organization](c, "organization", w.Organization, "organization")
	n.Organization = org
	_ = failed(e)
	if typ == string(company.MoveDoc) {
		n.Store, e = resolve[*company.Store](c, "sourceStore", w.SourceStore, "store")
		_ = failed(e)
		n.Target, e = resolve[*company.Store](c, "targetStore", w.TargetStore, "store")
		_ = failed(e)
	} else {
		n.Agent, e = resolve[*company.Counterparty](c, "agent", w.Agent, "counterparty")
		_ = failed(e)
		n.Store, e = resolve[*company.Store](c, "store", w.Store, "store")
		_ = failed(e)
	}
	_ = failed(c.readMoments(w, &n))
	_ = failed(c.readState(typ, w, &n))
	_ = failed(c.readRate(w, &n))
	if err != nil {
		return n, err
	}
	for _, required := range requiredOf(typ, &n) {
		if required.missing {
			return n, errRequired(required.field)
		}
	}
	if limit := c.server.options.ClosedBefore; !limit.IsZero() && !n.Moment.IsZero() && n.Moment.Before(limit) {
		return n, refuse(http.StatusPreconditionFailed, 17009, "Ошибка: документ относится к закрытому периоду")
	}
	if len(w.Positions) > maxElements {
		return n, refuse(http.StatusRequestEntityTooLarge, 2022, "В массиве 'positions' больше 1000 элементов")
	}
	for i := range w.Positions {
		p, err := c.readPosition(typ, &w.Positions[i])
		if err != nil {
			return n, err
		}
		n.Positions = append(n.Positions, p)
	}
	return n, nil
}

type requirement struct {
	field   string
	missing bool
}

func requiredOf(typ string, n *company.NewDocument) []requirement {
	all := []requirement{{"organization", n.Organization == nil}}
	if typ == string(company.MoveDoc) {
		return append(all, requirement{"sourceStore", n.Store == nil}, requirement{"targetStore", n.Target == nil})
	}
	return append(all, requirement{"agent", n.Agent == nil})
}

func (c *call) readMoments(w *wireDocument, n *company.NewDocument) error {
	var ok bool
	if w.Moment != "" {
		if n.Moment, ok = parseMoment(w.Moment); !ok {
			return refuse(http.StatusBadRequest, 2016, "Ошибка формата: значение поля 'moment' не является датой")
		}
	}
	if w.Planned != "" {
		if n.Planned, ok = parseMoment(w.Planned); !ok {
			return refuse(http.StatusBadRequest, 2016,
				"Ошибка формата: значение поля 'deliveryPlannedMoment' не является датой")
		}
	}
	return nil
}

func (c *call) readState(typ string, w *wireDocument, n *company.NewDocument) error {
	if w.State == nil {
		return nil
	}
	_, id, err := c.refID("state", w.State, "state")
	if err != nil {
		return err
	}
	for _, s := range c.account.Catalogue().States[company.DocumentType(typ)] {
		if string(s.ID) == id {
			n.State = s
			return nil
		}
	}
	return refuse(http.StatusPreconditionFailed, 11001, "Статус не найден")
}

func (c *call) readRate(w *wireDocument, n *company.NewDocument) error {
	if w.Rate == nil {
		return nil
	}
	var err error
	if n.Currency, err = resolve[*company.Currency](c, "rate.currency", w.Rate.Currency, "currency"); err != nil {
		return err
	}
	rate, err := amount("rate.value", w.Rate.Value)
	n.Rate = company.Money(rate)
	return err
}

// readPosition reads a position. What the body leaves out of inTransit is a switch: the vendor does not say.
func (c *call) readPosition(typ string, w *wirePosition) (company.Position, error) {
	var p company.Position
	if w.Assortment == nil {
		return p, errRequired("assortment")
	}
	if w.Quantity == "" {
		return p, errRequired("quantity")
	}
	_, id, err := c.refID("assortment", w.Assortment, priced...)
	if err != nil {
		return p, err
	}
	var known bool
	if p.Good, known = c.account.Good(company.ID(id)); !known {
		return p, errNowhere("assortment")
	}
	quantity, err := amount("quantity", w.Quantity)
	if err != nil {
		return p, err
	}
	price, err := amount("price", w.Price)
	if err != nil {
		return p, err
	}
	discount, err := amount("discount", w.Discount)
	if err != nil {
		return p, err
	}
	switch {
	case quantity <= 0:
		return p, refuse(http.StatusPreconditionFailed, 3003,
			"Ошибка сохранения объекта: количество должно быть больше нуля")
	case price < 0:
		return p, refuse(http.StatusPreconditionFailed, 3002,
			"Ошибка сохранения объекта: цена не может быть отрицательной")
	case discount > 100*one || w.VAT > 100:
		return p, refuse(http.StatusPreconditionFailed, 17008, "Ошибка сохранения объекта: скидка или НДС больше 100")
	}
	p.Quantity, p.Price, p.Discount = company.Quantity(quantity), company.Money(price), int(discount/one)
	p.VAT, p.VATOn = w.VAT, w.VATEnabled
	if typ != string(company.PurchaseOrderDoc) {
		return p, nil
	}
	switch {
	case w.InTransit != nil:
		transit, err := amount("inTransit", *w.InTransit)
		if err != nil {
			return p, err
		}
		p.InTransit = company.Quantity(transit)
	case c.server.options.Switches.ExpectsAllOrdered:
		p.InTransit = p.Quantity
	}
	if p.InTransit < 0 {
		return p, refuse(http.StatusPreconditionFailed, 3002,
			"Ошибка сохранения объекта: ожидание не может быть отрицательным")
	}
	if p.InTransit > p.Quantity {
		return p, refuse(http.StatusPreconditionFailed, 17004, "Ошибка сохранения объекта: ожидание больше количества")
	}
	return p, nil
}

// changeError puts a refusal of the company into the vendor's words.
func changeError(err error) error {
	switch {
	case errors.Is(err, company.ErrGood):
		return refuse(http.StatusPreconditionFailed, 17016,
			"Ошибка сохранения объекта: товар такого типа нельзя добавить в документ")
	case errors.Is(err, company.ErrSameStore):
		return refuse(http.StatusPreconditionFailed, 21000, "Ошибка сохранения объекта: склады перемещения совпадают")
	case errors.Is(err, company.ErrStock):
		return refuse(http.StatusPreconditionFailed, 3007,
			"Ошибка сохранения объекта: нельзя отгрузить товар, которого нет на складе")
	case errors.Is(err, company.ErrQuantity):
		return refuse(http.StatusPreconditionFailed, 3003, "Ошибка сохранения объекта: недопустимое количество")
	case errors.Is(err, company.ErrRequired):
		return refuse(http.StatusPreconditionFailed, 3000, "Ошибка сохранения объекта: не заполнено обязательное поле")
	case errors.Is(err, company.ErrLinked):
		return refuse(http.StatusConflict, 1028, "Объект используется и не может быть удален")
	case errors.Is(err, company.ErrNotFound):
		return refuse(http.StatusNotFound, 1021, "Объект не найден")
	}
	return err
}
