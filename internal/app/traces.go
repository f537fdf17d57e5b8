package app

import (
	"context"
	"log/slog"
	"net/http"
	"strings"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/sdk/resource"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/limit"
	"github.com/stockhand/stockhand/internal/otlp"
)

// ReadTraces returns the client of the trace collector that the standard OpenTelemetry variables describe, or nil if
// traces are not wanted.
func ReadTraces(getenv func(string) string) (*otlp.Client, error) {
	if !otlp.Wanted(getenv) {
		return nil, nil
	}
	c, err := otlp.New(getenv)
	if err != nil {
		return nil, stockhand.Errorf(stockhand.CodeValidation, "cannot send traces: %w",
			err).WithHint("correct the variable, or set OTEL_SDK_DISABLED=true")
	}
	return c, nil
}

// tracing sends one trace per run: the API request that started it, the run, its tool and model calls, and the requests
// to external systems. A nil tracing sends nothing. Spans contain methods, routes, paths and statuses, and never
// headers, queries or bodies.
type tracing struct {
	provider *sdktrace.TracerProvider
	tracer   trace.Tracer
}

func newTracing(ctx context.Context, client *otlp.Client, log *slog.Logger) (*tracing, error) {
	otel.SetErrorHandler(otel.ErrorHandlerFunc(func(err error) { log.Warn("traces", "err", err) }))
	exporter, err := otlptrace.New(ctx, client)
	if err != nil {
		return nil, err
	}
	// The environment's attributes come last, so that OTEL_SERVICE_NAME takes precedence.
	about, err := resource.New(ctx, resource.WithAttributes(attribute.String("service.name", "stockhand"),
		attribute.String("service.version", Version())), resource.WithFromEnv())
	if err != nil {
		return nil, err
	}
	p := sdktrace.NewTracerProvider(sdktrace.WithBatcher(exporter), sdktrace.WithResource(about))
	return &tracing{provider: p, tracer: p.Tracer("stockhand")}, nil
}

// handler creates a span for each request, within the caller's trace. internal/api adds the route and the status.
func (t *tracing) handler(next http.Handler) http.Handler {
	if t == nil {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasPrefix(r.URL.Path, "/api/") && !strings.HasPrefix(r.URL.Path, "/v1/") &&
			!strings.HasPrefix(r.URL.Path, "/mcp") {
			next.ServeHTTP(w, r)
			return
		}
		ctx := propagation.TraceContext{}.Extract(r.Context(), propagation.HeaderCarrier(r.Header))
		ctx, span := t.tracer.Start(ctx, r.Method, trace.WithSpanKind(trace.SpanKindServer), trace.WithAttributes(
			attribute.String("http.request.method", r.Method), attribute.String("url.path", r.URL.Path),
			attribute.String("server.address", r.Host), attribute.String("user_agent.original", r.UserAgent()),
			attribute.String("network.peer.address", r.RemoteAddr)))
		defer span.End()
		next.ServeHTTP(w, r.WithContext(ctx))
	})
}

// spans returns the tracer for runs, or nil.
func (t *tracing) spans() trace.Tracer {
	if t == nil {
		return nil
	}
	return t.tracer
}

// limiter creates a span for each request to an external system, from its permission to the first byte of the response.
func (t *tracing) limiter(l limit.Limiter) limit.Limiter {
	if t == nil {
		return l
	}
	return tracedLimiter{l, t.tracer}
}

func (t *tracing) close(ctx context.Context, log *slog.Logger) {
	if t == nil {
		return
	}
	if err := t.provider.Shutdown(ctx); err != nil {
		log.Warn("the last traces were not sent", "err", err)
	}
}

type tracedLimiter struct {
	limit.Limiter
	tracer trace.Tracer
}

func (l tracedLimiter) Acquire(ctx context.Context, r limit.Request) (func(limit.Feedback), error) {
	ctx, waiting := l.tracer.Start(ctx, "wait for the limits",
		trace.WithAttributes(attribute.Bool("stockhand.heavy", r.Heavy),
			attribute.Bool("stockhand.background", r.Background)))
	done, err := l.Limiter.Acquire(ctx, r)
	if err != nil {
		waiting.SetStatus(codes.Error, "gave up")
	}
	waiting.End()
	if err != nil {
		return nil, err
	}
	_, sent := l.tracer.Start(ctx, "external request", trace.WithSpanKind(trace.SpanKindClient),
		trace.WithAttributes(attribute.Bool("stockhand.heavy", r.Heavy)))
	return func(f limit.Feedback) {
		sent.End()
		done(f)
	}, nil
}
