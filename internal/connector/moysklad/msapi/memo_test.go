package msapi

import (
	"net/http"
	"testing"

	"github.com/stockhand/stockhand/internal/tool"
)

// A list that changes while it is read is read again, and never from what the run has kept.
func TestPagesThatMovedAreReadAgain(t *testing.T) { // rule R231
	sizes := []int{1500, 1501} // of the first and the second page: something was added in between
	asked := 0
	r, c := open(func(w http.ResponseWriter, req *http.Request) {
		size := sizes[min(asked, 1)]
		asked++
		writePage(w, req, size, idsUpTo(size))
	})
	r.config.Ahead = 1
	ctx := WithMemo(t.Context(), tool.NewMemo())
	for _, requests := range []int{4, 6, 6} { // both pages twice; then once; then from the memo
		rows, err := Collect(r.Stores(ctx, ListQuery{}))
		if err != nil || len(rows) != 1501 || len(c.requests()) != requests {
			t.Errorf("%d rows, %v, %d requests, want %d", len(rows), err, len(c.requests()), requests)
		}
	}
}
