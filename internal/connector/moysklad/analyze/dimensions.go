package analyze

import (
	"github.com/stockhand/stockhand/internal/analysis"
)

func dimensions() []analysis.Dimension {
	return []analysis.Dimension{
		{Name: dimProduct, Title: words("Товар", "Product"), Words: called([]string{"товар"}, "product", "item")},
		{Name: dimVariant, Title: words("Модификация", "Variant"), Words: called([]string{"модификация"}, "variant")},
		{Name: dimKind, Title: words("Вид", "Kind"),
			Words: called([]string{"услуга", "комплект"}, "service", "bundle")},
		{Name: dimGroup, Title: words("Группа", "Group"), Nested: true,
			Words: called([]string{"группа", "категория"}, "group", "category")},
		{Name: dimSupplier, Title: words("Поставщик", "Supplier"), Words: called([]string{"поставщик"}, "supplier")},
		{Name: dimUnit, Title: words("Ед.", "Unit"), Words: called([]string{"единица"}, "unit")},
		{Name: dimArticle, Title: words("Артикул", "Article"), Words: called([]string{"артикул"}, "article", "SKU")},
		{Name: dimBarcode, Title: words("Штрихкод", "Barcode"), Words: called([]string{"штрихкод"}, "barcode")},
		{Name: dimPriceType, Title: words("Тип цен", "Price type"), Words: called([]string{"тип цен"}, "price type")},
		{Name: dimStore, Title: words("Склад", "Warehouse"), Nested: true,
			Words: called([]string{"склад", "магазин", "точка"}, "warehouse", "store", "shop")},
		{Name: dimLegalEntity, Title: words("Юрлицо", "Legal entity"),
			Words: called([]string{"юрлицо", "организация"}, "legal entity")},
		{Name: dimCounterparty, Title: words("Контрагент", "Counterparty"),
			Words: called([]string{"покупатель", "клиент", "контрагент"}, "customer", "client", "counterparty")},
		{Name: dimEmployee, Title: words("Сотрудник", "Employee"),
			Words: called([]string{"сотрудник", "продавец", "менеджер"}, "employee", "seller")},
		{Name: dimChannel, Title: words("Канал продаж", "Sales channel"),
			Words: called([]string{"канал"}, "channel")},
		{Name: dimProject, Title: words("Проект", "Project"), Words: called([]string{"проект"}, "project")},
		{Name: dimContract, Title: words("Договор", "Contract"), Words: called([]string{"договор"}, "contract")},
		{Name: dimDocumentType, Title: words("Вид документа", "Document type"),
			Words: called([]string{"вид документа"}, "document type")},
		{Name: dimDocument, Title: words("Документ", "Document"),
			Words: called([]string{"документ", "чек"}, "document")},
		{Name: "day", Title: words("День", "Day"), Step: analysis.Day, Words: called([]string{"день"}, "day")},
		{Name: "week", Title: words("Неделя", "Week"), Step: analysis.Week, Words: called([]string{"неделя"}, "week")},
		{Name: "month", Title: words("Месяц", "Month"), Step: analysis.Month,
			Words: called([]string{"месяц"}, "month")},
		{Name: "quarter", Title: words("Квартал", "Quarter"), Step: analysis.Quarter,
			Words: called([]string{"квартал"}, "quarter")},
		{Name: "year", Title: words("Год", "Year"), Step: analysis.Year, Words: called([]string{"год"}, "year")},
		{Name: "weekday", Title: words("День недели", "Weekday"), Step: analysis.Weekday,
			Words: called([]string{"день недели"}, "weekday")},
		{Name: "hour", Title: words("Час", "Hour"), Step: analysis.Hour, Words: called([]string{"час"}, "hour")},
	}
}
