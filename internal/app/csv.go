package app

import (
	"encoding/csv"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/tool"
)

// writeCSV writes whole results for a spreadsheet: a byte-order mark so that Excel reads UTF-8, semicolons and
// decimal commas as Russian Excel expects them (commas and points for English), and no cell that a spreadsheet
// would run as a formula. Several results follow one another, an empty line between.
func writeCSV(w io.Writer, l stockhand.Language, results []*tool.Result) error {
	if _, err := io.WriteString(w, "\ufeff"); err != nil {
		return err
	}
	c := csv.NewWriter(w)
	c.Comma = []rune(l.Pick(";", ","))[0]
	for i, r := range results {
		if i > 0 {
			if err := c.Write([]string{""}); err != nil {
				return err
			}
		}
		header := make([]string, len(r.Columns))
		for j, col := range r.Columns {
			header[j] = defuse(col.Label)
		}
		if err := c.Write(header); err != nil {
			return err
		}
		for _, row := range r.Rows {
			record := make([]string, len(row))
			for j, cell := range row {
				record[j] = csvCell(cell, l)
			}
			if err := c.Write(record); err != nil {
				return err
			}
		}
	}
	c.Flush()
	return c.Error()
}

// csvCell writes numbers bare, so that a spreadsheet can add them up, and an unknown cell as nothing.
func csvCell(v tool.Value, l stockhand.Language) string {
	n, ok := v.Decimal()
	if !ok {
		return defuse(v.Text())
	}
	s := n.Round(4).String()
	if v.Currency() != "" {
		s = n.Fixed(2)
	}
	return l.Pick(strings.Replace(s, ".", ",", 1), s)
}

// defuse keeps a spreadsheet from reading a text of the account's data as a formula.
func defuse(s string) string {
	if s != "" && strings.ContainsRune("=+-@\t\r", rune(s[0])) {
		return "'" + s
	}
	return s
}

// saveCSV writes results to a file for a spreadsheet; it can be read as other files of the person who asked.
func saveCSV(path string, l stockhand.Language, results []*tool.Result) error {
	return writeFile(path, 0o644, func(w io.Writer) error { return writeCSV(w, l, results) })
}

// writeFile writes a file beside its place and moves it there whole: a full disk leaves no half of one, and whoever
// waits for it may read it as soon as it is there. What is there and no regular file, a device or a pipe, is written to:
// moving would put a file in its place.
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

// beside opens a new file in the same folder, or what is at path when that is not a regular file.
func beside(path string) (*os.File, error) {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return os.OpenFile(path, os.O_WRONLY, 0)
	}
	return os.CreateTemp(filepath.Dir(path), ".stockhand-*")
}
