package store

import "database/sql"

// Writer lets tests reach below the methods.
func (db *DB) Writer() *sql.DB { return db.base.Writer() }

// Reader is the pool that methods read with.
func (db *DB) Reader() *sql.DB { return db.base.Reader() }
