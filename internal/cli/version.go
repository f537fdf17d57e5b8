package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/stockhand/stockhand/internal/app"
)

type versionCmd struct {
	JSON bool `help:"Print the version, the commit and the platform as JSON."`
}

func (c versionCmd) Run(_ context.Context, e *env) error {
	if !c.JSON {
		_, err := fmt.Fprintln(e.streams.Out, versionLine())
		return err
	}
	v := struct {
		Version  string `json:"version"`
		Commit   string `json:"commit,omitempty"`
		Time     string `json:"commit_time,omitempty"`
		Modified bool   `json:"modified,omitempty"` // built with uncommitted changes
		Go       string `json:"go"`
		OS       string `json:"os"`
		Arch     string `json:"arch"`
	}{Version: app.Version(), Go: runtime.Version(), OS: runtime.GOOS, Arch: runtime.GOARCH}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			switch s.Key {
			case "vcs.revision":
				v.Commit = s.Value
			case "vcs.time":
				v.Time = s.Value
			case "vcs.modified":
				v.Modified = s.Value == "true"
			}
		}
	}
	return json.NewEncoder(e.streams.Out).Encode(v)
}

func versionLine() string {
	return fmt.Sprintf("stockhand %s %s %s/%s", app.Version(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
}
