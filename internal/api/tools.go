package api

import (
	"context"
)

func (s *Server) listTools(ctx context.Context, in *struct{}) (*struct{}, error) {
	return nil, errUnwritten
}

func (s *Server) tool(ctx context.Context, in *struct{}) (*struct{}, error) { return nil, errUnwritten }

func (s *Server) executeTool(ctx context.Context, in *struct{}) (*struct{}, error) {
	return nil, errUnwritten
}
