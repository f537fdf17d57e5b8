package cli

import (
	"fmt"
	"runtime"

	"github.com/stockhand/stockhand/internal/app"
)

type versionCmd struct{}

func (versionCmd) Run(e *env) error {
	fmt.Fprintf(e.streams.Out, "stockhand %s %s %s/%s\n", app.Version(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return nil
}
