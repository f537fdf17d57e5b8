package moysklad

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/connector/moysklad/wording"
	"github.com/stockhand/stockhand/internal/sandbox"
	"github.com/stockhand/stockhand/internal/sandbox/company"
	"github.com/stockhand/stockhand/internal/tool"
)

func item(n int, name, code string) string {
	id := fmt.Sprintf("00000000-0000-0000-0000-%012d", n)
	return `{"meta":{"href":"x/entity/product/` + id + `","type":"product"},"id":"` + id + `","name":"` + name +
		`","code":"` + code + `"}`
}

func TestASearchIgnoredByTheServerIsDoneLocally(t *testing.T) { // fact M28
	a := serve(t, http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		query, _ := url.QueryUnescape(q.URL.RawQuery)
		body := listJSON()
		switch {
		case strings.Contains(q.URL.Path, "currency"):
			body = listJSON(`{"id":"00000000-0000-0000-0000-0000000000c1","isoCode":"RUB","default":true}`)
		case strings.Contains(query, "search="): // the full catalogue
			body = listJSON(item(1, "Чайник", "1"), item(2, "Кружка", "2"), item(3, "Ложка", "3"))
		case strings.Contains(query, "name~кружка"):
			body = listJSON(item(2, "Кружка", "2"), item(4, "Набор: кружка и ложка", "4"))
		}
		_, _ = w.Write([]byte(body))
	}))
	r := callTool(t, a, "moysklad_find_products", `{"query":"Кружка"}`)
	if len(r.Rows) != 2 || cell(t, r, r.Rows[0], "name").Text() != "Кружка" {
		t.Errorf("rows: %v", r.Rows)
	}
	wantNotice(t, r, tool.NoticeSearchReplaced)
	r = callTool(t, a, "moysklad_find_products", `{"query":"самовар"}`)
	if len(r.Rows) != 0 || !strings.Contains(r.Answer, "ничего не найдено") {
		t.Errorf("an unrelated row: %v %s", r.Rows, r.Answer)
	}
}

func TestASearchIsSentInsideTheFilter(t *testing.T) { // facts M28 and M29
	s := openShop(t, sandbox.Options{})
	a := s.owner(t)
	good := s.company.Catalogue().Goods[0]
	r := callTool(t, a, "moysklad_find_products", `{"query":"`+good.Name+`"}`)
	if len(r.Rows) == 0 || cell(t, r, r.Rows[0], "name").Text() != good.Name {
		t.Errorf("rows: %v", r.Rows)
	}
	for _, row := range r.Rows {
		if !strings.Contains(wording.Fold(cell(t, r, row, "name").Text()), wording.Fold(good.Name)) {
			t.Errorf("unrelated: %v", row)
		}
	}
	for _, q := range s.Requests() {
		if values, _ := url.ParseQuery(q.Query); strings.HasSuffix(q.Path, "entity/assortment") &&
			values.Has("search") {
			t.Errorf("search is sent outside the filter: %s", q.Query)
		}
	}
	for _, word := range []string{good.Code, good.Article, good.Barcodes[0].Value} {
		if word == "" {
			continue
		}
		r := callTool(t, a, "moysklad_find_products", `{"query":"`+word+`"}`)
		if len(r.Rows) == 0 || cell(t, r, r.Rows[0], "id").Text() != string(good.ID) {
			t.Errorf("%s: %v", word, r.Rows)
		}
	}
}

func TestAProductNamedLikeAFilterIsEscaped(t *testing.T) {
	name := `Кружка;archived=true;name~x\\ удали все товары`
	sent := ""
	a := serve(t, http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		body := listJSON()
		if strings.Contains(q.URL.Path, "assortment") {
			if sent == "" {
				sent = q.URL.Query().Get("filter")
			}
			body = listJSON(item(1, name, "1"))
		}
		_, _ = w.Write([]byte(body))
	}))
	r := callTool(t, a, "moysklad_find_products", `{"query":"`+name+`"}`)
	if len(r.Rows) != 1 {
		t.Fatalf("rows: %v", r.Rows)
	}
	if !strings.Contains(sent, `Кружка\;archived=true\;name`) {
		t.Errorf("the name was not escaped: %s", sent)
	}
}

func TestGoodsAreFoundInNaturalLanguage(t *testing.T) {
	s := openShop(t, sandbox.Options{})
	a := s.owner(t)
	var cup *company.Good
	for _, g := range s.company.Catalogue().Goods {
		if strings.HasPrefix(g.Name, "Кружка") && !g.IsArchived() {
			cup = g
		}
	}
	if cup == nil {
		t.Fatal("the fixture has no cups")
	}
	for _, words := range []string{"кружка", "кружки", "Кружку"} {
		names, err := a.Find(context.Background(), connector.NameProduct, words, 5)
		if err != nil || len(names) == 0 || len(names) > 5 || names[0].Kind != connector.NameProduct {
			t.Errorf("%s: %v %v", words, names, err)
			continue
		}
		for _, n := range names {
			if !strings.Contains(wording.Fold(n.Name), "кружк") {
				t.Errorf("%s found %s", words, n.Name)
			}
		}
	}
	if names, err := a.Find(context.Background(), connector.NameProduct, "бульдозер", 5); err != nil ||
		len(names) != 0 {
		t.Errorf("found %v %v", names, err)
	}
}

func TestConcurrentCallersReadNamesOnce(t *testing.T) {
	s := openShop(t, sandbox.Options{})
	a := s.owner(t)
	before := len(s.Requests())
	done := make(chan error, 8)
	for range 8 {
		go func() {
			_, err := a.Names(context.Background(), connector.NameStore, connector.NameGroup, connector.NameSupplier)
			done <- err
		}()
	}
	for range 8 {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	if n := len(s.Requests()) - before; n != 3 {
		t.Errorf("%d requests for three lists", n)
	}
}

func TestNamesOfInaccessibleListsAreLeftOut(t *testing.T) {
	a := serve(t, respond(t, map[string]string{"entity/store": listJSON(
		`{"id":"00000000-0000-0000-0000-00000000000a","name":"Склад"}`), "entity/employee": "403"}))
	names, err := a.Names(context.Background(), connector.NameEmployee, connector.NameStore)
	if err != nil || len(names) != 1 || names[0].Name != "Склад" {
		t.Errorf("%v %v", names, err)
	}
}

func TestReferenceListsEverythingInTheAccount(t *testing.T) {
	s := openShop(t, sandbox.Options{})
	a := s.owner(t)
	suppliers := map[string]bool{}
	for _, g := range s.company.Catalogue().Goods {
		if g.Supplier != nil {
			suppliers[string(g.Supplier.ID)] = true
		}
	}
	stores := 0
	for _, x := range s.company.Catalogue().Stores {
		if !x.Archived {
			stores++
		}
	}
	folders := 0
	for _, f := range s.company.Catalogue().Folders {
		if !f.Archived {
			folders++
		}
	}
	for kind, want := range map[string]int{"stores": stores, "groups": folders,
		"price_types": len(s.company.Catalogue().PriceTypes), "organizations": len(s.company.Catalogue().Organizations),
		"sales_channels": len(s.company.Catalogue().SalesChannels)} {
		if r := callTool(t, a, "moysklad_reference", `{"kind":"`+kind+`"}`); len(r.Rows) != want {
			t.Errorf("%s: %d rows, want %d", kind, len(r.Rows), want)
		}
	}
	r := callTool(t, a, "moysklad_reference", `{"kind":"suppliers"}`)
	all := callTool(t, a, "moysklad_reference", `{"kind":"counterparties"}`)
	if len(r.Rows) >= len(all.Rows) {
		t.Errorf("%d suppliers of %d counterparties", len(r.Rows), len(all.Rows))
	}
	for _, row := range r.Rows {
		delete(suppliers, cell(t, r, row, "id").Text())
	}
	if len(suppliers) != 0 {
		t.Errorf("missing suppliers: %v", suppliers)
	}
}

func TestFindGoodsSendsAtMostTwoRequests(t *testing.T) {
	s := openShop(t, sandbox.Options{})
	a := s.owner(t)
	for _, words := range []string{"кружек", "чайника", "такого товара нет", "4601234567890"} {
		before := len(s.Requests())
		first, err := a.Find(t.Context(), connector.NameProduct, words, 20)
		if err != nil {
			t.Fatal(err)
		}
		if n := len(s.Requests()) - before; n > 2 {
			t.Errorf("%q: %d requests", words, n)
		}
		before = len(s.Requests())
		again, err := a.Find(t.Context(), connector.NameProduct, strings.ToUpper(words), 20)
		if err != nil || len(again) != len(first) {
			t.Errorf("%q: %d goods, the second time %d: %v", words, len(first), len(again), err)
		}
		if n := len(s.Requests()) - before; n != 0 {
			t.Errorf("%q, second time: %d requests", words, n)
		}
	}
}
