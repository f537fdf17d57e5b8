// Package mcp connects Stockhand to a remote MCP server, whose tools become tools here: those that are declared to only
// read are called, all others are proposed, and a person decides.
//
// It promises that nothing is called that was not declared read-only, in two places at once: by the definition that was
// verified when the server was connected, and by what the server lists in the very session that the call is made in. A
// tool that has become another since is refused until a person has the connection verified again. What comes back is
// somebody else's word: it is shown as data, named as that server's, and bounded.
//
// The surprising decision is that the tools belong to the connection and not to the connector: they are pinned, sealed
// together with the token, and listed without asking the server (decision 0016).
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

// Kind is the connector of remote MCP servers.
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
		About: tool.Text{RU: "Запросов к серверу; один вызов — это четыре или пять запросов: начало, список инструментов, вызов, конец.", EN: "Requests to the server; a call is four or five of them: the beginning, the list of tools, the call, the end."},
	}},
	Traps: []connector.Trap{
		{
			Name:  "declared",
			About: tool.Text{RU: "Что инструмент только читает, говорит сам сервер. Подключайте те серверы, которым доверяете.", EN: "That a tool only reads is the server's own word. Connect servers that you trust."},
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
}

// verify asks the server what it is and what it offers, and gives that back to be kept.
func verify(ctx context.Context, c connector.Config) (connector.Identity, error) {
	kept := remote.Kept{URL: c.BaseURL, Token: c.Token}
	if kept.URL == "" {
		before, err := remote.ReadKept(c.Kept)
		if err != nil {
			return connector.Identity{}, err
		}
		kept.URL, kept.Token = before.URL, before.Token
		if c.Token != c.Kept { // another one takes its place
			kept.Token = c.Token
		}
	}
	_, account, err := remote.ParseAddress(kept.URL, c.Private)
	if err != nil {
		return connector.Identity{}, err
	}
	s, err := remote.Open(ctx, remote.Config{URL: kept.URL, Token: kept.Token, Private: c.Private, Limiter: c.Limiter,
		Logger: c.Logger})
	if err != nil {
		return connector.Identity{}, err
	}
	defer s.Close(ctx)
	listed, refused, err := s.Tools(ctx)
	if err != nil {
		return connector.Identity{}, err
	}
	kept.Server, kept.Refused = s.Server(), refused
	for _, d := range listed {
		if why := usable(d, listed); why != "" {
			kept.Refused = append(kept.Refused, remote.Refused{Name: remote.Words(d.Name, 60), Why: why})
			continue
		}
		kept.Tools = append(kept.Tools, d)
	}
	b, err := json.Marshal(kept)
	if err != nil {
		return connector.Identity{}, stockhand.Errorf(stockhand.CodeInternal, "write what is kept of an MCP server: %w",
			err)
	}
	return connector.Identity{Account: account, Organization: kept.Server.Name, Rights: rights(kept), Keep: string(b)},
		nil
}

// usable says why a listed tool cannot be used; empty when it can.
func usable(d remote.Definition, listed []remote.Definition) string {
	if !remote.Same(listed, d) {
		return "the server lists more than one tool of that name"
	}
	if _, err := tool.ForeignSchema(d.Input); err != nil {
		return err.Error()
	}
	return ""
}

// rights are what the connection may use of the server, as the record keeps it: "read list_orders", "draft
// create_order", and "refused" with the reason.
func rights(k remote.Kept) []string {
	var all []string
	for _, d := range k.Tools {
		all = append(all, effect(d)+" "+remote.Words(d.Name, 60))
	}
	for _, r := range k.Refused {
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

// rightsInWords shows the server's tools as what the connection gives, and those that cannot be used as what is
// missing.
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

// open opens the connection. What is kept cannot be unreadable but by a fault of ours: then the account has no tools.
func open(c connector.Config, who connector.Identity) connector.Account {
	logger := c.Logger
	if logger == nil {
		logger = slog.New(slog.DiscardHandler)
	}
	kept, err := remote.ReadKept(c.Kept)
	if err != nil {
		logger.Error("open an MCP connection", "account", who.Account, "err", err)
	}
	a := &account{who: who, kept: kept, config: remote.Config{
		URL: kept.URL, Token: kept.Token, Private: c.Private, Limiter: c.Limiter, Logger: logger,
	}}
	a.tools = a.named()
	return a
}

// account is a connected server.
type account struct {
	who    connector.Identity
	kept   remote.Kept
	config remote.Config // without a May: only call gives one
	tools  []tool.Tool
}

// Identity implements connector.Account.
func (a *account) Identity() connector.Identity { return a.who }

// Tools implements connector.Account.
func (a *account) Tools() []tool.Tool { return a.tools }

// Names implements connector.Account. A server of tools has no names of its own.
func (a *account) Names(context.Context, ...connector.NameKind) ([]connector.Name, error) {
	return nil, nil
}

// FindGoods implements connector.Account.
func (a *account) FindGoods(context.Context, string, int) ([]connector.Name, error) { return nil, nil }

// named makes the tools under names of their own here.
func (a *account) named() []tool.Tool {
	var all []tool.Tool
	taken := map[string]bool{}
	for _, d := range a.kept.Tools {
		schema, err := tool.ForeignSchema(d.Input)
		if err != nil { // it was checked when it was kept; this program may be another by now
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

// maxName bounds a tool's name, in characters: models take no longer ones.
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

// title is what people read of a tool.
func (a *account) title(d remote.Definition) tool.Text {
	name := d.Title
	if name == "" {
		name = remote.Words(d.Name, 60)
	}
	return tool.Text{RU: name + " (" + a.kept.Server.Name + ")", EN: name + " (" + a.kept.Server.Name + ")"}
}

// about is what models read of it: the server's own words, said to be that.
func (a *account) about(d remote.Definition) tool.Text {
	said := d.Description
	if said == "" {
		said = d.Name
	}
	return tool.Text{
		RU: "Инструмент стороннего MCP-сервера " + a.kept.Server.Name + ", его словами: " + said,
		EN: "A tool of the other MCP server " + a.kept.Server.Name + ", in its own words: " + said,
	}
}

// call is the one way from here to a server's tool: the pinned definition has to say that it only reads, and the server
// has to list it so still.
func (a *account) call(ctx context.Context, d remote.Definition, arguments json.RawMessage) (answer remote.Answer,
	requests int, err error) {
	config := a.config
	config.May = func(name string) error {
		pinned, ok := a.kept.Tool(name)
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

// changed is the error of a tool that is not what was verified.
func (a *account) changed(d remote.Definition) error {
	name, server := remote.Words(d.Name, 60), a.kept.Server.Name
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
