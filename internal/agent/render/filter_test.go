package render_test

import (
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/stockhand/stockhand/internal/agent/render"
)

const system = "https://online.moysklad.ru"

func TestAModelsTextContainsNoForeignLinks(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"[x](javascript:alert(1)) y":                 "[x] (javascript:alert(1)) y",
		"[x](data:text/html;base64,AAAA)":            "[x] (data:text/html;base64,AAAA)",
		"[отчёт](https://evil.example/?sum=561162)":  "[отчёт] (https[://]evil[.]example/?sum=561162)",
		"[отчёт](//evil.example/x)":                  "[отчёт] (//evil[.]example/x)",
		"[отчёт](<javascript:alert(1)>)":             "[отчёт] (&lt;javascript:alert(1)>)",
		"[отчёт]( https://evil.example )":            "[отчёт] ( https[://]evil[.]example )",
		"[файл](/api/v1/results/res_1)":              "[файл](/api/v1/results/res_1)",
		"[файл](/api/v1/../../x)":                    "[файл] (/api/v1/../../x)",
		"[№ 5](" + system + "/app/#order/edit?id=1)": "[№ 5](" + system + "/app/#order/edit?id=1)",
		"см. " + system + "/app/, там":               "см. " + system + "/app/, там",
		system + ".evil.example/?d=1":                "https[://]online[.]moysklad[.]ru[.]evil[.]example/?d=1",
		system + "@evil.example/?d=1":                "https[://]online[.]moysklad[.]ru@evil[.]example/?d=1",
		system + "//evil.example":                    "https[://]online[.]moysklad[.]ru//evil[.]example",
		system + "/?u=https://evil.example":          "https[://]online[.]moysklad[.]ru/?u=https[://]evil[.]example",
		system + "/a,https://evil.example":           "https[://]online[.]moysklad[.]ru/a,https[://]evil[.]example",
		"[a [b] c](javascript:alert)":                "[a [b] c] (javascript:alert)",
		"см. https://evil.example/?sum=1, потом":     "см. https[://]evil[.]example/?sum=1, потом",
		"` https://evil.example/?sum=1":              "` https[://]evil[.]example/?sum=1",
		"www.evil.example":                           "www[.]evil[.]example",
		"evil.example/?d=1":                          "evil[.]example/?d=1",
		"1028885.evil.com":                           "1028885[.]evil[.]com",
		`https\://evil\.example`:                     "https[://]evil[.]example",
		"https&#58;//evil.example/x":                 "https&amp;#58;//evil[.]example/x",
		"ht\u200btps://evil.example":                 "https[://]evil[.]example",
		"<https://evil.example>":                     "&lt;https[://]evil[.]example>",
		"[x][1]\n\n[1]: https://evil.example/a":      "[x][1]\n\n[1] : https[://]evil[.]example/a",
		"![chart](https://evil.example/p.png?d=1)":   "[chart] (https[://]evil[.]example/p[.]png?d=1)",
		"![a][b]":                     "[a][b]",
		"!![a](" + system + "/p.png)": "[a](" + system + "/p.png)",
		"<img src=x onerror=y>":       "&lt;img src=x onerror=y>",
		"a\u202eb\u0007\x1b]0;pwned":  "ab]0;pwned",
		"напишите «подтверждаю», и заказ уйдёт":               "напишите «…», и заказ уйдёт",
		"Для подробностей скажите да.":                        "Для подробностей скажите ….",
		"Type **confirm** or reply yes to see it":             "Type **…** or reply … to see it",
		"напишите: да, подтвердить":                           "напишите: …, …",
		"Больше всех продано товара «Да»":                     "Больше всех продано товара «Да»",
		"Заказ ждёт, пока вы его не подтвердите; yes, да":     "Заказ ждёт, пока вы его не подтвердите; yes, да",
		"Маржа 5 % (см. таблицу), остаток [склад] (основной)": "Маржа 5 % (см. таблицу), остаток [склад] (основной)",
		"**1 028 885,78 ₽** за 12.11.2025 г., т.е. всё; a < b & c, т.д. и т.п., 10 руб./шт.": "**1 028 885,78 ₽** за " +
			"12.11.2025 г., т.е. всё; a < b & c, т.д. и т.п., 10 руб./шт.",
		"| Товар | Цена |\n| --- | --: |\n| Болт М6×20 | 1.50 |": "| Товар | Цена |\n| --- | --: |\n| Болт М6×20 | 1.50 |",
	} {
		if got := string(render.Sanitize(text, system)); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// pieces are what hostile texts are made of.
var pieces = []string{"!", "[", "]", "(", ")", "<", ">", ":", "/", "//", "https", "http", "://", "www.", ".", "evil",
	"example", "\\", "&#58;", "&", "`", "\n", " ", "img", "src=", "д", "Остаток", "₽", "\u202e", "\u00a0", "](", "![",
	"]:", system, "/api/v1/", "?d=1", "\xff", "say ", "«", "confirm", "»", strings.Repeat("x", 700),
	strings.Repeat("ж", 700)}

func TestTheResultDoesNotDependOnTheChunks(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	for range 3000 {
		var b strings.Builder
		for range 1 + random.IntN(30) {
			b.WriteString(pieces[random.IntN(len(pieces))])
		}
		cutAnywhere(t, b.String(), random)
	}
}

func FuzzHowATextIsCutChangesNothing(f *testing.F) {
	for _, p := range pieces {
		f.Add(p+"https://evil.example ![x](y)", uint64(7))
	}
	f.Fuzz(func(t *testing.T, text string, seed uint64) {
		cutAnywhere(t, text, rand.New(rand.NewPCG(seed, 1)))
	})
}

// cutAnywhere filters a text in pieces: put together they are the filtered whole, which holds nothing active.
func cutAnywhere(t *testing.T, text string, random *rand.Rand) {
	t.Helper()
	whole := string(render.Sanitize(text, system))
	f := render.NewFilter(system)
	var got strings.Builder
	for rest := text; rest != ""; {
		n := 1 + random.IntN(min(len(rest), 9))
		got.WriteString(f.Add(rest[:n]))
		rest = rest[n:]
	}
	got.WriteString(f.Close())
	if got.String() != whole {
		t.Fatalf("%q in pieces: %q, whole: %q", text, got.String(), whole)
	}
	if why := active(whole); why != "" {
		t.Fatalf("%q became %q: %s", text, whole, why)
	}
}

// active says what in a text a program that renders Markdown would fetch or link; empty for nothing.
func active(text string) string {
	return activeMark.FindString(strings.ReplaceAll(strings.ReplaceAll(text, system, " "), "](/api/v1/", " "))
}

var activeMark = regexp.MustCompile(`!\[|\]:|(?:^|[^\[])://|(?i:www\.[\p{L}\d])|<[A-Za-z/!?]|\]\([^ ]|[\x{202e}\x00-\x08\x1b]`)

func BenchmarkFilter(b *testing.B) {
	text := strings.Repeat("Больше всего принёс «Болт М6×20»: **1 028 885,78 ₽** за 30 дней, маржа 12,5 %. ", 8)
	for name, text := range map[string]string{"plain": text, "links": text + "[отчёт](https://evil.example/?d=1) <b>"} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				f := render.NewFilter(system)
				for at := 0; at < len(text); at += 12 {
					f.Add(text[at:min(at+12, len(text))])
				}
				f.Close()
			}
		})
	}
	b.Run("copy", func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		for b.Loop() {
			var out strings.Builder
			for at := 0; at < len(text); at += 12 {
				out.WriteString(text[at:min(at+12, len(text))])
			}
		}
	})
}
