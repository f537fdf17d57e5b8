//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package limit

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// process returns a limiter with its own lease, as each process of the machine has.
func process(t *testing.T, dir string) Limiter {
	t.Helper()
	l, err := OneMachine(New(Config{}), Config{}, dir, "https://api.test")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.(*machine).lease.Close() })
	return l
}

// peak returns the maximum number of requests in any sliding second.
func peak(at []time.Time) (most int) {
	slices.SortFunc(at, time.Time.Compare)
	from := 0
	for i := range at {
		for at[i].Sub(at[from]) >= time.Second {
			from++
		}
		most = max(most, i-from+1)
	}
	return most
}

func TestProcessesOfOneMachineShareTheLimits(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "limits")
	var mu sync.Mutex
	var all, heavy []time.Time
	var wg sync.WaitGroup
	for n := range 3 {
		l := process(t, dir)
		for i := range 5 {
			wg.Go(func() {
				r := Request{Account: "a", Employee: "e", Heavy: i == 0}
				if i == 1 && n == 0 {
					r.Account = "" // the account of the token is not known yet
				}
				done, err := l.Acquire(t.Context(), r)
				if err != nil {
					t.Error(err)
					return
				}
				mu.Lock()
				all = append(all, time.Now())
				if r.Heavy {
					heavy = append(heavy, time.Now())
				}
				mu.Unlock()
				done(Feedback{})
			})
		}
	}
	wg.Wait()
	if a, h := peak(all), peak(heavy); len(all) != 15 || a > 6 || h > 2 {
		t.Errorf("%d requests, peak %d per second, of stock reports %d", len(all), a, h)
	}
}

func TestAnIdleMachineAllowsRequestsImmediately(t *testing.T) {
	l := process(t, filepath.Join(t.TempDir(), "limits"))
	start := time.Now()
	for range 6 {
		done, err := l.Acquire(t.Context(), Request{Account: "a"})
		if err != nil {
			t.Fatal(err)
		}
		done(Feedback{})
	}
	if d := time.Since(start); d > 900*time.Millisecond {
		t.Errorf("six requests of an idle account took %v", d)
	}
}

// A request that a process had in flight when it was killed may have reached the server.
func TestRequestsOfAKilledProcessCountForAnotherSecond(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "limits")
	killed := process(t, dir)
	for range 6 {
		if _, err := killed.Acquire(t.Context(), Request{Account: "a", Employee: "other"}); err != nil {
			break
		}
		if len(slots(t, killed)) == 5 {
			break // the sixth would wait for a free slot
		}
	}
	next := process(t, dir)
	ctx, stop := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer stop()
	if _, err := next.Acquire(ctx, Request{Account: "a", Employee: "other"}); err == nil {
		t.Error("a sixth request was allowed while the other process is alive")
	}
	killed.(*machine).lease.Close()
	start := time.Now()
	done, err := next.Acquire(t.Context(), Request{Account: "a", Employee: "other"})
	if err != nil {
		t.Fatal(err)
	}
	done(Feedback{})
	for range 6 {
		if done, err = next.Acquire(t.Context(), Request{Account: "a"}); err != nil {
			t.Fatal(err)
		}
		done(Feedback{})
	}
	if d := time.Since(start); d < time.Second || d > 15*time.Second {
		t.Errorf("the requests took %v", d)
	}
}

func slots(t *testing.T, l Limiter) (now []sharedSlot) {
	t.Helper()
	if err := l.(*machine).change(func(p []sharedSlot, _ time.Time) []sharedSlot { now = p; return p }); err != nil {
		t.Fatal(err)
	}
	return now
}

func TestATruncatedFileCountsAsFull(t *testing.T) {
	l := process(t, filepath.Join(t.TempDir(), "limits"))
	if err := os.WriteFile(l.(*machine).file, []byte(`[{"id":"x","le`), 0o600); err != nil {
		t.Fatal(err)
	}
	if p := slots(t, l); len(p) != 6 || !p[0].Heavy || p[0].Until == 0 {
		t.Errorf("%+v", p)
	}
}

func TestFilesOfUnusedServersAreRemoved(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "limits [*] of a folder that is not a pattern")
	first := process(t, dir)
	old := filepath.Join(dir, "slots-0123456789abcdef")
	for path, age := range map[string]time.Duration{old: 25 * time.Hour, first.(*machine).file: time.Hour} {
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, time.Time{}, time.Now().Add(-age)); err != nil {
			t.Fatal(err)
		}
	}
	process(t, dir)
	if _, err := os.Stat(old); !os.IsNotExist(err) {
		t.Errorf("the old file still exists: %v", err)
	}
	if _, err := os.Stat(first.(*machine).file); err != nil {
		t.Error(err)
	}
}

func TestAFolderOpenToOthersIsRefused(t *testing.T) {
	dir := t.TempDir()
	if err := os.Chmod(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	if _, err := OneMachine(New(Config{}), Config{}, dir, "https://api.test"); err == nil {
		t.Error("accepted")
	}
}

// Finding L19: another user who creates the folder first could read and write the limits.
func TestAttackAFolderOfAnotherUserIsNotUsed(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "limits")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Chown(dir, os.Getuid()+1, -1); err != nil {
		t.Skip("only root can give a folder away:", err)
	}
	if _, err := OneMachine(New(Config{}), Config{}, dir, "https://api.example"); err == nil ||
		!strings.Contains(err.Error(), "another user") {
		t.Errorf("%v", err)
	}
}
