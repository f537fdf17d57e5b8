package loop

import (
	"context"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/agent/blocks"
	"github.com/stockhand/stockhand/internal/grounding"
)

// written is a checked text with its marks and tables.
type written struct {
	text   string
	blocks []blocks.Block
	used   []string // IDs of results
}

// write puts marks at the figures that were found nowhere, and tables in their places (rules R364 and R366). The text
// and the blocks say the same.
func (l *Loop) write(ctx context.Context, a *examined) (*written, error) {
	w := &written{blocks: []blocks.Block{}, used: slices.Clone(a.checked.Used)}
	var parts []string
	say := func(b blocks.Block) {
		if b.Text != "" {
			parts, w.blocks = append(parts, b.Text), append(w.blocks, b)
		}
	}
	at := 0
	for _, p := range a.places {
		say(a.text(at, p.Start))
		at = p.End
		id, ok := l.placed(p.Result)
		if !ok || p.Kind == "" {
			continue
		}
		t, err := l.result(ctx, id)
		if code := stockhand.CodeOf(err); code == stockhand.CodeNotFound || code == stockhand.CodeResultExpired {
			continue // of another account or employee, or gone
		}
		if err != nil {
			return nil, err
		}
		alone := !slices.ContainsFunc(a.places,
			func(o blocks.Place) bool { return o.Result == p.Result && o.Kind == blocks.Table })
		all, text, err := p.Of(id, t, alone, l.Language)
		if err != nil {
			return nil, err
		}
		w.blocks = append(w.blocks, all...)
		if text != "" {
			parts = append(parts, string(text))
		}
		if !slices.Contains(w.used, string(id)) {
			w.used = append(w.used, string(id))
		}
	}
	say(a.text(at, len(a.words)))
	say(blocks.Block{Type: blocks.Text, Text: a.checked.Coverage})
	if len(a.checked.Unmatched) > 0 {
		parts = append(parts, grounding.Remark(l.Language))
	}
	if s := classes(a.checked.Facts, l.Language); s != "" { // in the blocks each figure has its class
		parts = append(parts, s)
	}
	w.text = strings.Join(parts, "\n\n")
	return w, nil
}

// text returns a part of the words as a block, with marks and facts.
func (a *examined) text(from, to int) blocks.Block {
	part := strings.TrimRight(a.words[from:to], " \t\r\n")
	to = from + len(part)
	part = strings.TrimLeft(part, " \t\r\n")
	from = to - len(part)
	b := blocks.Block{Type: blocks.Text}
	var text strings.Builder
	length := func() int { return utf8.RuneCountInString(text.String()) }
	for _, f := range a.checked.Facts {
		if f.Start < from || f.End > to {
			continue
		}
		text.WriteString(a.words[from:f.Start])
		fact := blocks.Fact{Start: length(), Class: blocks.Class(f.Class), Formula: f.Formula,
			Source: blocks.Source{Result: stockhand.ResultID(f.Source), Column: f.Column}}
		if f.Row >= 0 {
			fact.Row = &f.Row
		}
		if !strings.HasPrefix(f.Source, "res_") { // a draft's
			fact.Source = blocks.Source{}
		}
		text.WriteString(a.words[f.Start:f.End])
		fact.End, from = length(), f.End
		if f.Class == grounding.ClassUnverified && !strings.HasPrefix(a.words[f.End:to], grounding.Mark) {
			text.WriteString(grounding.Mark)
		}
		b.Facts = append(b.Facts, fact)
	}
	text.WriteString(a.words[from:to])
	b.Text = text.String()
	return b
}
