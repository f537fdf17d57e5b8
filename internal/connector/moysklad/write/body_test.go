package write

import (
	"bytes"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
)

func vendorWriter() *Writer { return Open(Config{Token: token}) }

const root = "https://api.moysklad.ru/api/remap/1.2/"

func link(kind, id string) string {
	return `{"meta":{"href":"` + root + kind + "/" + id + `","type":"` + kind[strings.LastIndex(kind, "/")+1:] +
		`","mediaType":"application/json"}}`
}

func entity(kind, id string) string { return link("entity/"+kind, id) }

func TestBodiesAreByteForByteStable(t *testing.T) {
	dollars := order()
	dollars.CurrencyID, dollars.Store, dollars.Delivery = dollarsID, nil, ""
	dollars.Lines = dollars.Lines[:1]
	purchase := prices()
	purchase.PriceType, purchase.CurrencyID = ref("", tool.BuyPrice, ""), ""
	purchase.Lines = purchase.Lines[:1]
	for name, c := range map[string]struct {
		doc  tool.Document
		want []tool.Body
	}{
		"order": {order(), []tool.Body{{Method: "POST", Path: "entity/purchaseorder", Body: []byte(
			`{"syncId":"` + string(SyncID("doc_order")) + `","applicable":true,"organization":` +
				entity("organization", organizationID) +
				`,"agent":` + entity("counterparty", supplierID) + `,"store":` + entity("store", storeID) +
				`,"deliveryPlannedMoment":"2026-12-01 00:00:00","positions":[` +
				`{"quantity":10,"price":12345,"inTransit":10,"assortment":` + entity("product", productID) + `},` +
				`{"quantity":2.5,"price":10,"inTransit":2.5,"assortment":` + entity("variant", variantID) + `}]}`)}}},
		"order in another currency, to no warehouse": {dollars,
			[]tool.Body{{Method: "POST", Path: "entity/purchaseorder", Body: []byte(
				`{"syncId":"` + string(SyncID("doc_order")) + `","applicable":true,"organization":` +
					entity("organization", organizationID) +
					`,"agent":` + entity("counterparty", supplierID) + `,"rate":{"currency":` +
					entity("currency", dollarsID) +
					`},"positions":[{"quantity":10,"price":12345,"inTransit":10,"assortment":` +
					entity("product", productID) + `}]}`)}}},
		"transfer without a price": {move(), []tool.Body{{Method: "POST", Path: "entity/move", Body: []byte(
			`{"syncId":"` + string(SyncID("doc_move")) + `","applicable":true,"organization":` +
				entity("organization", organizationID) +
				`,"sourceStore":` + entity("store", storeID) + `,"targetStore":` + entity("store", targetID) +
				`,"positions":[{"quantity":3,"assortment":` + entity("product", productID) + `}]}`)}}},
		"prices": {prices(), []tool.Body{
			{Method: "POST", Path: "entity/product",
				Body: []byte(`[{` + entity("product", productID)[1:len(entity("product", productID))-1] +
					`,"salePrices":[{"value":10700,"currency":` + entity("currency", roublesID) +
					`,"priceType":` + link("context/companysettings/pricetype", retailID) + `}]}]`)},
			{Method: "POST", Path: "entity/variant",
				Body: []byte(`[{` + entity("variant", variantID)[1:len(entity("variant", variantID))-1] +
					`,"salePrices":[{"value":5350,"currency":` + entity("currency", roublesID) +
					`,"priceType":` + link("context/companysettings/pricetype", retailID) + `}]}]`)},
		}},
		"purchase prices": {purchase, []tool.Body{{Method: "POST", Path: "entity/product", Body: []byte(
			`[{` + entity("product", productID)[1:len(entity("product", productID))-1] +
				`,"buyPrice":{"value":10700}}]`)}}},
		"deletion": {removal(), []tool.Body{{Method: "DELETE", Path: "entity/purchaseorder/" + madeID}}},
	} {
		t.Run(name, func(t *testing.T) {
			for range 3 { // every writer gives the same bytes for a document
				got, err := vendorWriter().Bodies(c.doc)
				if err != nil {
					t.Fatal(err)
				}
				if len(got) != len(c.want) {
					t.Fatalf("%d bodies, want %d", len(got), len(c.want))
				}
				for i := range got {
					if got[i].Method != c.want[i].Method || got[i].Path != c.want[i].Path ||
						!bytes.Equal(got[i].Body, c.want[i].Body) {
						t.Errorf("body %d:\n%s %s %s\nwant\n%s %s %s", i, got[i].Method, got[i].Path, got[i].Body,
							c.want[i].Method, c.want[i].Path, c.want[i].Body)
					}
				}
			}
		})
	}
}

func TestSyncIDIsAUUIDDerivedFromTheDocument(t *testing.T) {
	id := string(SyncID("doc_01"))
	if id != string(SyncID("doc_01")) || id == string(SyncID("doc_02")) {
		t.Error("the syncId is not determined by the document")
	}
	if len(id) != 36 || id[14] != '8' || !strings.ContainsRune("89ab", rune(id[19])) {
		t.Errorf("%s is not a version 8 UUID", id)
	}
}

func TestPricesAreSentInBatchesOfAHundred(t *testing.T) {
	doc := prices()
	doc.Lines = nil
	for i := range 250 {
		doc.Lines = append(doc.Lines, tool.Line{
			ID: fmt.Sprint(i + 1), Product: *ref("product", fmt.Sprintf("00000000-0000-0000-0004-%012d", i), ""),
			OldPrice: some("1"), Price: decimal.Some(decimal.FromInt(int64(i))),
		})
	}
	bodies, err := vendorWriter().Bodies(doc)
	if err != nil || len(bodies) != 3 {
		t.Fatalf("%d bodies, %v", len(bodies), err)
	}
	for i, n := range []int{100, 100, 50} {
		if got := bytes.Count(bodies[i].Body, []byte(`"value"`)); got != n {
			t.Errorf("body %d has %d prices, want %d", i, got, n)
		}
	}
}

func TestInvalidDocumentsAreRefusedBeforeAnyRequest(t *testing.T) {
	change := func(d tool.Document, f func(*tool.Document)) tool.Document {
		d.Lines = append([]tool.Line{}, d.Lines...)
		f(&d)
		return d
	}
	for name, doc := range map[string]tool.Document{
		"no id":                     change(order(), func(d *tool.Document) { d.ID = "" }),
		"no organization":           change(order(), func(d *tool.Document) { d.Organization = nil }),
		"no supplier":               change(order(), func(d *tool.Document) { d.Supplier = nil }),
		"a name for an id":          change(order(), func(d *tool.Document) { d.Store = ref("store", "Основной", "") }),
		"no lines":                  change(order(), func(d *tool.Document) { d.Lines = nil }),
		"no quantity":               change(order(), func(d *tool.Document) { d.Lines[0].Quantity = decimal.Maybe{} }),
		"quantity that rounds away": change(order(), func(d *tool.Document) { d.Lines[0].Quantity = some("0.00004") }),
		"negative quantity":         change(order(), func(d *tool.Document) { d.Lines[0].Quantity = some("-1") }),
		"negative price":            change(order(), func(d *tool.Document) { d.Lines[0].Price = some("-1") }),
		"overflown price": change(order(),
			func(d *tool.Document) { d.Lines[0].Price = decimal.Some(decimal.One.Div(decimal.Zero)) }),
		"a bundle":              change(order(), func(d *tool.Document) { d.Lines[0].Product.Type = "bundle" }),
		"a day that is none":    change(order(), func(d *tool.Document) { d.Delivery = "завтра" }),
		"no target":             change(move(), func(d *tool.Document) { d.Target = nil }),
		"the same warehouse":    change(move(), func(d *tool.Document) { d.Target = d.Store }),
		"a service on the move": change(move(), func(d *tool.Document) { d.Lines[0].Product.Type = "service" }),
		"no price":              change(prices(), func(d *tool.Document) { d.Lines[0].Price = decimal.Maybe{} }),
		"no price type":         change(prices(), func(d *tool.Document) { d.PriceType = nil }),
		"a good twice":          change(prices(), func(d *tool.Document) { d.Lines[1] = d.Lines[0] }),
		"deletion of a good": change(removal(),
			func(d *tool.Document) { d.Deletes = ref("product", productID, "") }),
		"an unknown kind": change(order(), func(d *tool.Document) { d.Kind = "gift" }),
	} {
		t.Run(name, func(t *testing.T) {
			s := serve(t, nil)
			if _, err := s.writer().Bodies(doc); stockhand.CodeOf(err) != stockhand.CodeValidation {
				t.Errorf("error %v, want VALIDATION_FAILED", err)
			}
			if o := s.writer().Apply(t.Context(), []tool.Document{doc}); o[0].State != stockhand.DocumentFailed {
				t.Errorf("Apply: %s", o[0].State)
			}
		})
	}
}

func TestOnlyTheWritesOfThisPackageCanBeSent(t *testing.T) {
	s := serve(t, nil)
	w := s.writer()
	for _, r := range []struct{ method, url string }{
		{"POST", s.URL + "/api/remap/1.2/security/token"},
		{"POST", s.URL + "/api/remap/1.2/entity/counterparty"},
		{"POST", s.URL + "/api/remap/1.2/entity/purchaseorder/delete"},
		{"PUT", s.URL + "/api/remap/1.2/entity/product/" + productID},
		{"DELETE", s.URL + "/api/remap/1.2/entity/product/" + productID},
		{"DELETE", s.URL + "/api/remap/1.2/entity/purchaseorder/../product/" + productID},
		{"POST", s.URL + "/entity/move"},
		{"GET", s.URL + "/api/remap/1.2/entity/move"},
		{"POST", "http://elsewhere.invalid/api/remap/1.2/entity/move"},
	} {
		req, err := http.NewRequestWithContext(t.Context(), r.method, r.url, nil)
		if err != nil {
			t.Fatal(err)
		}
		if resp, err := w.client.Do(req); err == nil {
			_ = resp.Body.Close()
			t.Errorf("%s %s was sent", r.method, r.url)
		}
	}
	if n := len(s.requests()); n != 0 {
		t.Errorf("%d requests reached the server", n)
	}
}
