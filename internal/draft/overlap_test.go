package draft_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/tool"
)

// Rule R256.
func TestADraftSaysWhichOpenDraftsOrderTheSameGoods(t *testing.T) {
	eachShop(t, func(t *testing.T, s shop) {
		overlap := func(d stockhand.Draft) string {
			i := slices.IndexFunc(proposal(t, d).Notices,
				func(n tool.Notice) bool { return n.Code == tool.NoticeOverlap })
			if i < 0 {
				return ""
			}
			return proposal(t, d).Notices[i].Message
		}
		first := s.create(t, order("tea"), order("coffee"))
		if text := overlap(first); text != "" {
			t.Errorf("the first draft overlaps: %s", text)
		}
		elsewhere := order("tea")
		elsewhere.Store = &tool.Ref{ID: "s2"}
		if text := overlap(s.create(t, elsewhere, transfer("coffee"))); text != "" {
			t.Errorf("an order for another warehouse overlaps: %s", text)
		}
		text := overlap(s.create(t, order("tea")))
		if !strings.Contains(text, "tea — 12 ("+string(first.ID)+")") || strings.Contains(text, "coffee") {
			t.Errorf("the notice is %q", text)
		}
		if _, err := s.service.Reject(t.Context(), s.person, first.ID, first.Version); err != nil {
			t.Fatal(err)
		}
		if text := overlap(s.create(t, order("coffee"))); text != "" {
			t.Errorf("a rejected draft overlaps: %s", text)
		}
	})
}
