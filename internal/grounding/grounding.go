// Package grounding checks that every figure of an answer is found in what was read: the promise that a model's words
// are trusted for their language alone and never for their numbers (product.md, section 6).
//
// [Check] finds the figures of a text (amounts, percentages, quantities, counts, days, in Russian and English forms),
// looks each up in the results and drafts of the run, and puts a mark behind the ones that are not there. It reads
// nothing and changes nothing else: the text comes back whole, with marks inserted.
//
// The surprising decision: a figure is not looked up among all cells. With ten thousand rows nearly every small number
// is in some cell, so "it occurs somewhere" proves nothing. A figure beside a name has to come from that name's row;
// one in a table under a column's own heading from that column; one beside no name from totals, numbers of rows, or
// what the tools said in words. A right number at the wrong product is a wrong number, and it is better to mark a true
// figure that cannot be placed than to let a false one pass as read.
//
// What is accepted:
//
//   - a cell of the row, or of the rows that all names of the clause or table row have in common, when value and kind fit:
//     money of that currency, percent, quantity, count or days; a number written without a unit fits any kind. Where the
//     words beside it, or the heading above it, are a column's label, it has to be that column. A name in a heading or
//     an item holds for what stands under it. "Than" and "respectively" let a figure be of any name of the clause;
//   - of a name that several rows share (a supplier, a warehouse): their number, and the sum of each column over them;
//     together with a word such as "share", what part of a column's total the row is;
//   - without a name, or with a word such as "total" beside one: totals, numbers of rows, lengths of periods, figures
//     of the tools' own sentences; and, where the number has three digits or more, the first rows, which the model was shown;
//   - a sentence that is word for word a tool's own, though not a short one under a heading of one name;
//   - what the person said, and what a tool was asked for, as the same number of the same kind; what it was asked for never
//     as money or goods, because whoever writes the answer chose it;
//   - difference, sum, ratio or share of two figures that are printed beside it and were themselves found, with a word that says
//     which it is; the sum of a printed column in the row of totals; the number of rows or items that the answer itself lists.
//
// Words of the account's own data, a comment or the name of a product, prove no figure: anybody may have written them.
//
// Rounding is accepted as people do it: to the last digit written, "1.2 million" within a tenth, "more than" and
// "almost" on their own side; counts are never rounded, and nothing is not a little. What is not a figure at all:
// dates, times, years, numbers of a list, ordinals, identifiers, article numbers, digits inside names that the results
// hold, and small numbers in words ("two of them") unless they count money, percent or thousands.
//
// What it cannot tell: whether a true figure supports the sentence around it, and a small whole number without a name
// from one that happens to be a total. TestFalseFiguresAreMarked and its neighbours print how many false figures pass.
package grounding

import (
	"encoding/json"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/tool"
)

// Mark stands right behind a figure that was not found. It needs no markup, so it survives Markdown and plain text.
const Mark = "⚠"

// NoticeUngrounded is the code of the notice that lists the figures that were not found.
const NoticeUngrounded tool.NoticeCode = "figures_not_found"

// Source is what one tool of the run returned: one of Result, Proposal and Draft is set.
type Source struct {
	ID        string          // res_… or drf_…
	Arguments json.RawMessage // what the tool was asked for; may be empty
	Result    *tool.Result
	Proposal  *tool.Proposal
	Draft     *tool.Draft
}

// Evidence is everything that a figure may come from.
type Evidence struct {
	Said    []string // the person's own words: a number they said may be said back
	Sources []Source
}

// Checked is a text with its figures looked up.
type Checked struct {
	// the text with marks; with the coverage of a margin that came without it, and a remark that explains the marks
	Text      string
	Unmatched []Figure // in the order of the text; marked
	Matched   []Match  // in the order of the text
	Coverage  string   // the sentence on coverage that was added; empty when none was needed
}

// Figure is a number that the text states as a fact.
type Figure struct {
	Text string // with its sign and unit, as written
	// bytes of the given text: from the sign to where a mark goes, behind the digits or a sign such as %
	Start, End int
}

// Match says where a figure was found.
type Match struct {
	Figure
	Origin Origin
	Source string // id of the result or draft; empty for what the person said and what follows from other figures
	Column string // name of the column; empty when it is no cell
	Row    int    // of a cell: the row's index in the result; −1 otherwise
}

// Origin is the kind of place where a figure was found.
type Origin string

// The kinds of places.
const (
	FromCell     Origin = "cell"     // a cell of a row
	FromTotal    Origin = "total"    // a total of a column
	FromGroup    Origin = "group"    // number, sum or share over the rows of a name
	FromCount    Origin = "count"    // the number of rows or of documents
	FromText     Origin = "text"     // a tool's own sentence
	FromPeriod   Origin = "period"   // the length of the period that was read
	FromArgument Origin = "argument" // what the tool was asked for
	FromPerson   Origin = "person"   // what the person said
	FromFigures  Origin = "figures"  // follows from other figures of the text
)

// Check looks up the figures of a text that is about to be shown. Checking a checked text changes nothing.
func Check(text string, l stockhand.Language, e Evidence) Checked {
	plain := strip(text, l)
	c := newChecker(plain.text, l, e)
	c.matchAll()
	out := Checked{}
	for _, f := range c.doc.figures {
		shown := Figure{Text: plain.text[f.start:f.whole], Start: plain.original(f.start), End: plain.original(f.stop)}
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

// Notice lists the figures that were not found; false when all were.
func (c Checked) Notice(l stockhand.Language) (tool.Notice, bool) {
	if len(c.Unmatched) == 0 {
		return tool.Notice{}, false
	}
	return tool.Notice{Code: NoticeUngrounded,
		Message: l.Pick("Не найдено в прочитанных данных: ", "Not found in the data that was read: ") +
			listed(c.Unmatched, l) + "."}, true
}
