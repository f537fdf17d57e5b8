package api

import (
	"context"
)

func (s *Server) listConnectors(ctx context.Context, in *struct{}) (*struct{}, error) {
	return nil, errUnwritten
}

func (s *Server) connector(ctx context.Context, in *struct{}) (*struct{}, error) {
	return nil, errUnwritten
}

func (s *Server) executeOperation(ctx context.Context, in *struct{}) (*struct{}, error) {
	return nil, errUnwritten
}
