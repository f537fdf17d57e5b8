package api

import (
	"net/http"

	"github.com/stockhand/stockhand"
)

// The other faces of the service: the OpenAI format and MCP. They are served elsewhere; who may call them is decided
// here.

var errNoFace = &stockhand.Error{Code: stockhand.CodeNotFound, Message: "this service does not offer that",
	RU: stockhand.Words{Message: "этот сервис такого не предлагает"}}

func (s *Server) chat(w http.ResponseWriter, r *http.Request) error {
	if s.Chat == nil {
		return errNoFace
	}
	return s.Chat(w, r)
}

func (s *Server) models(w http.ResponseWriter, r *http.Request) error {
	if s.Models == nil {
		return errNoFace
	}
	return s.Models(w, r)
}

// mcp mounts the MCP server for whoever is signed in: it asks for the scope of each tool itself, by the actor in the
// context.
func (s *Server) mcp() {
	if s.MCP == nil {
		return
	}
	r := route{path: "/mcp", access: signedIn, name: "mcp",
		handler: plain(func(w http.ResponseWriter, r *http.Request) error {
			s.MCP.ServeHTTP(w, r)
			return nil
		}).passesQuery()}
	s.mux.Handle(r.path, guard{Server: s, route: r, pattern: r.path, serve: r.handler.plain})
}
