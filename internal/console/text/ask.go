package text

// The page Ask.
var (
	NewTalk      = T{"Новый диалог", "New conversation"}
	AskTitle     = T{"О чём спросить?", "What would you like to know?"}
	YourQuestion = T{"Ваш вопрос", "Your question"}
	AskHint      = T{"Например: что заканчивается и что заказать?",
		"For example: what is running out, and what to order?"}
	Send           = T{"Спросить", "Ask"}
	AskedAccount   = T{"Аккаунт", "Account"}
	History        = T{"Диалоги", "Conversations"}
	FindTalk       = T{"Найти диалог", "Find a conversation"}
	NoTalks        = T{"Диалогов пока нет", "No conversations yet"}
	OlderTalks     = T{"Показать более ранние", "Show older ones"}
	LatestTalks    = T{"К последним диалогам", "Back to the latest conversations"}
	NoTalkFound    = T{"Такого диалога нет", "There is no such conversation"}
	Rename         = T{"Переименовать", "Rename"}
	TitleOf        = T{"Название", "Title"}
	DeleteTalk     = T{"Удалить диалог", "Delete the conversation"}
	DeleteTalkHint = T{"Вопросы, ответы и таблицы исчезнут насовсем. Черновики и журнал останутся.",
		"Its questions, answers and tables will be gone for good. Drafts and the audit log stay."}
	Plan         = T{"План:", "The plan:"}
	FactComputed = T{"посчитано по прочитанному", "computed from what was read"}
	FactEstimate = T{"оценка, а не данные учёта", "an estimate, not the account's data"}
	Working      = T{"Разбираюсь в вопросе…", "Reading the question…"}
	DoneOf       = T{"%d из %d запросов", "%d of %d requests"}
	SecondsLeft  = T{"осталось около %d с", "about %d s left"}
	CancelAnswer = T{"Остановить", "Stop"}
	Cancelled    = T{"Остановлено.", "Stopped."}
	AnswerFailed = T{"Не получилось ответить", "No answer"}
	YouAsked     = T{"Вы спросили", "You asked"}
	TheyAsked    = T{"Спросили", "They asked"}
	Tables       = T{"Таблицы, на которых основан ответ", "The tables behind this answer"}
	OpenDraft    = T{"Проверить черновик", "Check the draft"}
	DraftWaits   = T{"Черновик ждёт вашего решения. Ничего ещё не изменено.",
		"The draft waits for your decision. Nothing has changed yet."}
	MoreDocuments = T{"… и ещё документов: %d", "… and %d more documents"}
	NoAccount     = T{"Нет подключённых аккаунтов", "No account is connected"}
	NoAccountHint = T{"Подключите аккаунт МойСклад — тогда можно будет спрашивать.",
		"Connect a MoySklad account, and you can ask."}
	Connect     = T{"Подключить", "Connect"}
	ViewersLook = T{"Вы можете читать ответы, но не спрашивать: у вашей роли нет на это права.",
		"You can read answers, but your role does not let you ask."}
	Applied     = T{"Что применено; нажмите, чтобы изменить", "What was applied; press to change"}
	Apply       = T{"Применить", "Apply"}
	ChipWhat    = T{"Показатели", "Measures"}
	ChipBy      = T{"По", "By"}
	ChipAll     = T{"всё вместе", "all together"}
	ChipPeriod  = T{"Период", "Period"}
	ChipNow     = T{"сейчас", "now"}
	ChipCompare = T{"Сравнение", "Comparison"}
	ChipNone    = T{"нет", "none"}
	ChipPrev    = T{"с прошлым периодом", "with the previous period"}
	ChipYear    = T{"с прошлым годом", "with last year"}
	ChipOther   = T{"с %s", "with %s"}
	ChipReport  = T{"Отчёт", "Report"}
	ChipUnset   = T{"не задан", "not set"}
	ChipUsual   = T{"Как обычно", "As usual"}
	ChipChosen  = T{"выбрано: %d", "chosen: %d"}
	ChipAndMore = T{"и ещё %d", "and %d more"}
	ChipOne     = T{"Документ выбран в таблице. Чтобы открыть другой, спросите его по номеру.",
		"The document was chosen in a table. To open another, ask for it by its number."}
	ChipComplex = T{"Это условие составное: измените его словами в новом вопросе.",
		"This condition has several parts: change it in words, in a new question."}
	ChipSQL = T{"Это посчитала языковая модель по таблицам выше: попросите её посчитать иначе.",
		"A language model computed this from the tables above: ask it to compute something else."}
	ChipNoPeriod = T{"Этот отчёт всегда за этот период.", "This report is always of this period."}
	ChipFirst    = T{"Строк", "Rows"}
	ChipAllRows  = T{"все", "all"}
	ChipWhere    = T{"Условие", "Condition"}
	ChipField    = T{"Поле", "Field"}
	ChipRemove   = T{"Убрать", "Remove"}
	ChipFrom     = T{"С", "From"}
	ChipTo       = T{"По", "To"}
	ChipValues   = T{"Значения через точку с запятой", "Values, separated by semicolons"}
	ChipLimit    = T{"Сколько строк показать; пусто — все", "How many rows to show; empty for all"}
	Today        = T{"Сегодня", "Today"}
	LastDays     = T{"30 дней", "30 days"}
	ThisMonth    = T{"Этот месяц", "This month"}
	LastMonth    = T{"Прошлый месяц", "Last month"}
	TryThese     = T{"Что можно спросить", "Things to ask"}
	Overview     = T{"Обзор", "Overview"}
	Refresh      = T{"Обновить", "Refresh"}
	Before       = T{"было %s", "was %s"}
	TileFailed   = T{"Не прочиталось", "Could not be read"}
	TileOpen     = T{"Подробнее", "Open"}
	EditTalk     = T{"Действия с диалогом", "Conversation actions"}
	Pin          = T{"Закрепить", "Pin"}
	Unpin        = T{"Открепить", "Unpin"}
	Pinned       = T{"Закреплённые", "Pinned"}
	Share        = T{"Показать всем в организации", "Share with the organization"}
	Unshare      = T{"Больше не показывать всем", "Stop sharing"}
	Shared       = T{"Общие", "Shared"}
	SharedBadge  = T{"Виден всем в организации", "Shared with the organization"}
	Recent       = T{"Недавние", "Recent"}
	CopyLink     = T{"Скопировать ссылку", "Copy the link"}

	ToStartPage     = T{"На главную", "Keep on the start page"}
	ToStartPageLink = T{"Открыть главную", "Open the start page"}
	ReportTitle     = T{"Как назвать", "Title"}
	ReportMoves     = T{"Период сдвигается вместе с календарём", "Its period moves with the calendar"}
	ReportHint      = T{"Отчёт появится на главной у всех в организации и будет читать свежие данные.",
		"Everyone in the organization sees the report on the start page, with current figures."}
	ReportSaved   = T{"Отчёт на главной.", "The report is on the start page."}
	ReportActions = T{"Действия с отчётом: %s", "Actions of the report: %s"}
	ReportRename  = T{"Переименовать", "Rename"}
	ReportDelete  = T{"Убрать с главной", "Remove from the start page"}
	Reports       = T{"Сохранённые отчёты", "Saved reports"}
	ChooseAccount = T{"Обзор аккаунта", "Overview of"}
)
