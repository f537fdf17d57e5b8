package store

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

//go:embed migrations/*.sql
var migrations embed.FS

// Migrations returns the SQL files that create the schema, for tests that prepare databases in advance.
func Migrations() fs.FS { return migrations }

// migrate updates the schema, with one transaction per migration. It refuses a schema that is newer than the program,
// because an older program could break its guarantees.
func migrate(ctx context.Context, db *sql.DB, kind goose.Dialect, log *slog.Logger,
	options ...goose.ProviderOption) error {
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return fmt.Errorf("read the migrations: %w", err)
	}
	quiet := goose.WithSlog(slog.New(slog.DiscardHandler))
	provider, err := goose.NewProvider(kind, db, files,
		append(options, quiet, goose.WithDisableGlobalRegistry(true), goose.WithGoMigrations(auditGuard(kind)))...)
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
