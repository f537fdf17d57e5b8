package developers

import (
	"context"
	"encoding/json"
	"net"
	"net/url"
	"slices"
	"strings"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/console/text"
)

// snippet is an example that is ready to paste.
type snippet struct {
	ID    string
	Title string
	About string
	Code  string
	Scope stockhand.Scope // that the key needs
	Lacks bool            // the key lacks it
}

// placeholder stands for a secret in examples without a key.
const placeholder = "sk-org-…"

// snippets returns the examples with the address of this server and, for a key, its secret filled in. Where a task must
// name an account, it names the first.
func (h Handlers) snippets(ctx context.Context, v keysView, secret string, scopes []stockhand.Scope) []snippet {
	task := text.SnippetTask.In(ctx)
	if bound := v.Shown != nil && len(v.Shown.Binding.Connections) > 0; len(v.Accounts) > 1 && !bound {
		task = plain.Replace(v.Accounts[0].Label) + ": " + task
	}
	all := []snippet{
		{ID: "curl", Title: "curl", About: text.SnippetCurl.In(ctx), Scope: stockhand.ScopeWriteTools,
			Code: curlCode},
		{ID: "python", Title: "Python", About: text.SnippetPyWhy.In(ctx), Scope: stockhand.ScopeChat, Code: pythonCode},
		{ID: "node", Title: "Node.js", About: text.SnippetJSWhy.In(ctx), Scope: stockhand.ScopeChat, Code: nodeCode},
		{ID: "go", Title: "Go", About: text.SnippetGoWhy.In(ctx), Scope: stockhand.ScopeWriteTools, Code: goCode},
		{ID: "mcp", Title: text.SnippetMCP.In(ctx), About: text.SnippetMCPWhy.In(ctx),
			Scope: stockhand.ScopeWriteTools, Code: mcpCode},
		{ID: "webui", Title: text.SnippetWebUI.In(ctx), About: text.SnippetWebWhy.In(ctx), Scope: stockhand.ScopeChat,
			Code: webUICode},
		{ID: "n8n", Title: text.SnippetN8N.In(ctx), About: text.SnippetN8NWhy.In(ctx), Scope: stockhand.ScopeWriteTools,
			Code: n8nCode},
	}
	network := "-p 3000:8080"
	if loopback(h.Address) { // a container has a loopback of its own
		network = "--network=host -e PORT=3000"
	}
	fill := strings.NewReplacer("ADDRESS", h.Address, "SECRET", or(secret, placeholder), "TASK", task,
		"NETWORK", network)
	for i := range all {
		s := &all[i]
		s.Code = fill.Replace(strings.TrimPrefix(s.Code, "\n"))
		s.Lacks = secret != "" && !slices.Contains(scopes, s.Scope) && !slices.Contains(scopes, stockhand.ScopeAdmin)
	}
	return all
}

// plain leaves out of a name what quotes, escapes or expands in the languages of the examples.
var plain = strings.NewReplacer(`"`, "", "'", "", "`", "", `\`, "", "$", "", "\n", " ")

// loopback reports whether only programs on the server's machine reach the address.
func loopback(address string) bool {
	u, err := url.Parse(address)
	if err != nil {
		return false
	}
	ip := net.ParseIP(u.Hostname())
	return u.Hostname() == "localhost" || ip != nil && ip.IsLoopback()
}

func or(value, otherwise string) string {
	if value == "" {
		return otherwise
	}
	return value
}

const curlCode = `
curl "ADDRESS/api/v1/sessions/stream?wait=60" \
  -H "Authorization: Bearer SECRET" \
  -H "Content-Type: application/json" \
  -d '{"message": "TASK"}'`

const pythonCode = `
from openai import OpenAI

client = OpenAI(base_url="ADDRESS/v1", api_key="SECRET")
answer = client.chat.completions.create(
    model="stockhand",
    messages=[{"role": "user", "content": "TASK"}],
)
print(answer.choices[0].message.content)`

const nodeCode = `
import OpenAI from "openai";

const client = new OpenAI({ baseURL: "ADDRESS/v1", apiKey: "SECRET" });
const answer = await client.chat.completions.create({
  model: "stockhand",
  messages: [{ role: "user", content: "TASK" }],
});
console.log(answer.choices[0].message.content);`

const goCode = `
package main

import (
	"io"
	"log"
	"net/http"
	"os"
	"strings"
)

func main() {
	r, err := http.NewRequest("POST", "ADDRESS/api/v1/sessions/stream?wait=60",
		strings.NewReader(` + "`" + `{"message": "TASK"}` + "`" + `))
	if err != nil {
		log.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer SECRET")
	r.Header.Set("Content-Type", "application/json")
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		log.Fatal(err)
	}
	defer answer.Body.Close()
	_, _ = io.Copy(os.Stdout, answer.Body)
}
`

const mcpCode = `
{
  "mcpServers": {
    "stockhand": {
      "type": "http",
      "url": "ADDRESS/mcp",
      "headers": { "Authorization": "Bearer SECRET" }
    }
  }
}`

const webUICode = `
docker run -d NETWORK -v open-webui:/app/backend/data \
  -e OPENAI_API_BASE_URL="ADDRESS/v1" \
  -e OPENAI_API_KEY="SECRET" \
  ghcr.io/open-webui/open-webui:main`

// n8nCode is what n8n makes a node of.
var n8nCode = func() string {
	type pair struct {
		Name  string `json:"name"`
		Value string `json:"value"`
	}
	type node struct {
		Name        string         `json:"name"`
		Type        string         `json:"type"`
		TypeVersion float64        `json:"typeVersion"`
		Position    [2]int         `json:"position"`
		Parameters  map[string]any `json:"parameters"`
	}
	b, err := json.MarshalIndent(map[string]any{
		"nodes": []node{{Name: "Stockhand", Type: "n8n-nodes-base.httpRequest", TypeVersion: 4.2,
			Parameters: map[string]any{
				"method": "POST", "url": "ADDRESS/api/v1/sessions/stream?wait=60", "sendHeaders": true,
				"headerParameters": map[string]any{"parameters": []pair{{"Authorization", "Bearer SECRET"}}},
				"sendBody":         true, "specifyBody": "json", "jsonBody": `{"message": "TASK"}`,
			}}},
		"connections": map[string]any{},
	}, "", "  ")
	if err != nil {
		panic(err) // it is a constant
	}
	return string(b)
}()
