// Command bench measures the program: its size, memory and start-up time; the cost of requests, of pass-through chats,
// of long lists and of open streams; and the tokens sent to a model. It also runs the read tools on the sandbox and
// compares the requests of each with the minimum that could serve it, and the wall time with the minimum that the
// limits allow for those requests; it measures the peak memory, and the same work without limits. Parts that are
// compared run in separate processes, so that they do not influence each other.
//
// It prints figures and asserts nothing: times on a shared machine are noisy, and a benchmark is not a test.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/stockhand/stockhand/internal/connector/moysklad"
)

func main() {
	role := flag.String("role", "", "internal: what a process started by the benchmark does")
	sizes := flag.String("products", "1000,10000,100000", "shop sizes to measure")
	tools := flag.String("tools", "", "measure only these tools (comma-separated names)")
	documents := flag.Int("documents", 0, "queries: at least so many documents of sale")
	only := flag.String("only", "", "measure only one section: "+sectionNames())
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, *role, *only, shape{*sizes, *documents, *tools}); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// shape is what the shops are like that are measured.
type shape struct {
	products  string // their sizes
	documents int    // of sale, at least
	tools     string // only these
}

// section is a group of figures.
type section struct {
	name    string
	measure func(ctx context.Context, of shape) error
}

// sections are measured in this order.
var sections = []section{
	{"process", func(ctx context.Context, _ shape) error { return measureProcess(ctx) }},
	{"requests", func(ctx context.Context, _ shape) error { return measureRequests(ctx) }},
	{"pass", func(ctx context.Context, _ shape) error { return measurePass(ctx) }},
	{"readers", func(ctx context.Context, _ shape) error { return measureReaders(ctx) }},
	{"disk", func(ctx context.Context, _ shape) error { return measureDisk(ctx) }},
	{"escaping", func(ctx context.Context, _ shape) error { return measureEscaping(ctx) }},
	{"compute", func(ctx context.Context, _ shape) error { return measureCompute(ctx) }},
	{"fair", func(ctx context.Context, _ shape) error { return measureFair(ctx) }},
	{"lists", func(ctx context.Context, _ shape) error { return measureLists(ctx, 1_000, 1_000_000) }},
	{"streams", func(ctx context.Context, _ shape) error { return measureStreams(ctx, openStreams) }},
	{"followers", func(ctx context.Context, _ shape) error { return measureFollowers(ctx, followers) }},
	{"tokens", func(ctx context.Context, _ shape) error { return measureTokens(ctx, tokenProducts) }},
	{"hostile", func(ctx context.Context, _ shape) error { return measureHostile(ctx) }},
	{"queries", func(ctx context.Context, of shape) error {
		return measureQueries(ctx, of.products, of.documents)
	}},
	{"tools", func(ctx context.Context, of shape) error { return measure(ctx, of.products, of.tools) }},
}

func sectionNames() string {
	names := make([]string, len(sections))
	for i, p := range sections {
		names[i] = p.name
	}
	return strings.Join(names, ", ")
}

// roles are the jobs of the processes that the benchmark starts.
var roles = map[string]func(ctx context.Context, args []string) error{
	"sandbox": serveSandbox, "tool": runTool, "streams": serveStreams, "requests": serveRequests, "pass": servePass,
	"readers": serveReaders, "hostile": runHostile,
}

func run(ctx context.Context, role, only string, of shape) error {
	if serve := roles[role]; serve != nil {
		return serve(ctx, flag.Args())
	}
	if of.tools != "" {
		only = "tools"
	}
	if only != "" && !slices.ContainsFunc(sections, func(p section) bool { return p.name == only }) {
		return fmt.Errorf("-only %s: must be one of %s", only, sectionNames())
	}
	for _, p := range sections {
		if only != "" && only != p.name {
			continue
		}
		if err := p.measure(ctx, of); err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
	}
	return nil
}

// idle is how long an account must rest until no limit counts earlier requests: slightly more than the vendor's
// interval.
const idle = 3200 * time.Millisecond

func measure(ctx context.Context, sizes, tools string) error {
	fmt.Println("Each tool with its default arguments, as the account's owner, on an idle account; " +
		"times in seconds.")
	fmt.Println("bound: the minimum time that the limits allow for that many requests. needed: the minimum number of " +
		"requests that could serve it.")
	for _, size := range strings.Split(sizes, ",") {
		products, err := strconv.Atoi(size)
		if err != nil {
			return fmt.Errorf("-products: %w", err)
		}
		if err := measureSize(ctx, products, tools); err != nil {
			return err
		}
	}
	return nil
}

func measureSize(ctx context.Context, products int, tools string) error {
	fmt.Printf("\n%d products\n%-26s %8s %7s %7s %8s %8s %7s %9s %9s\n", products, "tool", "requests", "stock",
		"needed", "seconds", "bound", "ratio", "peak MiB", "unlimited")
	limited, err := startSandbox(ctx, products, true)
	if err != nil {
		return err
	}
	defer limited.stop()
	free, err := startSandbox(ctx, products, false)
	if err != nil {
		return err
	}
	defer free.stop()
	for _, t := range moysklad.Kind.Tools {
		if t.Proposes() || tools != "" && !slices.Contains(strings.Split(tools, ","), t.Name) {
			continue
		}
		m, err := call(ctx, limited, t.Name, true)
		if err != nil {
			return err
		}
		off, err := call(ctx, free, t.Name, false)
		if err != nil {
			return err
		}
		bound := m.bound()
		ratio := "–"
		if bound > time.Second { // below that, the response times dominate
			ratio = fmt.Sprintf("%.2f", m.Seconds/bound.Seconds())
		}
		fmt.Printf("%-26s %8d %7d %7d %8.2f %8.2f %7s %9d %9.2f\n", strings.TrimPrefix(t.Name, "moysklad_"), m.Requests,
			m.Heavy, m.Needed, m.Seconds, bound.Seconds(), ratio, m.PeakMiB, off.Seconds)
	}
	return nil
}

// stand is a sandbox in a separate process.
type stand struct {
	URL, Token string
	cmd        *exec.Cmd
	in         io.Closer
}

// stop ends the sandbox, which exits when its input is closed.
func (s *stand) stop() {
	_ = s.in.Close()
	_ = s.cmd.Wait()
}

// usualDays is the history of a sandbox.
const usualDays = 180

func startSandbox(ctx context.Context, products int, limits bool) (*stand, error) {
	return startSandboxOf(ctx, products, usualDays, limits)
}

func startSandboxOf(ctx context.Context, products, days int, limits bool) (*stand, error) {
	cmd, err := self(ctx, "sandbox", strconv.Itoa(products), strconv.Itoa(days), strconv.FormatBool(limits))
	if err != nil {
		return nil, err
	}
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	s := &stand{cmd: cmd, in: in}
	line, err := bufio.NewReader(out).ReadBytes('\n')
	if err == nil {
		err = json.Unmarshal(line, s)
	}
	if err != nil {
		s.stop()
		return nil, fmt.Errorf("start the sandbox: %w", err)
	}
	return s, nil
}

// call runs one tool in a separate process.
func call(ctx context.Context, s *stand, tool string, limits bool) (m measurement, err error) {
	if limits {
		time.Sleep(idle)
	}
	cmd, err := self(ctx, "tool", tool, s.URL, s.Token, strconv.FormatBool(limits))
	if err != nil {
		return m, err
	}
	out, err := cmd.Output()
	if err != nil {
		return m, fmt.Errorf("%s: %w", tool, err)
	}
	return m, json.Unmarshal(out, &m)
}

// self prepares this program in another role.
func self(ctx context.Context, role string, args ...string) (*exec.Cmd, error) {
	path, err := os.Executable()
	if err != nil {
		return nil, err
	}
	args = append([]string{"-role", role}, args...)
	cmd := exec.CommandContext(ctx, path, args...) //nolint:gosec // it starts itself
	cmd.Stderr = os.Stderr
	return cmd, nil
}
