package app

import (
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write docs/settings.md")

func TestSettingsDocumentIsCurrent(t *testing.T) {
	const file = "../../docs/settings.md"
	want := "# Settings\n\nSettings are environment variables, read once at the start. Flags override them. " +
		"`serve` logs the configuration\nwithout secrets and warns of unknown `STOCKHAND_` variables. " +
		"This page is generated from `internal/app/settings.go` by\n`make generate`.\n" + settingsTable() +
		"\n## Traces\n\nThe standard variables of OpenTelemetry apply. Traces are sent over OTLP/HTTP (`http/protobuf`) when\n" +
		"`OTEL_EXPORTER_OTLP_ENDPOINT` or `OTEL_EXPORTER_OTLP_TRACES_ENDPOINT` is set.\n" +
		"The collector's variables end in `ENDPOINT`, `HEADERS`, `TIMEOUT`, `COMPRESSION`, `CERTIFICATE`, " +
		"`CLIENT_CERTIFICATE` and\n`CLIENT_KEY`; `OTEL_SERVICE_NAME`, `OTEL_RESOURCE_ATTRIBUTES`, " +
		"`OTEL_TRACES_SAMPLER` and `OTEL_BSP_…` apply as well.\n"
	if *update {
		if err := os.WriteFile(file, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if have, err := os.ReadFile(file); err != nil || string(have) != want {
		t.Errorf("docs/settings.md is outdated: run make generate (%v)", err)
	}
}

func TestEverySettingInTheCodeIsListed(t *testing.T) {
	name := regexp.MustCompile(`"(STOCKHAND_[A-Z_]+)"`)
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		source, err := os.ReadFile(path)
		for _, m := range name.FindAllStringSubmatch(string(source), -1) {
			known := slices.ContainsFunc(settings, func(s setting) bool { return s.name == m[1] })
			if !known && !strings.HasPrefix(m[1], "STOCKHAND_TEST_") {
				t.Errorf("%s: %s is not in settings.go", path, m[1])
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestMisspeltSettingsAreFound(t *testing.T) {
	got := UnknownSettings([]string{"STOCKHAND_ADDR=x", "STOCKHAND_ADRR=x", "PATH=/bin", "STOCKHAND_TEST_POSTGRES=y"})
	if !slices.Equal(got, []string{"STOCKHAND_ADRR"}) {
		t.Errorf("%v", got)
	}
}
