package draft

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/tool"
)

// mostOpen is how many open drafts of each state are compared with a new one, and mostOverlaps how many goods a notice
// names.
const (
	mostOpen     = 50
	mostOverlaps = 5
)

// overlaps returns a notice if other open drafts of the account order the same goods for the same warehouse
// (rule R256), or none. The drafts stay as they are: a person decides which to confirm.
func (s *Service) overlaps(ctx context.Context, d stockhand.Draft, p *tool.Proposal) ([]tool.Notice, error) {
	orders := func(docs []tool.Document, each func(at string, l tool.Line)) {
		for _, doc := range docs {
			for _, l := range doc.Lines {
				if doc.Kind == tool.SupplierOrder && doc.Store != nil {
					each(l.Product.ID+" "+doc.Store.ID, l)
				}
			}
		}
	}
	wanted := map[string]bool{}
	orders(p.Documents, func(at string, _ tool.Line) { wanted[at] = true })
	if len(wanted) == 0 {
		return nil, nil
	}
	var found []string
	seen := map[stockhand.DraftID]bool{d.ID: true}
	for _, state := range []stockhand.DocumentState{stockhand.DocumentPending, stockhand.DocumentConfirmed} {
		open, err := s.Store.Drafts(ctx, d.Org, "", state, "", mostOpen)
		if err != nil {
			return nil, err
		}
		for _, other := range open {
			if seen[other.ID] || other.Account != d.Account || s.Clock().After(other.Expires) {
				continue
			}
			seen[other.ID] = true
			h, err := read(other)
			if err != nil {
				return nil, err
			}
			ids := h.in(nil, stockhand.DocumentPending, stockhand.DocumentConfirmed)
			orders(contents(h, ids), func(at string, l tool.Line) {
				if wanted[at] {
					found = append(found, fmt.Sprintf("%s — %s (%s)", l.Product.Name,
						tool.FormatQuantity(l.Quantity.Decimal, d.Language), other.ID))
				}
			})
		}
	}
	if len(found) == 0 {
		return nil, nil
	}
	slices.Sort(found)
	text := strings.Join(found[:min(len(found), mostOverlaps)], "; ")
	if more := len(found) - mostOverlaps; more > 0 {
		text += fmt.Sprintf(d.Language.Pick(" и ещё %d", " and %d more"), more)
	}
	return []tool.Notice{{Code: tool.NoticeOverlap, Message: d.Language.Pick(
		"Эти товары на тот же склад уже есть в других открытых черновиках заказов: ",
		"Other open drafts already order these goods for the same warehouse: ") + text + "."}}, nil
}
