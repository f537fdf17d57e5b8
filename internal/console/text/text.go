// Package text contains every word of the console, in both languages. A page takes its language from the context:
//
//	{ text.Save.In(ctx) }
//
// The texts of a page are in a file named like its package; texts.go has those of several.
package text

import (
	"context"
	"fmt"
	"strconv"

	"github.com/stockhand/stockhand"
)

type languageKey struct{}

// With returns a context whose texts are in the language.
func With(ctx context.Context, l stockhand.Language) context.Context {
	return context.WithValue(ctx, languageKey{}, l)
}

// Language returns the language of the context's texts, English by default.
func Language(ctx context.Context) stockhand.Language {
	if l, ok := ctx.Value(languageKey{}).(stockhand.Language); ok {
		return l
	}
	return stockhand.English
}

// T is a text in both languages. Texts with verbs of package fmt are completed with [T.With].
type T struct{ RU, EN string }

// In returns the text in the language of the context.
func (t T) In(ctx context.Context) string { return Language(ctx).Pick(t.RU, t.EN) }

// With returns the text with its verbs replaced.
func (t T) With(ctx context.Context, values ...any) string { return fmt.Sprintf(t.In(ctx), values...) }

// Count is a counted noun: in Russian for 1, 2 and 5 of them, in English for 1 and more.
type Count struct{ RU1, RU2, RU5, EN1, EN2 string }

// Of returns a number with the noun in its form: "3 документа".
func (c Count) Of(ctx context.Context, n int) string {
	return strconv.Itoa(n) + "\u00a0" + c.Word(ctx, n)
}

// Word returns the noun in the form for a number, without the number.
func (c Count) Word(ctx context.Context, n int) string {
	if Language(ctx) == stockhand.English {
		if n == 1 {
			return c.EN1
		}
		return c.EN2
	}
	switch {
	case n%10 == 1 && n%100 != 11:
		return c.RU1
	case n%10 >= 2 && n%10 <= 4 && (n%100 < 12 || n%100 > 14):
		return c.RU2
	}
	return c.RU5
}
