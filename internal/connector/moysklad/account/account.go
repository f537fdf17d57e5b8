// Package account provides an opened MoySklad account: its lists and names, the search for goods, stock by warehouse,
// and [Call], which collects the notices and provenance of a tool call.
package account

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"golang.org/x/sync/singleflight"
)

// Account is an account as one employee sees it.
type Account struct {
	Who    connector.Identity
	Rights Rights
	Reader *msapi.Reader
	Kept   connector.Kept // nil: nothing is kept
	// adds what the organization defines to what queries may ask; nil: nothing
	AddOwn func(context.Context, *connector.Catalogue) (*connector.Catalogue, error)
	Logger *slog.Logger

	flights        singleflight.Group
	stores         cachedList[msapi.Store]
	everyStore     cachedList[msapi.Store]
	folders        cachedList[msapi.Folder]
	counterparties cachedList[msapi.Counterparty]
	goods          cachedList[msapi.AssortmentItem]
	employees      cachedList[msapi.Colleague]
	channels       cachedList[msapi.SalesChannel]
	priceTypes     cachedList[msapi.PriceType]
	organizations  cachedList[msapi.Organization]
	currencies     cachedList[msapi.Currency]
	states         sync.Map // of a *cachedList[msapi.State] by type of documents
	projects       cachedList[msapi.Named]
	contracts      cachedList[msapi.Named]
	expenseItems   cachedList[msapi.Named]
	bankAccounts   cachedList[msapi.OrganizationAccount]
	units          cachedList[msapi.Named]
	countries      cachedList[msapi.Named]

	rightsNow cachedList[string]

	attributes sync.Map // cached lists of definitions by type of entity

	searching sync.Mutex // guards searches
	searches  map[string]*cachedList[msapi.AssortmentItem]
}

// cacheFor is how long lists of names are cached: long enough for one conversation, and short enough that the next one
// sees a new warehouse.
const cacheFor = 5 * time.Minute

// New opens an account for the employee that the token belongs to.
func New(c connector.Config, who connector.Identity) *Account {
	logger := c.Logger
	if logger == nil {
		logger = slog.New(slog.DiscardHandler)
	}
	return &Account{
		Who: who,

		rightsNow: cachedList[string]{keep: time.Minute},
		Rights:    newRights(who.Rights),
		Kept:      c.Kept,
		AddOwn:    c.AddOwn,
		Logger:    logger,
		Reader: msapi.Open(msapi.Config{
			BaseURL: c.BaseURL, Token: c.Token, Account: string(who.Account), Limiter: c.Limiter, Logger: logger,
			Through: c.Transport,
		}),
	}
}

// Identity returns the account and the employee whose rights apply.
func (a *Account) Identity() connector.Identity { return a.Who }
