package api

import "net/http"

// routes is everything under /api/v1. The second column is the required scope (rule R21). The OpenAPI document, the
// guard and the mux are built from this table, so a route without a scope or a summary cannot exist. Paths that start
// with /v1/ also work without the /api/v1 prefix, as OpenAI clients expect. Only /mcp (openai_mcp.go) and the endpoints
// without authentication (public.go) are outside the table.
func (s *Server) routes() []route {
	return []route{
		// me.go
		{"GET /me", signedIn, "getMe", "Get the caller, its organization and scopes", typed(s.getMe)},
		{"PATCH /me", signedIn, "updateMe", "Choose your home organization", typed(s.updateMe)},
		{"GET /me/tokens", signedIn, "listTokens", "List your own user tokens", typed(s.listTokens)},
		{"POST /me/tokens", signedIn, "createToken", "Create a user token",
			typed(s.createToken).returns(http.StatusCreated).showsSecret()},
		{"DELETE /me/tokens/{token_id}", signedIn, "revokeToken", "Revoke a user token", typed(s.revokeToken)},
		// signins.go
		{"GET /me/sign-ins", signedIn, "listSignIns", "List your sign-ins", typed(s.listSignIns)},
		{"DELETE /me/sign-ins", signedIn, "revokeSignIns", "Sign out everywhere", typed(s.revokeSignIns)},
		{"DELETE /me/sign-ins/{sign_in_id}", signedIn, "revokeSignIn", "Sign out one browser", typed(s.revokeSignIn)},
		{"POST /me/password", signedIn, "updatePassword", "Set or change your password",
			typed(s.updatePassword).returns(http.StatusNoContent)},
		// invitations.go
		{"GET /me/invitations", signedIn, "listOwnInvitations", "List the invitations to you",
			typed(s.listOwnInvitations)},
		{"POST /me/invitations/{invitation_id}/accept", signedIn, "acceptOwnInvitation", "Accept an invitation",
			typed(s.acceptOwnInvitation)},
		{"POST /me/invitations/{invitation_id}/decline", signedIn, "declineOwnInvitation", "Decline an invitation",
			typed(s.declineOwnInvitation)},
		{"POST /invitations/accept", signedIn, "acceptInvitation", "Accept an invitation by its token",
			typed(s.acceptInvitation)},
		{"POST /invitations/decline", signedIn, "declineInvitation", "Decline an invitation by its token",
			typed(s.declineInvitation)},
		{"POST /organizations/{org_id}/invitations", admin, "createInvitation", "Invite a person",
			typed(s.createInvitation).returns(http.StatusCreated).showsSecret()},
		{"GET /organizations/{org_id}/invitations", admin, "listInvitations", "List pending invitations",
			typed(s.listInvitations)},
		{"DELETE /organizations/{org_id}/invitations/{invitation_id}", admin, "revokeInvitation",
			"Revoke an invitation", typed(s.revokeInvitation)},
		// organizations.go
		{"GET /organizations", signedIn, "listOrganizations", "List the organizations you belong to",
			typed(s.listOrganizations)},
		{"POST /organizations", signedIn, "createOrganization", "Create an organization and become its owner",
			typed(s.createOrganization).returns(http.StatusCreated)},
		{"GET /organizations/{org_id}", readData, "getOrganization", "Get an organization", typed(s.getOrganization)},
		{"PATCH /organizations/{org_id}", admin, "renameOrganization", "Rename an organization",
			typed(s.renameOrganization)},
		// members.go
		{"GET /organizations/{org_id}/members", readData, "listMembers", "List members", typed(s.listMembers)},
		{"PATCH /organizations/{org_id}/members/{user_id}", admin, "updateMember", "Change a member's role",
			typed(s.updateMember)},
		{"DELETE /organizations/{org_id}/members/{user_id}", admin, "removeMember", "Remove a member",
			typed(s.removeMember)},
		{"DELETE /organizations/{org_id}/members/me", signedIn, "leaveOrganization", "Leave an organization",
			typed(s.leave)},
		// keys.go
		{"POST /organizations/{org_id}/api-keys", admin, "createKey", "Create an API key",
			typed(s.createKey).returns(http.StatusCreated).showsSecret()},
		{"GET /organizations/{org_id}/api-keys", admin, "listKeys", "List API keys", typed(s.listKeys)},
		{"GET /organizations/{org_id}/api-keys/report", admin, "getKeyReport",
			"List unused scopes and keys about to expire", typed(s.getKeyReport)},
		{"GET /organizations/{org_id}/api-keys/{key_id}", admin, "getKey", "Get an API key", typed(s.getKey)},
		{"DELETE /organizations/{org_id}/api-keys/{key_id}", admin, "revokeKey", "Revoke an API key",
			typed(s.revokeKey)},
		{"POST /organizations/{org_id}/api-keys/{key_id}/rotate", admin, "rotateKey", "Rotate an API key",
			typed(s.rotateKey).returns(http.StatusCreated).showsSecret()},
		// data.go
		{"GET /organizations/{org_id}/usage", readData, "getUsage", "Get usage by day and actor", typed(s.getUsage)},
		{"GET /organizations/{org_id}/audit-log", readData, "listAuditLog", "List audit log entries",
			typed(s.listAuditLog)},
		{"GET /organizations/{org_id}/settings", admin, "getSettings", "Get organization settings",
			typed(s.getSettings)},
		{"PATCH /organizations/{org_id}/settings", admin, "updateSettings", "Update organization settings",
			typed(s.updateSettings)},
		// sessions.go
		{"POST /sessions/stream", writeTools, "startTurn", "Give the agent a task",
			typed(s.startTurn).returns(http.StatusAccepted)},
		{"GET /sessions", readOwn, "listSessions", "List sessions", typed(s.listSessions)},
		{"GET /sessions/{session_id}", readOwn, "getSession", "Get a session", typed(s.getSession)},
		{"PATCH /sessions/{session_id}", writeTools, "renameSession", "Rename a session",
			typed(s.renameSession).dryRun()},
		{"DELETE /sessions/{session_id}", writeTools, "deleteSession", "Delete a session",
			typed(s.deleteSession).returns(http.StatusNoContent).dryRun()},
		{"GET /sessions/{session_id}/messages", readOwn, "listMessages", "List a session's messages",
			typed(s.listMessages)},
		{"GET /sessions/{session_id}/messages/{message_id}", readOwn, "getMessage",
			"Get a message with its answer, results and drafts", typed(s.getMessage)},
		{"POST /sessions/{session_id}/messages/{message_id}/cancel", writeTools, "cancelTurn",
			"Cancel a running turn", typed(s.cancelTurn).dryRun()},
		{"GET /sessions/{session_id}/messages/{message_id}/stream", readOwn, "streamEvents", "Stream a turn's events",
			plain(s.streamEvents)},
		// drafts.go
		{"GET /drafts", readOwn, "listDrafts", "List drafts", typed(s.listDrafts)},
		{"GET /drafts/{draft_id}", readOwn, "getDraft", "Get a draft as JSON, CSV or XLSX", plain(s.getDraft)},
		{"PATCH /drafts/{draft_id}", writeTools, "editDraft", "Edit a draft", typed(s.editDraft).dryRun()},
		{"POST /drafts/{draft_id}/confirm", writeTools, "confirmDraft", "Confirm a draft",
			typed(s.confirmDraft).dryRun()},
		{"POST /drafts/{draft_id}/reject", writeTools, "rejectDraft", "Reject a draft", typed(s.rejectDraft).dryRun()},
		{"POST /drafts/{draft_id}/undo", writeTools, "undoDraft", "Create a draft that reverses another",
			typed(s.undoDraft).returns(http.StatusCreated).dryRun()},
		// results.go
		{"GET /results/{result_id}", readOwn, "getResult", "Get a result as JSON, CSV or XLSX", plain(s.getResult)},
		// tools.go
		{"GET /tools", readTools, "listTools", "List tools", typed(s.listTools)},
		{"GET /tools/{name}", readTools, "getTool", "Get a tool", typed(s.getTool)},
		{"POST /tools/{name}/execute", writeTools, "executeTool", "Execute a tool", typed(s.executeTool)},
		// connectors.go
		{"GET /connectors", readTools, "listConnectors", "List connectors", typed(s.listConnectors)},
		{"GET /connectors/{key}", readTools, "getConnector", "Get a connector", typed(s.getConnector)},
		{"POST /connectors/{key}/execute", writeTools, "executeOperation", "Execute a connector operation",
			typed(s.executeOperation)},
		// connections.go
		{"GET /connections", readData, "listConnections", "List connections", typed(s.listConnections)},
		{"POST /connections", admin, "createConnection", "Connect an account",
			typed(s.createConnection).returns(http.StatusCreated).dryRun()},
		{"GET /connections/{connection_id}", readData, "getConnection", "Get a connection", typed(s.getConnection)},
		{"PATCH /connections/{connection_id}", admin, "updateConnection", "Update a connection",
			typed(s.updateConnection).dryRun()},
		{"DELETE /connections/{connection_id}", admin, "deleteConnection", "Delete a connection",
			typed(s.deleteConnection).dryRun()},
		{"POST /connections/{connection_id}/verify", admin, "verifyConnection", "Re-verify a connection",
			typed(s.verifyConnection)},
		// gateway.go
		{"/connections/{connection_id}/gateway/{path...}", gateway, "gateway", "Call the external system's API",
			plain(s.gateway).passesQuery().dryRun()},
		// openai.go
		{"POST /v1/chat/completions", chat, "createChatCompletion", "Create a chat completion",
			plain(optional(s.Chat)).takes(maxChat)},
		{"GET /v1/models", chat, "listModels", "List models", plain(optional(s.Models))},
		{"GET /v1/models/{model...}", chat, "getModel", "Get a model", plain(optional(s.Models))},
		// agents.go
		{"GET /agents", readTools, "listAgents", "List agents", typed(s.listAgents)},
		{"GET /organizations/{org_id}/agents", readTools, "listOrganizationAgents", "List an organization's agents",
			typed(s.listOrganizationAgents)},
		{"POST /organizations/{org_id}/agents", admin, "createAgent", "Create an agent",
			typed(s.createAgent).returns(http.StatusCreated)},
		{"GET /organizations/{org_id}/agents/{agent_id}", readTools, "getAgent", "Get an agent", typed(s.getAgent)},
		{"PATCH /organizations/{org_id}/agents/{agent_id}", admin, "updateAgent", "Update an agent",
			typed(s.updateAgent)},
		{"DELETE /organizations/{org_id}/agents/{agent_id}", admin, "deleteAgent", "Delete an agent",
			typed(s.deleteAgent)},
	}
}
