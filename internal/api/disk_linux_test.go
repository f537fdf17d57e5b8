package api_test

import (
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/app"
	"github.com/stockhand/stockhand/internal/app/apptest"
	"github.com/stockhand/stockhand/internal/sandbox"
)

// smallDisk is a file system of 32 MB in memory.
type smallDisk struct {
	t      *testing.T
	folder string
}

func newSmallDisk(t *testing.T) smallDisk {
	t.Helper()
	folder := t.TempDir()
	err := syscall.Mount("tmpfs", folder, "tmpfs", 0, "size=32m")
	if errors.Is(err, syscall.EPERM) && os.Getenv("CI") == "" {
		t.Skip("only root may mount a file system")
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(folder, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	return smallDisk{t, folder}
}

func (d smallDisk) filler() string { return filepath.Join(d.folder, "filler") }

// fill uses the space that is left.
func (d smallDisk) fill() {
	f, err := os.Create(d.filler())
	for err == nil {
		_, err = f.Write(make([]byte, 4<<10))
	}
	if !errors.Is(err, syscall.ENOSPC) {
		d.t.Error(err)
	}
	_ = f.Close()
}

func (d smallDisk) free() {
	if err := os.Remove(d.filler()); err != nil {
		d.t.Error(err)
	}
}

// A disk that is full refuses requests clearly, loses and repeats no write, and is used again when it has space (rule
// R168).
func TestAFullDisk(t *testing.T) {
	t.Parallel()
	disk := newSmallDisk(t)
	var log apptest.Buffer
	s := apptest.Start(t, apptest.Options{Accounts: 1, SQLite: true, Log: &log, Configure: func(c *app.Config) {
		c.Database = filepath.Join(disk.folder, "stockhand.db")
	}})
	_, person := s.Member(s.OrgID, stockhand.RoleMember)
	_, d := proposed(t, s, person)
	var ids []string
	for _, doc := range d.Documents {
		ids = append(ids, doc.ID)
	}
	confirm := func(ids []string) apptest.Answer {
		return s.Do("POST", d.path()+"/confirm", person, map[string]any{"version": d.Version, "document_ids": ids},
			"Idempotency-Key", ids[0])
	}
	// applied checks that the first documents are written, each once.
	applied := func(doing string, shown draftShown, want int) {
		t.Helper()
		for i, state := range shown.states() {
			if (state == "applied") != (i < want) {
				t.Errorf("%s: %v", doing, shown.states())
			}
		}
		if n := writes(s); n != want {
			t.Errorf("%s: %d writes of %d documents", doing, n, want)
		}
	}
	accepted := 0
	create := func() apptest.Answer {
		return s.Do("POST", "/organizations/"+string(s.OrgID)+"/agents", s.AdminToken,
			map[string]any{"name": fmt.Sprint("Agent ", accepted), "instructions": strings.Repeat("чай ", 900)},
			"Idempotency-Key", fmt.Sprint("agent ", accepted))
	}
	// exhaust creates agents until one is refused, because SQLite first uses what it has reserved.
	exhaust := func() apptest.Answer {
		disk.fill()
		for {
			a := create()
			if a.Status != http.StatusCreated {
				return a
			}
			accepted++
		}
	}

	refused := exhaust()
	wantError(t, "create", refused, 503, stockhand.CodeDatabaseUnavailable)
	if !strings.Contains(string(refused.Body), "full") || refused.Header.Get("Retry-After") == "" ||
		strings.Contains(string(refused.Body), disk.folder) {
		t.Errorf("refused with %v %s", refused.Header, refused.Body)
	}
	if !strings.Contains(log.String(), "is full") {
		t.Error("the log does not say that the disk is full")
	}
	ready := s.Do("GET", "/readyz", "", nil)
	if ready.Status != 503 || !strings.Contains(string(ready.Body), "full") {
		t.Errorf("/readyz: %d %s", ready.Status, ready.Body)
	}
	wantError(t, "confirm", confirm(ids[:1]), 503, stockhand.CodeDatabaseUnavailable)
	wantError(t, "ask", s.Do("POST", "/sessions/stream", person, about(s, "остатки")), 503,
		stockhand.CodeDatabaseUnavailable)
	applied("while the disk is full", read[draftShown](t, "read", s.Do("GET", d.path(), person, nil), 200), 0)
	disk.free()

	// The same requests again.
	applied("with space", read[draftShown](t, "confirm", confirm(ids[:1]), 200), 1)
	if a := create(); a.Status != http.StatusCreated {
		t.Errorf("with space: %d %s", a.Status, a.Body)
	}
	var agents struct{ Data []struct{ Name string } }
	s.Do("GET", "/agents?limit=200", s.AdminToken, nil).Decode(t, &agents)
	if len(agents.Data) != accepted+2 { // and our own
		t.Errorf("%d agents should be there and %d are", accepted+2, len(agents.Data))
	}
	accepted++

	// The disk becomes full after a document was sent and before the answer arrives.
	if err := s.Sandbox.Fail(sandbox.Fault{Path: ".", Method: "POST", Count: 100, DelayMS: 300_000}); err != nil {
		t.Fatal(err)
	}
	var answer apptest.Answer
	var sending sync.WaitGroup
	sending.Go(func() { answer = confirm(ids[1:]) })
	for deadline := time.Now().Add(time.Minute); writes(s) == 1; { // until the request arrives
		if time.Now().After(deadline) {
			t.Fatal("nothing was sent")
		}
		time.Sleep(time.Millisecond)
	}
	exhaust()
	s.Sandbox.ClearFaults() // the answer arrives
	sending.Wait()
	wantError(t, "confirm the rest", answer, 503, stockhand.CodeDatabaseUnavailable)
	disk.free()
	s.Drafts.Wait(t.Context()) // until the outcomes are stored (rule R171)
	applied("in the end", read[draftShown](t, "read", s.Do("GET", d.path(), person, nil), 200), len(ids))
	// The answer was not stored, and the same request finds that nothing is left to confirm.
	if a := confirm(ids[1:]); a.Status >= 500 {
		t.Errorf("again: %d %s", a.Status, a.Body)
	}
	applied("again", read[draftShown](t, "read", s.Do("GET", d.path(), person, nil), 200), len(ids))
}
