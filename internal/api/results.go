package api

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"github.com/stockhand/stockhand"
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
	if spreadsheet.MediaTypes[f] == "" || f == spreadsheet.SVG {
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

// getResult returns a complete result as JSON, CSV or XLSX, a part of it as CSV or XLSX, a page of its rows as JSON, or
// a chart of it as SVG. A result never changes, so its ETag is derived from its ID and what is asked of it.
func (s *Server) getResult(w http.ResponseWriter, r *http.Request) error {
	ctx := r.Context()
	asked, err := resultWanted(r)
	if err != nil {
		return err
	}
	f, l := asked.form, asked.language
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
	tag := fmt.Sprintf(`W/"%s-%s%s-%d-%d"`, kept.ID, f, l, asked.limit, asked.from)
	if asked.part != nil || asked.picture != nil {
		tag = fmt.Sprintf(`W/"%s-%s-%x"`, kept.ID, l, sha256.Sum256([]byte(r.URL.RawQuery)))
	}
	h.Set("ETag", tag)
	if notModified(r, tag) {
		w.WriteHeader(http.StatusNotModified)
		return nil
	}
	if f == spreadsheet.JSON {
		return s.writeRows(ctx, w, kept, asked.limit, asked.from)
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
	of := table.Provenance.Period
	if asked.part != nil {
		parts := table.Split()
		if *asked.part >= len(parts) {
			return stockhand.Errorf(stockhand.CodeNotFound, "the result has no part %d", *asked.part)
		}
		table = parts[*asked.part]
	}
	if asked.picture != nil {
		return writePicture(ctx, w, table, *asked.picture, of, cmp.Or(l, spreadsheet.LanguageOf(table.Title)), made)
	}
	return spreadsheet.Write(w, f, cmp.Or(l, spreadsheet.LanguageOf(table.Title)), table.Title, made, table)
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
