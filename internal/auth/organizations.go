package auth

import (
	"context"
	"slices"

	"github.com/stockhand/stockhand"
)

// The limits of memberships (rule R91).
const (
	MostMembers = 500 // of one organization
	MostOrgs    = 100 // that one person may belong to
)

var mostMemberships = stockhand.MemberLimits{Members: MostMembers, Organizations: MostOrgs}

// CreateOrganization makes an organization; the person who asks becomes its owner. AUTH_PERMISSION_DENIED unless the
// installation lets everyone create organizations; CONFLICT when they belong to [MostOrgs].
func (s *Service) CreateOrganization(ctx context.Context, a stockhand.Actor, name string) (stockhand.Organization,
	error) {
	if err := unbound(a); err != nil {
		return stockhand.Organization{}, err
	}
	if !s.AnyoneCreates {
		return stockhand.Organization{}, denied(
			stockhand.Words{Message: "only the operator of this installation creates organizations",
				Hint: "ask the operator to run: stockhand orgs create NAME --owner EMAIL"},
			stockhand.Words{Message: "организации создаёт только оператор этой установки",
				Hint: "попросите оператора выполнить: stockhand orgs create NAME --owner EMAIL"})
	}
	return s.found(ctx, a, a.User, name)
}

// CreateOrganizationFor makes an organization for its first owner. It is the operator's to call.
func (s *Service) CreateOrganizationFor(ctx context.Context, operator stockhand.Actor, owner stockhand.UserID,
	name string) (stockhand.Organization, error) {
	if err := operates(operator); err != nil {
		return stockhand.Organization{}, err
	}
	return s.found(ctx, operator, owner, name)
}

func (s *Service) found(ctx context.Context, a stockhand.Actor, owner stockhand.UserID, name string) (
	stockhand.Organization, error) {
	if wrong := named(name); len(wrong) > 0 {
		return stockhand.Organization{}, invalid(wrong...)
	}
	org := stockhand.NewID[stockhand.OrgID]("org")
	o, err := s.Store.FoundOrganization(ctx, org, name, owner, MostOrgs,
		s.entry(a, "organization.created", about("name", name)))
	s.changed()
	return o, err
}

// Organizations lists where the caller belongs, the oldest first: a person's organizations with their roles, and the
// one of a key.
func (s *Service) Organizations(ctx context.Context, a stockhand.Actor) ([]stockhand.Membership, error) {
	if a.User != "" {
		all, err := s.System.Memberships(ctx, a.User)
		return slices.DeleteFunc(all,
			func(m stockhand.Membership) bool { return a.Bound != "" && m.ID != a.Bound }), err
	}
	o, err := s.Store.Organization(ctx, a.Org)
	if err != nil {
		return nil, err
	}
	return []stockhand.Membership{{Organization: o, Role: a.Role}}, nil
}

// RenameOrganization gives the organization another name.
func (s *Service) RenameOrganization(ctx context.Context, a stockhand.Actor, org stockhand.OrgID,
	name string) (stockhand.Organization, error) {
	if err := administers(a, org); err != nil {
		return stockhand.Organization{}, err
	}
	if wrong := named(name); len(wrong) > 0 {
		return stockhand.Organization{}, invalid(wrong...)
	}
	o, err := s.Store.RenameOrganization(ctx, org, name, s.entry(a, "organization.renamed", about("name", name)))
	s.changed()
	return o, err
}

// AddMember makes the person with that email a member, whether they want it or not; they are created if unknown, and
// get a token from the operator. It is the operator's to call: everybody else invites ([Service.Invite]). CONFLICT when
// they are a member already.
func (s *Service) AddMember(ctx context.Context, operator stockhand.Actor, email string, role stockhand.Role) (
	stockhand.Member, error) {
	if err := operates(operator); err != nil {
		return stockhand.Member{}, err
	}
	if err := gives(operator, role); err != nil {
		return stockhand.Member{}, err
	}
	u, err := s.newUser(email, "")
	if err != nil {
		return stockhand.Member{}, err
	}
	m := stockhand.Member{Org: operator.Org, User: u, Role: role, Created: u.Created}
	m, err = s.Store.AddMember(ctx, operator.Org, m, mostMemberships,
		s.entry(operator, "member.added", about("email", u.Email, "role", string(role))))
	s.changed()
	return m, err
}

// Members lists the members: at most limit (1–200, 0 for 50) after the one that ended the page before.
func (s *Service) Members(ctx context.Context, a stockhand.Actor, org stockhand.OrgID, after stockhand.UserID,
	limit int) ([]stockhand.Member, error) {
	if a.Org != org {
		return nil, notTheOne()
	}
	if !a.May(stockhand.ScopeReadData) || org == "" {
		return nil, lacks(a, stockhand.ScopeReadData)
	}
	return s.Store.Members(ctx, org, after, limit)
}

// ChangeRole gives a member another role. Only owners make owners, or make them anything else; the last owner stays
// (CONFLICT).
func (s *Service) ChangeRole(ctx context.Context, a stockhand.Actor, org stockhand.OrgID, id stockhand.UserID,
	role stockhand.Role) (stockhand.Member, error) {
	if err := s.manages(ctx, a, org); err != nil {
		return stockhand.Member{}, err
	}
	if err := gives(a, role); err != nil {
		return stockhand.Member{}, err
	}
	m, err := s.Store.Member(ctx, org, id)
	if err != nil {
		return stockhand.Member{}, err
	}
	if err := gives(a, m.Role); err != nil {
		return stockhand.Member{}, err
	}
	if m.Role == role {
		return m, nil
	}
	entry := s.entry(a, "member.changed",
		about("user_id", string(id), "email", m.User.Email, "from", string(m.Role), "to", string(role)))
	err = s.Store.ChangeMember(ctx, org, id, m.Role, role, entry)
	s.changed()
	m.Role = role
	return m, err
}

// RemoveMember ends a membership, and returns what it was with the keys that the person created. They are revoked with
// what these created, or with transfer pass to the person who calls. Only owners remove owners; the last owner stays
// (CONFLICT).
func (s *Service) RemoveMember(ctx context.Context, a stockhand.Actor, org stockhand.OrgID, id stockhand.UserID,
	transfer bool) (stockhand.Departure, error) {
	if err := s.manages(ctx, a, org); err != nil {
		return stockhand.Departure{}, err
	}
	if !transfer {
		return s.remove(ctx, a, org, id, "member.removed", "")
	}
	if a.Key != "" {
		return stockhand.Departure{}, person(a)
	}
	return s.remove(ctx, a, org, id, "member.removed", a.Name)
}

func (s *Service) remove(ctx context.Context, a stockhand.Actor, org stockhand.OrgID, id stockhand.UserID,
	action, heir string) (stockhand.Departure, error) {
	m, err := s.Store.Member(ctx, org, id)
	if err != nil {
		return stockhand.Departure{}, err
	}
	if err := gives(a, m.Role); err != nil {
		return stockhand.Departure{}, err
	}
	keys, err := s.Store.RemoveMember(ctx, org, id, m.Role, heir,
		s.entry(a, action, about("user_id", string(id), "email", m.User.Email, "role", string(m.Role))))
	s.changed()
	return stockhand.Departure{Member: m, Keys: keys, Transferred: heir != ""}, err
}

// manages refuses who may not manage members: besides those who do not administer the organization these are keys that
// may be used from some addresses only. What is stolen from there must not make somebody who calls from anywhere.
func (s *Service) manages(ctx context.Context, a stockhand.Actor, org stockhand.OrgID) error {
	if err := administers(a, org); err != nil {
		return err
	}
	own, err := s.own(ctx, a)
	if err == nil && len(own.AllowedIPs) > 0 {
		err = denied(
			stockhand.Words{Message: "a key with allowed_ips manages no members",
				Hint: "let a person do it with a user token, or use a key without allowed_ips"},
			stockhand.Words{Message: "ключ, привязанный к адресам, не управляет участниками",
				Hint: "сделайте это с токеном пользователя или ключом без allowed_ips"})
	}
	return err
}

// gives refuses an unknown role, the owner's to all but owners, and to keys every role that can confirm what is written
// or open a gate: what was given to a program must not make a person who may do what it may not (rule R92).
func gives(a stockhand.Actor, role stockhand.Role) error {
	switch {
	case !slices.Contains(stockhand.Roles(), role):
		return invalid(stockhand.FieldError{Field: "role", Message: "must be of owner, admin, member, viewer"})
	case a.Key != "" && role != stockhand.RoleViewer:
		return denied(stockhand.Words{Message: "an API key decides about viewers only",
			Hint: "let a person who is owner or admin do it with their user token"},
			stockhand.Words{Message: "ключ решает только о наблюдателях",
				Hint: "пусть это сделает владелец или администратор со своим токеном пользователя"})
	case role == stockhand.RoleOwner && a.Role != stockhand.RoleOwner:
		return denied(stockhand.Words{Message: "only an owner decides about owners",
			Hint: "have an owner do it with their user token; admins cannot"},
			stockhand.Words{Message: "о владельцах решает только владелец",
				Hint: "пусть это сделает владелец со своим токеном; администраторы не могут"})
	}
	return nil
}

// Bootstrapped is what a new installation begins with.
type Bootstrapped struct {
	Org   stockhand.Organization
	User  stockhand.User
	Token string // of the owner, shown this once; it never expires
}

// Bootstrap gives an installation without members its first owner and their token, and reports whether it did: of
// several replicas that start at once one does. The owner gets a new organization, or the one that was used from the
// command line before.
func (s *Service) Bootstrap(ctx context.Context, organizationName, ownerEmail string) (Bootstrapped, bool, error) {
	if wrong := named(organizationName); len(wrong) > 0 {
		return Bootstrapped{}, false, invalid(wrong...)
	}
	u, err := s.newUser(ownerEmail, "")
	if err != nil {
		return Bootstrapped{}, false, err
	}
	t, secret, hash := s.newToken(u.ID, "first owner", u.Created)
	o := stockhand.Organization{ID: stockhand.NewID[stockhand.OrgID]("org"), Name: organizationName, Created: u.Created}
	entry := s.entry(stockhand.Actor{Name: "system"}, "member.added",
		about("email", u.Email, "role", string(stockhand.RoleOwner)))
	of, who, created, err := s.System.Bootstrap(ctx, o, u, t, hash, entry)
	s.changed()
	if err != nil || !created {
		return Bootstrapped{}, false, err
	}
	return Bootstrapped{Org: of, User: who, Token: secret}, true, nil
}
