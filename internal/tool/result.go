package tool

import (
	"time"

	"github.com/stockhand/stockhand"
)

// Result is what a read tool returns: a typed table and everything needed to trust it. It is stored whole; a
// conversation shows its Answer and first rows.
type Result struct {
	Tool    string   `json:"tool"`
	Title   string   `json:"title"`  // what the table is
	Answer  string   `json:"answer"` // one or two sentences that answer the question, with their figures
	Columns []Column `json:"columns"`
	Rows    Rows     `json:"rows"`
	// cells of the columns that have a total, others empty; nil when nothing adds up
	Totals     Row        `json:"totals"`
	Notices    []Notice   `json:"notices"`
	Provenance Provenance `json:"provenance"`
}

// Unit says what the numbers of a column are.
type Unit string

// The units of columns.
const (
	UnitText     Unit = "text"
	UnitMoney    Unit = "money"    // main units of the currency each cell names
	UnitQuantity Unit = "quantity" // the goods' own units of measure
	UnitCount    Unit = "count"    // whole things: documents, days with sales
	UnitPercent  Unit = "percent"
	UnitDays     Unit = "days"
	UnitDate     Unit = "date"   // a day in the account's time zone
	UnitMoment   Unit = "moment" // a date and time
)

// Column describes one column of a result.
type Column struct {
	Name   string `json:"name"`  // stable, snake_case, the same in both languages
	Label  string `json:"label"` // for people, in the language of the call
	Unit   Unit   `json:"unit"`
	Hidden bool   `json:"hidden,omitempty"` // the employee may not see it: every cell is null, and a notice says why
	Detail bool   `json:"detail,omitempty"` // the first to go where there is no room for all columns
}

// NoticeCode names a kind of remark.
type NoticeCode string

// The kinds of remarks that must reach the user.
const (
	NoticeRightMissing   NoticeCode = "right_missing"   // a right is missing; the message names it in the user's words
	NoticeCostPartial    NoticeCode = "cost_partial"    // cost is known for part of the revenue only
	NoticeCostFromPrice  NoticeCode = "cost_from_price" // margin is computed from the purchase price
	NoticePartial        NoticeCode = "partial"         // not everything could be read
	NoticeTruncated      NoticeCode = "truncated"       // more rows exist than were asked for
	NoticeArchived       NoticeCode = "archived"        // archived goods were left out
	NoticeSearchReplaced NoticeCode = "search_replaced" // a search was not honoured and was done another way
	NoticeNoSupplier     NoticeCode = "no_supplier"     // goods without a supplier are in the list
	NoticeNoPrice        NoticeCode = "no_price"        // goods without a purchase price are in the list
	NoticeCurrency       NoticeCode = "currency"        // amounts of several currencies, not added up
	NoticeVisibility     NoticeCode = "visibility"      // the employee sees part of the documents only
	NoticeUnits          NoticeCode = "units"           // quantities in several units of measure, not added up
	NoticeAssumption     NoticeCode = "assumption"      // a default that the question left open
	NoticeEmpty          NoticeCode = "empty"           // nothing matched, and why that may be
	// the language model failed or may not be asked; what was done without it
	NoticeNoModel     NoticeCode = "no_model"
	NoticeNothingDone NoticeCode = "nothing_done" // a model claims an action; none was performed
	// what is shown comes from another server, in whose hands its truth is
	NoticeForeign NoticeCode = "foreign"
)

// Notice is a typed remark that must reach the user.
type Notice struct {
	Code    NoticeCode `json:"code"`
	Message string     `json:"message"`
}

// Provenance says where the figures come from.
type Provenance struct {
	Account  stockhand.AccountID `json:"account_id"`
	Employee string              `json:"employee"` // whose rights decided what could be seen
	Read     time.Time           `json:"read_at"`
	Zone     Zone                `json:"time_zone"` // of the account
	Requests int                 `json:"requests"`  // requests sent to the external system for this result
	Sources  []Source            `json:"sources"`
	Period   *Period             `json:"period,omitempty"`
	Method   string              `json:"method"` // how it was computed, in the language of the call
}

// Source is one list or report that was read.
type Source struct {
	Path     string `json:"path"`             // e.g. "report/stock/all"
	Filter   string `json:"filter,omitempty"` // as sent, decoded
	Requests int    `json:"requests"`
	Rows     int    `json:"rows"`
}

// Period is a span of whole days in the account's time zone; both ends belong to it.
type Period struct {
	From Day `json:"from"`
	To   Day `json:"to"`
}

// Days is the number of days of the period.
func (p Period) Days() int { return int(p.To.Time().Sub(p.From.Time()).Hours()/24) + 1 }

// localize moves the moments of a result to its account's time zone.
func (r *Result) localize() {
	zone := r.Provenance.Zone.Location()
	for i, c := range r.Columns {
		if c.Unit != UnitMoment {
			continue
		}
		for _, row := range r.Rows {
			row[i] = row[i].in(zone)
		}
	}
}

// Row returns the cells of a result as a map by column name; for tests and for small results.
func (r *Result) Row(i int) map[string]Value {
	m := make(map[string]Value, len(r.Columns))
	for j, c := range r.Columns {
		m[c.Name] = r.Rows[i][j]
	}
	return m
}

// Notice returns the first notice with that code.
func (r *Result) Notice(code NoticeCode) (Notice, bool) {
	for _, n := range r.Notices {
		if n.Code == code {
			return n, true
		}
	}
	return Notice{}, false
}
