package api

import (
	"context"
)

func (s *Server) listConnections(ctx context.Context, in *struct{}) (*struct{}, error) {
	return nil, errUnwritten
}

func (s *Server) createConnection(ctx context.Context, in *struct{}) (*struct{}, error) {
	return nil, errUnwritten
}

func (s *Server) connection(ctx context.Context, in *struct{}) (*struct{}, error) {
	return nil, errUnwritten
}

func (s *Server) changeConnection(ctx context.Context, in *struct{}) (*struct{}, error) {
	return nil, errUnwritten
}

func (s *Server) deleteConnection(ctx context.Context, in *struct{}) (*struct{}, error) {
	return nil, errUnwritten
}

func (s *Server) verifyConnection(ctx context.Context, in *struct{}) (*struct{}, error) {
	return nil, errUnwritten
}
