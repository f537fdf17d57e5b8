package api

import (
	"cmp"
	"context"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/api/openapi"
	"github.com/stockhand/stockhand/internal/api/spreadsheet"
	"github.com/stockhand/stockhand/internal/chart"
	"github.com/stockhand/stockhand/internal/tool"
)

// asked is what a request wants of a result.
type asked struct {
	form        spreadsheet.Form
	language    stockhand.Language // empty: that of the result
	limit, from int                // rows of JSON; all if limit is 0
	part        *int               // as CSV, XLSX or SVG; nil for the whole result
	picture     *picture           // as SVG
}

// picture is a chart of the first rows of a part.
type picture struct {
	chart.Wish
	rows int
}

// The bounds of a picture: those of the charts in answers.
const (
	mostPictured = 20_000 // rows
	mostValues   = 4      // columns
	mostName     = 200    // characters of a column's name
)

// resultWanted reads what a request wants of a result.
func resultWanted(r *http.Request) (a asked, err error) {
	query := r.URL.Query()
	svg := query.Get("format") == string(spreadsheet.SVG)
	if svg {
		query.Del("format")
		r = r.Clone(r.Context())
		r.URL.RawQuery = query.Encode()
	}
	if a.form, a.language, err = wanted(r); err != nil {
		return a, err
	}
	if svg {
		a.form = spreadsheet.SVG
	}
	if given := query.Get("part"); given != "" {
		n, err := strconv.Atoi(given)
		if err != nil || n < 0 || n > openapi.LastPart {
			return a, invalid("part", "must be a whole number from 0 to "+strconv.Itoa(openapi.LastPart))
		}
		if a.form == spreadsheet.JSON {
			return a, invalid("part", "applies to CSV, XLSX and SVG only; JSON contains all parts")
		}
		a.part = &n
	}
	if svg {
		a.picture, err = pictureWanted(query)
		return a, err
	}
	for _, name := range []string{"chart", "x", "y", "series"} {
		if query.Has(name) {
			return a, invalid(name, "applies to SVG only")
		}
	}
	a.limit, a.from, err = rowsWanted(r, a.form)
	return a, err
}

func pictureWanted(query url.Values) (*picture, error) {
	p := &picture{Wish: chart.Wish{Kind: cmp.Or(query.Get("chart"), "bar"), X: query.Get("x"),
		Series: query.Get("series")}, rows: mostPictured}
	if y := query.Get("y"); y != "" {
		p.Y = strings.Split(y, ",")
	}
	switch {
	case !slices.Contains(chart.Wishes, p.Kind):
		return nil, invalid("chart", "must be one of "+strings.Join(chart.Wishes, ", "))
	case p.X == "" || utf8.RuneCountInString(p.X) > mostName:
		return nil, invalid("x", "must be the name of a column")
	case utf8.RuneCountInString(p.Series) > mostName:
		return nil, invalid("series", "must be the name of a column")
	case len(p.Y) == 0 || len(p.Y) > mostValues:
		return nil, invalid("y", "must be the names of one to four columns, with commas between them")
	}
	if given := query.Get("limit"); given != "" {
		n, err := strconv.Atoi(given)
		if err != nil || n < 1 || n > mostPictured {
			return nil, invalid("limit", "must be a whole number from 1 to "+strconv.Itoa(mostPictured))
		}
		p.rows = n
	}
	return p, nil
}

// captionOf says what a picture shows where nothing stands beside it: the table, its figures and their period.
func captionOf(r *tool.Result, w chart.Wish, of *tool.Period, l stockhand.Language) string {
	var names []string
	for _, c := range r.Columns {
		if slices.Contains(w.Y, c.Name) {
			names = append(names, c.Label)
		}
	}
	caption := r.Title
	if len(names) > 0 {
		caption += ": " + strings.Join(names, ", ")
	}
	if of != nil {
		caption += ", " + of.From.Format(l) + " – " + of.To.Format(l)
	}
	return caption
}

// writePicture draws a chart of a table as an SVG file. Of is the period of the figures; nil for none.
func writePicture(ctx context.Context, w http.ResponseWriter, t tool.Table, p picture, of *tool.Period,
	l stockhand.Language, made time.Time) error {
	rows, err := t.First(p.rows)
	if err != nil {
		return err
	}
	p.Title = captionOf(rows, p.Wish, of, l)
	drawn, ok := chart.Wished(rows, p.Wish, l)
	if !ok {
		return stockhand.Errorf(stockhand.CodeValidation, "there is nothing to draw: a chart takes at least two known "+
			"figures in one unit and currency, in columns of the result").WithHint("take the figures as CSV or XLSX")
	}
	spreadsheet.Named(w.Header(), spreadsheet.SVG, l, t.Title, made)
	return chart.File(drawn).Render(ctx, w)
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
