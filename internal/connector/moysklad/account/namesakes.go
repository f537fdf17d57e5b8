package account

import (
	"context"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/connector/moysklad/wording"
)

// Namesakes are the counterparties that a text may mean.
type Namesakes struct {
	List  []msapi.Counterparty
	Exact bool // the text is a name, full legal name or code of each; if not, it is a part of one
	Cut   bool // more contain the text than were read
}

// FindNamesakes finds counterparties by name, full legal name and code alike. Those with exactly the text exclude those
// that contain it, and current ones exclude archived ones. If the list is cached and has an exact match, nothing is
// read: the answer would be the same, because archived counterparties are not in it.
func (c *Call) FindNamesakes(ctx context.Context, text string) (Namesakes, error) {
	text = strings.TrimSpace(text)
	folded := wording.Fold(text)
	exact := func(x msapi.Counterparty) bool {
		return slices.ContainsFunc(wordsOf(x), func(w string) bool { return w != "" && wording.Fold(w) == folded })
	}
	if known, cached := c.KnownCounterparties(); cached && len(known) < MostCounterparties {
		if list := only(known, exact); len(list) > 0 {
			return Namesakes{List: list, Exact: true}, nil
		}
	}
	list, cut, err := c.counterpartiesBy(ctx, msapi.Contains, text)
	if err == nil && cut { // an exact match may be beyond the page
		var same []msapi.Counterparty
		same, _, err = c.counterpartiesBy(ctx, msapi.Eq, text)
		list = append(list, same...)
	}
	if err != nil {
		return Namesakes{}, err
	}
	list = only(list, func(x msapi.Counterparty) bool { // the server may ignore a filter
		return slices.ContainsFunc(wordsOf(x), func(w string) bool { return strings.Contains(wording.Fold(w), folded) })
	})
	slices.SortFunc(list, func(x, y msapi.Counterparty) int { return Tie(0, x.Name, y.Name, x.ID, y.ID) })
	list = slices.CompactFunc(list, func(x, y msapi.Counterparty) bool { return x.ID == y.ID })
	n := Namesakes{Exact: slices.ContainsFunc(list, exact)}
	n.List, n.Cut = Prefer(Prefer(list, exact), func(x msapi.Counterparty) bool { return !x.Archived }), cut && !n.Exact
	return n, nil
}

func wordsOf(x msapi.Counterparty) []string { return []string{x.Name, x.Code, x.LegalTitle} }

// counterpartiesBy asks for counterparties by each of their names at once, archived ones too, a page of each at most.
func (c *Call) counterpartiesBy(ctx context.Context, op msapi.Op, text string) (all []msapi.Counterparty, cut bool,
	err error) {
	fields := []string{"name", "code", "legalTitle"}
	lists := make([][]msapi.Counterparty, len(fields))
	work, inner := errgroup.WithContext(ctx)
	for i, field := range fields {
		q := msapi.ListQuery{Filter: msapi.Filter{}.Where(field, op, text), Archived: msapi.ArchivedAlso,
			First: MaxFound}
		work.Go(func() error {
			return Each(c, c.Reader.Counterparties(inner, q),
				func(x msapi.Counterparty) { lists[i] = append(lists[i], x) })
		})
	}
	err = work.Wait()
	return slices.Concat(lists...), slices.ContainsFunc(lists, func(l []msapi.Counterparty) bool {
		return len(l) >= MaxFound
	}), err
}

// only returns the entries that fit.
func only[T any](list []T, fits func(T) bool) []T {
	return slices.DeleteFunc(slices.Clone(list), func(x T) bool { return !fits(x) })
}

// Prefer returns the entries that fit, or all of them if none does.
func Prefer[T any](list []T, fits func(T) bool) []T {
	if fit := only(list, fits); len(fit) > 0 {
		return fit
	}
	return list
}

// FindCounterparties finds the counterparties with exactly the names, full legal names, codes or IDs.
func (c *Call) FindCounterparties(ctx context.Context, field string, names []string) ([]msapi.Ref, error) {
	known, _ := c.KnownCounterparties()
	var found []msapi.Ref
	for _, name := range names {
		if id, ok := msapi.ParseID(name); ok {
			ref := msapi.Ref{Type: "counterparty", ID: id}
			for _, x := range known {
				if x.ID == id {
					ref.Name = x.Name
				}
			}
			found = append(found, ref)
			continue
		}
		namesakes, err := c.FindNamesakes(ctx, name)
		if err != nil {
			return nil, err
		}
		matched, err := Match(c, field, []string{name}, namesakes.List,
			func(x msapi.Counterparty) (msapi.ID, []string) { return x.ID, wordsOf(x) })
		if err != nil {
			return nil, err
		}
		for _, m := range matched {
			found = append(found, msapi.Ref{Type: "counterparty", ID: m.ID, Name: m.Name})
		}
	}
	return found, c.nameThem(ctx, found)
}

// nameThem reads the names of counterparties that are given by ID, in one request: an answer names them. Of many, the
// answer shows a few only, and their IDs do.
func (c *Call) nameThem(ctx context.Context, refs []msapi.Ref) error {
	const most = 10
	filter, unnamed := msapi.Filter{}, 0
	for _, r := range refs {
		if r.Name == "" {
			filter, unnamed = filter.Where("id", msapi.Eq, string(r.ID)), unnamed+1
		}
	}
	if unnamed == 0 || unnamed > most {
		return nil
	}
	return Each(c, c.Reader.Counterparties(ctx, msapi.ListQuery{Filter: filter, Archived: msapi.ArchivedAlso,
		First: most}), func(x msapi.Counterparty) {
		for i := range refs {
			if refs[i].ID == x.ID {
				refs[i].Name = x.Name
			}
		}
	})
}
