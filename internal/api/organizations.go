package api

import (
	"context"
	"slices"

	"github.com/stockhand/stockhand/internal/api/wire"

	"github.com/stockhand/stockhand"
)

func (s *Server) listOrganizations(ctx context.Context, in *struct{ Page }) (*List[wire.Membership], error) {
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
		func(m stockhand.Membership) wire.Membership {
			return wire.Membership{Organization: wire.OrganizationOf(m.Organization), Role: m.Role}
		}), nil
}

// nameInput is the body for creating or renaming an organization.
type nameInput struct {
	Body struct {
		Name string `json:"name" minLength:"1" maxLength:"100" example:"Shop"`
	}
}

func (s *Server) createOrganization(ctx context.Context, in *nameInput) (*Answer[wire.Organization], error) {
	o, err := s.Auth.CreateOrganization(ctx, stockhand.ActorOf(ctx), in.Body.Name)
	if err != nil {
		return nil, err
	}
	return answerOf(wire.OrganizationOf(o))
}

func (s *Server) getOrganization(ctx context.Context, _ *struct{}) (*Answer[wire.Organization], error) {
	o, err := s.Store.Organization(ctx, stockhand.ActorOf(ctx).Org)
	if err != nil {
		return nil, err
	}
	return answerOf(wire.OrganizationOf(o))
}

func (s *Server) renameOrganization(ctx context.Context, in *nameInput) (*Answer[wire.Organization], error) {
	a := stockhand.ActorOf(ctx)
	o, err := s.Auth.RenameOrganization(ctx, a, a.Org, in.Body.Name)
	if err != nil {
		return nil, err
	}
	return answerOf(wire.OrganizationOf(o))
}
