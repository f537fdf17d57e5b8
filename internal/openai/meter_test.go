package openai

import (
	"io"
	"net/http/httptest"
	"strings"
	"testing"
)

// largest remembers the largest write: what has been held.
type largest struct {
	*httptest.ResponseRecorder
	most, all int
}

func (l *largest) Write(b []byte) (int, error) {
	l.most = max(l.most, len(b))
	l.all += len(b)
	return len(b), nil
}

func TestAnEventWithoutAnEndIsPassedOnAndNotHeld(t *testing.T) {
	w := &largest{ResponseRecorder: httptest.NewRecorder()}
	const size = 3 * maxEvent
	var m meter
	m.copyStream(w, io.MultiReader(strings.NewReader("data: "), io.LimitReader(endless{}, size),
		strings.NewReader("\n\ndata: {\"usage\":{\"prompt_tokens\":3,\"completion_tokens\":4}}\n\n")), false)
	if w.most > maxEvent+64<<10 || w.all < size {
		t.Errorf("%d bytes were held, and %d passed on", w.most, w.all)
	}
	if !m.known || m.reported.Input != 3 || m.reported.Output != 4 {
		t.Errorf("what came after it is metered as %+v", m.reported)
	}
}

type endless struct{}

func (endless) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = 'x'
	}
	return len(b), nil
}
