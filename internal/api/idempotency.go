package api

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/tidwall/sjson"

	"github.com/stockhand/stockhand"
)

// The times of first answers (product.md, section 2).
const (
	answersKept  = 24 * time.Hour
	claimRenewed = 15 * time.Second // how often a request says that it is still at work
	// after which one that said nothing has crashed, and the same request may be done again
	claimLost     = time.Minute
	answersSwept  = 10 * time.Minute
	idempotentKey = "Idempotency-Key"
)

// Answers keeps the first answers to writes that carried an Idempotency-Key; *store.DB does.
type Answers interface {
	ClaimAnswer(ctx context.Context, org stockhand.OrgID, a stockhand.FirstAnswer, abandoned,
		expired time.Time) (stockhand.FirstAnswer, bool, error)
	RenewAnswer(ctx context.Context, org stockhand.OrgID, a stockhand.FirstAnswer) (stockhand.FirstAnswer, error)
	KeepAnswer(ctx context.Context, org stockhand.OrgID, a stockhand.FirstAnswer) error
	DropAnswer(ctx context.Context, org stockhand.OrgID, a stockhand.FirstAnswer) error
}

// errOnItsWay is what the same request gets while the first is still being done.
var errOnItsWay = &stockhand.Error{Code: stockhand.CodeConflict,
	Message: "a request with this Idempotency-Key is still being done",
	Hint:    "wait a moment and send the same request again", RU: stockhand.Words{
		Message: "запрос с этим Idempotency-Key ещё выполняется",
		Hint:    "подождите немного и отправьте тот же запрос ещё раз"}}

// once does a request that carries an Idempotency-Key, or answers what was answered to it before. The answer is stored
// before it is sent, so a caller who lost the connection finds it; and a typed request goes on although its caller went
// away. An answer of 500 or above is not kept: the same request may be tried again.
func (g guard) once(w http.ResponseWriter, r *http.Request, body []byte) error {
	key := r.Header.Get(idempotentKey)
	if len(key) > 255 || strings.ContainsFunc(key, func(c rune) bool { return c < ' ' || c > '~' }) {
		return invalid(idempotentKey, "has to be 1 to 255 printable ASCII characters")
	}
	a := stockhand.ActorOf(r.Context())
	// a person may be in no organization
	k := keeper{Server: g.Server, secret: g.route.handler.secret, org: cmp.Or(a.Org, stockhand.OrgID(a.User))}
	k.claim = stockhand.FirstAnswer{By: a.Name, Key: key, Fingerprint: fingerprint(r, body)}
	now := time.Now()
	held, won, err := g.Store.ClaimAnswer(r.Context(), k.org, k.claim, now.Add(-claimLost), now.Add(-answersKept))
	switch {
	case err != nil:
		return err
	case won:
		k.claim = held
		return k.do(w, r, g.serve, g.route.handler.plain == nil)
	case held.Fingerprint != k.claim.Fingerprint:
		return &stockhand.Error{Code: stockhand.CodeIdempotencyMismatch,
			Message: "this Idempotency-Key was used for another request",
			RU:      stockhand.Words{Message: "этот Idempotency-Key уже использован для другого запроса"}}
	case held.Status == 0:
		return errOnItsWay
	}
	return k.replay(w, held)
}

// fingerprint tells one request from another: its method, its address and its body.
func fingerprint(r *http.Request, body []byte) string {
	h := sha256.New()
	for _, part := range [][]byte{[]byte(r.Method), []byte(r.URL.EscapedPath()), []byte(r.URL.RawQuery), body} {
		_, _ = h.Write(binary.BigEndian.AppendUint64(nil, uint64(len(part))))
		_, _ = h.Write(part)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// keeper does one request whose key it holds.
type keeper struct {
	*Server
	org   stockhand.OrgID
	claim stockhand.FirstAnswer // of renew while it runs

	secret bool // the answer holds one
}

// do lets the request be done, stores the answer, and sends it.
func (k *keeper) do(w http.ResponseWriter, r *http.Request, serve func(http.ResponseWriter, *http.Request) error,
	toTheEnd bool) error {
	lasting := context.WithoutCancel(r.Context())
	if toTheEnd {
		r = r.WithContext(lasting)
	}
	rec := &recorder{ResponseWriter: w}
	kept := false
	stop := k.renew(lasting)
	defer func() {
		stop()
		if !kept { // also when the handler panics
			if err := k.Store.DropAnswer(lasting, k.org, k.claim); err != nil {
				k.Logger.WarnContext(lasting, "give an idempotency key back", "err", err)
			}
		}
		k.sweep(lasting)
	}()
	err := serve(rec, r)
	if rec.passing {
		return err // an event stream is not kept
	}
	if err != nil {
		rec.body.Reset()
		rec.status = 0
		k.writeError(rec, r, err)
	}
	rec.status = cmp.Or(rec.status, http.StatusOK)
	if rec.status < http.StatusInternalServerError {
		stop()
		kept = k.keep(lasting, rec)
	}
	rec.send()
	return nil
}

// renew says from time to time that the request is still at work, until the function that is returned was called.
func (k *keeper) renew(ctx context.Context) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	over := make(chan struct{})
	go func() {
		defer close(over)
		tick := time.NewTicker(claimRenewed)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
				if claim, err := k.Store.RenewAnswer(ctx, k.org, k.claim); err == nil {
					k.claim = claim
				}
			}
		}
	}()
	return func() { cancel(); <-over }
}

// keptHeaders are those that belong to the answer and not to its sending.
var keptHeaders = []string{"Content-Type", "Content-Disposition", "Etag", "Location", "X-Session-Id",
	"Www-Authenticate", "Retry-After"}

func (k *keeper) keep(ctx context.Context, rec *recorder) bool {
	header := http.Header{}
	for _, name := range keptHeaders {
		if v := rec.Header()[name]; v != nil {
			header[name] = v
		}
	}
	a := k.claim
	a.Status = rec.status
	body, err := rec.body.Bytes(), error(nil)
	if k.secret {
		body, err = sjson.DeleteBytes(slices.Clone(body), "secret")
	}
	if err == nil {
		a.Header, err = json.Marshal(header)
	}
	if err == nil {
		a.Body, err = k.Secrets.Seal(k.org, k.bound(), body)
	}
	if err == nil {
		err = k.Store.KeepAnswer(ctx, k.org, a)
	}
	if err != nil {
		k.Logger.ErrorContext(ctx, "keep a first answer", "err", err)
	}
	return err == nil
}

// replay sends what was answered before.
func (k *keeper) replay(w http.ResponseWriter, a stockhand.FirstAnswer) error {
	body, err := k.Secrets.Open(k.org, k.bound(), a.Body)
	if err != nil {
		k.Logger.Warn("a first answer does not open", "err", err)
		return &stockhand.Error{Code: stockhand.CodeConflict,
			Message: "this request was done before, and its answer can no longer be read",
			Hint:    "read what there is now, and use a new Idempotency-Key to do it again",
			RU: stockhand.Words{Message: "этот запрос уже выполнен, но его ответ больше не прочитать",
				Hint: "проверьте, что есть сейчас; чтобы повторить, возьмите новый Idempotency-Key"}}
	}
	header := http.Header{}
	if err := json.Unmarshal(a.Header, &header); err != nil {
		return err
	}
	for name, values := range header {
		w.Header()[name] = values
	}
	w.Header().Set("Idempotency-Replayed", "true")
	w.WriteHeader(a.Status)
	_, _ = w.Write(body)
	return nil
}

// bound is what a kept answer is sealed for: it opens nowhere else.
func (k *keeper) bound() stockhand.ConnectionID {
	return stockhand.ConnectionID("first answer to " + k.claim.By + " " + k.claim.Key)
}

// sweep forgets old answers now and then.
func (s *Server) sweep(ctx context.Context) {
	last, now := s.swept.Load(), time.Now().UnixNano()
	if s.ForgetAnswers == nil || now-last < int64(answersSwept) || !s.swept.CompareAndSwap(last, now) {
		return
	}
	if err := s.ForgetAnswers(ctx, time.Now().Add(-answersKept)); err != nil {
		s.Logger.WarnContext(ctx, "forget old answers", "err", err)
	}
}

// recorder holds an answer back until it is kept. An event stream passes through: it cannot be held back.
type recorder struct {
	http.ResponseWriter
	status  int
	body    bytes.Buffer
	passing bool
}

func (r *recorder) WriteHeader(status int) {
	if r.status != 0 || status < http.StatusOK {
		return
	}
	r.status = status
	if strings.HasPrefix(r.Header().Get("Content-Type"), "text/event-stream") {
		r.passing = true
		r.ResponseWriter.WriteHeader(status)
	}
}

func (r *recorder) Write(b []byte) (int, error) {
	if r.status == 0 {
		r.WriteHeader(http.StatusOK)
	}
	if r.passing {
		return r.ResponseWriter.Write(b)
	}
	return r.body.Write(b)
}

// Flush implements http.Flusher.
func (r *recorder) Flush() {
	if f, ok := r.ResponseWriter.(http.Flusher); ok && r.passing {
		f.Flush()
	}
}

// Unwrap is for http.ResponseController.
func (r *recorder) Unwrap() http.ResponseWriter { return r.ResponseWriter }

func (r *recorder) send() {
	r.ResponseWriter.WriteHeader(r.status)
	_, _ = r.ResponseWriter.Write(r.body.Bytes())
}
