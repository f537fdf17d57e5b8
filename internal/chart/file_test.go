package chart

import (
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
)

func TestAFileIsAPictureOfItsOwn(t *testing.T) { // rule R570
	for name, w := range map[string]Wish{"line": {Kind: "line", Title: "Выручка <по дням> & «ещё»", X: "x",
		Y: []string{"y1", "y2"}},
		"bar":    {Kind: "bar", Title: "Склады", X: "x", Y: []string{"y1"}},
		"pareto": {Kind: "pareto", Title: "ABC", X: "x", Y: []string{"y1", "y2"}},
		"shares": {Kind: "shares", Title: "Доли", X: "x", Y: []string{"y1"}}} {
		r := table(tool.UnitMoney, []string{"Склад", "Выручка", "Прибыль"}, []string{"А & Б", "100.50", "20"},
			[]string{"<script>alert(1)</script>", "300", "40"}, []string{"В", "", "90"}, []string{"Г", "70", "100"})
		c, ok := Wished(r, w, stockhand.Russian)
		if !ok {
			t.Fatalf("%s: nothing to draw", name)
		}
		var b bytes.Buffer
		if err := File(c).Render(context.Background(), &b); err != nil {
			t.Fatal(err)
		}
		if dir := os.Getenv("STOCKHAND_SCREENSHOTS"); dir != "" {
			if err := os.WriteFile(filepath.Join(dir, "file-"+name+".svg"), b.Bytes(), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		d := xml.NewDecoder(bytes.NewReader(b.Bytes()))
		for {
			token, err := d.Token()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatalf("%s is not XML: %v", name, err)
			}
			e, ok := token.(xml.StartElement)
			if !ok {
				continue
			}
			if e.Name.Space != "http://www.w3.org/2000/svg" || e.Name.Local == "script" || e.Name.Local == "style" {
				t.Errorf("%s has an element %v", name, e.Name)
			}
			for _, a := range e.Attr {
				if strings.HasPrefix(a.Name.Local, "on") || a.Name.Local == "href" || a.Name.Local == "style" {
					t.Errorf("%s has an attribute %s", name, a.Name.Local)
				}
			}
		}
		if text := b.String(); !strings.Contains(text, "100,50\u00a0₽") || !strings.Contains(text, ">"+
			map[string]string{"line": "Выручка &lt;по дням&gt;", "bar": "Склады", "pareto": "ABC", "shares": "Доли"}[name]) {
			t.Errorf("%s lacks its title or an exact figure: %s", name, text)
		}
	}
}

func TestAWishForNothingDrawsNothing(t *testing.T) { // rule R570
	r := table(tool.UnitMoney, []string{"Склад", "Выручка"}, []string{"А", "1"}, []string{"Б", "2"})
	for _, w := range []Wish{{Kind: "pie", X: "x", Y: []string{"y1"}}, {Kind: "bar", X: "no", Y: []string{"y1"}},
		{Kind: "bar", X: "x", Y: []string{"no"}}, {Kind: "bar", X: "x"}, {Kind: "histogram", X: "x"}} {
		if _, ok := Wished(r, w, stockhand.English); ok {
			t.Errorf("%+v is drawn", w)
		}
	}
	r.Rows[1][1] = tool.Money(decimal.MustParse("2"), "USD")
	if _, ok := Wished(r, Wish{Kind: "bar", X: "x", Y: []string{"y1"}}, stockhand.English); ok {
		t.Error("two currencies on one axis")
	}
}

// The colours of files are those of the console's light theme.
func TestAFileHasTheColoursOfTheConsole(t *testing.T) {
	css, err := os.ReadFile("../console/static/assets/console.css")
	if err != nil {
		t.Fatal(err)
	}
	value := func(name string) string {
		m := regexp.MustCompile(`--` + name + `: (#[0-9a-f]+)`).FindSubmatch(css)
		if m == nil {
			t.Fatalf("the style sheet has no --%s", name)
		}
		return string(m[1])
	}
	for class, name := range map[string]string{"c1": "c1", "c2": "c2", "c3": "c3", "c4": "c4", "c5": "c5", "c6": "c6",
		"whole": "c2", "before": "line-strong", "base": "line-strong", "grid": "line", "tick": "muted",
		"name": "text"} {
		if got := colourOf(class); got != value(name) {
			t.Errorf("%s is %s, in the console %s", class, got, value(name))
		}
	}
}
