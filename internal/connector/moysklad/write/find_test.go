package write

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/tool"
)

// rows responds with a list.
func rows(items ...string) http.HandlerFunc {
	return respond(200, fmt.Sprintf(`{"context":{},"meta":{"size":%d,"limit":1000,"offset":0},"rows":[%s]}`, len(items),
		strings.Join(items, ",")))
}

func find(t *testing.T, w *Writer, docs ...tool.Document) []tool.Outcome {
	t.Helper()
	outcomes, err := w.Find(t.Context(), docs)
	if err != nil || len(outcomes) != len(docs) {
		t.Fatalf("%d outcomes, %v", len(outcomes), err)
	}
	return outcomes
}

func TestDocumentsAreFoundByTheirSyncID(t *testing.T) {
	there := createdJSON("purchaseorder", strings.ToUpper(string(SyncID("doc_order"))), 1)
	thrown := strings.Replace(createdJSON("purchaseorder", string(SyncID("doc_thrown")), 2), `{"meta"`,
		`{"deleted":"2026-11-20 10:00:00.000","meta"`, 1)
	second, third := order(), order()
	second.ID, third.ID = "doc_thrown", "doc_missing"
	s := serve(t, map[string]http.HandlerFunc{"GET entity/purchaseorder": rows(there, thrown),
		"GET entity/move": rows()})
	outcomes := find(t, s.writer(), order(), second, third, move())
	wantStates(t, outcomes, applied, applied, failed, failed)
	if outcomes[0].External.Name != "00001" || outcomes[0].Link == "" ||
		!strings.Contains(outcomes[1].Problem, "корзину") {
		t.Errorf("outcomes %+v", outcomes)
	}
	query := s.requests()[0].query
	for _, want := range []string{string(SyncID("doc_order")), string(SyncID("doc_missing")), "isDeleted%3Dtrue",
		"isDeleted%3Dfalse"} {
		if !strings.Contains(query, want) {
			t.Errorf("query %s does not contain %s", query, want)
		}
	}
	if n := len(s.requests()); n != 2 {
		t.Errorf("%d requests, want one for each kind", n)
	}
}

func TestAnIgnoredSearchDoesNotProveThatADocumentIsMissing(t *testing.T) {
	for name, answer := range map[string]http.HandlerFunc{
		"others' documents":   rows(createdJSON("purchaseorder", string(SyncID("doc_other")), 1)),
		"more than are shown": respond(200, `{"meta":{"size":7},"rows":[]}`),
	} {
		s := serve(t, map[string]http.HandlerFunc{"GET entity/purchaseorder": answer})
		if o := find(t, s.writer(), order())[0]; o.State != unknown {
			t.Errorf("%s: %s", name, o.State)
		}
	}
	for _, status := range []int{401, 403, 500} {
		s := serve(t, map[string]http.HandlerFunc{"GET entity/purchaseorder": respond(status, "")})
		if _, err := s.writer().Find(t.Context(), []tool.Document{order()}); err == nil {
			t.Errorf("HTTP %d gives no error", status)
		}
	}
}

func TestDocumentsAreLookedUpFiftyAtATime(t *testing.T) {
	s := serve(t, map[string]http.HandlerFunc{"GET entity/purchaseorder": rows()})
	var docs []tool.Document
	for i := range 120 {
		doc := order()
		doc.ID = stockhand.DocumentID(fmt.Sprint("doc_", i))
		docs = append(docs, doc)
	}
	for _, o := range find(t, s.writer(), docs...) {
		if o.State != failed {
			t.Fatal(o)
		}
	}
	if n := len(s.requests()); n != 3 {
		t.Errorf("%d requests", n)
	}
}

// goodJSON returns a product or variant with one sale price and a purchase price, in minor units.
func goodJSON(kind, id, sale, buy string) string {
	return fmt.Sprintf(`{"meta":{"href":"http://any/entity/%s/%s","type":"%s"},"id":"%s","name":"имя","archived":false,
		"buyPrice":{"value":%s,"currency":{"meta":{"href":"http://any/entity/currency/%s","type":"currency"}}},
		"salePrices":[{"value":%s,"currency":{"meta":{"href":"http://any/entity/currency/%s","type":"currency"}},"priceType":{"id":"%s","name":"Розничная"}}]}`,
		kind, id, kind, id, buy, roublesID, sale, roublesID, retailID)
}

func TestPricesAreReadBack(t *testing.T) {
	for name, c := range map[string]struct {
		product, variant string
		want             stockhand.DocumentState
		lines            [2]stockhand.DocumentState
	}{
		"both new":               {"10700", "5350.0", applied, [2]stockhand.DocumentState{applied, applied}},
		"both old":               {"10000", "5000", failed, [2]stockhand.DocumentState{failed, failed}},
		"one of each":            {"10700", "5000", failed, [2]stockhand.DocumentState{applied, failed}},
		"something else":         {"10700", "5555", unknown, [2]stockhand.DocumentState{applied, unknown}},
		"a floating-point error": {"10700.0000001", "5350", applied, [2]stockhand.DocumentState{applied, applied}},
		"a kopeck off":           {"10701", "5350", unknown, [2]stockhand.DocumentState{unknown, applied}},
	} {
		t.Run(name, func(t *testing.T) {
			s := serve(t, map[string]http.HandlerFunc{
				"GET entity/product": rows(goodJSON("product", productID, c.product, "1")),
				"GET entity/variant": rows(goodJSON("variant", variantID, c.variant, "1")),
			})
			o := find(t, s.writer(), prices())[0]
			if o.State != c.want || o.Lines[0].State != c.lines[0] || o.Lines[1].State != c.lines[1] {
				t.Errorf("%+v", o)
			}
			if c.want == unknown && !strings.Contains(o.Problem, "не прежняя и не новая") {
				t.Errorf("problem %q", o.Problem)
			}
		})
	}
}

func TestThePriceOfADeletedProductWasNotChanged(t *testing.T) {
	s := serve(t, map[string]http.HandlerFunc{"GET entity/product": rows(),
		"GET entity/variant": rows(goodJSON("variant", variantID, "5350", "1"))})
	o := find(t, s.writer(), prices())[0]
	if o.State != failed || o.Lines[0].State != failed || o.Lines[1].State != applied {
		t.Errorf("%+v", o)
	}
}

func TestPurchasePricesAreReadBack(t *testing.T) {
	doc := prices()
	doc.PriceType, doc.Lines = ref("", tool.BuyPrice, ""), doc.Lines[:1]
	s := serve(t, map[string]http.HandlerFunc{"GET entity/product": rows(goodJSON("product", productID, "1", "10700"))})
	wantStates(t, find(t, s.writer(), doc), applied)
}

func TestADeletionIsAppliedWhenTheDocumentIsGone(t *testing.T) {
	path := "GET entity/purchaseorder/" + madeID
	for name, c := range map[string]struct {
		answer http.HandlerFunc
		want   stockhand.DocumentState
	}{
		"gone":       {respond(404, errorBody(1021, "")), applied},
		"in the bin": {respond(200, `{"id":"`+madeID+`","deleted":"2026-11-20 10:00:00.000"}`), applied},
		"there":      {respond(200, createdJSON("purchaseorder", "", 1)), failed},
	} {
		t.Run(name, func(t *testing.T) {
			s := serve(t, map[string]http.HandlerFunc{path: c.answer})
			wantStates(t, find(t, s.writer(), removal()), c.want)
		})
	}
	s := serve(t, map[string]http.HandlerFunc{path: respond(404, "<html>")})
	if _, err := s.writer().Find(t.Context(), []tool.Document{removal()}); err == nil {
		t.Error("a gateway's 404 was read as a deletion")
	}
}
