// Command lint checks the files in deploy that no other tool here checks, offline: the Dockerfile with the checks that
// `docker build --check` runs, and the Compose file against the Compose schema. It prints what it finds and exits 1.
// It is a module of its own because of what it depends on.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/compose-spec/compose-go/v2/cli"
	"github.com/moby/buildkit/client/llb"
	"github.com/moby/buildkit/client/llb/sourceresolver"
	"github.com/moby/buildkit/frontend/dockerfile/dockerfile2llb"
	"github.com/opencontainers/go-digest"
	ocispecs "github.com/opencontainers/image-spec/specs-go/v1"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: lint FOLDER")
		os.Exit(2)
	}
	failed := false
	for _, check := range []func(context.Context, string) error{dockerfile, compose} {
		if err := check(context.Background(), os.Args[1]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			failed = true
		}
	}
	if failed {
		os.Exit(1)
	}
}

// dockerfile converts the Dockerfile as a build would and reports the error or the warnings.
func dockerfile(ctx context.Context, folder string) error {
	name := filepath.Join(folder, "Dockerfile")
	text, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	source := llb.NewSourceMap(nil, name, "Dockerfile", text)
	source.Definition = &llb.Definition{} // it is not part of a build
	found, err := dockerfile2llb.DockerfileLint(ctx, text, dockerfile2llb.ConvertOpt{
		SourceMap:      source,
		TargetPlatform: &ocispecs.Platform{OS: "linux", Architecture: "amd64"},
		MetaResolver:   noImages{},
	})
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if found.Error != nil || len(found.Warnings) > 0 {
		var b strings.Builder
		err := found.PrintTo(&b, nil)
		found.PrintErrorTo(&b, nil)
		return errors.Join(errors.New(b.String()), err)
	}
	return nil
}

// noImages answers for every base image with an empty configuration, so that no registry is asked.
type noImages struct{}

func (noImages) ResolveImageConfig(_ context.Context, ref string, _ sourceresolver.Opt) (string, digest.Digest, []byte,
	error,
) {
	config, err := json.Marshal(ocispecs.Image{Platform: ocispecs.Platform{OS: "linux", Architecture: "amd64"}})
	return ref, digest.FromBytes(config), config, err
}

// compose loads the Compose file as `docker compose config` would.
func compose(ctx context.Context, folder string) error {
	name := filepath.Join(folder, "compose.yaml")
	options, err := cli.NewProjectOptions([]string{name}, cli.WithEnv([]string{"POSTGRES_PASSWORD=x", "NATS_PASSWORD=x",
		"STOCKHAND_SECRET_KEY=x"}))
	if err != nil {
		return err
	}
	if _, err = options.LoadProject(ctx); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}
