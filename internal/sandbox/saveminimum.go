package sandbox

import (
	"encoding/json"
	"net/http"

	"github.com/stockhand/stockhand/internal/sandbox/company"
)

// minimumStock reads the minimum stock of a good (fact M116). A minimum that is the same for each store cannot be
// written, nor one that a variant inherits.
func (o *input) minimumStock(typ string, card *company.Card) {
	var raw json.RawMessage
	if there, _ := o.into("minimumStock", &raw); !there ||
		typ != string(company.Product) && typ != string(company.Variant) {
		return
	}
	if card.Minimum != nil && card.Minimum.Inherited {
		o.fail(refuse(http.StatusPreconditionFailed, 15006,
			"Ошибка сохранения модификации: унаследованный неснижаемый остаток нельзя изменить"))
		return
	}
	in, err := o.c.input(raw)
	if err != nil {
		o.fail(errType("minimumStock"))
		return
	}
	m := &company.Minimum{}
	kind := ""
	in.text("type", shortText, &kind)
	switch m.Type = company.MinimumType(kind); m.Type {
	case company.MinimumSum:
		if readNumber(in, "quantity", &m.Quantity); m.Quantity == 0 {
			m = nil
		}
	case company.MinimumVaried:
		o.storeMinimums(in, m)
	case company.MinimumSame:
		in.fail(errReadOnly("minimumStock"))
	default:
		in.fail(errType("minimumStock"))
	}
	if in.err != nil {
		o.fail(in.err)
		return
	}
	card.Minimum = m
}

func (o *input) storeMinimums(in *input, m *company.Minimum) {
	seen := map[*company.Store]bool{}
	in.list("storebalances", func(b *input) {
		x := company.StoreMinimum{}
		refer(b, "store", "store", &x.Store)
		readNumber(b, "quantity", &x.Quantity)
		switch {
		case b.err != nil:
			return
		case x.Store == nil:
			b.fail(errRequired("store"))
		case x.Store.Archived:
			b.fail(refuse(http.StatusPreconditionFailed, 16018, "Ошибка сохранения товара: склад в архиве"))
		case seen[x.Store]:
			b.fail(refuse(http.StatusPreconditionFailed, 16019, "Ошибка сохранения товара: склад указан дважды"))
		default:
			seen[x.Store] = true
			x.ID = o.c.account.DeriveID("minimum of "+string(x.Store.ID), len(m.Stores))
			m.Stores = append(m.Stores, x)
		}
	})
	if len(m.Stores) == 0 {
		in.fail(refuse(http.StatusPreconditionFailed, 16016,
			"Ошибка сохранения товара: нужен хотя бы один склад"))
	}
}
