package postgres

import "syscall"

const (
	sharedMemory = "/dev/shm"
	roomInMemory = 4 << 30 // bytes; each test's database takes 8 MB while the test runs
)

// memoryFolder returns a folder in memory with room for the databases of a test run; "" if there is none, as in most
// containers. On a disk, creating and dropping databases takes several times as long.
func memoryFolder() string {
	var fs syscall.Statfs_t
	if err := syscall.Statfs(sharedMemory, &fs); err != nil || fs.Bavail*uint64(fs.Bsize) < roomInMemory {
		return ""
	}
	return sharedMemory
}
