package connector

import (
	"net/url"

	"github.com/stockhand/stockhand/internal/tool"
)

// Browse is what pages of goods, of customers and suppliers, and of documents show: calls of read tools, so that a page
// has the figures of an answer.
type Browse struct {
	Goods, Partners Shelf

	Kinds     []Choice // the types of documents
	Open      []Choice // conditions on documents that something is left to do with
	Documents func(conditions url.Values) Call
	Document  func(id, kind string) Call // the kind may be empty

	// Page returns the page that shows what a call of [Behind] does.
	Page func(c Call) (Page, bool)
}

// Known is what is known of an account when questions about it are suggested.
type Known struct {
	Missing []string              // the names of the rights that the employee lacks
	Names   map[NameKind][]string // some names of the kinds that could be read
}

// Shelf is a list of things that have cards.
type Shelf struct {
	Names NameKind // the names that are searched
	ID    string   // the column of the list with the ID of what a row is about
	List  func(today tool.Day) Call
	// Parts returns what the page of one thing shows. The first part is the card itself.
	Parts func(id string, today tool.Day) []Tile
	// Called returns what the thing of a card is called.
	Called func(card *tool.Result) string
	// Questions returns what people ask about a thing with a name.
	Questions func(name string) []tool.Text
}

// Choice is a value with its title.
type Choice struct {
	Name  string
	Title tool.Text
}

// Section is a kind of pages.
type Section string

// The sections that pages of [Browse] are in.
const (
	SectionGoods     Section = "goods"
	SectionPartners  Section = "customers"
	SectionDocuments Section = "documents"
)

// Page is a page: of one thing, or a list of documents with conditions.
type Page struct {
	Section    Section
	ID         string
	Conditions url.Values
}
