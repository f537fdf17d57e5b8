package datakey

import (
	"context"
	"database/sql"
	"fmt"
	"strings"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/store/content"
)

// contents lists the columns with contents, and the primary keys of their rows after the organization. The code that
// stores them encrypts them for the same places.
var contents = []struct {
	table, column string
	row           []string
}{
	{"sessions", "title", []string{"id"}},
	{"messages", "text", []string{"id"}},
	{"events", "data", []string{"run_id", "seq"}},
	{"model_steps", "message", []string{"run_id", "seq"}},
	{"tool_calls", "arguments", []string{"run_id", "seq"}},
	{"tool_calls", "error", []string{"run_id", "seq"}},
	{"results", "head", []string{"id"}},
	{"result_pages", "body", []string{"result_id", "first_row"}},
	{"drafts", "title", []string{"id"}},
	{"draft_versions", "body", []string{"draft_id", "version"}},
	{"draft_documents", "outcome", []string{"id"}},
	{"draft_documents", "problem", []string{"id"}},
	{"idempotency", "body", []string{"created_by", "id"}},
	{"kept_facts", "body", []string{"connection_id", "name"}},
	{"responses", "body", []string{"id"}},
	{"reports", "body", []string{"id"}},
	{"run_traffic", "body", []string{"run_id"}},
}

// encryptedAtOnce is the number of rows that one transaction encrypts.
const encryptedAtOnce = 100

// Encrypt encrypts what an organization stored unencrypted, in small transactions, and calls progress, which
// may be nil, with the number of rows of each. If it is interrupted, the next call continues. Encrypting must be
// switched on; see [Keys.Use].
func (k *Keys) Encrypt(ctx context.Context, org stockhand.OrgID, progress func(rows int)) error {
	key, err := k.Key(ctx, org)
	if err != nil {
		return err
	}
	if key == nil {
		return errNotEncrypted
	}
	for _, c := range contents {
		if err := k.encryptColumn(ctx, key, org, c.table, c.column, c.row, progress); err != nil {
			return err
		}
	}
	return nil
}

var errNotEncrypted = &stockhand.Error{Code: stockhand.CodeConflict,
	Message: "the data of this organization is not encrypted",
	Hint:    "let the operator set STOCKHAND_ENCRYPT_DATA=1 and run: stockhand secrets encrypt",
	RU: stockhand.Words{Message: "данные этой организации не зашифрованы",
		Hint: "попросите оператора задать STOCKHAND_ENCRYPT_DATA=1 и выполнить: stockhand secrets encrypt"}}

// plainRow is a row that is not encrypted yet.
type plainRow struct {
	row  []any // its primary key
	text content.Content
}

func (k *Keys) encryptColumn(ctx context.Context, key *content.Key, org stockhand.OrgID, table, column string,
	row []string, progress func(rows int)) error {
	doing := "encrypt " + table + "." + column
	var after []any // the last row seen
	for {
		found, err := k.plainRows(ctx, org, table, column, row, after)
		if err != nil || len(found) == 0 {
			return k.base.Fail(doing, err)
		}
		after = found[len(found)-1].row
		//nolint:gosec // only names of tables and columns, from contents
		update := fmt.Sprintf("UPDATE %s SET %s = $1 WHERE %s = $2 AND org_id = $3", table, column, column)
		for i, name := range row {
			update += fmt.Sprintf(" AND %s = $%d", name, i+4)
		}
		err = k.base.Transact(ctx, doing, func(tx *sql.Tx) error {
			for _, p := range found {
				text, err := key.Open(p.text, table+"."+column, p.row...)
				if err != nil {
					return err
				}
				// matches nothing if it has changed meanwhile: then it is encrypted
				args := append([]any{key.Seal(text, table+"."+column, p.row...), p.text, string(org)}, p.row...)
				if _, err := tx.ExecContext(ctx, update, args...); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
		if progress != nil {
			progress(len(found))
		}
	}
}

// plainRows returns the next rows after one whose column is not encrypted.
func (k *Keys) plainRows(ctx context.Context, org stockhand.OrgID, table, column string, row []string, after []any) (
	found []plainRow, err error) {
	names := strings.Join(row, ", ")
	query := fmt.Sprintf("SELECT %s, %s FROM %s WHERE org_id = $1 AND length(%s) > 0 AND substr(%s, 1, 2) <> $2",
		names, column, table, column, column)
	args := append([]any{string(org), content.Mark()}, after...)
	if after != nil {
		places := []string{"$3", "$4"}[:len(row)]
		query += fmt.Sprintf(" AND (%s) > (%s)", names, strings.Join(places, ", "))
	}
	query += fmt.Sprintf(" ORDER BY %s LIMIT %d", names, encryptedAtOnce)
	rows, err := k.base.Reader().QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		p := plainRow{row: make([]any, len(row))}
		var to []any
		for i := range p.row {
			to = append(to, &p.row[i])
		}
		if err := rows.Scan(append(to, &p.text)...); err != nil {
			return nil, err
		}
		found = append(found, p)
	}
	return found, rows.Err()
}
