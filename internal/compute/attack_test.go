package compute_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/compute"
	"github.com/stockhand/stockhand/internal/tool"
)

func TestAttackAQueryWritesAttachesOrLoads(t *testing.T) {
	for _, sql := range []string{
		"SELECT 1; SELECT 2", "SELECT 1; DROP TABLE r1", "DELETE FROM r1", "INSERT INTO r1 VALUES (1)",
		"UPDATE r1 SET name = 'x'", "DROP TABLE r1", "CREATE TABLE x (a)", "CREATE TEMP TABLE x AS SELECT 1",
		"CREATE VIEW v AS SELECT 1", "ATTACH 'x.db' AS x", "ATTACH DATABASE ':memory:' AS x", "DETACH main", "VACUUM",
		"VACUUM INTO 'x.db'", "PRAGMA query_only=0", "PRAGMA database_list", "SELECT * FROM pragma_database_list",
		"SELECT * FROM pragma_table_info('r1')", "BEGIN", "COMMIT", "SAVEPOINT x", "EXPLAIN SELECT 1", "REINDEX",
		"ANALYZE", "SELECT load_extension('x')", "SELECT readfile('/etc/passwd')", "SELECT writefile('x', 'y')",
		"SELECT * FROM sqlite_master", "SELECT * FROM sqlite_schema", "SELECT * FROM main.r1", "SELECT * FROM temp.r1",
		"WITH x AS (SELECT 1) DELETE FROM r1", "WITH x AS (SELECT 1) INSERT INTO r1 SELECT * FROM x",
		"SELECT * FROM json_each('[1]')", "SELECT * FROM generate_series(1, 100)", "SELECT sh_add(1, 2)",
		"SELECT count(*) FROM r1 WHERE load_extension('x')", "SELECT sqlite_version()", "SELECT random()",
		"SELECT randomblob(1000)", "SELECT * FROM r1 INDEXED BY x", "SELECT 1 INTO x", "VALUES (1) RETURNING 1",
		"SELECT ?", "SELECT :a", "SELECT @a", "SELECT $a", "SELECT X'00'", "SELECT 0x10", "SELECT 1 & 2", "SELECT ~1",
		"SELECT name COLLATE nocase FROM r1", "SELECT a -> '$' FROM r1", "SELECT name MATCH 'x' FROM r1",
		"SELECT name REGEXP 'x' FROM r1", "SELECT name GLOB '*' FROM r1", "SELECT * FROM r1 NATURAL JOIN r2",
		"", ";", "SELECT", "SELECT *", "(", "'", "\"", "/*", "\x00", "SELECT '\x00'", "SELECT 1 /* ; DROP TABLE r1",
	} {
		if r, err := run(t, sql); stockhand.CodeOf(err) != stockhand.CodeValidation {
			t.Errorf("%s: %+v, %v", sql, r, err)
		}
	}
}

// hung is far beyond the bound of a query's time, for a machine that is busy and instrumented.
const hung = 30 * time.Second

func TestAttackAQueryNeverEnds(t *testing.T) {
	tables := []compute.Table{table(20_000)}
	for name, sql := range map[string]string{
		"endless recursion": "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n",
		"endless plain recursion": "WITH RECURSIVE n(i) AS (SELECT 'a' UNION ALL SELECT i FROM n) SELECT count(*) " +
			"FROM n",
		"a cross join":      "SELECT count(*) FROM r1 a, r1 b, r1 c",
		"a join on numbers": "SELECT count(*) FROM r1 a JOIN r1 b ON a.price = b.price JOIN r1 c ON b.price = c.price",
	} {
		ctx, stop := context.WithTimeout(t.Context(), 100*time.Millisecond)
		began := time.Now()
		_, err := compute.Run(ctx, compute.Query{SQL: sql, Tables: tables, Language: stockhand.English})
		stop()
		if took := time.Since(began); err == nil || took > hung {
			t.Errorf("%s: %v after %s", name, err, took)
		}
	}
}

func TestAttackAQueryFillsTheMemory(t *testing.T) {
	var chain strings.Builder // each text is ten times as long as the one before
	chain.WriteString("WITH t0 AS (SELECT 'aaaaaaaaaa' AS x)")
	for i := range 10 {
		fmt.Fprintf(&chain, ", t%d AS (SELECT replace(x, 'a', 'aaaaaaaaaa') AS x FROM t%d)", i+1, i)
	}
	repeated := "'a'"
	for range 30 {
		repeated = "(" + repeated + " || " + repeated + ")"
		if len(repeated) > 9_000 {
			break
		}
	}
	nestedCase := "1"
	for range 12 {
		nestedCase = "CASE " + nestedCase + " WHEN 1 THEN 1 WHEN 2 THEN 2 WHEN 3 THEN 3 END"
	}
	for name, sql := range map[string]string{
		"replace":       chain.String() + " SELECT length(x) FROM t10",
		"zeroblob":      "SELECT zeroblob(1000000000)",
		"printf":        "SELECT printf('%1000000000d', 1)",
		"doubled text":  "WITH RECURSIVE n(x) AS (SELECT 'a' UNION ALL SELECT x || x FROM n) SELECT max(length(x)) FROM n",
		"group_concat":  "SELECT group_concat(a.name || b.name || c.name || d.name || e.name) FROM r1 a, r1 b, r1 c, r1 d, r1 e, r1 f, r1 g, r1 h, r1 i, r1 j, r1 k, r1 l, r1 m",
		"nested CASE":   "SELECT " + nestedCase,
		"digits":        "WITH RECURSIVE n(x) AS (SELECT 1.1 UNION ALL SELECT x * x FROM n) SELECT max(x) FROM n",
		"an exponent":   "SELECT 1e999999999",
		"power of ten":  "SELECT 1e99 * 1e99",
		"rounding":      "SELECT round(1, 1e99) + round(1, -1e99) + 'x'",
		"long SQL":      "SELECT '" + strings.Repeat("x", 20_000) + "'",
		"nested":        "SELECT " + strings.Repeat("(", 1000) + "1" + strings.Repeat(")", 1000),
		"nested query":  strings.Repeat("SELECT (", 100) + "SELECT 1" + strings.Repeat(")", 100),
		"minus signs":   "SELECT " + strings.Repeat("- ", 4000) + "1",
		"NOT":           "SELECT " + strings.Repeat("NOT ", 2000) + "1",
		"nested joins":  "SELECT 1 FROM " + strings.Repeat("(", 500) + "r1" + strings.Repeat(")", 500),
		"many columns":  "SELECT " + strings.Repeat("1, ", 200) + "1 FROM r1",
		"many rows out": "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n",
		"many tables":   "SELECT 1 FROM r1" + strings.Repeat(", r1", 100),
		"compounds":     "SELECT 1" + strings.Repeat(" UNION SELECT 1", 300),
	} {
		began := time.Now()
		r, err := run(t, sql)
		if took := time.Since(began); stockhand.CodeOf(err) != stockhand.CodeValidation || took > hung {
			t.Errorf("%s: %+v, %v after %s", name, r, err, took)
		}
		if len(err.Error()) > 2000 {
			t.Errorf("%s: the error has %d bytes", name, len(err.Error()))
		}
	}
}

// Rows that SQLite collects are in its own memory.
func TestAttackAQueryCollectsRows(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the memory of the process is known on Linux only")
	}
	r := &tool.Result{Columns: []tool.Column{{Name: "name", Unit: tool.UnitText}}}
	for i := range 300 {
		r.Rows = append(r.Rows, tool.Row{tool.TextValue(fmt.Sprint(i, strings.Repeat("x", 10_000)))})
	}
	tables := []compute.Table{{Name: "r1", Result: "res_1", Table: r.InPages()}}
	_, err := compute.Run(t.Context(), compute.Query{Tables: tables,
		SQL: "SELECT count(*) FROM (SELECT DISTINCT a.name, b.name FROM r1 a, r1 b)"})
	// If SQLite itself is instrumented by the race detector, it is so slow that it meets the bound of time first.
	if err == nil || !strings.Contains(err.Error(), "too much memory") && !strings.Contains(err.Error(), "5 seconds") {
		t.Error(err)
	}
}

func TestAttackHostileColumnNames(t *testing.T) {
	names := []string{`x"); DROP TABLE r1; --`, "name", "NAME", "", "a'b", "[x]", "`", "select", "r1", "sh_add",
		"x\x00y",
		"Выручка, ₽", strings.Repeat("long", 5000), "*", "name_2", "rowid"}
	r := &tool.Result{}
	row := tool.Row{}
	for i, n := range names {
		r.Columns = append(r.Columns, tool.Column{Name: n, Label: n, Unit: tool.UnitCount})
		row = append(row, tool.Count(i))
	}
	r.Rows = tool.Rows{row}
	tables := []compute.Table{{Name: "r1", Result: "res_1", Table: r.InPages()}}
	ask := func(sql string) (*tool.Result, error) {
		return compute.Run(t.Context(), compute.Query{SQL: sql, Tables: tables, Language: stockhand.English})
	}
	for sql, want := range map[string]string{
		`SELECT "x""); DROP TABLE r1; --" FROM r1`: "0", "SELECT name, NAME_2, name_2_2 FROM r1": "1 2 14",
		"SELECT column_4 FROM r1": "3", `SELECT "a'b", "[x]", "` + "`" + `" FROM r1`: "4 5 6",
		`SELECT "select", r1.select, sh_add, r1.r1 FROM r1`: "7 7 9 8", `SELECT "Выручка, ₽" FROM r1`: "11",
		`SELECT "*", rowid FROM r1`: "13 15",
	} {
		out, err := ask(sql)
		if err != nil {
			t.Errorf("%s: %v", sql, err)
			continue
		}
		if got := shown(out); got != want {
			t.Errorf("%s: %s, want %s", sql, got, want)
		}
	}
	out, err := ask("SELECT * FROM r1")
	if err == nil {
		seen := map[string]bool{}
		for _, c := range out.Columns {
			if seen[c.Name] || c.Name == "" {
				t.Errorf("the column %q twice or without a name", c.Name)
			}
			seen[c.Name] = true
		}
	} else if stockhand.CodeOf(err) != stockhand.CodeValidation {
		t.Error(err)
	}
	_, err = ask("SELECT nothing FROM r1")
	if e, _ := errors.AsType[*stockhand.Error](err); len(e.Hint) > 3000 ||
		!strings.Contains(e.Hint, "name_2_2 count [column 15]") {
		t.Errorf("the hint is %s", e.Hint)
	}
}
