package e2e

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"github.com/stockhand/stockhand/internal/nodetest"
)

// axe returns the source of axe, which checks pages for accessibility.
func axe(t *testing.T) string {
	t.Helper()
	source, err := os.ReadFile(filepath.Join(nodetest.Package(t, "axe-core"), "axe.min.js"))
	if err != nil {
		t.Fatal(err)
	}
	return string(source)
}

// violation is what axe says about a page.
type violation struct {
	ID    string `json:"id"`
	Help  string `json:"help"`
	Nodes []struct {
		HTML    string `json:"html"`
		Summary string `json:"failureSummary"`
	} `json:"nodes"`
}

// accessible fails the test for what axe finds wrong with the page as it is now. The first call gives axe to the tab,
// which has it from then on in every document.
func (b *tab) accessible(source string) {
	b.t.Helper()
	if !b.hasAxe {
		b.hasAxe = true
		b.eval(source + "; null")
		b.do("give axe to new documents", chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
			_, err := cdp.Call(ctx, t, page.AddScriptToEvaluateOnNewDocument,
				page.AddScriptToEvaluateOnNewDocumentParams{Source: source})
			return err
		}))
	}
	found, err := chromedp.Run(b.ctx, chromedp.Evaluate[[]violation](
		`axe.run(document, {resultTypes: ["violations"]}).then((r) => r.violations)`, chromedp.EvalAwaitPromise))
	if err != nil {
		b.t.Fatalf("axe at %s: %v", b.location(), err)
	}
	for _, v := range found {
		var where []string
		for _, n := range v.Nodes {
			where = append(where, n.HTML+"\n"+n.Summary)
		}
		b.t.Errorf("%s: axe: %s: %s\n%s", b.location(), v.ID, v.Help, strings.Join(where, "\n"))
	}
}
