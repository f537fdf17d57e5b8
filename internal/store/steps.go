package store

import (
	"context"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/store/content"
	"github.com/stockhand/stockhand/internal/store/datakey"
	"github.com/stockhand/stockhand/internal/store/sqlc"
)

// AddModelStep stores a model's answer within a run that the worker holds, with its events. Run and Seq identify the
// step. It returns CONFLICT when the step is already stored, because the run continued with the first answer.
func (db *DB) AddModelStep(ctx context.Context, org stockhand.OrgID, generation int64, s stockhand.ModelStep,
	events ...stockhand.Event) ([]stockhand.Event, error) {
	message, err := object("a model's message", s.Message)
	if err != nil {
		return nil, err
	}
	return db.inRun(ctx, "store the model's step", org, s.Run, generation, events,
		func(q *sqlc.Queries, key *content.Key) error {
			rows, err := q.InsertModelStep(ctx, sqlc.InsertModelStepParams{
				OrgID: string(org), RunID: string(s.Run), Seq: s.Seq,
				Message: key.Seal([]byte(message), "model_steps.message", s.Run, s.Seq), Model: text(s.Model),
				InputTokens: int64(s.InputTokens), OutputTokens: int64(s.OutputTokens),
				CachedTokens: int64(s.CachedTokens), Cost: s.Cost, At: micros(s.At),
			})
			if err == nil && rows == 0 {
				return stockhand.Errorf(stockhand.CodeConflict, "step %d of the run is already stored", s.Seq)
			}
			return err
		})
}

// ModelSteps returns a run's steps in order.
func (db *DB) ModelSteps(ctx context.Context, org stockhand.OrgID, of stockhand.RunID) ([]stockhand.ModelStep, error) {
	rows, err := db.read.ModelSteps(ctx, sqlc.ModelStepsParams{OrgID: string(org), RunID: string(of)})
	return openMany(ctx, db, "model's steps", rows, err,
		func(o *datakey.Opener, row sqlc.ModelStep) stockhand.ModelStep {
			return stockhand.ModelStep{
				Run: stockhand.RunID(row.RunID), Seq: row.Seq, Model: row.Model,
				Message:     o.Open(row.OrgID, row.Message, "model_steps.message", row.RunID, row.Seq),
				InputTokens: int(row.InputTokens), OutputTokens: int(row.OutputTokens),
				CachedTokens: int(row.CachedTokens), Cost: row.Cost, At: moment(row.At),
			}
		})
}
