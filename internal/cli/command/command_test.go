package command_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/cli/command"
)

type shop struct {
	Order  orderCmd  `cmd:"" help:"Order goods."`
	Orders ordersCmd `cmd:"" aliases:"history,past" help:"What was ordered."`
}

type common struct {
	JSON bool `help:"Print JSON."`
}

type number string

type orderCmd struct {
	Goods []string `arg:"" help:"What to order."`

	Count    int           `default:"1" help:"How many."`
	From     string        `enum:"north,south" placeholder:"STORE" help:"Where from."`
	Pay      string        `enum:"card,cash" default:"cash" help:"How to pay."`
	Wait     time.Duration `default:"1h" help:"How long."`
	Seed     uint64        `placeholder:"N" help:"A seed."`
	Limit    *int64        `placeholder:"N" help:"A limit."`
	Gift     *bool         `negatable:"" help:"Wrap it."`
	Numbers  []number      `name:"no" placeholder:"N" help:"Numbers."`
	File     string        `type:"path" placeholder:"PATH" help:"A file."`
	DocURL   string        `placeholder:"URL" help:"A document."`
	ForWhom  string        `xor:"whom" placeholder:"NAME" help:"A person."`
	ForStore string        `xor:"whom" placeholder:"NAME" help:"A store with a long text that does not fit into one line beside its name."`
	common

	_ int
}

type ordersCmd struct {
	Store string `arg:"" enum:"north,south" help:"Which store."`
	Since int    `arg:"" optional:"" help:"Since when."`
	Year  int    `required:"" placeholder:"YYYY" help:"Which year."`
	common
}

func (ordersCmd) Help() string {
	return "The newest is first, and the list ends where the shop was opened or ten years ago.\n\n    shop orders north --year 2026"
}

func TestFieldsAreSet(t *testing.T) {
	t.Parallel()
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	home, err := os.UserHomeDir()
	if err != nil {
		t.Fatal(err)
	}
	for line, want := range map[string]any{
		"order a":                        orderCmd{Goods: []string{"a"}},
		"order a --count 3 b,c -- --pay": orderCmd{Goods: []string{"a", "b,c", "--pay"}, Count: 3},
		"order - --count=-3 --wait -5m":  orderCmd{Goods: []string{"-"}, Count: -3, Wait: -5 * time.Minute},
		"order a --from south --pay card --seed 0x10 --limit 0": orderCmd{Goods: []string{"a"}, From: "south",
			Pay: "card", Seed: 16, Limit: new(int64(0))},
		"order a --gift --json":         orderCmd{Goods: []string{"a"}, Gift: new(true), common: common{JSON: true}},
		"order a --no-gift --json=no":   orderCmd{Goods: []string{"a"}, Gift: new(false)},
		"order a --gift=false --from=":  orderCmd{Goods: []string{"a"}, Gift: new(false)},
		"order a --no 1,2 --no 3 --no=": orderCmd{Goods: []string{"a"}, Numbers: []number{"1", "2", "3"}},
		"order a --file x --for-whom b": orderCmd{Goods: []string{"a"},
			File: filepath.Join(here, "x"), ForWhom: "b"},
		"order a --file=~/x --doc-url b": orderCmd{Goods: []string{"a"},
			File: filepath.Join(home, "x"), DocURL: "b"},
		"order a --file - --for-store b": orderCmd{Goods: []string{"a"}, File: "-", ForStore: "b"},
		"orders north --year 2026":       ordersCmd{Store: "north", Year: 2026},
		"past --year 2026 --json south 5": ordersCmd{Store: "south", Since: 5, Year: 2026,
			common: common{JSON: true}},
		"-- history north --year 1 --year=-2": ordersCmd{Store: "north", Year: -2},
	} {
		c, err := command.New("shop", "A shop.", new(shop)).Parse(strings.Fields(line))
		if err != nil {
			t.Errorf("%s: %v", line, err)
			continue
		}
		var got any
		switch spec := c.Spec.(type) {
		case *orderCmd:
			got = *spec
		case *ordersCmd:
			got = *spec
		}
		if w, ok := want.(orderCmd); ok {
			if w.Count == 0 {
				w.Count = 1
			}
			if w.Pay == "" {
				w.Pay = "cash"
			}
			if w.Wait == 0 {
				w.Wait = time.Hour
			}
			want = w
		}
		if d := cmp.Diff(want, got, cmp.AllowUnexported(orderCmd{}, ordersCmd{})); d != "" {
			t.Errorf("%s: %s", line, d)
		}
	}
}

func TestErrorsSayWhatIsWrongAndWhereHelpIs(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]struct{ path, en, ru string }{
		"":              {"shop", "a command is needed: order, orders", "нужна команда: order, orders"},
		"ordesr x":      {"shop", `unknown command "ordesr", did you mean order or orders?`, `нет команды "ordesr", может быть, order или orders?`},
		"sell":          {"shop", `unknown command "sell"`, `нет команды "sell"`},
		"--json orders": {"shop", "unknown flag --json", "неизвестный параметр --json"},
		"order a --cuont 2": {"shop order", "unknown flag --cuont, did you mean --count?",
			"неизвестный параметр --cuont, может быть, --count?"},
		"order a -cx":  {"shop order", "unknown flag -cx", "неизвестный параметр -cx"},
		"order a --=x": {"shop order", "unknown flag --=x", "неизвестный параметр --=x"},
		"order --count": {"shop order", "--count needs a value (--count=1)",
			"--count: не хватает значения (--count=1)"},
		"order --no --json": {"shop order", "--no needs a value (--no=N,...)",
			"--no: не хватает значения (--no=N,...)"},
		"order a --count 1.5": {"shop order", `--count must be a whole number, not "1.5"`,
			`--count: нужно целое число, а не "1.5"`},
		"order a --seed -1": {"shop order", `--seed must be a whole number from 0, not "-1"`,
			`--seed: нужно целое число от 0, а не "-1"`},
		"order a --wait 5": {"shop order", `--wait must be a duration such as 30m or 24h, not "5"`,
			`--wait: нужна длительность, например 30m или 24h, а не "5"`},
		"order a --gift=perhaps": {"shop order", `--gift must be true or false, not "perhaps"`,
			`--gift: нужно true или false, а не "perhaps"`},
		"order a --pay=": {"shop order", `--pay must be one of: card, cash; not ""`,
			`--pay: "" не подходит, нужно одно из: card, cash`},
		"orders west --year 1": {"shop orders", `<store> must be one of: north, south; not "west"`,
			`<store>: "west" не подходит, нужно одно из: north, south`},
		"order a --for-whom b --for-store c": {"shop order", "--for-whom and --for-store cannot be given together",
			"--for-whom и --for-store нельзя указать вместе"},
		"order": {"shop order", "missing: <goods>", "не указано: <goods>"},
		"orders": {"shop orders", "missing: --year=YYYY, <store>",
			"не указано: --year=YYYY, <store>"},
		"orders north 1 2 --year 1": {"shop orders", `unexpected argument "2"`, `лишний аргумент "2"`},
	} {
		c, err := command.New("shop", "A shop.", new(shop)).Parse(strings.Fields(line))
		wrong, ok := errors.AsType[*command.Error](err)
		if !ok {
			t.Errorf("%s: %v", line, err)
			continue
		}
		en, ru := wrong.In(stockhand.English), wrong.In(stockhand.Russian)
		if c.Path != want.path || en != want.en || ru != want.ru {
			t.Errorf("%s: %s: %s; %s", line, c.Path, en, ru)
		}
	}
}

func TestHelp(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"--help": `Usage: shop <command>

A shop.

Commands:
  order <goods> ...  Order goods.
  orders, history, past --year=YYYY <store> [<since>]
                     What was ordered.

Flags:
  -h, --help  Show this help.

Run "shop <command> --help" for more information on a command.
`,
		"orders -h": `Usage: shop orders --year=YYYY <store> [<since>] [flags]

What was ordered.

The newest is first, and the list ends where the
shop was opened or ten years ago.

    shop orders north --year 2026

Arguments:
  <store>    Which store.
  [<since>]  Since when.

Flags:
  -h, --help       Show this help.
      --year=YYYY  Which year.
      --json       Print JSON.
`,
		"order --count=2 a --help": `Usage: shop order <goods> ... [flags]

Order goods.

Arguments:
  <goods> ...  What to order.

Flags:
  -h, --help            Show this help.
      --count=1         How many.
      --from=STORE      Where from.
      --pay=cash        How to pay.
      --wait=1h         How long.
      --seed=N          A seed.
      --limit=N         A limit.
      --[no-]gift       Wrap it.
      --no=N,...        Numbers.
      --file=PATH       A file.
      --doc-url=URL     A document.
      --for-whom=NAME   A person.
      --for-store=NAME  A store with a long text
                        that does not fit into
                        one line beside its
                        name.
      --json            Print JSON.
`,
	} {
		c, err := command.New("shop", "A shop.", new(shop)).Parse(strings.Fields(line))
		var b strings.Builder
		c.Help(&b, 48)
		if d := cmp.Diff(want, b.String()); d != "" || !errors.Is(err, command.ErrHelp) {
			t.Errorf("%s: %v %s", line, err, d)
		}
	}
}

func TestComplete(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"": "order orders", "order": "order orders", "x ord": "order orders", "past ": "north south",
		"orders s":      "south",
		"order --from ": "north south", "order --from n": "north", "order --json ": "", "order --count ": "",
		"order --from north --f": "--from --file --for-whom --for-store", "order --no-": "--no-gift", "--": "--help",
		"order --gift --from s": "south",
	} {
		words := strings.Split(line, " ")
		if got := strings.Join(command.New("shop", "A shop.", new(shop)).Complete(words), " "); got != want {
			t.Errorf("%q: %s; want %s", line, got, want)
		}
	}
}
