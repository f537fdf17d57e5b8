package account

import (
	"context"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/tool"
)

// AttributeList returns the additional fields of a type of entity.
func (a *Account) AttributeList(ctx context.Context, entity string) ([]msapi.AttributeDefinition, error) {
	list, _ := a.attributes.LoadOrStore(entity, &cachedList[msapi.AttributeDefinition]{})
	return readCached(ctx, a, list.(*cachedList[msapi.AttributeDefinition]), "attributes of "+entity,
		//nolint:forcetypeassert // stored above
		func(ctx context.Context) ([]msapi.AttributeDefinition, error) {
			return msapi.Collect(a.Reader.Attributes(ctx, entity))
		})
}

// AttributeText returns the value of an additional field as text, or "" if it has none.
func AttributeText(a msapi.AttributeValue, l stockhand.Language) string {
	switch {
	case a.Type == msapi.AttributeFlag && a.Flag:
		return l.Pick("да", "yes")
	case a.Type == msapi.AttributeFlag:
		return l.Pick("нет", "no")
	case a.Number.Known:
		return tool.Number(a.Number.Decimal).Format(tool.UnitNumber, l)
	case !a.Time.IsZero():
		return tool.DayOf(a.Time.In(msapi.Moscow)).Format(l)
	case a.Link.ID != "":
		return a.Link.Name
	}
	return a.Text
}
