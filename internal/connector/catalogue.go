package connector

import (
	"context"
	"encoding/json"
	"io"
	"net/http"

	"github.com/stockhand/stockhand/internal/tool"
)

// Field is an input of a new connection.
type Field struct {
	Name     string    `json:"name"`
	Title    tool.Text `json:"title"`
	About    tool.Text `json:"about"`
	Secret   bool      `json:"secret"` // sealed at rest and never given back
	Required bool      `json:"required"`
}

// Limit is what requests to the external system are held to.
type Limit struct {
	Name   string    `json:"name"`
	Most   int       `json:"most"`
	Window string    `json:"window,omitempty"` // "1s": any sliding second; empty for what is counted at once
	Over   string    `json:"over"`             // "account" or "employee"
	About  tool.Text `json:"about"`
}

// Trap is something that makes a naive client wrong without an error.
type Trap struct {
	Name  string    `json:"name"`
	About tool.Text `json:"about"`
}

// Weight is what an operation costs of the limits.
type Weight struct {
	Requests     int       `json:"requests"`        // the least it sends
	StockReports int       `json:"stock_reports"`   // of them
	Units        int       `json:"units,omitempty"` // of the vendor's own budget, where the vendor names a price
	Note         tool.Text `json:"note"`
}

// Operation is something that a developer may ask of an account: a raw read of the external system's API. Tools are
// operations too; those that write do not exist, a change is asked for by a propose tool.
type Operation struct {
	Name   string
	Title  tool.Text
	About  tool.Text
	Input  *tool.Schema
	Weight Weight
	Traps  []string // names of the connector's traps that it is prone to
}

// Right is a right of the external system's employee in the words of people.
type Right struct {
	Name    string    `json:"name"`
	Section tool.Text `json:"section"`
	Extent  string    `json:"extent,omitempty"` // of what is visible: "all", or whose objects only
	Closes  tool.Text `json:"closes"`           // what is not seen without it
}

// Operator is an account whose raw operations can be executed.
type Operator interface {
	// Operate checks the arguments, reads, and returns what the external system answered, byte by byte, with remarks
	// that a reader of it needs. Nothing goes out when the arguments do not fit.
	Operate(ctx context.Context, operation string, arguments json.RawMessage) (Reading, error)
}

// Reading is the answer to a raw operation.
type Reading struct {
	Data    json.RawMessage
	Notices []tool.Notice
}

// GatewayRequest is a request to the external system's raw API. The caller's own headers are not in it, but for what
// may pass.
type GatewayRequest struct {
	Method   string
	Path     string // below the API's root, escaped as the caller sent it
	Query    string // as sent
	Language string // Accept-Language; empty for none
	Body     []byte // of a write
	Type     string // Content-Type of Body
}

// Gateway passes requests on to the external system's raw API with a connection's credential. There are two: one that
// reads, whose transport refuses everything else, and one that writes, which internal/app alone can make.
type Gateway interface {
	// Check says why the request would not be sent: an address or a method that it does not pass. It sends nothing.
	Check(r GatewayRequest) error

	// Pass sends the request and returns the answer, whatever its status. An error is about what was not asked or not
	// answered.
	Pass(ctx context.Context, r GatewayRequest) (*GatewayAnswer, error)
}

// GatewayAnswer is the external system's answer, unpacked. The body holds a place among the requests on the way: it is
// to be read and closed.
type GatewayAnswer struct {
	Status int
	Header http.Header // those that may be passed on
	Body   io.ReadCloser
}
