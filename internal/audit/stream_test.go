package audit_test

import (
	"bufio"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stockhand/stockhand/internal/audit"
	"github.com/stockhand/stockhand/internal/outbound"
	"github.com/stockhand/stockhand/internal/store"
)

const webhookSecret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYqrTwjU"

// receiver is a webhook that checks signatures and collects entries. It refuses the first requests.
type receiver struct {
	*httptest.Server
	mu      sync.Mutex
	refuse  int
	entries []string // org and number
	ids     []string
	faults  []string
	more    chan struct{}
}

func newReceiver(t *testing.T, refuse int) *receiver {
	t.Helper()
	r := &receiver{refuse: refuse, more: make(chan struct{}, 1000)}
	r.Server = httptest.NewServer(http.HandlerFunc(r.receive))
	t.Cleanup(r.Close)
	return r
}

func (r *receiver) receive(w http.ResponseWriter, q *http.Request) {
	r.mu.Lock()
	defer r.mu.Unlock()
	defer func() { r.more <- struct{}{} }()
	body, err := io.ReadAll(q.Body)
	if err != nil {
		r.faults = append(r.faults, err.Error())
	}
	key, _ := base64.StdEncoding.DecodeString(strings.TrimPrefix(webhookSecret, "whsec_"))
	mac := hmac.New(sha256.New, key)
	fmt.Fprintf(mac, "%s.%s.%s", q.Header.Get("webhook-id"), q.Header.Get("webhook-timestamp"), body)
	if q.Header.Get("webhook-signature") != "v1,"+base64.StdEncoding.EncodeToString(mac.Sum(nil)) {
		r.faults = append(r.faults, "a wrong signature")
	}
	r.ids = append(r.ids, q.Header.Get("webhook-id"))
	if r.refuse > 0 {
		r.refuse--
		w.WriteHeader(http.StatusServiceUnavailable)
		return
	}
	for line := range strings.Lines(string(body)) {
		var e struct {
			Org string `json:"org_id"`
			Seq int
		}
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			r.faults = append(r.faults, err.Error())
		}
		r.entries = append(r.entries, fmt.Sprint(e.Org, " ", e.Seq))
	}
}

func (r *receiver) wait(t *testing.T, entries int) {
	t.Helper()
	for deadline := time.After(time.Minute); ; {
		r.mu.Lock()
		got := len(r.entries)
		r.mu.Unlock()
		if got >= entries {
			return
		}
		select {
		case <-r.more:
		case <-deadline:
			t.Fatalf("%d of %d entries", got, entries)
		}
	}
}

// stream streams to a sink until the returned function is called.
func stream(t *testing.T, db *store.DB, name string, sink audit.Sink) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	var all sync.WaitGroup
	s := &audit.Stream{Name: name, Sink: sink, Store: db, System: db.System(), Logger: slog.New(slog.DiscardHandler),
		Lag: func(int64) {}}
	all.Go(func() { s.Run(ctx) })
	stop = func() { cancel(); all.Wait() }
	t.Cleanup(stop)
	return stop
}

func webhook(t *testing.T, url string) *audit.Webhook {
	t.Helper()
	w, err := audit.NewWebhook(url, webhookSecret, new(net.Dialer).DialContext)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// A refused batch is sent again, under the same id if nothing came since; a second replica sends nothing as long as the
// first one does.
func TestTheAuditLogIsStreamedToAWebhook(t *testing.T) {
	t.Parallel()
	eachLog(t, 3, func(t *testing.T, l log) {
		r := newReceiver(t, 1)
		stop := stream(t, l.db, "webhook", webhook(t, r.URL))
		r.wait(t, 3)
		stop()
		l.add(t, 2)
		stopped := stream(t, l.db, "webhook", webhook(t, r.URL))
		stopped()
		var all []string
		for i := range 3 {
			all = append(all, fmt.Sprintf("%s %d", l.org, i+1))
		}
		if got := strings.Join(r.entries[:3], ","); got != strings.Join(all, ",") || len(r.faults) > 0 {
			t.Errorf("%s; %v", got, r.faults)
		}
		if r.ids[0] != r.ids[1] {
			t.Errorf("a batch was sent as %s and again as %s", r.ids[0], r.ids[1])
		}
		held, err := l.db.System().Hold(t.Context(), "audit.webhook", "another", time.Now().Add(time.Minute))
		if err != nil || held {
			t.Errorf("another replica sends at the same time: %v, %v", held, err)
		}
	})
}

func TestAPositionInTheAuditLogSurvives(t *testing.T) {
	t.Parallel()
	eachLog(t, 250, func(t *testing.T, l log) {
		system := l.db.System()
		if err := system.MoveAuditPosition(t.Context(), "syslog", l.org, 200); err != nil {
			t.Fatal(err)
		}
		if err := system.MoveAuditPosition(t.Context(), "syslog", l.org, 100); err != nil { // a slower replica
			t.Fatal(err)
		}
		waiting, err := open(t, l.url).System().AuditBacklogs(t.Context(), "syslog")
		if err != nil || len(waiting) != 1 || waiting[0].Sent != 200 || waiting[0].Head != 250 {
			t.Errorf("%+v, %v", waiting, err)
		}
	})
}

func TestTheAuditLogIsStreamedToSyslog(t *testing.T) {
	t.Parallel()
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	eachLog(t, 2, func(t *testing.T, l log) {
		sink, err := audit.NewSyslog("tcp://" + listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		stream(t, l.db, "syslog", sink)
		conn, err := listener.Accept()
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		in := bufio.NewReader(conn)
		for i := range 2 {
			var size int
			if _, err := fmt.Fscanf(in, "%d ", &size); err != nil {
				t.Fatal(err)
			}
			message := make([]byte, size)
			if _, err := io.ReadFull(in, message); err != nil {
				t.Fatal(err)
			}
			parts := strings.SplitN(string(message), " ", 8)
			if len(parts) != 8 || parts[0] != "<110>1" || parts[3] != "stockhand" || parts[5] != "draft.edited" ||
				!strings.Contains(parts[7], fmt.Sprintf(`"seq":%d`, i+1)) {
				t.Errorf("%q", message)
			}
		}
	})
}

// The rules of the product for addresses that people name hold for the webhook: no private networks, and redirects are
// not followed.
func TestAttackAWebhookReachesNoPrivateNetwork(t *testing.T) {
	t.Parallel()
	eachLog(t, 1, func(t *testing.T, l log) {
		r := newReceiver(t, 0)
		entries, err := l.db.AuditEntries(t.Context(), l.org, 0, 1)
		if err != nil {
			t.Fatal(err)
		}
		w, err := audit.NewWebhook(r.URL, webhookSecret, outbound.Dialer(false, nil).DialContext)
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Send(t.Context(), entries); err == nil || len(r.ids) != 0 {
			t.Errorf("a webhook on the loopback: %v, %d requests", err, len(r.ids))
		}
		redirects := httptest.NewServer(http.RedirectHandler(r.URL, http.StatusTemporaryRedirect))
		defer redirects.Close()
		if err := webhook(t, redirects.URL).Send(t.Context(), entries); err == nil || len(r.ids) != 0 {
			t.Errorf("a redirected webhook: %v, %d requests", err, len(r.ids))
		}
	})
}
