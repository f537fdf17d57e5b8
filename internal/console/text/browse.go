package text

// Goods, customers and documents.
var (
	Goods          = T{"Товары", "Goods"}
	Partners       = T{"Контрагенты", "Customers"}
	DocumentsTitle = T{"Документы", "Documents"}
	Document       = T{"Документ", "Document"}
	FindGoods      = T{"Название, артикул, код или штрихкод", "Name, article, code or barcode"}
	FindPartners   = T{"Название или код", "Name or code"}
	FindThese      = T{"Найти", "Find"}
	AskedOf        = T{"Аккаунт", "Account"}
	ReadingAccount = T{"Читаем данные аккаунта…", "Reading the account…"}
	ReadNow        = T{"Прочитать", "Read"}
	NotRead        = T{"Не прочиталось", "This could not be read"}
	SalesOf        = T{"Продажи и закупки — с %s по %s, остальное — сейчас",
		"Sales and purchases are from %s to %s, the rest is now"}
	NothingFound    = T{"Ничего похожего нет", "There is nothing like it"}
	NothingFoundWhy = T{"Искали по началам слов, с опечатками, в другой раскладке и латиницей.",
		"The search takes beginnings of words, misspellings, the other keyboard layout and Latin letters."}
	FoundFirst = T{"Показаны первые %d из %d", "The first %d of %d are shown"}
	AlsoFound  = T{"Есть и другие с таким названием, но без остатков и продаж",
		"Others have such a name, but no stock or sales"}
	AskAbout     = T{"Спросить об этом", "Ask about this"}
	ToList       = T{"К списку", "To the list"}
	AllDocuments = T{"Все документы", "All documents"}
	KindOf       = T{"Вид", "Type"}
	AnyKind      = T{"Все виды", "All types"}
	WhatIsLeft   = T{"Что не закончено", "What is left to do"}
	AnyState     = T{"Любые", "Any"}
	FromDay      = T{"С", "From"}
	ToDay        = T{"По", "To"}
	NumberOf     = T{"Номер", "Number"}
	Narrowed     = T{"Список отобран по тому, откуда вы пришли.", "The list is narrowed down by where you came from."}
	ShowAll      = T{"Показать все", "Show all"}
	NoDocuments  = T{"Таких документов нет", "There are no such documents"}
	NoDocsWhy    = T{"Попробуйте другой период или вид.", "Try another period or type."}
	ConnectFirst = T{"Здесь появятся данные подключённого аккаунта.", "The data of a connected account will be here."}
)

// The command palette.
var (
	FindAnything = T{"Поиск и переходы", "Search and go"}
	FindHint     = T{"Страница, товар, контрагент, номер документа или команда",
		"A page, a product, a customer, a document number or a command"}
	FoundPages = T{"Страницы", "Pages"}

	FoundCommands = T{"Команды", "Commands"}
	Numbered      = T{"Документы с номером %s", "Documents with the number %s"}
	InRussian     = T{"Русский", "Russian"}
	InEnglish     = T{"Английский", "English"}
	AskThis       = T{"Спросить: «%s»", "Ask: “%s”"}
	PaletteKeys   = T{"Стрелки — выбрать, Enter — открыть, Esc — закрыть", "Arrows choose, Enter opens, Esc closes"}
)
