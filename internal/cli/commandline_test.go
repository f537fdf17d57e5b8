package cli_test

import (
	"bytes"
	"context"
	"encoding/csv"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/app"
	"github.com/stockhand/stockhand/internal/app/apptest"
	"github.com/stockhand/stockhand/internal/cli"
	"github.com/stockhand/stockhand/internal/llm/llmtest"
)

func TestACompletionScriptCanBeSourced(t *testing.T) {
	t.Parallel()
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Fatal("bash is needed")
	}
	dir := t.TempDir()
	self, err := filepath.Abs(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(self, filepath.Join(dir, "stockhand")); err != nil {
		t.Fatal(err)
	}
	for words, want := range map[string]string{
		"dra": "drafts", "drafts confirm --dry": "--dry-run", "ask --lang r": "ru", "drafts un": "undo",
		"help dem": "demo", "completion z": "zsh",
	} {
		script := `source <(stockhand completion bash) && COMP_WORDS=(stockhand ` + words +
			`) && COMP_CWORD=$((${#COMP_WORDS[@]} - 1)) && _stockhand && echo "${COMPREPLY[@]}"`
		c := exec.CommandContext(t.Context(), bash, "-c", script)
		c.Env = []string{program + "=1", "PATH=" + dir + ":" + os.Getenv("PATH")}
		if out, err := c.CombinedOutput(); err != nil || strings.TrimSpace(string(out)) != want {
			t.Errorf("%s: %s, %v; want %s", words, out, err, want)
		}
	}
	for _, shell := range []string{"zsh", "fish"} {
		if r := run(t, nil, "completion", shell); r.code != 0 || !strings.Contains(r.out, "__complete") {
			t.Errorf("%s: %+v", shell, r)
		}
	}
}

func TestHelpAndVersionAnswerInEveryForm(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{{"help"}, {"--help"}, {"help", "drafts"}, {"--version"}, {"version"}} {
		if r := run(t, nil, args...); r.code != 0 || !strings.Contains(r.out, "stockhand") {
			t.Errorf("%v: %+v", args, r)
		}
	}
}

func TestEveryHelpFitsTheScreen(t *testing.T) {
	t.Parallel()
	seen := 0
	var check func(words ...string)
	check = func(words ...string) {
		r := run(t, nil, append(words, "--help")...)
		for line := range strings.Lines(r.out) {
			if utf8.RuneCountInString(strings.TrimSuffix(line, "\n")) > 80 {
				t.Errorf("%v: %s", words, line)
			}
		}
		if !strings.Contains(r.out, "\nCommands:\n") {
			seen++
			return
		}
		for name := range strings.FieldsSeq(run(t, nil, append(append([]string{"__complete"}, words...), "")...).out) {
			check(append(words, name)...)
		}
	}
	check()
	if seen < 55 {
		t.Errorf("only %d commands", seen)
	}
}

func TestAWrongCommandLineIsExplainedInThePersonsLanguage(t *testing.T) {
	t.Parallel()
	for lang, want := range map[string]string{"ru_RU.UTF-8": "неизвестный параметр --lng",
		"en_US.UTF-8": "unknown flag --lng"} {
		r := run(t, map[string]string{"LANG": lang}, "ask", "--lng")
		if r.code != 2 || !strings.Contains(r.err, want) {
			t.Errorf("%s: %+v", lang, r)
		}
	}
}

func TestTheExitCodeSaysWhetherTheTaskWasUnderstood(t *testing.T) {
	t.Parallel()
	_, environment := serve(t, 1)
	for task, code := range map[string]int{"напиши стихи о море и звёздах": 1, "спасибо": 0, "что ты умеешь?": 0} {
		if r := run(t, environment, "ask", task); r.code != code {
			t.Errorf("%s: %+v", task, r)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var out, errs bytes.Buffer
	if code := cli.Run(ctx, []string{"ask", "остатки"}, func(k string) string { return environment[k] },
		cli.Streams{In: strings.NewReader(""), Out: &out, Err: &errs}); code != 130 {
		t.Errorf("interrupted: %d %s", code, &errs)
	}
}

func TestCSVGoesToTheStandardOutput(t *testing.T) {
	t.Chdir(t.TempDir())
	_, environment := serve(t, 1)
	r := run(t, environment, "ask", "--csv", "-", "сколько денег на счетах?")
	c := csv.NewReader(strings.NewReader(strings.TrimPrefix(r.out, "\ufeff")))
	c.Comma = ';'
	rows, err := c.ReadAll()
	if r.code != 0 || err != nil || len(rows) < 2 || !strings.Contains(r.err, "Остатки денег") {
		t.Errorf("%v, %+v", err, r)
	}
	if _, err := os.Stat("-"); err == nil {
		t.Error("there is a file named -")
	}
}

func TestAskAtAServerPrintsTheModelsAnswer(t *testing.T) {
	t.Parallel()
	model := llmtest.New(t, llmtest.Turns(llmtest.CallTool("moysklad_money", "{}"), llmtest.Say("Денег достаточно.")))
	s := apptest.Start(t, apptest.Options{Accounts: 1, Configure: func(c *app.Config) { c.LLM = model.Config() }})
	r := run(t, map[string]string{"STOCKHAND_URL": s.URL, "STOCKHAND_API_KEY": s.Key(stockhand.ScopeWriteTools)},
		"ask", "сколько денег на счетах?")
	if r.code != 0 || !strings.Contains(r.out, "Денег достаточно.") || strings.Contains(r.out, "Сейчас на счетах") {
		t.Errorf("%+v", r)
	}
}

func TestADraftIsListedAndTriedInThePersonsLanguage(t *testing.T) {
	t.Parallel()
	_, environment := serve(t, 1)
	d := proposed(t, environment, "подними розничные цены на 7 % на все товары")
	if r := run(t, environment, "drafts", "list"); !strings.Contains(r.out, "ждёт подтверждения — 1") {
		t.Errorf("%+v", r)
	}
	r := run(t, environment, "drafts", "confirm", d.ID, "--version", "1", "--dry-run")
	if r.code != 0 || !strings.Contains(r.out, "будет отправлен") || !strings.Contains(r.out, "ничего не отправлено") ||
		strings.HasPrefix(r.out, "{") {
		t.Errorf("%.400s", r.out)
	}
	r = run(t, environment, "drafts", "confirm", "--json", d.ID, "--version", "1", "--dry-run")
	if !strings.HasPrefix(r.out, `{"verdicts":`) {
		t.Errorf("%.400s", r.out)
	}
	if r := run(t, environment, "drafts", "confirm", d.ID, "--version", "7"); r.code != 1 ||
		strings.Contains(r.err, "the draft") {
		t.Errorf("an old version: %+v", r)
	}
}
