package sandbox

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestFilterGrammar(t *testing.T) {
	f, err := parseFilter(`name~=Чай;price>=10.5;note=a\;b;state!=;code=~7;x!~y;time>2026-01-01 10:00:00`)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, field := range f.fields {
		for _, c := range f.by[field] {
			got = append(got, fmt.Sprintf("%s|%s|%s", c.field, c.op, c.value))
		}
	}
	want := []string{
		"name|~=|Чай", "price|>=|10.5", "note|=|a;b", "state|!=|", "code|=~|7", "x|!~|y", "time|>|2026-01-01 10:00:00",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	for _, bad := range []string{"noOperator", "=value", ";=;"} {
		if _, err := parseFilter(bad); err == nil {
			t.Errorf("%q was accepted", bad)
		}
	}
}

func TestEqualCombinedWithAnInequalityIsAnError(t *testing.T) {
	for _, bad := range []string{"sum=1;sum>0", "sum=1;sum!=2", "sum<5;sum=1"} {
		_, err := parseFilter(bad)
		if e, ok := errors.AsType[*apiError](err); !ok || e.status != 412 || e.code != 1034 {
			t.Errorf("%q: %v", bad, err)
		}
	}
	for _, good := range []string{"sum>1;sum<5", "sum!=1;sum>0", "sum=1;sum=2", "sum>1;sum>2"} {
		if _, err := parseFilter(good); err != nil {
			t.Errorf("%q: %v", good, err)
		}
	}
}

// FuzzParseFilter checks that the parser terminates on any input and that every condition it accepts has a field and an
// operator.
func FuzzParseFilter(f *testing.F) {
	for _, seed := range []string{"a=b;c!=d", `a=\;`, "~", "a=~b", "href=https://x/y?z=1;", "а≥1", `\`, "a!b"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, err := parseFilter(text)
		if err != nil {
			return
		}
		for _, field := range got.fields {
			for _, c := range got.by[field] {
				if c.op == "" || strings.ContainsAny(c.field, "=!<>~") {
					t.Errorf("%q was parsed as %+v", text, c)
				}
			}
		}
	})
}

func check(t *testing.T, k kind, text string, v value, want bool) {
	t.Helper()
	f, err := parseFilter(text)
	if err != nil {
		t.Fatal(err)
	}
	m, err := compile(f.fields[0], k, f.by[f.fields[0]], false)
	if err != nil {
		t.Fatal(err)
	}
	if got := m(v); got != want {
		t.Errorf("%q on %+v: %v", text, v, got)
	}
}

func TestConditionsOnOneField(t *testing.T) {
	word, none := textValue("Чай чёрный"), value{}
	check(t, text, "f=Чай чёрный", word, true)
	check(t, text, "f=a;f=Чай чёрный", word, true) // alternatives
	check(t, text, "f!=a;f!=Чай чёрный", word, false)
	check(t, text, "f~ЧЁР", word, true) // case-insensitive
	check(t, text, "f~=чай", word, true)
	check(t, text, "f=~чай", word, false)
	check(t, text, "f=~ЧЁРНЫЙ", word, true)
	check(t, text, "f!~кофе", word, true)
	check(t, text, "f=", none, true)
	check(t, text, "f=", word, false)
	check(t, text, "f!=", word, true)
	check(t, text, "f!=", none, false)
	check(t, text, "f=Чай чёрный;f=", none, true) // the value or empty
	check(t, number, "f>10;f<20", numberValue(15*one), true)
	check(t, number, "f>10;f>100", numberValue(15*one), true) // a repeated operator: only the first counts
	check(t, number, "f<=10.5", numberValue(105000), true)
	check(t, number, "f>0", none, false)
	check(t, moment, "f>=2026-11-20 12:00:00.000", momentValue(today), true)
	check(t, moment, "f<2026-11-20 12:00", momentValue(today), false)
	check(t, moment, "f<=2026-11-20", momentValue(today), false) // a date without a time means midnight
	check(t, flag, "f=true;f=false", flagValue(false), true)
}

func TestNotEqualDropsEmptyValuesLikeSQL(t *testing.T) {
	check(t, link, "state!=http://h/api/remap/1.2/entity/store/1", value{}, false)
	m, err := compile("state", text, []condition{{"state", opNotEqual, "x"}}, true)
	if err != nil || !m(value{}) {
		t.Errorf("with the switch, empty values must match: %v", err)
	}
}

func TestBadFilterValues(t *testing.T) {
	s := shared()
	for filter, code := range map[string]int{
		"unheard=1":               1034,
		"payedSum>0":              1034, // payedSum, shippedSum and the like are not filterable
		"sourceStore=x":           1034,
		"sum~1":                   1034,
		"moment>yesterday":        1035,
		"moment>1969-12-31":       1035,
		"sum>much":                1014,
		"applicable=yes":          1014,
		"name=a;name>b":           1034,
		"agent=counterparty":      1059,
		"agent=http://other.host": 1059,
	} {
		a := request(t, s, owner(s), "entity/customerorder?filter="+escape(filter))
		status := 412
		if code == 1059 {
			status = 400
		}
		wantError(t, a, status, code)
	}
}

func TestStateNotEqualDropsOrdersWithoutState(t *testing.T) {
	s := shared()
	all := rows(t, s, owner(s), "entity/customerorder")
	var state string
	with, without, equal := 0, 0, 0
	for _, r := range all {
		if r["state"] == nil {
			without++
			continue
		}
		with++
		href := dig(r, "state", "meta", "href").(string)
		if state == "" {
			state = href
		}
		if href == state {
			equal++
		}
	}
	if with == 0 || without == 0 {
		t.Fatalf("%d orders with a state and %d without, want both kinds", with, without)
	}
	for filter, want := range map[string]int{
		"state!=" + state:            with - equal, // orders without a state drop out
		"state=" + state:             equal,
		"state=":                     without,
		"state!=":                    with,
		"state=" + state + ";state=": equal + without,
	} {
		if got := size(t, s, owner(s), "entity/customerorder?filter="+escape(filter)); got != want {
			t.Errorf("%s: %d orders, want %d", filter, got, want)
		}
	}
}

func TestStateNameMayBeRepeated(t *testing.T) {
	s := shared()
	states := object(t, s, owner(s), "entity/customerorder/metadata")["states"].([]any)
	name := func(i int) string { return "state.name=" + dig(states[i], "name").(string) }
	a := size(t, s, owner(s), "entity/customerorder?filter="+escape(name(0)))
	b := size(t, s, owner(s), "entity/customerorder?filter="+escape(name(1)))
	if got := size(t, s, owner(s), "entity/customerorder?filter="+escape(name(0)+";"+name(1))); got != a+b || got == 0 {
		t.Errorf("%d orders in the two states, want %d + %d", got, a, b)
	}
}

func TestReferencesMatchTheHrefOfEitherHost(t *testing.T) {
	s := shared()
	r := rows(t, s, owner(s), "entity/demand?limit=1")[0]
	own := dig(r, "agent", "meta", "href").(string)
	vendor := strings.Replace(own, "http://sandbox.test", "https://api.moysklad.ru", 1)
	a, b := size(t, s, owner(s), "entity/demand?filter="+escape("agent="+own)),
		size(t, s, owner(s), "entity/demand?filter="+escape("agent="+vendor))
	if a == 0 || a != b {
		t.Errorf("one counterparty has %d and %d demands", a, b)
	}
}

func TestFilterByAHiddenObjectGivesAnEmptyList(t *testing.T) {
	s := shared()
	foreign := rows(t, s, s.Accounts()[1].Tokens.Owner, "entity/counterparty?limit=1")[0]
	href := dig(foreign, "meta", "href").(string)
	for _, filter := range []string{"agent=" + href, "agent!=" + href} {
		if got := size(t, s, owner(s), "entity/demand?filter="+escape(filter)); got != 0 {
			t.Errorf("%s: %d demands", filter, got)
		}
	}
	if got := size(t, s, owner(s), "report/stock/all?filter="+escape("supplier="+href)); got != 0 {
		t.Errorf("stock of a hidden supplier: %d rows", got)
	}
}

func TestMoveIsFilteredByStoreAndAgentStore(t *testing.T) {
	s := shared()
	r := rows(t, s, owner(s), "entity/move?limit=1")[0]
	source, target := dig(r, "sourceStore", "meta", "href").(string), dig(r, "targetStore", "meta", "href").(string)
	for _, got := range rows(t, s, owner(s), "entity/move?filter="+escape("store="+source+";agentStore="+target)) {
		if dig(got, "sourceStore", "meta", "href") != source || dig(got, "targetStore", "meta", "href") != target {
			t.Errorf("move %v", got["name"])
		}
	}
	wantError(t, request(t, s, owner(s), "entity/move?filter="+escape("targetStore="+target)), 412, 1034)
}

func TestDocumentsAreFoundByAssortment(t *testing.T) {
	s := shared()
	r := rows(t, s, owner(s), "entity/demand?limit=1&expand=positions")[0]
	good := dig(dig(r, "positions", "rows").([]any)[0], "assortment", "meta", "href").(string)
	found := rows(t, s, owner(s), "entity/demand?filter="+escape("assortment="+good))
	if !slices.ContainsFunc(found, func(d map[string]any) bool { return d["id"] == r["id"] }) {
		t.Errorf("%d demands contain the product, but not the one it came from", len(found))
	}
}
