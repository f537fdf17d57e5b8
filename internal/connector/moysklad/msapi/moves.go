package msapi

import (
	"context"
	"iter"
	"net/url"
	"time"
)

// Move is a transfer between two stores (Перемещение), without its lines.
type Move struct {
	ID           ID     `json:"id"`
	Moment       Moment `json:"moment"`
	Applicable   bool   `json:"applicable"`
	Organization Ref    `json:"organization"`
	Source       Ref    `json:"sourceStore"`
	Target       Ref    `json:"targetStore"`
}

func (m Move) key() Key { return m.ID.Key() }

// Moves lists the transfers since a time. Filter their stores on the rows: sourceStore and targetStore are not
// filterable (fact M22).
func (r *Reader) Moves(ctx context.Context, since time.Time) iter.Seq2[Move, error] {
	return list[Move](ctx, r, listing{
		path: "entity/move", params: url.Values{}, order: "id",
		filter: Filter{}.Where("moment", GreaterEq, FormatMoment(since)),
	})
}
