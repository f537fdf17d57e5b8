package api

import (
	"context"
)

func (s *Server) listOrganizations(ctx context.Context, in *struct{}) (*struct{}, error) {
	return nil, errUnwritten
}

func (s *Server) createOrganization(ctx context.Context, in *struct{}) (*struct{}, error) {
	return nil, errUnwritten
}

func (s *Server) organization(ctx context.Context, in *struct{}) (*struct{}, error) {
	return nil, errUnwritten
}

func (s *Server) renameOrganization(ctx context.Context, in *struct{}) (*struct{}, error) {
	return nil, errUnwritten
}
