// Package grounding checks the figures of a model's answer against the data that was read (rule R13): a model is
// trusted for its language and never for its numbers.
//
// [Check] finds the figures of a text (amounts, percentages, quantities, counts and days, in Russian and English),
// looks each up in the results and drafts of the run, and inserts a mark after every figure that is not there. Nothing
// else in the text changes.
//
// The surprising decision: a figure is not looked up in all cells. With ten thousand rows almost every small number is
// in some cell, so "it occurs somewhere" proves nothing. A figure beside a name must come from the row of that name, a
// figure in a table under the label of a column from that column, and a figure without a name from totals, row counts
// or the tools' own sentences. A right number for the wrong product is a wrong number. It is better to mark a true
// figure whose source is unclear than to let a false one pass.
//
// These are accepted:
//
//   - a cell of the rows that all names of the clause or table row have in common, if value and kind fit: money of that
//     currency, percent, quantity, count or days. A number without a unit fits any kind. When the words beside the
//     figure, or the heading above it, are the label of a column, it must be that column. A name in a heading or list
//     item applies to everything below it. After "than" and "respectively" any name of the clause will do;
//   - for a name that several rows share (a supplier, a warehouse): their number, the sum of each column over them,
//     and, with a word such as "share", their share of the column's total;
//   - without a name, or with a word such as "total" beside one: totals, row counts, lengths of periods and figures of
//     the tools' own sentences; a number of three digits or more also from the first rows, which the model saw;
//   - a sentence copied word for word from a tool, but not a short one under a heading of one name;
//   - the same number of the same kind as the person said, or as a tool was asked for; the latter never as money or
//     goods, because the model chose it;
//   - the difference, sum, ratio or share of two figures beside it that were found themselves, with a word that says
//     which it is; the sum of a printed column in its row of totals; the number of rows or items in the answer itself.
//
// The text of the account's own data, such as a comment or a product name, proves no figure: anyone may have written
// it.
//
// Rounding is accepted as people do it: to the last digit written, "1.2 million" within a tenth, "more than" and
// "almost" on their own side. Counts are never rounded, and a small amount is not zero. Dates, times, years, list
// numbers, ordinals, identifiers, article numbers, digits inside names of the results, and small numbers in words ("two
// of them") that count neither money, percent nor thousands are not figures.
//
// Check cannot tell whether a true figure supports the sentence around it, and it cannot tell a small whole number
// without a name from a total that happens to be equal. TestFalseFiguresAreMarked and the tests beside it print how
// many false figures pass.
package grounding

import (
	"encoding/json"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/tool"
)

// Mark follows a figure that was not found. It works in Markdown and in plain text.
const Mark = "⚠"

// NoticeUngrounded is the code of the notice that lists figures that were not found.
const NoticeUngrounded tool.NoticeCode = "figures_not_found"

// Source is what one tool call returned: exactly one of Result, Proposal and Draft is set.
type Source struct {
	ID        string          // res_… or drf_…
	Arguments json.RawMessage // what the tool was asked for; may be empty
	Result    *tool.Result
	Proposal  *tool.Proposal
	Draft     *tool.Draft
}

// Evidence is everything that a figure may come from.
type Evidence struct {
	Said    []string // the person's own messages: an answer may repeat their numbers
	Sources []Source
}

// Checked is a text with its figures looked up.
type Checked struct {
	// the text with marks, the coverage of a margin that lacks it, and a remark that explains the marks
	Text      string
	Unmatched []Figure // in the order of the text; each is marked
	Matched   []Match  // in the order of the text
	Coverage  string   // the sentence on coverage that was added; empty when none was needed
}

// Figure is a number that the text states as a fact.
type Figure struct {
	Text string // with its sign and unit, as written
	// bytes of the given text: from the sign to where a mark goes, after the digits or a sign such as %
	Start, End int
}

// Match says where a figure was found.
type Match struct {
	Figure
	Origin Origin
	Source string // ID of the result or draft; empty for FromPerson and FromFigures
	Column string // name of the column; empty when it is not a cell
	Row    int    // index of the row in the result; −1 when it is not a cell
}

// Origin is where a figure was found.
type Origin string

// The origins of figures.
const (
	FromCell     Origin = "cell"     // a cell of a row
	FromTotal    Origin = "total"    // a total of a column
	FromGroup    Origin = "group"    // number, sum or share of the rows of a name
	FromCount    Origin = "count"    // the number of rows or of documents
	FromText     Origin = "text"     // a tool's own sentence
	FromPeriod   Origin = "period"   // length of the period that was read
	FromArgument Origin = "argument" // what the tool was asked for
	FromPerson   Origin = "person"   // what the person said
	FromFigures  Origin = "figures"  // computed from other figures of the text
)

// Check looks up the figures of a text. Checking a checked text again changes nothing.
func Check(text string, l stockhand.Language, e Evidence) Checked {
	plain := strip(text, l)
	c := newChecker(plain.text, l, e)
	c.matchAll()
	out := Checked{}
	for _, f := range c.doc.figures {
		shown := Figure{Text: plain.text[f.start:f.unitEnd], Start: plain.original(f.start),
			End: plain.original(f.markAt)}
		if f.found == nil {
			out.Unmatched = append(out.Unmatched, shown)
			continue
		}
		out.Matched = append(out.Matched,
			Match{Figure: shown, Origin: f.found.origin, Source: c.id(f.found), Column: f.found.column,
				Row: f.found.row})
	}
	out.Coverage = c.coverage()
	out.Text = marked(text, l, out)
	return out
}

// Notice lists the figures that were not found. It returns false when all were found.
func (c Checked) Notice(l stockhand.Language) (tool.Notice, bool) {
	if len(c.Unmatched) == 0 {
		return tool.Notice{}, false
	}
	return tool.Notice{Code: NoticeUngrounded,
		Message: l.Pick("Не найдено в прочитанных данных: ", "Not found in the data that was read: ") +
			listed(c.Unmatched, l) + "."}, true
}
