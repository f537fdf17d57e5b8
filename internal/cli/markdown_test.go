package cli

import (
	"strings"
	"testing"
)

func TestTablesOfAnAnswerAreAligned(t *testing.T) {
	t.Parallel()
	m := "Итак:\n\n| Группа | Прибыль |\n| --- | --: |\n| Ключи \\| замки | 5,00 ₽ |\n" +
		"| **Итого** | **1 205,00 ₽** |\n\nИ всё."
	want := "Итак:\n\nГруппа            Прибыль\n─────────────  ──────────\nКлючи | замки      5,00 ₽\n" +
		"Итого          1 205,00 ₽\n\nИ всё."
	if got := fitted(m, 0); got != want {
		t.Errorf("%s", got)
	}
	if got := fitted(m, 20); !strings.Contains(got, "| Группа") {
		t.Errorf("wider than the terminal: %s", got)
	}
	if got := fitted("| no table |", 0); got != "| no table |" {
		t.Errorf("%s", got)
	}
}
