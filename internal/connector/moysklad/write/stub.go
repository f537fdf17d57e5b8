package write

import (
	"context"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/tool"
)

// Bodies returns the exact requests that writing the document sends.
func (w *Writer) Bodies(doc tool.Document) ([]tool.Body, error) { return nil, w.bad }

// Check reads again the employee's rights and what the documents rest on.
func (w *Writer) Check(ctx context.Context, l stockhand.Language, docs []tool.Document) ([]tool.Check, error) {
	return make([]tool.Check, len(docs)), w.bad
}

// Apply sends the documents. There is one outcome for each, in order.
func (w *Writer) Apply(ctx context.Context, docs []tool.Document) []tool.Outcome {
	return make([]tool.Outcome, len(docs))
}

// Find looks up what became of documents whose outcome is unknown.
func (w *Writer) Find(ctx context.Context, docs []tool.Document) ([]tool.Outcome, error) {
	return make([]tool.Outcome, len(docs)), w.bad
}
