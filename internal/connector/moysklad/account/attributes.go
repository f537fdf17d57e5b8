package account

import (
	"context"

	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
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
