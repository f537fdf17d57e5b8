//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package limit

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
)

// machine applies the limits to all processes of one machine. The server counts an account's requests whichever process
// sends them, and a command line may run twice at once or again right after it exits.
//
// The processes share a file of occupied slots, which they read and write under its lock. A killed process cannot free
// its slots, so each process holds the lock of a lease file as long as it lives; the kernel releases it however the
// process ends. If a process finds a lease unlocked, the slots of that lease expire like answered ones.
type machine struct {
	inner  Limiter
	config Config
	dir    string
	file   string
	name   string   // of the lease file
	lease  *os.File // locked until the process ends
}

// OneMachine wraps a limiter so that the limits also apply across all processes of this machine that use the same
// folder and server. It creates the folder if necessary; it must belong to the user alone. Requests are ordered
// within a process, not across processes.
func OneMachine(l Limiter, c Config, dir, server string) (Limiter, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("limits of the machine: %w", err)
	}
	info, err := os.Lstat(dir)
	if err != nil {
		return nil, fmt.Errorf("limits of the machine: %w", err)
	}
	if !info.IsDir() || info.Mode().Perm()&0o077 != 0 {
		return nil, fmt.Errorf("limits of the machine: %s is open to others", dir)
	}
	if owner, ok := info.Sys().(*syscall.Stat_t); !ok || int(owner.Uid) != os.Getuid() {
		return nil, fmt.Errorf("limits of the machine: %s belongs to another user", dir)
	}
	sum := sha256.Sum256([]byte(server))
	m := &machine{
		inner: l, config: c.defaults(), dir: dir, name: "lease-" + rand.Text(),
		file: filepath.Join(dir, "slots-"+hex.EncodeToString(sum[:8])),
	}
	if err := m.open(); err != nil {
		return nil, fmt.Errorf("limits of the machine: %w", err)
	}
	return m, nil
}

// open creates the lease and removes those of dead processes. A lease that is not locked yet looks dead, so both happen
// under a lock of the machine.
func (m *machine) open() error {
	lock, err := locked(filepath.Join(m.dir, "leases"))
	if err != nil {
		return err
	}
	defer func() { _ = lock.Close() }()
	if err := m.removeUnused(); err != nil {
		return err
	}
	old, err := m.files("lease-")
	if err != nil {
		return err
	}
	for _, path := range old {
		if !m.lives(filepath.Base(path)) {
			if err := os.Remove(path); err != nil {
				return err
			}
		}
	}
	if m.lease, err = os.OpenFile(filepath.Join(m.dir, m.name), os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600); err != nil {
		return err
	}
	return syscall.Flock(int(m.lease.Fd()), syscall.LOCK_EX)
}

// files lists the files with a prefix. filepath.Glob would misread brackets in the folder's name.
func (m *machine) files(prefix string) (paths []string, err error) {
	all, err := os.ReadDir(m.dir)
	for _, e := range all {
		if strings.HasPrefix(e.Name(), prefix) {
			paths = append(paths, filepath.Join(m.dir, e.Name()))
		}
	}
	return paths, err
}

// removeUnused removes the files of servers that were not used for a day, such as old sandboxes.
func (m *machine) removeUnused() error {
	old, err := m.files("slots-")
	if err != nil {
		return err
	}
	for _, path := range old {
		info, err := os.Stat(path)
		if err != nil || time.Since(info.ModTime()) < 24*time.Hour {
			continue
		}
		if err := os.Remove(path); err != nil {
			return err
		}
	}
	return nil
}

// Acquire implements [Limiter]. Errors other than that of ctx mean that the file cannot be read or written; the caller
// must not send the request.
func (m *machine) Acquire(ctx context.Context, r Request) (func(Feedback), error) {
	done, err := m.inner.Acquire(ctx, r)
	if err != nil {
		return nil, err
	}
	mine := sharedSlot{ID: rand.Text(), Lease: m.name, Account: r.Account, Employee: r.Employee, Heavy: r.Heavy}
	for {
		wait, err := m.take(mine)
		if err == nil && wait <= 0 {
			return func(f Feedback) {
				// On failure the slot stays occupied until the process ends, which is safe.
				_ = m.change(func(slots []sharedSlot, now time.Time) []sharedSlot {
					for i := range slots {
						if slots[i].ID == mine.ID {
							slots[i].Until = now.Add(m.config.window()).UnixNano()
						}
					}
					return slots
				})
				done(f)
			}, nil
		}
		if err == nil {
			select {
			case <-ctx.Done():
				err = ctx.Err()
			case <-time.After(wait):
				continue
			}
		}
		done(Feedback{})
		return nil, err
	}
}

// take occupies the slot, or returns how long to wait before trying again.
func (m *machine) take(mine sharedSlot) (wait time.Duration, err error) {
	err = m.change(func(slots []sharedSlot, now time.Time) []sharedSlot {
		if wait = m.config.wait(slots, mine, now); wait > 0 {
			return slots
		}
		return append(slots, mine)
	})
	return wait, err
}

// change reads the slots that still count, applies f and writes the result, under the file's lock.
func (m *machine) change(f func([]sharedSlot, time.Time) []sharedSlot) error {
	file, err := locked(m.file)
	if err != nil {
		return fmt.Errorf("limits of the machine: %w", err)
	}
	defer func() { _ = file.Close() }() // which also unlocks it
	now := time.Now()
	slots, err := m.read(file, now)
	if err != nil {
		return fmt.Errorf("limits of the machine: %w", err)
	}
	text, err := json.Marshal(f(slots, now))
	if err == nil {
		_, err = file.WriteAt(text, 0)
	}
	if err == nil {
		err = file.Truncate(int64(len(text)))
	}
	if err != nil {
		return fmt.Errorf("limits of the machine: %w", err)
	}
	return nil
}

// locked opens and locks a file; closing it unlocks it. If the file was removed in the meantime, it tries again.
func locked(path string) (*os.File, error) {
	for {
		file, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
		if err != nil {
			return nil, err
		}
		err = syscall.Flock(int(file.Fd()), syscall.LOCK_EX)
		opened, failed := file.Stat()
		if err = errors.Join(err, failed); err == nil {
			if there, gone := os.Stat(path); gone == nil && os.SameFile(opened, there) {
				return file, nil
			}
		}
		_ = file.Close()
		if err != nil {
			return nil, err
		}
	}
}

func (m *machine) read(file *os.File, now time.Time) ([]sharedSlot, error) {
	var slots []sharedSlot
	err := json.NewDecoder(file).Decode(&slots)
	switch _, broken := errors.AsType[*json.SyntaxError](err); {
	case err == nil, errors.Is(err, io.EOF):
	case broken, errors.Is(err, io.ErrUnexpectedEOF):
		// A process died while writing. What it sent is unknown, so assume that all slots were just answered.
		slots = nil
		for range m.config.PerSecond {
			slots = append(slots, sharedSlot{Heavy: true, Until: now.Add(m.config.window()).UnixNano()})
		}
	default:
		return nil, err
	}
	latest := now.Add(m.config.window()).UnixNano()
	for i := range slots {
		p := &slots[i]
		if p.Until == 0 && !m.lives(p.Lease) || p.Until > latest { // the clock may have been set back
			p.Until = latest
		}
	}
	return slices.DeleteFunc(slots, func(p sharedSlot) bool { return p.Until != 0 && p.Until <= now.UnixNano() }), nil
}

// State implements [Watched] for all processes of this machine. What waits, and the vendor's budget, are those of this
// one.
func (m *machine) State(ctx context.Context, account, employee string) (State, error) {
	state, _, err := StateOf(ctx, m.inner, account, employee)
	if err != nil {
		return State{}, err
	}
	err = m.change(func(slots []sharedSlot, _ time.Time) []sharedSlot {
		state.counted(slots, account, employee)
		return slots
	})
	return state, err
}

// lives reports whether the process of a lease is alive.
func (m *machine) lives(lease string) bool {
	if lease == m.name {
		return true
	}
	file, err := os.Open(filepath.Join(m.dir, filepath.Base(lease)))
	if errors.Is(err, fs.ErrNotExist) {
		return false
	}
	if err != nil {
		return true // unknown: its slots stay occupied
	}
	defer func() { _ = file.Close() }()
	return syscall.Flock(int(file.Fd()), syscall.LOCK_SH|syscall.LOCK_NB) != nil
}
