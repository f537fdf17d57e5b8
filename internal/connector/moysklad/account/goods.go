package account

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/english"
	"github.com/blevesearch/snowballstem/russian"
	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/connector/moysklad/facts"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/connector/moysklad/wording"
	"golang.org/x/sync/errgroup"
)

// MaxFound is the maximum number of goods that a search reads: one page. With that many matches, the user must refine
// the search.
const MaxFound = 1000

// Found describes how a search was done.
type Found struct {
	Replaced bool // the server ignored the search or found nothing, so filters were used
	Ignored  bool // the server returned goods that do not contain the words
	Cut      bool // there are more matches than were read
}

// SearchGoods finds goods whose name, code, article or barcode contains every word of the text. It tries the server's
// search first and checks each row, because a search that the server ignores returns the whole catalogue (rule R22). In
// that case it uses filters, which the server applies.
func (a *Account) SearchGoods(ctx context.Context, text string) ([]msapi.AssortmentItem, Found, error) {
	words := strings.Fields(wording.Fold(text))
	if len(words) == 0 {
		return nil, Found{}, nil
	}
	rows, err := msapi.Collect(a.Reader.Assortment(ctx, msapi.AssortmentQuery{Search: text, First: MaxFound}))
	if _, incomplete := msapi.IsIncomplete(err); err != nil && !incomplete {
		return nil, Found{}, err
	}
	kept := slices.DeleteFunc(slices.Clone(rows), func(x msapi.AssortmentItem) bool { return !contains(x, words) })
	if len(kept) == len(rows) && len(rows) > 0 {
		return rows, Found{Cut: len(rows) == MaxFound}, nil
	}
	more, err := a.filterGoods(ctx, text, words)
	if err != nil {
		return nil, Found{}, err
	}
	for _, item := range more {
		if !slices.ContainsFunc(kept, func(x msapi.AssortmentItem) bool { return x.ID == item.ID }) {
			kept = append(kept, item)
		}
	}
	return kept, Found{Replaced: true, Ignored: len(rows) > 0, Cut: len(kept) >= MaxFound}, nil
}

// filterGoods finds goods by filters: part of the name, or the exact code, article or barcode.
func (a *Account) filterGoods(ctx context.Context, text string, words []string) ([]msapi.AssortmentItem, error) {
	longest := slices.MaxFunc(words, func(x, y string) int { return len(x) - len(y) })
	queries := append(equalTo(text, msapi.ArchivedDefault)[1:],
		msapi.AssortmentQuery{NameContains: longest, First: MaxFound})
	return a.goodsOfAll(ctx, queries, func(x msapi.AssortmentItem) bool { return contains(x, words) })
}

// NamedGoods finds goods with exactly a name, code, article or barcode. A search may have more matches than it reads,
// and the exact one among those that are left out.
func (a *Account) NamedGoods(ctx context.Context, text string, archived msapi.Archived) ([]msapi.AssortmentItem,
	error) {
	return a.goodsOfAll(ctx, equalTo(strings.TrimSpace(text), archived),
		func(x msapi.AssortmentItem) bool { return IsNamed(x, text) })
}

// IsNamed reports whether a text is the name, code, article or a barcode of a good.
func IsNamed(item msapi.AssortmentItem, text string) bool {
	text = wording.Fold(text)
	return text != "" && slices.ContainsFunc(append([]string{item.Name, item.Code, item.Article}, item.Barcodes...),
		func(w string) bool { return wording.Fold(w) == text })
}

// equalTo returns queries for the goods with exactly a name, code, article or barcode.
func equalTo(text string, archived msapi.Archived) []msapi.AssortmentQuery {
	equal := func(field string) msapi.AssortmentQuery {
		return msapi.AssortmentQuery{Filter: msapi.Filter{}.Where(field, msapi.Eq, text), Archived: archived,
			First: MaxFound}
	}
	queries := []msapi.AssortmentQuery{equal("name"), equal("code"), equal("article")}
	if isBarcode(text) {
		queries = append(queries, msapi.AssortmentQuery{Barcode: text, Archived: archived, First: MaxFound})
	}
	return queries
}

// goodsOfAll reads several lists at once and returns the goods that fit, once each.
func (a *Account) goodsOfAll(ctx context.Context, queries []msapi.AssortmentQuery,
	fits func(msapi.AssortmentItem) bool) ([]msapi.AssortmentItem, error) {
	lists := make([][]msapi.AssortmentItem, len(queries))
	work, inner := errgroup.WithContext(ctx)
	for i, q := range queries {
		work.Go(func() error {
			rows, err := msapi.Collect(a.Reader.Assortment(inner, q))
			if _, incomplete := msapi.IsIncomplete(err); err != nil && !incomplete {
				return err
			}
			lists[i] = only(rows, fits)
			return nil
		})
	}
	if err := work.Wait(); err != nil {
		return nil, err
	}
	var all []msapi.AssortmentItem
	for _, item := range slices.Concat(lists...) {
		if !slices.ContainsFunc(all, func(x msapi.AssortmentItem) bool { return x.ID == item.ID }) {
			all = append(all, item)
		}
	}
	return all, nil
}

// Contains reports whether an item's name, code, article and barcodes contain every word of a text.
func Contains(item msapi.AssortmentItem, text string) bool {
	return contains(item, strings.Fields(wording.Fold(text)))
}

// contains reports whether the item's name, code, article and barcodes contain every word.
func contains(item msapi.AssortmentItem, words []string) bool {
	text := wording.Fold(strings.Join(append([]string{item.Name, item.Code, item.Article}, item.Barcodes...), " "))
	for _, w := range words {
		if !strings.Contains(text, w) {
			return false
		}
	}
	return true
}

func isBarcode(s string) bool {
	return len(s) >= 8 && len(s) <= 14 && !strings.ContainsFunc(s, func(r rune) bool { return r < '0' || r > '9' })
}

// closeness ranks matches: exact name, code or article first, then names that start with the text, then shorter names.
func closeness(item msapi.AssortmentItem, text string) int {
	text = wording.Fold(text)
	name := wording.Fold(item.Name)
	switch {
	case name == text:
		return 0
	case text != "" && (wording.Fold(item.Code) == text || wording.Fold(item.Article) == text ||
		slices.Contains(item.Barcodes, text)):
		return 1
	case strings.HasPrefix(name, text):
		return 2
	}
	return 3
}

func ByCloseness(text string) func(x, y msapi.AssortmentItem) int {
	return func(x, y msapi.AssortmentItem) int {
		if d := closeness(x, text) - closeness(y, text); d != 0 {
			return d
		}
		if d := len([]rune(x.Name)) - len([]rune(y.Name)); d != 0 {
			return d
		}
		return strings.Compare(x.Name+string(x.ID), y.Name+string(y.ID))
	}
}

// goodsCacheFor is how long found goods are cached, because understanding a task searches for the same words several
// times.
const goodsCacheFor = time.Minute

// Find searches for goods or counterparties in natural language. It reduces words to their stems, so that "чайника"
// finds "Чайник", and ranks goods with the exact words before goods that match the stems only. A search takes one
// request, or two if the server finds no goods or ignores it, and none if it is cached from the last minute.
func (a *Account) Find(ctx context.Context, kind connector.NameKind, words string, limit int) ([]connector.Name,
	error) {
	text := wording.Fold(words)
	switch {
	case text == "":
		return nil, nil
	case kind == connector.NameCounterparty, kind == connector.NameSupplier:
		return a.findCounterparties(ctx, kind, text, limit)
	case kind != connector.NameProduct:
		return nil, nil
	}
	items, err := readCached(ctx, a, a.searched(text), "goods "+text,
		func(ctx context.Context) ([]msapi.AssortmentItem, error) { return a.searchStems(ctx, text) })
	if err != nil {
		return nil, err
	}
	names := make([]connector.Name, 0, len(items))
	for _, item := range items {
		if limit > 0 && len(names) == limit {
			break
		}
		names = append(names, goodsName(item))
	}
	return names, nil
}

func goodsName(item msapi.AssortmentItem) connector.Name {
	return connector.Name{Kind: connector.NameProduct, ID: string(item.ID), Name: item.Name,
		Also: nonEmpty(append([]string{item.Code, item.Article}, item.Barcodes...)...)}
}

// searched returns the cache entry of a text and drops expired entries.
func (a *Account) searched(text string) *cachedList[msapi.AssortmentItem] {
	a.searching.Lock()
	defer a.searching.Unlock()
	maps.DeleteFunc(a.searches, func(_ string, c *cachedList[msapi.AssortmentItem]) bool { return c.expired() })
	if a.searches == nil {
		a.searches = map[string]*cachedList[msapi.AssortmentItem]{}
	}
	if a.searches[text] == nil {
		a.searches[text] = &cachedList[msapi.AssortmentItem]{keep: goodsCacheFor}
	}
	return a.searches[text]
}

// searchStems finds goods by word stems. It checks each row of the server's search (rule R22); if no row matches, it
// filters by part of the name.
func (a *Account) searchStems(ctx context.Context, text string) ([]msapi.AssortmentItem, error) {
	stemmed := strings.Fields(Stems(text))
	var items []msapi.AssortmentItem
	for _, query := range []msapi.AssortmentQuery{
		{Search: strings.Join(stemmed, " "), First: MaxFound},
		{NameContains: slices.MaxFunc(stemmed, distinctive), First: MaxFound},
	} {
		rows, err := msapi.Collect(a.Reader.Assortment(ctx, query))
		if _, incomplete := msapi.IsIncomplete(err); err != nil && !incomplete {
			return nil, err
		}
		items = slices.DeleteFunc(rows, func(x msapi.AssortmentItem) bool { return !contains(x, stemmed) })
		if len(items) > 0 {
			break
		}
	}
	exact := slices.DeleteFunc(slices.Clone(items),
		func(x msapi.AssortmentItem) bool { return !contains(x, strings.Fields(text)) })
	if len(exact) > 0 {
		items = exact
	}
	slices.SortFunc(items, ByCloseness(text))
	return items, nil
}

// distinctive compares stems by how well they select names: the longer one does, but a word with "ё" is not found
// without it, and the stems have none.
func distinctive(x, y string) int {
	return cmp.Or(btoi(!strings.Contains(x, "е"))-btoi(!strings.Contains(y, "е")), len(x)-len(y))
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// Stems removes the endings of the words in a text.
func Stems(text string) string {
	words := strings.Fields(wording.Fold(text))
	for i, w := range words {
		if len([]rune(w)) < 4 || strings.ContainsFunc(w, unicode.IsDigit) {
			continue
		}
		env := snowballstem.NewEnv(w)
		if strings.ContainsFunc(w, func(r rune) bool { return unicode.Is(unicode.Cyrillic, r) }) {
			russian.Stem(env)
		} else {
			english.Stem(env)
		}
		words[i] = env.Current()
	}
	return strings.Join(words, " ")
}

func nonEmpty(words ...string) []string {
	return slices.DeleteFunc(words, func(w string) bool { return w == "" })
}

// IDsPerRequest is roughly how many IDs fit into the URL of one request.
const IDsPerRequest = 150

// LinesPerDocument is the maximum number of lines of a document (fact M14).
const LinesPerDocument = 1000

// Describe reads the names and codes of goods known only by ID. It reads them individually or reads the whole
// catalogue, whichever takes fewer requests; catalogue is the known minimum size of the catalogue.
func (c *Call) Describe(ctx context.Context, keys []msapi.Key, catalogue int) (map[msapi.Key]msapi.AssortmentItem,
	error) {
	wanted := make(map[msapi.Key]msapi.AssortmentItem, len(keys))
	if len(keys) == 0 {
		return wanted, nil
	}
	query := msapi.AssortmentQuery{Types: []string{"product", "variant"}}
	if Pages(len(keys), IDsPerRequest) <= Pages(catalogue, 1000) {
		query = msapi.AssortmentQuery{Archived: msapi.ArchivedAlso}
		for _, k := range keys {
			query.IDs = append(query.IDs, k.ID())
		}
	}
	asked := make(map[msapi.Key]bool, len(keys))
	for _, k := range keys {
		asked[k] = true
	}
	err := Each(c, c.Reader.Assortment(ctx, query), func(item msapi.AssortmentItem) {
		if k := item.ID.Key(); asked[k] {
			wanted[k] = slim(item)
		}
	})
	return wanted, err
}

// slim keeps only the fields that a large table shows.
func slim(x msapi.AssortmentItem) msapi.AssortmentItem {
	return msapi.AssortmentItem{Type: x.Type, ID: x.ID, Name: x.Name, Code: x.Code, Article: x.Article,
		Archived: x.Archived}
}

// errLarge ends the reading of a catalogue of which few goods are needed.
var errLarge = errors.New("reading the goods one by one takes fewer requests")

// DescribeAll is like [Call.Describe] for all kinds of goods, including bundles and services. The first page of the
// whole catalogue tells which way takes fewer requests; if few goods are needed, it is not asked.
func (c *Call) DescribeAll(ctx context.Context, keys []msapi.Key) (map[msapi.Key]msapi.AssortmentItem, error) {
	items := make(map[msapi.Key]msapi.AssortmentItem, len(keys))
	wanted := make(map[msapi.Key]bool, len(keys))
	query := msapi.AssortmentQuery{Archived: msapi.ArchivedAlso}
	for _, k := range keys {
		if k != (msapi.Key{}) && !wanted[k] {
			query.IDs, wanted[k] = append(query.IDs, k.ID()), true
		}
	}
	if len(query.IDs) == 0 {
		return items, nil
	}
	if all := c.keptGoods(ctx, len(query.IDs)); all != nil {
		return all.Pick(wanted), nil
	}
	slices.Sort(query.IDs) // the same goods are the same requests
	add := func(x msapi.AssortmentItem) {
		if wanted[x.ID.Key()] {
			items[x.ID.Key()] = x
		}
	}
	if byID := Pages(len(query.IDs), IDsPerRequest); byID > 2 {
		whole := msapi.WithSizes(ctx, func(_ string, size int) error {
			if Pages(size, 1000) >= byID {
				return errLarge
			}
			return nil
		})
		err := Each(c, c.Reader.Assortment(whole, msapi.AssortmentQuery{Archived: query.Archived}), add)
		if !errors.Is(err, errLarge) {
			return items, err
		}
	}
	return items, Each(c, c.Reader.Assortment(ctx, query), add)
}

// AllGoods returns all goods of the account, from what is kept where that is possible, or nil if they are to be read in
// another way: it takes more requests, or the employee may not see all of them.
func (c *Call) AllGoods(ctx context.Context, most int, sparing bool) *facts.Goods {
	if !c.wholeGoods() {
		return nil
	}
	return c.facts.Goods(ctx, most, sparing)
}

// wholeGoods reports whether the employee sees all goods. If not, another role shows others, which no good tells.
func (c *Call) wholeGoods() bool {
	return !slices.ContainsFunc([]string{"product", "variant", "bundle", "service"},
		func(entity string) bool { return !c.Rights.Whole(entity) })
}

// keptGoods returns all goods if that takes fewer requests than reading so many by their IDs. If those are many, it may
// take twice as many, because the next question will take one.
func (c *Call) keptGoods(ctx context.Context, n int) *facts.Goods {
	byID := Pages(n, IDsPerRequest)
	if c.FullCards || byID == 1 && n < fewKept {
		return nil
	}
	most := max(1, byID-1)
	if byID >= manyByID {
		most = 2 * byID
	}
	return c.AllGoods(ctx, most, false)
}

// manyByID is how many requests by ID are many.
const manyByID = 10

// fewKept is how many goods are read by their IDs although all may be kept: decoding a large catalogue is not worth it.
const fewKept = 20

// Pages returns the number of pages for n rows; reading an empty list still takes one request.
func Pages(n, size int) int { return max(1, (n+size-1)/size) }
