package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/api"
	"github.com/stockhand/stockhand/internal/app"
	"github.com/stockhand/stockhand/internal/auth"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/store"
	"github.com/stockhand/stockhand/internal/tool"
)

const (
	readers    = 40
	readerRows = 20_000 // rows of the result: about 8 MB of JSON
)

// readable is what the process with the large result prints first: where it is read.
type readable struct {
	Result, Message, Key string
	Bytes                int // of the result's JSON
}

// serveReaders serves one large result until standard input ends.
func serveReaders(ctx context.Context, _ []string) error {
	folder, err := os.MkdirTemp("", "stockhand-bench-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(folder) }()
	unlimited := api.Rate{PerSecond: -1}
	i, err := app.Open(ctx, app.Config{Database: folder + "/bench.db", SecretKey: strings.Repeat("be", 32),
		Addr: "127.0.0.1:0", Rate: unlimited, FailureRate: unlimited})
	if err != nil {
		return err
	}
	defer func() { _ = i.Close(context.WithoutCancel(ctx)) }()
	_, key, err := i.Auth.CreateKey(ctx, auth.Operator(i.Org, "bench"),
		auth.NewKey{Name: "bench", Scopes: []stockhand.Scope{stockhand.ScopeReadData}})
	if err != nil {
		return err
	}
	db, err := store.Open(ctx, folder+"/bench.db", nil)
	if err != nil {
		return err
	}
	out := readable{Key: key}
	result, err := largeResult().Stored()
	if err != nil {
		return err
	}
	for _, p := range result.Pages {
		out.Bytes += len(p.Rows)
	}
	result.ID = stockhand.NewID[stockhand.ResultID]("res")
	run, err := answered(ctx, db, i.Org, result)
	if err := errors.Join(err, db.Close()); err != nil {
		return err
	}
	out.Result = i.URL + api.Base + "/results/" + string(result.ID)
	out.Message = i.URL + api.Base + "/sessions/" + string(run.Session) + "/messages/" + string(run.Message)
	if err := json.NewEncoder(os.Stdout).Encode(out); err != nil {
		return err
	}
	_, err = io.Copy(io.Discard, os.Stdin)
	return err
}

// largeResult is a table of eight columns with prices and quantities.
func largeResult() *tool.Result {
	r := &tool.Result{Tool: "moysklad_stock", Title: "Остатки товаров", Answer: "Всего 20 000 товаров.",
		Provenance: tool.Provenance{Read: time.Now()}, Columns: []tool.Column{
			{Name: "product", Label: "Товар", Unit: tool.UnitText},
			{Name: "article", Label: "Артикул", Unit: tool.UnitText},
			{Name: "store", Label: "Склад", Unit: tool.UnitText},
			{Name: "stock", Label: "Остаток", Unit: tool.UnitQuantity},
			{Name: "reserve", Label: "Резерв", Unit: tool.UnitQuantity},
			{Name: "cost", Label: "Себестоимость", Unit: tool.UnitMoney},
			{Name: "price", Label: "Цена", Unit: tool.UnitMoney}, {Name: "id", Label: "ID", Unit: tool.UnitText},
		}}
	for i := range readerRows {
		n := int64(i)
		r.Rows = append(r.Rows, tool.Row{
			tool.TextValue(fmt.Sprintf("Чай чёрный байховый крупнолистовой, упаковка %d г, партия %d", i%977, i)),
			tool.TextValue(fmt.Sprintf("ART-%06d", i*7919%1_000_000)),
			tool.TextValue("Основной склад на Школьной улице"),
			tool.Number(decimal.FromInt(n * 31 % 977)), tool.Number(decimal.FromInt(n % 13)),
			tool.Money(decimal.FromInt(n*17%9999), "RUB"), tool.Money(decimal.FromInt(n*29%9999), "RUB"),
			tool.TextValue(fmt.Sprintf("%08x-5d3a-11f0-0a80-%012x", i*104729, i*7907)),
		})
	}
	return r
}

// answered stores a finished turn with this result.
func answered(ctx context.Context, db *store.DB, org stockhand.OrgID, result stockhand.StoredResult) (stockhand.Run,
	error) {
	session, err := db.CreateSession(ctx, org, stockhand.Session{Kind: stockhand.SessionChat})
	if err != nil {
		return stockhand.Run{}, err
	}
	_, run, err := db.CreateRun(ctx, org, stockhand.Message{Session: session.ID, Text: "остатки"},
		stockhand.Event{Type: stockhand.EventStart})
	if err != nil {
		return run, err
	}
	if run, err = db.ClaimRun(ctx, org, run.ID, run.Generation); err != nil {
		return run, err
	}
	call := stockhand.ToolCall{Run: run.ID, Seq: 1, Tool: "moysklad_stock"}
	if _, err = db.BeginToolCall(ctx, org, run.Generation, call); err == nil {
		_, err = db.FinishToolCall(ctx, org, run.Generation, call, &result)
	}
	if err == nil {
		_, err = db.FinishRun(ctx, org, stockhand.RunEnd{Run: run.ID, Generation: run.Generation,
			State: stockhand.RunDone, Answer: &stockhand.Message{Text: "Всего 20 000 товаров."}})
	}
	return run, err
}

// measureReaders lets many clients read one large result at once in each format, each format from a new process, and
// prints the most memory that the service used.
func measureReaders(ctx context.Context) error {
	fmt.Printf("\n%d concurrent readers of a result of %d rows; goal: less than 400 MB\n%-34s %10s %10s %12s\n",
		readers,
		readerRows, "", "seconds", "peak MB", "MB answered")
	for _, kind := range []struct {
		name string
		at   func(readable) string
	}{
		{"no reader", nil},
		{"JSON, the whole result", func(r readable) string { return r.Result }},
		{"JSON, a page of 200 rows", func(r readable) string { return r.Result + "?limit=200" }},
		{"JSON, one row", func(r readable) string { return r.Result + "?limit=1" }},
		{"CSV", func(r readable) string { return r.Result + "?format=csv" }},
		{"XLSX", func(r readable) string { return r.Result + "?format=xlsx" }},
		{"the message", func(r readable) string { return r.Message }},
	} {
		if err := measureReading(ctx, kind.name, kind.at); err != nil {
			return err
		}
	}
	return nil
}

func measureReading(ctx context.Context, name string, at func(readable) string) (err error) {
	cmd, err := self(ctx, "readers")
	if err != nil {
		return err
	}
	in, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, in.Close(), cmd.Wait()) }()
	var r readable
	if err := json.NewDecoder(out).Decode(&r); err != nil {
		return fmt.Errorf("start the service: %w", err)
	}
	// forget the peak of storing the result
	_ = os.WriteFile(fmt.Sprintf("/proc/%d/clear_refs", cmd.Process.Pid), []byte("5"), 0o600)
	began := time.Now()
	var size int64
	if at != nil {
		if size, err = readAtOnce(ctx, at(r), r.Key); err != nil {
			return err
		}
	}
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", cmd.Process.Pid))
	fmt.Printf("%-34s %10.1f %10.0f %12.1f\n", name, time.Since(began).Seconds(),
		float64(kilobytes(string(status), "VmHWM:"))/1e6, float64(size)/1e6)
	return err
}

// readAtOnce reads an address by all readers at once, and returns the bytes of one answer.
func readAtOnce(ctx context.Context, url, key string) (size int64, err error) {
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: readers, DisableCompression: true}}
	defer client.CloseIdleConnections()
	sizes, errs := make([]int64, readers), make([]error, readers)
	var all sync.WaitGroup
	for n := range readers {
		all.Go(func() { sizes[n], errs[n] = fetch(ctx, client, url, key) })
	}
	all.Wait()
	return sizes[0], errors.Join(errs...)
}
