package api

import (
	"context"
)

func (s *Server) listMembers(ctx context.Context, in *struct{}) (*struct{}, error) {
	return nil, errUnwritten
}

func (s *Server) addMember(ctx context.Context, in *struct{}) (*struct{}, error) {
	return nil, errUnwritten
}

func (s *Server) changeMember(ctx context.Context, in *struct{}) (*struct{}, error) {
	return nil, errUnwritten
}

func (s *Server) removeMember(ctx context.Context, in *struct{}) (*struct{}, error) {
	return nil, errUnwritten
}
