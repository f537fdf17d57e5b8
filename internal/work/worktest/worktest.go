// Package worktest gives tests a NATS server as replicas share one, which can be stopped and started again. It keeps
// nothing: what was queued is lost with it, as the work engine expects.
package worktest

import (
	"net"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"github.com/stockhand/stockhand/internal/secret"
)

// Ring returns the secret key that the replicas of a test share.
func Ring() *secret.Ring {
	ring, err := secret.Parse(strings.Repeat("5e", 32))
	if err != nil {
		panic(err)
	}
	return ring
}

// Server is a NATS server with JetStream, on a port of the loopback.
type Server struct {
	t       testing.TB
	options *server.Options
	server  *server.Server
}

// New starts a server that ends with the test.
func New(t testing.TB) *Server {
	t.Helper()
	s := &Server{t: t, options: &server.Options{
		ServerName: "test", Host: "127.0.0.1", Port: server.RANDOM_PORT, NoSigs: true, NoLog: true, JetStream: true,
		StoreDir: t.TempDir(),
	}}
	s.Start()
	if at, ok := s.server.Addr().(*net.TCPAddr); ok {
		s.options.Port = at.Port // the same after a restart
	}
	t.Cleanup(s.Stop)
	return s
}

// URL is where the server is, also after a restart.
func (s *Server) URL() string { return s.server.ClientURL() }

// Start starts a server that was stopped.
func (s *Server) Start() {
	s.t.Helper()
	started, err := server.NewServer(s.options)
	if err != nil {
		s.t.Fatal(err)
	}
	started.Start()
	if !started.ReadyForConnections(10 * time.Second) {
		s.t.Fatal("the NATS server does not start")
	}
	s.server = started
}

// Stop ends the server and all its connections.
func (s *Server) Stop() {
	s.server.Shutdown()
	s.server.WaitForShutdown()
}
