package propose

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stockhand/stockhand/internal/connector/moysklad/account"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/connector/moysklad/propose/catalogue"
	"github.com/stockhand/stockhand/internal/connector/moysklad/shortage"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
)

func TestEachDocumentCountsItsOwnMinimums(t *testing.T) {
	sold := shortage.Sales{}
	w := &minimumProposal{call: &call{&account.Call{Lang: "en"}}, cover: decimal.One,
		period: tool.Period{From: "2026-01-01", To: "2026-01-30"}, sold: map[msapi.Key]shortage.Sales{{}: sold}}
	for i := range account.LinesPerDocument + 2 {
		g := &catalogue.Card{Card: msapi.Card{ID: msapi.ID(fmt.Sprintf("00000000-0000-0000-0000-%012d", i))}}
		g.Type = "product"
		sold[g.ID.Key()] = shortage.Sale{Quantity: decimal.FromInt(60)}
		w.goods = append(w.goods, g)
	}
	documents := w.documents("")
	if len(documents) != 2 || !strings.HasSuffix(documents[1].Consequences[0], "first time: 2.") {
		t.Errorf("%d documents, %s", len(documents), documents[len(documents)-1].Consequences)
	}
}
