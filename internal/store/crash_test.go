package store_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/store"
	"github.com/stockhand/stockhand/internal/store/storetest"
)

// crashVariable turns the test binary into the process that is killed: it holds the database's URL.
const crashVariable = "STOCKHAND_CRASH_TEST"

// receipt is what the process says after each write that the store has acknowledged.
type receipt struct {
	Org    stockhand.OrgID
	Run    stockhand.RunID
	Events int64              // the log's length
	Calls  int64              // finished calls
	Result stockhand.ResultID // the last one's
}

func TestMain(m *testing.M) {
	if url := os.Getenv(crashVariable); url != "" {
		fmt.Fprintln(os.Stderr, work(context.Background(), url, json.NewEncoder(os.Stdout)))
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// work does what a worker does, as fast as it can, until it is killed.
func work(ctx context.Context, url string, out *json.Encoder) error {
	db, err := store.Open(ctx, url, nil)
	if err != nil {
		return err
	}
	org := stockhand.NewID[stockhand.OrgID]("org")
	_, errOrg := db.CreateOrganization(ctx, org, "Test organization")
	session, errSession := db.CreateSession(ctx, org, stockhand.Session{})
	_, run, errRun := db.CreateRun(ctx, org, stockhand.Message{Session: session.ID, Text: "task"})
	run, errClaim := db.ClaimRun(ctx, org, run.ID, 0)
	if err := errors.Join(errOrg, errSession, errRun, errClaim); err != nil {
		return err
	}
	said := receipt{Org: org, Run: run.ID}
	say := func(events []stockhand.Event, err error) error {
		if err != nil {
			return err
		}
		said.Events = events[len(events)-1].Seq
		return out.Encode(said)
	}
	for seq := int64(1); ; seq++ {
		call := stockhand.ToolCall{Run: run.ID, Seq: seq, Tool: "moysklad_stock"}
		if err := say(db.BeginToolCall(ctx, org, run.Generation, call, notice(1))); err != nil {
			return err
		}
		if err := say(db.AppendEvents(ctx, org, run.ID, run.Generation, notice(2), notice(3), notice(4))); err != nil {
			return err
		}
		result := stored(500)
		result.ID = stockhand.NewID[stockhand.ResultID]("res")
		events, err := db.FinishToolCall(ctx, org, run.Generation, call, &result, notice(5))
		said.Calls, said.Result = seq, result.ID
		if err := say(events, err); err != nil {
			return err
		}
	}
}

func TestKilledProcessLosesNothingThatWasReportedStored(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, url string) {
		for round := range 4 {
			said := killed(t, url, 5+rand.IntN(60)) // any moment will do
			if said.Run == "" {
				t.Fatalf("round %d: the process stored nothing", round)
			}
			db, err := store.Open(t.Context(), url, nil)
			if err != nil {
				t.Fatalf("round %d: %v", round, err)
			}
			examine(t, db, said)
			if err := db.Close(); err != nil {
				t.Error(err)
			}
		}
	})
}

// killed runs the process and kills it with SIGKILL after that many receipts; it returns the last one.
func killed(t *testing.T, url string, after int) (last receipt) {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), exe) // this very binary
	cmd.Env = append(os.Environ(), crashVariable+"="+url)
	var complaints strings.Builder
	cmd.Stderr = &complaints
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewReader(out)
	for n := 0; ; n++ {
		line, err := lines.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			break // a receipt cut in the middle was not given
		}
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(line, &last); err != nil {
			t.Fatal(err)
		}
		if n == after {
			time.Sleep(rand.N(3 * time.Millisecond)) // somewhere in the middle of a write
			if err := cmd.Process.Kill(); err != nil {
				t.Fatal(err)
			}
		}
	}
	_ = cmd.Wait() // killed
	if complaints.Len() > 0 {
		t.Fatal(complaints.String())
	}
	return last
}

// examine checks the record of a run whose worker was killed after that receipt.
func examine(t *testing.T, db *store.DB, said receipt) {
	t.Helper()
	ctx := t.Context()
	run, err := db.Run(ctx, said.Org, said.Run)
	if err != nil {
		t.Fatal(err)
	}
	f := fixture{db: db, org: said.Org, run: run}
	log := f.events(t)
	for i, e := range log {
		if e.Seq != int64(i+1) {
			t.Fatalf("event %d has number %d", i+1, e.Seq)
		}
	}
	if int64(len(log)) < said.Events {
		t.Errorf("%d events, and %d were acknowledged", len(log), said.Events)
	}
	calls, err := db.ToolCalls(ctx, said.Org, said.Run)
	if err != nil {
		t.Fatal(err)
	}
	var done int64
	for i, c := range calls {
		if c.Seq != int64(i+1) || (!c.Done && i != len(calls)-1) {
			t.Errorf("call %d of %d: %+v", i+1, len(calls), c)
		}
		if !c.Done {
			continue
		}
		done++
		rows := 0
		for page, err := range db.ResultRows(ctx, said.Org, c.Result, 0, 500) {
			if rows += page.Count; err != nil {
				t.Errorf("result of call %d: %v", i+1, err)
			}
		}
		if rows != 500 {
			t.Errorf("result of call %d: %d rows", i+1, rows)
		}
	}
	if done < said.Calls {
		t.Errorf("%d finished calls, and %d were acknowledged", done, said.Calls)
	}
	// Each call has one event when it begins, three in its middle and one when it ends: none was stored without its
	// cause.
	if begun := int64(len(calls)); int64(len(log)) != begun+3*done+done && int64(len(log)) != begun+3*(done+1)+done {
		t.Errorf("%d events for %d calls begun and %d finished", len(log), begun, done)
	}
	// Another process goes on with it.
	unfinished, err := db.System().UnfinishedRuns(ctx, time.Now().Add(time.Second))
	if err != nil || len(unfinished) != 1 || unfinished[0].ID != said.Run {
		t.Fatalf("unfinished: %v, %v", unfinished, err)
	}
	taken, err := db.ClaimRun(ctx, said.Org, said.Run, run.Generation)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.FinishRun(ctx, said.Org,
		stockhand.RunEnd{Run: said.Run, Generation: taken.Generation, State: stockhand.RunDone,
			Events: []stockhand.Event{notice(6)}}); err != nil {
		t.Fatal(err)
	}
}
