package sandbox

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
)

func TestNextHrefLeadsThroughAllPages(t *testing.T) {
	s := shared()
	total := size(t, s, owner(s), "entity/product?limit=1")
	path := "entity/product?limit=100&order=id&filter=" + escape("name!=x")
	seen := map[any]bool{}
	for pages := 0; ; pages++ {
		m := object(t, s, owner(s), path)
		for _, r := range m["rows"].([]any) {
			seen[dig(r, "id")] = true
		}
		meta := m["meta"].(map[string]any)
		if (meta["previousHref"] != nil) != (pages > 0) {
			t.Errorf("page %d: previousHref %v", pages, meta["previousHref"])
		}
		next, more := meta["nextHref"].(string)
		if !more {
			break
		}
		if !strings.Contains(next, "order=id") || !strings.Contains(next, "filter=name%21%3Dx") {
			t.Errorf("nextHref lost the query: %s", next)
		}
		_, path, _ = strings.Cut(next, apiRoot+"/")
	}
	if len(seen) != total {
		t.Errorf("%d products over all pages, want %d", len(seen), total)
	}
}

func TestNoPageLinksWhenEverythingFits(t *testing.T) {
	s := shared()
	meta := object(t, s, owner(s), "entity/store")["meta"].(map[string]any)
	if meta["nextHref"] != nil || meta["previousHref"] != nil || meta["limit"] != 1000.0 || meta["offset"] != 0.0 {
		t.Errorf("meta %v", meta)
	}
	total := int(meta["size"].(float64))
	meta = object(t, s, owner(s), fmt.Sprintf("entity/store?limit=%d", total))["meta"].(map[string]any)
	if meta["nextHref"] != nil {
		t.Error("nextHref on the last page")
	}
}

func TestLimitsOfAPage(t *testing.T) {
	s := shared()
	for _, bad := range []string{"limit=0", "limit=1001", "limit=ten", "offset=-1"} {
		wantError(t, request(t, s, owner(s), "entity/store?"+bad), 400, 1040)
	}
	if got := rows(t, s, owner(s), "entity/store?offset=100000"); len(got) != 0 {
		t.Errorf("%d rows past the end", len(got))
	}
}

func TestExpandNeedsAnExplicitLimitOfAtMost100(t *testing.T) {
	s := shared()
	for query, want := range map[string]bool{
		"limit=100&": true, "limit=101&": false, "": false, "limit=1000&": false,
	} {
		m := object(t, s, owner(s), "entity/demand?"+query+"expand=agent,positions.assortment")
		r := m["rows"].([]any)[0]
		if got := dig(r, "agent", "name") != nil; got != want {
			t.Errorf("%q: agent expanded: %v", query, got)
		}
		if got := dig(r, "positions", "rows") != nil; got != want {
			t.Errorf("%q: positions expanded: %v", query, got)
		}
	}
	if r := rows(t, s, owner(s), "entity/demand?limit=1&expand=positions.assortment")[0]; dig(
		dig(r, "positions", "rows").([]any)[0], "assortment", "name") == nil {
		t.Error("the second level is not expanded")
	}
}

func TestExpandOfOneObjectNeedsNoLimit(t *testing.T) {
	s := shared()
	id := rows(t, s, owner(s), "entity/demand?limit=1")[0]["id"].(string)
	if m := object(t, s, owner(s), "entity/demand/"+id+"?expand=agent"); dig(m, "agent", "name") == nil {
		t.Error("agent is not expanded")
	}
}

func TestExpandIsLimitedInDepthAndFields(t *testing.T) {
	s := shared()
	wantError(t, request(t, s, owner(s), "entity/demand?limit=1&expand=sum"), 412, 1089)
	wantError(t, request(t, s, owner(s), "entity/demand?limit=1&expand=positions.assortment.product.supplier"), 400,
		1040)
	if a := request(t, s, owner(s), "entity/demand?expand=sum"); a.status != http.StatusOK {
		t.Errorf("an ignored expand was validated: status %d", a.status)
	}
}

func TestNestedRowsLimitIsASwitch(t *testing.T) {
	s := newServer(t, func(o *Options) { o.Switches.NestedRowsLimit = 1 })
	for _, r := range rows(t, s, owner(s), "entity/demand?limit=50&expand=positions") {
		p := r["positions"].(map[string]any)
		if n := len(p["rows"].([]any)); n > 1 || dig(p, "meta", "limit") != 1.0 {
			t.Errorf("%d nested rows, meta %v", n, p["meta"])
		}
	}
}

func TestMinimumStockIsReturnedOnlyOnRequest(t *testing.T) {
	s := shared()
	has := func(rows []map[string]any, key string) int {
		n := 0
		for _, r := range rows {
			if r[key] != nil {
				n++
			}
		}
		return n
	}
	if n := has(rows(t, s, owner(s), "entity/product"), "minimumStock"); n != 0 {
		t.Errorf("%d products have minimumStock without fields=minimumStock", n)
	}
	if n := has(rows(t, s, owner(s), "entity/product?fields=minimumStock"), "minimumStock"); n == 0 {
		t.Error("no product has minimumStock")
	}
	if n := has(rows(t, s, owner(s), "entity/product?fields=minimumStock&expand=supplier"), "minimumStock"); n != 0 {
		t.Error("fields must be ignored when expand is ignored")
	}
	wantError(t, request(t, s, owner(s), "entity/product?fields=minimumStock,stock"), 412, 3042)
	wantError(t, request(t, s, owner(s), "entity/product?fields=unheard"), 412, 3043)
}

func TestMinimumBalanceIsPresentOnlyForASumMinimum(t *testing.T) {
	s := shared()
	types := map[any]int{}
	for offset := 0; offset < 300; offset += 100 {
		path := fmt.Sprintf("entity/product?limit=100&offset=%d&fields=minimumStock&expand=minimumStock.storebalances",
			offset)
		for _, r := range rows(t, s, owner(s), path) {
			m, ok := r["minimumStock"].(map[string]any)
			if !ok {
				continue
			}
			types[m["type"]]++
			if (r["minimumBalance"] != nil) != (m["type"] == "ALL_WAREHOUSE_SUM") {
				t.Errorf("%v has minimumBalance %v", m["type"], r["minimumBalance"])
			}
			if m["type"] != "WAREHOUSE_VARIED" {
				continue
			}
			stores, _ := dig(m, "storebalances", "rows").([]any)
			own := rows(t, s, owner(s), "entity/product/"+r["id"].(string)+"/storebalances")
			if len(stores) == 0 || len(stores) != len(own) || dig(stores[0], "quantity") != own[0]["quantity"] {
				t.Errorf("storebalances expanded %v, listed %v", stores, own)
			}
		}
	}
	if len(types) != 3 {
		t.Errorf("minimum types: %v", types)
	}
}

func TestArchivedIsExcludedByDefault(t *testing.T) {
	s := shared()
	for _, list := range []string{"entity/product", "entity/assortment", "report/stock/all", "entity/store"} {
		extra := ""
		if strings.HasPrefix(list, "report") {
			extra = ";quantityMode=all"
		}
		count := func(filter string) int {
			return size(t, s, owner(s), list+"?limit=1&filter="+escape(filter+extra))
		}
		standard, only, both := count(""), count("archived=true"), count("archived=true;archived=false")
		if only == 0 || standard+only != both {
			t.Errorf("%s: %d by default, %d archived, %d with both", list, standard, only, both)
		}
	}
}

func TestFilterByIDFindsArchivedToo(t *testing.T) {
	s := shared()
	gone := rows(t, s, owner(s), "entity/product?limit=1&filter=archived%3Dtrue")[0]["id"].(string)
	kept := rows(t, s, owner(s), "entity/product?limit=1")[0]["id"].(string)
	if got := size(t, s, owner(s), "entity/product?filter="+escape("id="+gone+";id="+kept)); got != 2 {
		t.Errorf("%d products for two ids, want 2", got)
	}
}

func TestOrderPutsEmptyValuesLast(t *testing.T) {
	s := shared()
	articles := func(order string) []bool {
		var filled []bool
		for _, r := range rows(t, s, owner(s), "entity/product?order="+escape(order)) {
			filled = append(filled, r["article"] != nil)
		}
		return filled
	}
	up, down := articles("article"), articles("article,desc")
	if !up[0] || up[len(up)-1] || down[0] || !down[len(down)-1] {
		t.Errorf("first and last article: ascending %v…%v, descending %v…%v", up[0], up[len(up)-1], down[0],
			down[len(down)-1])
	}
	sorted := names(rows(t, s, owner(s), "entity/product?order=name"))
	if !slices.IsSorted(sorted) {
		t.Error("names are not sorted")
	}
	wantError(t, request(t, s, owner(s), "entity/product?order=salePrices"), 412, 1063)
	wantError(t, request(t, s, owner(s), "entity/product?order=name,upwards"), 412, 1042)
}

func TestSearchMatchesBeginningsOfWords(t *testing.T) {
	match := searcher("чай 100", byWords)
	for text, want := range map[string]bool{
		"Чай зелёный 100 г": true, "Иван-чай 100 пак.": true, "Чайник 1000 Вт": true, "Чай 2100": false,
		"Ночай 100": false,
	} {
		if got := match([]string{text}); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
	if !searcher("чай арт", byWords)([]string{"Чай", "АРТ-7"}) {
		t.Error("each word may match a different field")
	}
	if !searcher("очай", bySubstring)([]string{"Ночай"}) {
		t.Error("with the switch, a substring must match")
	}
}

func TestSearchOfProducts(t *testing.T) {
	s := shared()
	word, _, _ := strings.Cut(rows(t, s, owner(s), "entity/product?limit=1")[0]["name"].(string), " ")
	found := rows(t, s, owner(s), "entity/product?search="+escape(word))
	if len(found) == 0 || len(found) == size(t, s, owner(s), "entity/product") {
		t.Errorf("%q: %d products", word, len(found))
	}
	for _, name := range names(found) {
		if !strings.Contains(strings.ToLower(name), strings.ToLower(word)) {
			t.Errorf("search of %q found %q", word, name)
		}
	}
}

func TestLegacyAssortmentIgnoresPlainSearch(t *testing.T) {
	s := shared()
	all := size(t, s, owner(s), "entity/assortment?limit=1")
	if got := size(t, s, owner(s), "entity/assortment?limit=1&search=unfindable"); got != all {
		t.Errorf("plain search: %d rows, want the whole catalogue of %d", got, all)
	}
	if got := size(t, s, owner(s), "entity/assortment?limit=1&filter="+escape("search=unfindable")); got != 0 {
		t.Errorf("filter=search=: %d rows", got)
	}
	beta := header("X-Lognex-Remap-Beta-Feature", assortmentBeta)
	a := request(t, s, owner(s), "entity/assortment?limit=1&search=unfindable", beta)
	if !strings.Contains(string(a.body), `"size":0`) {
		t.Errorf("the new format must apply search: %.300s", a.body)
	}
	wantError(t, request(t, s, owner(s), "entity/assortment?filter="+escape("search=x"), beta), 412, 1034)
	wantError(t, request(t, s, owner(s), "entity/assortment?filter="+escape("stockMode=all"), beta), 412, 1034)
}

func TestAssortmentStock(t *testing.T) {
	s := shared()
	stock := map[any]float64{}
	for _, r := range array(t, s, owner(s), "report/stock/all/current") {
		stock[r["assortmentId"]] = r["stock"].(float64)
	}
	for _, r := range rows(t, s, owner(s), "entity/assortment") {
		kind := dig(r, "meta", "type")
		stocked := kind == "product" || kind == "variant"
		if (r["stock"] != nil) != stocked {
			t.Errorf("%v has stock %v", kind, r["stock"])
		}
		if stocked && r["stock"] != stock[r["id"]] {
			t.Errorf("%v: stock %v, short report %v", r["name"], r["stock"], stock[r["id"]])
		}
	}
	for _, r := range rows(t, s, owner(s), "entity/assortment?filter="+escape("stockMode=positiveOnly")) {
		if kind := dig(r, "meta", "type"); kind == "bundle" || kind == "service" || r["stock"].(float64) <= 0 {
			t.Errorf("positiveOnly includes %v %v with stock %v", kind, r["name"], r["stock"])
		}
	}
}

func TestAbsentIsNotNull(t *testing.T) {
	s := shared()
	for _, list := range []string{"product", "variant", "counterparty", "customerorder", "store"} {
		a := request(t, s, owner(s), "entity/"+list)
		if strings.Contains(string(a.body), ":null") {
			t.Errorf("entity/%s contains a null", list)
		}
	}
}

func TestPositionsAreAListOfTheirOwn(t *testing.T) {
	s := shared()
	r := rows(t, s, owner(s), "entity/purchaseorder?limit=1")[0]
	path := "entity/purchaseorder/" + r["id"].(string) + "/positions"
	all := rows(t, s, owner(s), path+"?limit=100&expand=assortment")
	if len(all) != int(dig(r, "positions", "meta", "size").(float64)) || dig(all[0], "assortment", "name") == nil {
		t.Errorf("%d positions, the order says %v", len(all), dig(r, "positions", "meta", "size"))
	}
	one := object(t, s, owner(s), path+"/"+all[0]["id"].(string))
	if one["quantity"] != all[0]["quantity"] {
		t.Errorf("one position %v", one)
	}
}

func TestStockInsidePositionsHasItsOwnFieldNames(t *testing.T) {
	s := shared()
	r := rows(t, s, owner(s), "entity/customerorder?limit=1&expand=positions&fields=stock")[0]
	p := dig(r, "positions", "rows").([]any)[0]
	stock := dig(p, "stock").(map[string]any)
	if stock["available"] != stock["quantity"].(float64)-stock["reserve"].(float64)+stock["intransit"].(float64) {
		t.Errorf("stock %v", stock)
	}
}
