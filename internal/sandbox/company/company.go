// Package company is a generated trading company: its catalogue, its documents, the ledger that follows from them,
// and the figures of every report that follow from the ledger. It knows nothing of HTTP or JSON.
//
// It promises three things. The same Options give the same company, to the last id. Every figure of a report is
// computed only from documents, in exact fixed-point numbers, so that totals of different reports
// agree and a document added or deleted changes them all. And everything handed out may be read without a lock:
// published entities and documents never change (a change publishes a new one in place of the old), and report rows
// belong to a shared cache and are read only.
//
// The surprising decision is that cost is counted first in, first out within each store, and that a move carries its
// lots along with their age and cost. It is not documented how the external system splits cost between stores;
// counted so, the figures of stores always add up to those of the company. Goods sold before they arrived get their
// cost when they do arrive.
package company

import (
	"sync"
	"time"
)

// Moscow is the zone in which the external system writes every time (fact M35).
var Moscow = time.FixedZone("MSK", 3*60*60)

// Options say what company to generate. The zero value is a small real shop.
type Options struct {
	Seed     uint64
	Products int       // 300 when 0; variants, bundles and services come on top
	Stores   int       // 3 when 0; one nested and one archived store come on top
	Days     int       // days of history that end at Now; 180 when 0
	Now      time.Time // the moment at which history ends; the current minute when zero
	Account  int       // 0, 1, …: different companies whose legal entities carry the same names
	// CheckShippingStock refuses to ship, move or write off more than a store has. The generated history may have.
	CheckShippingStock bool
	Clock              func() time.Time // the time of later changes; always Now when Now is given, time.Now otherwise
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

// Company is the generated company. Its methods may be called from several goroutines at once.
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
	bySyncID  map[syncKey]*Document
	ledger    *ledger
	serial    int
	reports   reportCache
}

type syncKey struct {
	t  DocumentType
	id ID
}

// AccountID is the external account's id; accounts are distinguished by it alone.
func (c *Company) AccountID() ID { return c.accountID }

// Options are those the company was generated with, defaults filled in.
func (c *Company) Options() Options { return c.options }

// Catalogue holds the entities as they are now. It is read only: a change publishes a new one.
func (c *Company) Catalogue() *Catalogue {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.catalogue
}

// DeriveID is the n-th id of a kind that the company itself does not have.
func (c *Company) DeriveID(kind string, n int) ID {
	return derive(kind, string(c.accountID), uint64(n))
}

// Version grows with every change of documents or prices.
func (c *Company) Version() uint64 {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.version
}

// Good finds a product, variant, bundle or service by its API id.
func (c *Company) Good(id ID) (*Good, bool) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	g, ok := c.goods[id]
	return g, ok && !g.Deleted
}

// GoodByInterfaceID finds a good by the id its page in the web interface has (fact M39).
func (c *Company) GoodByInterfaceID(id ID) (*Good, bool) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	g, ok := c.byWebID[id]
	return g, ok
}

// Documents are all documents of a type, drafts included, by moment. The slice is read only.
func (c *Company) Documents(t DocumentType) []*Document {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.documents[t]
}

// Document finds a document of any type by its id.
func (c *Company) Document(id ID) (*Document, bool) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	d, ok := c.byID[id]
	return d, ok
}

// DocumentBySyncID finds the document that was created with that syncId (fact M43).
func (c *Company) DocumentBySyncID(t DocumentType, id ID) (*Document, bool) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	d, ok := c.bySyncID[syncKey{t, id}]
	return d, ok
}
