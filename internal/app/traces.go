package app

import (
	"context"
	"log/slog"
	"net/http"
	"net/url"
	"strings"

	"go.opentelemetry.io/contrib/instrumentation/net/http/otelhttp"
	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/sdk/resource"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"

	"github.com/stockhand/stockhand/internal/limit"
)

// TracesWanted reads the standard variables of OpenTelemetry: traces are sent where an OTLP endpoint is named, and
// nowhere otherwise. The exporter reads the rest of them itself; what it would replace by a default of its own is
// refused here.
func TracesWanted(getenv func(string) string) (bool, error) {
	if strings.EqualFold(getenv("OTEL_SDK_DISABLED"), "true") || getenv("OTEL_TRACES_EXPORTER") == "none" {
		return false, nil
	}
	wanted := getenv("OTEL_TRACES_EXPORTER") == "otlp"
	for _, name := range []string{"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT"} {
		v := getenv(name)
		if v == "" {
			continue
		}
		wanted = true
		if u, err := url.Parse(v); err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https") {
			return false, badValue(name, "the address of a collector of traces, as in http://127.0.0.1:4318")
		}
	}
	// the first of them that is set counts
	for _, name := range []string{"OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", "OTEL_EXPORTER_OTLP_PROTOCOL"} {
		if v := getenv(name); v != "" && wanted {
			if v != "http/protobuf" {
				return false, badValue(name,
					"http/protobuf: traces are sent over HTTP, for which most collectors listen on port 4318")
			}
			break
		}
	}
	return wanted, nil
}

// tracing sends one trace per run: the request to the API that started it, the run, its tool and model calls, and the
// requests to external systems. A nil tracing sends nothing. Spans hold methods, routes, paths and statuses; never
// headers, queries or bodies.
type tracing struct {
	provider *sdktrace.TracerProvider
	tracer   trace.Tracer
}

func newTracing(ctx context.Context, log *slog.Logger) (*tracing, error) {
	otel.SetErrorHandler(otel.ErrorHandlerFunc(func(err error) { log.Warn("traces", "err", err) }))
	exporter, err := otlptracehttp.New(ctx)
	if err != nil {
		return nil, err
	}
	// The environment's own attributes come last, so that OTEL_SERVICE_NAME wins.
	about, err := resource.New(ctx, resource.WithAttributes(attribute.String("service.name", "stockhand"),
		attribute.String("service.version", Version())), resource.WithFromEnv())
	if err != nil {
		return nil, err
	}
	p := sdktrace.NewTracerProvider(sdktrace.WithBatcher(exporter), sdktrace.WithResource(about))
	return &tracing{provider: p, tracer: p.Tracer("stockhand")}, nil
}

// handler makes a span of each request, in the trace that the caller names.
func (t *tracing) handler(next http.Handler) http.Handler {
	if t == nil {
		return next
	}
	return otelhttp.NewHandler(next, "", otelhttp.WithTracerProvider(t.provider),
		otelhttp.WithPropagators(propagation.TraceContext{}),
		otelhttp.WithSpanNameFormatter(func(_ string, r *http.Request) string { return r.Method }),
		otelhttp.WithFilter(func(r *http.Request) bool {
			return strings.HasPrefix(r.URL.Path, "/api/") || strings.HasPrefix(r.URL.Path, "/v1/") ||
				strings.HasPrefix(r.URL.Path, "/mcp")
		}))
}

// spans makes those of runs; nil for none.
func (t *tracing) spans() trace.Tracer {
	if t == nil {
		return nil
	}
	return t.tracer
}

// limiter makes a span of each request to an external system, from being let go to the answer's first byte.
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
