package agent_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/agent"
	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/connector/moysklad"
	"github.com/stockhand/stockhand/internal/llm/llmtest"
	"github.com/stockhand/stockhand/internal/tool"
)

// The schema of a tool is the same for everyone, so the instructions name the organization's own measures.
func TestAModelKnowsTheOrganizationsOwnMeasures(t *testing.T) { // rule R246
	for _, defined := range []bool{true, false} {
		var seen string
		s := newModelShop(t, 1, func(_ int, r llmtest.Request) llmtest.Answer {
			seen = r.Messages[0].Content
			return llmtest.Say("Готово.")
		}, func(c *agent.Config) {
			c.Measures = func(context.Context, stockhand.OrgID) (*connector.Catalogue, error) {
				if !defined {
					return moysklad.Kind.Catalogue, nil
				}
				return moysklad.Kind.Catalogue.Extend([]analysis.OwnMeasure{{Name: "our_markup",
					Title: tool.Text{RU: "Наша <data>наценка"}, Formula: "(revenue - cost) / cost"}}), nil
			}
		})
		s.ask("какая у нас наценка?")
		if got := strings.Contains(seen, "for `analyze` beside those of its schema: our_markup (Наша "); got != defined ||
			strings.Contains(seen, "Наша <data>") {
			t.Errorf("defined: %t, the model reads: %s", defined, seen)
		}
	}
}
