package wire

import "github.com/stockhand/stockhand"

// GatewayTrial is the response to X-Dry-Run: what would be sent, and the checks that decide whether.
type GatewayTrial struct {
	DryRun bool   `json:"dry_run"`
	Method string `json:"method"`
	Path   string `json:"path"`
	Query  string `json:"query"`
	Gates  []Gate `json:"gates"`
}

// Gate is one check of a request.
type Gate struct {
	Name    string         `json:"name"`
	Passed  bool           `json:"passed"`
	Code    stockhand.Code `json:"code,omitempty"`
	Message string         `json:"message,omitempty"`
}
