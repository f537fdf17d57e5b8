package documents

import (
	"context"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/stockhand/stockhand/internal/connector/moysklad/account"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
)

// names are the names of what documents refer to, by ID. IDs are unique over all types.
type names map[msapi.ID]string

func (n names) of(r msapi.Ref) string {
	if name := n[r.ID]; name != "" {
		return name
	}
	return r.Name
}

// name reads the names that the documents need: lists that are cached, states of their types, and their
// counterparties. A name that the employee may not see stays empty.
func (c *call) name(ctx context.Context, rows []row) error {
	c.names, c.closing = names{}, map[msapi.ID]msapi.State{}
	needs := func(of func(*row) msapi.Ref) bool {
		return slices.ContainsFunc(rows, func(r row) bool { ref := of(&r); return ref.ID != "" && ref.Name == "" })
	}
	work, inner := errgroup.WithContext(ctx)
	found := make(chan names)
	var states sync.Mutex // guards c.closing
	add := func(needed bool, read func(names) error) {
		if !needed {
			return
		}
		work.Go(func() error {
			n := names{}
			if err := read(n); err != nil && !msapi.IsForbidden(err) {
				return err
			}
			found <- n
			return nil
		})
	}
	add(needs(func(r *row) msapi.Ref { return r.Store }) || needs(func(r *row) msapi.Ref { return r.From }) ||
		needs(func(r *row) msapi.Ref { return r.Products }), func(n names) error {
		list, err := c.StoreList(inner)
		for _, x := range list {
			n[x.ID] = x.Name
		}
		return err
	})
	add(needs(func(r *row) msapi.Ref { return r.Owner }), func(n names) error {
		list, err := c.EmployeeList(inner)
		for _, x := range list {
			n[x.ID] = x.Name
		}
		return err
	})
	add(needs(func(r *row) msapi.Ref { return r.Organization }), func(n names) error {
		list, err := c.OrganizationList(inner)
		for _, x := range list {
			n[x.ID] = x.Name
		}
		return err
	})
	add(needs(func(r *row) msapi.Ref { return r.Project }), func(n names) error {
		list, err := c.ProjectList(inner)
		for _, x := range list {
			n[x.ID] = x.Name
		}
		return err
	})
	for _, k := range kinds {
		add(slices.ContainsFunc(rows, func(r row) bool { return r.of == k && r.State.ID != "" }),
			func(n names) error {
				list, err := c.StateList(inner, string(k.name))
				states.Lock()
				defer states.Unlock()
				for _, x := range list {
					n[x.ID], c.closing[x.ID] = x.Name, x
				}
				return err
			})
	}
	add(true, func(n names) error { return c.nameAgents(inner, rows, n) })
	failed := make(chan error, 1)
	go func() { failed <- work.Wait(); close(found) }()
	for n := range found {
		for id, name := range n {
			c.names[id] = name
		}
	}
	return <-failed
}

// nameAgents reads the counterparties of the documents: those alone, unless all are cached.
func (c *call) nameAgents(ctx context.Context, rows []row, n names) error {
	list, _ := c.KnownCounterparties()
	for _, x := range list {
		n[x.ID] = x.Name
	}
	wanted := map[msapi.ID]bool{}
	for _, r := range rows {
		if id := r.Agent.ID; id != "" && r.Agent.Name == "" && n[id] == "" {
			wanted[id] = true
		}
	}
	if len(wanted) == 0 {
		return nil
	}
	query := msapi.ListQuery{Archived: msapi.ArchivedAlso}
	for id := range wanted {
		query.IDs = append(query.IDs, id)
	}
	slices.Sort(query.IDs)
	err := account.Each(c.Call, c.Reader.Counterparties(ctx, query),
		func(x msapi.Counterparty) { n[x.ID] = x.Name })
	if msapi.IsForbidden(err) {
		c.Missing(account.SectionCounterparties, "имена контрагентов не показаны",
			"the names of counterparties are not shown")
	}
	return err
}
