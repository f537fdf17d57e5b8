package work

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/secret"
)

// natsConn is the connection to NATS: a JetStream work queue for runs, and subjects that every replica subscribes
// to.
type natsConn struct {
	nc     *nats.Conn
	js     jetstream.JetStream
	logger *slog.Logger
	server *server.Server // the embedded server; nil for a cluster

	ring    *secret.Ring // seals the messages between replicas
	foreign sync.Once    // warns of messages that it does not open

	name            string
	events, cancels string // subjects
	counts          string

	mu       sync.Mutex
	consumer jetstream.Consumer // nil until it is known to exist
	fetching context.CancelFunc // aborts the current fetch, so that a new one starts
}

// Timeouts.
const (
	dialTimeout    = 5 * time.Second
	publishTimeout = 2 * time.Second
	fetchTimeout   = 5 * time.Second        // of one fetch; then another starts
	fetchSize      = 16                     // runs of one fetch: small, so that the replicas share a queue
	retryPause     = 250 * time.Millisecond // after a failed fetch or connection attempt
)

// noEvents is the message of a replica that was disconnected: the others may have missed something.
var noEvents = []byte("[]")

func dial(ctx context.Context, c Config, e *Engine) (_ *natsConn, err error) {
	l := &natsConn{logger: e.logger, name: c.Name, ring: c.Ring}
	if c.URL != "" && c.Ring == nil {
		return nil, errors.New("work engine: no key for messages between replicas")
	}
	if l.name == "" {
		l.name = "stockhand"
	}
	l.events, l.cancels, l.counts = l.name+".events", l.name+".cancels", l.name+".counts"
	defer func() {
		if err != nil {
			l.close()
		}
	}()
	options := []nats.Option{
		nats.Name("stockhand"), nats.NoEcho(), nats.Timeout(dialTimeout),
		nats.MaxReconnects(-1), nats.ReconnectWait(retryPause), nats.ReconnectJitter(retryPause, retryPause),
		nats.PingInterval(5 * time.Second), nats.MaxPingsOutstanding(2),
		nats.ReconnectBufSize(-1), // no late messages: a replica that reconnects reads the database
		nats.DisconnectErrHandler(func(_ *nats.Conn, err error) {
			if err != nil {
				l.logger.Warn("the connection to NATS is lost", "err", err)
			}
		}),
		nats.ReconnectHandler(func(nc *nats.Conn) {
			l.logger.Info("the connection to NATS is back", "server", nc.ConnectedUrlRedacted())
			l.reset()
			e.miss()
			if l.server == nil {
				l.broadcast(l.events, noEvents) // the others missed what was sent here in the meantime
			}
		}),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) {
			l.logger.Warn("NATS", "err", err)
			e.miss() // usually a slow consumer
		}),
	}
	if c.URL == "" {
		if err := l.serve(); err != nil {
			return nil, err
		}
		options = append(options, nats.InProcessServer(l.server))
	}
	if l.nc, err = nats.Connect(c.URL, options...); err != nil {
		return nil, unreachable(err)
	}
	if l.js, err = jetstream.New(l.nc); err != nil {
		return nil, fmt.Errorf("work engine: %w", err)
	}
	err = errors.Join(
		l.subscribe(l.events, func(data []byte) {
			var events []stockhand.Event
			// from a newer version, or from a replica that was disconnected
			if json.Unmarshal(data, &events) != nil || len(events) == 0 {
				e.miss()
				return
			}
			e.hub.dispatch(events)
		}),
		l.subscribe(l.cancels, func(data []byte) { e.cancelHere(stockhand.RunID(data)) }),
		l.subscribe(l.counts, e.hear))
	if err != nil {
		return nil, fmt.Errorf("work engine: %w", err)
	}
	if _, err = l.workers(ctx); err != nil {
		return nil, stockhand.Errorf(stockhand.CodeInternal, "the NATS server refused to create the work queue: %w",
			err).
			WithHint("start it with JetStream (nats-server -js) and allow this user to create streams")
	}
	return l, nil
}

// unreachable wraps a connection error without the URL, which may hold a password.
func unreachable(err error) error {
	if own, ok := errors.AsType[*url.Error](err); ok {
		err = own.Err
	}
	return stockhand.Errorf(stockhand.CodeInternal, "the NATS server cannot be reached: %w", err).
		WithHint("check that it runs and that STOCKHAND_NATS_URL names it, as in nats://user:password@host:4222")
}

// serve starts the embedded server. It does not listen on the network and stores everything in memory. It requires a
// folder, which stays empty and is removed as soon as the server runs, so that a killed process leaves none behind.
func (l *natsConn) serve() (err error) {
	folder, err := os.MkdirTemp("", "stockhand-work-")
	if err != nil {
		return fmt.Errorf("work engine: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	l.server, err = server.NewServer(&server.Options{
		ServerName: "stockhand", DontListen: true, NoSigs: true, NoLog: true, NoSystemAccount: true,
		JetStream: true, JetStreamMaxMemory: 256 << 20, JetStreamMaxStore: 1 << 20, StoreDir: folder,
	})
	if err != nil {
		return fmt.Errorf("work engine: %w", err)
	}
	l.server.SetLoggerV2(serverLog{l.logger}, false, false, false)
	l.server.Start()
	if !l.server.ReadyForConnections(dialTimeout) {
		return stockhand.Errorf(stockhand.CodeInternal, "the work engine did not start within %s", dialTimeout)
	}
	return nil
}

func (l *natsConn) close() {
	if l.nc != nil {
		_ = l.nc.FlushTimeout(time.Second) // best effort: send the last messages
		l.nc.Close()
	}
	if l.server != nil {
		l.server.Shutdown()
		l.server.WaitForShutdown()
	}
}

// workers returns the consumer that the replicas share. It creates the stream and the consumer if they do not exist: a
// restarted server has lost them.
func (l *natsConn) workers(ctx context.Context) (jetstream.Consumer, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.consumer != nil {
		return l.consumer, nil
	}
	ctx, stop := context.WithTimeout(ctx, dialTimeout)
	defer stop()
	stream, err := l.js.CreateOrUpdateStream(ctx, jetstream.StreamConfig{
		Name: strings.ToUpper(l.name), Description: "runs to work on; the database is the source of truth",
		Subjects: []string{l.subject("*")}, Retention: jetstream.WorkQueuePolicy, Storage: jetstream.MemoryStorage,
	})
	if err != nil {
		return nil, err
	}
	l.consumer, err = stream.CreateOrUpdateConsumer(ctx, jetstream.ConsumerConfig{
		Durable: "workers", AckPolicy: jetstream.AckExplicitPolicy, AckWait: AckWait, MaxDeliver: -1,
		MaxAckPending: -1,
	})
	return l.consumer, err
}

// reset forgets the consumer and aborts the current fetch, so that the next one looks the queue up again.
func (l *natsConn) reset() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.consumer = nil
	if l.fetching != nil {
		l.fetching()
	}
}

func (l *natsConn) subject(run stockhand.RunID) string { return l.name + ".work." + string(run) }

// publish queues a run. The stream holds one message per run until its worker acknowledges it. A second one is
// rejected, which is not an error: the run is already queued.
func (l *natsConn) publish(ctx context.Context, r stockhand.Run) error {
	ctx, stop := context.WithTimeout(ctx, publishTimeout)
	defer stop()
	if _, err := l.workers(ctx); err != nil {
		return err
	}
	data, err := json.Marshal(shareOf(r))
	if err != nil {
		return err
	}
	_, err = l.js.Publish(ctx, l.subject(r.ID), data, jetstream.WithExpectLastSequencePerSubject(0),
		jetstream.WithRetryAttempts(0))
	if api, ok := errors.AsType[*jetstream.APIError](err); ok &&
		(api.ErrorCode == jetstream.JSErrCodeStreamWrongLastSequence ||
			api.ErrorCode == jetstream.JSErrCodeStreamWrongLastSequenceConstant) {
		return nil
	}
	if err != nil {
		l.reset()
	}
	return err
}

// fetchAll passes on queued runs until ctx is done.
func (l *natsConn) fetchAll(ctx context.Context, receive func(*Delivery)) {
	for ctx.Err() == nil {
		consumer, err := l.workers(ctx)
		if err == nil {
			if err = l.fetch(ctx, consumer, receive); err == nil {
				continue
			}
			l.reset()
		}
		if ctx.Err() == nil {
			l.logger.Debug("fetch runs", "err", err)
		}
		select {
		case <-ctx.Done():
		case <-time.After(retryPause):
		}
	}
}

// fetch passes on the runs that arrive within fetchTimeout, or fetchSize of them.
func (l *natsConn) fetch(ctx context.Context, consumer jetstream.Consumer, receive func(*Delivery)) error {
	ctx, stop := context.WithTimeout(ctx, fetchTimeout)
	defer stop()
	l.mu.Lock()
	l.fetching = stop
	l.mu.Unlock()
	batch, err := consumer.Fetch(fetchSize, jetstream.FetchContext(ctx))
	if err != nil {
		return err
	}
	for m := range batch.Messages() {
		d := &Delivery{Run: stockhand.RunID(m.Subject()[len(l.subject("")):]), ack: natsAck{m}}
		if err := json.Unmarshal(m.Data(), &d.share); err != nil {
			l.logger.Warn("a queued run cannot be read; the sweeper queues it again", "run", d.Run, "err", err)
			if err := m.Term(); err != nil {
				return err
			}
			continue
		}
		d.Org = d.share.Org
		receive(d)
	}
	if err := batch.Error(); ctx.Err() == nil && !errors.Is(err, nats.ErrTimeout) {
		return err
	}
	return nil
}

// broadcast sends a sealed message to the other replicas. It is lost while NATS is unreachable; a replica that
// reconnects reads the database.
func (l *natsConn) broadcast(subject string, data []byte) {
	sealed, err := l.ring.SealMessage(subject, data)
	if err == nil {
		err = l.nc.Publish(subject, sealed)
	}
	if err != nil {
		l.logger.Debug("notify the other replicas", "err", err)
	}
}

// subscribe receives what other replicas broadcast. It ignores what none of them can have sent.
func (l *natsConn) subscribe(subject string, receive func(data []byte)) error {
	if l.server != nil {
		return nil // there are no other replicas
	}
	_, err := l.nc.Subscribe(subject, func(m *nats.Msg) {
		data, err := l.ring.OpenMessage(subject, m.Data)
		if err != nil {
			l.foreign.Do(func() {
				l.logger.Warn("NATS carries messages that no replica with this secret key sent; they are ignored",
					"subject", subject, "err", err)
			})
			return
		}
		receive(data)
	})
	return err
}

// natsAck acknowledges a message of the stream.
type natsAck struct{ jetstream.Msg }

func (a natsAck) done(ctx context.Context) error {
	ctx, stop := context.WithTimeout(ctx, publishTimeout)
	defer stop()
	return a.DoubleAck(ctx)
}

func (a natsAck) retry(after time.Duration) error {
	if after <= 0 {
		return a.Nak()
	}
	return a.NakWithDelay(after)
}

func (a natsAck) extend() error { return a.InProgress() }

// serverLog writes the embedded server's log to ours.
type serverLog struct{ *slog.Logger }

func (s serverLog) Noticef(format string, v ...any) { s.Debug("NATS: " + fmt.Sprintf(format, v...)) }
func (s serverLog) Warnf(format string, v ...any)   { s.Warn("NATS: " + fmt.Sprintf(format, v...)) }
func (s serverLog) Fatalf(format string, v ...any)  { s.Error("NATS: " + fmt.Sprintf(format, v...)) }
func (s serverLog) Errorf(format string, v ...any)  { s.Error("NATS: " + fmt.Sprintf(format, v...)) }
func (s serverLog) Debugf(string, ...any)           {}
func (s serverLog) Tracef(string, ...any)           {}
