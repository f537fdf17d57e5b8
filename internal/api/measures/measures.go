// Package measures has the handlers of the measures that organizations define.
package measures

import (
	"context"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/api/wire"
	"github.com/stockhand/stockhand/internal/measure"
)

// Handlers handle requests about single measures; package api lists them, in pages.
type Handlers struct{ Service *measure.Service }

// Path is the path of a measure.
type Path struct {
	Org  stockhand.OrgID `path:"org_id"`
	Name string          `path:"measure" maxLength:"100" doc:"Its name, such as our_markup"`
}

// Answer is a response with a measure.
type Answer struct{ Body wire.OwnMeasure }

func answer(m measure.Measure, err error) (*Answer, error) {
	if err != nil {
		return nil, err
	}
	return &Answer{wire.OwnMeasureOf(m)}, nil
}

// Get returns a measure.
func (h Handlers) Get(ctx context.Context, in *Path) (*Answer, error) {
	return answer(h.Service.Get(ctx, in.Org, in.Name))
}

// Set stores a measure.
func (h Handlers) Set(ctx context.Context, in *struct {
	Path
	Body wire.MeasureFields
}) (*Answer, error) {
	return answer(h.Service.Put(ctx, stockhand.ActorOf(ctx), in.Body.Definition(in.Name)))
}

// Delete deletes a measure.
func (h Handlers) Delete(ctx context.Context, in *Path) (*Answer, error) {
	return answer(h.Service.Delete(ctx, stockhand.ActorOf(ctx), in.Name))
}
