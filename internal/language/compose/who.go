package compose

import (
	"slices"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/language/compose/typed"
	"github.com/stockhand/stockhand/internal/words"
)

// asksWho reads a question word by itself as what to show the figures by: "кому?", "когда?".
func (s *sentence) asksWho() {
	var asked, agent *typed.Item
	who := false
	for _, it := range s.Items {
		if s.whoOfOne(it) {
			who = true
		} else if it.Kind != typed.Function {
			return
		}
		if s.Tokens[it.At].Norm == "кто" || s.Tokens[it.At].Norm == "who" {
			agent = it
		}
		if id := askedBy[s.Tokens[it.At].Norm]; id != "" {
			asked = it
			asked.ID = id
		}
	}
	if who && agent != nil && asked == nil {
		asked = agent
		asked.ID = "counterparty"
	}
	m, ok := s.Input.Catalogue.Measure(s.Previous.Measures[0])
	if asked == nil || len(s.Items) > 3 || !ok || !slices.Contains(m.Over, asked.ID) ||
		slices.Contains(s.Previous.By, asked.ID) {
		return
	}
	asked.Kind, asked.Plural = typed.Dimension, true
}

// whoOfOne reports whether an item names the figure of the one thing that was shown: "кто возвращал" after the goods
// that are returned most is about those goods.
func (s *sentence) whoOfOne(it *typed.Item) bool {
	return it.Kind == typed.Measure && s.ofOneRow() && slices.Contains(s.Previous.Measures, it.ID)
}

// ofOneRow reports whether the answer before is one row of known things.
func (s *sentence) ofOneRow() bool {
	p, rows := s.Previous, s.Input.Rows
	return p != nil && p.Limit == 1 && len(p.By) == 1 && rows != nil && rows.Dimension == p.By[0] && !rows.Earlier &&
		len(rows.IDs) > 0 && rows.IDs[0] != ""
}

// whoOfRows reads "у кого выше средний чек" after figures by employee, supplier or sales channel as a ranking of those,
// of the same period (rule R990): by itself, the word asks for customers.
func (s *sentence) whoOfRows() {
	p := s.Previous
	if len(p.By) == 0 || len(s.Tokens) > mostOfRows || p.By[0] != "counterparty" && !ofWhom(p) {
		return
	}
	var who *typed.Item
	measured, ranked := false, false
	for _, it := range s.Items {
		switch it.Kind {
		case typed.Function:
			if who == nil && s.asksWhom(it) {
				who = it
			}
		case typed.Measure:
			m, ok := s.Input.Catalogue.Measure(it.ID)
			if measured = ok && slices.Contains(m.Over, p.By[0]); !measured || buyingStems[s.Tokens[it.End-1].Stem] {
				return
			}
		case typed.Best, typed.Worst, typed.Operator:
			ranked = true
		case typed.Dimension:
			if who != nil && who.Kind == typed.Dimension || it.ID != "counterparty" || !s.asksWhom(it) {
				return
			}
			who = it
		default:
			return
		}
	}
	if who != nil && measured && ranked {
		who.Kind, who.ID, who.Plural, s.ofRowsShown = typed.Dimension, p.By[0], true, true
	}
}

// asksWhom reports whether a dimension is no more than a question word: "у кого", "who has".
func (s *sentence) asksWhom(it *typed.Item) bool {
	asks := false
	for _, t := range s.Tokens[it.At:it.End] {
		if asks = asks || whomWords[t.Norm]; !whomWords[t.Norm] && t.Norm != "у" && t.Norm != "has" && t.Norm != "had" {
			return false
		}
	}
	return asks
}

// mostOfRows is the number of words of the longest question about who of the rows that were shown.
const mostOfRows = 7

// whoIs are dimensions that "у кого" may ask for, besides customers.
var whoIs = words.Set("employee supplier sales_channel")

// ofWhom reports whether the rows of a query are of those that "у кого" may ask for besides customers.
func ofWhom(q *analysis.Query) bool { return len(q.By) > 0 && whoIs[q.By[0]] }

// persons are dimensions that "who" may ask for.
var persons = []string{"employee", "counterparty", "supplier"}

// sameAgent reads "у кого больше всего" as the rows of the answer before, if they are of people.
func (d *draft) sameAgent(q analysis.Query) {
	if slices.Equal(d.q.By, []string{"day"}) && slices.Contains(q.By, "weekday") &&
		(d.direction != "" || d.word(whichDay)) {
		d.q.By = nil // "в какой день хуже всего"
	}
	if !slices.Equal(d.q.By, []string{"counterparty"}) || !d.word(whomWords) || len(d.asked) > 0 {
		return
	}
	for _, p := range persons {
		if slices.Contains(q.By, p) && (p == "counterparty" || !d.word(toWhomWords)) {
			d.q.By = nil // not after employees: "кому продавали"
		}
	}
}

var toWhomWords = words.Set("кому whom")
