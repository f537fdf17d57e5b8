package failure

import (
	"testing"

	"github.com/stockhand/stockhand"
)

func TestAnErrorForTheModelEndsInOneFullStop(t *testing.T) {
	t.Parallel()
	for message, want := range map[string]string{"No such item.": "No such item.", "no such item": "no such item."} {
		if got := ForModel(stockhand.Errorf(stockhand.CodeNotFound, "%s", message)); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestAnErrorForTheModelSaysEachFieldOnce(t *testing.T) {
	t.Parallel()
	e := stockhand.Errorf(stockhand.CodeValidation, "invalid query: by: unknown")
	e.Fields = []stockhand.FieldError{{Field: "by", Message: "unknown"}, {Field: "to", Message: "no day"}}
	if got, want := ForModel(e), "invalid query: by: unknown; to: no day."; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
