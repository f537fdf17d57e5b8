package agent_test

import (
	"strings"
	"testing"
	"unicode"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/sandbox"
)

// A failure of the external system is reported in the language of the task, with what to do about it.
func TestAFailureIsReportedInTheLanguageOfTheTask(t *testing.T) {
	for name, c := range map[string]struct {
		fault sandbox.Fault
		code  stockhand.Code
	}{
		"the token is revoked in the middle": {sandbox.Fault{Path: "report/", Status: 401},
			stockhand.CodeTokenRejected},
		"a proxy takes the compression away": {sandbox.Fault{Path: "report/", Status: 415},
			stockhand.CodeExternalUnavailable},
		"another API answers": {sandbox.Fault{Path: "report/", Body: "[[1]]"},
			stockhand.CodeExternalUnavailable},
	} {
		t.Run(name, func(t *testing.T) {
			s := newShop(t, 1)
			c.fault.Count = 1000
			if err := s.sandbox.Fail(c.fault); err != nil {
				t.Fatal(err)
			}
			for task, russian := range map[string]bool{"какие остатки на складах?": true, "what is in stock?": false} {
				f := s.ask(task)
				if f.Failure == nil || f.Failure.Code != c.code || f.Failure.Hint == "" {
					t.Errorf("%s: %+v", task, f.Failure)
					continue
				}
				for _, text := range []string{f.Failure.Message, f.Failure.Hint} {
					if strings.ContainsFunc(text,
						func(r rune) bool { return unicode.Is(unicode.Cyrillic, r) }) != russian {
						t.Errorf("%s: %q", task, text)
					}
				}
			}
		})
	}
}
