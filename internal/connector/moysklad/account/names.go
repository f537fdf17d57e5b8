package account

import (
	"context"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/connector/moysklad/wording"
)

// maxNames is the maximum number of goods, and of counterparties, that are listed as names. That takes two requests.
// There may be hundreds of thousands.
const maxNames = 2 * 1000

// Names lists names from the account to understand a task. Kinds that the employee may not see are left out.
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
		list, err := readCached(ctx, a, &a.counterparties, "few counterparties",
			func(ctx context.Context) ([]msapi.Counterparty, error) {
				return msapi.Collect(a.Reader.Counterparties(few(ctx), msapi.ListQuery{}))
			})
		if len(list) > maxNames {
			return nil, connector.ErrTooMany
		}
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
	case connector.NameProject:
		list, err := a.ProjectList(ctx)
		return named(kind, list, func(x msapi.Named) (msapi.Named, []string) { return x, []string{x.Code} }), err
	case connector.NameExpenseItem:
		list, err := a.ExpenseItemList(ctx)
		return named(kind, list, func(x msapi.Named) (msapi.Named, []string) { return x, nil }), err
	case connector.NameState:
		list, err := a.OrderStates(ctx)
		return named(kind, list, func(x msapi.State) (msapi.Named, []string) {
			return msapi.Named{ID: x.ID, Name: x.Name}, nil
		}), err
	case connector.NameProduct:
		list, err := a.goodsList(ctx)
		names := make([]connector.Name, 0, len(list))
		for _, x := range list {
			names = append(names, goodsName(x))
		}
		return names, err
	}
	return nil, nil
}

// few returns a context in which only short lists are read. The first page tells how long a list is.
func few(ctx context.Context) context.Context {
	return msapi.WithSizes(ctx, func(_ string, size int) error {
		if size > maxNames {
			return connector.ErrTooMany
		}
		return nil
	})
}

// goodsList lists the goods with their names and codes only.
func (a *Account) goodsList(ctx context.Context) ([]msapi.AssortmentItem, error) {
	return readCached(ctx, a, &a.goods, "names of goods", func(ctx context.Context) ([]msapi.AssortmentItem, error) {
		list, err := msapi.Collect(a.Reader.Assortment(few(ctx), msapi.AssortmentQuery{}))
		for i := range list {
			list[i] = msapi.AssortmentItem{ID: list[i].ID, Name: list[i].Name, Code: list[i].Code,
				Article: list[i].Article, Barcodes: list[i].Barcodes}
		}
		return list, err
	})
}

// findCounterparties searches for counterparties by the beginnings of words.
func (a *Account) findCounterparties(ctx context.Context, kind connector.NameKind, text string, limit int) (
	[]connector.Name, error) {
	list, ok := a.KnownCounterparties()
	if !ok {
		var err error
		list, err = msapi.Collect(a.Reader.Counterparties(ctx, msapi.ListQuery{Search: Stems(text), First: limit}))
		if _, incomplete := msapi.IsIncomplete(err); err != nil && !incomplete {
			return nil, err
		}
	}
	words := strings.Fields(Stems(text))
	list = slices.DeleteFunc(slices.Clone(list), func(x msapi.Counterparty) bool {
		folded := wording.Fold(x.Name + " " + x.LegalTitle + " " + x.Code)
		return slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(folded, w) })
	})
	return named(kind, list[:min(limit, len(list))], func(x msapi.Counterparty) (msapi.Named, []string) {
		return x.Named, []string{x.Code, x.LegalTitle}
	}), nil
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
