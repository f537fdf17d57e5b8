// Package grounding checks the figures in a model's answer against the data that was read (rule R13): a model is
// trusted for its language but never for its numbers.
//
// [Check] finds the figures in a text (amounts, percentages, quantities, counts and days, in Russian and English),
// looks up each in the results and drafts of the run, and inserts a mark after every figure that it does not find. It
// changes nothing else.
//
// The surprising decision: a figure is not looked up in all cells. With ten thousand rows almost every small number is
// in some cell, so "it occurs somewhere" proves nothing. A figure next to a name must come from the row of that name, a
// figure in a table under the label of a column from that column, and a figure without a name from totals, row counts
// or the tools' own sentences. A correct number for the wrong product is a wrong number. It is better to mark a true
// figure whose source is unclear than to miss a false one.
//
// The following figures are accepted:
//
//   - a cell of the rows that all names of the clause or table row have in common, if value and kind fit: money of that
//     currency, percent, quantity, count or days. A number without a unit fits any kind. If the words next to the
//     figure, or the heading above it, are the label of a column, it must be that column. A name in a heading or list
//     item applies to everything below it. After "than" and "respectively" it may belong to any name of the clause;
//   - for a name shared by several rows (a supplier, a warehouse): their number, the sum of each column over them,
//     and, with a word such as "share", their share of the column's total;
//   - without a name, or with a word such as "total" next to one: totals, row counts, lengths of periods and figures in
//     the tools' own sentences; a number of three digits or more also from the first rows, which the model saw;
//   - a sentence copied verbatim from a tool, but not a short one under a heading with a single name;
//   - a number of the same kind from the user's messages or a tool's arguments; those of arguments never as money or
//     goods, because the model chose them;
//   - the difference, change, ratio or share of two accepted figures, and the sum or average of several, with a word
//     that says which it is. They are computed from the exact figures, which stand in the sentence, before it, or in
//     the rows that it names; the sum of a printed column in its row of totals; the number of rows or items in the
//     answer itself.
//
// A month or another calendar period beside a figure, in the heading of its column or in its row selects the results
// and rows of that period; "was" and "now" tell the two of a comparison apart. A name to which a result was restricted
// selects that result if the tool was called for everything, too. A word such as "grew" must have the direction of the
// change. Where the words beside a figure say no measure, period or scope, those of the clause before apply. An
// amount or a quantity that no words describe is of a measure that the answer names elsewhere, or of the first of its
// table.
//
// A round figure that is found nowhere is an estimate if its sentence calls it a forecast, a proposal or an assumption.
//
// Text from the account's data, such as a comment or a product name, never proves a figure: anyone may have written it.
//
// Usual rounding is accepted: to the last digit written, "1.2 million" within a tenth, "more than" and "almost" only in
// their direction. Counts are never rounded, and a small amount is not zero. Dates, times, years, list numbers,
// ordinals, identifiers, article numbers, digits inside names from the results, and small numbers in words ("two of
// them") without money, percent or thousands are not figures.
//
// Check cannot tell whether a true figure supports the sentence around it, or whether a small whole number without a
// name only happens to equal a total. TestFalseFiguresAreMarked and the tests next to it print how many false figures
// pass.
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

// Source is the outcome of a tool call. Exactly one of Result, Proposal and Draft is set.
type Source struct {
	ID        string          // res_… or drf_…
	Arguments json.RawMessage // the tool's arguments; may be empty
	Result    *tool.Result
	Pages     *Pages // the rows of Result; nil if it has them
	Proposal  *tool.Proposal
	Draft     *tool.Draft
}

// Evidence is everything from which a figure may come.
type Evidence struct {
	Messages []string // the user's messages, whose numbers an answer may repeat
	Sources  []Source
}

// Checked is a checked text.
type Checked struct {
	// the text with marks, a remark that explains them, and the coverage of margins if it was missing
	Text      string
	Unmatched []Figure // the marked figures in text order
	Matched   []Match  // in text order
	Estimates []Figure // in text order: those that the text calls a forecast, a proposal or an assumption
	Facts     []Fact   // all figures in text order, and how each is known (rule R364)
	Used      []string // IDs of the sources of figures that were found
	Coverage  string   // the added sentence on coverage, or empty
	Err       error    // why rows could not be read; then there is nothing else
}

// Figure is a number that a text states as a fact.
type Figure struct {
	Text string // with its sign and unit, as written
	// byte offsets in the original text, from the sign to the position of a mark, after the digits or a sign such as %
	Start, End int
}

// Match is the source of a figure.
type Match struct {
	Figure
	Origin Origin
	Source string // ID of the result or draft; empty for FromPerson and FromFigures
	Column string // name of the column; empty if not a cell
	Row    int    // index of the row in the result; −1 if not a cell
}

// Origin is the kind of source of a figure.
type Origin string

// The origins of figures.
const (
	FromCell     Origin = "cell"     // a cell of a row
	FromTotal    Origin = "total"    // a total of a column
	FromGroup    Origin = "group"    // the number, sum or share of the rows with a name
	FromCount    Origin = "count"    // the number of rows or of documents
	FromText     Origin = "text"     // a tool's own sentence
	FromPeriod   Origin = "period"   // the length of the period
	FromArgument Origin = "argument" // an argument of the tool
	FromPerson   Origin = "person"   // a message of the user
	FromFigures  Origin = "figures"  // computed from other figures in the text
)

// Check looks up the figures in a text. It is idempotent.
func Check(text string, l stockhand.Language, e Evidence) Checked {
	plain := strip(text, l)
	c := newChecker(plain.text, l, e)
	c.matchAll()
	if err := c.unread(); err != nil {
		return Checked{Err: err}
	}
	out := Checked{}
	for _, f := range c.doc.figures {
		c.record(f, plain, &out)
	}
	out.Coverage = c.coverage()
	out.Text = marked(text, l, out)
	return out
}

// Notice lists the figures that were not found, and returns false if there are none.
func (c Checked) Notice(l stockhand.Language) (tool.Notice, bool) {
	if len(c.Unmatched) == 0 {
		return tool.Notice{}, false
	}
	return tool.Notice{Code: NoticeUngrounded,
		Message: l.Pick("Не найдено в прочитанных данных: ", "Not found in the data that was read: ") +
			listed(c.Unmatched, l) + "."}, true
}
