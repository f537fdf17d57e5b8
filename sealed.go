package stockhand

import (
	"fmt"
	"log/slog"
)

// Sealed is a credential as it rests in the store: encrypted by internal/secret, and of no use without its key.
// Even so it is never written out: every way of printing it gives a placeholder.
type Sealed []byte

const sealedText = "[sealed]"

// Format writes a placeholder, whatever the verb.
func (Sealed) Format(s fmt.State, _ rune) { _, _ = s.Write([]byte(sealedText)) }

// LogValue writes a placeholder into logs.
func (Sealed) LogValue() slog.Value { return slog.StringValue(sealedText) }

// MarshalText writes a placeholder into JSON.
func (Sealed) MarshalText() ([]byte, error) { return []byte(sealedText), nil }
