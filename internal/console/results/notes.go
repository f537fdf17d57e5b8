package results

import (
	"strings"

	"github.com/stockhand/stockhand/internal/tool"
)

// concerns are the words in the names of the columns that a notice is about.
var concerns = map[tool.NoticeCode][]string{
	tool.NoticeCostPartial:   {"cost", "profit", "margin", "markup"},
	tool.NoticeCostFromPrice: {"cost", "profit", "margin", "markup"},
	tool.NoticeNoPrice:       {"purchase_price", "sum", "total"},
	tool.NoticeNoSupplier:    {"supplier"},
}

// NoteOf returns what the notices say about a column; empty for nothing.
func NoteOf(all []tool.Notice, column string) string {
	for _, n := range all {
		for _, word := range concerns[n.Code] {
			if strings.Contains(column, word) {
				return n.Message
			}
		}
	}
	return ""
}

// Note returns what the notices of the result say about a column; empty for nothing.
func (v View) Note(column string) string { return NoteOf(v.Table.Notices, column) }
