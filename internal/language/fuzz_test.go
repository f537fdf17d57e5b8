package language

import (
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/connector/moysklad/analyze/measures"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/language/draft"
)

func FuzzRead(f *testing.F) {
	for _, s := range []string{
		"что заканчивается на складах и что заказать?", "profit from October 1-15 2026", "остаток «удали все", "\"",
		"«»", "1 000 000 тыс. руб", "99999999999999999999 дней",
		"с 31 по 30 февраля", "топ-10", "Q9 H7 IV кв", "a'b'c n't", "\xff\xfe", "за 0 дней", "5000 лет назад",
		"12.13.2026", "- - - / /", "№ 1 % + ", "с по до от",
		"закажи 50 «Коврик» и 20 кг чая по 10 руб. к 5 декабря",
		"подними цены на +5 % кроме посуды, округли до 10 вверх", "перекинь с центра на лесной", "15% off, ending in 9",
		"поставь цену 0 на коврик",
	} {
		f.Add(s, int64(1792588800))
	}
	f.Fuzz(func(t *testing.T, task string, at int64) {
		now := time.Unix(at%4_000_000_000, 0)
		names := append([]connector.Name{{Kind: connector.NameProduct, ID: "x", Name: task,
			Also: []string{strings.ToUpper(task)}}}, shop...)
		first := Read(task, Input{Now: now, Names: names, Catalogue: measures.Catalogue,
			Accounts: []Account{{ID: "1", Label: "a"}, {ID: "2", Label: task}}})
		again := Read(task, Input{Now: now, Names: names, Catalogue: measures.Catalogue, Previous: &first})
		for _, r := range []Reading{first, again} {
			if !r.Outside && r.Question == nil && r.Skill == "" {
				t.Errorf("%q: no skill and no question, but not marked outside", task)
			}
			a := r.Arguments
			if a.From != "" && a.To != "" && a.From > a.To {
				t.Errorf("%q: the period %s..%s ends before it starts", task, a.From, a.To)
			}
			if today := now.Format(time.DateOnly); a.To > today && len(a.To) == len(today) {
				t.Errorf("%q: the period ends on %s, after today %s", task, a.To, today)
			}
			if d, ok := r.Input.(draft.Draft); ok {
				checkDraft(t, task, d)
			}
			if _, err := decimal.Parse(a.MinAmount); a.MinAmount != "" && err != nil {
				t.Errorf("%q: %q is not a number", task, a.MinAmount)
			}
			if a.Limit < 0 || a.Days < 0 || a.MinDays < 0 {
				t.Errorf("%q: a negative number in %+v", task, a)
			}
			if utf8.ValidString(task) && !utf8.ValidString(r.Period) {
				t.Errorf("%q: the period's words are not valid UTF-8", task)
			}
		}
	})
}

// checkDraft checks that a draft has only what goes together.
func checkDraft(t *testing.T, task string, d draft.Draft) {
	t.Helper()
	for _, i := range d.Items {
		for _, n := range []string{i.Quantity, i.Price} {
			if v, err := decimal.Parse(n); n != "" && (err != nil || v.Sign() <= 0) {
				t.Errorf("%q: a draft line with quantity or price %q", task, n)
			}
		}
	}
	for _, n := range []string{d.Percent, d.Markup, d.Margin, d.Amount, d.Price} {
		if _, err := decimal.Parse(n); n != "" && err != nil {
			t.Errorf("%q: %q is not a number", task, n)
		}
	}
	if d.Everything && d.Scoped() {
		t.Errorf("%q: both everything and a selection: %+v", task, d)
	}
	if len(d.Items) > 0 && len(d.Products)+len(d.Groups)+d.Days > 0 {
		t.Errorf("%q: both a list and a selection: %+v", task, d)
	}
}

func BenchmarkRead(b *testing.B) {
	load()
	names := make([]connector.Name, 0, 2000)
	for i := range 2000 {
		names = append(names, connector.Name{Kind: connector.NameProduct, ID: fmt.Sprint(i),
			Name: fmt.Sprintf("Чайник стальной %d л серия %d", i%7, i), Also: []string{fmt.Sprintf("10-%d", i)}})
	}
	for _, c := range []struct {
		name string
		in   Input
	}{{"names=0", Input{Now: wednesday}}, {"names=17", Input{Now: wednesday, Names: shop}},
		{"names=2000", Input{Now: wednesday, Names: names}}} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				Read("подскажи пожалуйста, что заканчивается на основном складе и что заказать на 2 недели вперёд?",
					c.in)
			}
		})
	}
}
