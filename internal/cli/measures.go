package cli

import (
	"cmp"
	"context"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/api/wire"
	"github.com/stockhand/stockhand/internal/app"
	"github.com/stockhand/stockhand/internal/cli/table"
	"github.com/stockhand/stockhand/internal/measure"
)

type measuresCmd struct {
	List   measuresListCmd   `cmd:"" help:"List the measures that an organization defined."`
	Set    measuresSetCmd    `cmd:"" help:"Define a measure, or change one: stockhand measures set our_markup '(revenue - cost) / cost' --en 'Our markup'."`
	Remove measuresRemoveCmd `cmd:"" help:"Delete a measure that no other one uses."`
}

type measuresListCmd struct {
	inOrg
	printable
}

func (c *measuresListCmd) Run(ctx context.Context, e *env) error {
	return c.operate(ctx, e, func(o *operator, a stockhand.Actor) error {
		all, err := app.Measures(o.db, app.Connectors, nil).List(ctx, a.Org)
		return showMeasures(o, c.printable, all, err)
	})
}

func showMeasures(o *operator, p printable, all []measure.Measure, err error) error {
	if err != nil {
		return err
	}
	return rows(o, p, mapped(all, wire.OwnMeasureOf), "None yet.", []string{"NAME", "TITLE", "FORMULA", "LEFT OUT"},
		func(m wire.OwnMeasure) []string {
			return []string{m.Name, cmp.Or(m.Title.RU, m.Title.EN), table.OneLine(m.Formula), cmp.Or(m.LeftOut, "no")}
		})
}

type measuresSetCmd struct {
	Name    string `arg:"" help:"Its name in queries, such as our_markup."`
	Formula string `arg:"" help:"Measures of the catalogue, numbers, + - * / and brackets."`
	RU, EN  string `placeholder:"TITLE" help:"Its title in that language; one of both is needed."`
	Unit    string `placeholder:"UNIT" help:"money, quantity, count, days, percent or number; by default it follows from the formula."`

	WordsRU, WordsEN []string `placeholder:"WORD" help:"What people call it in that language."`
	inOrg
	printable
}

func (c *measuresSetCmd) Run(ctx context.Context, e *env) error {
	return c.operate(ctx, e, func(o *operator, a stockhand.Actor) error {
		fields := wire.MeasureFields{Title: wire.MeasureTitle{RU: c.RU, EN: c.EN}, Formula: c.Formula, Unit: c.Unit,
			Words: wire.MeasureWords{RU: c.WordsRU, EN: c.WordsEN}}
		m, err := app.Measures(o.db, app.Connectors, nil).Put(ctx, a, fields.Definition(c.Name))
		return showMeasures(o, c.printable, []measure.Measure{m}, err)
	})
}

type measuresRemoveCmd struct {
	Name string `arg:"" help:"Its name, such as our_markup."`
	inOrg
}

func (c *measuresRemoveCmd) Run(ctx context.Context, e *env) error {
	return c.operate(ctx, e, func(o *operator, a stockhand.Actor) error {
		_, err := app.Measures(o.db, app.Connectors, nil).Delete(ctx, a, c.Name)
		return err
	})
}
