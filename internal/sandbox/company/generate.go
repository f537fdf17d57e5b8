package company

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"time"
)

// New generates a company.
func New(o Options) *Company {
	o = o.withDefaults()
	account := uint64(max(0, o.Account))
	g := &generator{
		o:      o,
		rand:   rand.New(rand.NewPCG(o.Seed, account)),
		key:    fmt.Sprintf("%d/%d", o.Seed, account),
		which:  int(account % 2),
		cat:    &Catalogue{States: make(map[DocumentType][]*State)},
		byPath: make(map[string]*Folder),
	}
	year, month, day := o.Now.Date()
	g.today = time.Date(year, month, day, 0, 0, 0, 0, Moscow)
	g.start = g.today.AddDate(0, 0, -o.Days)
	g.settings()
	g.people()
	g.warehouses()
	g.parties()
	g.folders()
	g.products()
	g.bundlesAndServices()
	for i, good := range g.cat.Goods {
		good.Index = i
	}
	h := newHistory(g)
	documents := h.write()
	g.minimums(h)
	fund(documents)
	g.extras(documents)
	documents = h.expenses(documents)
	fund(documents)
	return newCompany(o, g, documents)
}

func newCompany(o Options, g *generator, documents []*Document) *Company {
	c := &Company{
		accountID: g.id("account", 0), options: o, catalogue: g.cat,
		goods: make(map[ID]*Good, len(g.cat.Goods)), byWebID: make(map[ID]*Good, len(g.cat.Goods)),
		documents: make(map[DocumentType][]*Document), byID: make(map[ID]*Document, len(documents)),
		bin:      map[ID]*Document{},
		bySyncID: make(map[syncKey]*Document), serial: len(documents),
	}
	c.ranked = rank(g.cat.Goods)
	for _, good := range g.cat.Goods {
		c.goods[good.ID], c.byWebID[good.InterfaceID] = good, good
	}
	for _, d := range documents {
		c.documents[d.Type] = append(c.documents[d.Type], d)
		c.byID[d.ID] = d
	}
	c.ledger = newLedger(len(g.cat.Goods), len(g.cat.Stores), documents)
	return c
}

func byMoment(a, b *Document) int {
	if n := a.Moment.Compare(b.Moment); n != 0 {
		return n
	}
	return a.serial - b.serial
}

// generator holds the state while entities are generated.
type generator struct {
	o            Options
	rand         *rand.Rand
	key          string // part of every id: the seed and the account
	which        int    // index of the list of store names
	cat          *Catalogue
	start, today time.Time
	suppliers    []*Counterparty
	customers    []*Counterparty
	retail       *Counterparty
	byPath       map[string]*Folder
}

func (g *generator) id(space string, n int) ID { return derive(space, g.key, uint64(n)) }

// code returns an externalCode, which looks unlike an id and has a fixed length.
func (g *generator) code(space string, n int) string {
	id := derive("code "+space, g.key, uint64(n))
	return string(id[:8]) + string(id[24:])
}

// between returns a random number from low to high, inclusive.
func (g *generator) between(low, high int) int { return low + g.rand.IntN(high-low+1) }

func (g *generator) chance(percent int) bool { return g.rand.IntN(100) < percent }

func pick[T any](g *generator, list []T) T { return list[g.rand.IntN(len(list))] }

func (g *generator) settings() {
	g.cat.Settings = Settings{ID: g.id("settings", 0), UseRecycleBin: true, CheckMinPrice: false,
		CheckShippingStock: g.o.CheckShippingStock,
		DiscountStrategy:   "bySum"}
	g.cat.Currencies = []*Currency{
		{ID: g.id("currency", 0), Name: "руб", FullName: "Российский рубль", Code: "643", ISOCode: "RUB", Rate: scale,
			Multiplicity: 1, Default: true},
		{ID: g.id("currency", 1), Name: "доллар", FullName: "Доллар США", Code: "840", ISOCode: "USD", Rate: 925000,
			Multiplicity: 1},
	}
	for i, name := range []string{"Цена продажи", "Оптовая", "Интернет-магазин"} {
		g.cat.PriceTypes = append(g.cat.PriceTypes,
			&PriceType{ID: g.id("pricetype", i), Name: name, ExternalCode: g.code("pricetype", i), Index: i})
	}
	for i, u := range [][3]string{{"шт", "Штука", "796"}, {"кг", "Килограмм", "166"}, {"упак", "Упаковка", "778"},
		{"м", "Метр", "006"}} {
		g.cat.Units = append(g.cat.Units, &Unit{ID: g.id("uom", i), Name: u[0], Description: u[1], Code: u[2]})
	}
	for i, c := range [][2]string{{"Россия", "643"}, {"Китай", "156"}, {"Турция", "792"}} {
		g.cat.Countries = append(g.cat.Countries, &Country{ID: g.id("country", i), Name: c[0], Code: c[1]})
	}
	for i, s := range [][2]string{{"Магазин", "DIRECT_SALES"}, {"Сайт", "ECOMMERCE"}, {"Маркетплейс", "MARKETPLACE"},
		{"Мессенджер", "MESSENGER"}} {
		g.cat.SalesChannels = append(g.cat.SalesChannels, &SalesChannel{
			ID: g.id("saleschannel", i), Name: s[0], Type: s[1], ExternalCode: g.code("saleschannel", i),
			Updated: g.start, Index: i})
	}
	g.states(CustomerOrderDoc, "Новый:Regular", "Подтверждён:Regular", "Собран:Regular", "Отгружен:Regular",
		"Доставлен:Successful",
		"Возврат:Unsuccessful", "Отменён:Unsuccessful")
	g.states(PurchaseOrderDoc, "Новый:Regular", "Отправлен поставщику:Regular", "Выполнен:Successful",
		"Отменён:Unsuccessful")
}

func (g *generator) states(t DocumentType, list ...string) {
	colours := []int{15106326, 10066329, 8767198, 40931, 8825440, 15280409, 8281504}
	for i, s := range list {
		name, kind, _ := strings.Cut(s, ":")
		g.cat.States[t] = append(g.cat.States[t], &State{
			ID: g.id("state "+string(t), i), Name: name, StateType: kind, Color: colours[i%len(colours)],
			EntityType: t})
	}
}

func (g *generator) people() {
	for i, name := range []string{"Основной", "Розница"} {
		g.cat.Groups = append(g.cat.Groups, &Group{ID: g.id("group", i), Name: name, Index: i})
	}
	for i, p := range []struct {
		login, first, last, position string
		role                         Role
		group                        int
	}{
		{"admin", "Администратор", "Администратор", "Владелец", RoleOwner, 0},
		{"sklad", "Кладовщик", "Складской", "Кладовщик", RoleStorekeeper, 0},
		{"sales", "Менеджер", "Продажный", "Менеджер по продажам", RoleSales, 0},
		{"kassa", "Кассир", "Розничный", "Продавец-кассир", RoleSales, 1},
	} {
		e := &Employee{
			ID: g.id("employee", i), UID: fmt.Sprintf("%s@shop%d", p.login, g.o.Account), FirstName: p.first,
			LastName: p.last,
			FullName: p.last + " " + p.first, ShortName: p.last + " " + string([]rune(p.first)[:1]) + ".",
			Email: fmt.Sprintf("%s@shop%d.example", p.login, g.o.Account), Position: p.position, Role: p.role,
			Group: g.cat.Groups[p.group], Updated: g.start, Index: i,
		}
		if p.role == RoleOwner {
			e.FullName, e.ShortName, e.FirstName = "Администратор", "Администратор", ""
		}
		g.cat.Employees = append(g.cat.Employees, e)
	}
}

func (g *generator) warehouses() {
	rub, usd := g.cat.Currencies[0], g.cat.Currencies[1]
	// The names are the same in every account, on purpose: only the account id differs.
	for i, name := range []string{"ООО «Ромашка»", "ИП Лютиков"} {
		o := &Organization{
			ID: g.id("organization", i), Name: name, LegalTitle: name,
			CompanyType: []string{"legal", "entrepreneur"}[i],
			Code:        fmt.Sprintf("ORG-%d", i+1), ExternalCode: g.code("organization", i),
			INN:   fmt.Sprintf("77%08d", g.rand.IntN(1e8)),
			Email: fmt.Sprintf("org%d@shop%d.example", i+1, g.o.Account), LegalAddress: "г. Москва, " +
				storeNames[g.which][0].address,
			Updated: g.start, Index: i,
		}
		if i == 0 {
			o.KPP = "770101001"
		}
		for n, currency := range []*Currency{rub, rub, usd}[:3-2*i] {
			o.Accounts = append(o.Accounts, &BankAccount{
				ID: g.id("bankaccount", i*10+n), Number: fmt.Sprintf("40702810%012d", g.rand.Int64N(1e12)),
				BankName:             []string{"АО «Первый банк»", "ПАО «Второй банк»", "ПАО «Валютный банк»"}[n],
				BIC:                  fmt.Sprintf("04452%04d", 5000+n),
				CorrespondentAccount: fmt.Sprintf("30101810%012d", 400000000000+n), Default: n == 0, Currency: currency,
				Organization: o,
			})
		}
		g.cat.Organizations = append(g.cat.Organizations, o)
	}
	for i := range g.o.Stores {
		p := storeNames[g.which][i%len(storeNames[g.which])]
		if again := i / len(storeNames[g.which]); again > 0 {
			p.name = fmt.Sprintf("%s %d", p.name, again+1)
		}
		g.store(p, nil, false)
	}
	shop := g.cat.Stores[g.shop()]
	g.store(nestedStoreNames[g.which], shop, false)
	g.store(storeName{"Старый склад", "ул. Старая, 7"}, nil, true)
	g.cat.RetailStores = []*RetailStore{{
		ID: g.id("retailstore", 0), Name: shop.Name, Address: shop.Address, ExternalCode: g.code("retailstore", 0),
		Organization: g.cat.Organizations[0], Store: shop, PriceType: g.cat.PriceTypes[0], Updated: g.start,
	}}
}

// shop returns the index of the store with retail sales.
func (g *generator) shop() int { return min(2, g.o.Stores-1) }

func (g *generator) store(p storeName, parent *Store, archived bool) {
	i := len(g.cat.Stores)
	s := &Store{
		ID: g.id("store", i), Name: p.name, Code: fmt.Sprintf("S%02d", i+1), ExternalCode: g.code("store", i),
		Address: "г. Москва, " + p.address,
		Parent:  parent, Archived: archived, Updated: g.start, Index: i,
	}
	if parent != nil {
		s.PathName = parent.Name
	}
	g.cat.Stores = append(g.cat.Stores, s)
}

func (g *generator) parties() {
	add := func(name string, tags ...string) *Counterparty {
		i := len(g.cat.Counterparties)
		kind := "legal"
		switch {
		case strings.HasPrefix(name, "ИП "):
			kind = "entrepreneur"
		case name == retailBuyer:
			kind = "individual"
		}
		p := &Counterparty{
			ID: g.id("counterparty", i), Name: name, LegalTitle: name, CompanyType: kind,
			Code:         fmt.Sprintf("K%05d", i+1),
			ExternalCode: g.code("counterparty", i), Tags: tags, Owner: g.cat.Employees[0], Group: g.cat.Groups[0],
			Updated: g.start, Index: i,
		}
		if kind != "individual" {
			p.INN = fmt.Sprintf("50%08d", g.rand.IntN(1e8))
			p.Phone = fmt.Sprintf("+7 000 %03d-%02d-%02d", g.rand.IntN(1000), g.rand.IntN(100), g.rand.IntN(100))
			p.Email = fmt.Sprintf("mail%d@partner.example", i+1)
		}
		g.cat.Counterparties = append(g.cat.Counterparties, p)
		return p
	}
	g.retail = add(retailBuyer, "розница")
	// The numbers of suppliers and customers grow more slowly than the number of goods.
	for i := range max(len(supplierNames), min(40, g.o.Products/500)) {
		g.suppliers = append(g.suppliers, add(numbered(supplierNames, "Поставщик", i), "поставщики"))
	}
	for i := range max(len(customerNames), min(300, g.o.Products/200)) {
		p := add(numbered(customerNames, "Покупатель", i), "покупатели")
		if i%3 == 0 {
			p.Tags = append(p.Tags, "опт")
			p.PriceType = g.cat.PriceTypes[1]
		}
		if i%2 == 1 {
			p.Owner = g.cat.Employees[2]
		}
		g.customers = append(g.customers, p)
	}
	old := add("ООО «Прошлый век»", "поставщики")
	old.Archived = true
}

func numbered(names []string, more string, i int) string {
	if i < len(names) {
		return names[i]
	}
	return fmt.Sprintf("%s %03d", more, i+1)
}
