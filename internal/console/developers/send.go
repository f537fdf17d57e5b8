package developers

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"mime"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/api/caller"
	"github.com/stockhand/stockhand/internal/console/text"
)

// apiRequest is a request to the API. Its path has the query.
type apiRequest struct {
	Method, Path string
	Headers      [][2]string
	Body         string // JSON; empty for none
}

// print identifies a request: a person confirms the one that was shown and no other.
func (q apiRequest) print() string {
	all := q.Method + " " + q.Path + "\n"
	for _, h := range q.Headers {
		all += h[0] + ": " + h[1] + "\n"
	}
	sum := sha256.Sum256([]byte(all + "\n" + q.Body))
	return hex.EncodeToString(sum[:12])
}

var pathParameter = regexp.MustCompile(`\{(\w+)(\.\.\.)?\}`)

// compose returns the request that a form describes, and whether it is complete. It marks fields that are not.
func (h Handlers) compose(ctx context.Context, v *operationView) (apiRequest, bool) {
	q, ok := apiRequest{Method: v.Method}, true
	if v.Method == "ANY" {
		q.Method = http.MethodGet
	}
	inPath, query := map[string]string{}, url.Values{}
	for i := range v.Params {
		f := &v.Params[i]
		value := strings.TrimSpace(f.Value())
		switch {
		case value == "" && f.Required:
			f.Error, ok = text.RefMissing.In(ctx), false
		case value == "":
		case f.In == "path":
			inPath[f.Name] = value
		case f.In == "query":
			query.Set(f.Name, value)
		case strings.ContainsFunc(value, func(c rune) bool { return c < ' ' || c > '~' }):
			f.Error, ok = text.RefASCII.In(ctx), false
		case f.In == "header":
			q.Headers = append(q.Headers, [2]string{f.Name, value})
		}
	}
	q.Path = pathParameter.ReplaceAllStringFunc(v.Path, func(p string) string {
		m := pathParameter.FindStringSubmatch(p)
		switch value := inPath[m[1]]; {
		case value == "":
			return "{" + m[1] + "}"
		case m[2] == "":
			return url.PathEscape(value)
		default: // the rest of a path, which may have a query
			path, rest, asks := strings.Cut(value, "?")
			out := strings.ReplaceAll(url.PathEscape(path), "%2F", "/")
			if asks {
				out += "?" + rest
			}
			return out
		}
	})
	if len(query) > 0 {
		q.Path += "?" + query.Encode()
	}
	if body := strings.TrimSpace(v.Body.Value()); v.Takes {
		var out bytes.Buffer
		if json.Indent(&out, []byte(body), "", "  ") != nil {
			v.Body.Error = text.FieldJSON.In(ctx)
			return q, false
		}
		q.Body = out.String()
	}
	return q, ok
}

// reply is what the API answered.
type reply struct {
	Status  int
	Took    time.Duration
	Headers [][2]string
	Body    string // as people read it; empty if there is none, or it is a file
	Cut     bool   // there is more
	Ended   bool   // it was still coming when the time was over
	File    string // the type of a body that cannot be shown
	Size    int64
}

const (
	sendTime = 20 * time.Second // how long an answer is waited for
	mostKept = 256 << 10        // bytes of one
)

// shownHeaders are those of a response that tell something about this one.
var shownHeaders = []string{"Content-Type", "X-Request-Id", "X-Session-Id", "Location", "ETag", "Retry-After",
	"X-Dry-Run", "Idempotency-Replayed", "X-Notices", "Content-Disposition", "RateLimit-Limit", "RateLimit-Remaining"}

// send sends a request to the API as the person whose browser asked for it: with the cookie of their sign-in, so with
// their rights, limits and audit log. It is marked, so that it confirms no draft (rule R416).
func (h Handlers) send(r *http.Request, q apiRequest) *reply {
	ctx, stop := context.WithTimeout(caller.Trying(r.Context()), sendTime)
	defer stop()
	out, err := http.NewRequestWithContext(ctx, q.Method, q.Path, strings.NewReader(q.Body))
	if err != nil {
		return &reply{Status: http.StatusBadRequest, Body: err.Error()}
	}
	if q.Body == "" {
		out.Body, out.ContentLength = http.NoBody, 0
	} else {
		out.Header.Set("Content-Type", "application/json")
	}
	out.Host, out.RemoteAddr, out.RequestURI, out.TLS = r.Host, r.RemoteAddr, q.Path, r.TLS
	for _, name := range []string{"Cookie", "X-Forwarded-For"} {
		out.Header[name] = r.Header[name]
	}
	out.Header.Set("Accept-Language", string(text.Language(ctx)))
	out.Header.Set("X-Org-Id", string(stockhand.ActorOf(ctx).Org))
	for _, h := range q.Headers {
		out.Header.Set(h[0], h[1])
	}
	a := &recorder{header: http.Header{}}
	begin := h.Clock()
	serve(h.API, a, out)
	answered := a.reply()
	answered.Took, answered.Ended = h.Clock().Sub(begin), ctx.Err() != nil
	return answered
}

// serve ends quietly where a server would close the connection.
func serve(h http.Handler, w http.ResponseWriter, r *http.Request) {
	defer func() {
		if cause := recover(); cause != nil && cause != http.ErrAbortHandler { //nolint:errorlint // the value itself
			panic(cause)
		}
	}()
	h.ServeHTTP(w, r)
}

// recorder keeps the beginning of a response.
type recorder struct {
	header http.Header
	status int
	body   bytes.Buffer
	size   int64
}

// Header implements http.ResponseWriter.
func (a *recorder) Header() http.Header { return a.header }

// WriteHeader implements http.ResponseWriter.
func (a *recorder) WriteHeader(status int) {
	if a.status == 0 && status >= http.StatusOK {
		a.status = status
	}
}

// Flush implements http.Flusher.
func (a *recorder) Flush() {}

var errEnough = errors.New("the rest is not shown")

// Write implements http.ResponseWriter.
func (a *recorder) Write(b []byte) (int, error) {
	a.WriteHeader(http.StatusOK)
	a.size += int64(len(b))
	if room := mostKept - a.body.Len(); len(b) > room {
		a.body.Write(b[:room])
		return room, errEnough
	}
	return a.body.Write(b)
}

// reply is the response as the page shows it.
func (a *recorder) reply() *reply {
	p := &reply{Status: a.status, Size: a.size}
	if p.Status == 0 {
		p.Status = http.StatusOK
	}
	for _, name := range shownHeaders {
		if value := a.header.Get(name); value != "" {
			p.Headers = append(p.Headers, [2]string{name, value})
		}
	}
	body := a.body.Bytes()
	form, _, _ := mime.ParseMediaType(a.header.Get("Content-Type"))
	cut := a.size > int64(len(body))
	for cut && len(body) > 0 && !utf8.Valid(body) && len(body) > mostKept-utf8.UTFMax { // a character was cut
		body = body[:len(body)-1]
	}
	if !utf8.Valid(body) {
		p.File = form
		return p
	}
	var pretty bytes.Buffer
	if !cut && json.Indent(&pretty, body, "", "  ") == nil {
		body = bytes.TrimSpace(pretty.Bytes())
	}
	p.Body, p.Cut = shortened(string(body))
	p.Cut = p.Cut || cut
	return p
}
