package auth

import (
	"context"
	"slices"

	"github.com/stockhand/stockhand"
)

// The limits of memberships (rule R91).
const (
	MostMembers = 500 // of one organization
	MostOrgs    = 100 // of one person
)

var mostMemberships = stockhand.MemberLimits{Members: MostMembers, Organizations: MostOrgs}

// CreateOrganization creates an organization with the caller as its owner. AUTH_PERMISSION_DENIED unless the
// installation allows everyone to create organizations; CONFLICT if the caller belongs to [MostOrgs].
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

// CreateOrganizationFor creates an organization for its first owner. Only for the operator.
func (s *Service) CreateOrganizationFor(ctx context.Context, operator stockhand.Actor, owner stockhand.UserID,
	name string) (stockhand.Organization, error) {
	if err := operates(operator); err != nil {
		return stockhand.Organization{}, err
	}
	u, err := s.System.User(ctx, owner)
	if err == nil && u.EmailProven.IsZero() {
		err = stockhand.ErrEmailUnproven
	}
	if err != nil {
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

// Organizations returns the caller's organizations, oldest first: those of a person with their roles, or that of a key.
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

// RenameOrganization renames an organization.
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

// EraseOrganization erases what an organization has stored, for good: the text of its messages, results and drafts
// (rule R164). Only for its owners, who must have proved who they are lately, and for the operator.
func (s *Service) EraseOrganization(ctx context.Context, a stockhand.Actor, org stockhand.OrgID) error {
	if err := administers(a, org); err != nil {
		return err
	}
	if operates(a) != nil {
		if err := gives(a, stockhand.RoleOwner); err != nil {
			return err
		}
		if err := s.Proven(a, ProvenFor); err != nil {
			return err
		}
	}
	return s.Store.EraseContents(ctx, org, s.entry(a, "organization.erased", nil))
}

// AddMember adds the person with that email without asking them, and creates the person if necessary; the operator
// gives them a token. Only for the operator; everyone else uses [Service.Invite]. CONFLICT if they are already a
// member.
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
		s.entry(operator, "member.added", about("email_hash", s.pseudonym(u.Email), "role", string(role))))
	s.changed()
	return m, err
}

// Members returns members: at most limit (1–200; 0 means 50) that come after the given one.
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

// ChangeRole changes a member's role. Only owners may grant or take away the role owner. CONFLICT for the last owner.
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
		about("user_id", string(id), "from", string(m.Role), "to", string(role)))
	err = s.Store.ChangeMember(ctx, org, id, m.Role, role, entry)
	s.changed()
	m.Role = role
	return m, err
}

// RemoveMember removes a member and returns the former membership with the keys that the person created. These keys and
// their descendants are revoked, or transferred to the calling person if transfer is set. Only owners remove owners.
// CONFLICT for the last owner.
func (s *Service) RemoveMember(ctx context.Context, a stockhand.Actor, org stockhand.OrgID, id stockhand.UserID,
	transfer bool) (stockhand.Departure, error) {
	if err := s.manages(ctx, a, org); err != nil {
		return stockhand.Departure{}, err
	}
	if !transfer {
		return s.remove(ctx, a, org, id, "member.removed", "")
	}
	if a.Key != "" {
		return stockhand.Departure{}, NeedPerson(a)
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
		s.entry(a, action, about("user_id", string(id), "role", string(m.Role))))
	s.changed()
	return stockhand.Departure{Member: m, Keys: keys, Transferred: heir != ""}, err
}

// manages returns an error unless the actor may manage members. Keys with an address list may not: a stolen one could
// otherwise create a member who calls from anywhere.
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

// gives returns an error unless the actor may grant the role. Only owners grant the role owner. Keys grant only roles
// that can neither confirm drafts nor lift restrictions: a program must not create a person with more power (rule R92).
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

// Bootstrapped is what a new installation starts with.
type Bootstrapped struct {
	Org  stockhand.Organization
	User stockhand.User
}

// Bootstrap creates the first owner of an installation without members, and reports whether it did. Of several replicas
// that start at the same time, one does. The owner gets a new organization, or the one that the command line used
// before. The owner has no token and no password; give them a link to sign in with.
func (s *Service) Bootstrap(ctx context.Context, organizationName, ownerEmail string) (Bootstrapped, bool, error) {
	if wrong := named(organizationName); len(wrong) > 0 {
		return Bootstrapped{}, false, invalid(wrong...)
	}
	u, err := s.newUser(ownerEmail, "")
	if err != nil {
		return Bootstrapped{}, false, err
	}
	o := stockhand.Organization{ID: stockhand.NewID[stockhand.OrgID]("org"), Name: organizationName, Created: u.Created}
	entry := s.entry(stockhand.Actor{Name: "system"}, "member.added",
		about("email_hash", s.pseudonym(u.Email), "role", string(stockhand.RoleOwner)))
	of, who, created, err := s.System.Bootstrap(ctx, o, u, entry)
	s.changed()
	if err != nil || !created {
		return Bootstrapped{}, false, err
	}
	return Bootstrapped{Org: of, User: who}, true, nil
}
