package work_test

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/secret"
	"github.com/stockhand/stockhand/internal/work"
	"github.com/stockhand/stockhand/internal/work/worktest"
)

// foreign connects a client that is no replica, and collects all that it can hear.
func foreign(t *testing.T, url string) (*nats.Conn, chan *nats.Msg) {
	t.Helper()
	nc, err := nats.Connect(url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	heard := make(chan *nats.Msg, 1000)
	if _, err := nc.ChanSubscribe("stockhand.>", heard); err != nil {
		t.Fatal(err)
	}
	if err := nc.Flush(); err != nil {
		t.Fatal(err)
	}
	return nc, heard
}

// Review M8: another client of the NATS server listened to "stockhand.>" and read every organization's answers.
func TestAttackAForeignNATSClientReadsNoEvents(t *testing.T) {
	noneLeft(t)
	c := worktest.New(t)
	one, other := open(t, c.URL()), open(t, c.URL())
	_, heard := foreign(t, c.URL())
	r := someRun()
	l := other.Listen(r.ID)
	defer l.Close()
	one.Notify(stockhand.Event{Run: r.ID, Type: stockhand.EventDelta, Data: json.RawMessage(`"1 028 885,78"`)},
		stockhand.Event{Run: r.ID, Seq: 1, Type: stockhand.EventComplete, Data: json.RawMessage(`"1 028 885,78"`)})
	one.Cancel(r.ID)
	var events []stockhand.Event
	missed := false
	for len(events) < 2 { // they may arrive one by one
		next(t, l.Ready(), "the event at the other replica")
		more, lost := l.Take()
		events, missed = append(events, more...), missed || lost
	}
	if missed || len(events) != 2 || string(events[0].Data) != `"1 028 885,78"` {
		t.Errorf("the other replica got %v, missed %v", events, missed)
	}
	if e := events[1]; e.Seq != 1 || e.Type != "" || string(e.Data) != "null" {
		t.Errorf("a stored event was sent whole: %+v", e)
	}
	for range 2 {
		m := next(t, heard, "a message on the wire")
		for _, word := range []string{"028", string(r.ID), string(stockhand.EventDelta), "run"} {
			if bytes.Contains(m.Data, []byte(word)) {
				t.Errorf("%s shows %q", m.Subject, word)
			}
		}
	}
}

// Review M8: the same client put an image into the stream of a victim and cancelled any run. Neither plain text, nor a
// seal with another key, nor a message moved to another subject counts.
func TestAttackAForeignNATSClientForgesNothing(t *testing.T) {
	noneLeft(t)
	c := worktest.New(t)
	one, other := open(t, c.URL()), open(t, c.URL())
	nc, heard := foreign(t, c.URL())
	begun, ended := make(chan struct{}), make(chan struct{})
	r := someRun()
	worker(t, one, func(ctx context.Context, _ *work.Delivery) error {
		close(begun)
		select {
		case <-ctx.Done():
			t.Error("a foreign client cancelled a run")
		case <-ended:
		}
		return nil
	})
	one.Publish(t.Context(), r)
	next(t, begun, "the run")
	next(t, heard, "the offer")
	l := one.Listen(r.ID)
	defer l.Close()
	theirs, err := secret.Parse(strings.Repeat("0f", 32))
	if err != nil {
		t.Fatal(err)
	}
	delta, err := json.Marshal([]stockhand.Event{{Run: r.ID, Type: stockhand.EventDelta,
		Data: json.RawMessage(`"![](http://evil.example)"`)}})
	if err != nil {
		t.Fatal(err)
	}
	for subject, plain := range map[string][]byte{"stockhand.events": delta, "stockhand.cancels": []byte(r.ID)} {
		sealed, err := theirs.SealMessage(subject, plain)
		if err != nil {
			t.Fatal(err)
		}
		moved, err := worktest.Ring().SealMessage("stockhand.elsewhere", plain)
		if err != nil {
			t.Fatal(err)
		}
		for _, message := range [][]byte{plain, sealed, moved, nil, []byte("[]")} {
			if err := nc.Publish(subject, message); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := nc.Flush(); err != nil {
		t.Fatal(err)
	}
	// A true event passes after them, on the same subject and so in order.
	other.Notify(stockhand.Event{Run: r.ID, Type: stockhand.EventDelta, Data: json.RawMessage(`"true"`)})
	next(t, l.Ready(), "the true event")
	if events, missed := l.Take(); missed || len(events) != 1 || string(events[0].Data) != `"true"` {
		t.Errorf("%d events, missed %v: %+v", len(events), missed, events)
	}
	select {
	case <-one.Missed():
		t.Error("a foreign message made replicas read the database")
	case <-time.After(50 * time.Millisecond):
	}
	close(ended)
	one.Wait()
}

// While keys are rotated, replicas that have restarted and those that have not understand each other.
func TestReplicasHearEachOtherWhileTheSecretKeyIsRotated(t *testing.T) {
	noneLeft(t)
	c := worktest.New(t)
	before := open(t, c.URL())
	both, err := secret.Parse(strings.Repeat("0f", 32) + "\n" + strings.Repeat("5e", 32))
	if err != nil {
		t.Fatal(err)
	}
	after, err := work.Open(t.Context(), work.Config{URL: c.URL(), Ring: both})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(after.Close)
	for _, pair := range [][2]*work.Engine{{before, after}, {after, before}} {
		r := someRun()
		l := pair[1].Listen(r.ID)
		defer l.Close()
		pair[0].Notify(stockhand.Event{Run: r.ID, Type: stockhand.EventDelta})
		next(t, l.Ready(), "the event")
	}
}
