package store

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"sync"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/store/sqlc"
)

// BeginToolCall stores that a tool call starts, with its events. Run and Seq identify the call. A call that a crash
// interrupted starts again under its number. A finished call returns CONFLICT: use its stored result instead of calling
// again.
func (db *DB) BeginToolCall(ctx context.Context, org stockhand.OrgID, generation int64, call stockhand.ToolCall,
	events ...stockhand.Event) ([]stockhand.Event, error) {
	arguments, err := object("the arguments of "+call.Tool, call.Arguments)
	if err != nil {
		return nil, err
	}
	return db.inRun(ctx, "store the tool call", org, call.Run, generation, events, func(q *sqlc.Queries) error {
		rows, err := q.BeginToolCall(ctx, sqlc.BeginToolCallParams{
			OrgID: string(org), RunID: string(call.Run), Seq: call.Seq, Tool: text(call.Tool), Arguments: arguments,
			StartedAt: micros(call.Started),
			Step:      call.Step, CallID: text(call.CallID),
		})
		return callFinished(call, rows, err)
	})
}

// FinishToolCall stores the outcome of a call, an error or a result (nil for none), and its events, in one transaction.
// It sets the result's run and organization, generates an empty ID, and ignores call.Result. It returns CONFLICT when
// the call was never started or is already finished.
func (db *DB) FinishToolCall(ctx context.Context, org stockhand.OrgID, generation int64, call stockhand.ToolCall,
	result *stockhand.StoredResult, events ...stockhand.Event) ([]stockhand.Event, error) {
	var body sqlc.InsertResultParams
	if result != nil {
		encoding, packed, err := pack(result.Body)
		if err != nil {
			return nil, err
		}
		body = sqlc.InsertResultParams{
			OrgID: string(org), ID: string(orNew(result.ID, "res")), RunID: string(call.Run), Tool: text(call.Tool),
			Size: int64(len(result.Body)), Encoding: encoding, Body: packed, CreatedAt: micros(result.Created),
		}
	}
	return db.inRun(ctx, "store the tool's result", org, call.Run, generation, events, func(q *sqlc.Queries) error {
		if result != nil {
			if err := q.InsertResult(ctx, body); err != nil {
				return err
			}
		}
		rows, err := q.FinishToolCall(ctx, sqlc.FinishToolCallParams{
			OrgID: string(org), RunID: string(call.Run), Seq: call.Seq, Error: text(call.Error), ResultID: body.ID,
			Requests: int64(call.Requests), FinishedAt: micros(call.Finished),
		})
		return callFinished(call, rows, err)
	})
}

// ToolCalls returns the calls of a run in order, including unfinished ones.
func (db *DB) ToolCalls(ctx context.Context, org stockhand.OrgID, of stockhand.RunID) ([]stockhand.ToolCall, error) {
	rows, err := db.read.ToolCalls(ctx, sqlc.ToolCallsParams{OrgID: string(org), RunID: string(of)})
	return many(db, "tool calls", rows, err, func(row sqlc.ToolCall) stockhand.ToolCall {
		return stockhand.ToolCall{
			Run: stockhand.RunID(row.RunID), Seq: row.Seq, Tool: row.Tool, Arguments: json.RawMessage(row.Arguments),
			Done: row.Done, Error: row.Error,
			Result: stockhand.ResultID(row.ResultID), Requests: int(row.Requests), Step: row.Step, CallID: row.CallID,
			Started: moment(row.StartedAt), Finished: moment(row.FinishedAt),
		}
	})
}

// Result returns a tool's result with its body.
func (db *DB) Result(ctx context.Context, org stockhand.OrgID, id stockhand.ResultID) (stockhand.StoredResult, error) {
	row, err := db.read.Result(ctx, sqlc.ResultParams{OrgID: string(org), ID: string(id)})
	found, err := one(db, "result", row, err, func(row sqlc.Result) stockhand.StoredResult {
		return stockhand.StoredResult{
			ID: stockhand.ResultID(row.ID), Org: stockhand.OrgID(row.OrgID), Run: stockhand.RunID(row.RunID),
			Tool: row.Tool, Created: moment(row.CreatedAt),
		}
	})
	if err != nil {
		return stockhand.StoredResult{}, err
	}
	found.Body, err = unpack(row.Encoding, row.Body, row.Size)
	return found, db.fail("read the result "+row.ID, err)
}

// Results lists the results of a run without their bodies, oldest first.
func (db *DB) Results(ctx context.Context, org stockhand.OrgID, of stockhand.RunID) ([]stockhand.StoredResult, error) {
	rows, err := db.read.ResultsOfRun(ctx, sqlc.ResultsOfRunParams{OrgID: string(org), RunID: string(of)})
	return many(db, "results", rows, err, func(row sqlc.ResultsOfRunRow) stockhand.StoredResult {
		return stockhand.StoredResult{
			ID: stockhand.ResultID(row.ID), Org: stockhand.OrgID(row.OrgID), Run: stockhand.RunID(row.RunID),
			Tool: row.Tool, Created: moment(row.CreatedAt),
		}
	})
}

func callFinished(call stockhand.ToolCall, rows int64, err error) error {
	if err == nil && rows == 0 {
		return stockhand.Errorf(stockhand.CodeConflict, "call %d of the run was never started or is already finished",
			call.Seq)
	}
	return err
}

// The encodings of a result's body.
const (
	encodedJSON = "json"
	encodedGzip = "gzip"

	// packFrom is the size in bytes from which bodies are compressed. A smaller row fits on a database page or two.
	packFrom = 4 << 10
)

// writers pools gzip writers, because each allocates several hundred kilobytes of tables.
var writers = sync.Pool{New: func() any {
	w, _ := gzip.NewWriterLevel(nil, gzip.BestSpeed) // the level is valid, so this cannot fail
	return w
}}

// pack encodes a body for its column.
func pack(body json.RawMessage) (encoding string, packed []byte, err error) {
	if len(body) == 0 {
		return "", nil, stockhand.Errorf(stockhand.CodeInternal, "a result has no body")
	}
	if len(body) < packFrom {
		return encodedJSON, body, nil
	}
	var b bytes.Buffer
	w := writers.Get().(*gzip.Writer) //nolint:forcetypeassert // the pool contains only gzip writers
	defer writers.Put(w)
	w.Reset(&b)
	if _, err := w.Write(body); err != nil {
		return "", nil, fmt.Errorf("compress the result: %w", err)
	}
	if err := w.Close(); err != nil {
		return "", nil, fmt.Errorf("compress the result: %w", err)
	}
	return encodedGzip, b.Bytes(), nil
}

// unpack decodes a body encoded by pack. It fails if the length differs from the stored size, because a truncated table
// would give wrong answers.
func unpack(encoding string, packed []byte, size int64) (json.RawMessage, error) {
	switch encoding {
	case encodedJSON:
		return packed, nil
	case encodedGzip:
		r, err := gzip.NewReader(bytes.NewReader(packed))
		if err != nil {
			return nil, fmt.Errorf("decompress: %w", err)
		}
		body := make([]byte, size)
		if _, err := io.ReadFull(r, body); err != nil {
			return nil, fmt.Errorf("decompress: %w", err)
		}
		if n, err := r.Read(make([]byte, 1)); n != 0 || err != io.EOF { //nolint:errorlint // as io.Reader requires
			return nil, fmt.Errorf("decompress: more than the %d bytes that were stored (%w)", size, err)
		}
		return body, nil
	}
	return nil, fmt.Errorf("unknown encoding %q", encoding)
}
