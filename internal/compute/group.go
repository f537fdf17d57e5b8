package compute

import (
	"context"
	"database/sql/driver"
	"errors"
	"slices"
)

// group is a group of rows: its terms and its aggregates.
type group struct {
	terms      []datum
	aggregates []folded
}

// folded is an aggregate of a group.
type folded struct {
	sum
	best driver.Value        // of min and max
	seen map[string]struct{} // of DISTINCT
}

// groupRun computes the groups of a grouping.
type groupRun struct {
	*grouping
	*compiler
	where        evaluator
	terms        []evaluator
	args, filter []evaluator // by call; nil where there is none
	texts        []*group    // by text, if the only term is a column of texts
	byKey        map[string]*group
	groups       []*group
	key          []byte
}

// compute computes the groups, or fails if SQLite must.
func (g *grouping) compute(ctx context.Context, s schema, r *relation, notes *remarks) error {
	run := &groupRun{grouping: g, byKey: map[string]*group{},
		compiler: &compiler{schema: s, relation: r, remarks: notes, alias: g.alias}}
	if err := run.prepare(); err != nil {
		return err
	}
	if !g.grouped {
		run.groups = append(run.groups, run.newGroup(nil))
	}
	for row := range r.rows {
		if row%4096 == 0 && ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if err := run.add(row); err != nil {
			return err
		}
	}
	return run.finish()
}

func (r *groupRun) prepare() (err error) {
	compiled := func(n *node) evaluator {
		if n == nil || err != nil {
			return nil
		}
		var e evaluator
		e, err = r.compile(n)
		return e
	}
	r.where = compiled(r.grouping.where)
	for i, t := range r.grouping.terms {
		r.terms = append(r.terms, compiled(t.node))
		column := groupColumn("k", i)
		for _, c := range r.schema.columns {
			if t.column != "" && sameName(c.name, t.column) {
				column = c.name
			}
		}
		if slices.Contains(r.grouping.columns, column) {
			column = groupColumn("again", i)
		}
		r.grouping.columns = append(r.grouping.columns, column)
	}
	for i, c := range r.calls {
		r.args, r.filter = append(r.args, compiled(c.arg)), append(r.filter, compiled(c.filter))
		r.grouping.columns = append(r.grouping.columns, groupColumn("a", i))
		switch c.runs {
		case "count", "min", "max", "sh_sum", "sh_avg", "sh_total":
		default:
			err = errors.Join(err, errOnlySQLite)
		}
	}
	r.texts = make([]*group, len(r.refs))
	return err
}

func (r *groupRun) newGroup(terms []datum) *group {
	g := &group{terms: slices.Clone(terms), aggregates: make([]folded, len(r.calls))}
	for i, c := range r.calls {
		g.aggregates[i].average, g.aggregates[i].orZero = c.runs == "sh_avg", c.runs == "sh_total"
	}
	return g
}

// groupOf returns the group of a row.
func (r *groupRun) groupOf(row int) (*group, error) {
	if !r.grouped {
		return r.groups[0], nil
	}
	var buffer [4]datum
	terms := buffer[:0]
	r.key = r.key[:0]
	for _, f := range r.terms {
		d, err := f(row)
		if err != nil {
			return nil, err
		}
		terms = append(terms, d)
	}
	// the texts of a column are numbered
	numbered := len(terms) == 1 && terms[0].kind == worded && r.grouping.terms[0].node.op == "column"
	if numbered && r.texts[terms[0].n] != nil {
		return r.texts[terms[0].n], nil
	}
	for _, d := range terms {
		var err error
		if r.key, err = d.appendKey(r.key, r.units); err != nil {
			return nil, err
		}
	}
	g := r.byKey[string(r.key)]
	if g == nil {
		g = r.newGroup(terms)
		r.byKey[string(r.key)] = g
		r.groups = append(r.groups, g)
	}
	if numbered {
		r.texts[terms[0].n] = g
	}
	return g, nil
}

func (r *groupRun) add(row int) error {
	if r.where != nil {
		is, err := r.where(row)
		if err != nil || is.kind != flag || is.n != 1 {
			return err
		}
	}
	g, err := r.groupOf(row)
	if err != nil {
		return err
	}
	for i := range r.calls {
		if r.filter[i] != nil {
			is, err := r.filter[i](row)
			if err != nil {
				return err
			}
			if is.kind != flag || is.n != 1 {
				continue
			}
		}
		if err := r.fold(&g.aggregates[i], i, row); err != nil {
			return err
		}
	}
	return nil
}

// fold adds a row to an aggregate.
func (r *groupRun) fold(f *folded, i, row int) error {
	call := &r.calls[i]
	if call.star {
		f.known++
		return nil
	}
	d, err := r.args[i](row)
	if err != nil {
		return err
	}
	if call.distinct {
		if r.key, err = d.appendKey(r.key[:0], r.units); err != nil {
			return err
		}
		if _, known := f.seen[string(r.key)]; known {
			return nil
		}
		if f.seen == nil {
			f.seen = map[string]struct{}{}
		}
		f.seen[string(r.key)] = struct{}{}
	}
	switch {
	case call.runs == "count":
		if d.kind != none {
			f.known++
		}
		return nil
	case d.kind == small && call.runs != "min" && call.runs != "max":
		f.total.add(d.n, int(d.scale))
		if u := r.units.names[d.unit]; u != f.unit || u == percent {
			return f.alike(u)
		}
		f.known++
		return nil
	}
	v, err := d.value(r.units)
	if err != nil {
		return err
	}
	if call.runs != "min" && call.runs != "max" {
		return f.add(r.remarks, []driver.Value{v})
	}
	if v != nil && (f.best == nil || call.runs == "min" == (inOrder(v, f.best) < 0) && inOrder(v, f.best) != 0) {
		f.best = v
	}
	return f.units.add(r.remarks, []driver.Value{v})
}

// finish sorts the groups as SQLite does: in the directions of ORDER BY if it has as many terms.
func (r *groupRun) finish() error {
	rows := make([][]driver.Value, len(r.groups))
	for k, g := range r.groups {
		for _, d := range g.terms {
			v, err := d.value(r.compiler.units)
			if err != nil {
				return err
			}
			rows[k] = append(rows[k], v)
		}
		for i := range g.aggregates {
			f := &g.aggregates[i]
			var v driver.Value
			var err error
			switch r.calls[i].runs {
			case "count":
				v = int64(f.known)
			case "min", "max":
				v = f.best
			default:
				v, err = f.value(r.remarks)
			}
			if err != nil {
				return err
			}
			rows[k] = append(rows[k], v)
		}
	}
	slices.SortStableFunc(rows, func(a, b []driver.Value) int {
		for i := range r.terms {
			c := inOrder(a[i], b[i])
			if r.descending != nil && r.descending[i] {
				c = -c
			}
			if c != 0 {
				return c
			}
		}
		return 0
	})
	r.grouping.rows, r.grouping.done = rows, true
	return nil
}
