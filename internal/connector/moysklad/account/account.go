// Package account is an opened MoySklad account: its lists and names, the search for goods, stock by warehouse, and the
// run of a tool with the notices and the provenance that it collects.
package account

import (
	"log/slog"
	"sync"
	"time"

	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"golang.org/x/sync/singleflight"
)

// Account is one employee's view of an account.
type Account struct {
	Who    connector.Identity
	Rights Rights
	Reader *msapi.Reader

	flights        singleflight.Group
	stores         cachedList[msapi.Store]
	folders        cachedList[msapi.Folder]
	counterparties cachedList[msapi.Counterparty]
	employees      cachedList[msapi.Colleague]
	channels       cachedList[msapi.SalesChannel]
	priceTypes     cachedList[msapi.PriceType]
	organizations  cachedList[msapi.Organization]
	currencies     cachedList[msapi.Currency]
	states         cachedList[msapi.State]

	searching sync.Mutex // guards searches
	searches  map[string]*cachedList[msapi.AssortmentItem]
}

// cacheFor is how long lists of names are cached: they are read once in a conversation, and a warehouse that was added
// meanwhile is known in the next one.
const cacheFor = 5 * time.Minute

// New opens an account for the employee whose token it is.
func New(c connector.Config, who connector.Identity) *Account {
	logger := c.Logger
	if logger == nil {
		logger = slog.New(slog.DiscardHandler)
	}
	return &Account{
		Who:    who,
		Rights: newRights(who.Rights),
		Reader: msapi.Open(msapi.Config{
			BaseURL: c.BaseURL, Token: c.Token, Account: string(who.Account), Limiter: c.Limiter, Logger: logger,
		}),
	}
}

// Identity says whose account it is and which employee's rights decide what is seen.
func (a *Account) Identity() connector.Identity { return a.Who }
