package dialogue

import (
	"slices"
	"strings"
	"testing"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/language"
	"github.com/stockhand/stockhand/internal/language/refer"
	"github.com/stockhand/stockhand/internal/language/token"
)

const shownAnswer = `Нам должны 90 ₽ (3 контрагента).

| Контрагент | Должны нам |
| --- | --: |
| ООО «Альфа» | 50 ₽ |
| ИП Иванов\-Сын | 40 ₽ |
| **Итого** | **90 ₽** |
`

// TestRowsAreReadFromAnAnswerThatTheCallerKeeps reads a table by its first column (rule R351).
func TestRowsAreReadFromAnAnswerThatTheCallerKeeps(t *testing.T) {
	rows := RowsFromText("кто нам должен", shownAnswer)
	if rows == nil || rows.Dimension != "counterparty" || rows.More || rows.Top ||
		!slices.Equal(rows.Names, []string{"ООО «Альфа»", "ИП Иванов-Сын"}) {
		t.Fatalf("%+v", rows)
	}
	more := RowsFromText("кто должен больше всех", shownAnswer+"\n… и ещё строк: 5\n")
	if !more.More || !more.Top {
		t.Errorf("%+v", more)
	}
	if refs := more.Refer(token.Split("их телефоны")); len(refs) != 1 || len(refs[0].Rows) != 0 {
		t.Errorf("some rows stand for all: %+v", refs)
	}
	if refs := more.Refer(token.Split("телефон второго")); len(refs) != 1 || !slices.Equal(refs[0].Rows, []int{1}) {
		t.Errorf("%+v", refs)
	}
	for _, text := range []string{"", "Продажи за вчера: 5 ₽.", "| День | Продаж |\n| --: | --: |\n| 1 | 2 |"} {
		if rows := RowsFromText("", text); rows != nil {
			t.Errorf("%q: %+v", text, rows)
		}
	}
}

// TestTheyStayWhatTheQuestionWasAbout refers to rows after a question about them (rule R350).
func TestTheyStayWhatTheQuestionWasAbout(t *testing.T) {
	list := Shown{Rows: &refer.Rows{Dimension: "product", IDs: []string{"a", "b", "c"}, Names: []string{"A", "B", "C"}}}
	about := func(ids ...string) *language.Reading {
		return &language.Reading{Skill: language.Stock, Arguments: language.Arguments{Products: ids}}
	}
	for _, x := range []struct {
		say  string
		last []string // the rows of the last answer
		of   []string // what it was limited to
		want string
	}{
		{"закажи их", []string{"b"}, []string{"a", "b", "c"}, "abc"}, // only b was sold
		{"order them", []string{"b"}, []string{"a", "b"}, "ab"},
		{"а второго", nil, []string{"a"}, "abc"}, // nothing is left of the first
		{"сколько он стоит", nil, []string{"a"}, "a"},
		{"закажи их", []string{"x", "y"}, nil, "xy"},
		{"второй", []string{"x", "y"}, []string{"a", "b"}, "xy"},
	} {
		last := Shown{Rows: &refer.Rows{Dimension: "product", IDs: x.last, Names: x.last}, Reading: about(x.of...)}
		if got := Meant(x.say, []Shown{last, list}); strings.Join(got.IDs, "") != x.want {
			t.Errorf("%q: %v, want %s", x.say, got.IDs, x.want)
		}
	}
	groups := Shown{Rows: &refer.Rows{Dimension: "group", IDs: []string{"g", "h"}, Names: []string{"G", "H"}}}
	ofGroup := Shown{Rows: list.Rows, Reading: &language.Reading{Skill: language.Stock,
		Arguments: language.Arguments{Groups: []string{"g"}}}}
	if got := Meant("подними на них цены на 5%", []Shown{ofGroup, groups}); strings.Join(got.IDs, "") != "abc" {
		t.Errorf("the goods of a group: %v", got.IDs)
	}
}

// TestTheyAreTheRowsThatWereChosen refers to rows after a question that picked some of them (rules R860, R861).
func TestTheyAreTheRowsThatWereChosen(t *testing.T) {
	list := Shown{Rows: &refer.Rows{Result: "res_1", Dimension: "product", IDs: []string{"a", "b", "c"},
		Names: []string{"A", "B", "C"}}}
	last := func(q analysis.Query, ids ...string) Shown {
		q.Where = append(q.Where, analysis.Condition{Field: "product", Op: analysis.In,
			Values: []analysis.Scalar{"a", "b"}})
		return Shown{Rows: &refer.Rows{Result: "res_2", Dimension: "product", IDs: ids, Names: ids},
			Reading: &language.Reading{Skill: language.Analyze, Query: &q}}
	}
	inStock := []analysis.Condition{{Field: "stock", Op: analysis.Greater, Values: []analysis.Scalar{"0"}}}
	for _, x := range []struct {
		last Shown
		want string
		part bool
	}{
		{last(analysis.Query{Where: inStock}, "b"), "res_2 b", false},
		{last(analysis.Query{Limit: 1}, "b"), "res_2 b", false},
		{last(analysis.Query{}, "b"), "res_1 ab", true}, // only b was sold; c is not meant
	} {
		got := Meant("уцени их на 10%", []Shown{x.last, list})
		if s := got.Result + " " + strings.Join(got.IDs, ""); s != x.want || got.Part != x.part {
			t.Errorf("%+v: %s, part %v, want %s", x.last.Reading.Query, s, got.Part, x.want)
		}
	}
}

// TestRule1242_TheLongestIsTheFirstRow knows that "он" after such a question is the first row.
func TestRule1242_TheLongestIsTheFirstRow(t *testing.T) {
	for _, said := range []string{"кто дольше всех не платит", "какой поставщик дороже всех", "who has owed us longest",
		"what is the cheapest product"} {
		if !AsksForTop(said) {
			t.Errorf("%s: not of the first row", said)
		}
	}
}
