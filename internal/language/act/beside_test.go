package act

import (
	"strings"
	"testing"
)

func TestTotalsAndCancellingsAreReadWithTheWordsAround(t *testing.T) {
	for _, tt := range []struct {
		rule string
		want Kind
		said string
	}{
		{"R764", Total, "а денег это сколько; и во сколько это всё обойдётся; сколько это по деньгам выйдет; whats the total; " +
			"всего сколько рублей; итого по деньгам сколько"},
		{"R764", None, "сколько денег на счетах; сколько продали; сколько стоит мыло; whats the total for october"},
		{"R765", Reject, "не, отмени, я им сама позвоню; отменяй, они уже привезли; отмени, директор сам закажет"},
		{"R765", None, "отмени, закажи лучше 5; отмени, давай у них 20 возьмём; отмени, я хочу только мыло; " +
			"отмени заказ 00012, они уже привезли"},
	} {
		for said := range strings.SplitSeq(tt.said, ";") {
			if a := Read(strings.TrimSpace(said)); a.Kind != tt.want {
				t.Errorf("%s: %q is of kind %d, want %d", tt.rule, said, a.Kind, tt.want)
			}
		}
	}
}
