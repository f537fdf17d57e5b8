package analyze

import (
	"cmp"
	"context"
	"iter"
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/connector/moysklad/analyze/doctype"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
)

// listed lists documents, from what is kept where that is possible. An employee who sees only part of them gets another
// part when the role changes, which no document shows. Additional fields are not kept, because the name of a value may
// change without the document.
func (c *call) listed(ctx context.Context, t doctype.Type, q msapi.OrderQuery) iter.Seq2[msapi.Order, error] {
	list := func(ctx context.Context, q msapi.OrderQuery) iter.Seq2[msapi.Order, error] {
		return t.List(c.Reader, ctx, q)
	}
	ownField := slices.ContainsFunc(c.fields, func(field string) bool {
		owner, _, _ := fieldOf(field)
		return owner == t.Name
	})
	if ownField || !c.Rights.Whole(t.Name) {
		return list(ctx, q)
	}
	return c.Facts().Documents(ctx, t.Name, q, list)
}

// inOrder sorts lines by document, so that answers do not depend on which documents were kept.
func inOrder(lines []line) {
	slices.SortStableFunc(lines, func(x, y line) int {
		return cmp.Or(strings.Compare(x.of.Name, y.of.Name),
			strings.Compare(string(x.document.ID), string(y.document.ID)))
	})
}
