package app

import (
	"bufio"
	"fmt"
	"os"
	"runtime/debug"
	"strings"
	"syscall"
)

// releaseMemory returns what only the start needed to the system: free heap, and the pages of the program file. Nearly
// all of the file is touched once while packages initialise, and stays mapped; what is needed later is mapped again
// from the page cache in microseconds.
func releaseMemory() {
	debug.FreeOSMemory()
	exe, err := os.Readlink("/proc/self/exe")
	if err != nil {
		return
	}
	maps, err := os.Open("/proc/self/smaps")
	if err != nil {
		return
	}
	defer func() { _ = maps.Close() }()
	var start, end uintptr
	lines := bufio.NewScanner(maps)
	for lines.Scan() {
		line := lines.Text()
		var from, to uintptr
		var permissions string
		if n, _ := fmt.Sscanf(line, "%x-%x %s", &from, &to, &permissions); n == 3 {
			start, end = from, to
			if permissions[1] == 'w' || !strings.HasSuffix(line, " "+exe) {
				end = 0
			}
			continue
		}
		// A read-only mapping whose pages were all read from the file, and none was changed (by a relocation, say).
		if end > 0 && strings.HasPrefix(line, "Anonymous:") && strings.Fields(line)[1] == "0" {
			_, _, _ = syscall.Syscall(syscall.SYS_MADVISE, start, end-start, syscall.MADV_DONTNEED) // advice only
		}
	}
}
