package api

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"mime"
	"net/http"
	"os"
	"path"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/stockhand/stockhand/internal/sse"
)

// TestMain validates every API response that http.DefaultClient receives in the tests of this package, which is how
// apptest calls the service, against the OpenAPI document.
func TestMain(m *testing.M) {
	c := newContract(New(Config{}))
	http.DefaultClient.Transport = &validatingTransport{next: http.DefaultTransport, contract: c}
	code := m.Run()
	if list := c.report(); list != "" {
		fmt.Fprint(os.Stderr, "Responses that differ from the OpenAPI document:\n"+list)
		code = cmp.Or(code, 1)
	}
	os.Exit(code)
}

// contract is an OpenAPI document that responses are validated against.
type contract struct {
	mux *http.ServeMux // finds the route of a request
	doc *openapi3.T

	mu         sync.Mutex
	violations map[string]string // an example by operation, status and reason
}

func newContract(s *Server) *contract {
	doc, err := openapi3.NewLoader().LoadFromData(s.document.JSON())
	if err != nil {
		panic(err)
	}
	return &contract{mux: s.mux, doc: doc, violations: map[string]string{}}
}

func (c *contract) report() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	var b strings.Builder
	for _, what := range slices.Sorted(maps.Keys(c.violations)) {
		fmt.Fprintf(&b, "  %s\n    %.300s\n", what, c.violations[what])
	}
	return b.String()
}

// check validates one response. Paths outside the document are only checked for the shape of errors.
func (c *contract) check(r *http.Request, status int, header http.Header, body []byte) {
	name := r.Method + " " + r.URL.Path
	err := func() error {
		content, documented, err := c.contentOf(r, status)
		if !documented || err != nil || r.Method == http.MethodHead || len(body) == 0 {
			return err
		}
		media, _, err := mime.ParseMediaType(header.Get("Content-Type"))
		if err != nil {
			return fmt.Errorf("Content-Type: %w", err)
		}
		m := content.Get(media)
		if m == nil {
			return fmt.Errorf("undocumented content type %s", media)
		}
		switch media {
		case "application/json":
			if m.Schema.Value.IsEmpty() {
				return nil // passed through
			}
			return visit(m.Schema, body)
		case sse.MediaType:
			for e, err := range sse.Read(bytes.NewReader(body)) {
				if err != nil || string(e.Data) == "[DONE]" {
					break
				}
				if err := visit(m.Schema, e.Data); err != nil {
					return err
				}
			}
		}
		return nil
	}()
	if err != nil {
		c.mu.Lock()
		defer c.mu.Unlock()
		reason, _, _ := strings.Cut(err.Error(), "\nSchema")
		c.violations[fmt.Sprintf("%s %d: %.300s", c.nameOf(r, name), status, reason)] = string(body)
	}
}

// contentOf returns the documented content of a response. documented is false for what the document leaves out.
func (c *contract) contentOf(r *http.Request, status int) (_ openapi3.Content, documented bool, _ error) {
	op := c.operation(r)
	if op == nil {
		if !strings.HasPrefix(r.URL.Path, Base+"/") || status < http.StatusBadRequest {
			return nil, false, nil
		}
		return openapi3.NewContentWithJSONSchemaRef(c.doc.Components.Schemas["ErrorBody"]), true, nil
	}
	response := op.Responses.Status(status)
	if response == nil {
		response = op.Responses.Default()
	}
	if response == nil {
		return nil, true, fmt.Errorf("undocumented status")
	}
	return response.Value.Content, true, nil
}

func (c *contract) operation(r *http.Request) *openapi3.Operation {
	if path.Clean(r.URL.Path) != r.URL.Path {
		return nil // refused before it is routed
	}
	_, pattern := c.mux.Handler(r)
	_, at, _ := strings.Cut(pattern, "/")
	item := c.doc.Paths.Value(strings.TrimPrefix("/"+strings.ReplaceAll(at, "...}", "}"), Base))
	if item == nil {
		return nil
	}
	if r.Method == http.MethodHead {
		return item.Get
	}
	return item.Operations()[r.Method]
}

func (c *contract) nameOf(r *http.Request, otherwise string) string {
	if op := c.operation(r); op != nil {
		return op.OperationID
	}
	return otherwise
}

func visit(schema *openapi3.SchemaRef, body []byte) error {
	var value any
	if err := json.Unmarshal(body, &value); err != nil {
		return err
	}
	if schema == nil || schema.Value == nil {
		return fmt.Errorf("no schema")
	}
	return schema.Value.VisitJSON(value, openapi3.VisitAsResponse(), openapi3.EnableFormatValidation())
}

// validatingTransport validates the responses of API servers once they are read.
type validatingTransport struct {
	next     http.RoundTripper
	contract *contract
}

func (t *validatingTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	asked := r.Clone(r.Context())
	answer, err := t.next.RoundTrip(r)
	if err == nil && answer.Header.Get("X-Request-Id") != "" && answer.Header.Get("X-Frame-Options") != "" {
		answer.Body = &validatedBody{ReadCloser: answer.Body, done: func(b []byte) {
			t.contract.check(asked, answer.StatusCode, answer.Header, b)
		}}
	}
	return answer, err
}

// validatedBody hands over a body when it was read to its end.
type validatedBody struct {
	io.ReadCloser

	read bytes.Buffer
	once sync.Once
	done func([]byte)
}

func (b *validatedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	b.read.Write(p[:n])
	if err == io.EOF {
		b.once.Do(func() { b.done(b.read.Bytes()) })
	}
	return n, err
}
