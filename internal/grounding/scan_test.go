package grounding

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stockhand/stockhand"
)

var kindNames = map[kind]string{bare: "", money: "money", percent: "percent", quantity: "quantity", count: "count",
	days: "days", top: "top", times: "times", other: "other"}

// readFigures formats the figures found in a text: value, kind, currency or noun.
func readFigures(text string, l stockhand.Language) string {
	x := newEvidence(text, l, Evidence{})
	x.years = [2]int{2025, 2026}
	d := x.read(text)
	var out []string
	for _, f := range d.figures {
		value := "?"
		if len(f.Readings) > 0 {
			value = ""
			for i, r := range f.Readings {
				if i > 0 {
					value += "|"
				}
				value += r.Value.String()
			}
		}
		out = append(out, strings.Join(strings.Fields(
			fmt.Sprintf("%s %s %s%s", value, kindNames[f.Kind], f.Currency, f.Noun)), " "))
	}
	return strings.Join(out, "; ")
}

func TestNumbersAreReadAsPeopleWriteThem(t *testing.T) {
	for _, c := range []struct {
		l          stockhand.Language
		text, want string
	}{
		{"ru", "1 234,56 ₽", "1234.56 money RUB"},
		{"ru", "1\u00a0234,56\u00a0₽", "1234.56 money RUB"},
		{"ru", "1\u202f234,56\u202f₽", "1234.56 money RUB"},
		{"ru", "1\u2009773\u2009281 руб.", "1773281 money RUB"},
		{"ru", "1'234.50 р.", "1234.5 money RUB"},
		{"ru", "1.234,56 €", "1234.56 money EUR"},
		{"en", "$1,234.56", "1234.56 money USD"},
		{"en", "1,234,567.89 RUB", "1234567.89 money RUB"},
		{"en", "RUB 1,234", "1234 money RUB"},
		{"en", "RUB500", "500 money RUB"},
		{"en", "**1,234** ₽", "1234 money RUB"},
		{"ru", "1,2 тыс. руб.", "1200 money RUB"},
		{"ru", "1,2 млн ₽", "1200000 money RUB"},
		{"ru", "3 миллиона рублей", "3000000 money RUB"},
		{"ru", "2,5 млрд рублей", "2500000000 money RUB"},
		{"en", "1.2 million dollars", "1200000 money USD"},
		{"en", "$1.2M", "1200000 money USD"},
		{"en", "34.5k", "34500"},
		{"ru", "34,5к", "34500"},
		{"ru", "29,9 %", "29.9 percent"},
		{"ru", "29,9%", "29.9 percent"},
		{"ru", "29.9 процента", "29.9 percent"},
		{"ru", "на 2,5 п.п.", "2.5 percent"},
		{"en", "29.9 percent", "29.9 percent"},
		{"ru", "−22 шт.", "-22 quantity"},
		{"ru", "остаток: -22", "-22"},
		{"ru", "(–22)", "-22"},
		{"ru", "5-7 шт.", "5 quantity; 7 quantity"},
		{"ru", "от 5 до 7 дней", "5 days; 7 days"},
		{"ru", "1,2–1,5 млн ₽", "1200000 money RUB; 1500000 money RUB"},
		{"ru", "47 из 120 товаров", "47 count goods; 120 count goods"},
		{"ru", "26 просроченных заказов", "26 count orders"},
		{"en", "26 overdue customer orders", "26 count orders"},
		{"ru", "2 недели", "14 days"},
		{"ru", "за последние 30 дней", "30 days"},
		{"ru", "1,5 кг", "1.5 quantity"},
		{"ru", "1,014", "1.014|1014"},
		{"en", "1,014", "1014"},
		{"en", "1.014 kg", "1.014 quantity"},
		{"ru", "1,014 ₽", "1014 money RUB"},
		{"ru", "в 2,5 раза", "2.5 times"},
		{"en", "2x more", "2 times"},
		{"ru", "топ-5 товаров", "5 top goods"},
		{"ru", "топ-5", "5 top"},
		{"en", "top 10:", "10 top"},
		{"ru", "пять миллионов рублей", "5000000 money RUB"},
		{"ru", "сто двадцать тысяч рублей", "120000 money RUB"},
		{"en", "two hundred thousand roubles", "200000 money RUB"},
		{"en", "ten percent", "10 percent"},
		{"ru", "x500 ₽", "500 money RUB"},
		{"ru", "прибыль-500 ₽", "500 money RUB"},
		{"ru", "٥٠٠ ₽", "?"},
		{"ru", "- 5 шт.\n- 7 шт.", "5 quantity; 7 quantity"},
		{"ru", "10 000 000 000", "10000000000"},
		{"ru", "12 шт 345 ₽", "12 quantity; 345 money RUB"},
		{"ru", "2026 ₽", "2026 money RUB"},
		{"ru", "маржа в сентябре 29,8 %", "29.8 percent"},
		{"ru", "прибыль в октябре 29 610 ₽", "29610 money RUB"},
		{"ru", "продано в октябре 12 шт.", "12 quantity"},
		{"ru", "в октябре 15 заказов", "15 count orders"},
		{"ru", "выручка за ноябрь 12, за октябрь 30", "12; 30"},
		{"en", "margin in September 29.8 %", "29.8 percent"},
		{"en", "profit in October 29,610 RUB", "29610 money RUB"},
	} {
		if got := readFigures(c.text, c.l); got != c.want {
			t.Errorf("%s %q: %s, want %s", c.l, c.text, got, c.want)
		}
	}
}

func TestOtherDigitsAreNotFigures(t *testing.T) {
	for _, text := range []string{
		"1. Первое\n2. Второе\n10) десятое", "## 1. Итоги", "**1.** Пункт", "во-первых, 1) раз, 2) два",
		"1-й, 2-го, 3rd, 4th", "№ 15", "заказ #287", "заказ 00287", "артикул A-1198 и SET-2",
		"21.11.2026", "с 01.11 по 20.11", "2026-11-21", "2026-11-21T10:15:00Z", "21 ноября 2026 г.", "21 Nov 2026",
		"Nov 21, 2026", "1–15 ноября", "24.08–22.11.2026", "за период (24.08 – 22.11.2026)",
		"24.12–05.01.2026", "в сентябре, 29 числа", "Nov 21,2026", "November 21.", "September 29, October 30",
		"с 1 по 15 ноября", "ноябрь 2026", "November 2026", "ноябрь 26", "окт. 2025",
		"в 2026 году", "2025 год", "in 2026", "в 12:30", "12:30:15", "res_01jd8s7k9m2n3p4q5r6s7t8v9w",
		"8b7e8232-02b2-11ac-0a80-b63f69e6e191", "https://example.com/a/15?b=100 ", "[отчёт](https://example.com/15)",
		"40702810555455359568", "40×60", "один из складов, два товара, in one of ten", "3 Вт", "круглосуточно 24/7",
		"MS365", "версия 1.2.3",
		"| № | Товар |\n|---|---|\n| 1 | А |\n| 2 | Б |",
	} {
		got := readFigures(text, "ru")
		if text == "3 Вт" { // without a name next to it, a size is an ordinary number
			if got != "3" {
				t.Errorf("%q: %s", text, got)
			}
			continue
		}
		if got != "" {
			t.Errorf("%q was read as a figure: %s", text, got)
		}
	}
}
