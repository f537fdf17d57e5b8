package stockhand

import (
	"errors"
	"fmt"
	"testing"
	"time"
)

func TestIdsSortByTime(t *testing.T) {
	at := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	earlier, later := idAt[SessionID]("ses", at), idAt[SessionID]("ses", at.Add(time.Microsecond))
	if earlier >= later {
		t.Errorf("%s was made before %s and sorts after it", earlier, later)
	}
	if !ValidID(string(later), "ses") || ValidID(string(later), "run") || ValidID("ses_0", "ses") ||
		ValidID(string(later[:29])+"~", "ses") {
		t.Errorf("ValidID does not tell %s from others", later)
	}
}

func TestIdsDoNotRepeat(t *testing.T) {
	seen := map[RunID]bool{}
	for range 10000 {
		id := NewID[RunID]("run")
		if seen[id] {
			t.Fatal("twice:", id)
		}
		seen[id] = true
	}
}

func TestAnErrorKeepsItsCodeThroughWrapping(t *testing.T) {
	cause := errors.New("connection refused")
	err := fmt.Errorf("ask: %w", Errorf(CodeExternalUnavailable, "the external system did not answer: %w",
		cause).WithHint("try again"))
	if CodeOf(err) != CodeExternalUnavailable || !errors.Is(err, cause) {
		t.Errorf("code %s, cause kept %t", CodeOf(err), errors.Is(err, cause))
	}
	if CodeOf(cause) != CodeInternal {
		t.Error("an error of another kind must be internal")
	}
}

func TestARunMovesOnlyForward(t *testing.T) {
	for _, s := range []RunState{RunDone, RunFailed, RunCancelled} {
		if !s.Finished() || s.CanBecome(RunRunning) {
			t.Errorf("%s is not final", s)
		}
	}
	if !RunQueued.CanBecome(RunRunning) || !RunRunning.CanBecome(RunRunning) || RunQueued.CanBecome(RunDone) {
		t.Error("the moves of a run are not those of the table")
	}
}
