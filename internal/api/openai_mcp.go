package api

import "net/http"

// The OpenAI endpoints and MCP are implemented by internal/openai and internal/mcp; the guard here decides who may call
// them.

// mcp mounts the MCP server. Any valid token may connect; the server checks the scope of each call.
func (s *Server) mcp() {
	if s.MCP == nil {
		return
	}
	r := route{pattern: "/mcp", access: signedIn, name: "mcp",
		handler: plain(func(w http.ResponseWriter, r *http.Request) error {
			s.MCP.ServeHTTP(w, r)
			return nil
		}).passesQuery().streams()}
	s.mux.Handle(r.pattern, &guard{Server: s, route: r, pattern: r.pattern, serve: r.handler.plain})
}
