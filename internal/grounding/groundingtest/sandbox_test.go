package groundingtest

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/agent/render"
	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/connector/moysklad"
	"github.com/stockhand/stockhand/internal/grounding"
	"github.com/stockhand/stockhand/internal/sandbox"
	"github.com/stockhand/stockhand/internal/sandbox/company"
	"github.com/stockhand/stockhand/internal/tool"
)

// noon is the fake clock's time, when the sandbox's history ends.
var noon = time.Date(2026, 11, 20, 12, 0, 0, 0, company.Moscow)

// toolCall is a tool call in the sandbox with its result or proposal.
type toolCall struct {
	tool      string
	employee  string
	arguments string
	language  stockhand.Language
	result    *tool.Result
	proposal  *tool.Proposal
}

func (a toolCall) source() grounding.Source {
	id := "res_1"
	if a.proposal != nil {
		id = "drf_1"
	}
	return grounding.Source{ID: id, Arguments: json.RawMessage(a.arguments), Result: a.result, Proposal: a.proposal}
}

// more lists additional arguments by tool.
var more = map[string][]string{
	"moysklad_profitability": {`{"by":"variant"}`, `{"by":"employee"}`, `{"by":"counterparty"}`,
		`{"by":"sales_channel"}`, `{"order":"margin","direction":"asc","limit":15}`},
	"moysklad_stock":       {`{"limit":5}`},
	"moysklad_money":       {`{"view":"flow"}`},
	"moysklad_sales_trend": {`{"compare":true}`, `{"step":"week"}`},
}

// sandboxCalls calls every tool in both languages, as the owner and as employees with fewer rights, once per test run.
func sandboxCalls(t *testing.T) []toolCall {
	t.Helper()
	once.Do(func() { calls = callTools(t) })
	if len(calls) == 0 {
		t.Fatal("no tool call succeeded")
	}
	return calls
}

var (
	once  sync.Once
	calls []toolCall
)

func callTools(t *testing.T) []toolCall {
	t.Helper()
	s := sandbox.New(sandbox.Options{Company: company.Options{Seed: 7, Products: 120, Days: 60}, Accounts: 1,
		NoLimits: true, Now: func() time.Time { return noon }})
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	tokens := s.Accounts()[0].Tokens
	var out []toolCall
	for i, token := range []string{tokens.Owner, tokens.Sales, tokens.Storekeeper} {
		employee := []string{"owner", "sales", "storekeeper"}[i]
		config := connector.Config{BaseURL: server.URL + sandbox.APIPath, Token: token}
		who, err := moysklad.Kind.Verify(context.Background(), config)
		if err != nil {
			t.Fatal(err)
		}
		account := moysklad.Kind.Open(config, who)
		for _, l := range []stockhand.Language{stockhand.Russian, stockhand.English} {
			for _, tl := range account.Tools() {
				for _, arguments := range append(
					[]string{`{}`, `{"kind":"stores"}`, `{"kind":"suppliers"}`, `{"query":"Чай"}`}, more[tl.Name]...) {
					env := tool.Env{Now: noon, Language: l}
					a := toolCall{tool: tl.Name, employee: employee, arguments: arguments, language: l}
					if tl.Proposes() {
						a.proposal, err = tl.Propose(context.Background(), env, json.RawMessage(arguments))
					} else {
						a.result, err = tl.Call(context.Background(), env, json.RawMessage(arguments))
					}
					if stockhand.CodeOf(err) == stockhand.CodeValidation && err != nil {
						continue
					}
					if err != nil {
						t.Logf("%s %s: %v", tl.Name, arguments, err)
						continue
					}
					out = append(out, a)
				}
			}
		}
	}
	return out
}

func TestARenderedResultIsFullyGrounded(t *testing.T) {
	figures := 0
	tools := map[string]int{}
	for _, a := range sandboxCalls(t) {
		if a.result == nil {
			continue
		}
		tools[a.tool]++
		answer, err := render.Result(a.result.InPages(), a.language)
		if err != nil {
			t.Fatal(err)
		}
		text := string(answer)
		c := grounding.Check(text, a.language, grounding.Evidence{Sources: []grounding.Source{a.source()}})
		figures += len(c.Matched)
		if len(c.Unmatched) > 0 || c.Text != text {
			t.Errorf("%s %s in %s: %v %s\n%s", a.tool, a.arguments, a.language, c.Unmatched, c.Coverage, text)
		}
		if missing := grounding.Missing(text, a.result.Notices); len(missing) > 0 {
			t.Errorf("%s %s in %s: a notice in the text is reported missing: %v", a.tool, a.arguments, a.language,
				missing)
		}
	}
	t.Logf("%d figures in true answers, none marked; answers by tool: %v", figures, tools)
}

// written formats a proposal as an answer does: a summary, then each document with its lines.
func written(p *tool.Proposal, l stockhand.Language) string {
	var b strings.Builder
	b.WriteString(p.Answer + "\n")
	for _, d := range p.Documents {
		fmt.Fprintf(&b, "\n### %s\n\n%s\n\n", d.Title, d.Reason)
		r := d.Table(l)
		for _, c := range r.Columns {
			b.WriteString("| " + c.Label + " ")
		}
		b.WriteString("|\n" + strings.Repeat("|---", len(r.Columns)) + "|\n")
		for _, row := range r.Rows {
			for i, v := range row {
				b.WriteString("| " + v.Format(r.Columns[i].Unit, l) + " ")
			}
			b.WriteString("|\n")
		}
		if d.Total.Known {
			b.WriteString("\n" + l.Pick("Итого: ", "Total: ") + tool.FormatMoney(d.Total.Decimal, d.Currency, l) + "\n")
		}
		for _, c := range d.Consequences {
			b.WriteString("\n- " + c)
		}
	}
	for _, n := range p.Notices {
		b.WriteString("\n- " + n.Message)
	}
	return b.String()
}

func TestARenderedProposalIsFullyGrounded(t *testing.T) {
	figures, documents := 0, 0
	for _, a := range sandboxCalls(t) {
		if a.proposal == nil {
			continue
		}
		documents += len(a.proposal.Documents)
		text := written(a.proposal, a.language)
		c := grounding.Check(text, a.language, grounding.Evidence{Sources: []grounding.Source{a.source()}})
		figures += len(c.Matched)
		if len(c.Unmatched) > 0 || c.Text != text {
			t.Errorf("%s %s in %s: %v %s\n%s", a.tool, a.arguments, a.language, c.Unmatched, c.Coverage, c.Text)
		}
	}
	if documents == 0 {
		t.Error("no proposals")
	}
	t.Logf("%d figures in %d documents, none marked", figures, documents)
}

// Rule R244: a sentence with any figure of a card's parts with one row, or of its prices, is grounded.
func TestSentencesWithFiguresOfACardAreGrounded(t *testing.T) {
	s := sandbox.New(sandbox.Options{Company: company.Options{Seed: 7, Products: 120, Days: 60}, Accounts: 1,
		NoLimits: true, Now: func() time.Time { return noon }})
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	config := connector.Config{BaseURL: server.URL + sandbox.APIPath, Token: s.Accounts()[0].Tokens.Owner}
	who, err := moysklad.Kind.Verify(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	figures := 0
	for _, ask := range [][2]string{{"product", "00002"}, {"product", "00018"}, {"product", "U001"},
		{"counterparty", "K00001"}, {"counterparty", "K00002"}, {"counterparty", "K00014"}} {
		for _, tl := range moysklad.Kind.Open(config, who).Tools() {
			if tl.Name != "moysklad_"+ask[0] {
				continue
			}
			in := fmt.Sprintf(`{%q:%q}`, ask[0], ask[1])
			r, err := tl.Call(t.Context(), tool.Env{Now: noon, Language: stockhand.Russian}, json.RawMessage(in))
			if err != nil {
				t.Fatal(err)
			}
			_, name, _ := strings.Cut(r.Title, " ")
			a := toolCall{tool: tl.Name, arguments: in, language: stockhand.Russian, result: r}
			for _, part := range r.InPages().Split() {
				whole, err := part.Whole()
				if err != nil {
					t.Fatal(err)
				}
				for i, c := range whole.Columns {
					if _, ok := whole.Rows[0][i].Decimal(); !ok || len(whole.Rows) > 1 && whole.Title != "Цены" {
						continue
					}
					figures++
					text := fmt.Sprintf("%s: %s — %s.", name, strings.ToLower(c.Label),
						whole.Rows[0][i].Format(c.Unit, stockhand.Russian))
					checked := grounding.Check(text, stockhand.Russian,
						grounding.Evidence{Sources: []grounding.Source{a.source()}})
					if len(checked.Unmatched) > 0 || checked.Coverage != "" {
						t.Errorf("%s: %v %s", text, checked.Unmatched, checked.Coverage)
					}
				}
			}
		}
	}
	if figures < 30 {
		t.Errorf("only %d figures", figures)
	}
}
