package sse_test

import (
	"errors"
	"io"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"github.com/stockhand/stockhand/internal/sse"
)

func TestWhatIsWrittenIsReadBack(t *testing.T) {
	events := []sse.Event{
		{Data: []byte("{}")}, {ID: "7", Name: "x", Data: []byte("a\n\nb")}, {ID: "8", Data: []byte("")},
	}
	w := httptest.NewRecorder()
	sse.Start(w)
	if err := errors.Join(sse.Retry(w, "100"), sse.Comment(w, " working")); err != nil {
		t.Fatal(err)
	}
	for _, e := range events {
		if err := sse.Write(w, e); err != nil {
			t.Fatal(err)
		}
	}
	if got := read(t, w.Body); cmp.Diff(got, []sse.Event{events[0], events[1], {ID: "8"}}) != "" {
		t.Errorf("%q", got)
	}
	if w.Header().Get("Content-Type") != sse.MediaType || !w.Flushed {
		t.Errorf("%v, flushed %t", w.Header(), w.Flushed)
	}
}

func TestLineEndsAndIncompleteEvents(t *testing.T) {
	got := read(t, strings.NewReader("data:a\r\n\r\nid\ndata: b\ndata: c\n\nevent: only a name\n\ndata: cut off"))
	if cmp.Diff(got, []sse.Event{{Data: []byte("a")}, {Data: []byte("b\nc")}}) != "" {
		t.Errorf("%q", got)
	}
}

func TestAReadErrorIsYielded(t *testing.T) {
	failure := errors.New("reset")
	for e, err := range sse.Read(io.MultiReader(strings.NewReader("data: a"), iotest.ErrReader(failure))) {
		if !errors.Is(err, failure) {
			t.Errorf("%v %v", e, err)
		}
	}
}

func read(t *testing.T, r io.Reader) (all []sse.Event) {
	t.Helper()
	for e, err := range sse.Read(r) {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, e)
	}
	return all
}
