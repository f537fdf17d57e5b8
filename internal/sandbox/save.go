package sandbox

import (
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/sandbox/company"
)

// saver creates the object in a body, or edits the one with the id, and returns a function that writes it.
type saver func(c *call, typ, id string, o *input) (func(*encoder), error)

// saverOf returns the saver of a type, or nil if the sandbox has none.
func saverOf(typ string) saver {
	switch {
	case slices.Contains(goodTypes, typ):
		return (*call).saveGood
	case typ == "counterparty":
		return (*call).saveCounterparty
	case company.Creatable(company.DocumentType(typ)):
		return (*call).saveDocument
	}
	return nil
}

// save creates or edits an object of a body. A meta in the body or an id in the path means an edit (fact M45).
func (c *call) save(typ, id string, raw json.RawMessage) (func(*encoder), error) {
	o, err := c.input(raw)
	if err != nil {
		return nil, err
	}
	if meta, ok := o.fields["meta"]; ok && id == "" {
		var w wireRef
		if json.Unmarshal(meta, &w.Meta) != nil {
			return nil, errType("meta")
		}
		if _, id, err = c.refID("meta", &w, typ); err != nil {
			return nil, err
		}
	}
	switch {
	case id == "" && !c.employee.can("create", typ):
		return nil, refuse(http.StatusForbidden, 1045, "Ошибка доступа: нет прав на создание объекта типа '%s'", typ)
	case id != "" && !c.employee.can("update", typ):
		return nil, refuse(http.StatusForbidden, 1017, "Ошибка доступа: нет прав на изменение объекта типа '%s'", typ)
	case id == "" && o.fields["id"] != nil:
		return nil, refuse(http.StatusPreconditionFailed, 1006, "При создании объекта указан идентификатор")
	case id != "" && !isID(id):
		return nil, errID(id)
	}
	return saverOf(typ)(c, typ, id, o)
}

func errID(id string) *apiError {
	return refuse(http.StatusPreconditionFailed, 1052, "Неверный идентификатор: '%s'", id)
}

// syncID reads the syncId of a create; it cannot be changed later (fact M43).
func (o *input) syncID(to *company.ID) {
	s := string(*to)
	o.text("syncId", shortText, &s)
	switch {
	case s != "" && !isID(s):
		o.fail(errID(s))
	case *to != "" && !strings.EqualFold(s, string(*to)):
		o.fail(refuse(http.StatusPreconditionFailed, 1047, "Изменение syncId невозможно"))
	}
	*to = company.ID(strings.ToLower(s))
}

// written returns a function that writes a saved row as the response.
func (t *entity[R]) written(c *call, r R, x expansion) func(*encoder) {
	return func(e *encoder) { e.object(func() { t.write(c, e, r, x, "") }) }
}

// known returns the names of the fields of a type.
func (t *entity[R]) known() []string {
	var names []string
	for _, f := range t.fields {
		names = append(names, f.name)
	}
	return names
}

// saveGood creates and edits products and services, and edits variants and bundles.
func (c *call) saveGood(typ, id string, o *input) (func(*encoder), error) {
	t := collections[typ].(*entity[good])
	var old good
	var present func(*encoder)
	card := company.Card{VATEnabled: true, VAT: 20}
	if id != "" {
		var err error
		if old, err = t.object(c, id); err != nil {
			return nil, err
		}
		card, present = old.Card, t.written(c, old, nil)
	} else if typ != string(company.Product) && typ != string(company.Service) {
		return nil, errMethod() // the sandbox cannot create variants and bundles
	}
	prices := c.readPrices(o)
	edited := false // more than prices
	for name := range o.fields {
		edited = edited || !slices.Contains([]string{"salePrices", "buyPrice", "minPrice", "meta", "id"}, name)
	}
	o.card(typ, &card)
	if err := o.finish(t.known(), present); err != nil {
		return nil, err
	}
	if card.Name == "" {
		return nil, errRequired("name")
	}
	g := old
	var err error
	switch {
	case id == "":
		g = c.account.AddGood(company.Kind(typ), card)
	case edited:
		g, err = c.account.EditGood(g.ID, card)
	}
	if err == nil {
		err = c.account.SetPrices(g.ID, prices)
	}
	if err != nil {
		return nil, changeError(err)
	}
	g, _ = c.account.Good(g.ID)
	return t.written(c, g, nil), nil
}

// card reads the editable fields of a good.
func (o *input) card(typ string, card *company.Card) {
	o.text("name", shortText, &card.Name)
	o.text("code", shortText, &card.Code)
	o.text("externalCode", shortText, &card.ExternalCode)
	o.text("description", longText, &card.Description)
	o.flag("archived", &card.Archived)
	o.attributes(typ, &card.Attributes)
	o.minimumStock(typ, card)
	if typ != string(company.Product) && typ != string(company.Service) {
		return
	}
	o.syncID(&card.SyncID)
	refer(o, "productFolder", "productfolder", &card.Folder)
	refer(o, "uom", "uom", &card.Unit)
	o.flag("vatEnabled", &card.VATEnabled)
	_, _ = o.into("vat", &card.VAT)
	if barcodes := []company.Barcode(nil); o.list("barcodes", func(b *input) {
		for kind := range b.fields {
			var value string
			b.text(kind, shortText, &value)
			barcodes = append(barcodes, company.Barcode{Kind: kind, Value: value})
		}
	}) {
		card.Barcodes = barcodes
	}
	if typ == string(company.Service) {
		return
	}
	o.text("article", shortText, &card.Article)
	refer(o, "supplier", "counterparty", &card.Supplier)
	readNumber(o, "weight", &card.Weight)
	readNumber(o, "volume", &card.Volume)
	if minimum := (company.Quantity)(0); o.fields["minimumBalance"] != nil {
		if readNumber(o, "minimumBalance", &minimum); minimum > 0 {
			card.Minimum = &company.Minimum{Type: company.MinimumSum, Quantity: minimum}
		} else {
			card.Minimum = nil
		}
	}
}

// readPrices reads the prices of a good. Price types missing from the body stay unchanged (fact M47).
func (c *call) readPrices(o *input) company.NewPrices {
	n := company.NewPrices{Sale: map[*company.PriceType]company.Price{}}
	o.list("salePrices", func(p *input) {
		var w *wireRef
		_, _ = p.into("priceType", &w)
		t, err := c.priceTypeOf(w)
		if err != nil {
			p.fail(err)
			return
		}
		n.Sale[t] = p.price("salePrices")
	})
	one := func(name string) *company.Price {
		var raw json.RawMessage
		if there, clear := o.into(name, &raw); !there || clear {
			return nil
		}
		p, err := c.input(raw)
		if err != nil {
			o.fail(errType(name))
			return nil
		}
		price := p.price(name)
		if p.err != nil {
			o.fail(p.err)
		}
		return &price
	}
	n.Buy, n.Minimum = one("buyPrice"), one("minPrice")
	return n
}

// price reads a price. Without a currency it is in the account currency.
func (o *input) price(name string) company.Price {
	p := company.Price{}
	if o.fields["value"] == nil {
		o.fail(errRequired(name + ".value"))
	}
	readNumber(o, "value", &p.Value)
	if refer(o, "currency", "currency", &p.Currency); p.Currency == nil {
		p.Currency = o.c.account.Catalogue().Currencies[0]
	}
	return p
}

// priceTypeOf returns the price type of a sale price. Those of other accounts are not found.
func (c *call) priceTypeOf(r *wireRef) (*company.PriceType, error) {
	if r == nil || r.Meta == nil {
		return nil, errRequired("priceType")
	}
	if err := c.checkLinks([]condition{{field: "priceType", value: r.Meta.Href}}); err != nil {
		return nil, err
	}
	for _, t := range c.account.Catalogue().PriceTypes {
		for _, base := range []string{c.base, vendorBase[:len(vendorBase)-1]} {
			if r.Meta.Href == base+"/context/companysettings/pricetype/"+string(t.ID) {
				return t, nil
			}
		}
	}
	return nil, errNotFound("pricetype", r.Meta.Href)
}

// companyTypes are the types of counterparties.
var companyTypes = []string{"legal", "entrepreneur", "individual"}

func (c *call) saveCounterparty(typ, id string, o *input) (func(*encoder), error) {
	t := collections[typ].(*entity[*company.Counterparty])
	p := company.Counterparty{CompanyType: companyTypes[0], Owner: c.employee.Employee, Group: c.employee.Group}
	var present func(*encoder)
	if id != "" {
		old, err := t.object(c, id)
		if err != nil {
			return nil, err
		}
		p, present = *old, t.written(c, old, nil)
	}
	for name, to := range map[string]*string{"name": &p.Name, "code": &p.Code, "externalCode": &p.ExternalCode,
		"companyType": &p.CompanyType, "legalTitle": &p.LegalTitle, "inn": &p.INN, "kpp": &p.KPP, "phone": &p.Phone,
		"email": &p.Email, "actualAddress": &p.ActualAddress, "legalAddress": &p.LegalAddress} {
		o.text(name, shortText, to)
	}
	o.text("description", longText, &p.Description)
	o.flag("archived", &p.Archived)
	_, _ = o.into("tags", &p.Tags)
	o.syncID(&p.SyncID)
	o.attributes(typ, &p.Attributes)
	if err := o.finish(t.known(), present); err != nil {
		return nil, err
	}
	switch {
	case p.Name == "":
		return nil, errRequired("name")
	case !slices.Contains(companyTypes, p.CompanyType):
		return nil, refuse(http.StatusPreconditionFailed, 3005,
			"Ошибка сохранения объекта: недопустимое значение поля 'companyType'")
	}
	saved, err := c.account.SaveCounterparty(p)
	if err != nil {
		return nil, changeError(err)
	}
	return t.written(c, saved, nil), nil
}

// remove deletes an object and reverts its effect on the figures. The response has no body.
func (c *call) remove(typ, id string) error {
	if !isID(id) {
		return errID(id)
	}
	if _, err := c.objectOf(typ, id); err != nil {
		return err
	}
	if !c.employee.can("delete", typ) {
		return refuse(http.StatusForbidden, 1018, "Ошибка доступа: нет прав на удаление объекта типа '%s'", typ)
	}
	var err error
	switch t := collections[typ].(type) {
	case *entity[good]:
		g, _ := t.find(c.account, id)
		card := g.Card
		card.Deleted = true
		_, err = c.account.EditGood(g.ID, card)
	case *entity[*company.Counterparty]:
		old, _ := t.find(c.account, id)
		p := *old
		p.Deleted = true
		_, err = c.account.SaveCounterparty(p)
	case *entity[document]:
		d, _ := t.find(c.account, id)
		if limit := c.server.options.ClosedBefore; d.Moment.Before(limit) {
			return refuse(http.StatusPreconditionFailed, 17009, "Ошибка: документ относится к закрытому периоду")
		}
		err = c.account.Delete(d.ID)
	}
	if err != nil {
		return changeError(err)
	}
	return nil
}

// objectOf returns an object, or an error if it does not exist or is hidden.
func (c *call) objectOf(typ, id string) (any, error) {
	switch t := collections[typ].(type) {
	case *entity[good]:
		return t.object(c, id)
	case *entity[*company.Counterparty]:
		return t.object(c, id)
	case *entity[document]:
		return t.object(c, id)
	}
	return nil, errMethod()
}

func (c *call) removeBySyncID(typ, syncID string) error {
	all := c.account.Documents(company.DocumentType(typ))
	i := slices.IndexFunc(all, func(d document) bool {
		return d.SyncID != "" && strings.EqualFold(string(d.SyncID), syncID)
	})
	if i < 0 {
		return errNotFound(typ, syncID)
	}
	return c.remove(typ, string(all[i].ID))
}

// removeNamed deletes the object of an element of a bulk deletion.
func (c *call) removeNamed(typ string, raw json.RawMessage) (func(*encoder), error) {
	var w wireRef
	if err := json.Unmarshal(raw, &w); err != nil {
		return nil, errType("meta")
	}
	_, id, err := c.refID("meta", &w, typ)
	if err != nil {
		return nil, err
	}
	if err := c.remove(typ, id); err != nil {
		return nil, err
	}
	return func(e *encoder) {
		e.object(func() {
			e.key("info").string("Сущность '" + typ + "' с UUID: " + id + " успешно удалена")
		})
	}, nil
}

// changeError converts an error of package company to an API error.
func changeError(err error) error {
	for _, known := range []struct {
		err          error
		status, code int
		text         string
	}{
		{company.ErrGood, http.StatusPreconditionFailed, 17016, "товар такого типа нельзя добавить в документ"},
		{company.ErrSameStore, http.StatusPreconditionFailed, 21000, "склады перемещения совпадают"},
		{company.ErrStock, http.StatusPreconditionFailed, 3007, "нельзя отгрузить товар, которого нет на складе"},
		{company.ErrQuantity, http.StatusPreconditionFailed, 3003, "недопустимое количество"},
		{company.ErrRequired, http.StatusPreconditionFailed, 3000, "не заполнено обязательное поле"},
		{company.ErrLinked, http.StatusConflict, 1028, "объект используется и не может быть удален"},
		{company.ErrNotFound, http.StatusNotFound, 1021, "объект не найден"},
	} {
		if errors.Is(err, known.err) {
			return refuse(known.status, known.code, "Ошибка сохранения объекта: %s", known.text)
		}
	}
	return err
}
