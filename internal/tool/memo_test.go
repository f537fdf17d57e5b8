package tool

import (
	"crypto/rand"
	"fmt"
	"sync"
	"testing"
)

func TestConcurrentReadersOfAPageWaitForOneReading(t *testing.T) { // rule R231
	m := NewMemo()
	_, done, err := m.Page(t.Context(), "a")
	if err != nil {
		t.Fatal(err)
	}
	var work sync.WaitGroup
	var failed sync.Map
	for i := range 8 {
		work.Go(func() {
			page, finish, err := m.Page(t.Context(), "a")
			if finish != nil { // the first reading failed, so one of these reads
				failed.Store(i, true)
				finish([]byte("second"))
				return
			}
			if err != nil || string(page) != "second" {
				t.Errorf("%q, %v", page, err)
			}
		})
	}
	done(nil)
	work.Wait()
	read := 0
	failed.Range(func(any, any) bool { read++; return true })
	if read != 1 {
		t.Errorf("%d read the page", read)
	}
	m.Forget("a")
	if page, _, _ := m.Page(t.Context(), "a"); page != nil {
		t.Error("a forgotten page is kept")
	}
}

func TestAMemoIsBounded(t *testing.T) { // rule R231
	before := memos.Load()
	m := NewMemo()
	page := make([]byte, 6<<20)
	_, _ = rand.Read(page) // does not compress
	kept := 0
	for i := range 5 {
		_, done, _ := m.Page(t.Context(), fmt.Sprint(i))
		done(page)
		if again, finish, _ := m.Page(t.Context(), fmt.Sprint(i)); again != nil {
			kept++
		} else {
			finish(nil)
		}
	}
	if kept != 2 || m.size.Load() > memoRun || memos.Load()-before > memoRun {
		t.Errorf("%d pages of 6 MiB are kept, %d bytes", kept, m.size.Load())
	}
	m.Forget("0")
	if _, done, _ := m.Page(t.Context(), "5"); done != nil {
		done(page)
	}
	if again, _, _ := m.Page(t.Context(), "5"); again == nil {
		t.Error("a forgotten page still takes room")
	}
	_, done, _ := m.Page(t.Context(), "6")
	m.Forget("6") // while it is being read
	size := m.size.Load()
	if done([]byte("old")); m.size.Load() != size {
		t.Error("a page that was forgotten while it was read takes room")
	}
}
