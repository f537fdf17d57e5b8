package api

import "net/http"

// routes is the whole surface under /api/v1: who may do what is the third column (product.md, section 3). The OpenAPI
// document, the guard and the mux are made from it, so a route without a scope or a summary does not exist. What begins
// with /v1/ also answers without the prefix, where OpenAI clients look for it. Beside the table there are /mcp
// (openai_mcp.go) and what needs no token (public.go).
func (s *Server) routes() []route {
	return []route{
		// me.go
		{http.MethodGet, "/me", signedIn, "me", "Who is calling, where, and what they may", typed(s.me)},
		{http.MethodGet, "/me/tokens", signedIn, "listTokens", "List your own user tokens", typed(s.listTokens)},
		{http.MethodPost, "/me/tokens", signedIn, "createToken", "Make a user token; its secret is shown once",
			typed(s.createToken).returns(http.StatusCreated).showsSecret()},
		{http.MethodDelete, "/me/tokens/{token_id}", signedIn, "revokeToken", "Revoke a user token",
			typed(s.revokeToken)},
		// organizations.go
		{http.MethodGet, "/organizations", signedIn, "listOrganizations", "List the organizations you belong to",
			typed(s.listOrganizations)},
		{http.MethodPost, "/organizations", signedIn, "createOrganization",
			"Create an organization and become its owner", typed(s.createOrganization).returns(http.StatusCreated)},
		{http.MethodGet, "/organizations/{org_id}", readData, "organization", "Read the organization",
			typed(s.organization)},
		{http.MethodPatch, "/organizations/{org_id}", admin, "renameOrganization", "Rename the organization",
			typed(s.renameOrganization)},
		// members.go
		{http.MethodGet, "/organizations/{org_id}/members", readData, "listMembers", "List the members",
			typed(s.listMembers)},
		{http.MethodPost, "/organizations/{org_id}/members", admin, "addMember", "Add a member",
			typed(s.addMember).returns(http.StatusCreated)},
		{http.MethodPatch, "/organizations/{org_id}/members/{user_id}", admin, "changeMember", "Change a member's role",
			typed(s.changeMember)},
		{http.MethodDelete, "/organizations/{org_id}/members/{user_id}", admin, "removeMember", "Remove a member",
			typed(s.removeMember)},
		// keys.go
		{http.MethodPost, "/organizations/{org_id}/api-keys", admin, "createKey",
			"Create an API key; its secret is shown once",
			typed(s.createKey).returns(http.StatusCreated).showsSecret()},
		{http.MethodGet, "/organizations/{org_id}/api-keys", admin, "listKeys",
			"List the API keys, never their secrets", typed(s.listKeys)},
		{http.MethodGet, "/organizations/{org_id}/api-keys/report", admin, "keyReport",
			"Scopes that are not used, keys about to expire", typed(s.keyReport)},
		{http.MethodGet, "/organizations/{org_id}/api-keys/{key_id}", admin, "key", "Read an API key", typed(s.key)},
		{http.MethodDelete, "/organizations/{org_id}/api-keys/{key_id}", admin, "revokeKey", "Revoke an API key",
			typed(s.revokeKey)},
		{http.MethodPost, "/organizations/{org_id}/api-keys/{key_id}/rotate", admin, "rotateKey",
			"Replace an API key, with an overlap", typed(s.rotateKey).returns(http.StatusCreated).showsSecret()},
		// data.go
		{http.MethodGet, "/organizations/{org_id}/usage", readData, "listUsage", "What was used, by actor and day",
			typed(s.listUsage)},
		{http.MethodGet, "/organizations/{org_id}/audit-log", readData, "listAudit", "The audit log",
			typed(s.listAudit)},
		{http.MethodGet, "/organizations/{org_id}/settings", admin, "settings", "What the organization has decided",
			typed(s.settings)},
		{http.MethodPatch, "/organizations/{org_id}/settings", admin, "changeSettings", "Decide otherwise",
			typed(s.changeSettings)},
		// sessions.go
		{http.MethodPost, "/sessions/stream", writeTools, "startTurn", "Give the agent a task",
			typed(s.startTurn).returns(http.StatusAccepted)},
		{http.MethodGet, "/sessions", readOwn, "listSessions", "List sessions", typed(s.listSessions)},
		{http.MethodGet, "/sessions/{session_id}", readOwn, "session", "Read a session", typed(s.session)},
		{http.MethodPatch, "/sessions/{session_id}", writeTools, "renameSession", "Rename a session",
			typed(s.renameSession).dryRun()},
		{http.MethodDelete, "/sessions/{session_id}", writeTools, "deleteSession", "Delete a session",
			typed(s.deleteSession).returns(http.StatusNoContent).dryRun()},
		{http.MethodGet, "/sessions/{session_id}/messages", readOwn, "listMessages", "List a session's messages",
			typed(s.listMessages)},
		{http.MethodGet, "/sessions/{session_id}/messages/{message_id}", readOwn, "finishedMessage",
			"Read a message and what came of it", typed(s.finishedMessage)},
		{http.MethodPost, "/sessions/{session_id}/messages/{message_id}/cancel", writeTools, "cancelTurn",
			"Cancel the work on a message", typed(s.cancelTurn).dryRun()},
		{http.MethodGet, "/sessions/{session_id}/messages/{message_id}/stream", readOwn, "streamEvents",
			"Follow the work on a message as server-sent events", plain(s.streamEvents)},
		// drafts.go
		{http.MethodGet, "/drafts", readOwn, "listDrafts", "List drafts", typed(s.listDrafts)},
		{http.MethodGet, "/drafts/{draft_id}", readOwn, "draft", "Read a draft, or its documents as CSV or XLSX",
			plain(s.draft)},
		{http.MethodPatch, "/drafts/{draft_id}", writeTools, "editDraft", "Change a draft: a new version",
			typed(s.editDraft).dryRun()},
		{http.MethodPost, "/drafts/{draft_id}/confirm", writeTools, "confirmDraft",
			"Confirm a draft or some of its documents", typed(s.confirmDraft).dryRun()},
		{http.MethodPost, "/drafts/{draft_id}/reject", writeTools, "rejectDraft", "Reject a draft",
			typed(s.rejectDraft).dryRun()},
		{http.MethodPost, "/drafts/{draft_id}/undo", writeTools, "undoDraft", "Propose the inverse as a new draft",
			typed(s.undoDraft).returns(http.StatusCreated).dryRun()},
		// results.go
		{http.MethodGet, "/results/{result_id}", readOwn, "result", "Read a result as JSON, CSV or XLSX",
			plain(s.result)},
		// tools.go
		{http.MethodGet, "/tools", readTools, "listTools", "List the tools", typed(s.listTools)},
		{http.MethodGet, "/tools/{name}", readTools, "tool", "Read a tool: schema, effect, rights", typed(s.tool)},
		{http.MethodPost, "/tools/{name}/execute", writeTools, "executeTool", "Execute a tool", typed(s.executeTool)},
		// connectors.go
		{http.MethodGet, "/connectors", readTools, "listConnectors", "List the connectors", typed(s.listConnectors)},
		{http.MethodGet, "/connectors/{key}", readTools, "connector",
			"Read a connector: fields, operations, limits, traps", typed(s.connector)},
		{http.MethodPost, "/connectors/{key}/execute", writeTools, "executeOperation",
			"Execute an operation of a connector", typed(s.executeOperation)},
		// connections.go
		{http.MethodGet, "/connections", readData, "listConnections", "List the connections", typed(s.listConnections)},
		{http.MethodPost, "/connections", admin, "createConnection", "Connect an account",
			typed(s.createConnection).returns(http.StatusCreated).dryRun()},
		{http.MethodGet, "/connections/{connection_id}", readData, "connection", "Read a connection",
			typed(s.connection)},
		{http.MethodPatch, "/connections/{connection_id}", admin, "changeConnection",
			"Rename a connection, replace its token, turn gateway writes on or off",
			typed(s.changeConnection).dryRun()},
		{http.MethodDelete, "/connections/{connection_id}", admin, "deleteConnection",
			"Forget a connection and its credential", typed(s.deleteConnection).dryRun()},
		{http.MethodPost, "/connections/{connection_id}/verify", admin, "verifyConnection", "Verify a connection anew",
			typed(s.verifyConnection)},
		// gateway.go
		{anyMethod, "/connections/{connection_id}/gateway/{path...}", gateway, "gateway",
			"Send a request to the external system as it is", plain(s.gateway).passesQuery().dryRun()},
		// openai.go
		{http.MethodPost, "/v1/chat/completions", chat, "chat", "Ask the agent, or a model, in the OpenAI format",
			plain(s.chat).takes(maxChat)},
		{http.MethodGet, "/v1/models", chat, "listModels", "List the models, in the OpenAI format", plain(s.models)},
		{http.MethodGet, "/v1/models/{model...}", chat, "model", "Read a model, in the OpenAI format", plain(s.models)},
		// agents.go
		{http.MethodGet, "/agents", readTools, "listOwnAgents", "List the agents", typed(s.listOwnAgents)},
		{http.MethodGet, "/organizations/{org_id}/agents", readTools, "listAgents", "List the organization's agents",
			typed(s.listAgents)},
		{http.MethodPost, "/organizations/{org_id}/agents", admin, "createAgent", "Create an agent",
			typed(s.createAgent).returns(http.StatusCreated)},
		{http.MethodGet, "/organizations/{org_id}/agents/{agent_id}", readTools, "agentProfile", "Read an agent",
			typed(s.agentProfile)},
		{http.MethodPatch, "/organizations/{org_id}/agents/{agent_id}", admin, "changeAgent", "Change an agent",
			typed(s.changeAgent)},
		{http.MethodDelete, "/organizations/{org_id}/agents/{agent_id}", admin, "deleteAgent", "Delete an agent",
			typed(s.deleteAgent)},
	}
}
