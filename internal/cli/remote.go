package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/agent"
	"github.com/stockhand/stockhand/internal/cli/table"
	"github.com/stockhand/stockhand/internal/client"
	"github.com/stockhand/stockhand/internal/tool"
)

// server selects a running server to use instead of this process.
type server struct {
	URL string `placeholder:"URL" help:"Ask the server at this address (default: STOCKHAND_URL)."`
	Key string `placeholder:"KEY" help:"The API key or user token for it (default: STOCKHAND_API_KEY, which the process list does not show)."`
	Org string `placeholder:"ID" help:"The organization, for a person who belongs to several."`
}

// fromEnvironment uses the environment for unset flags.
func (s server) fromEnvironment(e *env) server {
	if s.URL == "" {
		s.URL = e.getenv("STOCKHAND_URL")
	}
	if s.Key == "" {
		s.Key = e.getenv("STOCKHAND_API_KEY")
	}
	return s
}

func (s server) client() (*client.Client, error) {
	if s.Key == "" {
		return nil, errors.Join(errUsage,
			stockhand.Errorf(stockhand.CodeTokenExpired, "no key for %s", "the server").
				WithHint("set STOCKHAND_API_KEY; an operator of the server creates keys with: stockhand keys create"))
	}
	return client.New(s.URL, s.Key, stockhand.OrgID(s.Org))
}

// message is a finished message from a server. Drafts are shown as part of the answer's text.
type message struct {
	FinalResponse string            `json:"final_response"`
	Results       []json.RawMessage `json:"results"`
	Drafts        []struct {
		ID      stockhand.DraftID `json:"id"`
		Version int64             `json:"version"`
	} `json:"drafts"`
	OutputTokens int             `json:"total_output_tokens"`
	Notices      []tool.Notice   `json:"notices"`
	Question     *agent.Question `json:"question"`
	Failure      *agent.Failure  `json:"error"`
	Cancelled    bool            `json:"cancelled"`
}

// elsewhere runs the task on a server and prints the result like a local one.
func (c *askCmd) elsewhere(ctx context.Context, e *env, task string) error {
	to, err := c.client()
	if err != nil {
		return err
	}
	asked := client.Task{Message: task, Language: stockhand.Language(c.Lang)}
	if c.Account != "" {
		if asked.Connection, err = namedAt(ctx, to, c.Account); err != nil {
			return err
		}
	}
	raw, err := c.follow(ctx, e, to, asked)
	if err != nil {
		return err
	}
	var m message
	if err := json.Unmarshal(raw, &m); err != nil {
		return stockhand.Errorf(stockhand.CodeExternalUnavailable, "the server's response cannot be read: %w",
			err).WithHint("the server may have another version: compare stockhand version on both sides")
	}
	f, err := m.finished(func(id stockhand.ResultID) (json.RawMessage, error) {
		if c.JSON && c.CSV == "" {
			return nil, nil // the message is printed as it is
		}
		return to.Result(ctx, id)
	})
	if err != nil {
		return err
	}
	talk := e.conversation(nil, c.Lang, c.Rows)
	talk.place = table.Place{CSV: true}
	if err := c.save(e, talk, f); err != nil {
		return err
	}
	if c.JSON {
		var line bytes.Buffer
		if err := json.Compact(&line, raw); err != nil {
			return err
		}
		fmt.Fprintln(e.streams.Out, line.String())
	} else {
		talk.show(c.shown(e), f)
		for _, d := range m.Drafts {
			fmt.Fprintf(c.shown(e), languageOf(m.FinalResponse).Pick("\nЧерновик %s, версия %d: ждёт подтверждения.\n",
				"\nDraft %s, version %d: waits for a person.\n"), d.ID, d.Version)
		}
	}
	return c.verdict(e, f, "stockhand ask --url … --account ID …", answered(f, len(m.Drafts), task))
}

// follow starts the task and shows its progress until it ends. Ctrl-C cancels the task on the server.
func (c *askCmd) follow(ctx context.Context, e *env, to *client.Client, asked client.Task) (json.RawMessage, error) {
	turn, err := to.Start(ctx, asked)
	if err != nil {
		return nil, err
	}
	progress := e.bar(c.JSON)
	defer progress.clear()
	for event, err := range to.Follow(ctx, turn, 0) {
		if err != nil {
			if ctx.Err() != nil {
				err = errors.Join(err, to.Cancel(context.WithoutCancel(ctx), turn))
			}
			return nil, err
		}
		progress.event(event.Type, event.Data)
	}
	return to.Finished(ctx, turn)
}

// finished converts the message to the local type, as far as it is shown. The function reads a whole result, of which
// the message has only the first rows, or returns nothing if they are enough.
func (m *message) finished(whole func(stockhand.ResultID) (json.RawMessage, error)) (*agent.Finished, error) {
	f := &agent.Finished{FinalResponse: m.FinalResponse, OutputTokens: m.OutputTokens, Notices: m.Notices,
		Question: m.Question, Failure: m.Failure,
		Cancelled: m.Cancelled}
	if len(m.Drafts) > 0 {
		return f, nil
	}
	for _, raw := range m.Results {
		preview, err := readPreview(raw)
		if err == nil && len(preview.Rows) < preview.Count {
			if raw, err = whole(preview.ID); err == nil && raw != nil {
				preview, err = readPreview(raw)
			}
		}
		if err != nil {
			return nil, stockhand.Errorf(stockhand.CodeExternalUnavailable, "the server's table cannot be read: %w",
				err).WithHint("--json shows it unchanged")
		}
		f.Results = append(f.Results, preview)
	}
	return f, nil
}

func readPreview(raw json.RawMessage) (agent.ResultPreview, error) {
	var head struct {
		ID    stockhand.ResultID `json:"id"`
		Count int                `json:"row_count"`
	}
	preview := agent.ResultPreview{}
	err := errors.Join(json.Unmarshal(raw, &head), json.Unmarshal(raw, &preview.Result))
	preview.ID, preview.Count = head.ID, head.Count
	return preview, err
}

// namedAt returns the connection on a server with a label, account ID or connection ID.
func namedAt(ctx context.Context, to *client.Client, name string) (stockhand.ConnectionID, error) {
	if stockhand.ValidID(name, "con") {
		return stockhand.ConnectionID(name), nil // a key may use a connection without permission to list them
	}
	all, err := to.Connections(ctx)
	if err != nil {
		return "", err
	}
	return pick(mapped(all, func(c client.Connection) candidate { return candidate{c.ID, c.Account, c.Label} }), name)
}

// candidate is a connection that a name may refer to.
type candidate struct {
	id      stockhand.ConnectionID
	account stockhand.AccountID
	label   string
}

// pick returns the only account that a name refers to.
func pick(all []candidate, name string) (stockhand.ConnectionID, error) {
	accounts := map[stockhand.AccountID]stockhand.ConnectionID{}
	var list []string
	for _, c := range all {
		if strings.EqualFold(string(c.id), name) || strings.EqualFold(string(c.account), name) ||
			strings.EqualFold(c.label, name) {
			accounts[c.account] = c.id
		}
		list = append(list, fmt.Sprintf("%s (%s)", c.label, c.account))
	}
	if len(accounts) == 1 {
		for _, id := range accounts {
			return id, nil
		}
	}
	problem := "no connected account is called " + fmt.Sprintf("%q", name)
	if len(accounts) > 1 {
		problem = fmt.Sprintf("%d accounts are called %q: name one by its account id", len(accounts), name)
	}
	e := stockhand.Errorf(stockhand.CodeAccountRequired, "%s", problem).WithHint("connected: %s",
		strings.Join(list, "; "))
	return "", errors.Join(errUsage, e)
}
