package byword

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/agent"
	"github.com/stockhand/stockhand/internal/agent/dialogue"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/language/act"
)

// priced reports whether a line is a change of a price.
func priced(p place) bool { return !p.line.Quantity.Known && p.line.Price.Known }

func allPriced(places []place) bool {
	return len(places) > 0 && !slices.ContainsFunc(places, func(p place) bool { return !priced(p) })
}

// isPriceOf reports whether a figure may be the price of lines: it is at least half as much as now, and at most twice.
func isPriceOf(to string, lines []place) bool {
	n, err := decimal.Parse(to)
	two := decimal.FromInt(2)
	return err == nil && !slices.ContainsFunc(lines, func(p place) bool {
		near := func(price decimal.Maybe) bool {
			return price.Known && n.Mul(two).Cmp(price.Decimal) >= 0 && n.Cmp(price.Mul(two)) <= 0
		}
		return !near(p.line.Price) && !near(p.line.OldPrice)
	})
}

// priceOrElse asks what a figure is that is far from the price of the lines which are named: "кружек пусть будет 12"
// behind a discount may be a quantity of another draft that waits (rule R1064). Without a name, it may be another
// figure of the whole change of prices, which the reader knows: then nothing is asked.
func (d *decision) priceOrElse(a act.Act, x *shown, lines []place) *outcome {
	if len(a.Names) == 0 {
		return nil
	}
	q := &dialogue.Question{Text: fmt.Sprintf(d.l.Pick("%s — это что? Черновик не изменён.",
		"What is %s? The draft is unchanged."), a.To)}
	offer := func(what string, p place, suffix string) {
		text := fmt.Sprintf(d.l.Pick("измени %s «%s» на %s", "change %s “%s” to %s"), what, p.line.Product.Name, a.To)
		q.Options = append(q.Options, dialogue.Option{Text: text + suffix, Message: text + inDocument + string(p.doc)})
	}
	for _, other := range d.talk.open {
		if other == x {
			continue
		}
		for _, p := range placesOf(other, "") {
			if p.line.Quantity.Known && slices.ContainsFunc(a.Names, func(n string) bool {
				return act.Names(n, p.line.Product.Name)
			}) {
				offer(d.l.Pick("количество", "quantity"), p, " ("+p.title+")")
			}
		}
	}
	for _, p := range lines {
		offer(d.l.Pick("цену", "price"), p, d.l.Pick(" ₽", " roubles"))
	}
	if len(q.Options) > mostLines {
		q.Options = q.Options[:mostLines]
	}
	return &outcome{q.Message(), []stockhand.Event{agent.Asked(q)}}
}

// keepOrLeave asks what "соль оставь" means: that only this line stays, or that it stays as it is, without the draft
// (rule R1068).
func (d *decision) keepOrLeave(a act.Act) *outcome {
	name := strings.Join(a.Names, " ")
	q := &dialogue.Question{Text: fmt.Sprintf(d.l.Pick("«%s» — оставить только это, или наоборот не трогать? Черновик "+
		"не изменён.", "“%s”: is only that left in the draft, or is it left alone? The draft is unchanged."), name)}
	for _, text := range []string{d.l.Pick("оставь только ", "keep only ") + name,
		d.l.Pick("убери ", "remove ") + name} {
		q.Options = append(q.Options, dialogue.Option{Text: text, Message: text})
	}
	return &outcome{q.Message(), []stockhand.Event{agent.Asked(q)}}
}

// namedBy returns the lines that the names of an act fit.
func namedBy(a act.Act, all []place) []place {
	var out []place
	for _, name := range a.Names {
		out = append(out, matching(name, all)...)
	}
	return out
}

// setEach gives every line of a draft one quantity: "все по 5" (rule R1062).
func (d *decision) setEach(ctx context.Context, x *shown, a act.Act, all []place) (*outcome, error) {
	chosen := slices.DeleteFunc(slices.Clone(all), func(p place) bool { return !p.line.Quantity.Known })
	if a.Price || len(chosen) == 0 || len(chosen) < len(all) {
		return nil, nil
	}
	return d.carryOut(ctx, x, []act.Act{a}, all, [][]place{chosen})
}
