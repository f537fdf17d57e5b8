package company

import (
	"sync/atomic"
	"time"
)

// Catalogue holds the entities of a company. It is read-only.
type Catalogue struct {
	Settings       Settings
	Currencies     []*Currency  // the account currency first
	PriceTypes     []*PriceType // the default one first
	Units          []*Unit
	Countries      []*Country
	Groups         []*Group // departments; the main one first
	Employees      []*Employee
	Organizations  []*Organization
	Stores         []*Store // parents before children; the archived one last
	Folders        []*Folder
	Goods          []*Good // products, each followed by its variants; then bundles, then services
	Counterparties []*Counterparty
	States         map[DocumentType][]*State // of customerorder and purchaseorder
	SalesChannels  []*SalesChannel
	RetailStores   []*RetailStore
	Projects       []*Project
	Contracts      []*Contract
	ExpenseItems   []*ExpenseItem
	Attributes     map[string][]*Attribute // by type of entity; all goods use those of products
}

// Attribute is an additional field of a type of entity, defined by users (fact M44).
type Attribute struct {
	ID   ID
	Name string
	Type string // string, text, link, long, double, boolean, time, or DirectoryType
}

// DirectoryType is the type of an additional field whose values are elements of a user's directory.
const DirectoryType = "customentity"

// AttributeValue is the value of an additional field. Only the member for the field's type is set.
type AttributeValue struct {
	*Attribute

	Text   string
	Number Quantity
	Flag   bool
	Time   time.Time
}

// Element returns the ID of the directory's element that is the value of the field, whose name is Text.
func (v AttributeValue) Element() ID { return derive("element", string(v.ID)+v.Text, 0) }

// Project is a project to which documents can belong.
type Project struct {
	ID                                    ID
	Name, Code, Description, ExternalCode string
	Updated                               time.Time
}

// ExpenseItem says what money was spent on (статья расходов).
type ExpenseItem struct {
	ID                       ID
	Name, Code, ExternalCode string
	Updated                  time.Time
}

// Contract is an agreement with a counterparty.
type Contract struct {
	ID                       ID
	Name, Code, ExternalCode string
	Organization             *Organization
	Agent                    *Counterparty
	Moment, Updated          time.Time
}

// Settings are the company settings of the account (fact M61).
type Settings struct {
	ID                       ID
	CheckShippingStock       bool
	CheckMinPrice            bool
	UseRecycleBin            bool
	GlobalOperationNumbering bool
	DiscountStrategy         string
}

// Currency is a currency. Rate is the price of one unit in the account currency: Rate.Decimal() of a dollar is 92.5.
type Currency struct {
	ID                ID
	Name, FullName    string
	Code, ISOCode     string
	Rate              Money // in ten-thousandths: 10000 is 1
	Multiplicity      int
	Default, Indirect bool
}

// PriceType is a column of sale prices. Index is its position in Catalogue.PriceTypes and in Prices.Sale.
type PriceType struct {
	ID           ID
	Name         string
	ExternalCode string
	Index        int
}

// Unit is a unit of measure.
type Unit struct {
	ID                ID
	Name, Description string
	Code              string
}

// Country is a country of origin.
type Country struct {
	ID         ID
	Name, Code string
}

// Group is a department (отдел).
type Group struct {
	ID    ID
	Name  string
	Index int
}

// Role is an employee's role, which determines their rights in package sandbox.
type Role string

// The roles.
const (
	RoleOwner       Role = "owner"
	RoleStorekeeper Role = "storekeeper"
	RoleSales       Role = "sales"
)

// Employee is an employee of the company, who may own documents.
type Employee struct {
	ID                              ID
	UID                             string // login
	FirstName, MiddleName, LastName string
	FullName, ShortName             string
	Email, Position                 string
	Role                            Role
	Group                           *Group
	Archived                        bool
	Updated                         time.Time
	Index                           int
}

// Organization is a legal entity of the company.
type Organization struct {
	ID                    ID
	Name, LegalTitle      string
	CompanyType           string // legal, entrepreneur
	Code, ExternalCode    string
	INN, KPP, OGRN, Email string
	LegalAddress          string
	Accounts              []*BankAccount // without the cash desk
	Updated               time.Time
	Index                 int
}

// BankAccount is a bank account of an organization.
type BankAccount struct {
	ID                    ID
	Number, BankName, BIC string
	CorrespondentAccount  string
	Default               bool
	Currency              *Currency
	Organization          *Organization
	Opening               Money // balance before the first document, in Currency
}

// Store is a warehouse. Stores form a tree.
type Store struct {
	ID           ID
	Name, Code   string
	ExternalCode string
	Address      string
	Parent       *Store
	PathName     string // names of the parents only
	Archived     bool
	Updated      time.Time
	Index        int
}

// Folder is a product folder (группа товаров).
type Folder struct {
	ID           ID
	Name         string
	Code         string
	ExternalCode string
	Parent       *Folder
	PathName     string // names of the parents only, joined by "/"
	Archived     bool
	Updated      time.Time
}

// Path returns the full path including the folder's name: a product's pathName.
func (f *Folder) Path() string {
	switch {
	case f == nil:
		return ""
	case f.PathName == "":
		return f.Name
	}
	return f.PathName + "/" + f.Name
}

// Kind is a kind of good, with the value of meta.type.
type Kind string

// The kinds of goods.
const (
	Product Kind = "product"
	Variant Kind = "variant"
	Bundle  Kind = "bundle"
	Service Kind = "service"
)

// Good is a product, variant, bundle or service. Its prices change in place; changing its card publishes a new Good
// with the same id and index.
type Good struct {
	Card

	Kind            Kind
	ID              ID
	InterfaceID     ID      // in uuidHref; differs from ID for products and variants (fact M39)
	Product         *Good   // of a variant
	Variants        []*Good // of a product
	Characteristics []Characteristic
	Components      []Component // of a bundle
	Packs           []Pack
	Weighed         bool
	Owner           *Employee
	Group           *Group
	Created         time.Time
	Index           int // position in Catalogue.Goods

	rank   int32 // position by folder and name
	prices atomic.Pointer[Prices]
}

// Card holds the editable fields of a good, except prices.
type Card struct {
	Name         string
	Code         string
	Article      string // empty: not set
	ExternalCode string
	Description  string
	SyncID       ID
	Archived     bool
	Deleted      bool          // not listed; only goods without documents can be deleted
	Folder       *Folder       // nil for variants, see Root
	Supplier     *Counterparty // nil: not set; always nil for variants, see Root
	Unit         *Unit         // nil for variants, bundles and some services
	Barcodes     []Barcode
	Weight       Quantity // kilograms; 0: not set
	Volume       Quantity
	VAT          int
	VATEnabled   bool
	Country      *Country // nil: none; always nil for variants and services
	Minimum      *Minimum // nil: none; always nil for bundles and services
	Attributes   []AttributeValue
}

// Root returns the product of a variant, and the good itself for other kinds. A variant has no folder, supplier or unit
// of its own (fact M54).
func (g *Good) Root() *Good {
	if g.Product != nil {
		return g.Product
	}
	return g
}

// Stocked reports whether the good is kept in stock, as products and variants are.
func (g *Good) Stocked() bool { return g.Kind == Product || g.Kind == Variant }

// IsArchived reports whether the good or, for a variant, its product is archived.
func (g *Good) IsArchived() bool { return g.Archived || (g.Product != nil && g.Product.Archived) }

// Prices returns the current snapshot of the prices. It is read-only.
func (g *Good) Prices() *Prices { return g.prices.Load() }

// SalePrice returns the good's price of a type. A variant without its own prices has those of its product.
func (g *Good) SalePrice(t *PriceType) Price {
	p := g.Prices()
	if len(p.Sale) == 0 && g.Product != nil {
		p = g.Product.Prices()
	}
	if t.Index >= len(p.Sale) {
		return Price{}
	}
	return p.Sale[t.Index]
}

// BuyPrice returns the manually entered purchase price, which differs from the cost. A variant without one has its
// product's.
func (g *Good) BuyPrice() (Price, bool) {
	p := g.Prices()
	if p.Buy == nil && g.Product != nil {
		p = g.Product.Prices()
	}
	if p.Buy == nil {
		return Price{}, false
	}
	return *p.Buy, true
}

// Prices is a snapshot of the prices of a good.
type Prices struct {
	Sale    []Price // one per price type, 0 if not set; empty: a variant that inherits its product's
	Buy     *Price  // nil: not filled
	Minimum *Price  // nil: not filled
	Updated time.Time
}

// Price is an amount in a currency.
type Price struct {
	Value    Money
	Currency *Currency
}

// Characteristic distinguishes a variant from the others of its product.
type Characteristic struct {
	ID    ID // of the characteristic, shared by all its variants
	Name  string
	Value string
}

// Component is a component of a bundle.
type Component struct {
	ID       ID
	Good     *Good
	Quantity Quantity
}

// Barcode is a barcode of a kind: ean13, ean8, code128, gtin.
type Barcode struct{ Kind, Value string }

// Pack is a package of several base units.
type Pack struct {
	ID       ID
	Unit     *Unit
	Quantity Quantity
	Barcodes []Barcode
}

// MinimumType is the type of a minimum stock (fact M57).
type MinimumType string

// The types of minimum stock.
const (
	MinimumSum    MinimumType = "ALL_WAREHOUSE_SUM"
	MinimumSame   MinimumType = "ALL_WAREHOUSE_SAME"
	MinimumVaried MinimumType = "WAREHOUSE_VARIED"
)

// Minimum is the minimum stock of a good (неснижаемый остаток).
type Minimum struct {
	Type      MinimumType
	Quantity  Quantity       // in total, or per store; unused for MinimumVaried
	Stores    []StoreMinimum // of MinimumVaried
	Inherited bool           // a variant inherits its product's
}

// StoreMinimum is the minimum of one store.
type StoreMinimum struct {
	ID       ID
	Store    *Store
	Quantity Quantity
}

// Counterparty is a customer or a supplier; only user-defined tags distinguish them (fact M60).
type Counterparty struct {
	ID                 ID
	Name, LegalTitle   string
	CompanyType        string // legal, entrepreneur, individual
	Code, ExternalCode string
	INN, KPP           string
	Phone, Email       string
	ActualAddress      string
	LegalAddress       string
	Description        string
	SyncID             ID
	Tags               []string
	PriceType          *PriceType // nil: not filled
	Archived           bool
	Deleted            bool // no longer listed
	Attributes         []AttributeValue
	Owner              *Employee
	Group              *Group
	Updated            time.Time
	Index              int
}

// State is a status of a document type.
type State struct {
	ID         ID
	Name       string
	Color      int
	StateType  string // Regular, Successful, Unsuccessful
	EntityType DocumentType
}

// SalesChannel is a sales channel.
type SalesChannel struct {
	ID           ID
	Name         string
	Type         string
	ExternalCode string
	Updated      time.Time
	Index        int
}

// RetailStore is a point of sale.
type RetailStore struct {
	ID           ID
	Name         string
	Address      string
	ExternalCode string
	Organization *Organization
	Store        *Store
	PriceType    *PriceType
	Updated      time.Time
}
