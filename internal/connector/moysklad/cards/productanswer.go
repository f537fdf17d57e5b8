package cards

import (
	"strconv"
	"strings"

	"github.com/stockhand/stockhand/internal/connector/moysklad/wording"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
)

// sayProduct writes the answer: what there is, what it costs and earns, how it sells.
func (c *call) sayProduct(p *product, t totalOf, l priceList) {
	var called []string
	if p.Article != "" {
		called = append(called, c.Pick("артикул ", "article ")+p.Article)
	}
	if p.Code != "" {
		called = append(called, c.Pick("код ", "code ")+p.Code)
	}
	if p.Archived {
		called = append(called, c.Pick("в архиве", "archived"))
	}
	head := c.Result.Title
	if len(called) > 0 {
		head += " (" + strings.Join(called, ", ") + ")"
	}
	stock := c.stockSentence(p, t)
	c.Result.Answer = wording.Sentences(head+stock, c.priceSentence(p, l), c.paceSentence(p, t), c.unseenSentence())
}

// stockSentence continues the head with the stock.
func (c *call) stockSentence(p *product, t totalOf) string {
	unit := p.unit()
	number := func(n decimal.Maybe) string {
		return strings.TrimSpace(tool.FormatQuantity(n.Decimal, c.Lang) + " " + unit)
	}
	if !t.stock.Known {
		return "."
	}
	said := c.Pick(": остаток ", ": stock ") + number(t.stock)
	if t.reserve.Sign() != 0 {
		said += c.Pick(", в резерве ", ", reserved ") + number(t.reserve) + c.Pick(", свободно ", ", free ") +
			number(t.free)
	}
	if t.transit.Sign() != 0 {
		said += c.Pick(", в пути ", ", on the way ") + number(t.transit)
		switch i := firstPlanned(p.incoming); {
		case i == nil:
		case i.overdue > 0:
			said += c.Pick(", ждали ", ", expected on ") + dayOf(i.Planned).Format(c.Lang) +
				c.Pick(" (опаздывает на ", " (late by ") + wording.NounDay.Count(c.Lang, i.overdue) + ")"
		default:
			said += c.Pick(", ближайшее ждём ", ", the first of it expected on ") + dayOf(i.Planned).Format(c.Lang)
		}
	}
	return said + "."
}

// firstPlanned returns the first order with a planned date.
func firstPlanned(list []incoming) *incoming {
	if len(list) > 0 && !list[0].Planned.IsZero() {
		return &list[0]
	}
	return nil
}

func (c *call) priceSentence(p *product, l priceList) string {
	var said []string
	if l.sale != nil {
		said = append(said, c.Pick("цена ", "price ")+tool.FormatMoney(l.sale.amount.Decimal, l.sale.currency, c.Lang))
	} else {
		said = append(said, c.Pick("цена продажи не задана", "no sale price is set"))
	}
	switch {
	case l.cost.Known:
		said = append(said, c.Pick("себестоимость ", "cost ")+tool.FormatMoney(l.cost.Round(2), c.currency, c.Lang))
	case p.stocked() && !l.costHidden:
		said = append(said, c.Pick("себестоимость неизвестна", "the cost is unknown"))
	}
	if l.sale != nil && l.sale.markup.Known {
		said = append(said, c.Pick("наценка ", "markup ")+wording.Percent(l.sale.markup.Round(1), c.Lang)+
			c.Pick(", маржа ", ", margin ")+wording.Percent(l.sale.margin.Round(1), c.Lang))
	}
	return wording.Upper(strings.Join(said, ", ")) + "."
}

func (c *call) paceSentence(p *product, t totalOf) string {
	var said []string
	add := func(ru, en, value string) { said = append(said, c.Pick(ru, en)+value) }
	if p.pace != nil {
		add("продано ", "sold ", wording.Span(c.period, c.Lang)+c.Pick(" — ", ": ")+
			strings.TrimSpace(tool.FormatQuantity(p.pace.sold.Sub(p.pace.returned), c.Lang)+" "+p.unit()))
		switch in := p.pace.inBundles; {
		case !in.Known:
			add("сколько ещё ушло в комплектах, неизвестно", "what bundles took is unknown", "")
		case in.Sign() != 0:
			add("ещё в комплектах ", "in bundles ", tool.FormatQuantity(in.Decimal, c.Lang))
		}
		if net := p.pace.net(); net.Known && net.Sign() > 0 {
			perDay := tool.FormatQuantity(c.perDay(p.pace).Decimal, c.Lang)
			add("в день "+perDay, perDay+" a day", "")
		}
		days := c.cover(p.pace, t.free)
		if n, err := strconv.Atoi(days.Round(1).Round(0).String()); days.Known && err == nil { // as the table rounds it
			add("хватит на ", "enough for ", wording.NounDay.Count(c.Lang, n))
		}
	}
	alone, aloneEN := "", ""
	if p.mayBeInBundles() {
		alone, aloneEN = " вне комплектов", " outside bundles"
	}
	switch {
	case len(p.sales) > 0:
		day := dayOf(p.sales[0].Moment).Format(c.Lang)
		if p.seesSales {
			add("последняя продажа"+alone+" ", "last sale"+aloneEN+" on ", day)
		} else {
			add("последняя продажа"+alone+", которую видит сотрудник, — ",
				"the last sale"+aloneEN+" that the employee can see was on ", day)
		}
	case p.seesSales && alone != "":
		add("вне комплектов не продавался", "it was never sold outside bundles", "")
	case p.seesSales:
		add("продаж не было", "it was never sold", "")
	}
	if len(said) == 0 {
		return ""
	}
	return wording.Upper(strings.Join(said, ", ")) + "."
}

// unseenSentence names the parts that the employee may not see.
func (c *call) unseenSentence() string {
	if len(c.unseen) == 0 {
		return ""
	}
	return c.Pick("Сотруднику не видно: ", "The employee may not see: ") +
		wording.Quoted(sortedOnce(c.unseen), c.Lang) + "."
}
