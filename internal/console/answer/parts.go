package answer

import (
	"context"
	"slices"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/agent"
	"github.com/stockhand/stockhand/internal/agent/blocks"
	"github.com/stockhand/stockhand/internal/chart"
	"github.com/stockhand/stockhand/internal/console/results"
	"github.com/stockhand/stockhand/internal/console/text"
	"github.com/stockhand/stockhand/internal/console/ui"
	"github.com/stockhand/stockhand/internal/tool"
)

// parts adds the pieces of the answer: those of its blocks, and the tables behind a model's text.
func (b Builder) parts(ctx context.Context, a *Answer, f *agent.Finished) error {
	shown := map[stockhand.ResultID]bool{}
	for _, block := range f.Blocks {
		shown[block.Result] = true
		for _, k := range block.Figures {
			shown[k.Result] = true
		}
		p, err := b.part(ctx, a.Org, f, block)
		if err != nil {
			return err
		}
		if p != nil {
			if p.of = block.Result; len(block.Figures) > 0 {
				p.of = block.Figures[0].Result
			}
			a.Parts = append(a.Parts, *p)
		}
	}
	for _, r := range f.Results {
		if shown[r.ID] || r.Count == 0 {
			continue
		}
		v, err := b.view(ctx, a.Org, r.ID, 0)
		if err != nil {
			return err
		}
		a.Behind = append(a.Behind, v)
	}
	return nil
}

// part returns the piece of a block; nil if there is nothing to show.
func (b Builder) part(ctx context.Context, org stockhand.OrgID, f *agent.Finished, block blocks.Block) (*Part, error) {
	part := 0
	if block.Part != nil {
		part = *block.Part
	}
	switch block.Type {
	case blocks.Text:
		return &Part{Text: block.Text, Facts: block.Facts}, nil
	case blocks.KPI:
		p := &Part{}
		for _, k := range block.Figures {
			p.Figures = append(p.Figures, ui.Figure{Title: k.Label, Value: k.Text,
				Note: results.NoteOf(noticesOf(f, k.Result), k.Column)})
		}
		return p, nil
	case blocks.Table:
		v, err := b.view(ctx, org, block.Result, part)
		return &Part{View: &v}, err
	case blocks.Chart:
		return b.chart(ctx, org, block, part)
	case blocks.Draft:
		i := slices.IndexFunc(f.Drafts, func(d tool.Draft) bool { return d.ID == block.Draft })
		if i >= 0 {
			return &Part{Draft: &f.Drafts[i]}, nil
		}
	case blocks.Question: // the answer's own
	}
	return nil, nil
}

func (b Builder) view(ctx context.Context, org stockhand.OrgID, id stockhand.ResultID, part int) (results.View, error) {
	kept, err := b.Store.Result(ctx, org, id)
	if err != nil {
		return results.View{}, err
	}
	return b.Views.View(ctx, kept, results.Choice{Few: true, Part: part})
}

func (b Builder) chart(ctx context.Context, org stockhand.OrgID, block blocks.Block, part int) (*Part, error) {
	kept, err := b.Store.Result(ctx, org, block.Result)
	if err != nil || kept.Expired {
		return nil, err
	}
	table, err := b.Views.Rows(ctx, kept, part, block.Limit)
	if err != nil {
		return nil, err
	}
	c, ok := chart.Wished(table, chart.Wish{Kind: string(block.Chart), X: block.X, Y: block.Y, Series: block.Series},
		text.Language(ctx))
	if !ok {
		return nil, nil
	}
	c.Tabled = true
	return &Part{Chart: &c}, nil
}

func noticesOf(f *agent.Finished, id stockhand.ResultID) []tool.Notice {
	i := slices.IndexFunc(f.Results, func(r agent.ResultPreview) bool { return r.ID == id })
	if i < 0 {
		return nil
	}
	return f.Results[i].Notices
}

// shownDocuments is how many documents of a draft an answer lists; its page has all.
const shownDocuments = 20

// numeric is the class of a cell: figures are aligned to the right.
func numeric(u tool.Unit) string {
	if u == tool.UnitText {
		return ""
	}
	return "number"
}
