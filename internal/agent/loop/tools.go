package loop

import (
	"context"
	"regexp"
	"slices"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/agent/toolbox"
	"github.com/stockhand/stockhand/internal/compute"
	"github.com/stockhand/stockhand/internal/tool"
)

// ownTools returns the tools of every run besides those of the account.
func (l *Loop) ownTools() []tool.Tool {
	own := []tool.Tool{toolbox.Query(l.result), toolbox.Compute(l.tables, l.Now), toolbox.Ask()}
	of := tool.Provenance{Account: l.Reader.Account, Employee: l.Reader.Employee, Login: l.Reader.Login}
	if l.OpenDrafts != nil {
		own = append(own, toolbox.Drafts(l.OpenDrafts, of), toolbox.EditDraft())
	}
	if l.NoteChange != nil {
		own = append(own, toolbox.ProposeNote(l.NoteChange, of))
	}
	return own
}

// result returns a result of this session and its account. Any other looks like it does not exist: another
// organization's, another session's, another account's (rule R4), another employee's.
func (l *Loop) result(ctx context.Context, id stockhand.ResultID) (tool.Table, error) {
	for _, r := range l.results {
		if r.ID == id {
			return r.Table, nil
		}
	}
	return l.Reader.Of(ctx, l.store, id)
}

// tableNumber finds the tables of a query.
var tableNumber = regexp.MustCompile(`(?i)\br\d+\b`)

// knownTables is how many of the last results a query without them knows, to say what there is.
const knownTables = 10

// tables returns the results of the session that a query may mean: those it names and the last ones. Their numbers
// count all results of the session, so that a name always means the same.
func (l *Loop) tables(ctx context.Context, sql string) ([]compute.Table, error) {
	ids := slices.Clone(l.Numbered)
	for _, r := range l.results {
		ids = append(ids, r.ID)
	}
	named := map[string]bool{}
	for _, n := range tableNumber.FindAllString(sql, -1) {
		named["r"+n[1:]] = true
	}
	var tables []compute.Table
	for i, id := range ids {
		name := toolbox.TableName(i)
		if !named[name] && i < len(ids)-knownTables {
			continue
		}
		t, err := l.result(ctx, id)
		if stockhand.CodeOf(err) == stockhand.CodeNotFound { // of another account or employee
			continue
		}
		if err != nil {
			return nil, err
		}
		tables = append(tables, compute.Table{Name: name, Result: id, Table: t})
	}
	return tables, nil
}
