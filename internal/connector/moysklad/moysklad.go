// Package moysklad connects Stockhand to MoySklad (МойСклад) over its JSON API 1.2 and contains the tools that read it.
//
// A figure is either right or reported as missing. Amounts are in main units; a hidden cost is never shown as zero, and
// an unknown cost never counts as zero; a missing right is named as in the role settings; a result says when something
// could not be read completely; rows that are not shown still count in the totals.
//
// The tools do not trust filters: they check every returned row again. The server's filters fail silently in several
// ways: an ignored search returns the whole catalogue, a default mode hides goods, and a filter by a hidden object
// returns nothing (docs/moysklad.md). The price is one comparison per row.
package moysklad

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/connector/moysklad/account"
	"github.com/stockhand/stockhand/internal/connector/moysklad/analyze"
	"github.com/stockhand/stockhand/internal/connector/moysklad/analyze/measures"
	"github.com/stockhand/stockhand/internal/connector/moysklad/behind"
	"github.com/stockhand/stockhand/internal/connector/moysklad/cards"
	"github.com/stockhand/stockhand/internal/connector/moysklad/documents"
	"github.com/stockhand/stockhand/internal/connector/moysklad/lookup"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/connector/moysklad/outlook"
	"github.com/stockhand/stockhand/internal/connector/moysklad/propose"
	"github.com/stockhand/stockhand/internal/connector/moysklad/raw"
	"github.com/stockhand/stockhand/internal/connector/moysklad/report"
	"github.com/stockhand/stockhand/internal/limit"
	"github.com/stockhand/stockhand/internal/tool"
)

// Kind is the MoySklad connector. It reads accounts with an employee token and never asks for a login or a password
// (rule R1).
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
	Catalogue: withNeeds(measures.Catalogue, nil), Analyze: analyze.ToolName, Behind: behind.Cell,
	Overview: behind.Overview, Suggest: behind.Suggest, Browse: behind.Browse(documents.Kinds()),
	Verify: verify,
	Open:   open,
}

func verify(ctx context.Context, c connector.Config) (connector.Identity, error) {
	reader := msapi.Open(msapi.Config{BaseURL: c.BaseURL, Token: c.Token, Limiter: c.Limiter, Logger: c.Logger})
	// The list of organizations comes first and decides: a wrong or revoked token fails here (rule R2). The token of an
	// employee who may not see organizations is still valid.
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

// Tools returns the read and propose tools, bound to the account.
func (o opened) Tools() []tool.Tool { return tools(o.Account) }

// Request implements connector.Limited.
func (o opened) Request() limit.Request { return o.Reader.Request() }

// Catalogue implements connector.Analyst.
func (o opened) Catalogue(ctx context.Context) (*connector.Catalogue, error) {
	full, err := analyze.FullCatalogue(ctx, o.Account)
	if err != nil {
		return nil, err
	}
	return withNeeds(full, &o.Rights), nil
}

// Operate implements connector.Operator.
func (o opened) Operate(ctx context.Context, name string, arguments json.RawMessage) (connector.Reading, error) {
	return raw.Operate(ctx, o.Account, name, arguments)
}

func tools(a *account.Account) []tool.Tool {
	return complete(slices.Concat(report.Tools(a), analyze.Tools(a), documents.Tools(a), lookup.Tools(a),
		cards.Tools(a), outlook.Tools(a), propose.Tools(a)))
}
