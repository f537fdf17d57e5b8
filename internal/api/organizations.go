package api

import (
	"context"
	"slices"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/api/wire"
)

func (s *Server) listOrganizations(ctx context.Context, in *struct{ Page }) (*List[wire.Membership], error) {
	return pageOf(in.Page, func(m stockhand.Membership) stockhand.OrgID { return m.ID },
		func(m stockhand.Membership) wire.Membership {
			return wire.Membership{Organization: wire.OrganizationOf(m.Organization), Role: m.Role,
				Home: m.Home}
		},
		func(after stockhand.OrgID, _ int) ([]stockhand.Membership, error) {
			all, err := s.Auth.Organizations(ctx, stockhand.ActorOf(ctx))
			return slices.DeleteFunc(all, func(m stockhand.Membership) bool { return m.ID <= after }), err
		})
}

// nameInput is the body for creating or renaming an organization.
type nameInput struct {
	Body struct {
		Name string `json:"name" minLength:"1" maxLength:"100" example:"Shop"`
	}
}

func (s *Server) createOrganization(ctx context.Context, in *nameInput) (*Answer[wire.Organization], error) {
	return answerAs(wire.OrganizationOf)(s.Auth.CreateOrganization(ctx, stockhand.ActorOf(ctx), in.Body.Name))
}

func (s *Server) getOrganization(ctx context.Context, _ *struct{}) (*Answer[wire.Organization], error) {
	return answerAs(wire.OrganizationOf)(s.Store.Organization(ctx, stockhand.ActorOf(ctx).Org))
}

func (s *Server) renameOrganization(ctx context.Context, in *nameInput) (*Answer[wire.Organization], error) {
	a := stockhand.ActorOf(ctx)
	return answerAs(wire.OrganizationOf)(s.Auth.RenameOrganization(ctx, a, a.Org, in.Body.Name))
}

func (s *Server) deleteOrganizationData(ctx context.Context, _ *struct{}) (*struct{}, error) {
	a := stockhand.ActorOf(ctx)
	return nil, s.Auth.EraseOrganization(ctx, a, a.Org)
}
