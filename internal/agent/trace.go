package agent

import (
	"context"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"
)

// traceParent names the span that ctx is in, to be stored with a run: any replica may work on it, and its spans
// continue the trace of the request that started it. It is empty when nothing is traced.
func traceParent(ctx context.Context) string {
	carrier := propagation.MapCarrier{}
	propagation.TraceContext{}.Inject(ctx, carrier)
	return carrier["traceparent"]
}

// traced begins the run's span. Spans below it are made by [span].
func (t *turn) traced(ctx context.Context) (context.Context, trace.Span) {
	ctx = propagation.TraceContext{}.Extract(ctx, propagation.MapCarrier{"traceparent": t.start.Trace})
	return t.tracer.Start(ctx, "run", trace.WithAttributes(attribute.String("stockhand.run", string(t.run.ID))))
}

// span begins a span below the one of ctx; without one it does nothing. The function returned ends it.
func span(ctx context.Context, name string) (context.Context, func(failure error)) {
	ctx, s := trace.SpanFromContext(ctx).TracerProvider().Tracer("stockhand").Start(ctx, name)
	return ctx, func(failure error) {
		if failure != nil {
			s.SetStatus(codes.Error, "failed") // the error itself may quote the account's data
		}
		s.End()
	}
}
