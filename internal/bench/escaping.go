package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
)

// measureEscaping runs the benchmarks of what cleans names from an account (rule R94) and a model's text (rule R76).
// Each copies the same bytes too.
func measureEscaping(ctx context.Context) error {
	fmt.Println("\nThe escaping layers: Visible cleans a response of an account, Filter a model's stream, Plain a text " +
		"that is shown")
	cmd := exec.CommandContext(ctx, "go", "test", "-run", "^$", "-bench", "Visible|Filter|Plain",
		"./internal/connector/moysklad/msapi", "./internal/agent/render")
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	return cmd.Run()
}
