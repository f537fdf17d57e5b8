package console

import (
	"github.com/stockhand/stockhand/internal/console/answer"
	"github.com/stockhand/stockhand/internal/console/developers"
	"github.com/stockhand/stockhand/internal/console/results"
)

// developing is the section of developers.
func (c *Console) developing(own developers.API) []Route {
	tables := results.Handlers{Frames: c.frames, Store: c.Ask.Store, Agent: c.Ask.Agent}
	h := developers.Handlers{Frames: c.frames, Keys: c.People, Store: c.Store, Requests: c.Requests,
		Agent: c.Ask.Agent, Connections: c.Connections, Answers: answer.Builder{Store: c.Ask.Store, Views: tables},
		Address: c.Address, Clock: c.Clock, API: own}
	return []Route{
		{"GET /o/{org_id}/developers", "executeTool", writeTools, "", h.Start},
		{"GET /o/{org_id}/developers/keys", "listKeys", admin, "", h.ListKeys},
		{"POST /o/{org_id}/developers/keys", "createKey", admin, "", h.CreateKey},
		{"POST /o/{org_id}/developers/keys/{key_id}/rotate", "rotateKey", admin, "", h.RotateKey},
		{"POST /o/{org_id}/developers/keys/{key_id}/revoke", "revokeKey", admin, "", h.RevokeKey},
		{"GET /o/{org_id}/developers/tools", "executeTool", writeTools, "", h.Tools},
		{"POST /o/{org_id}/developers/tools", "executeTool", writeTools, "tool.called", h.Call},
		{"POST /o/{org_id}/developers/tools/request", "executeTool", writeTools, "", h.ShowRequest},
		{"GET /o/{org_id}/developers/queries", "executeQuery", writeTools, "", h.Queries},
		{"POST /o/{org_id}/developers/queries", "executeQuery", writeTools, "tool.called", h.Call},
		{"POST /o/{org_id}/developers/queries/request", "executeQuery", writeTools, "", h.ShowRequest},
		{"GET /o/{org_id}/developers/reference", "listTools", readTools, "", h.Reference},
		{"GET /o/{org_id}/developers/reference/{operation}", "listTools", readTools, "", h.Operation},
		{"POST /o/{org_id}/developers/reference/{operation}", "listTools", readTools, "", h.Send},
		{"POST /o/{org_id}/developers/reference/{operation}/request", "listTools", readTools, "", h.ShowSent},
		{"GET /o/{org_id}/developers/requests", "listRequests", readData, "", h.ListRequests},
	}
}
