package replay

import (
	"cmp"
	"context"
	"reflect"
	"slices"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/cassette"
)

// connected is a connection of the cassette that was stored.
type connected struct {
	cassette.Connection

	id stockhand.ConnectionID
}

// connectAll stores the connections that are not stored yet. Later ones of a name replace earlier ones.
func (s *stage) connectAll(ctx context.Context, all []cassette.Connection) error {
	for i, id := range inOrder(len(all)) {
		c := all[i]
		before, ok := s.connected[c.Name]
		if ok && reflect.DeepEqual(before.Connection, c) {
			continue
		}
		if ok {
			delete(s.names, before.id)
			if err := s.Store.DeleteConnection(ctx, s.Org, before.id, stockhand.AuditEntry{}); err != nil {
				return err
			}
		}
		if err := s.connect(ctx, c, id); err != nil {
			return err
		}
		s.names[id], s.connected[c.Name] = c.Name, connected{c, id}
	}
	return nil
}

// connect stores a connection of a cassette, whose credential is none.
func (s *stage) connect(ctx context.Context, c cassette.Connection, id stockhand.ConnectionID) error {
	sealed, err := s.Ring.Seal(s.Org, id, []byte(cmp.Or(c.Saved, "recorded")))
	if err != nil {
		return err
	}
	employee, login := "Employee", "employee@account"
	if c.Saved != "" { // a server has none
		employee, login = "", ""
	}
	_, err = s.Store.CreateConnection(ctx, s.Org, stockhand.Connection{ID: id, Org: s.Org,
		Connector: c.Connector, Account: c.Account, Label: c.Label, Organization: c.Organization, Rights: c.Rights,
		Employee: employee, Login: login, Sealed: sealed, Created: time.Now(), Verified: time.Now()})
	return err
}

// inOrder returns new IDs that sort as they are: connections are shown in the order of their IDs.
func inOrder(n int) (ids []stockhand.ConnectionID) {
	for range n {
		ids = append(ids, stockhand.NewID[stockhand.ConnectionID]("con"))
	}
	slices.Sort(ids)
	return ids
}
