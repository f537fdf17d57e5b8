package api

import (
	"cmp"
	"context"
	"encoding/base64"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/api/openapi"
	"github.com/stockhand/stockhand/internal/api/spreadsheet"
	"github.com/stockhand/stockhand/internal/api/wire"
	"github.com/stockhand/stockhand/internal/tool"
)

// wanted returns the requested format and language of a table: from ?format= and ?language=, or else from Accept and
// Accept-Language. The language is empty if the request has neither: then it is the table's.
func wanted(r *http.Request) (spreadsheet.Form, stockhand.Language, error) {
	query := r.URL.Query()
	f := spreadsheet.Form(query.Get("format"))
	if f == "" {
		f = spreadsheet.Accepted(r.Header.Get("Accept"))
	}
	if spreadsheet.MediaTypes[f] == "" {
		return "", "", invalid("format", "must be one of json, csv, xlsx")
	}
	l := stockhand.Language(query.Get("language"))
	switch {
	case l == "" && r.Header.Get("Accept-Language") != "":
		l = stockhand.PreferredLanguage(r.Header.Get("Accept-Language"))
	case l != "" && l != stockhand.Russian && l != stockhand.English:
		return "", "", invalid("language", "must be one of ru, en")
	}
	return f, l, nil
}

// getResult returns a complete result as JSON, CSV or XLSX, or a page of its rows as JSON. A result never changes, so
// its ETag is derived from its ID and format.
func (s *Server) getResult(w http.ResponseWriter, r *http.Request) error {
	ctx := r.Context()
	f, l, err := wanted(r)
	if err != nil {
		return err
	}
	limit, from, err := rowsWanted(r, f)
	if err != nil {
		return err
	}
	org := stockhand.ActorOf(ctx).Org
	kept, err := s.Store.Result(ctx, org, stockhand.ResultID(r.PathValue("result_id")))
	if err != nil {
		return err
	}
	run, err := s.Store.Run(ctx, org, kept.Run)
	if err != nil {
		return err
	}
	if err := s.maySee(ctx, run.By); err != nil {
		return err
	}
	if kept.Expired {
		return stockhand.ErrResultExpired
	}
	h := w.Header()
	h.Add("Vary", "Accept, Accept-Language, Authorization")
	// caches must revalidate it, because the caller may lose access
	h.Set("Cache-Control", "private, no-cache")
	tag := fmt.Sprintf(`W/"%s-%s%s-%d-%d"`, kept.ID, f, l, limit, from)
	h.Set("ETag", tag)
	if notModified(r, tag) {
		w.WriteHeader(http.StatusNotModified)
		return nil
	}
	if f == spreadsheet.JSON {
		return s.writeRows(ctx, w, kept, limit, from)
	}
	table, err := tool.ReadTable(kept, s.Store.ResultRows(ctx, org, kept.ID, 0, kept.Rows))
	if err != nil {
		return err
	}
	var codes []string
	for _, n := range table.Notices {
		codes = append(codes, string(n.Code))
	}
	if len(codes) > 0 { // CSV cannot contain notices
		h.Set("X-Notices", strings.Join(codes, ", "))
	}
	made := kept.Created.In(table.Provenance.Zone.Location())
	return spreadsheet.Write(w, f, cmp.Or(l, spreadsheet.LanguageOf(table.Title)), table.Title, made, table)
}

// rowsWanted returns the requested rows of a result: all if limit is 0.
func rowsWanted(r *http.Request, f spreadsheet.Form) (limit, from int, err error) {
	query := r.URL.Query()
	given, cursor := query.Get("limit"), query.Get("cursor")
	if given == "" && cursor == "" {
		return 0, 0, nil
	}
	if f != spreadsheet.JSON {
		return 0, 0, invalid("limit", "applies to JSON only; CSV and XLSX contain the whole result")
	}
	const usual = "200"
	if limit, err = strconv.Atoi(cmp.Or(given, usual)); err != nil || limit < 1 || limit > openapi.MostRows {
		return 0, 0, invalid("limit", "must be a whole number from 1 to "+strconv.Itoa(openapi.MostRows))
	}
	if len(cursor) > openapi.MostCursor {
		return 0, 0, invalid("cursor", "is not a cursor of this list")
	}
	position, err := Page{Cursor: cursor}.after()
	if err == nil && position != "" {
		if from, err = strconv.Atoi(position); err != nil || from < 0 {
			err = invalid("cursor", "is not a cursor of this list")
		}
	}
	return limit, from, err
}

// writeRows writes a result with up to limit of its rows from a position on; all if limit is 0. It reads and writes one
// page at a time.
func (s *Server) writeRows(ctx context.Context, w http.ResponseWriter, kept stockhand.StoredResult,
	limit, from int) error {
	head := wire.ResultHead{ID: kept.ID, CreatedAt: kept.Created.UTC(), RowCount: kept.Rows}
	from, to := min(from, kept.Rows), kept.Rows
	if limit > 0 {
		to = min(from+limit, kept.Rows)
	}
	if to < kept.Rows {
		next := base64.RawURLEncoding.EncodeToString([]byte(strconv.Itoa(to)))
		head.NextCursor = &next
	}
	w.Header().Set("Content-Type", spreadsheet.MediaTypes[spreadsheet.JSON])
	return tool.WriteStored(w, head, kept, s.Store.ResultRows(ctx, kept.Org, kept.ID, from, to))
}
