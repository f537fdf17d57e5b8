package app

import (
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/limit"
)

// config is what the environment says. It is read once and passed on as values.
type config struct {
	database    string   // file or postgres:// URL of the record; empty is a temporary one
	secretKey   string   // the key that credentials are sealed with
	secretFile  string   // or the file that holds it
	moyskladURL string   // another server of that API; empty is the vendor's
	tokens      []string // employee tokens to connect

	// Nil, which means the program's own, but in tests of other things.
	limiter limit.Limiter
	pauses  []time.Duration // see draft.Config
}

// readConfig reads the environment. Tokens come from it, never from flags: a flag's value is in the process list.
func (e *env) readConfig() (config, error) {
	c := config{
		database:    e.getenv("STOCKHAND_DATABASE_URL"),
		secretKey:   e.getenv("STOCKHAND_SECRET_KEY"),
		secretFile:  e.getenv("STOCKHAND_SECRET_KEY_FILE"),
		moyskladURL: strings.TrimRight(e.getenv("STOCKHAND_MOYSKLAD_URL"), "/"),
		tokens:      strings.FieldsFunc(e.getenv("STOCKHAND_MOYSKLAD_TOKEN"), func(r rune) bool { return strings.ContainsRune(", \n\r\t;", r) }),
	}
	if c.moyskladURL != "" {
		u, err := url.Parse(c.moyskladURL)
		if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" || u.User != nil {
			return c, stockhand.Errorf(stockhand.CodeValidation, "STOCKHAND_MOYSKLAD_URL is not the address of a server").
				WithHint("give the API's root, as in https://api.moysklad.ru/api/remap/1.2, without a login")
		}
		if u.Path == "" {
			c.moyskladURL += apiPath // a bare host means the usual place of the API on it
		}
	}
	return c, nil
}

const apiPath = "/api/remap/1.2"

// atHome fills in what the environment leaves open with files in the user's data folder, and makes that folder.
func (c config) atHome(getenv func(string) string) (config, error) {
	if c.database != "" && (c.secretKey != "" || c.secretFile != "") {
		return c, nil
	}
	dir := getenv("STOCKHAND_DATA_DIR")
	if dir == "" {
		base := getenv("XDG_DATA_HOME")
		if base == "" {
			home := getenv("HOME")
			if home == "" {
				return c, stockhand.Errorf(stockhand.CodeValidation, "no place to keep the record: neither STOCKHAND_DATA_DIR nor HOME is set").
					WithHint("set STOCKHAND_DATA_DIR to a folder")
			}
			base = filepath.Join(home, ".local", "share")
		}
		dir = filepath.Join(base, "stockhand")
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return c, stockhand.Errorf(stockhand.CodeInternal, "cannot make the data folder: %w", err).WithHint("set STOCKHAND_DATA_DIR to a folder that can be written")
	}
	if c.database == "" {
		c.database = filepath.Join(dir, "stockhand.db")
	}
	if c.secretKey == "" && c.secretFile == "" {
		c.secretFile = filepath.Join(dir, "secret.key")
	}
	return c, nil
}

// String is the configuration without its secrets.
func (c config) String() string {
	return fmt.Sprintf("database %s, moysklad %s, %d tokens", filepath.Base(c.database), c.moyskladURL, len(c.tokens))
}
