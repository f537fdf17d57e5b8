package talk

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/language"
	"github.com/stockhand/stockhand/internal/language/draft"
	"github.com/stockhand/stockhand/internal/language/token"
)

// losesGoods reports whether a changed draft is not about the goods that the message names, or no more about some of
// the goods it was about though no word says so (rule R966): "на сладости всё-таки 2" does not change the prices of
// everything but sweets, and "канцтовары 35" does not drop the other group.
func losesGoods(now *sentence, x, last *language.Reading) bool {
	was, ok1 := last.Input.(draft.Draft)
	is, ok2 := x.Input.(draft.Draft)
	if !ok1 || !ok2 || x.Skill != last.Skill {
		return false
	}
	if leaves := slices.ContainsFunc(now.ts, func(t token.Token) bool {
		return excepting[t.Norm] || removeWords[t.Norm] || onlyWords[t.Norm] || insteadWords[t.Norm]
	}); leaves {
		return false
	}
	if len(was.Groups) > 1 && len(is.Groups) < len(was.Groups) && len(is.Groups) > 0 &&
		!slices.ContainsFunc(is.Groups, func(g string) bool { return !slices.Contains(was.Groups, g) }) {
		return true
	}
	said := func(name string) bool {
		return slices.ContainsFunc(now.parts, func(p part) bool {
			return slices.ContainsFunc(p.names, func(n connector.Name) bool { return n.Name == name || n.ID == name })
		})
	}
	if was.Except != nil && slices.ContainsFunc(slices.Concat(is.Groups, is.Products), func(name string) bool {
		return (slices.Contains(was.Except.Groups, name) || slices.Contains(was.Except.Products, name)) && !said(name)
	}) { // what was left out is not changed because something else is
		return true
	}
	if is.Except == nil || was.Except == nil || !reflect.DeepEqual(is.Except, was.Except) {
		return false
	}
	is.Except = nil
	scope, err := json.Marshal(is)
	if err != nil {
		return false
	}
	return slices.ContainsFunc(now.parts, func(p part) bool {
		return p.slots[0] == "goods" && len(p.names) > 0 && !slices.ContainsFunc(p.names, func(n connector.Name) bool {
			return strings.Contains(string(scope), quoted(n.Name)) ||
				strings.Contains(string(scope), quoted(n.ID))
		})
	})
}

// dropsGoods reports whether a message that adds something to a request which is still asked about would take the
// place of the goods of the request: "и кофе 15" after «чай» fits several names.
func dropsGoods(old, now *sentence, x *language.Reading) bool {
	is, ok := x.Input.(draft.Draft)
	if !ok || !x.Skill.Proposes() || len(now.ts) == 0 || !addingWords[now.ts[0].Norm] {
		return false
	}
	goods := func(s *sentence) (n int) {
		for _, p := range s.parts {
			if p.slots[0] == "goods" && len(p.names) > 0 && !p.excludes {
				n++
			}
		}
		return n
	}
	return goods(old) > 0 && goods(now) > 0 && len(is.Items)+len(is.Products)+len(is.Groups) <= goods(now)
}
