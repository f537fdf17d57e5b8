package cli

import (
	"encoding/json"
	"io"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/sandbox"
)

// ready is the content of --ready-file, with the applicable parts (rule R68).
type ready struct {
	BaseURL     string            `json:"base_url,omitempty"` // with the version prefix
	OpenAIURL   string            `json:"openai_base_url,omitempty"`
	MCPURL      string            `json:"mcp_url,omitempty"`
	ConsoleURL  string            `json:"console_url,omitempty"`
	OrgID       stockhand.OrgID   `json:"org_id,omitempty"`
	AdminToken  string            `json:"admin_token,omitempty"` // of a demo
	SignInURL   string            `json:"sign_in_url,omitempty"` // signs the owner in who was just created, once
	Connections []readyConnection `json:"connections,omitempty"`
	Sandbox     *readySandbox     `json:"sandbox,omitempty"`
}

type readyConnection struct {
	ID        stockhand.ConnectionID `json:"id"`
	AccountID stockhand.AccountID    `json:"account_id"`
	Label     string                 `json:"label"`
}

type readySandbox struct {
	URL      string                `json:"url"`
	CAFile   string                `json:"ca_file,omitempty"` // of --tls
	Accounts []sandbox.AccountInfo `json:"accounts"`
}

// servers returns base URLs that direct requests to the sandbox instead of the vendor.
func (s *readySandbox) servers() map[string]string {
	return map[string]string{sandbox.Connector: s.URL}
}

// writeReady writes the file atomically and only for its owner, because it contains tokens.
func writeReady(path string, r ready) error {
	err := writeFile(path, 0o600, func(w io.Writer) error {
		enc := json.NewEncoder(w)
		enc.SetIndent("", "  ")
		return enc.Encode(r)
	})
	if err != nil {
		return stockhand.Errorf(stockhand.CodeInternal, "the ready file cannot be written: %w",
			err).WithHint("set --ready-file to a path in a folder that this user can write to")
	}
	return nil
}

func readyConnections(all []stockhand.Connection) []readyConnection {
	out := make([]readyConnection, len(all))
	for i, c := range all {
		out[i] = readyConnection{ID: c.ID, AccountID: c.Account, Label: c.Label}
	}
	return out
}
