package console

import (
	"log/slog"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/console/ask"
)

// asking is the section of questions, with the tables of its answers. A route whose path ends with /stream streams.
func (c *Console) asking() []Route {
	h := c.Ask
	if h.Frames, h.Clock = c.frames, c.Clock; h.Logger == nil {
		h.Logger = slog.New(slog.DiscardHandler)
	}
	h.Results.Frames, h.Results.Store, h.Results.Agent = c.frames, h.Store, h.Agent
	for _, k := range h.Kinds {
		if k.Behind != nil {
			h.Results.Behind = k.Behind
		}
	}
	h = ask.New(h)
	const asks = stockhand.ScopeWriteTools
	return []Route{
		{"GET /o/{org_id}/ask", "listSessions", readData, "", h.Home},
		{"POST /o/{org_id}/ask", "startTurn", asks, "turn.started", h.Start},
		{"POST /o/{org_id}/tiles/{tile}", "executeQuery", asks, "tool.called", h.ReadTile},
		{"GET /o/{org_id}/ask/{session_id}", "listMessages", readData, "session.read", h.Talk},
		{"POST /o/{org_id}/ask/{session_id}/rename", "renameSession", asks, "session.renamed", h.Rename},
		{"POST /o/{org_id}/ask/{session_id}/delete", "deleteSession", asks, "", h.Delete},
		{"GET /o/{org_id}/ask/{session_id}/{message_id}", "getMessage", readData, "session.read", h.Answer},
		{"GET /o/{org_id}/ask/{session_id}/{message_id}/stream", "streamEvents", readData, "session.read", h.Stream},
		{"POST /o/{org_id}/ask/{session_id}/{message_id}/cancel", "cancelTurn", asks, "turn.cancelled", h.Cancel},
		{"POST /o/{org_id}/ask/{session_id}/{message_id}/query", "executeQuery", asks, "tool.called", h.Query},
		{"GET /o/{org_id}/results/{result_id}", "getResult", readData, "result.read", h.Results.Show},
		{"GET /o/{org_id}/results/{result_id}/file", "getResult", readData, "result.read", h.Results.File},
		{"POST /o/{org_id}/results/{result_id}/open", "executeTool", asks, "tool.called", h.Results.Open},
	}
}
