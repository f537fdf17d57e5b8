package moysklad

import (
	"strings"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
)

// noun is a word that is counted. Russian takes three forms: 1 товар, 2 товара, 5 товаров.
type noun struct{ one, few, many, enOne, enMany string }

// The words that answers count. A name ending in Of is the genitive: "у 5 товаров", "из 21 товара".
var (
	nounItem         = noun{"товар", "товара", "товаров", "item", "items"}
	nounItemOf       = noun{"товара", "товаров", "товаров", "item", "items"}
	nounPositionAcc  = noun{"позицию", "позиции", "позиций", "line", "lines"} // accusative: "заказать 21 позицию"
	nounPosition     = noun{"позиция", "позиции", "позиций", "line", "lines"}
	nounLine         = noun{"строка", "строки", "строк", "row", "rows"}
	nounDay          = noun{"день", "дня", "дней", "day", "days"}
	nounOrderOf      = noun{"заказа", "заказов", "заказов", "order", "orders"}
	nounOrder        = noun{"заказ", "заказа", "заказов", "order", "orders"}
	nounSale         = noun{"продажа", "продажи", "продаж", "sale", "sales"}
	nounStore        = noun{"склад", "склада", "складов", "warehouse", "warehouses"}
	nounStoreIn      = noun{"складе", "складах", "складах", "warehouse", "warehouses"}
	nounAccount      = noun{"счёт или касса", "счёта и кассы", "счетов и касс", "account", "accounts"}
	nounBankAccount  = noun{"счёт", "счёта", "счетов", "account", "accounts"}
	nounAccountOf    = noun{"счёта", "счетов", "счетов", "account", "accounts"}
	nounAccountOn    = noun{"счёте", "счетах", "счетах", "account", "accounts"}
	nounCounterparty = noun{"контрагент", "контрагента", "контрагентов", "counterparty", "counterparties"}
	nounEmployee     = noun{"сотрудник", "сотрудника", "сотрудников", "employee", "employees"}
	nounChannel      = noun{"канал продаж", "канала продаж", "каналов продаж", "sales channel", "sales channels"}
	nounOrganization = noun{"юрлицо", "юрлица", "юрлиц", "legal entity", "legal entities"}
	nounGroup        = noun{"группа товаров", "группы товаров", "групп товаров", "group of goods", "groups of goods"}
	nounSlice        = noun{"отрезок", "отрезка", "отрезков", "slice", "slices"}
	nounName         = noun{"запись", "записи", "записей", "entry", "entries"}
)

// form picks the form of the word for n.
func (w noun) form(l stockhand.Language, n int) string {
	if l == stockhand.English {
		if n == 1 {
			return w.enOne
		}
		return w.enMany
	}
	tens, ones := n%100, n%10
	switch {
	case ones == 1 && tens != 11:
		return w.one
	case ones >= 2 && ones <= 4 && (tens < 12 || tens > 14):
		return w.few
	}
	return w.many
}

// count writes the number and the word: "21 товар", "1,204 items".
func (w noun) count(l stockhand.Language, n int) string {
	return tool.FormatQuantity(decimal.FromInt(int64(n)), l) + " " + w.form(l, n)
}

// percent writes a percentage with one digit after the point.
func percent(x decimal.Decimal, l stockhand.Language) string {
	return tool.Number(x).Format(tool.UnitPercent, l)
}

// span writes a period for people.
func span(p tool.Period, l stockhand.Language) string {
	if p.From == p.To {
		return l.Pick("за "+p.From.Format(l), "on "+p.From.Format(l))
	}
	return l.Pick("с "+p.From.Format(l)+" по "+p.To.Format(l), "from "+p.From.Format(l)+" to "+p.To.Format(l))
}

// quoted joins names for a sentence: «А», «Б» и ещё 3.
func quoted(names []string, l stockhand.Language) string {
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
		b.WriteString(inQuotes(n, l))
	}
	return b.String()
}

// inQuotes puts a name of the account's data in quotation marks; those inside become the inner ones: «ООО „Ромашка“».
func inQuotes(name string, l stockhand.Language) string {
	if l == stockhand.English {
		return "“" + strings.NewReplacer("“", "‘", "”", "’").Replace(name) + "”"
	}
	return "«" + strings.NewReplacer("«", "„", "»", "“").Replace(name) + "»"
}

// sentences joins what is not empty.
func sentences(parts ...string) string {
	var kept []string
	for _, p := range parts {
		if p != "" {
			kept = append(kept, p)
		}
	}
	return strings.Join(kept, " ")
}

// fold prepares a text for comparison: lower case, ё as е, single spaces.
func fold(s string) string {
	s = strings.ReplaceAll(strings.ToLower(s), "ё", "е")
	return strings.Join(strings.Fields(s), " ")
}
