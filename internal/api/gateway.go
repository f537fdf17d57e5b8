package api

import (
	"net/http"
)

func (s *Server) gateway(w http.ResponseWriter, r *http.Request) error { return errUnwritten }
