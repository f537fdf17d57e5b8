package msapi

import (
	"cmp"
	"context"
	"encoding/json"
	"iter"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/decimal"
)

// Employee is the employee that a token belongs to.
type Employee struct {
	ID        ID
	AccountID stockhand.AccountID
	Login     string // e.g. "admin@company"
	Name      string // the full name if there is one
	Rights    Rights
}

// UnmarshalJSON decodes context/employee.
func (e *Employee) UnmarshalJSON(b []byte) error {
	var wire struct {
		ID          ID                  `json:"id"`
		AccountID   stockhand.AccountID `json:"accountId"`
		UID         string              `json:"uid"`
		Name        string              `json:"name"`
		FullName    string              `json:"fullName"`
		Permissions map[string]struct {
			View View `json:"view"`
		} `json:"permissions"`
	}
	if err := json.Unmarshal(b, &wire); err != nil {
		return err
	}
	*e = Employee{ID: wire.ID, AccountID: wire.AccountID, Login: wire.UID, Name: cmp.Or(wire.FullName, wire.Name),
		Rights: readRights(wire.Permissions)}
	return nil
}

// Employee reads who the token belongs to and what they may see (fact M89).
func (r *Reader) Employee(ctx context.Context) (Employee, error) {
	return one[Employee](ctx, r, "context/employee", nil)
}

// Named is an entity with a name.
type Named struct {
	ID       ID     `json:"id"`
	Name     string `json:"name"`
	Code     string `json:"code"`
	Archived bool   `json:"archived"`
}

func (n Named) key() Key { return n.ID.Key() }

// Organization is an own company (Юрлицо).
type Organization struct {
	Named
	LegalTitle string `json:"legalTitle"`
}

// Organizations lists the own companies. Requesting them is how a token is verified (rule R2).
func (r *Reader) Organizations(ctx context.Context, q ListQuery) iter.Seq2[Organization, error] {
	return entities[Organization](ctx, r, "entity/organization", q)
}

// OrganizationAccount is a bank account of an own company. Money reports give its balance in its currency.
type OrganizationAccount struct {
	ID       ID     `json:"id"`
	Number   string `json:"accountNumber"`
	Currency Ref    `json:"currency"` // zero means the account currency
}

func (a OrganizationAccount) key() Key { return a.ID.Key() }

// OrganizationAccounts lists the bank accounts of an own company.
func (r *Reader) OrganizationAccounts(ctx context.Context, organization ID) iter.Seq2[OrganizationAccount, error] {
	return list[OrganizationAccount](ctx, r, listing{path: "entity/organization/" + string(organization) + "/accounts"})
}

// Store is a warehouse (Склад). Stores form a tree: the extended reports add nested stores to their parents, the
// current reports do not (fact M59).
type Store struct {
	Named
	PathName string `json:"pathName"` // path of its parents
	Parent   Ref    `json:"parent"`
}

// Stores lists the warehouses.
func (r *Reader) Stores(ctx context.Context, q ListQuery) iter.Seq2[Store, error] {
	return entities[Store](ctx, r, "entity/store", q)
}

// Folder is a group of goods (Группа товаров).
type Folder struct {
	Named
	PathName string `json:"pathName"` // path of its parents, without its own name
	Parent   Ref    `json:"productFolder"`
}

// Path returns the folder's full path including its name, in the format of a product's PathName.
func (f Folder) Path() string {
	if f.PathName == "" {
		return f.Name
	}
	return f.PathName + "/" + f.Name
}

// Folders lists the groups of goods.
func (r *Reader) Folders(ctx context.Context, q ListQuery) iter.Seq2[Folder, error] {
	return entities[Folder](ctx, r, "entity/productfolder", q)
}

// Counterparty is a customer or a supplier; nothing marks which (fact M60).
type Counterparty struct {
	Named
	LegalTitle string   `json:"legalTitle"`
	Tags       []string `json:"tags"`
	// the additional fields that are filled
	Attributes []AttributeValue `json:"attributes"`
}

// Counterparties lists customers and suppliers.
func (r *Reader) Counterparties(ctx context.Context, q ListQuery) iter.Seq2[Counterparty, error] {
	return entities[Counterparty](ctx, r, "entity/counterparty", q)
}

// Colleague is an employee as other employees see them.
type Colleague struct {
	Named
	FullName string `json:"fullName"`
	UID      string `json:"uid"`
}

// Employees lists the account's employees.
func (r *Reader) Employees(ctx context.Context, q ListQuery) iter.Seq2[Colleague, error] {
	return entities[Colleague](ctx, r, "entity/employee", q)
}

// SalesChannel is a sales channel (Канал продаж).
type SalesChannel struct {
	Named
	Type string `json:"type"`
}

// SalesChannels lists the sales channels.
func (r *Reader) SalesChannels(ctx context.Context, q ListQuery) iter.Seq2[SalesChannel, error] {
	return entities[SalesChannel](ctx, r, "entity/saleschannel", q)
}

// Projects lists the projects (Проект).
func (r *Reader) Projects(ctx context.Context, q ListQuery) iter.Seq2[Named, error] {
	return entities[Named](ctx, r, "entity/project", q)
}

// Units lists the units of measure (Единица измерения).
func (r *Reader) Units(ctx context.Context, q ListQuery) iter.Seq2[Named, error] {
	return entities[Named](ctx, r, "entity/uom", q)
}

// Countries lists countries of origin (Страна), those that everybody has among them.
func (r *Reader) Countries(ctx context.Context, q ListQuery) iter.Seq2[Named, error] {
	return entities[Named](ctx, r, "entity/country", q)
}

// ExpenseItems lists what money is spent on (Статья расходов).
func (r *Reader) ExpenseItems(ctx context.Context, q ListQuery) iter.Seq2[Named, error] {
	return entities[Named](ctx, r, "entity/expenseitem", q)
}

// Contracts lists the contracts with counterparties (Договор).
func (r *Reader) Contracts(ctx context.Context, q ListQuery) iter.Seq2[Named, error] {
	return entities[Named](ctx, r, "entity/contract", q)
}

// PriceType is a type of sale price (Тип цены).
type PriceType struct {
	ID   ID     `json:"id"`
	Name string `json:"name"`
}

// PriceTypes lists the types of sale prices, the default one first. The API returns a plain array (fact M61).
func (r *Reader) PriceTypes(ctx context.Context) ([]PriceType, error) {
	return one[[]PriceType](ctx, r, "context/companysettings/pricetype", nil)
}

// Currency is a currency of the account.
type Currency struct {
	Named
	ISO          string        `json:"isoCode"` // e.g. "RUB"
	FullName     string        `json:"fullName"`
	Rate         decimal.Maybe `json:"rate"`
	Multiplicity decimal.Maybe `json:"multiplicity"`
	Indirect     bool          `json:"indirect"`
	Default      bool          `json:"default"` // the account currency (валюта учёта), which reports use
}

// Currencies lists the currencies.
func (r *Reader) Currencies(ctx context.Context, q ListQuery) iter.Seq2[Currency, error] {
	return entities[Currency](ctx, r, "entity/currency", q)
}

// State is a state of documents (Статус).
type State struct {
	ID   ID        `json:"id"`
	Name string    `json:"name"`
	Type StateType `json:"stateType"`
}

// StateType is whether a state closes a document.
type StateType string

// The types of states that close a document; the other is "Regular".
const (
	StateSuccessful   StateType = "Successful"
	StateUnsuccessful StateType = "Unsuccessful"
)

// Closing reports whether documents in the state need no more work.
func (s State) Closing() bool { return s.Type == StateSuccessful || s.Type == StateUnsuccessful }
