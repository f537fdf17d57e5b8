// Package spreadsheet writes tables as JSON, CSV and XLSX downloads, and names those of charts.
package spreadsheet

import (
	"cmp"
	"mime"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/export"
	"github.com/stockhand/stockhand/internal/tool"
)

// Form is a format of a table.
type Form string

const (
	JSON Form = "json"
	CSV  Form = "csv"
	XLSX Form = "xlsx"
	SVG  Form = "svg" // of charts
)

var MediaTypes = map[Form]string{
	JSON: "application/json",
	CSV:  "text/csv; charset=utf-8",
	XLSX: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
	SVG:  "image/svg+xml",
}

// Accepted returns the format that an Accept header prefers; JSON by default.
func Accepted(header string) Form {
	best, quality := JSON, 0.0
	for part := range strings.SplitSeq(header, ",") {
		media, params, err := mime.ParseMediaType(part)
		if err != nil {
			continue
		}
		q, err := strconv.ParseFloat(cmp.Or(params["q"], "1"), 64)
		for _, f := range []Form{JSON, CSV, XLSX} {
			if offered, _, _ := strings.Cut(MediaTypes[f], ";"); err == nil && media == offered && q > quality {
				best, quality = f, q
			}
		}
	}
	return best
}

// Write writes tables as a spreadsheet. The date of made, in its own zone, is part of the file name.
func Write(w http.ResponseWriter, f Form, l stockhand.Language, title string, made time.Time,
	tables ...tool.Table) error {
	Named(w.Header(), f, l, title, made)
	if f == CSV {
		return export.CSV(w, l, tables...)
	}
	return export.XLSX(w, l, tables...)
}

// Named sets the headers of a download.
func Named(h http.Header, f Form, l stockhand.Language, title string, made time.Time) {
	h.Set("Content-Type", MediaTypes[f])
	h.Set("Content-Language", string(l))
	h.Set("Content-Disposition", attachment(title, made, string(f)))
}

// attachment returns a Content-Disposition with a file name in ASCII and one in UTF-8.
func attachment(title string, made time.Time, extension string) string {
	day := made.Format(time.DateOnly)
	clean := strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) || strings.ContainsRune(`/\:*?"<>|;`, r) {
			return ' '
		}
		return r
	}, title)
	name := []rune(strings.Join(strings.Fields(clean), " "))
	if most := 100; len(name) > most {
		name = name[:most]
	}
	whole := strings.TrimLeft(strings.TrimSpace(string(name)), ".") + " " + day + "." + extension
	return `attachment; filename="stockhand-` + day + "." + extension + `"; filename*=UTF-8''` +
		url.PathEscape(strings.TrimSpace(whole))
}

// LanguageOf returns the language of a table's title.
func LanguageOf(title string) stockhand.Language {
	if strings.ContainsFunc(title, func(r rune) bool { return unicode.Is(unicode.Cyrillic, r) }) {
		return stockhand.Russian
	}
	return stockhand.English
}
