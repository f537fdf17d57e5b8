package compose

import (
	"embed"
	"fmt"
	"strings"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/language/vocabulary"
	"github.com/stockhand/stockhand/internal/words"
)

//go:embed vocabulary/*.words
var files embed.FS

// The words of measures and dimensions come from the catalogue; the files have further ones that people use, and those
// of the language itself.
var (
	entriesOfFiles = readWords()
	kindNames      = map[string]kind{"best": best, "worst": worst, "topRows": topRows, "except": except, "only": only,
		"with": with, "share": share, "why": why, "per": per, "absent": absent, "belowCost": belowCost,
		"losing":   losing,
		"negative": negative, "nonzero": nonzero, "sorting": sorting, "trend": trend, "overYear": overYear,
		"overMonth": overMonth, "about": about, "reverse": reverse, "inMoney": inMoney, "everywhere": everywhere,
		"apart": apart, "perDay": perDay, "average": average, "joining": joining,
		"inUnits": inUnits, "earlier": earlier, "contents": contents, "clear": clear, "toNow": toNow, "idle": function,
		"unclear": unexplained}
)

func readWords() []vocabulary.Entry {
	list, err := vocabulary.Read(files, "vocabulary")
	if err != nil {
		panic("compose: " + err.Error())
	}
	return list
}

// meaningOf returns what an entry of a file means. A meaning that the catalogue or the code does not know is an error.
// Measures may be several, all of which are shown.
func meaningOf(c *analysis.Catalogue, e *vocabulary.Entry) (entry, error) {
	unknown := func() (entry, error) {
		return entry{}, fmt.Errorf("compose: %s: unknown meaning %q in [%s]", e.Place, e.Meaning, e.Section)
	}
	switch e.Section {
	case "measure":
		for m := range strings.FieldsSeq(e.Meaning) {
			if _, ok := c.Measure(m); !ok {
				return unknown()
			}
		}
		return entry{kind: measure, id: e.Meaning}, nil
	case "sorted":
		m, order, _ := strings.Cut(e.Meaning, " ")
		d := analysis.Direction(order)
		if _, ok := c.Measure(m); !ok || d != analysis.Ascending && d != analysis.Descending {
			return unknown()
		}
		return entry{kind: measure, id: m, order: d}, nil
	case "least":
		m, n, _ := strings.Cut(e.Meaning, " ")
		if _, ok := c.Measure(m); !ok || n == "" {
			return unknown()
		}
		return entry{kind: measure, id: m, least: n}, nil
	case "dimension":
		if _, ok := c.Dimension(e.Meaning); !ok {
			return unknown()
		}
		return entry{kind: dimension, id: e.Meaning}, nil
	case "breakdown":
		if _, ok := c.Dimension(e.Meaning); !ok {
			return unknown()
		}
		return entry{kind: dimension, id: e.Meaning, each: true}, nil
	case "cash":
		return entry{kind: cash, id: e.Meaning}, nil
	case "kind":
		k, ok := kindNames[e.Meaning]
		if !ok {
			return unknown()
		}
		return entry{kind: k}, nil
	case "shift":
		return entry{kind: earlier, id: e.Meaning}, nil
	case "operator":
		return entry{kind: operator, id: e.Meaning}, nil
	}
	return unknown()
}

// comparatives are operators that sort, without a number.
var comparatives = words.Set("больше меньше more less fewer higher lower bigger smaller дороже дешевле выше ниже cheaper dearer")

// prepositions are operators that say nothing without a number.
var prepositions = words.Set("от from over up до между between старше")

// carriers are verbs that say nothing where another measure is asked for: "приносит больше всего прибыли".
var carriers = stemSet("приносит приносят принесли принес brings bring brought made makes")

// subjects are dimensions that a task may name without saying "by".
var subjects = words.Set("product variant group supplier store legal_entity counterparty employee sales_channel " +
	"expense_item account price_type abc xyz rfm tag project state document unit country contract")

// debts are measures whose rows are what people ask for.
var debts = words.Set("owed_to_us owed_by_us debt_age our_debt_age days_since")

// agents are measures of documents that name the supplier themselves.
var agents = words.Set("purchases deliveries quantity_received purchase_price ordered purchase_orders not_received " +
	"open_orders expected_on money_out owed_by_us our_debt_age")
