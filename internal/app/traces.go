package app

import (
	"context"
	"log/slog"
	"net/http"
	"net/url"
	"strings"

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

// TracesWanted reads the standard OpenTelemetry variables: traces are sent if an OTLP endpoint is set. The exporter
// reads the other variables itself; values that it would silently replace by a default are rejected here.
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
			return false, badValue(name, "the address of a trace collector, for example http://127.0.0.1:4318")
		}
	}
	// the first one that is set applies
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

// tracing sends one trace per run: the API request that started it, the run, its tool and model calls, and the requests
// to external systems. A nil tracing sends nothing. Spans contain methods, routes, paths and statuses, and never
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
