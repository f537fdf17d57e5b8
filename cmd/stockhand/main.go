// Command stockhand answers questions about an inventory account in plain language.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"github.com/stockhand/stockhand/internal/cli"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second Ctrl-C ends the program at once
	code := cli.Run(ctx, os.Args[1:], os.Getenv, cli.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr})
	stop()
	os.Exit(code)
}
