// Package company generates a trading company: its catalogue and documents, a ledger computed from the documents, and
// reports computed from the ledger. It is independent of HTTP and JSON.
//
// It makes three guarantees. The same Options always give the same company, including all ids. Every figure of a report
// is computed only from documents, in exact fixed-point numbers, so that totals of different reports agree and adding
// or deleting a document changes all of them. And all returned values can be read without a lock: published entities
// and documents are immutable (a change replaces them), and report rows belong to a shared cache and are read-only.
//
// The surprising decision: costs are first in, first out within each store, and a move transfers lots with their age
// and cost. The external system does not document how it splits cost between stores; this way, the figures of stores
// always add up to those of the company. Goods sold before they arrive get their cost on arrival.
package company

import (
	"sync"
	"time"
)

// Moscow is the time zone of all times in the external system (fact M35).
var Moscow = time.FixedZone("MSK", 3*60*60)

// Options configure the generated company. The zero value gives a realistic small shop.
type Options struct {
	Seed     uint64
	Products int       // 0 means 300; not counting variants, bundles and services
	Stores   int       // 0 means 3; not counting one nested and one archived store
	Days     int       // days of history up to Now; 0 means 180
	Now      time.Time // the end of the history; zero means the current minute
	Account  int       // 0, 1, …: different companies whose legal entities have the same names
	// CheckShippingStock refuses to ship, move or write off more than a store has. The generated history may do so.
	CheckShippingStock bool
	Clock              func() time.Time // the time of later changes; nil means Now if it is set, and otherwise time.Now
}

func (o Options) withDefaults() Options {
	if o.Products <= 0 {
		o.Products = 300
	}
	if o.Stores <= 0 {
		o.Stores = 3
	}
	if o.Days <= 0 {
		o.Days = 180
	}
	if o.Now.IsZero() {
		o.Now = time.Now()
		if o.Clock == nil {
			o.Clock = time.Now
		}
	}
	o.Now = o.Now.In(Moscow).Truncate(time.Minute)
	if o.Clock == nil {
		now := o.Now
		o.Clock = func() time.Time { return now }
	}
	return o
}

// Company is a generated company. It is safe for concurrent use.
type Company struct {
	accountID ID
	options   Options
	catalogue *Catalogue
	goods     map[ID]*Good
	byWebID   map[ID]*Good
	ranked    []*Good // products and variants, by folder and name

	mu        sync.RWMutex
	version   uint64
	documents map[DocumentType][]*Document
	byID      map[ID]*Document
	bin       map[ID]*Document // deleted
	bySyncID  map[syncKey]*Document
	ledger    *ledger
	serial    int
	reports   reportCache
}

type syncKey struct {
	t  DocumentType
	id ID
}

// AccountID returns the external account's id, which is all that distinguishes accounts.
func (c *Company) AccountID() ID { return c.accountID }

// Options returns the company's options with the defaults filled in.
func (c *Company) Options() Options { return c.options }

// Catalogue returns the current entities. It is read-only: a change publishes a new one.
func (c *Company) Catalogue() *Catalogue {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.catalogue
}

// DeriveID returns the n-th id of a kind of object that package company does not have.
func (c *Company) DeriveID(kind string, n int) ID {
	return derive(kind, string(c.accountID), uint64(n))
}

// Version returns a number that increases with every change.
func (c *Company) Version() uint64 {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.version
}

// Good returns a product, variant, bundle or service by its API id.
func (c *Company) Good(id ID) (*Good, bool) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	g, ok := c.goods[id]
	return g, ok && !g.Deleted
}

// GoodByInterfaceID returns a good by its id in the web interface (fact M39).
func (c *Company) GoodByInterfaceID(id ID) (*Good, bool) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	g, ok := c.byWebID[id]
	return g, ok
}

// Documents returns all documents of a type, including drafts, sorted by moment. The slice is read-only.
func (c *Company) Documents(t DocumentType) []*Document {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.documents[t]
}

// Document returns a document of any type by its id.
func (c *Company) Document(id ID) (*Document, bool) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	d, ok := c.byID[id]
	return d, ok
}

// DocumentBySyncID returns the document that was created with a syncId (fact M43).
func (c *Company) DocumentBySyncID(t DocumentType, id ID) (*Document, bool) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	d, ok := c.bySyncID[syncKey{t, id}]
	return d, ok
}
