package store

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/store/content"
	"github.com/stockhand/stockhand/internal/store/datakey"
	"github.com/stockhand/stockhand/internal/store/sqlc"
)

// packedResult is a result ready to be stored.
type packedResult struct {
	head  sqlc.InsertResultParams
	pages []sqlc.InsertResultPageParams
}

// packResult compresses the pages of a call's result. They must hold all its rows, in order.
func packResult(key *content.Key, org stockhand.OrgID, call stockhand.ToolCall, r stockhand.StoredResult) (packedResult,
	error) {
	head, err := object("the head of a result", r.Head)
	if err != nil {
		return packedResult{}, err
	}
	id := string(orNew(r.ID, "res"))
	p := packedResult{head: sqlc.InsertResultParams{
		OrgID: string(org), ID: id, RunID: string(call.Run), Tool: text(call.Tool),
		Head:     key.Seal([]byte(head), "results.head", id),
		RowCount: int64(r.Rows), Stored: int64(len(head)), CreatedAt: micros(r.Created),
	}}
	next := 0
	for _, page := range r.Pages {
		if page.First != next || page.Count <= 0 {
			return p, stockhand.Errorf(stockhand.CodeInternal, "a page of the result begins at row %d, not %d",
				page.First, next)
		}
		encoding, body, err := content.Pack(page.Rows)
		if err != nil {
			return p, err
		}
		p.pages = append(p.pages, sqlc.InsertResultPageParams{
			OrgID: string(org), ResultID: id, FirstRow: int64(page.First), RowCount: int64(page.Count),
			Size: int64(len(page.Rows)), Encoding: encoding, Body: key.Seal(body, "result_pages.body", id, page.First),
		})
		p.head.Stored += int64(len(body))
		next += page.Count
	}
	if next != r.Rows {
		return p, stockhand.Errorf(stockhand.CodeInternal, "a result of %d rows has pages of %d", r.Rows, next)
	}
	return p, nil
}

func (p packedResult) insert(ctx context.Context, q *sqlc.Queries) error {
	if err := q.InsertResult(ctx, p.head); err != nil {
		return err
	}
	for _, page := range p.pages {
		if err := q.InsertResultPage(ctx, page); err != nil {
			return err
		}
	}
	return nil
}

// Result returns a tool's result without its rows.
func (db *DB) Result(ctx context.Context, org stockhand.OrgID, id stockhand.ResultID) (stockhand.StoredResult, error) {
	row, err := db.read.Result(ctx, sqlc.ResultParams{OrgID: string(org), ID: string(id)})
	return openOne(ctx, db, "result", row, err, storedResult)
}

// Results lists the results of a run without their rows, oldest first.
func (db *DB) Results(ctx context.Context, org stockhand.OrgID, of stockhand.RunID) ([]stockhand.StoredResult, error) {
	rows, err := db.read.ResultsOfRun(ctx, sqlc.ResultsOfRunParams{OrgID: string(org), RunID: string(of)})
	return openMany(ctx, db, "results", rows, err, storedResult)
}

// EarlierResults lists the results of the turns of a session before the one of a run, in the order of the calls.
func (db *DB) EarlierResults(ctx context.Context, org stockhand.OrgID, in stockhand.SessionID,
	before stockhand.RunID) ([]stockhand.ResultID, error) {
	rows, err := db.read.EarlierResults(ctx, sqlc.EarlierResultsParams{OrgID: string(org), SessionID: string(in),
		ID: string(before)})
	return many(db, "results", rows, err, func(id string) stockhand.ResultID { return stockhand.ResultID(id) })
}

func storedResult(o *datakey.Opener, row sqlc.Result) stockhand.StoredResult {
	return stockhand.StoredResult{
		ID: stockhand.ResultID(row.ID), Org: stockhand.OrgID(row.OrgID), Run: stockhand.RunID(row.RunID),
		Tool: row.Tool, Head: o.Open(row.OrgID, row.Head, "results.head", row.ID), Rows: int(row.RowCount),
		Created: moment(row.CreatedAt),
		Expired: row.RowsState != rowsStored,
	}
}

// ResultRows reads the rows of a result from one position up to, but not including, another, one page at a time. It
// holds no transaction. A row that is missing, because the result was deleted or has expired meanwhile, is an error:
// part of a table must not look like the whole. It returns RESULT_EXPIRED or NOT_FOUND.
func (db *DB) ResultRows(ctx context.Context, org stockhand.OrgID, id stockhand.ResultID,
	from, to int) iter.Seq2[stockhand.RowPage, error] {
	return func(yield func(stockhand.RowPage, error) bool) {
		for at := from; at < to; { // it can be read again
			page, err := db.resultPage(ctx, org, id, at, to)
			if stockhand.CodeOf(err) == stockhand.CodeNotFound {
				if r, gone := db.Result(ctx, org, id); gone == nil && r.Expired {
					err = stockhand.ErrResultExpired
				}
			}
			if !yield(page, err) || err != nil {
				return
			}
			at += page.Count
		}
	}
}

// resultPage returns the rows of one page, from a position on and before another.
func (db *DB) resultPage(ctx context.Context, org stockhand.OrgID, id stockhand.ResultID, from, to int) (
	stockhand.RowPage, error) {
	row, err := db.read.ResultPage(ctx, sqlc.ResultPageParams{OrgID: string(org), ResultID: string(id),
		FirstRow: int64(from)})
	var body []byte
	page, err := openOne(ctx, db, "rows", row, err, func(o *datakey.Opener, row sqlc.ResultPage) stockhand.RowPage {
		body = o.Open(row.OrgID, row.Body, "result_pages.body", row.ResultID, row.FirstRow)
		return stockhand.RowPage{First: int(row.FirstRow), Count: int(row.RowCount)}
	})
	if err != nil {
		return page, err
	}
	if from >= page.First+page.Count {
		return page, missing("rows")
	}
	if page.Rows, err = content.Unpack(row.Encoding, body, row.Size); err != nil {
		return page, db.fail("read the rows of "+row.ResultID, err)
	}
	if page.First >= from && page.First+page.Count <= to {
		return page, nil
	}
	page, err = part(page, max(from, page.First), min(to, page.First+page.Count))
	return page, db.fail("read the rows of "+row.ResultID, err)
}

// part cuts the rows from one position to another out of a page.
func part(page stockhand.RowPage, from, to int) (stockhand.RowPage, error) {
	var rows []json.RawMessage
	if err := json.Unmarshal(page.Rows, &rows); err != nil {
		return page, err
	}
	if len(rows) != page.Count {
		return page, fmt.Errorf("the page has %d rows, not %d", len(rows), page.Count)
	}
	body, err := json.Marshal(rows[from-page.First : to-page.First])
	return stockhand.RowPage{First: from, Count: to - from, Rows: body}, err
}
