package content_test

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stockhand/stockhand/internal/store/content"
)

// stored returns what the column holds.
func stored(t *testing.T, c content.Content) []byte {
	t.Helper()
	v, err := c.Value()
	if err != nil {
		t.Fatal(err)
	}
	return v.([]byte)
}

func scanned(t *testing.T, column any) (c content.Content) {
	t.Helper()
	if err := c.Scan(column); err != nil {
		t.Fatal(err)
	}
	return c
}

func TestEveryTextIsReadAsItWasStored(t *testing.T) {
	key := content.NewKey("org_1")
	for _, text := range []string{"", "x", "\x00", "\x00\x01text that looks encrypted", "\x00\x00", "текст",
		strings.Repeat("long ", 50_000)} {
		for name, k := range map[string]*content.Key{"encrypted": key, "plain": nil} {
			sealed := k.Seal([]byte(text), "messages.text", "msg_1")
			column := scanned(t, stored(t, sealed))
			got, err := k.Open(column, "messages.text", "msg_1")
			if err != nil || string(got) != text || column.Encrypted() != (k != nil && text != "") {
				t.Errorf("%s %.20q: %.20q, %v", name, text, got, err)
			}
		}
	}
	if got, err := key.Open(scanned(t, "before"), "messages.text", "msg_1"); string(got) != "before" || err != nil {
		t.Errorf("stored before encryption was switched on: %q, %v", got, err)
	}
}

func TestEncryptedTextOpensOnlyInItsPlaceAndUnchanged(t *testing.T) {
	key := content.NewKey("org_1")
	sealed := key.Seal([]byte("text"), "events.data", "run_1", 23)
	other, err := content.KeyOf("org_2", key.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	for name, open := range map[string]func() ([]byte, error){
		"another column": func() ([]byte, error) { return key.Open(sealed, "messages.text", "run_1", 23) },
		"another row":    func() ([]byte, error) { return key.Open(sealed, "events.data", "run_12", 3) },
		"an organization with the same key": func() ([]byte, error) {
			return other.Open(sealed, "events.data", "run_1", 23)
		},
		"another key": func() ([]byte, error) {
			return content.NewKey("org_1").Open(sealed, "events.data", "run_1", 23)
		},
		"no key": func() ([]byte, error) { return (*content.Key)(nil).Open(sealed, "events.data", "run_1", 23) },
	} {
		if text, err := open(); !errors.Is(err, content.ErrKey) || text != nil {
			t.Errorf("%s: %q, %v", name, text, err)
		}
	}
	column := stored(t, sealed)
	for i := range column {
		changed := bytes.Clone(column)
		changed[i] ^= 4
		if text, err := key.Open(scanned(t, changed), "events.data", "run_1", 23); err == nil && i > 0 {
			t.Errorf("byte %d was changed: %q", i, text)
		}
		if text, err := key.Open(scanned(t, column[:i]), "events.data", "run_1", 23); err == nil && i > 0 {
			t.Errorf("cut to %d bytes: %q", i, text)
		}
	}
}

func TestEqualTextsAreEncryptedDifferently(t *testing.T) {
	key := content.NewKey("org_1")
	a, b := key.Seal([]byte("text"), "messages.text", "msg_1"), key.Seal([]byte("text"), "messages.text", "msg_1")
	if bytes.Equal(stored(t, a), stored(t, b)) {
		t.Error("equal")
	}
}

func TestAKeyIsNotPrinted(t *testing.T) {
	key := content.NewKey("org_1")
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%x", "%d"} {
		if got := fmt.Sprintf(verb, key); got != "the data key of org_1" {
			t.Errorf("%s prints %q", verb, got)
		}
	}
}

// BenchmarkSeal measures a text of 200 bytes and a page of 16 KiB.
func BenchmarkSeal(b *testing.B) {
	key := content.NewKey("org_1")
	for _, size := range []int{200, 16 << 10} {
		text := bytes.Repeat([]byte("x"), size)
		b.Run(fmt.Sprint("seal ", size), func(b *testing.B) {
			b.SetBytes(int64(size))
			for b.Loop() {
				key.Seal(text, "messages.text", "msg_1")
			}
		})
		sealed := key.Seal(text, "messages.text", "msg_1")
		b.Run(fmt.Sprint("open ", size), func(b *testing.B) {
			b.SetBytes(int64(size))
			for b.Loop() {
				if _, err := key.Open(sealed, "messages.text", "msg_1"); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
