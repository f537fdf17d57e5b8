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

// Migrations are the numbered files that make the schema, for those who keep databases ready with it.
func Migrations() fs.FS { return migrations }

// migrate brings the schema up to this program's, in one transaction per migration. There is no way back: a schema
// that is newer than the program is refused, because an older program would not keep the newer one's promises.
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
			"the database has schema version %d and this program knows versions up to %d", current, target).
			WithHint("it was used by a newer stockhand: run that one, or restore a backup from before; nothing " +
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
