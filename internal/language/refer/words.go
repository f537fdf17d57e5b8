package refer

import (
	"strings"

	"github.com/stockhand/stockhand/internal/words"
)

var (
	theseWords  = words.Set("эти этих этим этими these those")
	eachWords   = words.Set("each каждого каждой каждому")
	eachOther   = words.Set("у with")
	isLeft      = words.Set("are is left remain remains осталось остается осталась остались лежит есть сейчас")
	theyWords   = words.Set("их них ним ними ими им они them they their")
	heWords     = words.Set("его него ему нему нем ним ею нею он она оно he him she his")
	sheWords    = words.Set("ее нее ней ей")
	itWords     = words.Set("it its")
	thereWords  = words.Set("там there")
	thisWords   = words.Set("этот этого этому этом этой эту эта данный данного данному this that")
	ofThis      = words.Set("этого этому этим этом")
	bothWords   = words.Set("оба обе обоих обеих обоим обеим both")
	sameWords   = words.Set("те тех тем теми тот того тому том та ту той")
	firstMany   = words.Set("первые первых первым первыми first топ top")
	lastMany    = words.Set("последние последних последним последними last")
	oblique     = words.Set("первых первым первыми последних последним последними")
	collectives = words.Table(map[int]string{2: "двойка двойку двойке двойки двойкой двоих",
		3:  "тройка тройку тройке тройки тройкой троих",
		5:  "пятерка пятерку пятерке пятерки пятеркой пятерых",
		10: "десятка десятку десятке десятки десяткой десятерых"})
	rowWords = words.Set("штука штуки штук строка строку строки строке строкой строк строкам позиция позицию " +
		"позиции позиций пункт пункта пункту row rows one ones line lines item items entry")
	numberWords = words.Set("№ # номер номером строка строку строке строки пункт row number no")
	fromBottom  = words.Set("снизу конца bottom end")
	fromTop     = words.Set("сверху начала top")
	listWords   = words.Set("списка списке таблицы таблице list table")
	// what an ordinal before them counts is not a row
	otherNouns = words.Set("раз раза половина половину половины половине квартал time half quarter")
	documents  = words.Set("заказ заказа заказу заказы заказов приемка приемку приемки отгрузка отгрузку " +
		"отгрузки продажа продажу продажи продаж платеж платежа платежи оплата оплату накладная накладную " +
		"документ документа документы счет счета закупка закупку закупки закупок возврат возвраты поставка " +
		"поставку чек чека order orders sale sales shipment invoice payment receipt document purchase delivery " +
		"return")
	nounsOf = map[string]map[string]bool{
		"product": words.Set("товар товара товару товаре товаром товары товаров товарам товарах товарами позиция " +
			"позицию позиции позиций позициям наименование наименования product products goods item items"),
		"counterparty": words.Set("клиент клиента клиенту клиентом клиенты клиентов клиентам клиентах покупатель " +
			"покупателя покупателю покупатели покупателей покупателям контрагент контрагента контрагенту " +
			"контрагенты контрагентов контрагентам должник должника должнику должники должников customer customers " +
			"client clients buyer debtor debtors"),
		"supplier": words.Set("поставщик поставщика поставщику поставщиком поставщики поставщиков поставщикам " +
			"supplier suppliers vendor"),
		"store": words.Set("склад склада складу складе склады складов складам складах магазин магазина магазине " +
			"магазины магазинов магазинам точка точку точке точки warehouse warehouses store stores shop shops"),
		"group": words.Set("группа группу группы группе групп группам категория категорию категории категорий " +
			"group groups category categories"),
		"employee": words.Set("сотрудник сотрудника сотруднику сотрудники сотрудников продавец продавца продавцу " +
			"продавцы менеджер менеджера employee employees seller manager"),
		"document": documents,
	}
	adjectives = strings.Fields("ый ий ой ая ья ое ье ую ью ого ьего ому ьему ым ьим ом ьем ей ьей")
	ordinals   = map[string]int{}
)

func init() {
	for i, s := range strings.Fields("перв втор трет четверт пят шест седьм восьм девят десят") {
		for _, e := range adjectives {
			ordinals[s+e] = i + 1
		}
	}
	for i, s := range strings.Fields("first second third fourth fifth sixth seventh eighth ninth tenth") {
		ordinals[s] = i + 1
	}
	for i, s := range []string{"последн", "предпоследн"} {
		for _, e := range strings.Fields("ий яя ее юю его ему им ем ей") {
			ordinals[s+e] = -i - 1
		}
	}
	ordinals["last"] = -1
}

// Ordinal returns the number that a word such as "второй" names, negative from the end; 0 for none.
func Ordinal(word string) int { return ordinals[word] }

// Collective returns how many "тройка" and such words are; 0 for other words.
func Collective(word string) int { return collectives[word] }

// IsHe reports whether a word stands for one person or thing that was named before: "он", "ему", "she".
func IsHe(word string) bool { return heWords[word] || sheWords[word] }

// IsThey reports whether a word stands for several that were named before: "их", "им", "them".
func IsThey(word string) bool {
	return theyWords[word] && word != "они" && word != "they"
}
