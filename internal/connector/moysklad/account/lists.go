package account

import (
	"cmp"
	"context"
	"iter"
	"sync"
	"time"

	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi/survey"
)

// cachedList is a cached list.
type cachedList[T any] struct {
	keep time.Duration // how long it is valid; zero means cacheFor
	mu   sync.Mutex
	list []T
	at   time.Time // when it was read; zero if never
}

func (m *cachedList[T]) fresh() ([]T, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.list, !m.at.IsZero() && time.Since(m.at) < cmp.Or(m.keep, cacheFor)
}

// expired reports whether the list was read but is too old now.
func (m *cachedList[T]) expired() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return !m.at.IsZero() && time.Since(m.at) >= cmp.Or(m.keep, cacheFor)
}

// readCached returns the cached list or reads it, only once for concurrent callers. The read continues when its first
// caller gives up, because others may be waiting. A failed or incomplete read is not cached.
func readCached[T any](ctx context.Context, a *Account, m *cachedList[T], name string,
	read func(context.Context) ([]T, error)) ([]T, error) {
	if list, ok := m.fresh(); ok {
		return list, nil
	}
	flight := a.flights.DoChan(name, func() (any, error) {
		if list, ok := m.fresh(); ok { // read by a call that has just finished
			return list, nil
		}
		list, err := read(survey.Without(context.WithoutCancel(ctx)))
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

func readAll[T any](read func(context.Context, msapi.ListQuery) iter.Seq2[T, error]) func(context.Context) ([]T,
	error) {
	return func(ctx context.Context) ([]T, error) { return msapi.Collect(read(ctx, msapi.ListQuery{})) }
}

func (a *Account) StoreList(ctx context.Context) ([]msapi.Store, error) {
	return readCached(ctx, a, &a.stores, "stores", readAll(a.Reader.Stores))
}

// EveryStore returns the warehouses including archived ones, which documents and reports of the past still name.
func (a *Account) EveryStore(ctx context.Context) ([]msapi.Store, error) {
	return readCached(ctx, a, &a.everyStore, "stores", func(ctx context.Context) ([]msapi.Store, error) {
		return msapi.Collect(a.Reader.Stores(ctx, msapi.ListQuery{Archived: msapi.ArchivedAlso}))
	})
}

func (a *Account) FolderList(ctx context.Context) ([]msapi.Folder, error) {
	return readCached(ctx, a, &a.folders, "groups", readAll(a.Reader.Folders))
}

// KnownCounterparties returns the counterparties if they are cached.
func (a *Account) KnownCounterparties() ([]msapi.Counterparty, bool) { return a.counterparties.fresh() }

// MostCounterparties is the maximum number of counterparties to cache, which takes five requests. Beyond it, tools ask
// the server for the names that they need.
const MostCounterparties = 5000

func (a *Account) CounterpartyList(ctx context.Context) ([]msapi.Counterparty, error) {
	return readCached(ctx, a, &a.counterparties, "counterparties",
		func(ctx context.Context) ([]msapi.Counterparty, error) {
			return msapi.Collect(a.Reader.Counterparties(ctx, msapi.ListQuery{First: MostCounterparties}))
		})
}

func (a *Account) EmployeeList(ctx context.Context) ([]msapi.Colleague, error) {
	return readCached(ctx, a, &a.employees, "employees", readAll(a.Reader.Employees))
}

func (a *Account) ChannelList(ctx context.Context) ([]msapi.SalesChannel, error) {
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
	return a.StateList(ctx, "customerorder")
}

// StateList lists the states of a type of documents.
func (a *Account) StateList(ctx context.Context, document string) ([]msapi.State, error) {
	list, _ := a.states.LoadOrStore(document, &cachedList[msapi.State]{})
	return readCached(ctx, a, list.(*cachedList[msapi.State]), "states of "+document,
		//nolint:forcetypeassert // stored above
		func(ctx context.Context) ([]msapi.State, error) { return a.Reader.DocumentStates(ctx, document) })
}

func (a *Account) ProjectList(ctx context.Context) ([]msapi.Named, error) {
	return readCached(ctx, a, &a.projects, "projects", readAll(a.Reader.Projects))
}

func (a *Account) ContractList(ctx context.Context) ([]msapi.Named, error) {
	return readCached(ctx, a, &a.contracts, "contracts", readAll(a.Reader.Contracts))
}

func (a *Account) ExpenseItemList(ctx context.Context) ([]msapi.Named, error) {
	return readCached(ctx, a, &a.expenseItems, "expense items", readAll(a.Reader.ExpenseItems))
}

// BankAccountList lists the bank accounts of all own companies. It takes a request for each company.
func (a *Account) BankAccountList(ctx context.Context) ([]msapi.OrganizationAccount, error) {
	return readCached(ctx, a, &a.bankAccounts, "bank accounts",
		func(ctx context.Context) (all []msapi.OrganizationAccount, err error) {
			companies, err := a.OrganizationList(ctx)
			if err != nil {
				return nil, err
			}
			for _, o := range companies {
				list, err := msapi.Collect(a.Reader.OrganizationAccounts(ctx, o.ID))
				if err != nil {
					return nil, err
				}
				all = append(all, list...)
			}
			return all, nil
		})
}

func (a *Account) CountryList(ctx context.Context) ([]msapi.Named, error) {
	return readCached(ctx, a, &a.countries, "countries", readAll(a.Reader.Countries))
}

func (a *Account) UnitList(ctx context.Context) ([]msapi.Named, error) {
	return readCached(ctx, a, &a.units, "units", readAll(a.Reader.Units))
}

// UnitName returns a function that names units of measure. A unit that the employee may not see keeps its ID, so that
// quantities of different units are never added up (decision 19); no unit has the empty name.
func (a *Account) UnitName(ctx context.Context) (func(msapi.ID) string, error) {
	list, err := a.UnitList(ctx)
	if err != nil && !msapi.IsForbidden(err) {
		return nil, err
	}
	names := make(map[msapi.ID]string, len(list))
	for _, u := range list {
		names[u.ID] = u.Name
	}
	return func(id msapi.ID) string { return cmp.Or(names[id], string(id)) }, nil
}
