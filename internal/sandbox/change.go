package sandbox

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/sandbox/company"
)

// wireGood is a change of a good: its prices, which is all that the sandbox lets change.
type wireGood struct {
	Meta *struct {
		Href string `json:"href"`
		Type string `json:"type"`
	} `json:"meta"`
	SalePrices []wirePrice `json:"salePrices"`
	BuyPrice   *wirePrice  `json:"buyPrice"`
	MinPrice   *wirePrice  `json:"minPrice"`
}

type wirePrice struct {
	Value     json.Number `json:"value"`
	Currency  *wireRef    `json:"currency"`
	PriceType *wireRef    `json:"priceType"`
}

// changePrices changes prices of the good with that id, or of the one that the body's meta names. Price types that the
// body does not list stay as they are (fact M47).
func (c *call) changePrices(typ, id string, raw json.RawMessage) (func(*encoder), error) {
	if !c.employee.can("update", typ) {
		return nil, refuse(http.StatusForbidden, 1017, "Ошибка доступа: нет прав на изменение объекта типа '%s'", typ)
	}
	var w wireGood
	if err := c.decode(raw, &w); err != nil {
		return nil, err
	}
	if id == "" {
		if w.Meta == nil {
			return nil, errMethod() // a create, which the sandbox has not
		}
		var err error
		if _, id, err = c.refID("meta", &wireRef{Meta: w.Meta}, typ); err != nil {
			return nil, err
		}
	}
	t := collections[typ].(*entity[good])
	g, ok := t.find(c.account, id)
	if !ok {
		return nil, errNotFound(typ, id)
	}
	n := company.NewPrices{Sale: map[*company.PriceType]company.Price{}}
	for i := range w.SalePrices {
		priceType, err := c.priceTypeOf(w.SalePrices[i].PriceType)
		if err != nil {
			return nil, err
		}
		price, err := c.readPrice("salePrices", &w.SalePrices[i])
		if err != nil {
			return nil, err
		}
		n.Sale[priceType] = *price
	}
	var err error
	if n.Buy, err = c.readPrice("buyPrice", w.BuyPrice); err != nil {
		return nil, err
	}
	if n.Minimum, err = c.readPrice("minPrice", w.MinPrice); err != nil {
		return nil, err
	}
	if err := c.account.SetPrices(g.ID, n); err != nil {
		return nil, changeError(err)
	}
	return func(e *encoder) { e.object(func() { t.write(c, e, g, nil, "") }) }, nil
}

// priceTypeOf finds the price type of a sale price. One of another account is not found.
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

// readPrice reads a price; nil when the body has none. Without a currency it is in the account's.
func (c *call) readPrice(field string, w *wirePrice) (*company.Price, error) {
	if w == nil {
		return nil, nil
	}
	if w.Value == "" {
		return nil, errRequired(field + ".value")
	}
	v, err := amount(field, w.Value)
	if err != nil {
		return nil, err
	}
	if v < 0 {
		return nil, refuse(http.StatusPreconditionFailed, 3002,
			"Ошибка сохранения объекта: цена не может быть отрицательной")
	}
	currency, err := resolve[*company.Currency](c, field+".currency", w.Currency, "currency")
	if err != nil {
		return nil, err
	}
	if currency == nil {
		currency = c.account.Catalogue().Currencies[0]
	}
	return &company.Price{Value: company.Money(v), Currency: currency}, nil
}

// deleteDocument deletes a document and all that it did to the figures. The answer has no body.
func (c *call) deleteDocument(typ, id string) error {
	if !isID(id) {
		return refuse(http.StatusPreconditionFailed, 1052, "Неверный идентификатор: '%s'", id)
	}
	t := collections[typ].(*entity[document])
	d, err := t.object(c, id)
	if err != nil {
		return err
	}
	if !c.employee.can("delete", typ) {
		return refuse(http.StatusForbidden, 1018, "Ошибка доступа: нет прав на удаление объекта типа '%s'", typ)
	}
	if limit := c.server.options.ClosedBefore; d.Moment.Before(limit) {
		return refuse(http.StatusPreconditionFailed, 17009, "Ошибка: документ относится к закрытому периоду")
	}
	if err := c.account.Delete(d.ID); err != nil {
		return changeError(err)
	}
	return nil
}

func (c *call) deleteBySyncID(typ, syncID string) error {
	all := c.account.Documents(company.DocumentType(typ))
	i := slices.IndexFunc(all, func(d document) bool {
		return d.SyncID != "" &&
			strings.EqualFold(string(d.SyncID), syncID)
	})
	if i < 0 {
		return errNotFound(typ, syncID)
	}
	return c.deleteDocument(typ, string(all[i].ID))
}

// deleteNamed deletes the document that an element of a bulk deletion names.
func (c *call) deleteNamed(typ string, raw json.RawMessage) (func(*encoder), error) {
	var w wireRef
	if err := c.decode(raw, &w); err != nil {
		return nil, err
	}
	_, id, err := c.refID("meta", &w, typ)
	if err != nil {
		return nil, err
	}
	if err := c.deleteDocument(typ, id); err != nil {
		return nil, err
	}
	return func(e *encoder) {
		e.object(func() {
			e.key("info")
			e.string("Сущность '" + typ + "' с UUID: " + id + " успешно удалена")
		})
	}, nil
}
