// Package mcp connects Stockhand to a remote MCP server and offers the server's tools. Tools declared read-only are
// called directly; all others are proposed, and a person decides.
//
// A tool is only called without confirmation if it was declared read-only twice: in the definition verified when the
// server was connected, and in the server's list within the session of the call. A tool that has changed is refused
// until a person verifies the connection again. The server's answers are untrusted: they are limited in size and shown
// as data that came from that server.
//
// Tools belong to the connection and not to the connector: their definitions are pinned, encrypted together with the
// token, and listed without asking the server (decision 0016).
package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"slices"
	"strings"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/connector/mcp/remote"
	"github.com/stockhand/stockhand/internal/tool"
)

// kindName is the connector's name and the prefix of its tools' names.
const kindName = "mcp"

// Kind is the connector for remote MCP servers.
var Kind = connector.Kind{
	Name:  kindName,
	Title: tool.Text{RU: "MCP-сервер", EN: "MCP server"},
	About: tool.Text{
		RU: "Другой сервер по Model Context Protocol (Streamable HTTP). Его инструменты становятся инструментами подключения (GET /tools?connection_id=…): объявленные «только чтение» вызываются, остальные предлагаются черновиком.",
		EN: "Another server that speaks the Model Context Protocol (Streamable HTTP). Its tools become tools of the connection (GET /tools?connection_id=…): those declared read-only are called, all others become drafts.",
	},
	Fields: []connector.Field{
		{
			Name: "url", Title: tool.Text{RU: "Адрес", EN: "Address"}, Required: true,
			About: tool.Text{RU: "Точка Streamable HTTP сервера, например https://mcp.example.com/mcp. Без логина и параметров.", EN: "The server's Streamable HTTP endpoint, as in https://mcp.example.com/mcp. Without a login or parameters."},
		},
		{
			Name: "token", Title: tool.Text{RU: "Токен", EN: "Token"}, Secret: true,
			About: tool.Text{RU: "Отправляется этому серверу, и только ему, в заголовке Authorization: Bearer.",
				EN: "Sent to that server and no other, as Authorization: Bearer."},
		},
	},
	Limits: []connector.Limit{{
		Name: "requests", Most: 6, Window: "1s", Over: "account",
		About: tool.Text{RU: "Запросов к серверу; один вызов — это четыре или пять запросов: начало, список " +
			"инструментов, вызов, конец.", EN: "Requests to the server; a call takes four or five: start the " +
			"session, list the tools, call, end the session."},
	}},
	Traps: []connector.Trap{
		{
			Name: "declared",
			About: tool.Text{RU: "Что инструмент только читает, говорит сам сервер. Подключайте те серверы, которым " +
				"доверяете.", EN: "Only the server itself declares that a tool is read-only. Connect servers that " +
				"you trust."},
		},
		{
			Name:  "pinned",
			About: tool.Text{RU: "Инструмент, описание которого изменилось, не вызывается, пока подключение не проверено заново: POST /connections/{connection_id}/verify.", EN: "A tool whose description has changed is not called until the connection is verified again: POST /connections/{connection_id}/verify."},
		},
	},
	Rights:    rightsInWords,
	ToolsOnly: true,
	Verify:    verify,
	Open:      open,
	Recorded:  recorded,
}

// recorded implements connector.Kind.
func recorded(saved, address string) (out connector.Recorded, err error) {
	s, err := remote.ReadSavedServer(saved)
	if err != nil {
		return out, err
	}
	out.Address, out.Token = s.URL, s.Token
	s.URL, s.Token = address, ""
	if _, out.Account, err = remote.ParseAddress(address, nil); err != nil {
		return out, err
	}
	b, err := json.Marshal(s)
	out.Saved = string(b)
	return out, err
}

// verify requests the server's description and tools, and returns them to be stored.
func verify(ctx context.Context, c connector.Config) (connector.Identity, error) {
	saved := remote.SavedServer{URL: c.BaseURL, Token: c.Token}
	if saved.URL == "" {
		before, err := remote.ReadSavedServer(c.Saved)
		if err != nil {
			return connector.Identity{}, err
		}
		saved.URL, saved.Token = before.URL, before.Token
		if c.Token != c.Saved { // a new token replaces it
			saved.Token = c.Token
		}
	}
	_, account, err := remote.ParseAddress(saved.URL, c.Private)
	if err != nil {
		return connector.Identity{}, err
	}
	s, err := remote.Open(ctx, remote.Config{URL: saved.URL, Token: saved.Token, Private: c.Private, Limiter: c.Limiter,
		Logger: c.Logger})
	if err != nil {
		return connector.Identity{}, err
	}
	defer s.Close(ctx)
	listed, refused, err := s.Tools(ctx)
	if err != nil {
		return connector.Identity{}, err
	}
	saved.Server, saved.Refused = s.Server(), refused
	for _, d := range listed {
		if why := usable(d, listed); why != "" {
			saved.Refused = append(saved.Refused, remote.Refused{Name: remote.Words(d.Name, 60), Why: why})
			continue
		}
		saved.Tools = append(saved.Tools, d)
	}
	b, err := json.Marshal(saved)
	if err != nil {
		return connector.Identity{}, stockhand.Errorf(stockhand.CodeInternal, "encode the MCP connection: %w",
			err)
	}
	return connector.Identity{Account: account, Organization: saved.Server.Name, Rights: rights(saved),
		Save: string(b)}, nil
}

// usable returns why a listed tool cannot be used, or "".
func usable(d remote.Definition, listed []remote.Definition) string {
	if !remote.Same(listed, d) {
		return "the server lists several tools with that name"
	}
	if _, err := tool.ForeignSchema(d.Input); err != nil {
		return err.Error()
	}
	return ""
}

// rights lists what the connection may use, as it is stored: "read list_orders", "draft create_order", or "refused"
// with the reason.
func rights(s remote.SavedServer) []string {
	var all []string
	for _, d := range s.Tools {
		all = append(all, effect(d)+" "+remote.Words(d.Name, 60))
	}
	for _, r := range s.Refused {
		all = append(all, "refused "+r.Name+": "+r.Why)
	}
	return all
}

func effect(d remote.Definition) string {
	if d.ReadOnly {
		return "read"
	}
	return "draft"
}

// rightsInWords describes the usable tools as rights, and the unusable ones as missing rights.
func rightsInWords(list []string) (has, missing []connector.Right) {
	has, missing = []connector.Right{}, []connector.Right{}
	for _, r := range list {
		extent, name, _ := strings.Cut(r, " ")
		if extent != "refused" {
			has = append(has, connector.Right{Name: name, Section: tool.Text{RU: name, EN: name}, Extent: extent})
			continue
		}
		name, why, _ := strings.Cut(name, ": ")
		missing = append(missing, connector.Right{
			Name: name, Section: tool.Text{RU: name, EN: name},
			Closes: tool.Text{RU: "инструмент не используется: " + why, EN: "the tool is not used: " + why},
		})
	}
	return has, missing
}

// open opens the connection. If the stored data is corrupt, which is a bug, the account has no tools.
func open(c connector.Config, who connector.Identity) connector.Account {
	logger := c.Logger
	if logger == nil {
		logger = slog.New(slog.DiscardHandler)
	}
	saved, err := remote.ReadSavedServer(c.Saved)
	if err != nil {
		logger.Error("open an MCP connection", "account", who.Account, "err", err)
	}
	a := &account{who: who, saved: saved, config: remote.Config{
		URL: saved.URL, Token: saved.Token, Private: c.Private, Limiter: c.Limiter, Logger: logger,
		Transport: c.Transport,
	}}
	a.tools = a.named()
	return a
}

// account is a connected server.
type account struct {
	who    connector.Identity
	saved  remote.SavedServer
	config remote.Config // without a May function; call adds it
	tools  []tool.Tool
}

// Identity implements connector.Account.
func (a *account) Identity() connector.Identity { return a.who }

// Tools implements connector.Account.
func (a *account) Tools() []tool.Tool { return a.tools }

// Names implements connector.Account. An MCP server has no names.
func (a *account) Names(context.Context, ...connector.NameKind) ([]connector.Name, error) {
	return nil, nil
}

// Find implements connector.Account.
func (a *account) Find(context.Context, connector.NameKind, string, int) ([]connector.Name, error) {
	return nil, nil
}

// named returns the tools under their local names.
func (a *account) named() []tool.Tool {
	var all []tool.Tool
	taken := map[string]bool{}
	for _, d := range a.saved.Tools {
		schema, err := tool.ForeignSchema(d.Input)
		if err != nil { // it was validated when stored, but perhaps by another version of this program
			continue
		}
		name := nameOf(d.Name, taken)
		taken[name] = true
		if d.ReadOnly {
			all = append(all, a.readTool(name, d, schema))
		} else {
			all = append(all, a.proposeTool(name, d, schema))
		}
	}
	return all
}

// maxName is the maximum length of a tool name in characters that models accept.
const maxName = 60

// nameOf returns a tool's name here: its own name, in characters that every model and client accepts.
func nameOf(own string, taken map[string]bool) string {
	name := kindName + "_" + strings.Map(func(r rune) rune {
		if r == '_' || r == '-' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			return r
		}
		return '_'
	}, own)
	name = name[:min(len(name), maxName)]
	unique := name
	for n := 2; taken[unique]; n++ {
		unique = fmt.Sprintf("%s_%d", name[:min(len(name), maxName-4)], n)
	}
	return unique
}

// title returns the tool's title for display.
func (a *account) title(d remote.Definition) tool.Text {
	name := d.Title
	if name == "" {
		name = remote.Words(d.Name, 60)
	}
	return tool.Text{RU: name + " (" + a.saved.Server.Name + ")", EN: name + " (" + a.saved.Server.Name + ")"}
}

// about returns the tool's description for models, attributed to the server.
func (a *account) about(d remote.Definition) tool.Text {
	said := d.Description
	if said == "" {
		said = d.Name
	}
	return tool.Text{
		RU: "Инструмент стороннего MCP-сервера " + a.saved.Server.Name + ", его словами: " + said,
		EN: "A tool of the other MCP server " + a.saved.Server.Name + ", in its own words: " + said,
	}
}

// call is the only way to call a server's tool from here. It requires the pinned definition to be read-only, and the
// server to still list it unchanged.
func (a *account) call(ctx context.Context, d remote.Definition, arguments json.RawMessage) (answer remote.Answer,
	requests int, err error) {
	config := a.config
	config.May = func(name string) error {
		pinned, ok := a.saved.Tool(name)
		if !ok || !pinned.ReadOnly {
			return stockhand.Errorf(stockhand.CodePermissionDenied,
				"%s is not declared read-only: it can only be proposed", name)
		}
		return nil
	}
	s, err := remote.Open(ctx, config)
	if err != nil {
		return answer, 0, err
	}
	defer s.Close(ctx)
	listed, _, err := s.Tools(ctx)
	if err != nil {
		return answer, s.Requests(), err
	}
	if !remote.Same(listed, d) || !slices.ContainsFunc(listed,
		func(now remote.Definition) bool { return now.Name == d.Name && now.ReadOnly }) {
		return answer, s.Requests(), a.changed(d)
	}
	answer, err = s.Call(ctx, d.Name, arguments)
	return answer, s.Requests(), err
}

// changed returns the error for a tool that differs from its verified definition.
func (a *account) changed(d remote.Definition) error {
	name, server := remote.Words(d.Name, 60), a.saved.Server.Name
	return &stockhand.Error{
		Code: stockhand.CodeConflict, Message: fmt.Sprintf(
			"the server %s describes %s differently than when it was verified: it was not called", server, name),
		Hint: "review what has changed, then verify the connection again: POST /connections/{connection_id}/verify",
		RU: stockhand.Words{
			Message: fmt.Sprintf("сервер %s описывает «%s» иначе, чем при проверке: вызова не было", server, name),
			Hint:    "посмотрите, что изменилось, и проверьте подключение заново: POST /connections/{connection_id}/verify",
		},
	}
}
