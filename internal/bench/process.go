package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// idleTime is how long a fresh server idles before its memory is read.
const idleTime = 15 * time.Second

// measureProcess builds the program like `make build` and prints its size, the start-up time with an empty and an
// existing data folder, and what it uses when idle.
func measureProcess(ctx context.Context) (err error) {
	folder, err := os.MkdirTemp("", "stockhand-bench-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	program := filepath.Join(folder, "stockhand")
	//nolint:gosec // our own command
	build := exec.CommandContext(ctx, "go", "build", "-trimpath", "-ldflags", "-s -w", "-o", program, "./cmd/stockhand")
	build.Env, build.Stderr = append(os.Environ(), "CGO_ENABLED=0"), os.Stderr
	if err := build.Run(); err != nil {
		return fmt.Errorf("build the program: %w", err)
	}
	info, err := os.Stat(program)
	if err != nil {
		return err
	}
	first, _, err := serveIdle(ctx, program, folder, 0)
	if err != nil {
		return err
	}
	again, used, err := serveIdle(ctx, program, folder, idleTime)
	if err != nil {
		return err
	}
	fmt.Println("The program by itself: SQLite, embedded NATS, no account connected.")
	for _, row := range [][2]string{
		{"binary, stripped", fmt.Sprintf("%.1f MB", float64(info.Size())/1e6)},
		{"ready, empty data folder", fmt.Sprintf("%d ms", first.Milliseconds())},
		{"ready, existing data", fmt.Sprintf("%d ms", again.Milliseconds())},
		{"idle memory (RSS)", fmt.Sprintf("%.1f MB", float64(used.rss)/1e6)},
		{"  anonymous part", fmt.Sprintf("%.1f MB", float64(used.anonymous)/1e6)},
		{"idle CPU", fmt.Sprintf("%.2f %%", 100*used.cpu.Seconds()/(idleTime/2).Seconds())},
	} {
		fmt.Printf("  %-26s %12s\n", row[0], row[1])
	}
	fmt.Println()
	return nil
}

// idleUse is what an idle server uses; cpu covers the second half of the idle time.
type idleUse struct {
	rss, anonymous int64 // bytes
	cpu            time.Duration
}

// serveIdle starts a server, measures the time until it is ready, and what it uses when idle.
func serveIdle(ctx context.Context, program, folder string, rest time.Duration) (ready time.Duration, u idleUse,
	err error) {
	file := filepath.Join(folder, "ready.json")
	_ = os.Remove(file) // from the previous server
	args := []string{"serve", "--addr", "127.0.0.1:0", "--data-dir", folder, "--ready-file", file}
	cmd := exec.CommandContext(ctx, program, args...) //nolint:gosec // built above
	cmd.Env = []string{"HOME=" + folder, "TMPDIR=" + folder}
	began := time.Now()
	if err := cmd.Start(); err != nil {
		return 0, u, err
	}
	defer func() {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		err = errors.Join(err, cmd.Wait())
	}()
	for {
		if _, err := os.Stat(file); err == nil {
			ready = time.Since(began)
			break
		}
		if time.Since(began) > time.Minute {
			return 0, u, errors.New("the server is not ready after a minute")
		}
		time.Sleep(2 * time.Millisecond)
	}
	time.Sleep(rest / 2)
	before := processTime(cmd.Process.Pid)
	time.Sleep(rest / 2)
	u.cpu = processTime(cmd.Process.Pid) - before
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", cmd.Process.Pid))
	if err != nil {
		return ready, u, nil //nolint:nilerr // only available on Linux
	}
	u.rss, u.anonymous = kilobytes(string(status), "VmRSS:"), kilobytes(string(status), "RssAnon:")
	return ready, u, nil
}

// kilobytes returns a value of /proc/<pid>/status in bytes.
func kilobytes(status, name string) int64 {
	_, rest, _ := strings.Cut(status, name)
	fields := strings.Fields(rest)
	if len(fields) == 0 {
		return 0
	}
	n, _ := strconv.ParseInt(fields[0], 10, 64) // 0 if it is not a number
	return n << 10
}

// processTime returns the CPU time that a process has used, or 0 if /proc is not available.
func processTime(pid int) time.Duration {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(stat), ") ")
	fields := strings.Fields(rest)
	if len(fields) < 13 {
		return 0
	}
	user, _ := strconv.Atoi(fields[11])
	system, _ := strconv.Atoi(fields[12])
	return time.Duration(user+system) * 10 * time.Millisecond // clock ticks
}
