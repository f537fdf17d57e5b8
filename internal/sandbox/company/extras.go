package company

import (
	"fmt"
	"strings"
)

// attributes are the account's additional fields, as "name:type", by type of entity.
var attributes = map[string][]string{
	"product": {"Бренд:string", "Срок годности, дней:long", "Хрупкий:boolean", "Жирность, %:double",
		"Сайт производителя:link", "Сертификат до:time",
		"Марка:" + DirectoryType},
	"counterparty":  {"Источник:string", "Отсрочка, дней:long", "Постоянный:boolean"},
	"customerorder": {"Курьер:string", "Подарок:boolean", "Вес, кг:double", "Пожелания:text"},
	"purchaseorder": {"Номер заявки:string"},
	"demand":        {"Номер накладной:string", "Мест:long"},
	"move":          {"Водитель:string"},
}

var brands = []string{"Лесной край", "Домовой", "Северный ветер", "Мастерок"}

// extras fills rarely used fields: additional fields, projects, contracts, codes, addresses. It uses no random numbers,
// so that the rest of the company does not depend on it.
func (g *generator) extras(documents []*Document) {
	g.cat.Attributes = map[string][]*Attribute{}
	for typ, list := range attributes {
		for i, a := range list {
			name, kind, _ := strings.Cut(a, ":")
			g.cat.Attributes[typ] = append(g.cat.Attributes[typ],
				&Attribute{ID: g.id("attribute "+typ, i), Name: name, Type: kind})
		}
	}
	for i, name := range []string{"Открытие второго магазина", "Ярмарка", "Корпоративные подарки"} {
		g.cat.Projects = append(g.cat.Projects, &Project{ID: g.id("project", i), Name: name,
			Code: fmt.Sprintf("P-%d", i+1), ExternalCode: g.code("project", i), Updated: g.start})
	}
	contracts := map[*Counterparty]*Contract{}
	for i, p := range g.cat.Counterparties {
		if p.CompanyType == "individual" {
			continue
		}
		p.ActualAddress = fmt.Sprintf("г. Москва, ул. Садовая, %d", i+1)
		p.LegalAddress = p.ActualAddress
		p.Attributes = g.values("counterparty", i)
		if i%3 == 0 {
			contracts[p] = &Contract{ID: g.id("contract", i), Name: fmt.Sprintf("Д-%03d", i),
				Code: fmt.Sprintf("C-%d", i), ExternalCode: g.code("contract", i), Agent: p,
				Organization: g.cat.Organizations[0], Moment: g.start, Updated: g.start}
			g.cat.Contracts = append(g.cat.Contracts, contracts[p])
		}
	}
	for i, good := range g.cat.Goods {
		if good.Kind == Product {
			good.Attributes = g.values("product", i)
		}
	}
	for i, d := range documents {
		d.Attributes = g.values(string(d.Type), i)
		if d.Contract = contracts[d.Agent]; i%6 == 0 && d.Type != MoveDoc {
			d.Project = g.cat.Projects[i/6%len(g.cat.Projects)]
		}
		if i%9 == 0 {
			d.Code = fmt.Sprintf("D%05d", i)
		}
		if d.Agent != nil && (d.Type == CustomerOrderDoc || d.Type == DemandDoc) {
			d.ShipmentAddress = d.Agent.ActualAddress
		}
	}
}

// values returns the additional fields of the n-th object of a type; some have none.
func (g *generator) values(typ string, n int) []AttributeValue {
	var list []AttributeValue
	for i, a := range g.cat.Attributes[typ] {
		if (n+i)%3 != 0 {
			continue
		}
		v := AttributeValue{Attribute: a, Text: brands[n%len(brands)], Number: Units(n%90 + 1), Flag: n%2 == 0,
			Time: g.today.AddDate(0, n%12, 0)}
		if a.Type == "link" {
			v.Text = fmt.Sprintf("https://maker%d.example", n%len(brands)+1)
		}
		list = append(list, v)
	}
	return list
}
