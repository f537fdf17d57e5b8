// Command bench measures the read tools on the sandbox: the requests each one uses against the fewest that could serve
// it, the wall time against the least that the limits allow for those requests, the peak memory of the process that
// runs it, and the same work with the limits off. The sandbox and each tool run in processes of their own, so that one
// does not count for the other.
//
// Its figures are printed, never asserted: times on a shared machine are noisy, and a benchmark is not a test.
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
	sizes := flag.String("products", "1000,10000,100000", "sizes of the shop to measure")
	only := flag.String("tools", "", "measure these tools alone (names separated by commas)")
	sent := flag.Bool("tokens", false, "measure only what a model is sent")
	followed := flag.Bool("followers", false, "measure only open followers of runs")
	streaming := flag.Bool("streams", false, "measure only open event streams over HTTP")
	asked := flag.Bool("requests", false, "measure only authenticated requests")
	listed := flag.Bool("lists", false, "measure only pages of long lists")
	passed := flag.Bool("pass", false, "measure only chats passed through to a model's provider")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	var err error
	switch *role {
	case "sandbox":
		err = serveSandbox(ctx, flag.Args())
	case "tool":
		err = runTool(ctx, flag.Args())
	case "streams":
		err = serveStreams(ctx, flag.Args())
	case "requests":
		err = serveRequests(ctx, flag.Args())
	case "pass":
		err = servePass(ctx, flag.Args())
	default:
		all := !*sent && !*followed && !*streaming && !*asked && !*listed && !*passed
		if all {
			err = measure(ctx, *sizes, *only)
		}
		if err == nil && (*sent || all && *only == "") {
			err = measureTokens(ctx, tokenProducts)
		}
		if err == nil && (*followed || all && *only == "") {
			err = measureFollowers(ctx, followers)
		}
		if err == nil && (*streaming || all && *only == "") {
			err = measureStreams(ctx, openStreams)
		}
		if err == nil && (*asked || all && *only == "") {
			err = measureRequests(ctx)
		}
		if err == nil && (*listed || all && *only == "") {
			err = measureLists(ctx, 1_000, 1_000_000)
		}
		if err == nil && (*passed || all && *only == "") {
			err = measurePass(ctx)
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// idle is how long an account must rest for every limit to be forgotten: the vendor's interval and a little.
const idle = 3200 * time.Millisecond

func measure(ctx context.Context, sizes, only string) error {
	fmt.Println("Each tool with its default arguments, by the account's owner, on an account that has rested; times in seconds.")
	fmt.Println("bound: the least time in which the limits let that many requests be sent. needed: the fewest requests that could serve it.")
	for _, size := range strings.Split(sizes, ",") {
		products, err := strconv.Atoi(size)
		if err != nil {
			return fmt.Errorf("-products: %w", err)
		}
		if err := measureSize(ctx, products, only); err != nil {
			return err
		}
	}
	return nil
}

func measureSize(ctx context.Context, products int, only string) error {
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
		if t.Proposes() || only != "" && !slices.Contains(strings.Split(only, ","), t.Name) {
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
		if bound > time.Second { // below that the answers' own time is what is measured
			ratio = fmt.Sprintf("%.2f", m.Seconds/bound.Seconds())
		}
		fmt.Printf("%-26s %8d %7d %7d %8.2f %8.2f %7s %9d %9.2f\n", strings.TrimPrefix(t.Name, "moysklad_"), m.Requests,
			m.Heavy, m.Needed, m.Seconds, bound.Seconds(), ratio, m.PeakMiB, off.Seconds)
	}
	return nil
}

// stand is a sandbox in a process of its own.
type stand struct {
	URL, Token string
	cmd        *exec.Cmd
	in         io.Closer
}

// stop ends the sandbox: it lives as long as its input is open.
func (s *stand) stop() {
	_ = s.in.Close()
	_ = s.cmd.Wait()
}

func startSandbox(ctx context.Context, products int, limits bool) (*stand, error) {
	cmd, err := self(ctx, "sandbox", strconv.Itoa(products), strconv.FormatBool(limits))
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

// call runs one tool in a process of its own.
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
	cmd := exec.CommandContext(ctx, path,
		append([]string{"-role", role}, args...)...) //nolint:gosec // it starts itself
	cmd.Stderr = os.Stderr
	return cmd, nil
}
