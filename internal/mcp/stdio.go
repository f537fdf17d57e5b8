package mcp

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// Stdio is a transport over a reader and a writer, one message a line. Unlike that of the SDK it answers a line that is
// no message with an error and goes on.
func Stdio(in io.Reader, out io.Writer) sdk.Transport {
	messages, lines := io.Pipe()
	w := &lineWriter{out: out}
	go func() { lines.CloseWithError(forward(in, lines, w)) }()
	return &sdk.IOTransport{Reader: messages, Writer: w}
}

// forward copies messages until the input ends, and answers the lines that are none.
func forward(in io.Reader, messages, answers io.Writer) error {
	r := bufio.NewReader(in)
	for {
		line, err := r.ReadBytes('\n')
		if line = bytes.TrimSpace(line); len(line) > 0 {
			var message any
			var to io.Writer = messages
			failure := json.Unmarshal(line, &message)
			_, object := message.(map[string]any)
			_, batch := message.([]any)
			switch {
			case failure != nil:
				to, line = answers, errorMessage(jsonrpc.CodeParseError, "Parse error: this line is not JSON")
			case !object && !batch:
				to, line = answers, errorMessage(jsonrpc.CodeInvalidRequest, "Invalid Request: not a JSON-RPC message")
			}
			if _, err := to.Write(append(line, '\n')); err != nil {
				return err
			}
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

func errorMessage(code int64, message string) []byte {
	b, _ := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": nil, // these types always encode
		"error": map[string]any{"code": code, "message": message}})
	return b
}

// lineWriter writes whole lines, one at a time. Closing it leaves the writer behind it open.
type lineWriter struct {
	mu  sync.Mutex
	out io.Writer
}

func (w *lineWriter) Write(b []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.out.Write(b)
}

func (*lineWriter) Close() error { return nil }
