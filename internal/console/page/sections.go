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
			l.Count = waiting
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
