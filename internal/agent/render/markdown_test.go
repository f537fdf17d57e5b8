package render_test

import (
	"strings"
	"testing"

	"github.com/stockhand/stockhand/internal/agent/render"
)

func TestPlainTextIsShownAsItIs(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"Болт М6×20, 1.50 ₽ (шт.)":   "Болт М6×20, 1.50 ₽ (шт.)",
		"a_b_c_d":                    "a_b_c_d",
		"_a_":                        `\_a\_`,
		"**a**":                      `\*\*a\*\*`,
		`\[x](https://evil.example)`: `\\\[x\](https\[://\]evil\[.\]example)`,
		"![a][b]":                    `!\[a\]\[b\]`,
		"a\n\n[b]: //x":              `a  \[b\]: //x`,
		"<img src=x>":                "&lt;img src=x>",
		"&lt;b&#58; & c":             "&amp;lt;b&amp;#58; & c",
		"# a":                        `\# a`,
		"> a":                        `\> a`,
		"-5":                         "-5",
		"a|b":                        `a\|b`,
		"a\x1b]0;b\u202e":            `a\]0;b`,
		"www.evil.example":           `www\[.\]evil\[.\]example`,
	} {
		got := string(render.Plain(text))
		if got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
		if back := render.Terminal(got); !strings.ContainsAny(text, "\n\x1b\u202e/w") && back != text {
			t.Errorf("%q on a terminal: %q", text, back)
		}
	}
}

func TestATerminalShowsLinksAndBoldTextPlainly(t *testing.T) {
	for text, want := range map[string]string{
		"1. Заказ: **записан**, [№ 00228](https://x.example/a?b=1)": "1. Заказ: записан, № 00228 https://x.example/a?b=1",
		`**Итого \* 5**`: "Итого * 5",
		`\*\*a\*\*`:      "**a**",
		`\[a\](b)`:       "[a](b)",
	} {
		if got := render.Terminal(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func BenchmarkPlain(b *testing.B) {
	for name, text := range map[string]string{"a sentence": "Больше всего принёс «Болт М6×20»: 1 028 885,78 ₽, 12,5 %.",
		"a hostile name": "![a](https://evil.example/x) <b> _c_"} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				_ = render.Plain(text)
			}
		})
	}
}
