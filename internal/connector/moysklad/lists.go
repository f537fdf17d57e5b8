package moysklad

import (
	"context"
	"iter"
	"sync"
	"time"

	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
)

// remembered is a list that was read not long ago.
type remembered[T any] struct {
	mu   sync.Mutex
	list []T
	at   time.Time
}

func (m *remembered[T]) fresh() ([]T, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.list, !m.at.IsZero() && time.Since(m.at) < memory
}

// recall returns the remembered list, or reads it: once, however many ask at the same time. The reading outlives the
// one who began it, because others may be waiting for it; a failed or unfinished reading is not remembered.
func recall[T any](ctx context.Context, a *account, m *remembered[T], name string,
	read func(context.Context) ([]T, error)) ([]T, error) {
	if list, ok := m.fresh(); ok {
		return list, nil
	}
	flight := a.flights.DoChan(name, func() (any, error) {
		list, err := read(context.WithoutCancel(ctx))
		if err != nil {
			if _, ok := msapi.IsIncomplete(err); ok {
				return list, nil
			}
			return nil, err
		}
		m.mu.Lock()
		defer m.mu.Unlock()
		m.list, m.at = list, time.Now()
		return list, nil
	})
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case r := <-flight:
		if r.Err != nil {
			return nil, r.Err
		}
		list, _ := r.Val.([]T)
		return list, nil
	}
}

func whole[T any](read func(context.Context, msapi.ListQuery) iter.Seq2[T, error]) func(context.Context) ([]T, error) {
	return func(ctx context.Context) ([]T, error) { return msapi.Collect(read(ctx, msapi.ListQuery{})) }
}

func (a *account) storeList(ctx context.Context) ([]msapi.Store, error) {
	return recall(ctx, a, &a.stores, "stores", whole(a.reader.Stores))
}

func (a *account) folderList(ctx context.Context) ([]msapi.Folder, error) {
	return recall(ctx, a, &a.folders, "groups", whole(a.reader.Folders))
}

// mostCounterparties is how many counterparties are remembered by name. A list that long is five requests; beyond it
// a name is asked of the server when a tool needs one.
const mostCounterparties = 5000

func (a *account) counterpartyList(ctx context.Context) ([]msapi.Counterparty, error) {
	return recall(ctx, a, &a.counterparties, "counterparties", func(ctx context.Context) ([]msapi.Counterparty, error) {
		return msapi.Collect(a.reader.Counterparties(ctx, msapi.ListQuery{First: mostCounterparties}))
	})
}

func (a *account) employeeList(ctx context.Context) ([]msapi.Colleague, error) {
	return recall(ctx, a, &a.employees, "employees", whole(a.reader.Employees))
}

func (a *account) channelList(ctx context.Context) ([]msapi.SalesChannel, error) {
	return recall(ctx, a, &a.channels, "channels", whole(a.reader.SalesChannels))
}

func (a *account) priceTypeList(ctx context.Context) ([]msapi.PriceType, error) {
	return recall(ctx, a, &a.priceTypes, "price types", a.reader.PriceTypes)
}

func (a *account) organizationList(ctx context.Context) ([]msapi.Organization, error) {
	return recall(ctx, a, &a.organizations, "organizations", whole(a.reader.Organizations))
}

func (a *account) currencyList(ctx context.Context) ([]msapi.Currency, error) {
	return recall(ctx, a, &a.currencies, "currencies", whole(a.reader.Currencies))
}

func (a *account) orderStates(ctx context.Context) ([]msapi.State, error) {
	return recall(ctx, a, &a.states, "order states", a.reader.CustomerOrderStates)
}
