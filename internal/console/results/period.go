package results

import (
	"context"
	"fmt"
	"time"

	"github.com/stockhand/stockhand/internal/console/text"
	"github.com/stockhand/stockhand/internal/tool"
)

// said is a cell as people read it: weeks, months and quarters have names instead of their numbers (rule R592).
func said(ctx context.Context, c tool.Column, v tool.Value) string {
	l := text.Language(ctx)
	words := v.Format(c.Unit, l)
	var year, n int
	switch c.Name {
	case "week":
		if k, err := fmt.Sscanf(words, "%4d-W%02d", &year, &n); k != 2 || err != nil {
			return words
		}
		// the ISO week with 4 January is the first of its year
		monday := time.Date(year, time.January, 4, 0, 0, 0, 0, time.UTC)
		monday = monday.AddDate(0, 0, 7*(n-1)-(int(monday.Weekday())+6)%7)
		sunday := monday.AddDate(0, 0, 6)
		return l.Pick(monday.Format("02.01")+"–"+sunday.Format("02.01.2006"),
			monday.Format("2 Jan")+" – "+sunday.Format("2 Jan 2006"))
	case "month":
		if t, err := time.Parse("2006-01", words); err == nil {
			return text.Months[t.Month()-1].In(ctx) + t.Format(" 2006")
		}
	case "quarter":
		if k, err := fmt.Sscanf(words, "%4d-Q%1d", &year, &n); k == 2 && err == nil {
			return fmt.Sprintf(l.Pick("%d кв. %d", "Q%d %d"), n, year)
		}
	}
	return words
}
