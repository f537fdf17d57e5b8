package agent

import (
	"context"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"
)

// traceParent returns the trace context of ctx to store with a run, so that the run's spans continue the trace of the
// request on any replica. It is empty without tracing.
func traceParent(ctx context.Context) string {
	carrier := propagation.MapCarrier{}
	propagation.TraceContext{}.Inject(ctx, carrier)
	return carrier["traceparent"]
}

// traced starts the run's span. [span] starts spans below it.
func (t *turn) traced(ctx context.Context) (context.Context, trace.Span) {
	ctx = propagation.TraceContext{}.Extract(ctx, propagation.MapCarrier{"traceparent": t.start.Trace})
	return t.tracer.Start(ctx, "run", trace.WithAttributes(attribute.String("stockhand.run", string(t.run.ID))))
}

// span starts a span below the one in ctx, if there is one. The returned function ends it.
func span(ctx context.Context, name string) (context.Context, func(failure error)) {
	ctx, s := trace.SpanFromContext(ctx).TracerProvider().Tracer("stockhand").Start(ctx, name)
	return ctx, func(failure error) {
		if failure != nil {
			s.SetStatus(codes.Error, "failed") // the error itself may quote the account's data
		}
		s.End()
	}
}
