package account

import (
	"context"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
)

// Names lists names from the account to understand a task. Goods are not included because there may be hundreds of
// thousands; use FindGoods. Kinds that the employee may not see are left out.
//
// Any counterparty counts as a supplier: nothing marks suppliers (fact M60), and reading the catalogue to find out
// would take a request per thousand goods before each question. The moysklad_reference tool does identify real
// suppliers.
func (a *Account) Names(ctx context.Context, kinds ...connector.NameKind) ([]connector.Name, error) {
	lists := make([][]connector.Name, len(kinds))
	work, inner := errgroup.WithContext(ctx)
	for i, kind := range kinds {
		work.Go(func() error {
			list, err := a.NamesOf(inner, kind)
			if err != nil && (msapi.IsForbidden(err) || msapi.IsTariff(err)) {
				return nil
			}
			lists[i] = list
			return err
		})
	}
	if err := work.Wait(); err != nil {
		return nil, err
	}
	return slices.Concat(lists...), nil
}

func (a *Account) NamesOf(ctx context.Context, kind connector.NameKind) ([]connector.Name, error) {
	switch kind {
	case connector.NameStore:
		list, err := a.StoreList(ctx)
		return named(kind, list, func(x msapi.Store) (msapi.Named, []string) {
			return x.Named, []string{x.Code, JoinPath(x.PathName, x.Name)}
		}), err
	case connector.NameGroup:
		list, err := a.FolderList(ctx)
		return named(kind, list, func(x msapi.Folder) (msapi.Named, []string) {
			if path := x.Path(); path != x.Name {
				return x.Named, []string{x.Code, path}
			}
			return x.Named, []string{x.Code}
		}), err
	case connector.NameSupplier, connector.NameCounterparty:
		list, err := a.CounterpartyList(ctx)
		return named(kind, list, func(x msapi.Counterparty) (msapi.Named, []string) {
			return x.Named, []string{x.Code, x.LegalTitle}
		}), err
	case connector.NameEmployee:
		list, err := a.EmployeeList(ctx)
		return named(kind, list, func(x msapi.Colleague) (msapi.Named, []string) {
			return x.Named, []string{x.FullName, x.UID}
		}), err
	case connector.NameSalesChannel:
		list, err := a.ChannelList(ctx)
		return named(kind, list, func(x msapi.SalesChannel) (msapi.Named, []string) {
			return x.Named,
				[]string{x.Code}
		}), err
	case connector.NamePriceType:
		list, err := a.PriceTypeList(ctx)
		return named(kind, list, func(x msapi.PriceType) (msapi.Named, []string) {
			return msapi.Named{ID: x.ID, Name: x.Name}, nil
		}), err
	case connector.NameOrganization:
		list, err := a.OrganizationList(ctx)
		return named(kind, list, func(x msapi.Organization) (msapi.Named, []string) {
			return x.Named, []string{x.Code, x.LegalTitle}
		}), err
	case connector.NameProduct:
	}
	return nil, nil
}

func named[T any](kind connector.NameKind, list []T, of func(T) (msapi.Named, []string)) []connector.Name {
	names := make([]connector.Name, 0, len(list))
	for _, x := range list {
		n, words := of(x)
		names = append(names, connector.Name{Kind: kind, ID: string(n.ID), Name: n.Name,
			Also: slices.DeleteFunc(nonEmpty(words...), func(w string) bool { return w == n.Name })})
	}
	return names
}
