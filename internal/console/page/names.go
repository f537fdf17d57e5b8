package page

import (
	"context"
	"strings"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/console/text"
)

// MemberList lists the people of an organization.
type MemberList interface {
	Members(ctx context.Context, a stockhand.Actor, org stockhand.OrgID, after stockhand.UserID, limit int) (
		[]stockhand.Member, error)
}

// mostMembers is how many people's names are looked up.
const mostMembers = 200

// Names are the names of actors, by how records name them.
type Names map[string]string

// NamesOf returns the names of the organization's people.
func NamesOf(ctx context.Context, m MemberList, a stockhand.Actor) (Names, error) {
	all, err := m.Members(ctx, a, a.Org, "", mostMembers)
	names := make(Names, len(all))
	for _, m := range all {
		names["user:"+string(m.User.ID)] = PersonName(m.User)
	}
	return names, err
}

// PersonName returns how a person is called.
func PersonName(u stockhand.User) string {
	if u.Name != "" {
		return u.Name
	}
	return u.Email
}

// Of returns how an actor is called.
func (n Names) Of(ctx context.Context, actor string) string {
	switch kind, _, _ := strings.Cut(actor, ":"); {
	case n[actor] != "":
		return n[actor]
	case kind == "user":
		return text.Gone.In(ctx)
	case kind == "key":
		return text.APIKey.In(ctx)
	case kind == "system", kind == "agent":
		return text.TheServer.In(ctx)
	}
	return text.Operator.In(ctx)
}

// Keys finds API keys.
type Keys interface {
	Key(ctx context.Context, org stockhand.OrgID, id stockhand.KeyID) (stockhand.Key, error)
}

// AddKeys adds the names of the keys among the actors.
func (n Names) AddKeys(ctx context.Context, k Keys, org stockhand.OrgID, actors ...string) error {
	for _, actor := range actors {
		id, isKey := strings.CutPrefix(actor, "key:")
		if !isKey || n[actor] != "" {
			continue
		}
		key, err := k.Key(ctx, org, stockhand.KeyID(id))
		if err != nil && stockhand.CodeOf(err) != stockhand.CodeNotFound {
			return err
		}
		n[actor] = text.APIKey.In(ctx)
		if err == nil {
			n[actor] += " «" + key.Name + "»"
		}
	}
	return nil
}
