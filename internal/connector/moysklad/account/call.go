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
	"github.com/stockhand/stockhand/internal/connector/moysklad/facts"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi/meter"
	"github.com/stockhand/stockhand/internal/connector/moysklad/wording"
	"github.com/stockhand/stockhand/internal/tool"
)

// Call is one call of a tool: its environment, and the result as it is built.
type Call struct {
	*Account
	Env   tool.Env
	Lang  stockhand.Language
	meter *meter.Meter

	Result *tool.Result

	suppliers []msapi.Ref // named by the arguments
	facts     *facts.Session

	// FullCards is set by a call that uses additional fields of goods, which are not kept.
	FullCards bool

	mu      sync.Mutex // guards Result.Notices, because independent reads run concurrently
	denials []tool.Text
}

// Begin starts a tool call. Requests made with the returned context count towards the call's progress.
func Begin(ctx context.Context, a *Account, env tool.Env, title tool.Text) (context.Context, *Call) {
	l := stockhand.Language(env.Language.Pick("ru", "en"))
	label := title.In(l)
	c := &Call{
		Account: a, Env: env, Lang: l, Result: &tool.Result{Title: label},
	}
	announced := c.announcer(label)
	c.meter = meter.New(func(p meter.Progress) { env.Report(p.Done, p.Planned, announced(p)) })
	ctx = meter.With(ctx, c.meter)
	c.UseFacts(false)
	if env.Memo != nil {
		ctx = msapi.WithMemo(ctx, env.Memo)
	}
	if env.Background {
		ctx = msapi.WithBackground(ctx)
	}
	return ctx, c
}

// UseFacts begins to use what is kept of the account (rule R232); fresh reads it again instead.
func (c *Call) UseFacts(fresh bool) {
	c.facts = facts.New(facts.Config{Reader: c.Reader, Kept: c.Kept, Clock: c.Env.Clock, Logger: c.Logger,
		Fresh: fresh, SameRights: c.sameRights})
}

// Facts returns the session that reads what is kept.
func (c *Call) Facts() *facts.Session { return c.facts }

// KeptAs names what is kept of the objects at a path, which one request compares; empty for those that are not kept.
func KeptAs(path string) string { return facts.Kept(path) }

// Finish completes the provenance and returns the result.
func (c *Call) Finish() *tool.Result {
	p := &c.Result.Provenance
	p.Account, p.Employee, p.Login, p.Read = c.Who.Account, c.Who.Employee, c.Who.Login, c.Env.Clock().UTC()
	p.Requests, p.Needed = c.meter.Requests(), c.meter.Needed()
	if used := c.facts.Used(); used.Documents > 0 || used.Goods > 0 {
		p.Kept = &tool.Kept{Documents: used.Documents, Goods: used.Goods, Read: used.Read.UTC(), AsOf: used.AsOf.UTC()}
	}
	for _, s := range c.meter.Sources() {
		p.Sources = append(p.Sources, tool.Source(s))
	}
	return c.Result
}

// Pick returns the text in the language of the call.
func (c *Call) Pick(ru, en string) string { return c.Lang.Pick(ru, en) }

// Pickf formats the text in the language of the call. Both formats take the same arguments in the same order.
func (c *Call) Pickf(ru, en string, args ...any) string {
	if c.Lang == stockhand.English {
		return fmt.Sprintf(en, args...)
	}
	return fmt.Sprintf(ru, args...)
}

// Notice adds a notice to the result unless it is already there.
func (c *Call) Notice(code tool.NoticeCode, ru, en string) {
	n := tool.Notice{Code: code, Message: c.Pick(ru, en)}
	c.mu.Lock()
	defer c.mu.Unlock()
	if !slices.Contains(c.Result.Notices, n) {
		c.Result.Notices = append(c.Result.Notices, n)
	}
}

// Noticef is like Notice with formats that take the same arguments in the same order.
func (c *Call) Noticef(code tool.NoticeCode, ru, en string, args ...any) {
	c.Notice(code, fmt.Sprintf(ru, args...), fmt.Sprintf(en, args...))
}

// Missing adds a notice that a right is missing, as the role settings name it (rule R15), and what cannot be shown
// without it.
func (c *Call) Missing(section tool.Text, ru, en string) {
	c.mu.Lock()
	c.denials = append(c.denials, section)
	c.mu.Unlock()
	c.Notice(tool.NoticeRightMissing,
		fmt.Sprintf("Нет права «%s»: %s.", section.RU, ru),
		fmt.Sprintf("The right “%s” is missing: %s.", section.EN, en))
}

// Denied reports whether err means that the employee's rights or the account's tariff do not include a section, and
// adds a notice if so. The caller must return every other error.
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

// Refuse handles an error of a tool's only source. If the employee may not read it, the result has no rows, no zero,
// and an answer that explains why.
func (c *Call) Refuse(err error, section tool.Text) error {
	if !c.Denied(err, section) {
		return err
	}
	c.Result.Answer = c.Refusal(section)
	return nil
}

func (c *Call) Refusal(section tool.Text) string {
	if strings.HasPrefix(section.RU, "Видеть") { // a separate right and not a section
		return c.Pick("Ответить нельзя: у сотрудника нет права «"+section.RU+"».",
			"This cannot be answered: the employee lacks the right “"+section.EN+"”.")
	}
	return c.Pick("Ответить нельзя: у сотрудника нет доступа к разделу «"+section.RU+"».",
		"This cannot be answered: the employee has no access to the section “"+section.EN+"”.")
}

// Each calls f for every row of a list. If the list could not be read completely, it adds a notice and keeps the rows
// read so far.
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

// NoticePartialView adds a notice if the employee sees only part of the objects of a type, so that figures depend on
// who asks (fact M42).
func (c *Call) NoticePartialView(entity string, what tool.Text) {
	if c.Rights.Partial(entity) {
		c.Notice(tool.NoticeVisibility,
			fmt.Sprintf("Раздел «%s» сотрудник видит не целиком: остального в ответе нет.", what.RU),
			fmt.Sprintf("The employee sees only part of “%s”: the rest is not in this answer.", what.EN))
	}
}

// NoticePartialViews is [Call.NoticePartialView] for several types of objects: one notice names them all.
func (c *Call) NoticePartialViews(entities []string) {
	var partly []tool.Text
	for _, entity := range entities {
		if c.Rights.Partial(entity) {
			partly = append(partly, SectionAt("entity/"+entity))
		}
	}
	if len(partly) == 0 {
		return
	}
	names := SectionsOf(partly)
	c.Notice(tool.NoticeVisibility, "Сотрудник видит не все документы: «"+names.RU+"». Остальных в ответе нет.",
		"The employee sees only part of “"+names.EN+"”: the rest is not in this answer.")
}

// SectionsOf joins the names of sections for a sentence that puts them in quotation marks as one.
func SectionsOf(list []tool.Text) (all tool.Text) {
	for i, s := range list {
		if i > 0 {
			all.RU, all.EN = all.RU+"», «", all.EN+"”, “"
		}
		all.RU, all.EN = all.RU+s.RU, all.EN+s.EN
	}
	return all
}

// assumed adds a notice about the default used for the period or for its missing end.
func (c *Call) assumed(p tool.Period, from, to tool.Day) {
	ru, en := "Период не назван: взяты последние 30 дней", "No period was given: using the last 30 days"
	switch {
	case from != "":
		ru, en = "Конец периода не назван: взято по сегодняшний день",
			"The end of the period was not given: using today"
	case to != "":
		ru, en = "Начало периода не названо: взяты 30 дней до названного дня",
			"The start of the period was not given: using the 30 days up to its end"
	}
	c.Notice(tool.NoticeAssumption,
		ru+", "+wording.Span(p, stockhand.Russian)+" включительно, по Москве.",
		en+", "+wording.Span(p, stockhand.English)+
			" inclusive, Moscow time.")
}

// Period resolves the arguments from and to, and records the period in the provenance.
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

// PastPeriod is like [Call.Period] for figures a day of what happened. It ends today at the latest: days yet to come
// have no sales, and dividing by them would make the figures too small (rule R224).
func (c *Call) PastPeriod(from, to tool.Day) (tool.Period, error) {
	today := Today(c.Env)
	if from > today {
		return tool.Period{}, Invalid("from", c.Pick("период ещё не начался", "the period has not begun yet"))
	}
	if to <= today {
		return c.Period(from, to)
	}
	p, err := c.Period(from, today)
	c.Notice(tool.NoticeAssumption,
		"Период заканчивается в будущем: взято по сегодняшний день, "+wording.Span(p, stockhand.Russian)+".",
		"The period ends in the future: using it up to today, "+wording.Span(p, stockhand.English)+".")
	return p, err
}

// Method records in at most two short sentences how the figures were computed (rule R78).
func (c *Call) Method(ru, en string) { c.Result.Provenance.Method = c.Pick(ru, en) }

// Tie breaks ties by name and then by ID. It folds names only if necessary, because a table may have a hundred thousand
// rows.
func Tie(so int, nameX, nameY string, idX, idY msapi.ID) int {
	if so != 0 {
		return so
	}
	return cmp.Or(strings.Compare(wording.Fold(nameX), wording.Fold(nameY)), strings.Compare(string(idX), string(idY)))
}

// Aside returns a call with a separate result, to run another tool as part of this one. Its requests count here.
func (c *Call) Aside() *Call {
	return &Call{Account: c.Account, Env: c.Env, Lang: c.Lang, meter: c.meter, facts: c.facts, FullCards: c.FullCards,
		Result: &tool.Result{}}
}

// Adopt copies the notices and the named suppliers of a call returned by [Call.Aside].
func (c *Call) Adopt(from *Call) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.suppliers = append(c.suppliers, from.suppliers...)
	for _, n := range from.Result.Notices {
		if !slices.Contains(c.Result.Notices, n) {
			c.Result.Notices = append(c.Result.Notices, n)
		}
	}
}

// FirstDenial returns the first section that the employee may not read; false if there is none.
func (c *Call) FirstDenial() (tool.Text, bool) {
	if len(c.denials) == 0 {
		return tool.Text{}, false
	}
	return c.denials[0], true
}

// mostNamed is how many names [Call.ListNames] lists.
const mostNamed = 12

// ListNames lists the first names, and how many more there are.
func (c *Call) ListNames(list []string) string {
	slices.Sort(list)
	shown := strings.Join(list[:min(len(list), mostNamed)], "; ")
	if n := len(list) - mostNamed; n > 0 {
		shown += c.Pickf(" и ещё %d", " and %d more", n)
	}
	return shown
}
