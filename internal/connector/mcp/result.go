package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/connector/mcp/remote"
	"github.com/stockhand/stockhand/internal/tool"
)

// The limits of a table made from a server's answer.
const (
	maxRows    = 5000
	maxColumns = 50
	maxCell    = 2000 // characters
)

// readTool returns a tool that is declared read-only.
func (a *account) readTool(name string, d remote.Definition, schema *tool.Schema) tool.Tool {
	return tool.ReadRaw(name, a.title(d), a.about(d), schema,
		func(ctx context.Context, env tool.Env, arguments json.RawMessage) (*tool.Result, error) {
			l, own, server := env.Language, remote.Words(d.Name, 60), a.saved.Server.Name
			env.Report(0, 1, fmt.Sprintf(l.Pick("жду сервер %s", "waiting for the server %s"), server))
			answer, requests, err := a.call(ctx, d, arguments)
			if err != nil {
				return nil, remote.In(err, l)
			}
			if answer.IsError {
				return nil, refused(answer, server, l)
			}
			r := &tool.Result{Title: a.title(d).In(l),
				Notices: []tool.Notice{{Code: tool.NoticeForeign, Message: fmt.Sprintf(
					l.Pick("Это ответ стороннего сервера %s; за его верность отвечает он.",
						"This is the answer of another server, %s, which is responsible for its "+
							"correctness."), server)}}}
			fill(r, answer, l)
			r.Answer = fmt.Sprintf(l.Pick("«%s» на сервере %s: строк %d.", "%s at the server %s: %d rows."), own,
				server,
				len(r.Rows))
			r.Provenance = tool.Provenance{
				Account: a.who.Account, Read: env.Clock(), Requests: requests,
				Sources: []tool.Source{{Path: "tools/call " + own, Requests: requests, Rows: len(r.Rows)}},
				Method: fmt.Sprintf(l.Pick("ответ сервера %s на вызов «%s», как он пришёл",
					"the unchanged answer of the server %s to the call of %s"), server, own),
			}
			return r, nil
		})
}

// refused returns a tool's error, quoting the server.
func refused(answer remote.Answer, server string, l stockhand.Language) error {
	said := answer.Text(500)
	return stockhand.Errorf(stockhand.CodeExternalUnavailable,
		l.Pick("сервер %s ответил ошибкой: «%s»",
			"the server %s answered with an error, in its own words: “%s”"), server, said).
		WithHint("%s", l.Pick("исправьте аргументы или обратитесь к тем, кто ведёт этот сервер",
			"correct the arguments, or ask the operator of that server"))
}

// fill fills the table from structured content that is a list of objects, or else from the blocks of text.
func fill(r *tool.Result, answer remote.Answer, l stockhand.Language) {
	if objects, ok := objectsOf(answer.Structured); ok {
		tabulate(r, objects, l)
		return
	}
	r.Columns = []tool.Column{{Name: "text", Label: l.Pick("Текст", "Text"), Unit: tool.UnitText}}
	other := 0
	for _, c := range answer.Content {
		if c.Text == "" {
			other++
			continue
		}
		r.Rows = append(r.Rows, tool.Row{tool.TextValue(cut(c.Text, maxCell))})
	}
	if len(r.Rows) == 0 && len(answer.Structured) > 0 {
		r.Rows = append(r.Rows, tool.Row{tool.TextValue(cut(compacted(answer.Structured), maxCell))})
	}
	if len(r.Rows) > maxRows {
		r.Rows = r.Rows[:maxRows]
		r.Notices = append(r.Notices, truncated(l))
	}
	if other > 0 {
		r.Notices = append(r.Notices, tool.Notice{Code: tool.NoticePartial, Message: fmt.Sprintf(
			l.Pick("В ответе есть части, которые здесь не показать (изображения, звук, пустые): %d.",
				"Parts of the answer that cannot be shown here (images, audio, empty parts): %d."), other)})
	}
}

func truncated(l stockhand.Language) tool.Notice {
	return tool.Notice{Code: tool.NoticeTruncated, Message: fmt.Sprintf(
		l.Pick("Ответ сервера длиннее: оставлено строк %d, столбцов не больше %d.",
			"The server's answer is longer: %d rows and at most %d columns are kept."), maxRows, maxColumns)}
}

// cut shortens text but keeps its line breaks.
func cut(s string, most int) string {
	s = strings.ToValidUTF8(s, "")
	if r := []rune(s); len(r) > most {
		return string(r[:most]) + "…"
	}
	return s
}

func compacted(raw json.RawMessage) string {
	var b bytes.Buffer
	if json.Compact(&b, raw) != nil {
		return ""
	}
	return b.String()
}

// member is a field of an object; fields keep the server's order.
type member struct {
	name  string
	value json.RawMessage
}

// objectsOf decodes a list of objects, either bare or as the only list in an object.
func objectsOf(raw json.RawMessage) ([][]member, bool) {
	if len(raw) == 0 {
		return nil, false
	}
	if raw[0] == '{' {
		var within json.RawMessage
		for _, m := range membersOf(raw) {
			if m.value[0] != '[' {
				continue
			}
			if within != nil {
				return nil, false
			}
			within = m.value
		}
		raw = within
	}
	var list []json.RawMessage
	if raw == nil || json.Unmarshal(raw, &list) != nil {
		return nil, false
	}
	objects := make([][]member, 0, len(list))
	for _, one := range list {
		if one[0] != '{' {
			return nil, false
		}
		objects = append(objects, membersOf(one))
	}
	return objects, true
}

// membersOf decodes an object that is known to be valid JSON.
func membersOf(raw json.RawMessage) []member {
	d := json.NewDecoder(bytes.NewReader(raw))
	if _, err := d.Token(); err != nil {
		return nil
	}
	var all []member
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return all
		}
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return all
		}
		all = append(all, member{fmt.Sprint(name), bytes.TrimSpace(value)})
	}
	return all
}
