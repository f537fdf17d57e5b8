package main

import (
	"context"
	"database/sql"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/api"
	"github.com/stockhand/stockhand/internal/app"
	"github.com/stockhand/stockhand/internal/auth"
)

// seedSessions inserts an organization's sessions. The IDs sort by creation time.
const seedSessions = `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < $2)
INSERT INTO sessions (org_id, id, title, messages, created_at, updated_at, kind, agent_id, created_by)
SELECT $1, printf('ses_%026d', i), 'Session ' || i, 0, i, i, 'chat', '',
	CASE i % 10 WHEN 0 THEN $3 ELSE 'cli:other' END FROM n`

const pagesRead = 300 // of each kind

// measureLists prints how long a page of a list takes over HTTP, depending on the length of the list: the first page,
// one from the middle, and one for a caller who sees only their own sessions.
func measureLists(ctx context.Context, sizes ...int) error {
	fmt.Printf("\nA page of 50 sessions over HTTP on SQLite, median of %d requests, by the number of sessions.\n",
		pagesRead)
	fmt.Printf("%10s %10s %10s %10s\n", "sessions", "first", "middle", "own")
	for _, size := range sizes {
		took, err := measureList(ctx, size)
		if err != nil {
			return err
		}
		fmt.Printf("%10d %10s %10s %10s\n", size, took[0], took[1], took[2])
	}
	return nil
}

func measureList(ctx context.Context, size int) (took []time.Duration, err error) {
	folder, err := os.MkdirTemp("", "stockhand-bench-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	path := filepath.Join(folder, "lists.db")
	unlimited := api.Rate{PerSecond: -1}
	i, err := app.Open(ctx, app.Config{SecretKey: strings.Repeat("be", 32), Addr: "127.0.0.1:0", Database: path,
		Rate: unlimited, FailureRate: unlimited})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, i.Close(context.WithoutCancel(ctx))) }()
	_, all, err := i.Auth.CreateKey(ctx, auth.Operator(i.Org, "bench"),
		auth.NewKey{Name: "all", Scopes: []stockhand.Scope{stockhand.ScopeReadData}})
	if err != nil {
		return nil, err
	}
	mine, own, err := i.Auth.CreateKey(ctx, auth.Operator(i.Org, "bench"),
		auth.NewKey{Name: "own", Scopes: []stockhand.Scope{stockhand.ScopeWriteTools}})
	if err != nil {
		return nil, err
	}
	if err := seed(ctx, path, i.Org, "key:"+string(mine.ID), size); err != nil {
		return nil, err
	}
	// the cursor that the list itself would return
	middle := base64.RawURLEncoding.EncodeToString(fmt.Appendf(nil, "ses_%026d", size/2))
	for _, page := range []struct{ query, key string }{{"", all}, {"?cursor=" + middle, all}, {"", own}} {
		d, err := median(ctx, i.URL+api.Base+"/sessions"+page.query, page.key)
		if err != nil {
			return nil, err
		}
		took = append(took, d)
	}
	return took, nil
}

// seed inserts that many sessions, one in ten of them by the actor.
func seed(ctx context.Context, path string, org stockhand.OrgID, by string, size int) error {
	db, err := sql.Open("sqlite", "file:"+path+"?_pragma=busy_timeout(10000)")
	if err != nil {
		return err
	}
	_, err = db.ExecContext(ctx, seedSessions, string(org), size, by)
	return errors.Join(err, db.Close())
}

// median returns the median time of a request over one connection.
func median(ctx context.Context, url, key string) (time.Duration, error) {
	times := make([]time.Duration, 0, pagesRead)
	for range pagesRead {
		r, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
		if err != nil {
			return 0, err
		}
		r.Header.Set("Authorization", "Bearer "+key)
		began := time.Now()
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			return 0, err
		}
		page, err := io.ReadAll(answer.Body)
		_ = answer.Body.Close()
		if err != nil || answer.StatusCode != http.StatusOK || strings.Count(string(page), `"id":`) != 50 {
			return 0, fmt.Errorf("%s: %s, %d bytes, %w", url, answer.Status, len(page), err)
		}
		times = append(times, time.Since(began))
	}
	slices.Sort(times)
	return times[len(times)/2].Round(time.Microsecond), nil
}
