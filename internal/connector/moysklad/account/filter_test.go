package account

import (
	"testing"

	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
)

func TestAnUnknownCurrencyIsNotReplacedByTheDefault(t *testing.T) {
	of := map[msapi.ID]string{"rub": "RUB", "usd": "USD"}
	for id, want := range map[msapi.ID]string{"": "RUB", "rub": "RUB", "usd": "USD", "hidden": ""} {
		if got := Iso(msapi.Ref{ID: id}, "RUB", of); got != want {
			t.Errorf("the currency %q is %q, want %q", id, got, want)
		}
	}
}
