package app

import (
	"context"
	"net/http"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/limit"
	"github.com/stockhand/stockhand/internal/store"
	"github.com/stockhand/stockhand/internal/work"
)

// metrics are the metrics of one replica for /metrics. No label contains an organization, an account or a user:
// /metrics needs no token, and the number of series must not grow with the number of customers.
type metrics struct {
	registry  *prometheus.Registry
	requests  *prometheus.HistogramVec
	external  *prometheus.CounterVec
	waits     *prometheus.HistogramVec
	inFlight  prometheus.Gauge
	runs      *prometheus.CounterVec
	documents *prometheus.CounterVec
	models    *prometheus.CounterVec
	streams   prometheus.Gauge
	auditLag  *prometheus.GaugeVec
	removed   *prometheus.CounterVec
	cleaned   prometheus.Gauge
}

func newMetrics() *metrics {
	m := &metrics{
		registry: prometheus.NewRegistry(),
		requests: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name:    "stockhand_http_request_duration_seconds",
			Help:    "Requests answered, by route and status; event streams count when they end.",
			Buckets: []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30, 60},
		}, []string{"route", "status"}),
		external: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "stockhand_external_requests_total",
			Help: "Requests let go to the external system, by weight (light, or heavy: a stock report).",
		}, []string{"weight"}),
		waits: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "stockhand_external_wait_seconds", Help: "How long requests waited for the account's limits.",
			Buckets: []float64{.001, .01, .05, .1, .25, .5, 1, 2, 5, 10, 30, 60, 300},
		}, []string{"weight"}),
		inFlight: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "stockhand_external_requests_in_flight",
			Help: "Requests sent to the external system and not answered yet.",
		}),
		runs: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "stockhand_runs_finished_total", Help: "Runs finished here, by how they ended.",
		}, []string{"state"}),
		documents: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "stockhand_draft_documents_total",
			Help: "Moves of drafts' documents recorded here, by the state they moved to.",
		}, []string{"state"}),
		models: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "stockhand_model_requests_total",
			Help: "Requests passed through to providers of models, by provider and status.",
		}, []string{"provider", "status"}),
		streams: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "stockhand_event_streams_open", Help: "Streams of events that are open.",
		}),
		auditLag: prometheus.NewGaugeVec(prometheus.GaugeOpts{
			Name: "stockhand_audit_stream_lag_entries", Help: "Audit entries not streamed yet, where this replica streams.",
		}, []string{"sink"}),
		removed: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "stockhand_housekeeping_removed_total",
			Help: "What this replica removed after its retention time: sessions, results that lost their rows, and bytes.",
		}, []string{"what"}),
		cleaned: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "stockhand_housekeeping_finished_timestamp_seconds",
			Help: "When this replica last finished housekeeping; 0 if another one does it.",
		}),
	}
	build := prometheus.NewGauge(prometheus.GaugeOpts{
		Name: "stockhand_build_info", Help: "Always 1; the labels say what runs.",
		ConstLabels: prometheus.Labels{"version": Version(), "go": runtime.Version()},
	})
	build.Set(1)
	m.registry.MustRegister(
		m.requests, m.external, m.waits, m.inFlight, m.runs, m.documents, m.models, m.streams, m.auditLag, m.removed,
		m.cleaned, build,
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
	)
	for _, s := range []stockhand.RunState{stockhand.RunDone, stockhand.RunFailed, stockhand.RunCancelled} {
		m.runs.WithLabelValues(string(s)) // alerts need the series to exist
	}
	for _, s := range []stockhand.DocumentState{stockhand.DocumentApplied, stockhand.DocumentFailed,
		stockhand.DocumentUnknown} {
		m.documents.WithLabelValues(string(s))
	}
	return m
}

// countRemoved counts what housekeeping removed here.
func (m *metrics) countRemoved(r stockhand.Removed) {
	m.removed.WithLabelValues("sessions").Add(float64(r.Sessions))
	m.removed.WithLabelValues("results").Add(float64(r.Results))
	m.removed.WithLabelValues("bytes").Add(float64(r.Bytes))
	m.removed.WithLabelValues("audit_entries").Add(float64(r.Entries))
}

// housekept records that housekeeping finished here.
func (m *metrics) housekept(at time.Time) { m.cleaned.Set(float64(at.Unix())) }

// watch registers the metrics that are read on each scrape.
func (m *metrics) watch(db *store.DB, engine *work.Engine) {
	m.registry.MustRegister(
		waitingRuns{db.System()},
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{
			Name: "stockhand_work_engine_up", Help: "1 while the work engine can be reached.",
		}, func() float64 {
			if engine.Ready() {
				return 1
			}
			return 0
		}),
		loadHere{engine},
	)
}

// handler serves the metrics.
func (m *metrics) handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{ErrorHandling: promhttp.ContinueOnError})
}

// observe records a request to the API.
func (m *metrics) observe(route string, status int, took time.Duration) {
	if route == "" {
		route = "unmatched"
	}
	m.requests.WithLabelValues(route, strconv.Itoa(status)).Observe(took.Seconds())
}

// countStreams counts open event streams.
func (m *metrics) countStreams(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet && strings.HasSuffix(r.URL.Path, "/stream") {
			m.streams.Inc()
			defer m.streams.Dec()
		}
		next.ServeHTTP(w, r)
	})
}

// unfinishedRuns counts queued and running runs over all replicas.
type waitingRuns struct{ system store.System }

var unfinishedRuns = prometheus.NewDesc("stockhand_runs", "Runs that are not finished, over all replicas, by state.",
	[]string{"state"}, nil)

func (waitingRuns) Describe(c chan<- *prometheus.Desc) { c <- unfinishedRuns }

func (u waitingRuns) Collect(c chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	counts, err := u.system.CountUnfinishedRuns(ctx)
	if err != nil {
		c <- prometheus.NewInvalidMetric(unfinishedRuns, err)
		return
	}
	for state, n := range counts {
		c <- prometheus.MustNewConstMetric(unfinishedRuns, prometheus.GaugeValue, float64(n), string(state))
	}
}

// loadHere collects the runs at this replica.
type loadHere struct{ engine *work.Engine }

var runsHere = prometheus.NewDesc("stockhand_runs_here", "Runs at this replica: queued ones wait to start, busy ones "+
	"have a worker, idle ones wait for an account's limits or for an external system.", []string{"phase"}, nil)

func (loadHere) Describe(c chan<- *prometheus.Desc) { c <- runsHere }

func (l loadHere) Collect(c chan<- prometheus.Metric) {
	queued, started, busy := l.engine.Load()
	for phase, n := range map[string]int{"queued": queued, "idle": started - busy, "busy": busy} {
		c <- prometheus.MustNewConstMetric(runsHere, prometheus.GaugeValue, float64(n), phase)
	}
}

// measuredLimiter counts permitted requests and how long they waited.
type measuredLimiter struct {
	limit.Limiter
	*metrics
}

func (l measuredLimiter) Acquire(ctx context.Context, r limit.Request) (func(limit.Feedback), error) {
	weight := "light"
	if r.Heavy {
		weight = "heavy"
	}
	began := time.Now()
	done, err := l.Limiter.Acquire(ctx, r)
	l.waits.WithLabelValues(weight).Observe(time.Since(began).Seconds())
	if err != nil {
		return nil, err
	}
	l.external.WithLabelValues(weight).Inc()
	l.inFlight.Inc()
	return func(f limit.Feedback) {
		l.inFlight.Dec()
		done(f)
	}, nil
}

// measuredStore counts how runs and documents end, when that is stored.
type measuredStore struct {
	*store.DB
	*metrics
}

// FinishRun implements agent.Store.
func (s measuredStore) FinishRun(ctx context.Context, org stockhand.OrgID, end stockhand.RunEnd) ([]stockhand.Event,
	error) {
	stored, err := s.DB.FinishRun(ctx, org, end)
	if err == nil {
		s.runs.WithLabelValues(string(end.State)).Inc()
	}
	return stored, err
}

// CancelRun implements agent.Store.
func (s measuredStore) CancelRun(ctx context.Context, org stockhand.OrgID, id stockhand.RunID,
	events ...stockhand.Event) ([]stockhand.Event, error) {
	stored, err := s.DB.CancelRun(ctx, org, id, events...)
	if err == nil {
		s.runs.WithLabelValues(string(stockhand.RunCancelled)).Inc()
	}
	return stored, err
}

// ChangeDraft implements draft.Store.
func (s measuredStore) ChangeDraft(ctx context.Context, org stockhand.OrgID, id stockhand.DraftID,
	c stockhand.DraftChange) error {
	err := s.DB.ChangeDraft(ctx, org, id, c)
	if err == nil {
		for _, move := range c.Moves {
			s.documents.WithLabelValues(string(move.To.State)).Inc()
		}
	}
	return err
}
