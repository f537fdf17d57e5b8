package compute

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"iter"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/compute/lexer"
	"github.com/stockhand/stockhand/internal/tool"
)

// engine is a driver with our functions. Each query has one for itself, because they report what they find to it.
type engine struct {
	driver  *sqlite.Driver
	remarks *remarks
}

// engines are the queries that may run at once in this process.
var engines = func() chan *engine {
	const atOnce = 2
	all := make(chan *engine, atOnce)
	for range atOnce {
		e := &engine{new(sqlite.Driver), new(remarks)}
		register(e.driver, e.remarks)
		all <- e
	}
	return all
}()

// Connect implements driver.Connector with a database in memory that nothing else can reach.
func (e *engine) Connect(context.Context) (driver.Conn, error) {
	return e.driver.Open("file::memory:?_dqs=0&_defensive=1&_pragma=temp_store(2)&_pragma=journal_mode(off)")
}

// Driver implements driver.Connector.
func (e *engine) Driver() driver.Driver { return e.driver }

// limits of SQLite, for what the parser lets through.
var limits = map[int]int{
	sqlite3.SQLITE_LIMIT_LENGTH: 1 << 20, sqlite3.SQLITE_LIMIT_SQL_LENGTH: 2 * maxRewritten,
	sqlite3.SQLITE_LIMIT_ATTACHED: 0, sqlite3.SQLITE_LIMIT_COLUMN: 1000, sqlite3.SQLITE_LIMIT_COMPOUND_SELECT: 50,
	sqlite3.SQLITE_LIMIT_TRIGGER_DEPTH: 1, sqlite3.SQLITE_LIMIT_WORKER_THREADS: 0,
}

// evaluate runs a query: its groups where that is possible, and the rest by SQLite.
func evaluate(ctx context.Context, tables []schema, p *parser, sql string, o *output) (notes remarks, err error) {
	rows := 0
	for _, t := range tables {
		if rows += t.Count; rows > maxRowsIn {
			return notes, mistake("the tables of the query have more than %d rows", maxRowsIn)
		}
	}
	var e *engine
	select {
	case e = <-engines:
		defer func() { engines <- e }()
	case <-ctx.Done():
		return notes, stopped(ctx, notes)
	}
	grouped := p.group(ctx, tables, &notes)
	if ctx.Err() != nil {
		return notes, stopped(ctx, notes)
	}
	if grouped {
		if notes, err = e.run(ctx, tables, p, sql, o, notes); err == nil || ctx.Err() != nil || notes.memoryUsed {
			return notes, err
		}
		for _, g := range p.groups { // SQLite knows best what is wrong
			g.done = false
		}
		*o = output{}
	}
	return e.run(ctx, tables, p, sql, o, remarks{})
}

// group computes the groups of a query and reports whether there are any.
func (p *parser) group(ctx context.Context, tables []schema, notes *remarks) (any bool) {
	relations := map[string]*relation{}
	bytes := 0
	for _, g := range p.groups {
		i := slices.IndexFunc(tables, func(t schema) bool { return t.Name == g.table })
		possible := i >= 0 && !slices.Contains(p.ctes, g.table) && tables[i].Count*len(tables[i].columns) <= maxCells
		for _, s := range g.subqueries {
			possible = possible && s >= 0 && p.groups[s].done
		}
		if !possible {
			continue
		}
		r, err := relations[g.table], error(nil)
		if r == nil {
			if r, err = readRelation(tables[i], &bytes); err != nil {
				return false // which it will be when SQLite's tables are loaded
			}
			relations[g.table] = r
		}
		found := *notes
		if g.compute(ctx, tables[i], r, &found) == nil {
			*notes, any = found, true
		}
	}
	return any
}

// run loads the tables into a new database and runs the query with the groups that are done.
func (e *engine) run(ctx context.Context, tables []schema, p *parser, text string, o *output, found remarks) (
	notes remarks, err error) {
	query, err := p.resolve(text)
	if err != nil {
		return found, err
	}
	*e.remarks = found
	db := sql.OpenDB(e)
	defer func() { _ = db.Close() }()
	conn, err := db.Conn(ctx)
	if err != nil {
		return notes, fmt.Errorf("open a database in memory: %w", err)
	}
	defer func() { _ = conn.Close() }()
	for id, most := range limits {
		if _, err := sqlite.Limit(conn, id, most); err != nil {
			return notes, fmt.Errorf("limit a database in memory: %w", err)
		}
	}
	if err := load(ctx, conn, p.loaded(tables)); err != nil {
		return notes, err
	}
	if _, err := conn.ExecContext(ctx, "PRAGMA query_only=1"); err != nil {
		return notes, fmt.Errorf("protect a database in memory: %w", err)
	}
	guarded, stop := context.WithCancel(ctx)
	defer stop()
	watched := make(chan bool)
	go func() { watched <- watchMemory(guarded, stop) }()
	err = read(guarded, conn, query, o)
	stop()
	e.remarks.memoryUsed = <-watched
	notes = *e.remarks
	switch {
	case err == nil || stockhand.CodeOf(err) == stockhand.CodeValidation:
		return notes, err
	case notes.failure != nil:
		return notes, mistake("%s", notes.failure)
	case guarded.Err() != nil && (ctx.Err() != nil || notes.memoryUsed):
		return notes, stopped(ctx, notes)
	}
	if e, ok := errors.AsType[*sqlite.Error](err); ok {
		return notes, mistake("%s", plain(e))
	}
	return notes, err
}

// plain is SQLite's message without its codes and without the names of our functions.
func plain(e *sqlite.Error) string {
	s := strings.TrimPrefix(e.Error(), "SQL logic error: ")
	if i := strings.LastIndex(s, " ("); i > 0 {
		s = s[:i]
	}
	s, _, _ = strings.Cut(s, " - should this be a string literal")
	return strings.ReplaceAll(s, "sh_", "")
}

// stopped is the error of a query that was interrupted.
func stopped(ctx context.Context, notes remarks) error {
	switch {
	case notes.memoryUsed:
		return mistake("the query needs too much memory: filter or group before joining")
	case errors.Is(context.Cause(ctx), context.DeadlineExceeded):
		return mistake("the query took longer than %d seconds: join on columns of text such as id or name, filter or "+
			"group before joining, and end every recursion", maxTime/time.Second)
	}
	return context.Cause(ctx)
}

// load creates the tables with the columns that the query needs.
func load(ctx context.Context, conn *sql.Conn, tables []schema) error {
	bytes := 0
	for _, t := range tables {
		names := make([]string, len(t.columns))
		for i, c := range t.columns {
			names[i] = lexer.Name(c.name)
		}
		if len(names) == 0 {
			names = []string{lexer.Name("")} // a table must have a column
		}
		create := "CREATE TABLE " + lexer.Name(t.Name) + " (" + strings.Join(names, ", ") + ")" //nolint:gosec // quoted
		if _, err := conn.ExecContext(ctx, create); err != nil {
			return mistake("the columns of %s cannot be read: %s", t.Name, err)
		}
		err := conn.Raw(func(c any) error {
			return fill(ctx, c.(driver.Conn), t, len(names), &bytes)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// loaded returns the tables that SQLite reads: those of the query but for what is grouped already, and the groups.
func (p *parser) loaded(tables []schema) []schema {
	grouped := map[int]bool{}
	var out []schema
	for i, g := range p.groups {
		if !g.done {
			continue
		}
		grouped[g.source] = true
		s := schema{Table: Table{Name: groupColumn("g", i)}, groups: g.rows}
		for _, c := range g.columns {
			s.columns = append(s.columns, column{name: c})
		}
		out = append(out, s)
	}
	for _, t := range tables {
		for i, n := range p.tables {
			if n == t.Name && !grouped[i] {
				out = append(out, t)
				break
			}
		}
	}
	return out
}

// batchCells is how many cells one statement inserts: each statement costs as much as some fifty cells.
const batchCells = 500

// fill inserts the rows of a table in one transaction.
func fill(ctx context.Context, conn driver.Conn, t schema, width int, bytes *int) error {
	tx, err := conn.(driver.ConnBeginTx).BeginTx(ctx, driver.TxOptions{})
	if err != nil {
		return err
	}
	perBatch := max(1, batchCells/width)
	insert := func(rows int) (driver.Stmt, error) {
		row := "(?" + strings.Repeat(", ?", width-1) + ")"
		return conn.Prepare("INSERT INTO " + lexer.Name(t.Name) + " VALUES " + row + strings.Repeat(", "+row, rows-1))
	}
	var batch driver.Stmt
	defer func() {
		if batch != nil {
			_ = batch.Close()
		}
	}()
	args := make([]driver.NamedValue, 0, perBatch*width)
	flush := func(into driver.Stmt) error {
		_, err := into.(driver.StmtExecContext).ExecContext(ctx, args)
		args = args[:0]
		switch {
		case err != nil && ctx.Err() != nil:
			return stopped(ctx, remarks{})
		case err != nil:
			return mistake("a row of %s cannot be read: %s", t.Name, err)
		}
		return nil
	}
	full := func() (err error) {
		if len(args) < perBatch*width {
			return nil
		}
		if batch == nil {
			if batch, err = insert(perBatch); err != nil {
				return err
			}
		}
		return flush(batch)
	}
	for _, row := range t.groups {
		for _, v := range row {
			args = append(args, driver.NamedValue{Ordinal: len(args) + 1, Value: v})
		}
		if err := full(); err != nil {
			return err
		}
	}
	for rows, err := range t.pages() {
		if err != nil {
			return err
		}
		for _, row := range rows {
			if args, err = t.cells(args, row, width, bytes); err != nil {
				return err
			}
			if err := full(); err != nil {
				return err
			}
		}
	}
	if len(args) > 0 {
		rest, err := insert(len(args) / width)
		if err != nil {
			return err
		}
		defer func() { _ = rest.Close() }()
		if err := flush(rest); err != nil {
			return err
		}
	}
	return tx.Commit()
}

// pages returns the pages of a table; groups have none.
func (s schema) pages() iter.Seq2[tool.Rows, error] {
	if s.Pages == nil {
		return func(func(tool.Rows, error) bool) {}
	}
	return s.Pages
}

// cells appends the cells of a row to the arguments of a statement.
func (s schema) cells(args []driver.NamedValue, row tool.Row, width int, bytes *int) ([]driver.NamedValue, error) {
	for i := range width {
		a := driver.NamedValue{Ordinal: len(args) + 1}
		if i < len(s.columns) {
			var err error
			if a.Value, err = s.cell(row, s.columns[i]); err != nil {
				return nil, err
			}
		}
		switch v := a.Value.(type) {
		case string:
			*bytes += len(v)
		case []byte:
			*bytes += len(v)
		}
		args = append(args, a)
	}
	if *bytes > maxBytesIn {
		return nil, mistake("the columns of the query have more than %d MB", maxBytesIn>>20)
	}
	return args, nil
}

// cell returns a cell as the database has it.
func (s schema) cell(row tool.Row, c column) (driver.Value, error) {
	v := row[c.index]
	d, ok := v.Decimal()
	if !ok {
		switch {
		case v.IsEmpty():
			return nil, nil
		case c.Unit == tool.UnitMoment: // without the zone, so that its date is that of the account
			if t, err := time.Parse(time.RFC3339, v.Text()); err == nil {
				return t.Format(time.DateTime), nil
			}
		}
		return v.Text(), nil
	}
	if err := d.Err(); err != nil {
		return nil, err
	}
	return encodeText(d.String(), s.unitOf(row, c, v))
}

// unitOf returns the unit of a number.
func (s schema) unitOf(row tool.Row, c column, v tool.Value) unit {
	switch c.Unit {
	case tool.UnitMoney:
		return unit(currencyMark + v.Currency())
	case tool.UnitQuantity:
		if s.unit >= 0 {
			return unit(measureMark + row[s.unit].Text())
		}
		return measureMark
	case tool.UnitPercent:
		return percent
	case tool.UnitCount:
		return count
	case tool.UnitDays:
		return days
	}
	return bare
}

// read runs the query.
func read(ctx context.Context, conn *sql.Conn, query string, o *output) error {
	rows, err := conn.QueryContext(ctx, query)
	if err != nil {
		return err
	}
	defer rows.Close()
	if o.names, err = rows.Columns(); err != nil {
		return err
	}
	if len(o.names) > maxColumns {
		return mistake("the output has more than %d columns", maxColumns)
	}
	cells, into := make([]any, len(o.names)), make([]any, len(o.names))
	for i := range cells {
		into[i] = &cells[i]
	}
	size := 0
	for rows.Next() {
		if err := rows.Scan(into...); err != nil {
			return err
		}
		if len(o.rows) == maxRows {
			return mistake("the output has more than %d rows: group them, or add LIMIT", maxRows)
		}
		row := make([]any, len(cells))
		copy(row, cells)
		for _, v := range row {
			if s, ok := v.(string); ok {
				size += len(s)
			}
		}
		if size > maxTexts {
			return mistake("the output has too much text")
		}
		o.rows = append(o.rows, row)
	}
	return rows.Err()
}

// watchMemory stops a query while which the memory of the process grows by more than maxMemory, and reports whether it
// did. SQLite's memory is not Go's, and its own limit would be one for the whole process. It works where /proc does.
func watchMemory(ctx context.Context, stop func()) bool {
	before := resident()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for before > 0 {
		select {
		case <-ctx.Done():
			return false
		case <-tick.C:
			if resident() > before+maxMemory {
				stop()
				return true
			}
		}
	}
	<-ctx.Done()
	return false
}

// resident returns the memory of the process in bytes, or 0 if unknown.
func resident() int {
	b, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0
	}
	if fields := strings.Fields(string(b)); len(fields) > 1 {
		pages, _ := strconv.Atoi(fields[1])
		return pages * os.Getpagesize()
	}
	return 0
}
