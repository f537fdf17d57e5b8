package app

import (
	"io/fs"
	"path"
	"strconv"
	"strings"
)

// memoryShare is the part of the container's limit that the Go runtime may use. The rest is for what it does not count,
// such as the database's cache.
const memoryShare = 0.9

// ContainerMemory returns the memory in bytes that the control group of this process allows, or 0 if it sets no limit.
// The file system is that of the machine.
func ContainerMemory(root fs.FS) int64 {
	groups, err := fs.ReadFile(root, "proc/self/cgroup")
	if err != nil {
		return 0
	}
	var least int64
	for line := range strings.Lines(string(groups)) {
		parts := strings.SplitN(strings.TrimSpace(line), ":", 3) // number, controllers, path
		if len(parts) < 3 {
			continue
		}
		mount, file := "sys/fs/cgroup", "memory.max"
		switch parts[1] {
		case "": // version 2
		case "memory":
			mount, file = "sys/fs/cgroup/memory", "memory.limit_in_bytes"
		default:
			continue
		}
		// every ancestor limits the group; in a container the path may be one of the host, which is not mounted
		for group := path.Join("/", parts[2]); ; group = path.Dir(group) {
			text, _ := fs.ReadFile(root, path.Join(mount, group, file)) // no file, no limit
			n, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64)
			const unlimited = 1 << 60 // version 1 says so with a huge number
			if err == nil && n > 0 && n < unlimited && (least == 0 || n < least) {
				least = n
			}
			if group == "/" {
				break
			}
		}
	}
	return least
}

// MemoryLimit returns the limit in bytes to set for the Go runtime, or 0 for none: part of the container's limit,
// unless GOMEMLIMIT is set, which the runtime reads itself.
func MemoryLimit(getenv func(string) string, root fs.FS) int64 {
	if getenv("GOMEMLIMIT") != "" {
		return 0
	}
	return int64(memoryShare * float64(ContainerMemory(root)))
}
