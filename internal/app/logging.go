package app

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"regexp"
	"strings"

	"github.com/stockhand/stockhand"
)

// NewLogger returns a logger that writes text or JSON from a level on. A filter removes secrets from everything that is
// logged, because an error's text may quote a request.
func NewLogger(w io.Writer, format, level string) (*slog.Logger, error) {
	var least slog.Level
	if err := least.UnmarshalText([]byte(level)); err != nil {
		return nil, stockhand.Errorf(stockhand.CodeValidation, "unknown log level").WithHint(
			"--log-level and STOCKHAND_LOG_LEVEL take debug, info, warn or error")
	}
	if format != "text" && format != "json" {
		return nil, stockhand.Errorf(stockhand.CodeValidation, "unknown log format").WithHint(
			"--log-format and STOCKHAND_LOG_FORMAT take text or json")
	}
	o := &slog.HandlerOptions{Level: least}
	var h slog.Handler = slog.NewTextHandler(w, o)
	if format == "json" {
		h = slog.NewJSONHandler(w, o)
	}
	return slog.New(redacting{h}), nil
}

// redacting is a handler that removes secrets from messages and attributes, by attribute name and by the format of
// values.
type redacting struct{ slog.Handler }

const redacted = "[redacted]"

func (h redacting) Handle(ctx context.Context, r slog.Record) error {
	clean := slog.NewRecord(r.Time, r.Level, redact(r.Message), r.PC)
	r.Attrs(func(a slog.Attr) bool {
		clean.AddAttrs(redactAttr(a))
		return true
	})
	return h.Handler.Handle(ctx, clean)
}

func (h redacting) WithAttrs(attrs []slog.Attr) slog.Handler {
	clean := make([]slog.Attr, len(attrs))
	for i, a := range attrs {
		clean[i] = redactAttr(a)
	}
	return redacting{h.Handler.WithAttrs(clean)}
}

func (h redacting) WithGroup(name string) slog.Handler { return redacting{h.Handler.WithGroup(name)} }

// secretNames are attributes whose values are never logged.
var secretNames = regexp.MustCompile(`(?i)^(authorization|cookie|set-cookie|password|passwd|secret|token|api[_-]?key|access[_-]?token|pepper|credential)$`)

func redactAttr(a slog.Attr) slog.Attr {
	v := a.Value.Resolve()
	switch {
	case secretNames.MatchString(a.Key):
		return slog.String(a.Key, redacted)
	case v.Kind() == slog.KindGroup:
		members := v.Group()
		clean := make([]slog.Attr, len(members))
		for i, m := range members {
			clean[i] = redactAttr(m)
		}
		return slog.Attr{Key: a.Key, Value: slog.GroupValue(clean...)}
	case v.Kind() == slog.KindString:
		return slog.String(a.Key, redact(v.String()))
	case v.Kind() == slog.KindAny: // errors and other values: as they would be printed
		return slog.String(a.Key, redact(printed(v.Any())))
	}
	return slog.Attr{Key: a.Key, Value: v}
}

func printed(v any) string {
	if err, ok := v.(error); ok {
		return err.Error()
	}
	return fmt.Sprintf("%+v", v)
}

// secretShapes are the formats of secrets: our keys and tokens, bearer and basic credentials, the login in a URL,
// values of passwords and tokens, and the 40 hexadecimal characters of an employee token.
// Letters before or after a secret do not hide it.
var secretShapes = []struct {
	shape *regexp.Regexp
	keep  string
}{
	{regexp.MustCompile(`sk-(org|usr|inv)-[0-9A-Za-z]{10}[0-9A-Za-z_-]*`), "sk-$1-" + redacted},
	{regexp.MustCompile(`sk-[0-9A-Za-z_-]{16,}`), "sk-" + redacted},
	{regexp.MustCompile(`(?i)(bearer|basic)\s+[^\s"',;]+`), "$1 " + redacted},
	{regexp.MustCompile(`([a-zA-Z][a-zA-Z0-9+.-]*://)[^\s/@"']+@`), "${1}" + redacted + "@"},
	{regexp.MustCompile(`(?i)(password|passwd|pwd|secret|token|api_?key)(["']?\s*[=:]\s*["']?)[^\s"'&,;}]+`),
		"$1$2" + redacted},
	{regexp.MustCompile(`[0-9a-fA-F]{40,}`), redacted},
}

// redact replaces what looks like a secret.
func redact(s string) string {
	if len(s) < 8 { // too short for a secret
		return s
	}
	s = strings.ToValidUTF8(s, "�")
	for _, x := range secretShapes {
		s = x.shape.ReplaceAllString(s, x.keep)
	}
	return s
}
