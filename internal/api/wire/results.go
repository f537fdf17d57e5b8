package wire

import (
	"time"

	"github.com/stockhand/stockhand"
)

// ResultHead precedes the fields of a result in JSON.
type ResultHead struct {
	ID         stockhand.ResultID `json:"id"`
	CreatedAt  time.Time          `json:"created_at"`
	NextCursor *string            `json:"next_cursor"`
	RowCount   int                `json:"row_count"`
}
