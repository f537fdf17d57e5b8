package api

import (
	"context"
)

func (s *Server) createKey(ctx context.Context, in *struct{}) (*struct{}, error) {
	return nil, errUnwritten
}

func (s *Server) listKeys(ctx context.Context, in *struct{}) (*struct{}, error) {
	return nil, errUnwritten
}

func (s *Server) keyReport(ctx context.Context, in *struct{}) (*struct{}, error) {
	return nil, errUnwritten
}

func (s *Server) key(ctx context.Context, in *struct{}) (*struct{}, error) { return nil, errUnwritten }

func (s *Server) revokeKey(ctx context.Context, in *struct{}) (*struct{}, error) {
	return nil, errUnwritten
}

func (s *Server) rotateKey(ctx context.Context, in *struct{}) (*struct{}, error) {
	return nil, errUnwritten
}
