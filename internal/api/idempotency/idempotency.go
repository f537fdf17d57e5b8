// Package idempotency runs writes that carry an Idempotency-Key once, and replays their first response (rule R43).
//
// The response is stored before it is sent, so that a client that lost the connection can get it. Responses of 500 and
// above are not stored: the request may be repeated, unless it may have written to an external system (rule R112).
package idempotency

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/tidwall/sjson"

	"github.com/stockhand/stockhand"
)

// The times of idempotency keys (rule R43).
const (
	Kept         = 24 * time.Hour   // how long responses are stored, unless an organization sets a longer time
	Abandoned    = time.Minute      // after this time without renewal a claim is void: its process crashed
	claimRenewed = 15 * time.Second // how often a running request renews its claim
)

// The bounds of what is stored.
const (
	maxKept = 256 << 10 // bytes of a response; of a larger one only the status is stored
	MaxKeys = 10_000    // keys of an actor whose responses are stored
)

// omitted marks a stored response without its body.
const omitted = "X-Omitted"

// Header is the request header with the key.
const Header = "Idempotency-Key"

// Replayed is the response header of a stored answer to a repeated request.
const Replayed = "Idempotency-Replayed"

// Answers stores the first responses to writes with an Idempotency-Key; *store.DB implements it.
type Answers interface {
	ClaimAnswer(ctx context.Context, org stockhand.OrgID, a stockhand.IdempotencyRecord, now,
		abandoned time.Time, most int) (stockhand.IdempotencyRecord, bool, error)
	RenewAnswer(ctx context.Context, org stockhand.OrgID, a stockhand.IdempotencyRecord) (stockhand.IdempotencyRecord,
		error)
	KeepAnswer(ctx context.Context, org stockhand.OrgID, a stockhand.IdempotencyRecord) error
	DropAnswer(ctx context.Context, org stockhand.OrgID, a stockhand.IdempotencyRecord) error
}

// errUnknown is returned for a repeated request whose first outcome is not known, if it must not be sent twice.
var errUnknown = &stockhand.Error{Code: stockhand.CodeConflict,
	Message: "it is unknown whether the first request with this Idempotency-Key was carried out; nothing was sent again",
	Hint:    "Check in the external system. To send it again, use a new Idempotency-Key.", RU: stockhand.Words{
		Message: "неизвестно, выполнен ли первый запрос с этим Idempotency-Key; повторно ничего не отправлено",
		Hint:    "Проверьте во внешней системе. Чтобы отправить ещё раз, возьмите новый Idempotency-Key."}}

// errInProgress is returned for a repeated request while the first is still running.
var errInProgress = &stockhand.Error{Code: stockhand.CodeConflict,
	Message: "a request with this Idempotency-Key is still running",
	Hint:    "Wait a moment and send the same request again.", RU: stockhand.Words{
		Message: "запрос с этим Idempotency-Key ещё выполняется",
		Hint:    "Подождите немного и отправьте тот же запрос ещё раз."}}

// Secrets encrypts stored responses.
type Secrets interface {
	Seal(org stockhand.OrgID, of stockhand.ConnectionID, plain []byte) (stockhand.Sealed, error)
	Open(org stockhand.OrgID, of stockhand.ConnectionID, sealed stockhand.Sealed) ([]byte, error)
}

// Service runs requests once. Its fields must not change while it runs them.
type Service struct {
	Store      Answers
	Secrets    Secrets
	Derive     func(purpose, from string) []byte // a keyed hash: requests contain passwords
	Logger     *slog.Logger
	WriteError func(w http.ResponseWriter, r *http.Request, err error)
	RenewEvery time.Duration // 0 means 15 seconds
	MaxKeys    int           // of an actor; 0 means MaxKeys
	// KeepFor returns how long the responses of an organization are stored; nil means Kept.
	KeepFor func(ctx context.Context, org stockhand.OrgID) (time.Duration, error)
}

// Request is one request with a key.
type Request struct {
	Body   []byte // already read from the request
	Serve  func(http.ResponseWriter, *http.Request) error
	Secret bool // the response has fields with a secret, which are not stored
	ToEnd  bool // continue after the client disconnected
	Once   bool // it may have been carried out although it failed, so it is never repeated
}

// MostKey is how many characters the header may have.
const MostKey = 255

// ValidKey reports whether a key is 1 to MostKey printable ASCII characters.
func ValidKey(key string) bool {
	return len(key) <= MostKey && !strings.ContainsFunc(key, func(c rune) bool { return c < ' ' || c > '~' })
}

// Do runs a request or replays its first response. The actor must be in the request's context.
func (s *Service) Do(w http.ResponseWriter, r *http.Request, q Request) error {
	a := stockhand.ActorOf(r.Context())
	// a user may belong to no organization
	k := idempotentRequest{Service: s, Request: q, org: cmp.Or(a.Org, stockhand.OrgID(a.User))}
	k.claim = stockhand.IdempotencyRecord{By: a.Name, Key: r.Header.Get(Header), Fingerprint: s.fingerprint(r, q.Body)}
	now, keep := time.Now(), Kept
	if s.KeepFor != nil && a.Org != "" {
		var err error
		if keep, err = s.KeepFor(r.Context(), a.Org); err != nil {
			return err
		}
	}
	k.expires = now.Add(keep)
	var takeOver time.Time // never
	if !q.Once {
		takeOver, k.claim.Expires = now.Add(-Abandoned), k.expires
	}
	held, won, err := s.Store.ClaimAnswer(r.Context(), k.org, k.claim, now, takeOver, cmp.Or(s.MaxKeys, MaxKeys))
	switch {
	case err != nil:
		return err
	case won:
		k.claim = held
		return k.do(w, r)
	case held.Fingerprint != k.claim.Fingerprint:
		return &stockhand.Error{Code: stockhand.CodeIdempotencyMismatch,
			Message: "this Idempotency-Key was used for a different request",
			RU:      stockhand.Words{Message: "этот Idempotency-Key уже использован для другого запроса"}}
	case held.Status >= http.StatusInternalServerError, held.Status == 0 && held.Claimed.Before(now.Add(-Abandoned)):
		return errUnknown
	case held.Status == 0:
		return errInProgress
	}
	return k.replay(w, held)
}

// fingerprint identifies a request by its method, address and body.
func (s *Service) fingerprint(r *http.Request, body []byte) string {
	h := sha256.New()
	for _, part := range [][]byte{[]byte(r.Method), []byte(r.URL.EscapedPath()), []byte(r.URL.RawQuery), body} {
		_, _ = h.Write(binary.BigEndian.AppendUint64(nil, uint64(len(part))))
		_, _ = h.Write(part)
	}
	return hex.EncodeToString(s.Derive("request", string(h.Sum(nil))))
}

// idempotentRequest runs one request that has claimed its key.
type idempotentRequest struct {
	*Service
	Request

	org     stockhand.OrgID
	expires time.Time                   // of the response
	claim   stockhand.IdempotencyRecord // owned by the goroutine of renew while it runs
}

// do runs the handler, stores the response and sends it.
func (k *idempotentRequest) do(w http.ResponseWriter, r *http.Request) error {
	lasting := context.WithoutCancel(r.Context())
	if k.ToEnd {
		r = r.WithContext(lasting)
	}
	rec := &bodyRecorder{ResponseWriter: w}
	kept, unsent := false, false
	stop := k.renew(lasting)
	defer func() {
		stop()
		if !kept { // also when the handler panics
			end := k.Store.DropAnswer
			if k.Once && !unsent {
				k.claim.Status, end = http.StatusInternalServerError, k.Store.KeepAnswer
			}
			if err := end(lasting, k.org, k.claim); err != nil {
				k.Logger.WarnContext(lasting, "release idempotency key", "err", err)
			}
		}
	}()
	err := k.Serve(rec, r)
	if rec.passing {
		return err // event streams are not stored
	}
	if err != nil {
		rec.body.Reset()
		rec.status = 0
		k.WriteError(rec, r, err)
	}
	rec.status = cmp.Or(rec.status, http.StatusOK)
	unsent = stockhand.CodeOf(err) == stockhand.CodeDatabaseUnavailable // nothing is sent that cannot be audited
	if rec.status < http.StatusInternalServerError || k.Once && !unsent {
		stop()
		kept = k.keep(lasting, rec)
	}
	rec.send()
	return nil
}

// renew renews the claim while the request runs. stop waits for a running renewal instead of cancelling it: a renewal
// that was committed without our knowing would leave a claim that can no longer store the response.
func (k *idempotentRequest) renew(ctx context.Context) (stop func()) {
	stopped, over := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(over)
		tick := time.NewTicker(cmp.Or(k.RenewEvery, claimRenewed))
		defer tick.Stop()
		for {
			select {
			case <-stopped:
				return
			case <-tick.C:
				if claim, err := k.Store.RenewAnswer(ctx, k.org, k.claim); err == nil {
					k.claim = claim
				}
			}
		}
	}()
	return sync.OnceFunc(func() { close(stopped); <-over })
}

// keptHeaders are the response headers to store.
var keptHeaders = []string{"Content-Type", "Content-Disposition", "Etag", "Location", "X-Session-Id",
	"Www-Authenticate", "Retry-After"}

// secretFields are the fields of a response that shows a secret; url is that of a second factor.
var secretFields = []string{"secret", "url"}

func (k *idempotentRequest) keep(ctx context.Context, rec *bodyRecorder) bool {
	header := http.Header{}
	for _, name := range keptHeaders {
		if v := rec.Header()[name]; v != nil {
			header[name] = v
		}
	}
	a := k.claim
	a.Status, a.Expires = rec.status, k.expires
	body, err := rec.body.Bytes(), error(nil)
	if rec.status >= http.StatusInternalServerError { // the outcome is unknown, which is all that is said ever after
		a.Expires, body = time.Time{}, nil
	}
	if len(body) > maxKept {
		header.Set(omitted, "1")
		body = nil
	}
	if k.Secret && body != nil {
		body = slices.Clone(body)
		for _, field := range secretFields {
			if err == nil {
				body, err = sjson.DeleteBytes(body, field)
			}
		}
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
		k.Logger.ErrorContext(ctx, "store first response", "err", err)
	}
	return err == nil
}

// replay sends the stored response.
func (k *idempotentRequest) replay(w http.ResponseWriter, a stockhand.IdempotencyRecord) error {
	body, err := k.Secrets.Open(k.org, k.bound(), a.Body)
	if err != nil {
		k.Logger.Warn("stored response cannot be decrypted", "err", err)
		return &stockhand.Error{Code: stockhand.CodeConflict,
			Message: "this request was already processed, but its response can no longer be read",
			Hint:    "Check the current state. To repeat the request, use a new Idempotency-Key.",
			RU: stockhand.Words{Message: "этот запрос уже выполнен, но его ответ больше нельзя прочитать",
				Hint: "Проверьте текущее состояние. Чтобы повторить запрос, используйте новый Idempotency-Key."}}
	}
	header := http.Header{}
	if err := json.Unmarshal(a.Header, &header); err != nil {
		return err
	}
	if header.Get(omitted) != "" {
		return &stockhand.Error{Code: stockhand.CodeConflict,
			Message: fmt.Sprintf("this request was already processed with status %d; its response was too large to keep",
				a.Status),
			Hint: "Check the current state. To repeat the request, use a new Idempotency-Key.",
			RU: stockhand.Words{Message: fmt.Sprintf(
				"этот запрос уже выполнен со статусом %d, его ответ был слишком большим для хранения", a.Status),
				Hint: "Проверьте текущее состояние. Чтобы повторить запрос, используйте новый Idempotency-Key."}}
	}
	for name, values := range header {
		w.Header()[name] = values
	}
	w.Header().Set(Replayed, "true")
	w.WriteHeader(a.Status)
	_, _ = w.Write(body)
	return nil
}

// bound returns the identity that a stored response is encrypted for; it cannot be decrypted for another.
func (k *idempotentRequest) bound() stockhand.ConnectionID {
	return stockhand.ConnectionID("first answer to " + k.claim.By + " " + k.claim.Key)
}

// bodyRecorder holds back a response until it is stored. An event stream passes through.
type bodyRecorder struct {
	http.ResponseWriter
	status  int
	body    bytes.Buffer
	passing bool
}

func (r *bodyRecorder) WriteHeader(status int) {
	if r.status != 0 || status < http.StatusOK {
		return
	}
	r.status = status
	if strings.HasPrefix(r.Header().Get("Content-Type"), "text/event-stream") {
		r.passing = true
		r.ResponseWriter.WriteHeader(status)
	}
}

func (r *bodyRecorder) Write(b []byte) (int, error) {
	if r.status == 0 {
		r.WriteHeader(http.StatusOK)
	}
	if r.passing {
		return r.ResponseWriter.Write(b)
	}
	return r.body.Write(b)
}

// Flush implements http.Flusher.
func (r *bodyRecorder) Flush() {
	if f, ok := r.ResponseWriter.(http.Flusher); ok && r.passing {
		f.Flush()
	}
}

// Unwrap is for http.ResponseController.
func (r *bodyRecorder) Unwrap() http.ResponseWriter { return r.ResponseWriter }

func (r *bodyRecorder) send() {
	r.ResponseWriter.WriteHeader(r.status)
	_, _ = r.ResponseWriter.Write(r.body.Bytes())
}
