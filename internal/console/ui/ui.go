// Package ui is the console's design system: the frame of its pages and the few components that they are made of, as
// templ components. docs/console.md shows them. Nothing here has a style of its own: the classes are in
// static/assets/console.css, and no page brings others.
package ui

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/console/text"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
)

// Frame is what is around a page: who is looking, at which organization, and where they can go.
type Frame struct {
	Title   string
	Theme   string // auto, light or dark
	Path    string // of the page, to return to it
	Org     stockhand.OrgID
	Orgs    []stockhand.Membership
	Person  stockhand.User
	Role    stockhand.Role // in Org
	Links   []Link
	Current string // the name of the section of the page
	Narrow  bool   // for pages of text and forms
	Invited int    // invitations that wait for the person
	Stopped Stopped
}

// Stopped says that nothing is written to external systems. The zero value says nothing.
type Stopped struct {
	Who, At    string
	Everywhere bool   // the operator did it
	Path       string // where the person can allow it again; empty if they may not
}

// Link is an entry of the navigation.
type Link struct {
	Section string // names it
	Title   text.T
	Icon    string
	Path    string // of its page
	Count   int    // of what waits for the person there; 0 shows none
	Waits   bool   // Count changes by itself
}

// onPhone is how many sections the bar of a phone shows; the others are in a menu at its end.
func (f Frame) onPhone() int {
	const fit = 5
	if len(f.Links) <= fit {
		return fit
	}
	return fit - 1
}

// waits reports whether the navigation shows how much waits for the person.
func (f Frame) waits() bool {
	return slices.ContainsFunc(f.Links, func(l Link) bool { return l.Waits })
}

// OrgName returns the name of the organization.
func (f Frame) OrgName() string {
	for _, m := range f.Orgs {
		if m.ID == f.Org {
			return m.Name
		}
	}
	return "Stockhand"
}

// PersonName returns how the person is called.
func (f Frame) PersonName() string {
	if f.Person.Name != "" {
		return f.Person.Name
	}
	return f.Person.Email
}

// Kind is the meaning of a badge or a notice.
type Kind string

// The kinds. They are names of classes.
const (
	Plain Kind = "plain"
	Good  Kind = "good"
	Info  Kind = "info"
	Warn  Kind = "warn"
	Bad   Kind = "bad"
)

// Looks of buttons, as names of classes.
const (
	Primary = "primary" // the one thing that a page is for
	Default = ""
	Quiet   = "quiet"
	Danger  = "danger"
)

type zoneKey struct{}

// WithZone returns a context whose times are shown in the zone.
func WithZone(ctx context.Context, zone *time.Location) context.Context {
	return context.WithValue(ctx, zoneKey{}, zone)
}

// Zone returns the zone of the context's times, UTC by default.
func Zone(ctx context.Context) *time.Location {
	if z, ok := ctx.Value(zoneKey{}).(*time.Location); ok {
		return z
	}
	return time.UTC
}

// Day formats the day of a time: 15.10.2026, 15 Oct 2026.
func Day(ctx context.Context, t time.Time) string {
	return tool.DayOf(t.In(Zone(ctx))).Format(text.Language(ctx))
}

// Moment formats a time to the minute: 15.10.2026 15:04.
func Moment(ctx context.Context, t time.Time) string {
	return Day(ctx, t) + t.In(Zone(ctx)).Format(" 15:04")
}

// Period is a week, month or quarter as people read it, where tables have 2026-W40, 2026-10 and 2026-Q3 (rule R592).
// Kind says which of them it is; what is none stays as it is.
func Period(ctx context.Context, kind, words string) string {
	l := text.Language(ctx)
	var year, n int
	switch kind {
	case "week":
		if k, err := fmt.Sscanf(words, "%4d-W%02d", &year, &n); k != 2 || err != nil {
			return words
		}
		// the ISO week with 4 January is the first of its year
		monday := time.Date(year, time.January, 4, 0, 0, 0, 0, time.UTC)
		monday = monday.AddDate(0, 0, 7*(n-1)-(int(monday.Weekday())+6)%7)
		return tool.DayOf(monday).Format(l) + " – " + tool.DayOf(monday.AddDate(0, 0, 6)).Format(l)
	case "month":
		if k, err := fmt.Sscanf(words, "%4d-%02d", &year, &n); k == 2 && err == nil && n >= 1 && n <= len(text.Months) {
			return fmt.Sprintf("%s %d", text.Months[n-1].In(ctx), year)
		}
	case "quarter":
		if k, err := fmt.Sscanf(words, "%4d-Q%1d", &year, &n); k == 2 && err == nil {
			return fmt.Sprintf(l.Pick("%d кв. %d", "Q%d %d"), n, year)
		}
	}
	return words
}

// Money formats an amount: 1 234,56 ₽. An unknown one is a dash.
func Money(ctx context.Context, amount decimal.Maybe, currency string) string {
	if !amount.Known {
		return "—"
	}
	return tool.FormatMoney(amount.Decimal, currency, text.Language(ctx))
}

// Quantity formats a quantity. An unknown one is a dash.
func Quantity(ctx context.Context, n decimal.Maybe) string {
	if !n.Known {
		return "—"
	}
	return tool.FormatQuantity(n.Decimal, text.Language(ctx))
}

// Size formats a number of bytes: 12 KB, 3.4 MB.
func Size(ctx context.Context, n int64) string {
	l := text.Language(ctx)
	units := []string{l.Pick(" КБ", " KB"), l.Pick(" МБ", " MB"), l.Pick(" ГБ", " GB")}
	amount, unit := decimal.FromInt(n).Div(decimal.FromInt(1024)), 0
	for unit < len(units)-1 && decimal.FromInt(1000).Less(amount) {
		amount, unit = amount.Div(decimal.FromInt(1024)), unit+1
	}
	places := 1
	if unit == 0 {
		places = 0
	}
	return tool.FormatQuantity(amount.Ceil(places), l) + units[unit]
}
