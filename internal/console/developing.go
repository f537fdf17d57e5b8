package console

import "github.com/stockhand/stockhand/internal/console/developers"

// developing is the section of developers.
func (c *Console) developing() []Route {
	h := developers.Handlers{Frames: c.frames, Keys: c.People, Store: c.Store, Requests: c.Requests,
		Address: c.Address, Clock: c.Clock}
	return []Route{
		{"GET /o/{org_id}/developers", "executeTool", writeTools, "", h.Start},
		{"GET /o/{org_id}/developers/keys", "listKeys", admin, "", h.ListKeys},
		{"POST /o/{org_id}/developers/keys", "createKey", admin, "", h.CreateKey},
		{"POST /o/{org_id}/developers/keys/{key_id}/rotate", "rotateKey", admin, "", h.RotateKey},
		{"POST /o/{org_id}/developers/keys/{key_id}/revoke", "revokeKey", admin, "", h.RevokeKey},
		{"GET /o/{org_id}/developers/requests", "listRequests", readData, "", h.ListRequests},
	}
}
