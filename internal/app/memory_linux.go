package app

import (
	"bufio"
	"fmt"
	"os"
	"runtime/debug"
	"strings"
	"syscall"
)

// releaseMemory returns memory that only the start needed: free heap, and the pages of the program file. Package
// initialisation touches nearly the whole file once, and its pages stay mapped; pages needed later are mapped again
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
		// A read-only mapping whose pages were all read from the file and not changed, for example by a relocation.
		if end > 0 && strings.HasPrefix(line, "Anonymous:") && strings.Fields(line)[1] == "0" {
			_, _, _ = syscall.Syscall(syscall.SYS_MADVISE, start, end-start, syscall.MADV_DONTNEED) // may fail
		}
	}
}
