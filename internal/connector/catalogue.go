package connector

import (
	"context"
	"encoding/json"
	"io"
	"net/http"

	"github.com/stockhand/stockhand/internal/tool"
)

// Field is an input field of a new connection.
type Field struct {
	Name     string    `json:"name"`
	Title    tool.Text `json:"title"`
	About    tool.Text `json:"about"`
	Secret   bool      `json:"secret"` // encrypted at rest and never returned
	Required bool      `json:"required"`
}

// Limit is a limit on requests to the external system.
type Limit struct {
	Name   string    `json:"name"`
	Most   int       `json:"most"`
	Window string    `json:"window,omitempty"` // "1s" means any sliding second; empty for a limit on concurrent requests
	Over   string    `json:"over"`             // "account" or "employee"
	About  tool.Text `json:"about"`
}

// Trap is a behaviour of the API that gives naive clients wrong results without an error.
type Trap struct {
	Name  string    `json:"name"`
	About tool.Text `json:"about"`
}

// Weight is the cost of an operation in terms of the limits.
type Weight struct {
	Requests     int       `json:"requests"`        // the minimum number of requests
	StockReports int       `json:"stock_reports"`   // how many of them are stock reports
	Units        int       `json:"units,omitempty"` // units of the vendor's budget, if the vendor publishes a price
	Note         tool.Text `json:"note"`
}

// Operation is a raw read of the external system's API, for developers. Tools are operations too. No operation writes:
// changes go through propose tools.
type Operation struct {
	Name   string
	Title  tool.Text
	About  tool.Text
	Input  *tool.Schema
	Weight Weight
	Traps  []string // names of the connector's traps that affect it
}

// Right is a right of the external system's employee, for display.
type Right struct {
	Name    string    `json:"name"`
	Section tool.Text `json:"section"`
	Extent  string    `json:"extent,omitempty"` // what is visible: "all", or whose objects
	Closes  tool.Text `json:"closes"`           // what is hidden without it
}

// Operator is an account that can execute raw operations.
type Operator interface {
	// Operate validates the arguments, reads, and returns the external system's answer byte for byte, with notices for
	// the reader. If the arguments are invalid, it sends nothing.
	Operate(ctx context.Context, operation string, arguments json.RawMessage) (Reading, error)
}

// Reading is the result of a raw operation.
type Reading struct {
	Data    json.RawMessage
	Notices []tool.Notice
}

// GatewayRequest is a request to the external system's raw API. It contains none of the caller's headers except those
// that may be forwarded.
type GatewayRequest struct {
	Method   string
	Path     string // relative to the API's root, escaped as the caller sent it
	Query    string // as sent
	Language string // Accept-Language; empty for none
	Body     []byte // of a write
	Type     string // Content-Type of Body
}

// Gateway forwards requests to the external system's raw API with a connection's credential. There are two kinds: one
// that reads, whose transport rejects everything else, and one that writes, which only internal/app can create.
type Gateway interface {
	// Check returns why a request would be rejected because of its path or method, or nil. It sends nothing.
	Check(r GatewayRequest) error

	// Pass sends the request and returns the response, whatever its status. An error means that the request was not
	// sent or got no response.
	Pass(ctx context.Context, r GatewayRequest) (*GatewayAnswer, error)
}

// GatewayAnswer is the external system's response, decompressed. The caller must read and close the body, which
// occupies a slot of the concurrency limit.
type GatewayAnswer struct {
	Status int
	Header http.Header // those that may be forwarded
	Body   io.ReadCloser
}
