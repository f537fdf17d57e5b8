// Package moysklad connects Stockhand to MoySklad (МойСклад) over its JSON API 1.2 and holds the tools that read it.
//
// It promises that a figure is either right or said to be missing. Amounts are in main units; a cost that is hidden
// is never a zero and a cost that is unknown never counts as one; a right that is missing is named in the words of
// the role's settings; what could not be read whole says so; rows that are not shown still count in the totals.
//
// The surprising decision is that nothing here trusts a filter. Whatever the server was asked to select is checked
// again on what it answered, because its filters fall silent in several ways: an ignored search answers with the
// whole catalogue, a default mode hides goods, a filter by an object that may not be seen answers with nothing
// (docs/moysklad.md). The price is a comparison a row.
package moysklad

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/connector/moysklad/account"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/connector/moysklad/propose"
	"github.com/stockhand/stockhand/internal/connector/moysklad/raw"
	"github.com/stockhand/stockhand/internal/connector/moysklad/report"
	"github.com/stockhand/stockhand/internal/tool"
)

// Kind is the MoySklad connector. Its accounts are read with an employee token; a login or a password is never asked
// for (rule R1).
var Kind = connector.Kind{
	Name:  "moysklad",
	Title: tool.Text{RU: "МойСклад", EN: "MoySklad"},
	About: tool.Text{
		RU: "Складской учёт МойСклад, JSON API 1.2: остатки, обороты, прибыльность, деньги, заказы; изменения — " +
			"только черновиками.",
		EN: "MoySklad inventory accounting, JSON API 1.2: stock, turnover, profitability, money, orders; changes " +
			"only as drafts.",
	},
	DefaultURL: msapi.DefaultBaseURL, Site: "https://online.moysklad.ru",
	Zone:   tool.Zone{Name: msapi.ZoneName, Label: tool.Text{RU: "МСК", EN: "Moscow time"}}, // fact M35
	Tools:  tools(&account.Account{}),
	Fields: fields, Operations: raw.Published(), Limits: limits, Traps: raw.Pitfalls, Rights: rightsInWords,
	Verify: verify,
	Open:   open,
}

func verify(ctx context.Context, c connector.Config) (connector.Identity, error) {
	reader := msapi.Open(msapi.Config{BaseURL: c.BaseURL, Token: c.Token, Limiter: c.Limiter, Logger: c.Logger})
	// The list of organizations comes first and decides: a wrong or revoked token fails on it (rule R2). An employee
	// who may not see organizations still has a good token.
	var organization string
	organizations, err := msapi.Collect(reader.Organizations(ctx, msapi.ListQuery{}))
	switch _, incomplete := msapi.IsIncomplete(err); {
	case err == nil || incomplete:
		if len(organizations) > 0 {
			organization = organizations[0].Name
		}
	case !msapi.IsForbidden(err):
		return connector.Identity{}, err
	}
	employee, err := reader.Employee(ctx)
	switch {
	case err != nil:
		return connector.Identity{}, err
	case employee.AccountID == "":
		return connector.Identity{}, stockhand.Errorf(stockhand.CodeExternalUnavailable,
			"МойСклад не назвал аккаунт токена")
	}
	return connector.Identity{
		Account:      employee.AccountID,
		Employee:     employee.Name,
		Login:        employee.Login,
		Organization: organization,
		Rights:       account.RightList(employee.Rights),
	}, nil
}

// opened is an opened account with the tools and operations of this connector.
type opened struct{ *account.Account }

func open(c connector.Config, who connector.Identity) connector.Account {
	return opened{account.New(c, who)}
}

// Tools returns the tools that read and those that propose, bound to the account.
func (o opened) Tools() []tool.Tool { return tools(o.Account) }

// Operate implements connector.Operator.
func (o opened) Operate(ctx context.Context, name string, arguments json.RawMessage) (connector.Reading, error) {
	return raw.Operate(ctx, o.Account, name, arguments)
}

func tools(a *account.Account) []tool.Tool {
	return shaped(slices.Concat(report.Tools(a), propose.Tools(a)))
}
