package api

import (
	"net/http"
)

func (s *Server) result(w http.ResponseWriter, r *http.Request) error { return errUnwritten }
