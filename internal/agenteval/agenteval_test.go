package main

import (
	"strings"
	"testing"

	"github.com/stockhand/stockhand/internal/agent"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/llm"
	"github.com/stockhand/stockhand/internal/llm/llmtest"
)

// The tools read what the sandbox's data say, in every task; the fact checker marks the wrong figures that the stand-in
// writes, and few others.
func TestTheStandInIsEvaluated(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	s, err := evaluate(t.Context(), &out, llm.Config{}, "", true)
	if err != nil {
		t.Fatal(err)
	}
	t.Log(out.String())
	if s.tasks != 60 || s.failed > 0 || s.steps < 100 || s.input == 0 || s.output == 0 {
		t.Errorf("%d tasks, %d failed, %d steps, %d + %d tokens", s.tasks, s.failed, s.steps, s.input, s.output)
	}
	if s.planted < 8 || s.caught != s.planted {
		t.Errorf("%d of %d wrong figures are marked", s.caught, s.planted)
	}
	if s.wrong > 0 || s.marked > 0 || s.read+s.marked+s.planted != s.figures {
		t.Errorf("%d of %d figures are right, %d marked, %d wrong and not marked", s.read, s.figures, s.marked, s.wrong)
	}
	if s.named != s.names || s.drawn != s.drafts || s.denied != s.asked {
		t.Errorf("names %d/%d, drafts %d/%d, declined %d/%d", s.named, s.names, s.drawn, s.drafts, s.denied, s.asked)
	}
	if !strings.Contains(out.String(), "NO MODEL IS CONFIGURED") {
		t.Error("it does not say that a stand-in answers")
	}
}

// A model that makes figures up is not right in any task that asks for one, and is not said to be.
func TestAModelThatLiesIsNotRight(t *testing.T) {
	t.Parallel()
	liar := llmtest.New(t, llmtest.Always(llmtest.Say("Ровно 4 321 567,89 ₽. Exactly 4,321,567.89.")))
	s, err := evaluate(t.Context(), &strings.Builder{}, liar.Config(), "", false)
	if err != nil {
		t.Fatal(err)
	}
	if s.right > 0 || s.read > 0 || s.drawn > 0 || s.planted > 0 {
		t.Errorf("%d right, %d figures, %d drafts", s.right, s.read, s.drawn)
	}
}

func TestAnswersAreJudged(t *testing.T) {
	t.Parallel()
	want := func(texts ...string) (all []decimal.Decimal) {
		for _, s := range texts {
			all = append(all, decimal.MustParse(s))
		}
		return all
	}
	for _, c := range []struct {
		name, answer        string
		figures             []decimal.Decimal
		read, marked, wrong int
	}{
		{"written in Russian", "Выручка 633 002,45 ₽.", want("633002.45"), 1, 0, 0},
		{"written in English", "It was 633,002.45.", want("633002.45"), 1, 0, 0},
		{"plain", "633002.45", want("633002.45"), 1, 0, 0},
		{"rounded", "около 633 тыс. ₽", want("633002.45"), 1, 0, 0},
		{"rounded wrongly", "около 634 тыс. ₽", want("633002.45"), 0, 0, 1},
		{"in millions", "0.63 million", want("633002.45"), 1, 0, 0},
		{"negative", "упала: −72 709,09", want("72709.09"), 1, 0, 0},
		{"marked", "633 002,45 ₽⚠", want("633002.45"), 0, 1, 0},
		{"wrong and marked", "733 002,45 ₽⚠", want("633002.45"), 0, 0, 0},
		{"wrong", "733 002,45 ₽", want("633002.45"), 0, 0, 1},
		{"one of two", "40 шт. и 77 шт.", want("40", "66"), 1, 0, 1},
		{"nothing", "Не знаю.", want("40"), 0, 0, 0},
		{"a date is no figure", "Данные за 31 октября 2026.", want("40"), 0, 0, 0},
		{"a figure of the question", "За 5000 ₽ ничего нет.", want("40"), 0, 0, 0},
	} {
		s := judge(task{turns: []string{"Что есть за 5000 ₽?"}, figures: c.figures},
			&agent.Finished{FinalResponse: c.answer})
		if s.read != c.read || s.marked != c.marked || s.wrong != c.wrong {
			t.Errorf("%s: %d read, %d marked, %d wrong", c.name, s.read, s.marked, s.wrong)
		}
	}
}

func shop(t *testing.T) []task {
	t.Helper()
	all, err := tasksOf(newShop())
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestTasksAreOfAllKindsInBothLanguages(t *testing.T) {
	t.Parallel()
	seen := map[string]int{}
	all := shop(t)
	if len(all) != 60 {
		t.Errorf("%d tasks, not 60", len(all))
	}
	for _, x := range all {
		language := " en"
		if strings.ContainsFunc(x.turns[0], func(r rune) bool { return r >= 'а' && r <= 'я' }) &&
			!strings.ContainsAny(x.turns[0], "“”") {
			language = " ru"
		}
		seen[x.kind+language]++
	}
	for _, kind := range kinds {
		if seen[kind+" ru"] == 0 || seen[kind+" en"] == 0 {
			t.Errorf("%s: %d Russian and %d English tasks", kind, seen[kind+" ru"], seen[kind+" en"])
		}
	}
}
