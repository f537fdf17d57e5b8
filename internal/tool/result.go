package tool

import (
	"time"

	"github.com/stockhand/stockhand"
)

// Result is what a read tool returns: a typed table with its notices and provenance. It is stored in full; a
// conversation shows the Answer and the first rows.
type Result struct {
	Tool    string   `json:"tool"`
	Title   string   `json:"title"`  // title of the table
	Answer  string   `json:"answer"` // one or two sentences that answer the question, with figures
	Columns []Column `json:"columns"`
	Rows    Rows     `json:"rows"`
	// totals of the columns that have one, other cells are empty; nil if no column has a total
	Totals     Row        `json:"totals"`
	Parts      []Part     `json:"parts,omitempty"` // groups of rows that are tables of their own; see [AddPart]
	Notices    []Notice   `json:"notices"`
	Provenance Provenance `json:"provenance"`

	MustShow int `json:"-"` // so many of the first rows are shown wherever some are left out; set by [Document.Table]
}

// Unit is the unit of a column's values.
type Unit string

// The units of columns.
const (
	UnitText     Unit = "text"
	UnitMoney    Unit = "money"    // main units of each cell's currency
	UnitQuantity Unit = "quantity" // in each product's unit of measure
	UnitCount    Unit = "count"    // whole things: documents, days with sales
	UnitPercent  Unit = "percent"
	UnitDays     Unit = "days"
	UnitNumber   Unit = "number" // a plain number, such as a ratio
	UnitDate     Unit = "date"   // a day in the account's time zone
	UnitMoment   Unit = "moment" // a date and time
)

// Column describes one column of a result.
type Column struct {
	Name  string `json:"name"`  // stable, snake_case, independent of the language
	Label string `json:"label"` // for display, in the language of the call
	Unit  Unit   `json:"unit"`
	// the employee may not see it: every cell is null, and a notice explains why
	Hidden bool `json:"hidden,omitempty"`
	Detail bool `json:"detail,omitempty"` // shown only if there is room for all columns
}

// NoticeCode is a kind of notice.
type NoticeCode string

// The codes of notices.
const (
	NoticeRightMissing   NoticeCode = "right_missing"   // a right is missing; the message names it in the user's words
	NoticeCostPartial    NoticeCode = "cost_partial"    // cost is known for part of the revenue only
	NoticeCostFromPrice  NoticeCode = "cost_from_price" // margin is based on the purchase price
	NoticePartial        NoticeCode = "partial"         // not everything could be read
	NoticeTruncated      NoticeCode = "truncated"       // there are more rows than requested
	NoticeArchived       NoticeCode = "archived"        // archived goods were left out
	NoticeSearchReplaced NoticeCode = "search_replaced" // the API ignored a search, so it was done another way
	NoticeNoSupplier     NoticeCode = "no_supplier"     // goods without a supplier are in the list
	NoticeNoPrice        NoticeCode = "no_price"        // goods without a purchase price are in the list
	NoticeCurrency       NoticeCode = "currency"        // amounts in several currencies are not added up
	NoticeVisibility     NoticeCode = "visibility"      // the employee sees only part of the documents
	NoticeUnits          NoticeCode = "units"           // quantities in several units of measure are not added up
	NoticeRounded        NoticeCode = "rounded"         // a computed figure has fewer digits than its exact value
	NoticeAssumption     NoticeCode = "assumption"      // a default for something that the question left open
	NoticeUnused         NoticeCode = "unused"          // words of the question that the answer does not follow
	NoticeAssumed        NoticeCode = "assumed"         // what a question that was not answered was taken to mean
	NoticeEmpty          NoticeCode = "empty"           // nothing matched, with possible reasons
	NoticeReused         NoticeCode = "reused"          // the result is one of minutes ago
	NoticeOpenDraft      NoticeCode = "draft_open"      // an earlier draft of the conversation still waits
	// the language model failed or may not be used; what was done without it
	NoticeNoModel     NoticeCode = "no_model"
	NoticeNothingDone NoticeCode = "nothing_done" // a model claims an action that was not performed
	// the data comes from another server, which is responsible for it
	NoticeForeign NoticeCode = "foreign"
	NoticeSent    NoticeCode = "data_sent" // data was sent to another server
	NoticeSecret  NoticeCode = "secret"    // a secret was removed from the task
)

// Notice is a remark that must be shown to the user.
type Notice struct {
	Code    NoticeCode `json:"code"`
	Message string     `json:"message"`
}

// Provenance describes where the figures come from.
type Provenance struct {
	Account  stockhand.AccountID `json:"account_id"`
	Employee string              `json:"employee"` // the employee whose rights apply
	// the employee's login, which identifies the employee: names are not unique
	Login    string    `json:"login,omitempty"`
	Read     time.Time `json:"read_at"`
	Zone     Zone      `json:"time_zone"` // of the account
	Requests int       `json:"requests"`  // requests sent to the external system for this result
	// the fewest requests that could have read the same: full pages, and nothing twice
	Needed  int      `json:"requests_needed,omitempty"`
	Kept    *Kept    `json:"kept,omitempty"` // what was not read again
	Sources []Source `json:"sources"`
	Period  *Period  `json:"period,omitempty"`
	Method  string   `json:"method"` // how the result was computed, in the language of the call
}

// Kept is what a result uses that had been read before and was compared with the account.
type Kept struct {
	Documents int       `json:"documents"`
	Goods     int       `json:"goods,omitempty"` // their names, groups and prices
	Read      time.Time `json:"read_at"`         // when the oldest of them was read
	AsOf      time.Time `json:"as_of"`           // when they were compared with the account
}

// Source is a list or report that was read.
type Source struct {
	Path     string `json:"path"`             // e.g. "report/stock/all"
	Filter   string `json:"filter,omitempty"` // as sent, decoded
	Requests int    `json:"requests"`
	Rows     int    `json:"rows"`
}

// Period is a range of whole days in the account's time zone, including both ends.
type Period struct {
	From Day `json:"from"`
	To   Day `json:"to"`
}

// Days returns the number of days in the period.
func (p Period) Days() int { return int(p.To.Time().Sub(p.From.Time()).Hours()/24) + 1 }

// Cut divides the period into n parts of nearly equal length, longer parts first.
func (p Period) Cut(n int) []Period {
	days, parts := p.Days(), make([]Period, 0, n)
	from := p.From
	for i := range n {
		length := days / n
		if i < days%n {
			length++
		}
		parts = append(parts, Period{From: from, To: from.Add(length - 1)})
		from = from.Add(length)
	}
	return parts
}

// localize converts the times in rows to the account's time zone.
func (r *Result) localize(rows Rows) {
	zone := r.Provenance.Zone.Location()
	for i, c := range r.Columns {
		if c.Unit != UnitMoment {
			continue
		}
		for _, row := range rows {
			row[i] = row[i].in(zone)
		}
	}
}

// Row returns the cells of a row by column name, for tests and small results.
func (r *Result) Row(i int) map[string]Value {
	m := make(map[string]Value, len(r.Columns))
	for j, c := range r.Columns {
		m[c.Name] = r.Rows[i][j]
	}
	return m
}

// Notice returns the first notice with the code.
func (r *Result) Notice(code NoticeCode) (Notice, bool) {
	for _, n := range r.Notices {
		if n.Code == code {
			return n, true
		}
	}
	return Notice{}, false
}
