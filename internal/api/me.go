package api

import (
	"context"
)

func (s *Server) me(ctx context.Context, in *struct{}) (*struct{}, error) { return nil, errUnwritten }

func (s *Server) listTokens(ctx context.Context, in *struct{}) (*struct{}, error) {
	return nil, errUnwritten
}

func (s *Server) createToken(ctx context.Context, in *struct{}) (*struct{}, error) {
	return nil, errUnwritten
}

func (s *Server) revokeToken(ctx context.Context, in *struct{}) (*struct{}, error) {
	return nil, errUnwritten
}
