//go:build !unix

// Withpostgres runs a command with a temporary Postgres server; it cannot start one on this system.
package main

import (
	"fmt"
	"os"
)

func main() {
	fmt.Fprintln(os.Stderr, "withpostgres: set STOCKHAND_TEST_POSTGRES to the URL of a Postgres 15 server and run "+
		"the command itself")
	os.Exit(1)
}
