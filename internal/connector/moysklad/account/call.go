package account

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
	"github.com/stockhand/stockhand/internal/connector/moysklad/wording"
	"github.com/stockhand/stockhand/internal/tool"
)

// Call is one run of a tool: what it was asked, and the result as it grows.
type Call struct {
	*Account
	Env   tool.Env
	Lang  stockhand.Language
	meter *msapi.Meter

	Result *tool.Result

	mu      sync.Mutex // guards result.Notices: independent readings run at the same time
	denials []tool.Text
}

// Begin begins a run of a tool. Requests made with the context it returns count towards the call's progress.
func Begin(ctx context.Context, a *Account, env tool.Env, title tool.Text) (context.Context, *Call) {
	l := stockhand.Language(env.Language.Pick("ru", "en"))
	label := title.In(l)
	c := &Call{
		Account: a, Env: env, Lang: l, Result: &tool.Result{Title: label},
		meter: msapi.NewMeter(func(done, planned int) { env.Report(done, planned, label) }),
	}
	ctx = msapi.WithMeter(ctx, c.meter)
	if env.Background {
		ctx = msapi.WithBackground(ctx)
	}
	return ctx, c
}

// Finish returns the result with its provenance.
func (c *Call) Finish() *tool.Result {
	p := &c.Result.Provenance
	p.Account, p.Employee, p.Read, p.Requests = c.Who.Account, c.Who.Employee, c.Env.Clock().UTC(), c.meter.Requests()
	for _, s := range c.meter.Sources() {
		p.Sources = append(p.Sources, tool.Source(s))
	}
	return c.Result
}

// Pick chooses between the languages of the call.
func (c *Call) Pick(ru, en string) string { return c.Lang.Pick(ru, en) }

// Pickf formats the format of the call's language. Both take the same arguments in the same order.
func (c *Call) Pickf(ru, en string, args ...any) string {
	if c.Lang == stockhand.English {
		return fmt.Sprintf(en, args...)
	}
	return fmt.Sprintf(ru, args...)
}

// Notice adds a remark that must reach the user, once.
func (c *Call) Notice(code tool.NoticeCode, ru, en string) {
	n := tool.Notice{Code: code, Message: c.Pick(ru, en)}
	c.mu.Lock()
	defer c.mu.Unlock()
	if !slices.Contains(c.Result.Notices, n) {
		c.Result.Notices = append(c.Result.Notices, n)
	}
}

// Noticef is Notice with formats, which take the same arguments in the same order.
func (c *Call) Noticef(code tool.NoticeCode, ru, en string, args ...any) {
	c.Notice(code, fmt.Sprintf(ru, args...), fmt.Sprintf(en, args...))
}

// Missing says that a right is missing, in the words of the role's settings (rule R15), and what cannot be shown
// without it.
func (c *Call) Missing(section tool.Text, ru, en string) {
	c.mu.Lock()
	c.denials = append(c.denials, section)
	c.mu.Unlock()
	c.Notice(tool.NoticeRightMissing,
		fmt.Sprintf("Нет права «%s»: %s.", section.RU, ru),
		fmt.Sprintf("The right “%s” is missing: %s.", section.EN, en))
}

// Denied reports whether err means that the employee, or the account's tariff, does not reach a section; it then says
// so. Every other error is the caller's to return.
func (c *Call) Denied(err error, section tool.Text) bool {
	switch {
	case err == nil:
		return false
	case msapi.IsTariff(err):
		c.mu.Lock()
		c.denials = append(c.denials, section)
		c.mu.Unlock()
		c.Notice(tool.NoticeRightMissing,
			fmt.Sprintf("Раздел «%s» не входит в тариф аккаунта.", section.RU),
			fmt.Sprintf("The section “%s” is not part of the account's tariff.", section.EN))
		return true
	case msapi.IsForbidden(err):
		c.Missing(section, "раздел не читается", "the section cannot be read")
		return true
	}
	return false
}

// Refuse ends a tool whose one source is closed to the employee: no rows, no zero, and an answer that says why.
func (c *Call) Refuse(err error, section tool.Text) error {
	if !c.Denied(err, section) {
		return err
	}
	c.Result.Answer = c.Refusal(section)
	return nil
}

func (c *Call) Refusal(section tool.Text) string {
	if strings.HasPrefix(section.RU, "Видеть") { // a right of its own and not a section
		return c.Pick("Ответить нельзя: у сотрудника нет права «"+section.RU+"».",
			"This cannot be answered: the employee lacks the right “"+section.EN+"”.")
	}
	return c.Pick("Ответить нельзя: у сотрудника нет доступа к разделу «"+section.RU+"».",
		"This cannot be answered: the employee has no access to the section “"+section.EN+"”.")
}

// Each hands every row of a list to f. A list that could not be read whole becomes a notice and keeps what it gave.
func Each[T any](c *Call, seq iter.Seq2[T, error], f func(T)) error {
	for row, err := range seq {
		if incomplete, ok := msapi.IsIncomplete(err); ok {
			c.Noticef(tool.NoticePartial, "Список %s менялся во время чтения: прочитано строк: %d из %d.",
				"The list %s was changing while it was read: %d rows of %d were read.", incomplete.Path,
				incomplete.Got, incomplete.Size)
			return nil
		}
		if err != nil {
			return err
		}
		f(row)
	}
	return nil
}

// NoticePartialView says that the employee sees only part of the objects of a type, so that figures over them depend on
// who asks (fact M42).
func (c *Call) NoticePartialView(entity string, what tool.Text) {
	if c.Rights.Partial(entity) {
		c.Notice(tool.NoticeVisibility,
			fmt.Sprintf("Раздел «%s» сотрудник видит не целиком: остального в ответе нет.", what.RU),
			fmt.Sprintf("The employee sees only part of “%s”: the rest is not in this answer.", what.EN))
	}
}

// assumed says that a default was taken for the period, or for the end of it that was not named.
func (c *Call) assumed(p tool.Period, from, to tool.Day) {
	ru, en := "Период не назван: взяты последние 30 дней", "No period was named: taken the last 30 days"
	switch {
	case from != "":
		ru, en = "Конец периода не назван: взято по сегодняшний день",
			"The end of the period was not named: taken up to today"
	case to != "":
		ru, en = "Начало периода не названо: взяты 30 дней до названного дня",
			"The beginning of the period was not named: taken the 30 days up to the named day"
	}
	c.Notice(tool.NoticeAssumption,
		ru+", "+wording.Span(p, stockhand.Russian)+" включительно, по Москве.",
		en+", "+wording.Span(p, stockhand.English)+
			" inclusive, Moscow time.")
}

// Period resolves the arguments from and to and keeps the period in the provenance.
func (c *Call) Period(from, to tool.Day) (tool.Period, error) {
	p, assumed, err := resolvePeriod(c.Env, from, to)
	if err != nil {
		return p, err
	}
	if assumed {
		c.assumed(p, from, to)
	}
	c.Result.Provenance.Period = &p
	return p, nil
}

// Method says in at most two short sentences how the figures came to be (rule R78).
func (c *Call) Method(ru, en string) { c.Result.Provenance.Method = c.Pick(ru, en) }

// Tie orders what is equal so far by name and id. Names are folded only when it comes to that: a table may have a
// hundred thousand rows.
func Tie(so int, nameX, nameY string, idX, idY msapi.ID) int {
	if so != 0 {
		return so
	}
	return cmp.Or(strings.Compare(wording.Fold(nameX), wording.Fold(nameY)), strings.Compare(string(idX), string(idY)))
}

// Aside is a call whose result is its own: another tool's work, done for this one. Its requests count here.
func (c *Call) Aside() *Call {
	return &Call{Account: c.Account, Env: c.Env, Lang: c.Lang, meter: c.meter, Result: &tool.Result{}}
}

// Adopt takes over the notices of an aside.
func (c *Call) Adopt(from *Call) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, n := range from.Result.Notices {
		if !slices.Contains(c.Result.Notices, n) {
			c.Result.Notices = append(c.Result.Notices, n)
		}
	}
}

// FirstDenial is the first section that was found closed.
func (c *Call) FirstDenial() tool.Text { return c.denials[0] }
