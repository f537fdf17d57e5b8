package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/stockhand/stockhand/internal/api"
	"github.com/stockhand/stockhand/internal/app"
	"github.com/stockhand/stockhand/internal/sandbox"
	"github.com/stockhand/stockhand/internal/sandbox/company"
)

const diskRuns = 200 // enough to know what 1,000 take

// measureDisk prints how much disk 1,000 runs take on SQLite: the database and its write-ahead log, which stopping the
// service empties into the database.
func measureDisk(ctx context.Context) error {
	fmt.Printf("\nDisk of 1,000 runs on SQLite, each in a session of its own, from %d\n%-44s %10s %12s %12s\n",
		diskRuns, "",
		"seconds",
		"MB", "bytes a run")
	for _, kind := range []struct {
		name, path string
		body       map[string]any
	}{
		{"a question, with a result of a few rows", "/sessions/stream?wait=60",
			map[string]any{"message": "сколько денег на счетах?"}},
		{"a tool call, with a result of 400 rows", "/tools/moysklad_stock/execute?wait=60", map[string]any{}},
	} {
		took, size, err := diskOf(ctx, kind.path, kind.body)
		if err != nil {
			return fmt.Errorf("%s: %w", kind.name, err)
		}
		fmt.Printf("%-44s %10.1f %12.1f %12d\n", kind.name, took.Seconds(), float64(size)/1e6*1000/diskRuns,
			size/diskRuns)
	}
	return nil
}

// diskOf returns how long a new service takes for the runs, and how many bytes they add to its folder.
func diskOf(ctx context.Context, path string, body map[string]any) (took time.Duration, size int64, err error) {
	folder, err := os.MkdirTemp("", "stockhand-bench-")
	if err != nil {
		return 0, 0, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	shop := sandbox.New(sandbox.Options{Company: company.Options{Seed: 1, Products: 400, Days: 90}, Accounts: 1,
		NoLimits: true})
	host, err := sandbox.Listen(ctx, "127.0.0.1:0", shop)
	if err != nil {
		return 0, 0, err
	}
	off := api.Rate{PerSecond: -1}
	config := app.Config{Database: filepath.Join(folder, "bench.db"), SecretKey: strings.Repeat("be", 32),
		Servers: map[string]string{sandbox.Connector: host + sandbox.APIPath}, Addr: "127.0.0.1:0", Rate: off,
		FailureRate: off, Limiter: unlimited{}}
	key := ""
	var sizes []int64 // of the folder, without and with the runs
	for _, runs := range []int{0, diskRuns} {
		i, err := app.Open(ctx, config)
		if err != nil {
			return 0, 0, err
		}
		if key == "" {
			key, err = newTenant(ctx, i, shop.Accounts()[0].Tokens.Owner)
		}
		began := time.Now()
		if err == nil {
			err = fair{urls: []string{i.URL + api.Base}}.many(ctx, runs, key, path, body)
		}
		took = time.Since(began)
		bytes, sizeErr := int64(0), i.Close(context.WithoutCancel(ctx))
		if sizeErr == nil {
			bytes, sizeErr = folderSize(folder)
		}
		if err := errors.Join(err, sizeErr); err != nil {
			return 0, 0, err
		}
		sizes = append(sizes, bytes)
	}
	return took, sizes[1] - sizes[0], nil
}

// many sends a request so many times, a few at once.
func (f fair) many(ctx context.Context, times int, key, path string, body any) error {
	const atOnce = 4
	errs := make([]error, atOnce)
	var all sync.WaitGroup
	for n := range atOnce {
		all.Go(func() {
			for i := n; i < times && errs[n] == nil; i += atOnce {
				_, errs[n] = f.post(ctx, i, key, path, body)
			}
		})
	}
	all.Wait()
	return errors.Join(errs...)
}

func folderSize(folder string) (size int64, err error) {
	err = fs.WalkDir(os.DirFS(folder), ".", func(_ string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err == nil {
			size += info.Size()
		}
		return err
	})
	return size, err
}
