package sse

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func TestAnIdleStreamSendsACommentEvery15Seconds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := httptest.NewRecorder()
		f := NewStream(w, Heartbeat, func() {})
		seen := func() int { f.mu.Lock(); defer f.mu.Unlock(); return strings.Count(w.Body.String(), ":\n\n") }
		time.Sleep(61 * time.Second)
		if n := seen(); n != 4 {
			t.Errorf("%d heartbeats in a minute, want 4", n)
		}
		for range 10 { // what is not quiet needs none
			if err := f.Send(Event{}); err != nil {
				t.Fatal(err)
			}
			time.Sleep(10 * time.Second)
		}
		if n := seen(); n != 4 {
			t.Errorf("%d heartbeats between events, want 4", n)
		}
		f.End()
		time.Sleep(time.Minute)
		if n := seen(); n != 4 {
			t.Errorf("%d heartbeats after the end", n)
		}
		if err := f.Send(Event{}); err == nil {
			t.Error("something was written after the handler returned")
		}
	})
}

// broken is a connection that takes nothing.
type broken struct{ http.ResponseWriter }

func (broken) Write([]byte) (int, error) { return 0, http.ErrHandlerTimeout }

func TestAReaderThatReadsNothingIsDisconnected(t *testing.T) {
	ctx, gone := context.WithCancel(t.Context())
	w := broken{httptest.NewRecorder()}
	f := NewStream(w, Heartbeat, gone)
	defer f.End()
	if err := f.Send(Event{}); err == nil || ctx.Err() == nil {
		t.Errorf("writing gave %v, and following goes on: %t", err, ctx.Err() == nil)
	}
}
