package proposal

import (
	"slices"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/language/quantity"
	"github.com/stockhand/stockhand/internal/language/request"
	"github.com/stockhand/stockhand/internal/tool"
)

// readSold reads quantities that are those of sales: "закажи столько же, сколько продали за октябрь", "закажи то, что
// продали вчера".
func (s *sentence) readSold() {
	i, end := s.SoldQuantity()
	if end == 0 {
		i, end = s.SoldThings()
	}
	if end == 0 || s.kind != Orders {
		return
	}
	for _, p := range quantity.Periods(slices.Clone(s.Words), s.Today) {
		if p.From.IsZero() || p.To.IsZero() || p.At < end || p.At > end+3 || p.From.After(s.Today) {
			continue
		}
		from, to := tool.Day(p.From.Format("2006-01-02")), tool.Day(p.To.Format("2006-01-02"))
		s.Use(i, p.End)
		for k := i - 1; k >= 0 && (s.Norm(k) == "," || request.Begins(s.Norm(k), []string{"стольк", "же"})); k-- {
			s.Use(k, k+1)
		}
		s.later = append(s.later, func() { s.asSold(from, to) })
		return
	}
	s.Use(i, end)
	s.ask("За какой период смотреть продажи? Например: «столько, сколько продали за прошлый месяц».",
		"The sales of which period? For example: “as many as we sold last month”.")
}

// asSold makes the draft a list of what was sold.
func (s *sentence) asSold(from, to tool.Day) {
	d := &s.draft
	if d.Items != nil || d.RowsOf != nil || len(d.Where) > 0 || d.Days > 0 || d.Budget != "" || d.Mode != "" {
		s.ask("Количество как в продажах не сочетается со списком, сроками, бюджетом и условиями. "+
			"Назовите что-то одно.",
			"Quantities as sold do not go with a list, days, a budget or conditions. Name one of them.")
		return
	}
	q := &analysis.Query{Measures: []string{"quantity"}, By: []string{"variant"}, From: from, To: to,
		Where: slices.Concat(among("group", d.Groups), among("product", d.Products))}
	if len(d.Stores) == 1 { // what a shop sold is ordered for it
		q.Where = append(q.Where, among("store", d.Stores)...)
	}
	if e := d.Except; e != nil {
		for _, c := range slices.Concat(among("group", e.Groups), among("product", e.Products)) {
			c.Op = analysis.NotIn
			q.Where = append(q.Where, c)
		}
	}
	d.RowsOf, d.Groups, d.Products, d.Except = &RowsOf{Query: q, Column: "quantity"}, nil, nil, nil
	if len(d.Stores) == 1 {
		d.Store, d.Stores = d.Stores[0], nil
	}
}
