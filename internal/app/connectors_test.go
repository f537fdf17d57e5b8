package app_test

import (
	"go/parser"
	"go/token"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stockhand/stockhand/internal/app"
	"github.com/stockhand/stockhand/internal/app/apptest"
	"github.com/stockhand/stockhand/internal/connector/connectortest"
)

func TestAConnectorIsAFolderAndOneLine(t *testing.T) {
	t.Parallel()
	shelf := connectortest.New()
	s := apptest.Start(t, apptest.Options{Unconnected: true, Configure: func(c *app.Config) {
		c.Connectors = slices.Concat(app.Connectors, []app.Connector{
			{Kind: shelf.Kind(), Writer: app.WriterOf(shelf.Writer), Gateway: shelf.Gateway},
		})
	}})
	do := func(method, path string, body any, status int, into any) {
		t.Helper()
		a := s.Do(method, path, s.AdminToken, body)
		if a.Status != status {
			t.Fatalf("%s %s: %d %s", method, path, a.Status, a.Body)
		}
		if into != nil {
			a.Decode(t, into)
		}
	}
	do("POST", "/connections", map[string]any{"connector": "shelf", "token": "wrong"}, http.StatusUnprocessableEntity,
		nil)
	var connection struct{ ID string }
	do("POST", "/connections", map[string]any{"connector": "shelf", "token": connectortest.Token}, 201, &connection)

	var tools struct{ Data []struct{ Name string } }
	do("GET", "/tools", nil, 200, &tools)
	if !slices.ContainsFunc(tools.Data, func(x struct{ Name string }) bool { return x.Name == "shelf_price" }) {
		t.Errorf("the tools are %v", tools.Data)
	}
	var read struct{ Results []struct{ Answer string } }
	do("POST", "/tools/shelf_price/execute", map[string]any{"arguments": map[string]any{}}, 200, &read)
	if len(read.Results) != 1 || read.Results[0].Answer != "The price is 10." {
		t.Errorf("read %+v", read)
	}

	var proposed struct {
		Drafts []struct {
			ID      string
			Version int
		}
	}
	do("POST", "/tools/shelf_propose_price_change/execute",
		map[string]any{"arguments": map[string]any{"percent": 20}}, 200, &proposed)
	if len(proposed.Drafts) != 1 || shelf.Price() != "10" {
		t.Fatalf("proposed %+v, the price is %s", proposed, shelf.Price())
	}
	do("POST", "/drafts/"+proposed.Drafts[0].ID+"/confirm", map[string]any{"version": proposed.Drafts[0].Version}, 200,
		nil)
	if shelf.Price() != "12" {
		t.Errorf("after the confirmation the price is %s", shelf.Price())
	}

	gateway := "/connections/" + connection.ID + "/gateway/price"
	do("PUT", gateway, "13", http.StatusForbidden, nil)
	do("PATCH", "/connections/"+connection.ID, map[string]any{"gateway_writes": true}, 200, nil)
	do("PUT", gateway, "13", 200, nil)
	var price float64
	do("GET", gateway, nil, 200, &price)
	if price != 13 || shelf.Price() != "13" {
		t.Errorf("through the gateway the price is %v", price)
	}
}

// The name of a connector is in its own folder, and its packages are imported in one file.
func TestNoConnectorIsNamedOutsideItsFolder(t *testing.T) {
	for _, dir := range []string{".", "../cli", "../limit", "../tool", "../connection", "../draft"} {
		files, err := filepath.Glob(filepath.Join(dir, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range files {
			if strings.HasSuffix(path, "_test.go") {
				continue
			}
			source, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if strings.Contains(string(source), `"moysklad"`) {
				t.Errorf("%s names a connector", path)
			}
			f, err := parser.ParseFile(token.NewFileSet(), path, source, parser.ImportsOnly)
			if err != nil {
				t.Fatal(err)
			}
			for _, i := range f.Imports {
				if strings.Contains(i.Path.Value, "/internal/connector/") && path != "connectors.go" {
					t.Errorf("%s imports %s", path, i.Path.Value)
				}
			}
		}
	}
}
