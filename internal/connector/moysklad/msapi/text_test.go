package msapi

import (
	"errors"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"
)

func TestTheIDIsReadFromTheHrefsPath(t *testing.T) {
	const id = "c02e3a5c-007e-11e6-9464-e4de00000006" // not a valid RFC 4122 variant
	for href, want := range map[string]ID{
		"https://api.moysklad.ru/api/remap/1.2/entity/product/" +
			id: id,
		"https://api.moysklad.ru/api/remap/1.2/entity/product/" + id +
			"?expand=supplier": id,
		"https://api.moysklad.ru/api/remap/1.2/entity/product/" + id +
			"/": id,
		"https://api.moysklad.ru/api/remap/1.2/entity/product/66cc36dc-f7d2-11e5-8a84-bae500000074/" +
			id: id,
		"https://api.moysklad.ru/api/remap/1.2/context/employee": "",
		"https://online.moysklad.ru/app/#good/edit?id=" +
			id: "",
		"https://api.moysklad.ru/api/remap/1.2/entity/product/" +
			strings.ToUpper(id): id,
		"https://api.moysklad.ru/x?href=https://api.moysklad.ru/api/remap/1.2/entity/product/66cc36dc-f7d2-11e5-8a84-bae500000074": "",
		"": "",
	} {
		if got := idOfHref(href); got != want {
			t.Errorf("%s: %q, want %q", href, got, want)
		}
	}
}

func FuzzID(f *testing.F) {
	f.Add("c02e3a5c-007e-11e6-9464-e4de00000006")
	f.Add("https://api.moysklad.ru/api/remap/1.2/entity/product/c02e3a5c-007e-11e6-9464-e4de00000006?expand=supplier")
	f.Add("-------------------------------------")
	f.Add("00000000-0000-0000-0000-000000000000")
	f.Fuzz(func(t *testing.T, s string) {
		if id, ok := ParseID(s); ok && (string(id) != strings.ToLower(s) || id.Key().ID() != id) {
			t.Errorf("%q was parsed as %q", s, id)
		}
		if id := idOfHref(s); id != "" && id.Key().ID() != id {
			t.Errorf("%q was parsed as %q", s, id)
		}
	})
}

func TestMomentsAreMoscowTime(t *testing.T) {
	want := time.Date(2026, 3, 1, 21, 30, 0, 0, time.UTC)
	for _, s := range []string{"2026-03-02 00:30:00", "2026-03-02 00:30:00.000", "2026-03-02 00:30"} {
		got, err := ParseMoment(s)
		if err != nil || !got.Equal(want) {
			t.Errorf("%s: %v, %v", s, got, err)
		}
	}
	if got := FormatMoment(want); got != "2026-03-02 00:30:00" {
		t.Errorf("formatted as %s", got)
	}
}

func TestMomentsKeepTheirWallClockInEveryYear(t *testing.T) { // Moscow's offset changed in 2011 and 2014
	for year := 2008; year <= 2026; year++ {
		for _, day := range []string{"-01-15", "-07-15"} {
			s := strconv.Itoa(year) + day + " 00:30:00"
			m, err := ParseMoment(s)
			if _, offset := m.Zone(); err != nil || m.String() != s || year == 2013 && offset != 4*60*60 {
				t.Errorf("%s: formatted as %s, offset %d, %v", s, m, offset, err)
			}
		}
	}
}

func TestAPeriodEndsWithItsLastSecond(t *testing.T) {
	p := Days(time.Date(2026, 8, 1, 0, 0, 0, 0, time.UTC), time.Date(2026, 8, 31, 0, 0, 0, 0, time.UTC))
	if from, to := FormatMoment(p.From), FormatMoment(p.To); from != "2026-08-01 00:00:00" ||
		to != "2026-08-31 23:59:59" {
		t.Errorf("%s … %s", from, to)
	}
}

func FuzzMoment(f *testing.F) {
	for _, s := range []string{"2026-03-02 00:30:00.123", "2026-03-02", "2026-02-30 00:00:00", "", "null"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		m, err := ParseMoment(s)
		if err != nil || m.Year() < 1 {
			return
		}
		again, err := ParseMoment(m.String())
		if err != nil || !again.Equal(m.Truncate(time.Second)) {
			t.Errorf("%q: %v, after a round trip %v, %v", s, m, again, err)
		}
	})
}

func TestFiltersAreEscapedForTheAPI(t *testing.T) {
	for _, c := range []struct {
		f    Filter
		want string
	}{
		{Filter{}, ""},
		{Filter{}.Where("name", Eq, "a;b", ""), `name=a\;b;name=`},
		{Filter{}.Where("name", Contains, `кофе=чай!`).Where("archived", Eq, "true", "false"),
			`name~кофе=чай!;archived=true;archived=false`},
		{Filter{}.Where("name", Eq, `ends with \`).Where("code", Eq, "1"), `code=1;name=ends with \`},
		{Filter{}.Where("state", Eq, "x", ""), "state=x;state="},
		{Filter{}.Where("moment", GreaterEq, "2026-01-01 00:00:00").Where("moment", LessEq, "2026-02-01 00:00:00"),
			"moment>=2026-01-01 00:00:00;moment<=2026-02-01 00:00:00"},
		{Filter{}.Where("supplier", NotEq, ""), "supplier!="},
	} {
		if got, err := c.f.Build(); err != nil || got != c.want {
			t.Errorf("got %q, %v, want %q", got, err, c.want)
		}
	}
}

func TestInvalidConditionsAreRejected(t *testing.T) {
	for name, f := range map[string]Filter{
		"fact M23: state!= drops documents without one": Filter{}.Where("state", NotEq, "x"),
		"two searches":                     Filter{}.Where("search", Eq, "a", "b"),
		"two modes":                        Filter{}.Where("stockMode", Eq, "all").Where("stockMode", Eq, "empty"),
		"equal together with order":        Filter{}.Where("sum", Eq, "1").Where("sum", Greater, "0"),
		"equal together with not equal":    Filter{}.Where("code", Eq, "1").Where("code", NotEq, "2"),
		"one order twice":                  Filter{}.Where("sum", Greater, "1").Where("sum", Greater, "2"),
		"a sum that is not filterable":     Filter{}.Where("payedSum", Greater, "1"),
		"a name of version 1.1":            Filter{}.Where("updatedFrom", Eq, "x"),
		"a field that carries a condition": Filter{}.Where("name=x;archived", Eq, "true"),
		"a line break":                     Filter{}.Where("name", Eq, "a\nb"),
	} {
		if got, err := f.Build(); !errors.Is(err, ErrQuery) {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
}

// FuzzFilter checks that any value remains a single condition, in the filter and in the URL.
func FuzzFilter(f *testing.F) {
	f.Add("name", `Гвоздь; 5 мм`, `x\`)
	f.Add("code", `a\;b=c;archived=true`, `%3B&limit=1#`)
	f.Add("name", "", "+ +")
	f.Fuzz(func(t *testing.T, field, a, b string) {
		text, err := Filter{}.Where(field, Eq, a, b).Where("archived", Eq, "true").Build()
		if err != nil {
			return
		}
		var parts []string
		for rest := text; rest != ""; {
			end := 0
			for end < len(rest) && (rest[end] != ';' || end > 0 && rest[end-1] == '\\') {
				end++
			}
			parts = append(parts, strings.ReplaceAll(rest[:end], `\;`, ";"))
			rest = strings.TrimPrefix(rest[end:], ";")
		}
		if strings.Contains(field, "/") {
			return // an attribute's href may contain anything
		}
		want := map[string]bool{field + "=" + a: true, field + "=" + b: true, "archived=true": true}
		if len(parts) != 3 {
			t.Fatalf("%q, %q: %d conditions in %q", a, b, len(parts), text)
		}
		for _, p := range parts {
			if !want[p] {
				t.Errorf("%q was written as %q", a, p)
			}
		}
		if back, err := url.ParseQuery("filter=" + escape(text)); err != nil || back.Get("filter") != text {
			t.Errorf("URL: %q, %v", back, err)
		}
	})
}
