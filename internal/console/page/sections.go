package page

import (
	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/console/text"
	"github.com/stockhand/stockhand/internal/console/ui"
)

// The sections of the console.
const (
	Ask         = "ask"
	Goods       = "goods"
	Customers   = "customers"
	Documents   = "documents"
	Drafts      = "drafts"
	Connections = "connections"
	Members     = "people"
	Developers  = "developers"
	Operations  = "runs" // the first of its pages
	Settings    = "settings"
	Account     = "account" // not in the navigation: the menu of the person leads there
)

// sections are the entries of the navigation, in their order. The first that a person may see is their start page.
var sections = []struct {
	name, icon string
	title      text.T
	scope      stockhand.Scope // of its page
}{
	{Ask, "ask", text.Ask, stockhand.ScopeReadData},
	{Drafts, "drafts", text.Drafts, stockhand.ScopeReadData},
	{Goods, "goods", text.Goods, stockhand.ScopeWriteTools}, // its pages call tools
	{Customers, "customers", text.Partners, stockhand.ScopeWriteTools},
	{Documents, "documents", text.DocumentsTitle, stockhand.ScopeWriteTools},
	{Connections, "connections", text.Connections, stockhand.ScopeReadData},
	{Members, "people", text.People, stockhand.ScopeReadData},
	{Operations, "pulse", text.Operations, stockhand.ScopeReadData},
	{Developers, "code", text.Developers, stockhand.ScopeWriteTools},
	{Settings, "gear", text.Settings, stockhand.ScopeAdmin},
}

// places are the pages within the sections, and what is begun there.
var places = []struct {
	path  []string
	title text.T
	scope stockhand.Scope // empty: everybody
}{
	{[]string{Operations}, text.Runs, stockhand.ScopeReadData},
	{[]string{"usage"}, text.Usage, stockhand.ScopeReadData},
	{[]string{"usage"}, text.Budgets, stockhand.ScopeReadData},
	{[]string{"audit"}, text.AuditLog, stockhand.ScopeReadData},
	{[]string{"health"}, text.Health, stockhand.ScopeReadData},
	{[]string{Settings}, text.SettingsWriting, stockhand.ScopeAdmin},
	{[]string{Settings}, text.RulesTitle, stockhand.ScopeAdmin},
	{[]string{Settings}, text.WritesStop, stockhand.ScopeAdmin},
	{[]string{Settings, "access"}, text.SettingsAccess, stockhand.ScopeAdmin},
	{[]string{Settings, "retention"}, text.SettingsRetention, stockhand.ScopeAdmin},
	{[]string{Settings, "models"}, text.ModelsTitle, stockhand.ScopeAdmin},
	{[]string{Settings, "notes"}, text.NotesTitle, stockhand.ScopeAdmin},
	{[]string{Settings, "organization"}, text.Organization, stockhand.ScopeAdmin},
	{[]string{Settings, "organization"}, text.OrgZone, stockhand.ScopeAdmin},
	{[]string{Developers, "keys"}, text.KeysList, stockhand.ScopeAdmin},
	{[]string{Developers, "keys"}, text.KeyCreate, stockhand.ScopeAdmin},
	{[]string{Developers, "tools"}, text.DevTools, stockhand.ScopeWriteTools},
	{[]string{Developers, "queries"}, text.DevQueries, stockhand.ScopeWriteTools},
	{[]string{Developers, "reference"}, text.Reference, stockhand.ScopeReadTools},
	{[]string{Developers, "requests"}, text.DevRequests, stockhand.ScopeReadData},
	{[]string{Connections}, text.ConnectTitle, stockhand.ScopeAdmin},
	{[]string{Members}, text.InviteTitle, stockhand.ScopeAdmin},
	{[]string{Ask}, text.NewTalk, stockhand.ScopeWriteTools},
	{[]string{Account}, text.AccountTitle, ""},
	{[]string{Account}, text.PasswordEdit, ""},
	{[]string{Account}, text.Passkeys, ""},
}

// Places returns the pages within the sections that the person may see, and what they may begin there.
func Places(a stockhand.Actor) (all []ui.Link) {
	for _, p := range places {
		if p.scope == "" || a.May(p.scope) {
			all = append(all, ui.Link{Title: p.title, Path: Path(a.Org, p.path...)})
		}
	}
	return all
}

// Links returns the sections that the person may see.
func Links(a stockhand.Actor) []ui.Link { return links(a, 0) }

// links returns the sections that the person may see.
func links(a stockhand.Actor, waiting int) (all []ui.Link) {
	for _, s := range sections {
		if !a.May(s.scope) {
			continue
		}
		l := ui.Link{Section: s.name, Icon: s.icon, Title: s.title, Path: Path(a.Org, s.name)}
		if s.name == Drafts {
			l.Count, l.Waits = waiting, true
		}
		all = append(all, l)
	}
	return all
}

// Start returns the address of the first section that the person may see.
func Start(a stockhand.Actor) string {
	if all := links(a, 0); len(all) > 0 {
		return all[0].Path
	}
	return Path(a.Org)
}
