package account

import (
	"context"
	"iter"
	"sync"
	"time"

	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
)

// cachedList is a list that was read not long ago.
type cachedList[T any] struct {
	mu   sync.Mutex
	list []T
	at   time.Time
}

func (m *cachedList[T]) Fresh() ([]T, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.list, !m.at.IsZero() && time.Since(m.at) < cacheFor
}

// readCached returns the remembered list, or reads it: once, however many ask at the same time. The reading outlives the
// one who began it, because others may be waiting for it; a failed or unfinished reading is not remembered.
func readCached[T any](ctx context.Context, a *Account, m *cachedList[T], name string,
	read func(context.Context) ([]T, error)) ([]T, error) {
	if list, ok := m.Fresh(); ok {
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

func readAll[T any](read func(context.Context, msapi.ListQuery) iter.Seq2[T, error]) func(context.Context) ([]T, error) {
	return func(ctx context.Context) ([]T, error) { return msapi.Collect(read(ctx, msapi.ListQuery{})) }
}

func (a *Account) StoreList(ctx context.Context) ([]msapi.Store, error) {
	return readCached(ctx, a, &a.stores, "stores", readAll(a.Reader.Stores))
}

func (a *Account) FolderList(ctx context.Context) ([]msapi.Folder, error) {
	return readCached(ctx, a, &a.folders, "groups", readAll(a.Reader.Folders))
}

// MostCounterparties is how many counterparties are remembered by name. A list that long is five requests; beyond it
// a name is asked of the server when a tool needs one.
const MostCounterparties = 5000

func (a *Account) CounterpartyList(ctx context.Context) ([]msapi.Counterparty, error) {
	return readCached(ctx, a, &a.Counterparties, "counterparties", func(ctx context.Context) ([]msapi.Counterparty, error) {
		return msapi.Collect(a.Reader.Counterparties(ctx, msapi.ListQuery{First: MostCounterparties}))
	})
}

func (a *Account) EmployeeList(ctx context.Context) ([]msapi.Colleague, error) {
	return readCached(ctx, a, &a.employees, "employees", readAll(a.Reader.Employees))
}

func (a *Account) channelList(ctx context.Context) ([]msapi.SalesChannel, error) {
	return readCached(ctx, a, &a.channels, "channels", readAll(a.Reader.SalesChannels))
}

func (a *Account) PriceTypeList(ctx context.Context) ([]msapi.PriceType, error) {
	return readCached(ctx, a, &a.priceTypes, "price types", a.Reader.PriceTypes)
}

func (a *Account) OrganizationList(ctx context.Context) ([]msapi.Organization, error) {
	return readCached(ctx, a, &a.organizations, "organizations", readAll(a.Reader.Organizations))
}

func (a *Account) CurrencyList(ctx context.Context) ([]msapi.Currency, error) {
	return readCached(ctx, a, &a.currencies, "currencies", readAll(a.Reader.Currencies))
}

func (a *Account) OrderStates(ctx context.Context) ([]msapi.State, error) {
	return readCached(ctx, a, &a.states, "order states", a.Reader.CustomerOrderStates)
}
