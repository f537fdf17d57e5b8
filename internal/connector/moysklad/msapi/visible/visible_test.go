package visible

import (
	"bytes"
	"encoding/json"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stockhand/stockhand"
)

// hostile are names with line breaks, terminal escapes, bidirectional overrides and invisible characters.
var hostile = []string{"a\nb", "a\r\n\tb", "\x1b]0;pwned\x07", "a\u202eb\u2066c", "a\u200bb\ufeff", "a\u2028b",
	"a\u0085b",
	"e\U000e0041x", "Болт «М6×20» № 5 — 10 ₽", `quo"te\ and \n / \u202e`, "😀 ж", "a\u00adb", "\u00a01\u202f000", ""}

func TestAttackNamesAreVisibleWhereTheyEnter(t *testing.T) {
	for _, escaped := range []bool{false, true} {
		for _, name := range hostile {
			var b bytes.Buffer
			encoder := json.NewEncoder(&b)
			encoder.SetEscapeHTML(false)
			if err := encoder.Encode(map[string]string{"name": name}); err != nil {
				t.Fatal(err)
			}
			text := b.String()
			if escaped {
				text = `{"name":"` + unicodeEscapes(name) + `"}`
			}
			for how, r := range map[string]io.Reader{"whole": strings.NewReader(text),
				"byte by byte": iotest.OneByteReader(strings.NewReader(text)),
				"in pieces":    iotest.HalfReader(strings.NewReader(text))} {
				var got struct{ Name string }
				if err := json.NewDecoder(JSON(r)).Decode(&got); err != nil {
					t.Fatalf("%q: %v", text, err)
				}
				want := strings.ReplaceAll(strings.Map(stockhand.Visible, name), "\x07", "")
				if strings.Join(strings.Fields(got.Name), " ") != strings.Join(strings.Fields(want), " ") {
					t.Errorf("%s, %s: %q became %q, want %q", how, text, name, got.Name, want)
				}
			}
		}
	}
}

// unicodeEscapes escapes every character as \uXXXX.
func unicodeEscapes(s string) string {
	const digits = "0123456789abcdef"
	var b strings.Builder
	for _, r := range s {
		units := []rune{r}
		if r > 0xffff {
			r -= 0x10000
			units = []rune{0xd800 + r>>10, 0xdc00 + r&0x3ff}
		}
		for _, u := range units {
			b.WriteString(`\u`)
			for shift := 12; shift >= 0; shift -= 4 {
				b.WriteByte(digits[u>>shift&15])
			}
		}
	}
	return b.String()
}

// FuzzVisible checks that JSON stays valid, that the chunk size does not matter, and that no string contains an
// invisible character.
func FuzzVisible(f *testing.F) {
	for _, name := range hostile {
		f.Add(name, uint8(3))
	}
	f.Fuzz(func(t *testing.T, name string, step uint8) {
		text, err := json.Marshal([]any{name, 1.5, map[string]any{name: name}})
		if err != nil {
			t.Fatal(err)
		}
		whole, err := io.ReadAll(JSON(bytes.NewReader(text)))
		if err != nil || !json.Valid(whole) {
			t.Fatalf("%q was rewritten as %q, %v", text, whole, err)
		}
		chunked, _ := io.ReadAll(JSON(&chunkReader{text, int(step%7) + 1}))
		if !bytes.Equal(chunked, whole) {
			t.Fatalf("%q: %q in chunks, %q at once", text, chunked, whole)
		}
		var got []any
		if err := json.Unmarshal(whole, &got); err != nil || strings.ContainsFunc(got[0].(string), func(r rune) bool {
			return stockhand.Visible(r) != r
		}) {
			t.Fatalf("%q was rewritten as %q, %v", name, got, err)
		}
	})
}

// chunkReader reads at most n bytes at a time.
type chunkReader struct {
	text []byte
	n    int
}

func (s *chunkReader) Read(p []byte) (int, error) {
	if len(s.text) == 0 {
		return 0, io.EOF
	}
	n := copy(p[:min(len(p), s.n)], s.text)
	s.text = s.text[n:]
	return n, nil
}

func BenchmarkVisible(b *testing.B) {
	row := `{"id":"c02e3a5c-007e-11e6-9464-e4de00000006","name":"Болт «М6×20» № 5","description":"a\nb","price":12.5},`
	text := []byte("[" + strings.Repeat(row, 1000) + "0]")
	b.Run("visible", func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		for b.Loop() {
			_, _ = io.Copy(io.Discard, JSON(bytes.NewReader(text)))
		}
	})
	b.Run("copy", func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		for b.Loop() {
			_, _ = io.Copy(io.Discard, struct{ io.Reader }{bytes.NewReader(text)})
		}
	})
	b.Run("decode", func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		for b.Loop() {
			var rows []any
			_ = json.NewDecoder(bytes.NewReader(text)).Decode(&rows)
		}
	})
}
