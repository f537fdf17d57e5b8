// Package results shows stored results as tables that are sorted, searched and paged on the server, and opens what is
// behind a cell. A result never changes, so the order of its rows is computed once and kept for a while.
package results

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"iter"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/tool"
)

// Store reads results; internal/store documents the methods.
type Store interface {
	Result(ctx context.Context, org stockhand.OrgID, id stockhand.ResultID) (stockhand.StoredResult, error)
	ResultRows(ctx context.Context, org stockhand.OrgID, id stockhand.ResultID, from, to int) iter.Seq2[
		stockhand.RowPage, error]
}

// Choice is what a person chose to see of a table.
type Choice struct {
	Sort    string // a column; empty: the order of the result
	Down    bool   // greatest first
	Find    string
	Where   []Filter // all of them hold
	Columns []string // those shown; nil: the usual ones
	From    int      // rows to skip
	Part    int      // of a result with parts
	Few     bool     // the first rows only, as an answer shows them
	Paper   bool     // all rows that match, up to a bound, as they are printed

	// Only are the rows that a page shows, by their ID in the column Key; nil means those with the text of Find.
	Only []string
	Key  string

	// Page is the address of a page that has the table, with its own choices; empty: the result's own page
	Page   string
	Extra  url.Values
	Target string // the ID of the element that it replaces
}

// The rows of a page, of a table in an answer, and of one on paper.
const (
	perPage = 50
	few     = 10
	onPaper = 2000
	fewest  = 2 // more rows than these are worth sorting
)

// ChoiceOf reads a choice from the query of an address. What is malformed counts as not chosen.
func ChoiceOf(q url.Values) Choice {
	c := Choice{Sort: q.Get("sort"), Down: q.Get("down") == "1", Find: strings.TrimSpace(q.Get("find")),
		Few: q.Get("few") == "1", Paper: q.Get("paper") == "1"}
	c.From, _ = strconv.Atoi(q.Get("skip"))
	c.From = max(c.From, 0)
	c.Part, _ = strconv.Atoi(q.Get("part"))
	if q.Has("column") {
		c.Columns = q["column"]
	}
	c.Where = filtersOf(q)
	return c
}

// Query is the choice as the query of an address.
func (c Choice) Query() string {
	q := url.Values{}
	set := func(name, value string, usual bool) {
		if !usual {
			q.Set(name, value)
		}
	}
	set("sort", c.Sort, c.Sort == "")
	set("down", "1", !c.Down)
	set("find", c.Find, c.Find == "")
	for _, f := range c.Where {
		q.Add(fieldWhere, f.String())
	}
	set("skip", strconv.Itoa(c.From), c.From == 0)
	set("part", strconv.Itoa(c.Part), c.Part == 0)
	set("few", "1", !c.Few)
	set("paper", "1", !c.Paper)
	if c.Columns != nil {
		q["column"] = c.Columns
	}
	maps.Copy(q, c.Extra)
	if len(q) == 0 {
		return ""
	}
	return "?" + q.Encode()
}

// View is a page of a table.
type View struct {
	Choice
	Org     stockhand.OrgID
	ID      stockhand.ResultID
	Run     stockhand.RunID
	Table   tool.Table // the part's, without rows
	All     []int      // the columns that can be shown
	Shown   []int      // those that are
	Rows    []Row
	Matched int  // rows that match what is searched for
	Count   int  // rows of the part
	Expired bool // the rows are gone
	Opens   bool // the person may open what is behind a cell
	Behind  connector.Behind
	Asked   json.RawMessage // the arguments of the call that the result answers
	first   int             // position of the part's first row in the result

	// where a call of Behind is shown as a page; nil: as the next turn of the conversation
	Address func(connector.Call) string
}

// Row is a row with its position in the result.
type Row struct {
	At    int
	Cells tool.Row
}

// Of reads a page of a stored result. The caller has checked that the person may see it.
func Of(ctx context.Context, s Store, kept stockhand.StoredResult, c Choice) (View, error) {
	v := View{Choice: c, Org: kept.Org, ID: kept.ID, Run: kept.Run, Expired: kept.Expired}
	whole, err := tool.ReadTable(kept, func(func(stockhand.RowPage, error) bool) {})
	if err != nil {
		return v, err
	}
	tables := whole.Split()
	if c.Part < 0 || c.Part >= len(tables) {
		return v, stockhand.Errorf(stockhand.CodeNotFound, "the result has no such part")
	}
	if len(whole.Parts) > 0 {
		for _, p := range whole.Parts[:c.Part] {
			v.first += p.Rows
		}
	}
	v.Table = tables[c.Part]
	v.Table.Provenance.Zone = whole.Provenance.Zone
	v.Count = v.Table.Count
	v.choose()
	if v.Expired {
		return v, nil
	}
	at, err := v.positions(ctx, s)
	if err != nil {
		return v, err
	}
	v.Matched = v.Count
	size := perPage
	switch {
	case c.Paper:
		size = onPaper
	case c.Few:
		size = few
	}
	var wanted []int
	if at != nil {
		v.Matched = len(at)
		from := min(v.From, len(at))
		wanted = at[from:min(from+size, len(at))]
	} else {
		from := min(v.From, v.Count)
		for i := from; i < min(from+size, v.Count); i++ {
			wanted = append(wanted, v.first+i)
		}
		if !c.Paper {
			v.ahead(ctx, s)
		}
	}
	v.Rows, err = v.read(ctx, s, kept, wanted)
	return v, err
}

// choose sets the columns. Those that the employee may not see have no cells; a notice says why.
func (v *View) choose() {
	for i, c := range v.Table.Columns {
		if c.Hidden {
			continue
		}
		v.All = append(v.All, i)
		usual := !c.Detail && c.Name != "id" && !strings.HasSuffix(c.Name, "_id")
		if v.Columns == nil && usual || slices.Contains(v.Columns, c.Name) {
			v.Shown = append(v.Shown, i)
		}
	}
	if len(v.Shown) == 0 && len(v.All) > 0 {
		v.Shown = v.All[:1]
	}
	v.dropUnknown()
}

// positions returns the positions of the rows that match, in the chosen order; nil means all, in the result's order.
func (v *View) positions(ctx context.Context, s Store) ([]int, error) {
	by := slices.IndexFunc(v.Table.Columns, func(c tool.Column) bool { return c.Name == v.Sort && !c.Hidden })
	if by < 0 {
		v.Sort, v.Down = "", false
	}
	if by < 0 && !v.narrowed() && v.Only == nil {
		return nil, nil
	}
	key := orderKey{v.ID, v.Part, v.Sort, v.Down, fold(v.Find), whereKey(v.Where)}
	if v.Only != nil {
		key.find = "\x00" + strings.Join(v.Only, " ")
	}
	if at, ok := orders.get(key); ok {
		return at, nil
	}
	rows, err := v.rows(ctx, s)
	if err != nil {
		return nil, err
	}
	var at, ranks []int
	var scratch []byte
	for i, row := range rows {
		if rank, ok := v.shown(row, key.find, &scratch); ok {
			at, ranks = append(at, i), append(ranks, rank)
		}
	}
	if by >= 0 {
		sortRows(rows, at, by, v.Down)
	} else if v.Only != nil {
		order := make(map[int]int, len(at))
		for i, x := range at {
			order[x] = ranks[i]
		}
		slices.SortStableFunc(at, func(a, b int) int { return cmp.Compare(order[a], order[b]) })
	}
	for i := range at {
		at[i] += v.first
	}
	if at == nil {
		at = []int{}
	}
	orders.put(key, at)
	return at, nil
}

// shown reports whether a row is among those to be shown, and its place among them.
func (v *View) shown(row tool.Row, find string, scratch *[]byte) (rank int, ok bool) {
	if v.Only != nil {
		i := slices.IndexFunc(v.Table.Columns, func(c tool.Column) bool { return c.Name == v.Key })
		if i < 0 {
			return 0, false
		}
		rank = slices.Index(v.Only, row[i].Text())
		return rank, rank >= 0 && v.holds(row)
	}
	return 0, (v.Find == "" || matches(row, v.Table.Columns, find, scratch)) && v.holds(row)
}

// matches reports whether a text of the row contains what is searched for. It compares in scratch.
func matches(row tool.Row, columns []tool.Column, find string, scratch *[]byte) bool {
	for i, v := range row {
		if columns[i].Hidden || v.Text() == "" {
			continue
		}
		*scratch = appendFolded((*scratch)[:0], v.Text())
		if bytes.Contains(*scratch, []byte(find)) {
			return true
		}
	}
	return false
}

// rowsOf reads consecutive rows of a result as those of a part.
func rowsOf(ctx context.Context, s Store, kept stockhand.StoredResult, part tool.Table,
	from, to int) iter.Seq2[tool.Rows, error] {
	return func(yield func(tool.Rows, error) bool) {
		for page, err := range s.ResultRows(ctx, kept.Org, kept.ID, from, to) {
			var rows tool.Rows
			if err == nil {
				rows, err = part.Read(page)
			}
			if !yield(rows, err) || err != nil {
				return
			}
		}
	}
}

// read reads the rows at these positions: of a table that was searched or sorted from all its rows, else neighbours
// together.
func (v *View) read(ctx context.Context, s Store, kept stockhand.StoredResult, at []int) ([]Row, error) {
	if v.narrowed() || v.Sort != "" {
		rows, err := v.rows(ctx, s)
		if err != nil {
			return nil, err
		}
		out := make([]Row, 0, len(at))
		for _, i := range at {
			out = append(out, Row{At: i, Cells: rows[i-v.first]})
		}
		return out, nil
	}
	order := slices.Clone(at)
	slices.Sort(order)
	found := make(map[int]tool.Row, len(at))
	for i := 0; i < len(order); {
		end := i + 1
		for end < len(order) && order[end] == order[end-1]+1 {
			end++
		}
		next := order[i]
		for rows, err := range rowsOf(ctx, s, kept, v.Table, order[i], order[end-1]+1) {
			if err != nil {
				return nil, err
			}
			for _, row := range rows {
				found[next] = row
				next++
			}
		}
		i = end
	}
	out := make([]Row, 0, len(at))
	for _, i := range at {
		out = append(out, Row{At: i, Cells: found[i]})
	}
	return out, nil
}
