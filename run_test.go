package stockhand

import (
	"encoding/json"
	"testing"
)

func TestAnEventIsOneObjectOnOneLine(t *testing.T) {
	for _, c := range []struct {
		event Event
		want  string
	}{
		{Event{Seq: 7, Type: EventCancelled, Data: json.RawMessage(`{}`)},
			"{\"type\":\"cancelled\"}"},
		{Event{Seq: 7, Type: EventCancelled}, "{\"type\":\"cancelled\"}"},
		{Event{Type: EventDelta, Data: json.RawMessage(`{"content":"a\nb","offset":3}`)},
			"{\"type\":\"delta\",\"content\":\"a\\nb\",\"offset\":3}"},
		{Event{Seq: 2, Type: EventNotice,
			Data: json.RawMessage("{\n \"code\": \"x\",\r\n \"message\": \"y\"}\n")},
			"{\"type\":\"notice\",\"code\":\"x\",\"message\":\"y\"}"},
		{Event{Seq: 3, Type: EventToolCompleted, Data: json.RawMessage(`{"tool_name":"t"}`)},
			"{\"type\":\"tool_completed\",\"tool_name\":\"t\",\"result_id\":null}"},
		{Event{Seq: 1, Type: EventStart,
			Data: json.RawMessage(`{"message_id":"msg_1","history":[{"text":"secret"}]}`)},
			"{\"type\":\"start\",\"message_id\":\"msg_1\"}"},
	} {
		if got := string(c.event.JSON()); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}
