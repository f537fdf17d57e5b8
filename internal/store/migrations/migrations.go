// Package migrations creates the schema of the database and updates it. A migration is an SQL file, or Go code where
// the two databases need different statements.
package migrations

import (
	"context"
	"database/sql"
	"embed"
	"fmt"
	"io/fs"
	"log/slog"

	"github.com/pressly/goose/v3"

	"github.com/stockhand/stockhand"
)

//go:embed *.sql
var files embed.FS

// Files returns the SQL files that create the schema, for tests that prepare databases in advance.
func Files() fs.FS { return files }

// Run updates the schema, with one transaction per migration. It refuses a schema that is newer than the program,
// because an older program could break its guarantees.
func Run(ctx context.Context, db *sql.DB, kind goose.Dialect, log *slog.Logger,
	options ...goose.ProviderOption) error {
	list, err := scripts()
	if err != nil {
		return fmt.Errorf("read the migrations: %w", err)
	}
	provider, err := goose.NewProvider(kind, db, nil, append(options, goose.WithSlog(slog.New(slog.DiscardHandler)),
		goose.WithDisableGlobalRegistry(true), goose.WithGoMigrations(append(list, auditGuard(kind))...))...)
	if err != nil {
		return fmt.Errorf("read the migrations: %w", err)
	}
	current, target, err := provider.GetVersions(ctx)
	if err != nil {
		return fmt.Errorf("read the schema's version: %w", err)
	}
	if current > target {
		return stockhand.Errorf(stockhand.CodeInternal,
			"the database has schema version %d, but this program supports versions up to %d", current, target).
			WithHint("it was created by a newer stockhand: run that version, or restore an older backup; nothing " +
				"was changed")
	}
	done, err := provider.Up(ctx)
	if err != nil {
		return fmt.Errorf("update the schema: %w", err)
	}
	for _, m := range done {
		log.InfoContext(ctx, "updated the schema", "version", m.Source.Version, "took", m.Duration)
	}
	return nil
}

// scripts returns a migration for each SQL file, which is executed as a whole. Goose would split it into statements
// first, as no driver here needs, and that takes longer than executing them.
func scripts() ([]*goose.Migration, error) {
	names, err := fs.Glob(files, "*.sql")
	if err != nil {
		return nil, err
	}
	list := make([]*goose.Migration, len(names))
	for i, name := range names {
		version, err := goose.NumericComponent(name)
		if err != nil {
			return nil, err
		}
		script, err := files.ReadFile(name)
		if err != nil {
			return nil, err
		}
		list[i] = goose.NewGoMigration(version, &goose.GoFunc{RunTx: func(ctx context.Context, tx *sql.Tx) error {
			_, err := tx.ExecContext(ctx, string(script))
			return err
		}}, nil)
	}
	return list, nil
}

// auditGuard is migration 2. It adds triggers that make the database refuse to change audit entries, or to remove any
// but those trimmed. It is Go code because the trigger syntax differs between the two databases.
func auditGuard(kind goose.Dialect) *goose.Migration {
	const kept = `OLD.seq > COALESCE((SELECT trimmed FROM audit_heads WHERE org_id = OLD.org_id), 0)`
	statements := []string{
		`CREATE TRIGGER audit_entries_are_not_changed BEFORE UPDATE ON audit_entries BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END`,
		`CREATE TRIGGER audit_entries_are_not_removed BEFORE DELETE ON audit_entries WHEN ` + kept +
			` BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END`,
	}
	if kind == goose.DialectPostgres {
		statements = []string{
			`CREATE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
			 IF TG_OP <> 'DELETE' THEN RAISE EXCEPTION 'the audit log is append-only'; END IF;
			 IF ` + kept + ` THEN RAISE EXCEPTION 'the audit log is append-only'; END IF;
			 RETURN OLD; END $$`,
			`CREATE TRIGGER audit_entries_are_not_changed BEFORE UPDATE OR DELETE ON audit_entries
			 FOR EACH ROW EXECUTE FUNCTION refuse_audit_change()`,
			`CREATE TRIGGER audit_entries_are_not_truncated BEFORE TRUNCATE ON audit_entries
			 FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change()`,
		}
	}
	return goose.NewGoMigration(2, &goose.GoFunc{RunTx: func(ctx context.Context, tx *sql.Tx) error {
		for _, s := range statements {
			if _, err := tx.ExecContext(ctx, s); err != nil {
				return err
			}
		}
		return nil
	}}, nil)
}
