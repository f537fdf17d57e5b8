package moysklad

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"
	"sync"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/tool"
)

// call is one run of a tool: what it was asked, and the result as it grows.
type call struct {
	*account
	env   tool.Env
	l     stockhand.Language
	meter *msapi.Meter

	result *tool.Result

	mu      sync.Mutex // guards result.Notices: independent readings run at the same time
	denials []tool.Text
}

// reading makes a tool of a method of call.
func reading[In any](a *account, name string, title, about tool.Text,
	do func(c *call, ctx context.Context, in In) error) tool.Tool {
	return tool.Read(name, title, about, func(ctx context.Context, env tool.Env, in In) (*tool.Result, error) {
		l := stockhand.Language(env.Language.Pick("ru", "en"))
		label := title.In(l)
		c := &call{
			account: a, env: env, l: l, result: &tool.Result{Title: label},
			meter: msapi.NewMeter(func(done, planned int) { env.Report(done, planned, label) }),
		}
		ctx = msapi.WithMeter(ctx, c.meter)
		if env.Background {
			ctx = msapi.WithBackground(ctx)
		}
		if err := do(c, ctx, in); err != nil {
			if err = c.refuse(err, sectionOf(err)); err != nil {
				return nil, err
			}
		}
		return c.finish(), nil
	})
}

func (c *call) finish() *tool.Result {
	p := &c.result.Provenance
	p.Account, p.Employee, p.Read, p.Requests = c.who.Account, c.who.Employee, c.env.Clock().UTC(), c.meter.Requests()
	for _, s := range c.meter.Sources() {
		p.Sources = append(p.Sources, tool.Source(s))
	}
	return c.result
}

// pick chooses between the languages of the call.
func (c *call) pick(ru, en string) string { return c.l.Pick(ru, en) }

// notice adds a remark that must reach the user, once.
func (c *call) notice(code tool.NoticeCode, ru, en string) {
	n := tool.Notice{Code: code, Message: c.pick(ru, en)}
	c.mu.Lock()
	defer c.mu.Unlock()
	if !slices.Contains(c.result.Notices, n) {
		c.result.Notices = append(c.result.Notices, n)
	}
}

// missing says that a right is missing, in the words of the role's settings (specification, section 1, rule 8), and
// what cannot be shown without it.
func (c *call) missing(section tool.Text, ru, en string) {
	c.mu.Lock()
	c.denials = append(c.denials, section)
	c.mu.Unlock()
	c.notice(tool.NoticeRightMissing,
		fmt.Sprintf("Нет права «%s»: %s.", section.RU, ru),
		fmt.Sprintf("The right “%s” is missing: %s.", section.EN, en))
}

// denied tells whether err means that the employee, or the account's tariff, does not reach a section; it then says
// so. Every other error is the caller's to return.
func (c *call) denied(err error, section tool.Text) bool {
	switch {
	case err == nil:
		return false
	case msapi.IsTariff(err):
		c.mu.Lock()
		c.denials = append(c.denials, section)
		c.mu.Unlock()
		c.notice(tool.NoticeRightMissing,
			fmt.Sprintf("Раздел «%s» не входит в тариф аккаунта.", section.RU),
			fmt.Sprintf("The section “%s” is not part of the account's tariff.", section.EN))
		return true
	case msapi.IsForbidden(err):
		c.missing(section, "раздел не читается", "the section cannot be read")
		return true
	}
	return false
}

// refuse ends a tool whose one source is closed to the employee: no rows, no zero, and an answer that says why.
func (c *call) refuse(err error, section tool.Text) error {
	if !c.denied(err, section) {
		return err
	}
	c.result.Answer = c.refusal(section)
	return nil
}

func (c *call) refusal(section tool.Text) string {
	return c.pick(
		fmt.Sprintf("Ответить нельзя: у сотрудника нет доступа к разделу «%s».", section.RU),
		fmt.Sprintf("This cannot be answered: the employee has no access to the section “%s”.", section.EN))
}

// each hands every row of a list to f. A list that could not be read whole becomes a notice and keeps what it gave.
func each[T any](c *call, seq iter.Seq2[T, error], f func(T)) error {
	for row, err := range seq {
		if incomplete, ok := msapi.IsIncomplete(err); ok {
			c.notice(tool.NoticePartial,
				fmt.Sprintf("Список %s менялся во время чтения: прочитано строк: %d из %d.", incomplete.Path,
					incomplete.Got, incomplete.Size),
				fmt.Sprintf("The list %s was changing while it was read: %d rows of %d were read.", incomplete.Path,
					incomplete.Got, incomplete.Size))
			return nil
		}
		if err != nil {
			return err
		}
		f(row)
	}
	return nil
}

// seen says that the employee sees only part of the objects of a type, so that figures over them depend on who asks
// (reference, section 11, trap 24).
func (c *call) seen(entity string, what tool.Text) {
	if c.rights.partial(entity) {
		c.notice(tool.NoticeVisibility,
			fmt.Sprintf("По правам сотрудника видна только часть объектов «%s»: остальных в ответе нет.", what.RU),
			fmt.Sprintf("The employee's rights show only part of “%s”: the rest is not in this answer.", what.EN))
	}
}

// assumed says that a default was taken for the period, or for the end of it that was not named.
func (c *call) assumed(p tool.Period, from, to tool.Day) {
	ru, en := "Период не назван: взяты последние 30 дней", "No period was named: taken the last 30 days"
	switch {
	case from != "":
		ru, en = "Конец периода не назван: взято по сегодняшний день",
			"The end of the period was not named: taken up to today"
	case to != "":
		ru, en = "Начало периода не названо: взяты 30 дней до названного дня",
			"The beginning of the period was not named: taken the 30 days up to the named day"
	}
	c.notice(tool.NoticeAssumption,
		ru+", "+span(p, stockhand.Russian)+" включительно, по Москве.", en+", "+span(p, stockhand.English)+
			" inclusive, Moscow time.")
}

// period resolves the arguments from and to and keeps the period in the provenance.
func (c *call) period(from, to tool.Day) (tool.Period, error) {
	p, assumed, err := resolvePeriod(c.env, from, to)
	if err != nil {
		return p, err
	}
	if assumed {
		c.assumed(p, from, to)
	}
	c.result.Provenance.Period = &p
	return p, nil
}

// method says how the figures came to be.
func (c *call) method(ru, en string) { c.result.Provenance.Method = c.pick(ru, en) }

// head cuts the rows to be shown to the limit and says how many more there are. Totals are made before.
func head[T any](c *call, rows []T, limit Limit) []T { return headOf(c, rows, len(rows), limit) }

// headOf is head of rows that are themselves the beginning of more.
func headOf[T any](c *call, rows []T, all int, limit Limit) []T {
	if limit <= 0 || all <= int(limit) {
		return rows
	}
	rows = rows[:min(len(rows), int(limit))]
	c.notice(tool.NoticeTruncated,
		fmt.Sprintf("Показано строк: %d из %d; итоги — по всем.", len(rows), all),
		fmt.Sprintf("Rows shown: %d of %d; the totals cover all of them.", len(rows), all))
	return rows
}

// tie orders what is equal so far by name and id. Names are folded only when it comes to that: a table may have a
// hundred thousand rows.
func tie(so int, nameX, nameY string, idX, idY msapi.ID) int {
	if so != 0 {
		return so
	}
	return cmp.Or(strings.Compare(fold(nameX), fold(nameY)), strings.Compare(string(idX), string(idY)))
}

// field describes a column of a result.
type field struct {
	name   string
	unit   tool.Unit
	ru, en string
}

// columns sets the result's columns; hidden names those that the employee may not see.
func (c *call) columns(hidden []string, fields ...field) {
	for _, f := range fields {
		c.result.Columns = append(c.result.Columns, tool.Column{
			Name: f.name, Label: c.pick(f.ru, f.en), Unit: f.unit, Hidden: slices.Contains(hidden, f.name),
		})
	}
}

// details marks the columns that go first where there is no room for all.
func (c *call) details(names ...string) {
	for i := range c.result.Columns {
		if column := &c.result.Columns[i]; slices.Contains(names, column.Name) {
			column.Detail = true
		}
	}
}

// totals sets cells of the totals row by column name; the others stay empty.
func (c *call) totals(cells map[string]tool.Value) {
	row := make(tool.Row, len(c.result.Columns))
	for i, column := range c.result.Columns {
		if v, ok := cells[column.Name]; ok && !column.Hidden {
			row[i] = v
		}
	}
	c.result.Totals = row
}
