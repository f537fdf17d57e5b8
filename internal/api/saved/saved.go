// Package saved has the handlers of the reports that organizations keep.
package saved

import (
	"context"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/api/wire"
	"github.com/stockhand/stockhand/internal/reports"
)

// Handlers handle requests about single reports; package api lists them, in pages.
type Handlers struct{ Service *reports.Service }

// Path is the path of a report.
type Path struct {
	ID stockhand.ReportID `path:"report_id"`
}

// Answer is a response with a report.
type Answer struct{ Body wire.Report }

func answer(r reports.Report, err error) (*Answer, error) {
	if err != nil {
		return nil, err
	}
	return &Answer{wire.ReportOf(r)}, nil
}

// Create saves a report.
func (h Handlers) Create(ctx context.Context, in *struct{ Body wire.ReportFields }) (*Answer, error) {
	return answer(h.Service.Save(ctx, stockhand.ActorOf(ctx), in.Body.Definition(), !in.Body.Fixed))
}

// Get returns a report.
func (h Handlers) Get(ctx context.Context, in *Path) (*Answer, error) {
	return answer(h.Service.Get(ctx, stockhand.ActorOf(ctx), in.ID))
}

// Update changes the title of a report.
func (h Handlers) Update(ctx context.Context, in *struct {
	Path
	Body wire.ReportChange
}) (*Answer, error) {
	return answer(h.Service.Rename(ctx, stockhand.ActorOf(ctx), in.ID, in.Body.Title))
}

// Delete deletes a report.
func (h Handlers) Delete(ctx context.Context, in *Path) (*struct{}, error) {
	return nil, h.Service.Delete(ctx, stockhand.ActorOf(ctx), in.ID)
}
