package proposal

import (
	"fmt"
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/connector"
)

// askVariant asks which variant of a good is meant: only variants are ordered and moved (rule R533). It reports whether
// it asks.
func (s *sentence) askVariant() bool {
	if s.Variants == nil {
		return false
	}
	for i, item := range s.draft.Items {
		variants := s.Variants(item.Product)
		if len(variants) < 2 {
			continue
		}
		with := func(these []connector.Name) Option {
			d := s.draft.Clone()
			var list []Item
			for _, v := range these {
				one := item
				one.Product = v.Name
				list = append(list, one)
			}
			d.Items = slices.Replace(d.Items, i, i+1, list...)
			return s.option(d)
		}
		var options []Option
		for _, v := range variants[:min(maxOptions, len(variants))] {
			options = append(options, with([]connector.Name{v}))
		}
		if len(variants) <= maxOptions {
			every := with(variants)
			every.Text += fmt.Sprintf(s.Language.Pick(" (каждый вариант, %d)", " (every variant, %d)"), len(variants))
			options = append(options, every)
		}
		name := variants[0].Name
		if at := strings.LastIndex(name, " ("); at > 0 {
			name = name[:at]
		}
		s.askf("У товара «%s» есть варианты. Какой нужен?", "“%s” has variants. Which one?", name, options...)
		return true
	}
	return false
}
