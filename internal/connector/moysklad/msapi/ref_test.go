package msapi

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
)

// anotherRef is decoded by encoding/json alone, for comparison.
type anotherRef struct {
	Meta     meta   `json:"meta"`
	Name     string `json:"name"`
	Code     string `json:"code"`
	Article  string `json:"article"`
	PathName string `json:"pathName"`
}

const linkText = `{"meta":{"href":"https://api.example/entity/product/0c5f8e2a-1111-11ee-0a80-000000000001?expand=x",
	"metadataHref":"https://api.example/entity/product/metadata","type":"product","mediaType":"application/json",
	"uuidHref":"https://online.example/app/#good/edit?id=0c5f8e2a-2222-11ee-0a80-000000000001"%s},
	"id":"0c5f8e2a-1111-11ee-0a80-000000000001","name":"Болт \u00abМ6\u00bb \"x\"","code":"7","article":null,
	"pathName":"Крепёж","salePrices":[{"value":100.0,"name":"a"}],"uom":{"name":"шт"}}`

func TestLinksAreDecodedAsByEncodingJSON(t *testing.T) {
	for _, text := range []string{fmt.Sprintf(linkText, ""), fmt.Sprintf(linkText, `,"permitted":false`), `null`, `{}`,
		`{"name":"a","name":"b"}`, `{"meta":null}`, `{"meta":{}}`} {
		got := Ref{Name: "before"}
		var want anotherRef
		if err := errors.Join(json.Unmarshal([]byte(text), &got), json.Unmarshal([]byte(text), &want)); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		if (got != Ref{Type: want.Meta.Type, ID: idOfHref(want.Meta.Href), Name: want.Name, Code: want.Code,
			Article: want.Article, PathName: want.PathName, Hidden: want.Meta.Permitted != nil}) {
			t.Errorf("%s: %+v", text, got)
		}
	}
	for _, text := range []string{`[]`, `"x"`, `7`, `{"name":7}`, `{"meta":[]}`, `{"meta":{"href":{}}}`} {
		var got Ref
		err := json.Unmarshal([]byte(text), &got)
		if _, ok := errors.AsType[*json.UnmarshalTypeError](err); !ok {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func BenchmarkDecodeLinks(b *testing.B) {
	text := []byte("[" + strings.Repeat(fmt.Sprintf(linkText, "")+",", 99) + fmt.Sprintf(linkText, "") + "]")
	b.Run("links", func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		for b.Loop() {
			if err := json.Unmarshal(text, &[]Ref{}); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("encoding/json", func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		for b.Loop() {
			var refs []wrapped
			if err := json.Unmarshal(text, &refs); err != nil {
				b.Fatal(err)
			}
		}
	})
}

type wrapped struct{ anotherRef }

func (w *wrapped) UnmarshalJSON(b []byte) error { return json.Unmarshal(b, &w.anotherRef) }
