package database

import (
	"context"
	"crypto/tls"
	"database/sql/driver"
	"errors"
	"io"
	"log/slog"
	"net"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/store/migrations"
)

// oldestPostgres is the oldest supported server version, in the format of server_version_num. The tests run on it.
const oldestPostgres = 15_00_00

// connectTimeout is the time a server has to accept a connection, unless the URL sets connect_timeout.
const connectTimeout = 5 * time.Second

// openPostgres opens the connection pool. Replicas that start together update the schema one at a time under an
// advisory lock, which the server releases if its holder dies.
func openPostgres(ctx context.Context, url string, log *slog.Logger) (*DB, error) {
	config, err := pgx.ParseConfig(url)
	if err != nil {
		return nil, unreadableURL(err)
	}
	if config.RuntimeParams["application_name"] == "" {
		config.RuntimeParams["application_name"] = "stockhand"
	}
	if config.ConnectTimeout == 0 {
		config.ConnectTimeout = connectTimeout
	}
	place := "postgres " + config.User + "@" + config.Host + "/" + config.Database
	pool := stdlib.OpenDB(*config)
	pool.SetMaxOpenConns(16)
	pool.SetMaxIdleConns(16)
	pool.SetConnMaxIdleTime(5 * time.Minute)
	db := &DB{
		where: place, writer: pool, reader: pool, close: pool.Close,
		dialect: dialect{transient: transientPostgres, unavailable: unavailablePostgres, full: fullPostgres,
			explain: func(err error) *stockhand.Error { return explainPostgres(place, err) },
			clock:   "SELECT CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000000 AS BIGINT)",
			share:   " FOR KEY SHARE", exclude: "LOCK TABLE %s IN EXCLUSIVE MODE"},
	}
	if err := db.preparePostgres(ctx, log); err != nil {
		return nil, errors.Join(db.describe("open the database", err), pool.Close())
	}
	return db, nil
}

// Access is how a server of a Postgres URL is reached.
type Access struct {
	Host  string // a name, an address, or the folder of a socket
	TLS   bool   // never without
	Login bool   // with a password or a client certificate
}

// PostgresAccess returns all ways in which a Postgres URL may connect, also those that it falls back to.
func PostgresAccess(url string) ([]Access, error) {
	config, err := pgx.ParseConfig(url)
	if err != nil {
		return nil, unreadableURL(err)
	}
	access := func(host string, t *tls.Config) Access {
		certified := t != nil && (len(t.Certificates) > 0 || t.GetClientCertificate != nil)
		return Access{Host: host, TLS: t != nil, Login: config.Password != "" || certified}
	}
	all := []Access{access(config.Host, config.TLSConfig)}
	for _, f := range config.Fallbacks {
		all = append(all, access(f.Host, f.TLSConfig))
	}
	return all, nil
}

// unreadableURL wraps an error of pgx, which does not repeat the password.
func unreadableURL(err error) error {
	return stockhand.Errorf(stockhand.CodeInternal, "the database URL cannot be read: %w", err).
		WithHint("postgres://user:password@host:5432/database")
}

func (db *DB) preparePostgres(ctx context.Context, log *slog.Logger) error {
	var version, encoding string
	if err := db.writer.QueryRowContext(ctx,
		"SELECT current_setting('server_version_num'), current_setting('server_encoding')").Scan(&version,
		&encoding); err != nil {
		return err
	}
	if n, err := strconv.Atoi(version); err != nil || n < oldestPostgres {
		return stockhand.Errorf(stockhand.CodeInternal, "%s is Postgres %d.%d; the oldest supported version is 15",
			db.where, n/10_000, n%10_000)
	}
	if encoding != "UTF8" {
		return stockhand.Errorf(stockhand.CodeInternal, "%s stores text as %s", db.where,
			encoding).WithHint("create the database with ENCODING 'UTF8'")
	}
	locker, err := lock.NewPostgresSessionLocker(lock.WithLockTimeout(1, 300))
	if err != nil {
		return err
	}
	return migrations.Run(ctx, db.writer, goose.DialectPostgres, log, goose.WithSessionLocker(locker))
}

// transientPostgres reports whether the transaction can be retried: after a serialization failure or a deadlock.
func transientPostgres(err error) bool {
	failure, ok := errors.AsType[*pgconn.PgError](err)
	return ok && (failure.Code == "40001" || failure.Code == "40P01")
}

// unavailablePostgres reports whether the server is unreachable, stopping, starting, or out of resources.
func unavailablePostgres(err error) bool {
	if failure, ok := errors.AsType[*pgconn.PgError](err); ok {
		switch failure.Code {
		case "57014", // query_canceled, by the server's statement_timeout
			"57P01", "57P02", "57P03", // admin_shutdown, crash_shutdown, cannot_connect_now
			"55P03", // lock_not_available
			"25006", // read_only_sql_transaction: a standby that is not promoted yet
			"58030": // io_error
			return true
		}
		class := failure.Code[:min(2, len(failure.Code))]
		return class == "08" || class == "53" // connection exception, insufficient resources
	}
	_, dialing := errors.AsType[*pgconn.ConnectError](err)
	_, network := errors.AsType[net.Error](err)
	return dialing || (network && !errors.Is(err, context.DeadlineExceeded)) || errors.Is(err, driver.ErrBadConn) ||
		errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, net.ErrClosed)
}

// fullPostgres reports whether the disk of the server is full.
func fullPostgres(err error) bool {
	failure, ok := errors.AsType[*pgconn.PgError](err)
	return ok && failure.Code == "53100" // disk_full
}

// explainPostgres returns an error for the operator, or nil if the code is unknown.
func explainPostgres(place string, err error) *stockhand.Error {
	internal := func(hint, message string, args ...any) *stockhand.Error {
		return stockhand.Errorf(stockhand.CodeInternal, message, args...).WithHint("%s", hint)
	}
	failure, ok := errors.AsType[*pgconn.PgError](err)
	if !ok {
		if _, ok := errors.AsType[*pgconn.ConnectError](err); ok {
			return internal("check that the server is running and that the URL is correct", "%s cannot be "+
				"reached", place)
		}
		return nil
	}
	switch failure.Code {
	case "23505": // unique_violation
		return stockhand.Errorf(stockhand.CodeConflict, "it already exists")
	case "23503": // foreign_key_violation
		return stockhand.Errorf(stockhand.CodeNotFound, "it belongs to something that this organization does not have")
	case "22021": // character_not_in_repertoire: stored texts are cleaned, so the ID in the request is invalid
		return stockhand.Errorf(stockhand.CodeNotFound, "not found in this organization")
	case "28P01", "28000": // invalid_password, invalid_authorization_specification
		return internal("check the user and password in the URL", "%s rejected the login", place)
	case "3D000": // invalid_catalog_name
		return internal("create it, or use another database in the URL", "%s: the database does not exist", place)
	case "42501": // insufficient_privilege
		return internal("the user must own the database, or be granted CREATE on its schema",
			"%s does not let this user do that", place)
	case "53100": // disk_full
		return internal("free some space on the server; stored data is safe", "the disk of %s is full",
			place)
	case "53300": // too_many_connections
		return internal("raise max_connections or run fewer replicas: each opens up to 16",
			"%s accepts no more connections", place)
	case "55P03", "57014": // lock_not_available, query_canceled
		return internal("another session holds a lock: see pg_stat_activity", "%s did not answer in time",
			place)
	case "57P01", "57P02", "57P03": // admin_shutdown, crash_shutdown, cannot_connect_now
		return internal("wait until it is up", "%s is starting up or shutting down", place)
	}
	return nil
}
