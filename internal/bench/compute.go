package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
)

// measureCompute runs the benchmarks of SQL over a result of 100,000 rows: queries with the loading of their columns,
// and loading alone (rule R185).
func measureCompute(ctx context.Context) error {
	fmt.Println("\nSQL over a result of 100,000 rows; load is what each query spends on loading its columns")
	cmd := exec.CommandContext(ctx, "go", "test", "-run", "^$", "-bench", "Compute", "-benchtime", "10x",
		"./internal/compute")
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	return cmd.Run()
}
