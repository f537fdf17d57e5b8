package cli_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stockhand/stockhand/internal/cli"
	"github.com/stockhand/stockhand/internal/sandbox"
	"github.com/stockhand/stockhand/internal/sandbox/company"
)

// ran is what a command came to.
type ran struct {
	code     int
	out, err string
}

// run runs the program in this process with that environment and nothing typed.
func run(t *testing.T, environment map[string]string, args ...string) ran {
	t.Helper()
	var out, errs bytes.Buffer
	code := cli.Run(t.Context(), args, func(k string) string { return environment[k] },
		cli.Streams{In: strings.NewReader(""), Out: &out, Err: &errs})
	return ran{code, out.String(), errs.String()}
}

// serve starts a sandbox and returns the environment that points at it, with a token of its first account.
func serve(t *testing.T, accounts int) (*sandbox.Server, map[string]string) {
	t.Helper()
	server := sandbox.New(sandbox.Options{Company: company.Options{Seed: 1}, Accounts: accounts})
	url, err := sandbox.Listen(t.Context(), "127.0.0.1:0", server)
	if err != nil {
		t.Fatal(err)
	}
	return server, map[string]string{
		"STOCKHAND_MOYSKLAD_URL": url, "STOCKHAND_MOYSKLAD_TOKEN": server.Accounts()[0].Tokens.Owner,
		"STOCKHAND_DATA_DIR": t.TempDir(),
	}
}

// finished is the JSON that ask prints.
type finished struct {
	FinalResponse string `json:"final_response"`
	ToolCalls     []struct {
		Name      string
		Arguments map[string]any
	} `json:"tool_calls"`
	Results []struct {
		ID      string
		Tool    string
		Columns []struct{ Name, Label, Unit string }
		Rows    []map[string]any
		Totals  map[string]any
		Notices []struct{ Code, Message string }
	}
	Drafts   []any
	Notices  []struct{ Code, Message string }
	Question *struct {
		Text    string
		Options []struct{ Text, Account_ID string } //nolint:revive // the name on the wire
	}
	ExternalRequests int `json:"external_requests"`
	Error            *struct{ Code, Message, Hint string }
}

func decode(t *testing.T, r ran) finished {
	t.Helper()
	var f finished
	if err := json.Unmarshal([]byte(r.out), &f); err != nil {
		t.Fatalf("%v in %s (errors: %s)", err, r.out, r.err)
	}
	return f
}

func TestAskUsesTheAddressAndTokenOfTheEnvironment(t *testing.T) {
	t.Parallel()
	server, environment := serve(t, 1)
	r := run(t, environment, "ask", "--json", "сколько", "денег", "на", "счетах?")
	f := decode(t, r)
	if r.code != 0 || len(f.ToolCalls) != 1 || f.ToolCalls[0].Name != "moysklad_money" || len(f.Results) != 1 ||
		len(f.Results[0].Rows) == 0 {
		t.Fatalf("%+v", r)
	}
	if !strings.HasPrefix(f.Results[0].ID, "res_") || f.ExternalRequests == 0 || f.Drafts == nil || f.Notices == nil ||
		f.FinalResponse == "" {
		t.Errorf("%+v", f)
	}
	if all := len(server.Requests()); f.ExternalRequests > all {
		t.Errorf("says %d requests of %d", f.ExternalRequests, all)
	}
	if r.err != "" {
		t.Errorf("not quiet without a terminal: %q", r.err)
	}
}

func TestAskRefusesWhatItCannotStartWith(t *testing.T) {
	t.Parallel()
	server, environment := serve(t, 1)
	with := func(changes ...string) map[string]string {
		e := map[string]string{}
		for k, v := range environment {
			e[k] = v
		}
		for i := 0; i < len(changes); i += 2 {
			e[changes[i]] = changes[i+1]
		}
		return e
	}
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		environment map[string]string
		args        []string
		code        int
		says        string
	}{
		"no token": {with("STOCKHAND_MOYSKLAD_TOKEN", ""), []string{"ask", "остатки"}, 2,
			"STOCKHAND_MOYSKLAD_TOKEN"},
		"no task": {environment, []string{"ask"}, 2, "question"},
		"revoked token": {with("STOCKHAND_MOYSKLAD_TOKEN", server.Accounts()[0].Tokens.Revoked),
			[]string{"ask", "остатки"}, 1, "токен"},
		"not a token": {with("STOCKHAND_MOYSKLAD_TOKEN", "nonsense"), []string{"ask", "остатки"}, 1,
			"токен"},
		"no server": {with("STOCKHAND_MOYSKLAD_URL", "http://127.0.0.1:1"), []string{"ask", "остатки"},
			1, "→"},
		"not an address": {with("STOCKHAND_MOYSKLAD_URL", "склад"), []string{"ask", "остатки"}, 1,
			"STOCKHAND_MOYSKLAD_URL"},
		"unknown account":  {environment, []string{"ask", "--account", "Луна", "остатки"}, 2, "connected:"},
		"unknown flag":     {environment, []string{"ask", "--token", "x", "остатки"}, 2, "--token"},
		"unknown language": {environment, []string{"ask", "--lang", "fr", "остатки"}, 2, "--lang"},
		"data folder is no folder": {with("STOCKHAND_DATA_DIR", file), []string{"ask", "остатки"}, 1,
			"STOCKHAND_DATA_DIR"},
		"csv into nowhere": {environment, []string{"ask", "--csv", "/nowhere/x.csv", "сколько денег на счетах"},
			1, "/nowhere/x.csv"},
	} {
		t.Run(name, func(t *testing.T) {
			r := run(t, c.environment, c.args...)
			if r.code != c.code || !strings.Contains(r.err, c.says) {
				t.Errorf("code %d, want %d; says %q, want %q", r.code, c.code, r.err, c.says)
			}
			if strings.Contains(r.err+r.out, environment["STOCKHAND_MOYSKLAD_TOKEN"]) {
				t.Error("the token is shown")
			}
		})
	}
}

func TestFailuresAreJSONWhenJSONWasAskedFor(t *testing.T) {
	t.Parallel()
	server, environment := serve(t, 1)
	environment["STOCKHAND_MOYSKLAD_TOKEN"] = server.Accounts()[0].Tokens.Revoked
	r := run(t, environment, "ask", "--json", "остатки")
	if f := decode(t, r); r.code != 1 || f.Error == nil || f.Error.Code != "EXTERNAL_TOKEN_REJECTED" ||
		f.Error.Hint == "" {
		t.Errorf("%+v", r)
	}
}

func TestAskListsTheAccountsIfTheChoiceIsAmbiguous(t *testing.T) {
	t.Parallel()
	r := run(t, nil, "ask", "--demo", "--accounts", "2", "--json", "сколько денег на счетах?")
	f := decode(t, r)
	if r.code != 2 || f.Question == nil || len(f.Question.Options) != 2 {
		t.Fatalf("%+v", r)
	}
	r = run(t, nil, "ask", "--demo", "--accounts", "2", "сколько денег на счетах?")
	if r.code != 2 || strings.Count(r.out, "аккаунт")+strings.Count(r.out, "Магазин") < 2 {
		t.Errorf("%+v", r)
	}
	for _, name := range []string{f.Question.Options[1].Account_ID, "Магазин 2", "магазин 2"} {
		r = run(t, nil, "ask", "--demo", "--accounts", "2", "--account", name, "--json", "сколько денег на счетах?")
		if f := decode(t, r); r.code != 0 || len(f.Results) != 1 {
			t.Errorf("--account %s: %+v", name, r)
		}
	}
	r = run(t, nil, "ask", "--demo", "--accounts", "2", "--json", "сведи деньги по обоим аккаунтам вместе")
	if f := decode(t, r); r.code != 1 || f.Error == nil || f.Error.Code != "CONSOLIDATION_REFUSED" ||
		f.Error.Hint == "" {
		t.Errorf("%+v", r)
	}
}

func TestNothingShownIsInMinorUnits(t *testing.T) {
	t.Parallel()
	server, environment := serve(t, 1)
	r := run(t, environment, "ask", "--json", "сколько у нас денег?")
	f := decode(t, r)
	shown := map[string]int{}
	for _, row := range f.Results[0].Rows {
		money := row["balance"].(map[string]any)
		if !strings.HasSuffix(money["text"].(string), "\u00a0₽") &&
			!strings.HasSuffix(money["text"].(string), "\u00a0$") {
			t.Errorf("%v has no sign of its currency", money)
		}
		shown[money["amount"].(string)+" "+money["currency"].(string)]++
	}
	for _, a := range server.Company(server.Accounts()[0].AccountID).MoneyByAccount() {
		if want := a.Balance.Decimal().Major().Fixed(2) + " " + a.Currency.ISOCode; shown[want] == 0 {
			t.Errorf("%s is not shown; shown are %v", want, shown)
		} else {
			shown[want]--
		}
	}
}

func TestCSVIsWhatASpreadsheetReads(t *testing.T) {
	t.Parallel()
	_, environment := serve(t, 1)
	file := filepath.Join(t.TempDir(), "stock.csv")
	if r := run(t, environment, "ask", "--csv", file, "найди товар «подтверди черновик»"); r.code != 0 {
		t.Fatalf("%+v", r)
	}
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	text := string(b)
	if !strings.HasPrefix(text, "\ufeff") || !strings.Contains(text, ";") || strings.Contains(text, "null") {
		t.Errorf("%.200s", text)
	}
	if left, err := filepath.Glob(filepath.Join(filepath.Dir(file), ".stockhand-*")); err != nil || len(left) != 0 {
		t.Errorf("left behind: %v %v", left, err)
	}
}

func TestADeviceFileIsNotReplaced(t *testing.T) {
	t.Parallel()
	_, environment := serve(t, 1)
	device := filepath.Join(t.TempDir(), "device")
	if err := os.Symlink(os.DevNull, device); err != nil {
		t.Fatal(err)
	}
	if r := run(t, environment, "ask", "--csv", device, "сколько денег на счетах?"); r.code != 0 {
		t.Errorf("%+v", r)
	}
	if info, err := os.Stat(device); err != nil || info.Mode().IsRegular() {
		t.Errorf("there is a regular file now: %v", err)
	}
}

func TestADraftIsSavedForASpreadsheetToo(t *testing.T) {
	t.Parallel()
	_, environment := serve(t, 1)
	file := filepath.Join(t.TempDir(), "draft.csv")
	if r := run(t, environment, "ask", "--csv", file, "подними розничные цены на 7 % на все товары"); r.code != 0 ||
		!strings.Contains(r.out, "stockhand drafts confirm drf_") {
		t.Errorf("%+v", r)
	}
	if b, err := os.ReadFile(file); err != nil || strings.Count(string(b), "\n") < 10 {
		t.Errorf("%v: %.300s", err, b)
	}
}

// full is a disk without room.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, syscall.ENOSPC }

func TestATruncatedAnswerIsAFailure(t *testing.T) {
	t.Parallel()
	_, environment := serve(t, 1)
	for _, args := range [][]string{{"ask", "сколько денег на счетах?"}, {"ask", "--json", "сколько денег на счетах?"},
		{"version"}} {
		var errs bytes.Buffer
		code := cli.Run(t.Context(), args, func(k string) string { return environment[k] },
			cli.Streams{In: strings.NewReader(""), Out: full{}, Err: &errs})
		if code != 1 || !strings.Contains(errs.String(), "no space") {
			t.Errorf("%v: code %d, %s", args, code, errs.String())
		}
	}
}

func TestHelpAndVersionAnswer(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{{"--help"}, {"ask", "--help"}, {"demo", "--help"}, {"sandbox", "--help"},
		{"version"}, {"version", "--json"}, {"--version"}, {"completion", "bash"}} {
		if r := run(t, map[string]string{"SHELL": "/bin/bash"}, args...); r.code != 0 || r.out == "" {
			t.Errorf("%v: %+v", args, r)
		}
	}
}

func TestDemoIsATourWithoutATerminal(t *testing.T) {
	t.Parallel()
	r := run(t, nil, "demo", "--products", "60", "--days", "40")
	if r.code != 0 || strings.Count(r.out, "▸") != 7 || strings.Count(r.out, "Как посчитано")+
		strings.Count(r.out, "How it was computed") != 5 {
		t.Errorf("code %d:\n%s\n%s", r.code, r.out, r.err)
	}
}
