package replay

import (
	"context"
	"slices"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/cassette"
)

// connect stores a connection of a cassette, whose credential is none.
func (s *stage) connect(ctx context.Context, c cassette.Connection, id stockhand.ConnectionID) error {
	sealed, err := s.Ring.Seal(s.Org, id, []byte("recorded"))
	if err != nil {
		return err
	}
	_, err = s.Store.CreateConnection(ctx, s.Org, stockhand.Connection{ID: id, Org: s.Org,
		Connector: c.Connector, Account: c.Account, Label: c.Label, Organization: c.Organization, Rights: c.Rights,
		Employee: "Employee", Login: "employee@account", Sealed: sealed, Created: time.Now(), Verified: time.Now()})
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
