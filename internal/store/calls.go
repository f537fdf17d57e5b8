package store

import (
	"context"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/store/content"
	"github.com/stockhand/stockhand/internal/store/datakey"
	"github.com/stockhand/stockhand/internal/store/sqlc"
)

// BeginToolCall stores that a tool call starts, with its events. Run and Seq identify the call. A call that a crash
// interrupted starts again under its number. A finished call returns CONFLICT: use its stored result instead of calling
// again.
func (db *DB) BeginToolCall(ctx context.Context, org stockhand.OrgID, generation int64, call stockhand.ToolCall,
	events ...stockhand.Event) ([]stockhand.Event, error) {
	return db.inRun(ctx, "store the tool call", org, call.Run, generation, events,
		func(q *sqlc.Queries, key *content.Key) error {
			rows, err := beginToolCall(ctx, q, key, org, call)
			return callFinished(call, rows, err)
		})
}

func beginToolCall(ctx context.Context, q *sqlc.Queries, key *content.Key, org stockhand.OrgID,
	call stockhand.ToolCall) (int64, error) {
	arguments, err := object("the arguments of "+call.Tool, call.Arguments)
	if err != nil {
		return 0, err
	}
	return q.BeginToolCall(ctx, sqlc.BeginToolCallParams{
		OrgID: string(org), RunID: string(call.Run), Seq: call.Seq, Tool: text(call.Tool),
		Arguments: key.Seal([]byte(arguments), "tool_calls.arguments", call.Run, call.Seq),
		StartedAt: micros(call.Started), Step: call.Step, CallID: text(call.CallID),
	})
}

// FinishToolCall stores the outcome of a call, an error or a result (nil for none), and its events, in one transaction.
// It sets the result's run and organization, generates an empty ID, and ignores call.Result. It returns CONFLICT when
// the call was never started or is already finished.
func (db *DB) FinishToolCall(ctx context.Context, org stockhand.OrgID, generation int64, call stockhand.ToolCall,
	result *stockhand.StoredResult, events ...stockhand.Event) ([]stockhand.Event, error) {
	var packed packedResult
	var packedFor *content.Key
	if result != nil { // outside the transaction, because it takes long
		var err error
		if packedFor, err = db.keys.Key(ctx, org); err != nil {
			return nil, err
		}
		if packed, err = packResult(packedFor, org, call, *result); err != nil {
			return nil, err
		}
	}
	return db.inRun(ctx, "store the tool's result", org, call.Run, generation, events,
		func(q *sqlc.Queries, key *content.Key) error {
			if result != nil {
				if key != packedFor { // encryption was switched on meanwhile
					var err error
					if packed, err = packResult(key, org, call, *result); err != nil {
						return err
					}
				}
				if err := packed.insert(ctx, q); err != nil {
					return err
				}
			}
			rows, err := q.FinishToolCall(ctx, sqlc.FinishToolCallParams{
				OrgID: string(org), RunID: string(call.Run), Seq: call.Seq,
				Error:    key.Seal([]byte(text(call.Error)), "tool_calls.error", call.Run, call.Seq),
				ResultID: packed.head.ID, Requests: int64(call.Requests), FinishedAt: micros(call.Finished),
			})
			return callFinished(call, rows, err)
		})
}

// ToolCalls returns the calls of a run in order, including unfinished ones.
func (db *DB) ToolCalls(ctx context.Context, org stockhand.OrgID, of stockhand.RunID) ([]stockhand.ToolCall, error) {
	rows, err := db.read.ToolCalls(ctx, sqlc.ToolCallsParams{OrgID: string(org), RunID: string(of)})
	return openMany(ctx, db, "tool calls", rows, err, func(o *datakey.Opener, row sqlc.ToolCall) stockhand.ToolCall {
		return stockhand.ToolCall{
			Run: stockhand.RunID(row.RunID), Seq: row.Seq, Tool: row.Tool,
			Arguments: o.Open(row.OrgID, row.Arguments, "tool_calls.arguments", row.RunID, row.Seq),
			Done:      row.Done,
			Error:     string(o.Open(row.OrgID, row.Error, "tool_calls.error", row.RunID, row.Seq)),
			Result:    stockhand.ResultID(row.ResultID), Requests: int(row.Requests), Step: row.Step,
			CallID:  row.CallID,
			Started: moment(row.StartedAt), Finished: moment(row.FinishedAt),
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
