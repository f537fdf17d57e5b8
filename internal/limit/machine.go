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

// machine keeps the limits over all processes of one machine, because the other side counts an account's requests
// whichever process they come from, and a command line is run twice at once, or again as soon as it has ended.
//
// All of them share a file of the slots taken, which is read and written under its lock. A process that is killed
// cannot free its slots, so each holds the lock of a lease file for as long as it lives, which the kernel takes from
// it however it ends; a process that finds a lease free lets its slots expire like answered ones.
type machine struct {
	inner  Limiter
	config Config
	dir    string
	file   string
	name   string   // of the lease
	lease  *os.File // locked until the process ends
}

// OneMachine returns l, keeping the limits also over every process of this machine whose limiter was made with the
// same folder and server. The folder is made when it is not there; it must be the user's alone. Within a process the
// order is l's; between processes there is none.
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

// open makes the lease and removes those of the dead. A lease that is made and not yet locked looks like a dead one's,
// so both happen alone on the machine.
func (m *machine) open() error {
	alone, err := locked(filepath.Join(m.dir, "leases"))
	if err != nil {
		return err
	}
	defer func() { _ = alone.Close() }()
	if err := m.forget(); err != nil {
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

// files are those in the folder whose names begin so. A pattern would not do: the folder's own name may hold brackets.
func (m *machine) files(prefix string) (paths []string, err error) {
	all, err := os.ReadDir(m.dir)
	for _, e := range all {
		if strings.HasPrefix(e.Name(), prefix) {
			paths = append(paths, filepath.Join(m.dir, e.Name()))
		}
	}
	return paths, err
}

// forget removes the records of servers that were not used for a day, such as sandboxes that are gone.
func (m *machine) forget() error {
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

// Acquire implements [Limiter]. Besides ctx's, an error means that the record of slots cannot be kept; nothing may be
// sent then.
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
				// A slot that cannot be given back stays taken until the process ends, which errs on the safe side.
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

// take takes the slot, or says how long to wait before asking again.
func (m *machine) take(mine sharedSlot) (wait time.Duration, err error) {
	err = m.change(func(slots []sharedSlot, now time.Time) []sharedSlot {
		if wait = m.config.wait(slots, mine, now); wait > 0 {
			return slots
		}
		return append(slots, mine)
	})
	return wait, err
}

// change reads the slots that still count, lets f change them, and writes them back, alone on the machine.
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

// locked opens the file under its lock, which closing it ends. A file that was removed meanwhile is opened again.
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
		// A process ended while writing. What was sent is not known, so everything counts as just answered.
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

// lives tells whether the process that holds a lease does.
func (m *machine) lives(lease string) bool {
	if lease == m.name {
		return true
	}
	file, err := os.Open(filepath.Join(m.dir, filepath.Base(lease)))
	if errors.Is(err, fs.ErrNotExist) {
		return false
	}
	if err != nil {
		return true // unknown: its slots stay taken
	}
	defer func() { _ = file.Close() }()
	return syscall.Flock(int(file.Fd()), syscall.LOCK_SH|syscall.LOCK_NB) != nil
}
