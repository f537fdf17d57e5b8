package main

import (
	"runtime"
	"runtime/debug"
	"testing"
	"time"
)

// Whatever a model sends, its run ends in words and the memory is bounded (rule R14).
func TestAModelThatDoesNotBehaveEndsInWordsWithinBoundedMemory(t *testing.T) {
	const most = 128 << 20                            // bytes of heap beyond what there was before, garbage included
	defer debug.SetGCPercent(debug.SetGCPercent(100)) // as in the service, whatever GOGC the tests run with
	for _, h := range hostiles {
		url, requests, err := h.serve(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		var before, m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		ended, peaked := make(chan struct{}), make(chan uint64)
		go func() {
			highest := uint64(0)
			for every := time.NewTicker(20 * time.Millisecond); ; {
				select {
				case <-ended:
					every.Stop()
					peaked <- highest
					return
				case <-every.C:
					runtime.ReadMemStats(&m)
					highest = max(highest, m.HeapInuse)
				}
			}
		}()
		f, err := suffer(t.Context(), url, 2*time.Second, 4)
		close(ended)
		grown := int64(<-peaked) - int64(before.HeapInuse)
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%s: %d requests, %d calls, %d MiB", h.name, requests.Load(), len(f.ToolCalls), grown>>20)
		if f.Failure != nil || f.FinalResponse == "" || grown > most || requests.Load() > 25 {
			t.Errorf("%s: %d requests, %d bytes more, %+v: %.200s", h.name, requests.Load(), grown, f.Failure,
				f.FinalResponse)
		}
	}
}
