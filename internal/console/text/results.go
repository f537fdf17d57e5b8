package text

// Tables of results.
var (
	Find       = T{"Найти в таблице", "Find in the table"}
	Columns    = T{"Столбцы", "Columns"}
	Show       = T{"Показать", "Show"}
	RowsOf     = T{"%s–%s из %s", "%s–%s of %s"}
	NoRows     = T{"Ничего не нашлось", "Nothing was found"}
	NoRowsHint = T{"В таблице нет строк, которые подходят под поиск и условия.",
		"No row of the table fits the search and the conditions."}
	FilterAdd   = T{"Условие", "Filter"}
	FilterOf    = T{"Столбец", "Column"}
	FilterHow   = T{"Условие", "Condition"}
	FilterValue = T{"Значение", "Value"}
	FilterDrop  = T{"Убрать условие: %s", "Remove the filter: %s"}
	FilterHas   = T{"содержит", "contains"}
	FilterIs    = T{"равно", "equals"}
	FilterMin   = T{"не меньше", "at least"}
	FilterMax   = T{"не больше", "at most"}
	FilterNone  = T{"не указано", "is unknown"}
	FilterAny   = T{"указано", "is known"}
	Download    = T{"Скачать", "Download"}
	Earlier     = T{"Раньше", "Previous"}
	Later       = T{"Дальше", "Next"}
	TotalRow    = T{"Итого", "Total"}
	SortBy      = T{"Сортировать: %s", "Sort by %s"}
	OpenBehind  = T{"Что за этим: %s", "What is behind: %s"}
	HowComputed = T{"Как посчитано", "How this was computed"}
	RowsExpired = T{"Срок хранения строк этой таблицы истёк.",
		"The rows of this table were removed after their retention time."}
	AskAgain = T{"Спросите ещё раз, чтобы прочитать заново.", "Ask again to read it once more."}
	PaperCut = T{"Напечатаны первые %s из %s строк. Вся таблица — в файле Excel или CSV.",
		"The first %s of %s rows are printed. The whole table is in the Excel or CSV file."}
	AllRows       = T{"Вся таблица: %s", "Whole table: %s"}
	AllColumns    = T{"Искать и сортировать", "Search and sort"}
	TableOf       = T{"Таблица", "Table"}
	PagesOf       = T{"Страницы таблицы", "Pages of the table"}
	ReadAt        = T{"Прочитано %s", "Read %s"}
	RequestsSent  = T{"запросов к учётной системе: %s", "requests to the accounting system: %s"}
	ReadEarlier   = T{"часть прочитана раньше и сверена", "some of it was read earlier and has been compared"}
	SourcesTitle  = T{"Источники", "Sources"}
	ResultTitle   = T{"Таблица", "Table"}
	ToAnswer      = T{"К диалогу", "To the conversation"}
	EmployeeTitle = T{"Права сотрудника: %s", "Rights of employee: %s"}
)

// Rows counts rows.
var Rows = Count{"строка", "строки", "строк", "row", "rows"}

// Months are the months of the year.
var Months = [12]T{{"январь", "January"}, {"февраль", "February"}, {"март", "March"}, {"апрель", "April"},
	{"май", "May"}, {"июнь", "June"}, {"июль", "July"}, {"август", "August"}, {"сентябрь", "September"},
	{"октябрь", "October"}, {"ноябрь", "November"}, {"декабрь", "December"}}
