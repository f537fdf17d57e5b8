package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
)

// measureCompute runs the benchmarks of SQL over a result of 100,000 rows (rule R185): queries over rows that are in
// memory, loading SQLite's tables alone, and decoding stored rows, which each query does before all else.
func measureCompute(ctx context.Context) error {
	fmt.Println("\nSQL over a result of 100,000 rows. Load is what each query that SQLite runs spends on its tables; " +
		"tables are not kept, so no query is faster than the first. Decoding stored rows comes on top of each")
	cmd := exec.CommandContext(ctx, "go", "test", "-run", "^$", "-bench", "Compute", "-benchtime", "10x",
		"./internal/compute")
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	return cmd.Run()
}
