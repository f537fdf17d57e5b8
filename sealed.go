package stockhand

import (
	"fmt"
	"log/slog"
)

// Sealed is a secret encrypted by internal/secret. It prints as a placeholder, so that even the ciphertext never
// reaches logs or answers.
type Sealed []byte

const sealedText = "[sealed]"

// Format writes a placeholder, whatever the verb.
func (Sealed) Format(s fmt.State, _ rune) { _, _ = s.Write([]byte(sealedText)) }

// LogValue writes a placeholder into logs.
func (Sealed) LogValue() slog.Value { return slog.StringValue(sealedText) }

// MarshalText writes a placeholder into JSON.
func (Sealed) MarshalText() ([]byte, error) { return []byte(sealedText), nil }
