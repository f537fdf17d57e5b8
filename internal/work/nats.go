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
)

// natsConn is the connection to NATS: a JetStream work queue for runs, and two plain subjects that every replica hears.
type natsConn struct {
	nc     *nats.Conn
	js     jetstream.JetStream
	logger *slog.Logger
	server *server.Server // inside this process; nil for a cluster

	name            string
	events, cancels string // subjects

	mu       sync.Mutex
	consumer jetstream.Consumer // nil until it is known to exist
	waiting  context.CancelFunc // ends the present request for work, so that a new one is made
}

// How long things may take.
const (
	dialTime    = 5 * time.Second
	publishTime = 2 * time.Second
	fetchTime   = 5 * time.Second        // one request for work; then another is made
	pause       = 250 * time.Millisecond // after a request that failed
)

// nothing is the message of a replica that was cut off: the others may have missed something.
var nothing = []byte("[]")

func dial(ctx context.Context, c Config, e *Engine) (_ *natsConn, err error) {
	l := &natsConn{logger: e.logger, name: c.Name}
	if l.name == "" {
		l.name = "stockhand"
	}
	l.events, l.cancels = l.name+".events", l.name+".cancels"
	defer func() {
		if err != nil {
			l.close()
		}
	}()
	options := []nats.Option{
		nats.Name("stockhand"), nats.NoEcho(), nats.Timeout(dialTime),
		nats.MaxReconnects(-1), nats.ReconnectWait(pause), nats.ReconnectJitter(pause, pause),
		nats.PingInterval(5 * time.Second), nats.MaxPingsOutstanding(2),
		nats.ReconnectBufSize(-1), // nothing is said late: who comes back looks into the record
		nats.DisconnectErrHandler(func(_ *nats.Conn, err error) {
			if err != nil {
				l.logger.Warn("the connection to NATS is lost", "err", err)
			}
		}),
		nats.ReconnectHandler(func(nc *nats.Conn) {
			l.logger.Info("the connection to NATS is back", "server", nc.ConnectedUrlRedacted())
			l.again()
			e.miss()
			l.broadcast(l.events, nothing) // the others have missed what was sent here meanwhile
		}),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) {
			l.logger.Warn("NATS", "err", err)
			e.miss() // mostly: more came than could be heard
		}),
	}
	at := c.URL
	if at == "" {
		if err := l.serve(); err != nil {
			return nil, err
		}
		options = append(options, nats.InProcessServer(l.server))
	}
	if l.nc, err = nats.Connect(at, options...); err != nil {
		return nil, unreachable(err)
	}
	if l.js, err = jetstream.New(l.nc); err != nil {
		return nil, fmt.Errorf("work engine: %w", err)
	}
	_, err = l.nc.Subscribe(l.events, func(m *nats.Msg) {
		var events []stockhand.Event
		// of a newer version, perhaps, or of one who was away
		if json.Unmarshal(m.Data, &events) != nil || len(events) == 0 {
			e.miss()
			return
		}
		e.hub.tell(events)
	})
	if err != nil {
		return nil, fmt.Errorf("work engine: %w", err)
	}
	if _, err = l.nc.Subscribe(l.cancels, func(m *nats.Msg) { e.cancelHere(stockhand.RunID(m.Data)) }); err != nil {
		return nil, fmt.Errorf("work engine: %w", err)
	}
	if _, err = l.workers(ctx); err != nil {
		return nil, stockhand.Errorf(stockhand.CodeInternal, "the NATS server does not keep the queue of work: %w",
			err).
			WithHint("start it with JetStream (nats-server -js), and let this user make streams")
	}
	return l, nil
}

// unreachable says why there is no connection, without the URL: it may hold a password.
func unreachable(err error) error {
	if own, ok := errors.AsType[*url.Error](err); ok {
		err = own.Err
	}
	return stockhand.Errorf(stockhand.CodeInternal, "the NATS server cannot be reached: %w", err).
		WithHint("check that it runs and that STOCKHAND_NATS_URL names it, as in nats://user:password@host:4222")
}

// serve starts a server inside this process. It listens nowhere and keeps everything in memory; the folder that it
// wants stays empty, and is not left behind by a process that is killed, because it is removed as soon as the server
// runs.
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
	if !l.server.ReadyForConnections(dialTime) {
		return stockhand.Errorf(stockhand.CodeInternal, "the work engine did not start within %s", dialTime)
	}
	return nil
}

func (l *natsConn) close() {
	if l.nc != nil {
		_ = l.nc.FlushTimeout(time.Second) // what was said last is still sent, if anybody is there
		l.nc.Close()
	}
	if l.server != nil {
		l.server.Shutdown()
		l.server.WaitForShutdown()
	}
}

// workers returns the consumer that all replicas take their work from, and makes it where it is not: the memory of a
// server that was restarted is empty.
func (l *natsConn) workers(ctx context.Context) (jetstream.Consumer, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.consumer != nil {
		return l.consumer, nil
	}
	ctx, stop := context.WithTimeout(ctx, dialTime)
	defer stop()
	stream, err := l.js.CreateOrUpdateStream(ctx, jetstream.StreamConfig{
		Name: strings.ToUpper(l.name), Description: "runs to work on; the database is the record",
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

// again has the queue looked for once more.
func (l *natsConn) again() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.consumer = nil
	if l.waiting != nil {
		l.waiting()
	}
}

func (l *natsConn) subject(run stockhand.RunID) string { return l.name + ".work." + string(run) }

// publish puts a run into the queue. The stream keeps one message for each run, until its worker is done with it:
// another is refused, and that is as good.
func (l *natsConn) publish(ctx context.Context, r stockhand.Run) error {
	ctx, stop := context.WithTimeout(ctx, publishTime)
	defer stop()
	if _, err := l.workers(ctx); err != nil {
		return err
	}
	_, err := l.js.Publish(ctx, l.subject(r.ID), []byte(r.Org), jetstream.WithExpectLastSequencePerSubject(0),
		jetstream.WithRetryAttempts(0))
	if api, ok := errors.AsType[*jetstream.APIError](err); ok &&
		(api.ErrorCode == jetstream.JSErrCodeStreamWrongLastSequence ||
			api.ErrorCode == jetstream.JSErrCodeStreamWrongLastSequenceConstant) {
		return nil
	}
	if err != nil {
		l.again()
	}
	return err
}

// next asks for a run once; nil when there is none for now.
func (l *natsConn) next(ctx context.Context) *Delivery {
	consumer, err := l.workers(ctx)
	if err == nil {
		var o *Delivery
		if o, err = l.fetch(ctx, consumer); o != nil || err == nil {
			return o
		}
		l.again()
	}
	if ctx.Err() == nil {
		l.logger.Debug("ask for work", "err", err)
	}
	select {
	case <-ctx.Done():
	case <-time.After(pause):
	}
	return nil
}

func (l *natsConn) fetch(ctx context.Context, consumer jetstream.Consumer) (*Delivery, error) {
	ctx, stop := context.WithTimeout(ctx, fetchTime)
	defer stop()
	l.mu.Lock()
	l.waiting = stop
	l.mu.Unlock()
	m, err := consumer.Next(jetstream.FetchContext(ctx))
	switch {
	case m != nil:
		return &Delivery{Org: stockhand.OrgID(m.Data()), Run: stockhand.RunID(m.Subject()[len(l.subject("")):]),
			ack: message{m}}, nil
	case ctx.Err() != nil, errors.Is(err, nats.ErrTimeout), errors.Is(err, context.Canceled),
		errors.Is(err, context.DeadlineExceeded):
		return nil, nil
	}
	return nil, err
}

// broadcast sends a message to the other replicas. It is lost while the connection is; a replica that comes back looks
// into the record.
func (l *natsConn) broadcast(subject string, data []byte) {
	if err := l.nc.Publish(subject, data); err != nil {
		l.logger.Debug("tell the other replicas", "err", err)
	}
}

// message is an offer's message in the stream.
type message struct{ jetstream.Msg }

func (m message) done(ctx context.Context) error {
	ctx, stop := context.WithTimeout(ctx, publishTime)
	defer stop()
	return m.DoubleAck(ctx)
}

func (m message) later(after time.Duration) error {
	if after <= 0 {
		return m.Nak()
	}
	return m.NakWithDelay(after)
}

func (m message) alive() error { return m.InProgress() }

// serverLog gives the words of a server inside this process to our log.
type serverLog struct{ *slog.Logger }

func (s serverLog) Noticef(format string, v ...any) { s.Debug("NATS: " + fmt.Sprintf(format, v...)) }
func (s serverLog) Warnf(format string, v ...any)   { s.Warn("NATS: " + fmt.Sprintf(format, v...)) }
func (s serverLog) Fatalf(format string, v ...any)  { s.Error("NATS: " + fmt.Sprintf(format, v...)) }
func (s serverLog) Errorf(format string, v ...any)  { s.Error("NATS: " + fmt.Sprintf(format, v...)) }
func (s serverLog) Debugf(string, ...any)           {}
func (s serverLog) Tracef(string, ...any)           {}
