package api

import (
	"context"
	"slices"
	"time"

	"github.com/stockhand/stockhand"
)

// Organization is a tenant.
type Organization struct {
	ID        stockhand.OrgID `json:"id" example:"org_01kahx3e6v8qz5s0m4w7n2c9rt"`
	Name      string          `json:"name" example:"Shop"`
	CreatedAt time.Time       `json:"created_at"`
}

// Membership is an organization as one of its members sees it.
type Membership struct {
	Organization

	Role stockhand.Role `json:"role,omitempty" enum:"owner,admin,member,viewer" doc:"The caller's role; absent for a key"`
}

func organizationOf(o stockhand.Organization) Organization {
	return Organization{ID: o.ID, Name: o.Name, CreatedAt: o.Created}
}

func (s *Server) listOrganizations(ctx context.Context, in *struct{ Page }) (*List[Membership], error) {
	after, err := in.after()
	if err != nil {
		return nil, err
	}
	all, err := s.Auth.Organizations(ctx, stockhand.ActorOf(ctx))
	if err != nil {
		return nil, err
	}
	all = slices.DeleteFunc(all, func(m stockhand.Membership) bool { return string(m.ID) <= after })
	return listOf(all, in.Limit, func(m stockhand.Membership) string { return string(m.ID) },
		func(m stockhand.Membership) Membership { return Membership{organizationOf(m.Organization), m.Role} }), nil
}

// nameInput is the body for creating or renaming an organization.
type nameInput struct {
	Body struct {
		Name string `json:"name" minLength:"1" maxLength:"100" example:"Shop"`
	}
}

func (s *Server) createOrganization(ctx context.Context, in *nameInput) (*Answer[Organization], error) {
	o, err := s.Auth.CreateOrganization(ctx, stockhand.ActorOf(ctx), in.Body.Name)
	if err != nil {
		return nil, err
	}
	return answerOf(organizationOf(o))
}

func (s *Server) getOrganization(ctx context.Context, _ *struct{}) (*Answer[Organization], error) {
	o, err := s.Store.Organization(ctx, stockhand.ActorOf(ctx).Org)
	if err != nil {
		return nil, err
	}
	return answerOf(organizationOf(o))
}

func (s *Server) renameOrganization(ctx context.Context, in *nameInput) (*Answer[Organization], error) {
	a := stockhand.ActorOf(ctx)
	o, err := s.Auth.RenameOrganization(ctx, a, a.Org, in.Body.Name)
	if err != nil {
		return nil, err
	}
	return answerOf(organizationOf(o))
}
