package console

import (
	"slices"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/console/connections"
	"github.com/stockhand/stockhand/internal/console/developers"
	"github.com/stockhand/stockhand/internal/console/drafts"
	"github.com/stockhand/stockhand/internal/console/page"
	"github.com/stockhand/stockhand/internal/console/people"
)

const (
	signedIn   stockhand.Scope = ""
	readTools                  = stockhand.ScopeReadTools
	readData                   = stockhand.ScopeReadData
	writeTools                 = stockhand.ScopeWriteTools
	admin                      = stockhand.ScopeAdmin
)

// Route is one row of the table.
type Route struct {
	Pattern string          // as in http.ServeMux, such as GET /o/{org_id}/drafts
	Like    string          // the API's operation that does the same; a test compares the scopes
	Scope   stockhand.Scope // as in the API; empty: any person who is signed in
	Notes   string          // the audit action of each success, as in the API; empty if the change is audited itself
	Serve   page.Handler
}

// routes is everything that the console serves. The columns say which operation of the API does the same, its scope
// (rule R380) and the audit action of each success.
func (c *Console) routes(own developers.API) []Route {
	d := drafts.Handlers{Frames: c.frames, Drafts: c.Drafts, Store: c.Store, Inbox: c.Inbox, Members: c.People,
		Settle: c.Settle, Prover: c.SignIn, Clock: c.Clock}
	con := connections.Handlers{Frames: c.frames, Connections: c.Connections, Store: c.Store}
	p := people.Handlers{Frames: c.frames, Auth: c.People, Link: c.invitationLink}
	return slices.Concat(c.asking(), c.browsing(), c.developing(own), c.operating(), c.owning(), []Route{
		// home.go
		{"GET /{$}", "listOrganizations", signedIn, "", c.start},
		{"GET /o/{org_id}/{$}", "getOrganization", readData, "", c.section},
		{"GET /o/{org_id}/waiting", "getOrganization", readData, "", c.waiting},
		{"POST /preferences", "getMe", signedIn, "", c.prefer},
		{"POST /sign-out", "revokeSignIn", signedIn, "", c.signOut},
		{"GET /account", "getSignInMethods", signedIn, "", c.account},
		{"GET /invitations", "listOwnInvitations", signedIn, "", c.account},
		// drafts
		{"GET /drafts/{draft_id}", "listOrganizations", signedIn, "", c.findDraft},
		{"GET /o/{org_id}/drafts", "listDrafts", readData, "draft.read", d.List},
		{"GET /o/{org_id}/drafts/{draft_id}", "getDraft", readData, "draft.read", d.Show},
		{"POST /o/{org_id}/drafts/{draft_id}/try", "editDraft", writeTools, "", d.Try},
		{"POST /o/{org_id}/drafts/{draft_id}/edit", "editDraft", writeTools, "", d.Save},
		{"GET /o/{org_id}/drafts/{draft_id}/confirm", "confirmDraft", writeTools, "", d.Check},
		{"POST /o/{org_id}/drafts/{draft_id}/confirm", "confirmDraft", writeTools, "", d.Confirm},
		{"POST /o/{org_id}/drafts/{draft_id}/prove", "confirmDraft", writeTools, "", d.Prove},
		{"POST /o/{org_id}/drafts/{draft_id}/reject", "rejectDraft", writeTools, "", d.Reject},
		{"POST /o/{org_id}/drafts/{draft_id}/undo", "undoDraft", writeTools, "", d.Undo},
		// connections
		{"GET /o/{org_id}/connections", "listConnections", readData, "", con.List},
		{"GET /o/{org_id}/connections/state", "listConnections", readData, "", con.State},
		{"POST /o/{org_id}/connections", "createConnection", admin, "", con.Create},
		{"POST /o/{org_id}/connections/{connection_id}", "updateConnection", admin, "", con.Change},
		{"POST /o/{org_id}/connections/{connection_id}/clear", "updateConnection", admin, "", con.Clear},
		{"POST /o/{org_id}/connections/{connection_id}/verify", "verifyConnection", admin, "", con.Verify},
		{"POST /o/{org_id}/connections/{connection_id}/delete", "deleteConnection", admin, "", con.Delete},
		// people
		{"GET /o/{org_id}/people", "listMembers", readData, "", p.List},
		{"POST /o/{org_id}/people/{user_id}/role", "updateMember", admin, "", p.ChangeRole},
		{"POST /o/{org_id}/people/{user_id}/remove", "removeMember", admin, "", p.Remove},
		{"POST /o/{org_id}/people/invitations", "createInvitation", admin, "", p.Invite},
		{"POST /o/{org_id}/people/invitations/{invitation_id}/revoke", "revokeInvitation", admin, "", p.Revoke},
	})
}
