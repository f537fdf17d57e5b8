package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/api"
	"github.com/stockhand/stockhand/internal/api/ratelimit"
	"github.com/stockhand/stockhand/internal/app"
	"github.com/stockhand/stockhand/internal/sandbox"
	"github.com/stockhand/stockhand/internal/sandbox/company"
)

const (
	openStreams = 10_000 // event streams open at once
	streamed    = 100    // runs that they follow, each as many
)

// served is what the process that serves the streams prints first.
type served struct {
	URL, Token string
	Connection stockhand.ConnectionID
}

// used is the memory of a process in bytes.
type used struct {
	Heap, Stacks, Resident uint64
	Goroutines             int
}

// serveStreams runs the whole program until standard input ends and answers each line of input with the memory in use.
// Its sandbox stops answering once the account is connected, so that runs never end by themselves.
func serveStreams(ctx context.Context, _ []string) error {
	stand := sandbox.New(sandbox.Options{Company: company.Options{Seed: 1, Products: 40, Days: 30}, Accounts: 1,
		NoLimits: true})
	host, err := sandbox.Listen(ctx, "127.0.0.1:0", stand)
	if err != nil {
		return err
	}
	unlimited := api.Rate{PerSecond: -1}
	i, err := app.Open(ctx, app.Config{
		SecretKey: strings.Repeat("be", 32), Servers: map[string]string{sandbox.Connector: host + sandbox.APIPath},
		Addr: "127.0.0.1:0", Rate: unlimited, Streams: ratelimit.Share{OfActor: math.MaxInt32, OfOrg: math.MaxInt32},
		FailureRate: unlimited,
	})
	if err != nil {
		return err
	}
	c, err := i.Connections.Connect(ctx, i.Org, "moysklad", stand.Accounts()[0].Tokens.Owner, "", "")
	if err != nil {
		return err
	}
	if err := stand.Fail(sandbox.Fault{Path: ".", Count: 1_000_000,
		DelayMS: int(time.Hour.Milliseconds())}); err != nil {
		return err
	}
	token, err := i.OwnerToken(ctx)
	if err != nil {
		return err
	}
	out := json.NewEncoder(os.Stdout)
	if err := out.Encode(served{URL: i.URL, Token: token, Connection: c.ID}); err != nil {
		return err
	}
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		err := out.Encode(used{Heap: m.HeapAlloc, Stacks: m.StackInuse, Resident: resident(),
			Goroutines: runtime.NumGoroutine()})
		if err != nil {
			return err
		}
	}
	return nil
}

// resident returns the resident memory of this process.
func resident() uint64 {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(status)) {
		if rest, ok := strings.CutPrefix(line, "VmRSS:"); ok {
			kib, _ := strconv.ParseUint(strings.Fields(rest)[0], 10, 64)
			return kib << 10
		}
	}
	return 0
}

// measureStreams opens event streams over HTTP on loopback from one process to the service in another. It prints the
// memory per stream, and how long it takes until every stream is notified that its run has ended.
func measureStreams(ctx context.Context, n int) (err error) {
	if most := descriptors() - 200; n > most {
		fmt.Printf("\nThe system allows a process %d open files: %d streams instead of %d (ulimit "+
			"-n)\n", most+200, most,
			n)
		n = most
	}
	s, err := startStreams(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.stop()) }()
	turns := make([]string, streamed)
	for i := range turns {
		if turns[i], err = s.begin(ctx); err != nil {
			return err
		}
	}
	before, err := s.memory()
	if err != nil {
		return err
	}
	began := time.Now()
	readers := make([]*bufio.Reader, n)
	for i := range readers {
		if readers[i], err = s.open(ctx, turns[i%len(turns)]+"/stream"); err != nil {
			return fmt.Errorf("stream %d: %w", i, err)
		}
	}
	opened := time.Since(began)
	after, err := s.memory()
	if err != nil {
		return err
	}
	per := func(a, b uint64) float64 { return float64(int64(b)-int64(a)) / 1024 / float64(n) }
	fmt.Printf("\n%d open event streams of %d runs, over HTTP from another process\n", n, len(turns))
	fmt.Printf("%-44s %10.1f KiB (%.1f heap, %.1f stacks; %.1f resident)\n", "memory of one, in the service",
		per(before.Heap+before.Stacks, after.Heap+after.Stacks),
		per(before.Heap, after.Heap), per(before.Stacks, after.Stacks), per(before.Resident, after.Resident))
	fmt.Printf("%-44s %10.1f\n", "goroutines of one", float64(after.Goroutines-before.Goroutines)/float64(n))
	fmt.Printf("%-44s %10.0f a second, one after another\n", "opened", float64(n)/opened.Seconds())

	began = time.Now()
	var ended sync.WaitGroup
	var whole atomic.Int64
	for _, r := range readers {
		ended.Go(func() {
			rest, err := io.ReadAll(r)
			if err == nil && bytes.Contains(rest, []byte(`"type":"cancelled"`)) {
				whole.Add(1)
			}
		})
	}
	for _, turn := range turns {
		if err := s.do(ctx, http.MethodPost, turn+"/cancel", nil, nil); err != nil {
			return err
		}
	}
	ended.Wait()
	took := time.Since(began)
	fmt.Printf("%-44s %10d of %d, %.1f seconds after the first of %d cancellations\n", "notified of the end and closed",
		whole.Load(), n, took.Seconds(), len(turns))
	return nil
}

// descriptors raises the limit of open files to its maximum and returns it. Child processes inherit it.
func descriptors() int {
	var l syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_NOFILE, &l) != nil {
		return 1024
	}
	l.Cur = l.Max
	_ = syscall.Setrlimit(syscall.RLIMIT_NOFILE, &l) // keeps the current limit if it fails
	_ = syscall.Getrlimit(syscall.RLIMIT_NOFILE, &l)
	return int(min(l.Cur, 1<<20))
}

// service is the process that serves.
type service struct {
	served
	cmd  *exec.Cmd
	in   io.WriteCloser
	out  *json.Decoder
	host string
}

func startStreams(ctx context.Context) (*service, error) {
	cmd, err := self(ctx, "streams")
	if err != nil {
		return nil, err
	}
	s := &service{cmd: cmd}
	if s.in, err = cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	s.out = json.NewDecoder(out)
	if err := s.out.Decode(&s.served); err != nil {
		return nil, errors.Join(fmt.Errorf("start the service: %w", err), s.stop())
	}
	at, err := url.Parse(s.URL)
	if err != nil {
		return nil, errors.Join(err, s.stop())
	}
	s.host = at.Host
	return s, nil
}

func (s *service) stop() error {
	_ = s.in.Close()
	return s.cmd.Wait()
}

func (s *service) memory() (u used, err error) {
	if _, err := io.WriteString(s.in, "\n"); err != nil {
		return u, err
	}
	return u, s.out.Decode(&u)
}

// do calls the API.
func (s *service) do(ctx context.Context, method, path string, body, into any) error {
	raw, err := json.Marshal(body)
	if err != nil {
		return err
	}
	if body == nil {
		raw = nil
	}
	r, err := http.NewRequestWithContext(ctx, method, s.URL+api.Base+path, bytes.NewReader(raw))
	if err != nil {
		return err
	}
	r.Header.Set("Authorization", "Bearer "+s.Token)
	r.Header.Set("Content-Type", "application/json")
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return err
	}
	defer func() { _ = answer.Body.Close() }()
	if answer.StatusCode >= http.StatusMultipleChoices {
		said, _ := io.ReadAll(answer.Body)
		return fmt.Errorf("%s %s: %d %s", method, path, answer.StatusCode, said)
	}
	if into == nil {
		return nil
	}
	return json.NewDecoder(answer.Body).Decode(into)
}

// begin starts a task that never finishes and returns the path of its message.
func (s *service) begin(ctx context.Context) (string, error) {
	var turn struct {
		Session string `json:"session_id"`
		Message string `json:"message_id"`
	}
	err := s.do(ctx, http.MethodPost, "/sessions/stream",
		map[string]any{"message": "что заканчивается на складах?", "connection_id": s.Connection}, &turn)
	return "/sessions/" + turn.Session + "/messages/" + turn.Message, err
}

// open opens a stream over a separate connection and reads its first event. It uses a small buffer instead of an HTTP
// client, because ten thousand clients would distort the measured memory.
func (s *service) open(ctx context.Context, path string) (*bufio.Reader, error) {
	conn, err := new(net.Dialer).DialContext(ctx, "tcp", s.host)
	if err != nil {
		return nil, err
	}
	_, err = fmt.Fprintf(conn, "GET %s%s HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\nAccept: "+
		"text/event-stream\r\nConnection: close\r\n\r\n", api.Base, path, s.host, s.Token)
	if err != nil {
		return nil, err
	}
	r := bufio.NewReaderSize(conn, 512)
	for {
		line, err := r.ReadString('\n')
		if err != nil {
			return nil, err
		}
		if strings.HasPrefix(line, "HTTP/") && !strings.Contains(line, " 200 ") {
			return nil, fmt.Errorf("the response is %s", strings.TrimSpace(line))
		}
		if strings.HasPrefix(line, "data: ") {
			return r, nil
		}
	}
}
