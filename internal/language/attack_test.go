package language_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stockhand/stockhand/internal/language"
)

func TestAttackATaskThatTakesLongToRead(t *testing.T) {
	for _, part := range []string{"остатки ", "на складе и ", "«", "((((", "1 000 ", "и,", "с 01.01 по ",
		"ааааааааа", "- ", "не "} {
		task := strings.Repeat(part, 8<<10/len(part))
		began := time.Now()
		language.Read(task, language.Input{Now: began})
		if took := time.Since(began); took > 3*time.Second { // a twentieth of a second on an idle machine
			t.Errorf("%q: %s", part, took)
		}
	}
}
