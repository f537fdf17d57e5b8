package tool

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"iter"

	"github.com/stockhand/stockhand"
)

// The bounds of a page of a stored result. A row that is larger has a page of its own.
const (
	pageRows  = 200
	pageBytes = 64 << 10
)

// Table is a result whose rows are read page by page, so that a large one is never whole in memory.
type Table struct {
	*Result // without rows
	Count   int
	Pages   iter.Seq2[Rows, error]
}

// InPages returns a result that is in memory as a table of one page.
func (r *Result) InPages() Table {
	head := *r
	head.Rows = nil
	return Table{Result: &head, Count: len(r.Rows), Pages: func(yield func(Rows, error) bool) { yield(r.Rows, nil) }}
}

// ReadTable reads a stored result. The pages are read when the table's are; those of an expired one are RESULT_EXPIRED.
func ReadTable(s stockhand.StoredResult, pages iter.Seq2[stockhand.RowPage, error]) (Table, error) {
	t := Table{Result: new(Result), Count: s.Rows}
	if err := json.Unmarshal(s.Head, t.Result); err != nil {
		return t, fmt.Errorf("read the result %s: %w", s.ID, err)
	}
	t.Pages = func(yield func(Rows, error) bool) {
		if s.Expired {
			yield(nil, stockhand.ErrResultExpired)
			return
		}
		for p, err := range pages {
			var rows Rows
			if err == nil {
				rows, err = t.readRows(p.Rows)
			}
			if !yield(rows, err) || err != nil {
				return
			}
		}
	}
	return t, nil
}

// Read decodes a page of the table's stored rows.
func (t Table) Read(p stockhand.RowPage) (Rows, error) { return t.readRows(p.Rows) }

// WriteStored writes a stored result with these rows as one JSON object, after the fields of head, a struct.
func WriteStored(w io.Writer, head any, s stockhand.StoredResult, pages iter.Seq2[stockhand.RowPage, error]) error {
	first, err := json.Marshal(head)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(w)
	// a Writer keeps its first error, which Flush returns
	_, _ = fmt.Fprintf(out, "%s,%s,\"rows\":[", first[:len(first)-1], s.Head[1:len(s.Head)-1])
	between := ""
	for page, err := range pages {
		if err != nil {
			return err
		}
		if _, err := fmt.Fprintf(out, "%s%s", between, page.Rows[1:len(page.Rows)-1]); err != nil {
			return err
		}
		between = ","
	}
	_, _ = out.WriteString("]}")
	return out.Flush()
}

// First reads up to n of the first rows.
func (t Table) First(n int) (*Result, error) {
	first := *t.Result
	first.Rows = Rows{}
	for rows, err := range t.Pages {
		if err != nil {
			return nil, err
		}
		first.Rows = append(first.Rows, rows[:min(len(rows), n-len(first.Rows))]...)
		if len(first.Rows) == n {
			break
		}
	}
	return &first, nil
}

// Whole reads all rows into memory.
func (t Table) Whole() (*Result, error) {
	whole := *t.Result
	whole.Rows = make(Rows, 0, t.Count)
	for rows, err := range t.Pages {
		if err != nil {
			return nil, err
		}
		whole.Rows = append(whole.Rows, rows...)
	}
	return &whole, nil
}

// Stored returns the result as it is stored: its head, and its rows in pages.
func (r *Result) Stored() (stockhand.StoredResult, error) {
	s := stockhand.StoredResult{Rows: len(r.Rows)}
	head, err := r.encode(nil)
	if err != nil {
		return s, err
	}
	s.Head = head
	var page, cells bytes.Buffer
	var next stockhand.RowPage
	end := func() {
		if next.Count > 0 {
			next.Rows = append(append([]byte("["), page.Bytes()...), ']')
			s.Pages = append(s.Pages, next)
		}
		next = stockhand.RowPage{First: next.First + next.Count}
		page.Reset()
	}
	for i, row := range r.Rows {
		cells.Reset()
		if err := writeRow(&cells, r.Columns, row, true); err != nil {
			return s, fmt.Errorf("row %d: %w", i, err)
		}
		if next.Count == pageRows || page.Len()+cells.Len() > pageBytes {
			end()
		}
		if next.Count > 0 {
			page.WriteByte(',')
		}
		page.Write(cells.Bytes())
		next.Count++
	}
	end()
	return s, nil
}
