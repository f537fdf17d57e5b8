package app_test

import (
	"testing"
	"testing/fstest"

	"github.com/stockhand/stockhand/internal/app"
)

func TestTheMemoryLimitIsTheContainers(t *testing.T) {
	file := func(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text)} }
	unset := func(string) string { return "" }
	for name, c := range map[string]struct {
		root fstest.MapFS
		want int64
	}{
		"no control groups": {fstest.MapFS{}, 0},
		"a container": {fstest.MapFS{"proc/self/cgroup": file("0::/\n"),
			"sys/fs/cgroup/memory.max": file("1000000000\n")}, 900_000_000},
		"no limit": {fstest.MapFS{"proc/self/cgroup": file("0::/\n"), "sys/fs/cgroup/memory.max": file("max\n")}, 0},
		"a unit of systemd within a slice": {fstest.MapFS{
			"proc/self/cgroup": file("0::/system.slice/stockhand.service\n"),
			"sys/fs/cgroup/system.slice/stockhand.service/memory.max": file("max\n"),
			"sys/fs/cgroup/system.slice/memory.max":                   file("2000000000\n")}, 1_800_000_000},
		"version 1": {fstest.MapFS{"proc/self/cgroup": file("7:cpu,cpuacct:/\n4:memory:/docker/abc\n"),
			"sys/fs/cgroup/memory/memory.limit_in_bytes": file("500000000\n")}, 450_000_000},
		"version 1 without a limit": {fstest.MapFS{"proc/self/cgroup": file("4:memory:/\n"),
			"sys/fs/cgroup/memory/memory.limit_in_bytes": file("9223372036854771712\n")}, 0},
	} {
		if got := app.MemoryLimit(unset, c.root); got != c.want {
			t.Errorf("%s: %d, want %d", name, got, c.want)
		}
		if got := app.MemoryLimit(func(string) string { return "1GiB" }, c.root); got != 0 {
			t.Errorf("%s: GOMEMLIMIT does not win", name)
		}
	}
}
