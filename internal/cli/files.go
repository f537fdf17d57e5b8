package cli

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// writeFile writes a temporary file in the same folder and renames it, so that a full disk leaves no partial file, and
// a program that waits for the file can read it as soon as it exists. It writes to a device or pipe directly, because
// renaming would replace it.
func writeFile(path string, mode os.FileMode, content func(io.Writer) error) (err error) {
	f, err := beside(path)
	if err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	moves := f.Name() != path
	defer func() {
		if err != nil {
			_ = f.Close()
			if moves {
				_ = os.Remove(f.Name())
			}
			err = fmt.Errorf("write %s: %w", path, err)
		}
	}()
	if err := content(f); err != nil {
		return err
	}
	if moves {
		if err := f.Chmod(mode); err != nil {
			return err
		}
	}
	if err := f.Close(); err != nil || !moves {
		return err
	}
	return os.Rename(f.Name(), path)
}

// beside opens a temporary file in the same folder, or path itself if it is not a regular file.
func beside(path string) (*os.File, error) {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return os.OpenFile(path, os.O_WRONLY, 0)
	}
	return os.CreateTemp(filepath.Dir(path), ".stockhand-*")
}
