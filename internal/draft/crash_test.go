package draft_test

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/draft"
	"github.com/stockhand/stockhand/internal/store"
	"github.com/stockhand/stockhand/internal/store/storetest"
	"github.com/stockhand/stockhand/internal/tool"
)

// These turn the test binary into the process that is killed: the database's URL, the books', and whose drafts.
const (
	crashDatabase   = "STOCKHAND_DRAFT_CRASH_DATABASE"
	crashBooks      = "STOCKHAND_DRAFT_CRASH_BOOKS"
	crashOrg        = "STOCKHAND_DRAFT_CRASH_ORG"
	crashConnection = "STOCKHAND_DRAFT_CRASH_CONNECTION"
)

func TestMain(m *testing.M) {
	if url := os.Getenv(crashDatabase); url != "" {
		fmt.Fprintln(os.Stderr, work(context.Background(), url))
		os.Exit(1)
	}
	flag.Parse()
	byHand := false
	flag.Visit(func(f *flag.Flag) { byHand = byHand || f.Name == "rapid.checks" })
	if !byHand { // 100 walks of 30 steps take longer than everybody else's tests
		if err := flag.Set("rapid.checks", "30"); err != nil {
			panic(err)
		}
	}
	os.Exit(m.Run())
}

// work does what the service does, as fast as it can, until it is killed: it goes on with what the one before it left,
// and then proposes and confirms, sometimes in part.
func work(ctx context.Context, url string) error {
	db, err := store.Open(ctx, url, nil)
	if err != nil {
		return err
	}
	org := stockhand.OrgID(os.Getenv(crashOrg))
	service := draft.New(draft.Config{
		Store: db, System: db.System(), Writers: &books{url: os.Getenv(crashBooks)},
		Pauses: []time.Duration{time.Millisecond, 5 * time.Millisecond}, Fingerprint: fingerprint,
	})
	if err := service.Resume(ctx); err != nil {
		return err
	}
	person := stockhand.Actor{Org: org, Name: "user:usr_1", Person: true}
	for {
		product := stockhand.NewID[string]("p")
		p := &tool.Proposal{Tool: "moysklad_propose_supplier_orders",
			Documents: []tool.Document{order(product), prices(product+"-1", product+"-2"), transfer(product)}}
		d, err := service.Create(ctx, stockhand.Draft{Org: org,
			Connection: stockhand.ConnectionID(os.Getenv(crashConnection)), Language: stockhand.Russian},
			p)
		if err != nil {
			return err
		}
		var some []stockhand.DocumentID
		for _, doc := range d.Documents {
			if rand.IntN(3) > 0 {
				some = append(some, doc.ID)
			}
		}
		if len(some) == 0 {
			continue
		}
		if _, err := service.Confirm(ctx, person,
			draft.Decision{Draft: d.ID, Version: d.Version, Documents: some}); err != nil {
			return err
		}
	}
}

// A document that was confirmed is there exactly once whenever the process dies, none that was not is there, and the
// states say so (rule R59).
func TestKilledAnywhereEachConfirmedDocumentIsThereOnce(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, url string) {
		kills := 50
		if strings.HasPrefix(url, "postgres") {
			kills = 20
		}
		db, err := store.Open(t.Context(), url, nil)
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		s := newShop(t, db, newBooks(t))
		at := map[string]int{} // how many died where
		for range kills {
			at[s.kill(t, url)]++
		}
		s.books.set(func() { s.books.fault, s.books.done = nil, nil })
		if err := s.service.Resume(t.Context()); err != nil {
			t.Fatal(err)
		}
		repeated := truth(t, t, s)
		var applied, all int
		for before := stockhand.DraftID(""); ; {
			page, err := s.service.List(t.Context(), s.org, before, 200)
			if err != nil {
				t.Fatal(err)
			}
			if len(page) == 0 {
				break
			}
			for _, d := range page {
				before = d.ID
				for _, doc := range d.Documents {
					all++
					if doc.State == stockhand.DocumentApplied {
						applied++
					}
				}
			}
		}
		if applied < kills/2 {
			t.Errorf("%d documents were applied: the processes died too early to tell", applied)
		}
		t.Logf("%d kills %v: %d documents proposed, %d applied and there once (0 twice, 0 lost), 0 there without "+
			"a confirmation, %d requests repeated under the same id", kills, at, all, applied, repeated)
	})
}

// kill starts a process and kills it at a random moment: some time after its first request, or when a request reaches
// the books, before or after it is done there. It returns which it was. The network fails now and then besides.
func (s shop) kill(t *testing.T, url string) string {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), exe) // this very binary
	cmd.Env = append(os.Environ(), crashDatabase+"="+url, crashBooks+"="+s.books.url, crashOrg+"="+string(s.org),
		crashConnection+"="+string(s.connection))
	var complaints strings.Builder
	cmd.Stderr = &complaints

	const anyTime, beforeWrite, afterWrite, afterRead = "any time", "before a write", "after a write", "after a reading"
	moment := []string{anyTime, beforeWrite, afterWrite, afterRead}[rand.IntN(4)]
	started := make(chan *os.Process, 1)
	die := sync.OnceFunc(func() { _ = (<-started).Kill() }) // it cannot be dead already
	var left atomic.Int64
	left.Store(rand.Int64N(6))
	now := func(there string) bool {
		if moment != there || left.Add(-1) >= 0 {
			return false
		}
		die()
		return true
	}
	later := sync.OnceFunc(func() {
		if moment == anyTime {
			time.AfterFunc(rand.N(40*time.Millisecond), die)
		}
	})
	s.books.set(func() {
		s.books.fault = func(r *http.Request) (before, after bool) {
			later()
			if r.Method != http.MethodGet && now(beforeWrite) {
				return true, false
			}
			noise := rand.IntN(30)
			return noise == 0, noise == 1
		}
		s.books.done = func(r *http.Request) bool {
			if r.Method == http.MethodGet {
				return now(afterRead)
			}
			return now(afterWrite)
		}
	})
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	started <- cmd.Process
	err = cmd.Wait()
	if complaints.Len() > 0 || err == nil {
		t.Fatalf("the process ended by itself: %v: %s", err, complaints.String())
	}
	return moment
}
