package eval

import (
	"encoding/json"
	"errors"
	"io"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/connector/moysklad/analyze/measures"
	"github.com/stockhand/stockhand/internal/tool"
)

// conversation is a task with the ones that follow it. testdata/README.md describes the labels.
type conversation struct {
	ID    string `json:"id"`
	Lang  string `json:"lang"`
	Role  string `json:"role"`
	Style string `json:"style"`
	Turns []turn `json:"turns"`
}

type turn struct {
	Say     string          `json:"say"`
	Kind    string          `json:"kind"`
	Means   string          `json:"means"`
	Must    []string        `json:"must"`
	OkToAsk *string         `json:"ok_to_ask"`
	Never   *string         `json:"never"`
	Query   *analysis.Query `json:"query"`
}

// unseenDay is the day on which the phrases are asked, in Moscow.
const unseenDay tool.Day = "2026-11-22"

var (
	unseenID    = regexp.MustCompile(`^(own|buy|acc|sto|mar)-\d{3}$`)
	mustPeriod  = regexp.MustCompile(`^(?:period|compare) (\S+)\.\.(\S+)$`)
	mustMeasure = regexp.MustCompile(`^measure ([a-z_]+)$`)
	langs       = []string{"ru", "en", "mixed"}
	roles       = []string{"owner", "buyer", "accountant", "storekeeper", "marketer"}
	styles      = []string{"typed", "dictated", "terse", "pasted"}
	kinds       = []string{"read", "draft", "talk", "offtopic", "unsupported"}
)

// readUnseen returns the conversations of a file. A field that is not known is an error.
func readUnseen(r io.Reader) ([]conversation, error) {
	d := json.NewDecoder(r)
	d.DisallowUnknownFields()
	var all []conversation
	if err := d.Decode(&all); err != nil {
		return nil, err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("something follows the list")
	}
	return all, nil
}

func TestPhrasesAreWellLabelled(t *testing.T) {
	t.Parallel()
	t.Run("held out", func(t *testing.T) {
		counts := checkFile(t, "testdata/unseen.json")
		if counts["turns"] < 300 || counts["with a query"] < 150 {
			t.Error("expected at least 300 turns, 150 of them with a query")
		}
	})
	t.Run("own", func(t *testing.T) {
		counts := checkFile(t, "testdata/conversations.json")
		if counts["conversations"] < 120 || counts["with follow-ups"] < 40 || counts["kind draft"] < 30 {
			t.Error("expected at least 120 conversations, 40 of them with follow-ups, and 30 drafts")
		}
	})
}

// checkFile checks the labels of a file, and counts its turns.
func checkFile(t *testing.T, path string) map[string]int {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	all, err := readUnseen(f)
	if err != nil {
		t.Fatal(err)
	}
	ids, said, counts := map[string]bool{}, map[string]string{}, map[string]int{}
	for _, c := range all {
		if !unseenID.MatchString(c.ID) || ids[c.ID] || !strings.HasPrefix(c.Role, c.ID[:3]) {
			t.Errorf("%q: not an ID of the role %q, or used twice", c.ID, c.Role)
		}
		ids[c.ID] = true
		for _, known := range []struct {
			value string
			of    []string
		}{{c.Lang, langs}, {c.Role, roles}, {c.Style, styles}} {
			if !slices.Contains(known.of, known.value) {
				t.Errorf("%s: unknown %q; known: %v", c.ID, known.value, known.of)
			}
		}
		counts["conversations"]++
		if len(c.Turns) > 1 {
			counts["with follow-ups"]++
		}
		if len(c.Turns) == 0 {
			t.Errorf("%s: no turns", c.ID)
		}
		for _, x := range c.Turns {
			if first, twice := said[strings.ToLower(x.Say)]; twice {
				t.Errorf("%s: %q is in %s, too", c.ID, x.Say, first)
			}
			said[strings.ToLower(x.Say)] = c.ID
			checkTurn(t, c.ID, x)
			keys := []string{"turns", "lang " + c.Lang, "role " + c.Role, "style " + c.Style, "kind " + x.Kind}
			for _, key := range keys {
				counts[key]++
			}
			if x.Query != nil {
				counts["with a query"]++
			}
		}
	}
	for _, key := range slices.Sorted(maps.Keys(counts)) {
		t.Logf("%4d %s", counts[key], key)
	}
	return counts
}

func checkTurn(t *testing.T, id string, x turn) {
	t.Helper()
	if !utf8.ValidString(x.Say) || strings.TrimSpace(x.Say) != x.Say || x.Say == "" {
		t.Errorf("%s: %q is empty, is not valid text or has spaces around it", id, x.Say)
	}
	if x.Means == "" || len(x.Must) == 0 {
		t.Errorf("%s: %q lacks a meaning or a hint", id, x.Say)
	}
	if !slices.Contains(kinds, x.Kind) {
		t.Errorf("%s: %q: unknown kind %q; known: %v", id, x.Say, x.Kind, kinds)
	}
	if (x.Kind == "draft" || x.Kind == "unsupported") && x.Never == nil {
		t.Errorf("%s: %q: a %s can do harm, so it needs never", id, x.Say, x.Kind)
	}
	if x.Query != nil && x.Kind != "read" {
		t.Errorf("%s: %q: a query in a %s", id, x.Say, x.Kind)
	}
	if x.OkToAsk != nil && *x.OkToAsk == "" || x.Never != nil && *x.Never == "" {
		t.Errorf("%s: %q: an empty label; null is none", id, x.Say)
	}
	for _, hint := range x.Must {
		for _, m := range strings.Split(hint, " | ") {
			if p := mustPeriod.FindStringSubmatch(m); p != nil {
				checkDays(t, id, x.Say, tool.Day(p[1]), tool.Day(p[2]))
			}
			if p := mustMeasure.FindStringSubmatch(m); p != nil {
				if _, known := measures.Catalogue.Measure(p[1]); !known && p[1] != "stated" &&
					measureWords[p[1]] == nil {
					t.Errorf("%s: %q: unknown measure %q", id, x.Say, p[1])
				}
			}
		}
	}
	if x.Query != nil {
		checkQuery(t, id, x)
	}
}

func checkQuery(t *testing.T, id string, x turn) {
	t.Helper()
	q := *x.Query
	period := tool.Period{From: unseenDay.Add(-29), To: unseenDay}
	if q.From != "" || q.To != "" {
		checkDays(t, id, x.Say, q.From, q.To)
		period = tool.Period{From: q.From, To: q.To}
		if q.To > unseenDay {
			t.Errorf("%s: %q: the period ends after %s", id, x.Say, unseenDay)
		}
	}
	if q.Compare != nil {
		checkDays(t, id, x.Say, q.Compare.From, q.Compare.To)
	}
	if _, err := measures.Catalogue.Check(q, period); err != nil {
		t.Errorf("%s: %q: %v", id, x.Say, err)
	}
	for _, o := range q.Order {
		if o.Direction != "asc" && o.Direction != "desc" {
			t.Errorf("%s: %q: order without a direction", id, x.Say)
		}
	}
}

func checkDays(t *testing.T, id, say string, from, to tool.Day) {
	t.Helper()
	for _, d := range []tool.Day{from, to} {
		if _, err := time.Parse(time.DateOnly, string(d)); err != nil {
			t.Errorf("%s: %q: %v", id, say, err)
		}
	}
	if from > to {
		t.Errorf("%s: %q: %s is after %s", id, say, from, to)
	}
}

func TestUnseenPhrasesWithUnknownFieldsAreRefused(t *testing.T) {
	t.Parallel()
	for _, text := range []string{`[{"id": "own-001", "was": "right"}]`, `[{"turns": [{"says": "остатки"}]}]`,
		`[{"turns": [{"query": {"measure": "stock"}}]}]`, `[] []`} {
		if _, err := readUnseen(strings.NewReader(text)); err == nil {
			t.Errorf("%s was read", text)
		}
	}
}
