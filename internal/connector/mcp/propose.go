package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/connector/mcp/remote"
	"github.com/stockhand/stockhand/internal/tool"
)

// maxArguments is the maximum size of arguments, in bytes, that a person can be asked to review.
const maxArguments = 16 << 10

// proposeTool returns a tool that is not declared read-only. Calling it creates a draft without contacting the server.
func (a *account) proposeTool(name string, d remote.Definition, schema *tool.Schema) tool.Tool {
	return tool.ProposeRaw(name, a.title(d), a.about(d), schema,
		func(_ context.Context, env tool.Env, arguments json.RawMessage) (*tool.Proposal, error) {
			if len(arguments) > maxArguments {
				return nil, &stockhand.Error{
					Code:    stockhand.CodeValidation,
					Message: "the arguments are larger than 16 KiB, too long to review before confirming",
					Hint:    "send less at once",
					RU:      stockhand.Words{Message: "аргументы больше 16 КиБ: человек не сможет прочитать их перед подтверждением", Hint: "отправьте меньше за раз"},
				}
			}
			var exact bytes.Buffer
			if err := json.Compact(&exact, arguments); err != nil {
				return nil, stockhand.Errorf(stockhand.CodeValidation, "the arguments are not JSON")
			}
			l, own, server := env.Language, remote.Words(d.Name, 60), a.saved.Server.Name
			title := fmt.Sprintf(l.Pick("Вызвать «%s» на сервере %s", "Call %s at the server %s"), own, server)
			return &tool.Proposal{
				Title: title,
				Answer: fmt.Sprintf(l.Pick(
					"Подготовлен вызов «%s» на сервере %s. Инструмент не объявлен как «только чтение», поэтому без подтверждения он не вызывается.",
					"A call of %s at the server %s is prepared. The tool is not declared read-only, so it is not called without a confirmation."), own, server),
				Documents: []tool.Document{{
					Kind: tool.RemoteCall, Title: title, Lines: []tool.Line{},
					Reason: l.Pick("инструмент может что-то изменить", "the tool may change something"),
					Call: &tool.Remote{Server: server, Tool: d.Name, Arguments: exact.Bytes(),
						Definition: d.Fingerprint},
					Consequences: []string{l.Pick(
						"Что именно изменится, знает только тот сервер. Отменить вызов отсюда нельзя.",
						"Only that server knows the exact effect. The call can't be reversed from here.")},
				}},
				Notices: []tool.Notice{},
				Provenance: tool.Provenance{
					Account: a.who.Account, Read: env.Clock(), Sources: []tool.Source{},
					Method: fmt.Sprintf(l.Pick("аргументы как переданы; сервер %s ни о чём не спрошен",
						"the arguments as given; the server %s was not contacted"), server),
				},
			}, nil
		})
}
