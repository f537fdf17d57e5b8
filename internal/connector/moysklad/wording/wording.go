// Package wording formats counts, periods, percentages and names for Russian and English sentences.
package wording

import (
	"strings"
	"unicode/utf8"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
)

// Noun is a countable word. Russian needs three forms: 1 товар, 2 товара, 5 товаров.
type Noun struct{ One, few, many, enOne, enMany string }

// The countable words in answers. A name that ends in Of is the genitive: "у 5 товаров", "из 21 товара".
var (
	NounItem   = Noun{"товар", "товара", "товаров", "item", "items"}
	NounItemOf = Noun{"товара", "товаров", "товаров", "item", "items"}
	// NounTitle counts what may be a product, a variant, a bundle or a service.
	NounTitle         = Noun{"наименование", "наименования", "наименований", "item", "items"}
	NounPositionAcc   = Noun{"позицию", "позиции", "позиций", "line", "lines"} // accusative: "заказать 21 позицию"
	NounPosition      = Noun{"позиция", "позиции", "позиций", "line", "lines"}
	NounLine          = Noun{"строка", "строки", "строк", "row", "rows"}
	NounLineIn        = Noun{"строке", "строках", "строках", "row", "rows"}
	NounDay           = Noun{"день", "дня", "дней", "day", "days"}
	NounOrderOf       = Noun{"заказа", "заказов", "заказов", "order", "orders"}
	NounOrder         = Noun{"заказ", "заказа", "заказов", "order", "orders"}
	NounSupplierOrder = Noun{"заказ поставщику", "заказа поставщикам", "заказов поставщикам", "supplier order",
		"supplier orders"}
	NounDocument     = Noun{"документ", "документа", "документов", "document", "documents"}
	NounSale         = Noun{"продажа", "продажи", "продаж", "sale", "sales"}
	NounStore        = Noun{"склад", "склада", "складов", "warehouse", "warehouses"}
	NounStoreIn      = Noun{"складе", "складах", "складах", "warehouse", "warehouses"}
	NounAccount      = Noun{"счёт или касса", "счёта и кассы", "счетов и касс", "account", "accounts"}
	NounBankAccount  = Noun{"счёт", "счёта", "счетов", "account", "accounts"}
	NounCashDesk     = Noun{"касса", "кассы", "касс", "cash desk", "cash desks"}
	NounAccountOf    = Noun{"счёта", "счетов", "счетов", "account", "accounts"}
	NounAccountOn    = Noun{"счёте", "счетах", "счетах", "account", "accounts"}
	NounCounterparty = Noun{"контрагент", "контрагента", "контрагентов", "counterparty", "counterparties"}
	NounEmployee     = Noun{"сотрудник", "сотрудника", "сотрудников", "employee", "employees"}
	NounChannel      = Noun{"канал продаж", "канала продаж", "каналов продаж", "sales channel", "sales channels"}
	NounOrganization = Noun{"юрлицо", "юрлица", "юрлиц", "legal entity", "legal entities"}
	NounSupplier     = Noun{"поставщик", "поставщика", "поставщиков", "supplier", "suppliers"}
	NounGroup        = Noun{"группа товаров", "группы товаров", "групп товаров", "group of goods", "groups of goods"}
	NounSliceBy      = Noun{"части", "частям", "частям", "slice", "slices"}
	NounMinuteOf     = Noun{"минуты", "минут", "минут", "minute", "minutes"}
	NounRequest      = Noun{"запрос", "запроса", "запросов", "request", "requests"}
	NounName         = Noun{"запись", "записи", "записей", "entry", "entries"}
)

// Form returns the form of the word for n.
func (w Noun) Form(l stockhand.Language, n int) string {
	if l == stockhand.English {
		if n == 1 {
			return w.enOne
		}
		return w.enMany
	}
	tens, ones := n%100, n%10
	switch {
	case ones == 1 && tens != 11:
		return w.One
	case ones >= 2 && ones <= 4 && (tens < 12 || tens > 14):
		return w.few
	}
	return w.many
}

// Count formats the number with the word: "21 товар", "1,204 items".
func (w Noun) Count(l stockhand.Language, n int) string {
	return tool.FormatQuantity(decimal.FromInt(int64(n)), l) + " " + w.Form(l, n)
}

// Percent formats a percentage with one decimal place.
func Percent(x decimal.Decimal, l stockhand.Language) string {
	return tool.Number(x).Format(tool.UnitPercent, l)
}

// Span formats a period.
func Span(p tool.Period, l stockhand.Language) string {
	if p.From == p.To {
		return l.Pick("за "+p.From.Format(l), "on "+p.From.Format(l))
	}
	return l.Pick("с "+p.From.Format(l)+" по "+p.To.Format(l), "from "+p.From.Format(l)+" to "+p.To.Format(l))
}

// Quoted joins quoted names: «А», «Б» и ещё 3.
func Quoted(names []string, l stockhand.Language) string {
	const shown = 3
	var b strings.Builder
	for i, n := range names {
		if i == shown {
			more := tool.FormatQuantity(decimal.FromInt(int64(len(names)-shown)), l)
			b.WriteString(l.Pick(" и ещё "+more, " and "+more+" more"))
			break
		}
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(InQuotes(n, l))
	}
	return b.String()
}

// InQuotes puts a name in quotation marks and replaces those inside: «ООО „Ромашка“».
func InQuotes(name string, l stockhand.Language) string {
	if l == stockhand.English {
		return "“" + strings.NewReplacer("“", "‘", "”", "’").Replace(name) + "”"
	}
	return "«" + strings.NewReplacer("«", "„", "»", "“").Replace(name) + "»"
}

// Sentences joins the non-empty parts with spaces.
func Sentences(parts ...string) string {
	var kept []string
	for _, p := range parts {
		if p != "" {
			kept = append(kept, p)
		}
	}
	return strings.Join(kept, " ")
}

// Fold normalizes text for comparison: lower case, ё as е, single spaces.
func Fold(s string) string {
	s = strings.ReplaceAll(strings.ToLower(s), "ё", "е")
	return strings.Join(strings.Fields(s), " ")
}

// Upper capitalizes the first letter.
func Upper(s string) string {
	r := []rune(s)
	return strings.ToUpper(string(r[:1])) + string(r[1:])
}

// Lower starts a text in lower case; it may be empty.
func Lower(s string) string {
	_, size := utf8.DecodeRuneInString(s)
	return strings.ToLower(s[:size]) + s[size:]
}

// Names returns the non-empty names.
func Names[T any](list []T, name func(T) string) []string {
	var names []string
	for _, x := range list {
		if n := name(x); n != "" {
			names = append(names, n)
		}
	}
	return names
}
