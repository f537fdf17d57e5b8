package company

import "time"

// The expense items. The vendor creates the first five in every account.
var expenseItems = []string{"Закупка товаров", "Возврат", "Налоги и сборы", "Списания", "Перемещение", "Аренда",
	"Зарплата", "Реклама"}

const (
	itemPurchase, itemReturn, itemTransfer, itemRent, itemWages, itemAdvertising = 0, 1, 4, 5, 6, 7
)

// expenses gives each outgoing payment its expense item and adds payments that are not for goods: rent on the first of
// each month, wages from the cash desk on the tenth, and once advertising in dollars, money moved between own accounts,
// and an unposted payment. Some are made just before or after midnight.
//
// They come after everything else, so that all other documents stay as they are.
func (h *history) expenses(documents []*Document) []*Document {
	h.documents = documents
	for i, name := range expenseItems {
		h.cat.ExpenseItems = append(h.cat.ExpenseItems, &ExpenseItem{ID: h.id("expenseitem", i), Name: name,
			ExternalCode: h.code("expenseitem", i), Updated: h.start})
	}
	for _, d := range h.documents {
		switch d.Type {
		case PaymentOutDoc:
			d.ExpenseItem = h.cat.ExpenseItems[itemPurchase]
		case CashOutDoc:
			d.ExpenseItem = h.cat.ExpenseItems[itemReturn]
		}
	}
	usd := h.cat.Currencies[1]
	first, second := h.cat.Organizations[0], h.cat.Organizations[1]
	landlord := h.suppliers[len(h.suppliers)-1]
	for at := h.start; at.Before(h.o.Now.AddDate(0, 0, -1)); at = at.AddDate(0, 0, 1) {
		switch at.Day() {
		case 1:
			d := h.expense(PaymentOutDoc, at.Add(time.Minute), itemRent, 80_000_00)
			d.Agent, d.OrganizationAccount = landlord, first.Accounts[1]
			d.Organization = first
		case 10:
			d := h.expense(CashOutDoc, at.Add(24*time.Hour-time.Minute), itemWages, 30_000_00)
			d.Recipient = Recipient{"employee", h.cat.Employees[3].ID}
		}
	}
	late := h.o.Now.AddDate(0, 0, -20).Truncate(24 * time.Hour)
	ads := h.expense(PaymentOutDoc, late, itemAdvertising, 123_45)
	ads.Agent, ads.Currency, ads.Rate, ads.OrganizationAccount = landlord, usd, usd.Rate,
		first.Accounts[len(first.Accounts)-1]
	ads.SalesChannel = h.cat.SalesChannels[1]
	out := h.expense(PaymentOutDoc, late.Add(time.Hour), itemTransfer, 50_000_00)
	out.Recipient, out.OrganizationAccount = Recipient{"organization", second.ID}, first.Accounts[0]
	in := h.paper(PaymentInDoc, late.Add(time.Hour))
	in.Sum, in.Organization, in.OrganizationAccount = Kopecks(50_000_00), second, second.Accounts[0]
	in.Recipient = Recipient{"organization", first.ID}
	h.expense(CashOutDoc, late.Add(2*time.Hour), itemRent, 999_00).Applicable = false
	h.documents[len(h.documents)-1].Agent = landlord
	for i, d := range h.documents[len(documents):] {
		d.serial, d.Project = len(documents)+i, h.cat.Projects[i%len(h.cat.Projects)]
	}
	return h.documents
}

// expense adds an outgoing payment of an amount in kopecks.
func (h *history) expense(t DocumentType, at time.Time, item int, kopecks int64) *Document {
	d := h.paper(t, at)
	d.ExpenseItem, d.Sum = h.cat.ExpenseItems[item], Kopecks(kopecks)
	return d
}
