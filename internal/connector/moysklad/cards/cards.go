// Package cards contains the tools that show one good, or one customer or supplier, with everything that the account
// knows about it.
package cards

import (
	"context"
	"slices"
	"sync"

	"github.com/stockhand/stockhand/internal/connector/moysklad/account"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
)

// Tools returns the tools, bound to an account.
func Tools(a *account.Account) []tool.Tool { return []tool.Tool{productTool(a), counterpartyTool(a)} }

// call is one call of a tool.
type call struct {
	*account.Call
	currency   string // of the account
	currencies map[msapi.ID]string
	period     tool.Period
	today      tool.Day

	mu     sync.Mutex // guards unseen
	unseen []string   // parts that the employee may not see
}

// periodArgs is the period of the sales on a card.
type periodArgs struct {
	From tool.Day `json:"from,omitempty" jsonschema:"first day; default: 30 days up to and including the last"`
	To   tool.Day `json:"to,omitempty" jsonschema:"last day, included; default: today"`
}

// reading returns a tool that runs a method of call. If the employee may not read what the card is of, the answer says
// so.
func reading[In any](a *account.Account, name string, title, about, section tool.Text, period func(In) periodArgs,
	do func(c *call, ctx context.Context, in In) error) tool.Tool {
	return tool.Read(name, title, about, func(ctx context.Context, env tool.Env, in In) (*tool.Result, error) {
		ctx, begun := account.Begin(ctx, a, env, title)
		c := &call{Call: begun, today: account.Today(env)}
		var err error
		if c.period, err = c.PastPeriod(period(in).From, period(in).To); err != nil {
			return nil, err
		}
		if err = do(c, ctx, in); err != nil {
			if err = c.Refuse(err, section); err != nil {
				return nil, err
			}
		}
		return c.Finish(), nil
	})
}

// seen handles an error of a part of the card. A part that the employee may not see is named, and is not zero.
func (c *call) seen(err error, section tool.Text, ru, en string) (bool, error) {
	switch {
	case err == nil:
		return true, nil
	case msapi.IsForbidden(err):
		c.Missing(section, ru, en)
	case !c.Denied(err, section):
		return false, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.unseen = append(c.unseen, section.In(c.Lang))
	return false, nil
}

// iso returns the code of a currency, or "" if the employee may not see it.
func (c *call) iso(of msapi.Ref) string { return account.Iso(of, c.currency, c.currencies) }

func text(ru, en string) tool.Text { return tool.Text{RU: ru, EN: en} }

// field is a line of the card's head.
type field struct{ name, value string }

// fields collects those that are filled.
type fields struct {
	*call
	list []field
}

func (f *fields) add(ru, en, value string) {
	if value != "" {
		f.list = append(f.list, field{f.Pick(ru, en), value})
	}
}

// show adds the head of the card.
func (f *fields) show() {
	tool.AddPart(f.Result, f.Lang, text("Карточка", "Card"), []tool.TableColumn[field]{
		texts("name", "Название", "Name", func(x field) string { return x.name }),
		texts("value", "Значение", "Value", func(x field) string { return x.value }),
	}, f.list)
}

// attributes adds the additional fields.
func (f *fields) attributes(list []msapi.AttributeValue) {
	for _, a := range list {
		f.add(a.Name, a.Name, account.AttributeText(a, f.Lang))
	}
}

func texts[T any](name, ru, en string, cell func(T) string) tool.TableColumn[T] {
	return cells(name, tool.UnitText, ru, en, func(x T) tool.Value { return tool.TextValue(cell(x)) })
}

// documentType is the type of a row's document, which opens it with fewer requests.
func documentType[T any](of func(T) string) tool.TableColumn[T] {
	return texts("document_type", "Вид", "Type", of).AsDetail()
}

func cells[T any](name string, unit tool.Unit, ru, en string, cell func(T) tool.Value) tool.TableColumn[T] {
	return tool.TableColumn[T]{Name: name, Unit: unit, Label: text(ru, en), Cell: cell}
}

func quantities[T any](name, ru, en string, cell func(T) decimal.Maybe) tool.TableColumn[T] {
	return cells(name, tool.UnitQuantity, ru, en, func(x T) tool.Value { return tool.MaybeNumber(cell(x)) })
}

// amounts is a column of money, each amount in its own currency. Reports give fractions of a kopeck.
func amounts[T any](name, ru, en string, cell func(T) (decimal.Maybe, string)) tool.TableColumn[T] {
	return cells(name, tool.UnitMoney, ru, en, func(x T) tool.Value {
		amount, currency := cell(x)
		amount.Decimal = amount.Round(2)
		return tool.MaybeMoney(amount, currency)
	})
}

func percents[T any](name, ru, en string, cell func(T) decimal.Maybe) tool.TableColumn[T] {
	return cells(name, tool.UnitPercent, ru, en, func(x T) tool.Value { return account.Rounded(cell(x), 1) })
}

// dates is a column of calendar days.
func dates[T any](name, ru, en string, cell func(T) msapi.Moment) tool.TableColumn[T] {
	return cells(name, tool.UnitDate, ru, en, func(x T) tool.Value {
		if at := cell(x); !at.IsZero() {
			return tool.Date(dayOf(at))
		}
		return tool.Empty
	})
}

func dayOf(m msapi.Moment) tool.Day { return tool.DayOf(m.In(msapi.Moscow)) }

// counts is a column of whole numbers; zero is left empty.
func counts[T any](name string, unit tool.Unit, ru, en string, cell func(T) int) tool.TableColumn[T] {
	return cells(name, unit, ru, en, func(x T) tool.Value {
		if n := cell(x); n > 0 {
			return tool.Count(n)
		}
		return tool.Empty
	})
}

// daysSince returns the number of days from a day until today.
func (c *call) daysSince(m msapi.Moment) int {
	return max(0, tool.Period{From: dayOf(m), To: c.today}.Days()-1)
}

// sortedOnce sorts names and leaves out repeated ones.
func sortedOnce(list []string) []string {
	slices.Sort(list)
	return slices.Compact(list)
}
