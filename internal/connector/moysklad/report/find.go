package report

import (
	"context"
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/connector/moysklad/account"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/connector/moysklad/wording"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
	"golang.org/x/sync/errgroup"
)

type findInput struct {
	Query string `json:"query"`
	account.LimitArg
}

func findProductsTool(a *account.Account) tool.Tool {
	return reading(a, "moysklad_find_products",
		tool.Text{RU: "Поиск товаров", EN: "Product search"},
		tool.Text{
			RU: "Найти товары, модификации, комплекты и услуги по словам названия, коду, артикулу или штрихкоду.",
			EN: "Goods and services by words of the name, code, article or barcode, " +
				"with ids. Words are matched, not meanings.",
		}, (*call).findProducts).Requires(account.NeedGoods, account.NeedPurchasePrice)
}

var kindWords = map[string]tool.Text{
	"product": {RU: "товар", EN: "product"}, "variant": {RU: "модификация", EN: "variant"},
	"bundle":  {RU: "комплект", EN: "bundle"},
	"service": {RU: "услуга", EN: "service"}, "consignment": {RU: "серия", EN: "consignment"},
}

func (c *call) findProducts(ctx context.Context, in findInput) error {
	if strings.TrimSpace(in.Query) == "" {
		return account.Invalid("query", c.Pick("напишите, что искать", "say what to search for"))
	}
	var items []msapi.AssortmentItem
	var how account.Found
	var currency string
	var of map[msapi.ID]string
	work, inner := errgroup.WithContext(ctx)
	work.Go(func() (err error) {
		items, how, err = c.SearchGoods(inner, in.Query)
		if stems := account.Stems(in.Query); err == nil && len(items) == 0 && stems != wording.Fold(in.Query) {
			items, how, err = c.SearchGoods(inner, stems) // "курагу" for "Курага"
		}
		return err
	})
	work.Go(func() (err error) { currency, of, err = c.AccountCurrency(inner); return })
	if err := work.Wait(); err != nil {
		return c.Refuse(err, account.SectionGoods)
	}
	slices.SortFunc(items, account.ByCloseness(in.Query))
	switch {
	case how.Ignored:
		c.Notice(tool.NoticeSearchReplaced,
			"МойСклад вернул не те товары, которые искали: они отброшены, поиск повторён по названию, коду и "+
				"артикулу.",
			"MoySklad ignored the search and answered with unrelated goods: they were dropped and the search was "+
				"repeated by name, code and article.")
	case how.Replaced && len(items) > 0:
		c.Notice(tool.NoticeSearchReplaced,
			"По началу слов МойСклад ничего не нашёл: показаны товары, в названии которых эти буквы есть где угодно.",
			"MoySklad found nothing by beginnings of words: shown are goods with these letters anywhere in the name.")
	}
	if how.Cut {
		c.Noticef(tool.NoticePartial, "Найдено слишком много, прочитаны только первые %d: уточните запрос.",
			"Too many were found, and only the first %d were read: narrow the search.", account.MaxFound)
	}
	c.findResult(items, in, currency, of)
	return nil
}

func (c *call) findResult(items []msapi.AssortmentItem, in findInput, currency string,
	currencies map[msapi.ID]string) {
	priced := slices.ContainsFunc(items, func(x msapi.AssortmentItem) bool { return x.BuyPrice.Value.Known })
	hidden := len(items) > 0 && !priced && !c.Rights.Has(account.RightCost)
	if hidden {
		c.Missing(account.SectionCost, "закупочная цена не показана", "the purchase price is not shown")
	}
	price := func(name, ru, en string, of func(msapi.AssortmentItem) msapi.Price) column[msapi.AssortmentItem] {
		return cells(name, tool.UnitMoney, ru, en,
			func(x msapi.AssortmentItem) tool.Value { return priceValue(of(x), currency, currencies) })
	}
	show(c, []column[msapi.AssortmentItem]{
		text("name", "Название", "Name", func(x msapi.AssortmentItem) string { return x.Name }),
		text("kind", "Вид", "Kind", func(x msapi.AssortmentItem) string { return kindWords[x.Type].In(c.Lang) }),
		text("article", "Артикул", "Article", func(x msapi.AssortmentItem) string { return x.Article }),
		text("code", "Код", "Code", func(x msapi.AssortmentItem) string { return x.Code }).AsDetail(),
		text("group", "Группа", "Group", func(x msapi.AssortmentItem) string { return x.PathName }).AsDetail(),
		quantity("stock", "Остаток", "Stock", func(x msapi.AssortmentItem) decimal.Maybe { return x.Stock }),
		quantity("available", "Доступно (с ожиданием)", "Available (with goods on the way)",
			func(x msapi.AssortmentItem) decimal.Maybe { return x.Quantity }).AsDetail(),
		price("sale_price", "Цена продажи", "Sale price", salePrice),
		price("buy_price", "Закупочная цена", "Purchase price",
			func(x msapi.AssortmentItem) msapi.Price { return x.BuyPrice }).AsDetail().HiddenIf(hidden),
		text("barcodes", "Штрихкоды", "Barcodes",
			func(x msapi.AssortmentItem) string { return strings.Join(x.Barcodes, ", ") }).AsDetail(),
		text("id", "ID", "ID", func(x msapi.AssortmentItem) string { return string(x.ID) }),
	}, items, in.Limit)
	c.Method("Товары, у которых есть все слова запроса: начала слов названия, код, артикул или штрихкод. Архивные не "+
		"ищутся.", "Goods that have all words of the query: beginnings of words of the name, the code, the article "+
		"or a barcode. Archived goods are left out.")
	if len(items) == 0 {
		c.Notice(tool.NoticeEmpty, "Ни у одного товара нет всех этих слов в названии, коде, артикуле или штрихкоде.",
			"No goods contain all these words in name, code, article or barcode.")
		c.Result.Answer = c.Pick("По запросу "+wording.InQuotes(in.Query, c.Lang)+" ничего не найдено.",
			"Nothing was found for "+
				wording.InQuotes(in.Query, c.Lang)+".")
		return
	}
	// Most people ask for the price, so it is part of the sentence.
	const shown = 3
	var parts []string
	for _, x := range items[:min(shown, len(items))] {
		part := wording.InQuotes(x.Name, c.Lang)
		if price := priceValue(salePrice(x), currency, currencies); !price.IsEmpty() {
			part += " — " + price.Format(tool.UnitMoney, c.Lang)
		}
		parts = append(parts, part)
	}
	list := strings.Join(parts, ", ")
	if n := len(items) - shown; n > 0 {
		list += c.Pick(" и ещё ", " and ") + tool.FormatQuantity(decimal.FromInt(int64(n)), c.Lang) +
			c.Pick("", " more")
	}
	query, count := wording.InQuotes(in.Query, c.Lang), wording.NounItem.Count(c.Lang, len(items))
	verb := "Найдено"
	if wording.NounItem.Form(c.Lang, len(items)) == wording.NounItem.One {
		verb = "Найден"
	}
	c.Result.Answer = c.Pick(verb+" "+count+" по запросу "+query+": "+list+".", "Found "+count+" for "+query+": "+list+
		".")
}

// salePrice returns the price of the first price type, which is the account's default.
func salePrice(x msapi.AssortmentItem) msapi.Price {
	if len(x.SalePrices) == 0 {
		return msapi.Price{}
	}
	return x.SalePrices[0].Price
}

// priceValue returns a price in its own currency; zero means that no price is set.
func priceValue(p msapi.Price, base string, of map[msapi.ID]string) tool.Value {
	if !p.Value.Known || p.Value.Sign() == 0 {
		return tool.Empty
	}
	return tool.MaybeMoney(decimal.Some(p.Value.Major()), account.Iso(p.Currency, base, of))
}
