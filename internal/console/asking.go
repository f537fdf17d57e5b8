package console

import (
	"log/slog"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/console/browse"
	"github.com/stockhand/stockhand/internal/console/drafts"
	"github.com/stockhand/stockhand/internal/console/find"
	"github.com/stockhand/stockhand/internal/console/results"
)

// asking is the section of questions, with the tables of its answers. A route whose path ends with /stream streams.
func (c *Console) asking() []Route {
	h := c.Ask
	if h.Frames, h.Clock = c.frames, c.Clock; h.Logger == nil {
		h.Logger = slog.New(slog.DiscardHandler)
	}
	h.Results, h.Calls = c.results(), c.calls
	const asks = stockhand.ScopeWriteTools
	return []Route{
		{"GET /o/{org_id}/ask", "listSessions", readData, "", h.Home},
		{"POST /o/{org_id}/ask", "startTurn", asks, "turn.started", h.Start},
		{"POST /o/{org_id}/tiles/{tile}", "executeQuery", asks, "tool.called", h.ReadTile},
		{"GET /o/{org_id}/ask/{session_id}", "listMessages", readData, "session.read", h.Talk},
		{"POST /o/{org_id}/ask/{session_id}/rename", "renameSession", asks, "session.renamed", h.Rename},
		{"POST /o/{org_id}/ask/{session_id}/pin", "listSessions", readData, "", h.Pin},
		{"POST /o/{org_id}/ask/{session_id}/share", "renameSession", asks, "", h.Share},
		{"POST /o/{org_id}/ask/{session_id}/delete", "deleteSession", asks, "", h.Delete},
		{"GET /o/{org_id}/ask/{session_id}/{message_id}", "getMessage", readData, "session.read", h.Answer},
		{"GET /o/{org_id}/ask/{session_id}/{message_id}/stream", "streamEvents", readData, "session.read", h.Stream},
		{"POST /o/{org_id}/ask/{session_id}/{message_id}/cancel", "cancelTurn", asks, "turn.cancelled", h.Cancel},
		{"POST /o/{org_id}/ask/{session_id}/{message_id}/query", "executeQuery", asks, "tool.called", h.Query},
		{"POST /o/{org_id}/ask/{session_id}/{message_id}/save", "createReport", readData, "", h.SaveReport},
		{"GET /o/{org_id}/suggestions", "executeTool", asks, "", h.Suggest},
		{"POST /o/{org_id}/reports/{report_id}/open", "executeTool", asks, "tool.called", h.OpenReport},
		{"POST /o/{org_id}/reports/{report_id}/rename", "updateReport", readData, "", h.RenameReport},
		{"POST /o/{org_id}/reports/{report_id}/delete", "deleteReport", readData, "", h.DeleteReport},
		{"GET /o/{org_id}/results/{result_id}", "getResult", readData, "result.read", h.Results.Show},
		{"GET /o/{org_id}/results/{result_id}/file", "getResult", readData, "result.read", h.Results.File},
		{"POST /o/{org_id}/results/{result_id}/open", "executeTool", asks, "tool.called", h.Results.Open},
	}
}

// browsing is the sections of goods, of customers and suppliers, and of documents. A GET shows what was read a short
// time ago, and a POST calls a tool.
func (c *Console) browsing() []Route {
	h := browse.Handlers{Frames: c.frames, Calls: c.calls, Names: c.Ask.Agent, Store: c.Ask.Store, Results: c.results(),
		Kinds: c.Ask.Kinds, Clock: c.Clock}
	const asks, called = stockhand.ScopeWriteTools, "tool.called"
	f := find.Handlers{Frames: c.frames, Names: c.Ask.Agent, Store: c.Ask.Store, Kinds: c.Ask.Kinds,
		Drafts: drafts.Latest(c.Drafts), Reports: c.Ask.Reports}
	return []Route{
		{"GET /o/{org_id}/find", "listSessions", readData, "", f.Show},
		{"GET /o/{org_id}/goods", "executeTool", asks, "", h.Goods},
		{"POST /o/{org_id}/goods", "executeTool", asks, called, h.Goods},
		{"GET /o/{org_id}/goods/{thing_id}", "executeTool", asks, "", h.Good},
		{"POST /o/{org_id}/goods/{thing_id}", "executeTool", asks, called, h.Good},
		{"GET /o/{org_id}/customers", "executeTool", asks, "", h.Customers},
		{"POST /o/{org_id}/customers", "executeTool", asks, called, h.Customers},
		{"GET /o/{org_id}/customers/{thing_id}", "executeTool", asks, "", h.Customer},
		{"POST /o/{org_id}/customers/{thing_id}", "executeTool", asks, called, h.Customer},
		{"GET /o/{org_id}/documents", "executeTool", asks, "", h.Documents},
		{"POST /o/{org_id}/documents", "executeTool", asks, called, h.Documents},
		{"GET /o/{org_id}/documents/{thing_id}", "executeTool", asks, "", h.Document},
		{"POST /o/{org_id}/documents/{thing_id}", "executeTool", asks, called, h.Document},
	}
}

// results shows tables, and opens what is behind their cells.
func (c *Console) results() results.Handlers {
	h := results.Handlers{Frames: c.frames, Store: c.Ask.Store, Agent: c.Ask.Agent}
	for _, k := range c.Ask.Kinds {
		if k.Behind != nil {
			h.Behind, h.Browse = k.Behind, k.Browse
		}
	}
	return h
}
