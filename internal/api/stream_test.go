package api

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stockhand/stockhand"
)

func TestAQuietStreamShowsSignsOfLifeEvery15Seconds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := httptest.NewRecorder()
		f := &frames{w: w, control: http.NewResponseController(w), gone: func() {}}
		f.beat()
		seen := func() int { f.mu.Lock(); defer f.mu.Unlock(); return strings.Count(w.Body.String(), ":\n\n") }
		time.Sleep(61 * time.Second)
		if n := seen(); n != 4 {
			t.Errorf("%d heartbeats in a minute, want 4", n)
		}
		for range 10 { // what is not quiet needs none
			if err := f.write([]byte("data: {}\n\n")); err != nil {
				t.Fatal(err)
			}
			time.Sleep(10 * time.Second)
		}
		if n := seen(); n != 4 {
			t.Errorf("%d heartbeats between events, want 4", n)
		}
		f.end()
		time.Sleep(time.Minute)
		if n := seen(); n != 4 {
			t.Errorf("%d heartbeats after the end", n)
		}
		if err := f.write([]byte("data: {}\n\n")); err == nil {
			t.Error("something was written after the handler returned")
		}
	})
}

// broken is a connection that takes nothing.
type broken struct{ http.ResponseWriter }

func (broken) Write([]byte) (int, error) { return 0, http.ErrHandlerTimeout }

func TestAReaderThatTakesNothingIsLetGo(t *testing.T) {
	ctx, gone := context.WithCancel(t.Context())
	w := broken{httptest.NewRecorder()}
	f := &frames{w: w, control: http.NewResponseController(w), gone: gone}
	f.beat()
	defer f.end()
	if err := f.write([]byte("data: {}\n\n")); err == nil || ctx.Err() == nil {
		t.Errorf("writing gave %v, and following goes on: %t", err, ctx.Err() == nil)
	}
}

func TestAnEventIsOneFrameOfOneObject(t *testing.T) {
	for _, c := range []struct {
		event stockhand.Event
		want  string
	}{
		{stockhand.Event{Seq: 7, Type: stockhand.EventCancelled, Data: json.RawMessage(`{}`)},
			"id: 7\ndata: {\"type\":\"cancelled\"}\n\n"},
		{stockhand.Event{Seq: 7, Type: stockhand.EventCancelled}, "id: 7\ndata: {\"type\":\"cancelled\"}\n\n"},
		{stockhand.Event{Type: stockhand.EventDelta, Data: json.RawMessage(`{"content":"a\nb","offset":3}`)},
			"data: {\"type\":\"delta\",\"content\":\"a\\nb\",\"offset\":3}\n\n"},
		{stockhand.Event{Seq: 2, Type: stockhand.EventNotice,
			Data: json.RawMessage("{\n \"code\": \"x\",\r\n \"message\": \"y\"}\n")},
			"id: 2\ndata: {\"type\":\"notice\",\"code\":\"x\",\"message\":\"y\"}\n\n"},
		{stockhand.Event{Seq: 3, Type: stockhand.EventToolCompleted, Data: json.RawMessage(`{"tool_name":"t"}`)},
			"id: 3\ndata: {\"type\":\"tool_completed\",\"tool_name\":\"t\",\"result_id\":null}\n\n"},
		{stockhand.Event{Seq: 1, Type: stockhand.EventStart,
			Data: json.RawMessage(`{"message_id":"msg_1","history":[{"text":"secret"}]}`)},
			"id: 1\ndata: {\"type\":\"start\",\"message_id\":\"msg_1\"}\n\n"},
	} {
		if got := string(frame(c.event)); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}
