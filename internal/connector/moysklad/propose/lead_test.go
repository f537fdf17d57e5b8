package propose

import (
	"strings"
	"testing"

	"github.com/stockhand/stockhand/internal/connector/moysklad/account"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
)

func TestLeadTimesThatAreHiddenAreNotSaidToBeAbsent(t *testing.T) {
	c := &call{&account.Call{Lang: "en"}}
	if text := (&leads{standard: 9, hidden: true}).describe(c, msapi.Key{}); !strings.Contains(text, "not visible") {
		t.Error(text)
	}
	if text := (&leads{standard: 9}).describe(c, msapi.Key{}); !strings.Contains(text, "no order was received") {
		t.Error(text)
	}
}
