package account

import (
	"strings"
	"testing"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi/meter"
	"github.com/stockhand/stockhand/internal/tool"
)

func TestALongCallSaysHowLongItWillBe(t *testing.T) { // rule R230
	now := time.Date(2026, 11, 20, 12, 0, 0, 0, msapi.Moscow) // fifteen requests in three seconds (fact M10)
	for l, want := range map[stockhand.Language]string{
		stockhand.Russian: "Анализ: около 3 минут, 900 запросов",
		stockhand.English: "Анализ: about 3 minutes, 900 requests",
	} {
		label := (&Call{Lang: l, Env: tool.Env{Now: now}}).announcer("Анализ")
		for _, short := range []meter.Progress{{}, {Planned: 4}, {Planned: 250}} {
			if got := label(short); got != "Анализ" {
				t.Errorf("%+v: %s", short, got)
			}
		}
		if got := label(meter.Progress{Done: 4, Planned: 900}); strings.ReplaceAll(got, " ", " ") != want {
			t.Errorf("%q, want %q", got, want)
		}
		if got := label(meter.Progress{Done: 5, Planned: 900}); strings.ReplaceAll(got, " ", " ") != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	label := (&Call{Lang: "en", Env: tool.Env{Now: now}}).announcer("x") // two stock reports a second
	if got := label(meter.Progress{Planned: 200, Stock: 200}); !strings.HasPrefix(got, "x: about ") {
		t.Error(got)
	}
}
