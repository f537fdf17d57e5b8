package api

import (
	"context"
)

func (s *Server) listUsage(ctx context.Context, in *struct{}) (*struct{}, error) {
	return nil, errUnwritten
}

func (s *Server) listAudit(ctx context.Context, in *struct{}) (*struct{}, error) {
	return nil, errUnwritten
}

func (s *Server) settings(ctx context.Context, in *struct{}) (*struct{}, error) {
	return nil, errUnwritten
}

func (s *Server) changeSettings(ctx context.Context, in *struct{}) (*struct{}, error) {
	return nil, errUnwritten
}
