package console

// operating is the sections of what the service did, and of the organization's settings.
func (c *Console) operating() []Route {
	o, s := c.Operations, c.Settings
	o.Frames, o.Members, o.Clock = c.frames, c.People, c.Clock
	s.Frames = c.frames
	return []Route{
		{"GET /o/{org_id}/runs", "listSessions", readData, "", o.Runs},
		{"GET /o/{org_id}/runs/{run_id}", "listMessages", readData, "session.read", o.Run},
		{"GET /o/{org_id}/usage", "getUsage", readData, "", o.Usage},
		{"GET /o/{org_id}/health", "getUsage", readData, "", o.Health},
		{"GET /o/{org_id}/health/state", "getUsage", readData, "", o.HealthState},
		{"GET /o/{org_id}/audit", "listAuditLog", readData, "audit.read", o.Audit},
		{"POST /o/{org_id}/audit/verify", "listAuditLog", readData, "audit.read", o.VerifyAudit},

		{"GET /o/{org_id}/settings", "getSettings", admin, "", s.Writing},
		{"POST /o/{org_id}/settings/stop", "updateSettings", admin, "", s.Stop},
		{"POST /o/{org_id}/settings/allow", "updateSettings", admin, "", s.Allow},
		{"POST /o/{org_id}/settings/rules", "updateSettings", admin, "", s.SaveRules},
		{"GET /o/{org_id}/settings/access", "getSettings", admin, "", s.Access},
		{"POST /o/{org_id}/settings/access", "updateSettings", admin, "", s.SaveAccess},
		{"GET /o/{org_id}/settings/retention", "getSettings", admin, "", s.Keeping},
		{"POST /o/{org_id}/settings/retention", "updateSettings", admin, "", s.SaveKeeping},
		{"GET /o/{org_id}/settings/organization", "getSettings", admin, "", s.Organization},
		{"POST /o/{org_id}/settings/organization", "updateSettings", admin, "", s.SaveOrganization},
		{"GET /o/{org_id}/settings/models", "getSettings", admin, "", s.ShowModels},
		{"GET /o/{org_id}/settings/notes", "getSettings", admin, "", s.ShowNotes},
		{"POST /o/{org_id}/settings/notes", "updateSettings", admin, "", s.SaveNotes},
	}
}
