package text

// The page Ask.
var (
	NewTalk        = T{"Новый диалог", "New conversation"}
	AskTitle       = T{"О чём спросить?", "What would you like to know?"}
	YourQuestion   = T{"Ваш вопрос", "Your question"}
	AskHint        = T{"Например: что заканчивается и что заказать?", "For example: what is running out, and what to order?"}
	Send           = T{"Спросить", "Ask"}
	AnyAccount     = T{"Выберите аккаунт", "Choose an account"}
	AskedAccount   = T{"Аккаунт", "Account"}
	History        = T{"Диалоги", "Conversations"}
	FindTalk       = T{"Найти диалог", "Find a conversation"}
	Mine           = T{"Мои", "Mine"}
	Everyones      = T{"Все", "Everyone's"}
	NoTalks        = T{"Диалогов пока нет", "No conversations yet"}
	NoTalkFound    = T{"Такого диалога нет", "There is no such conversation"}
	Rename         = T{"Переименовать", "Rename"}
	TitleOf        = T{"Название", "Title"}
	DeleteTalk     = T{"Удалить диалог", "Delete the conversation"}
	DeleteTalkHint = T{"Вопросы, ответы и таблицы исчезнут насовсем. Черновики и журнал останутся.",
		"Its questions, answers and tables will be gone for good. Drafts and the audit log stay."}
	Plan          = T{"План:", "The plan:"}
	FactComputed  = T{"посчитано по прочитанному", "computed from what was read"}
	FactEstimate  = T{"оценка, а не данные учёта", "an estimate, not the account's data"}
	Working       = T{"Разбираюсь в вопросе…", "Reading the question…"}
	Waits         = T{"Ждёт: сначала закончится предыдущий вопрос", "Waiting for the previous question to finish"}
	DoneOf        = T{"%d из %d запросов", "%d of %d requests"}
	SecondsLeft   = T{"осталось около %d с", "about %d s left"}
	CancelAnswer  = T{"Остановить", "Stop"}
	Cancelled     = T{"Остановлено.", "Stopped."}
	AnswerFailed  = T{"Не получилось ответить", "No answer"}
	YouAsked      = T{"Вы спросили", "You asked"}
	TheyAsked     = T{"Спросили", "They asked"}
	TheAnswer     = T{"Ответ", "Answer"}
	Tables        = T{"Таблицы, на которых основан ответ", "The tables behind this answer"}
	OpenDraft     = T{"Проверить черновик", "Check the draft"}
	DraftWaits    = T{"Черновик ждёт вашего решения. Ничего ещё не изменено.", "The draft waits for your decision. Nothing has changed yet."}
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
	ChipFirst   = T{"Строк", "Rows"}
	ChipAllRows = T{"все", "all"}
	ChipWhere   = T{"Условие", "Condition"}
	ChipRemove  = T{"Убрать", "Remove"}
	ChipFrom    = T{"С", "From"}
	ChipTo      = T{"По", "To"}
	ChipValues  = T{"Значения через точку с запятой", "Values, separated by semicolons"}
	ChipLimit   = T{"Сколько строк показать; пусто — все", "How many rows to show; empty for all"}
	ChipHint    = T{"Ответ появится ниже новым вопросом.", "The answer appears below as a new question."}
	Today       = T{"Сегодня", "Today"}
	LastDays    = T{"30 дней", "30 days"}
	ThisMonth   = T{"Этот месяц", "This month"}
	LastMonth   = T{"Прошлый месяц", "Last month"}
	TryThese    = T{"Что можно спросить", "Things to ask"}
	Overview    = T{"Обзор", "Overview"}
	Refresh     = T{"Обновить", "Refresh"}
	TileToday   = T{"Сегодня", "Today"}
	TileWeek    = T{"Неделя против прошлой", "This week against the last"}
	TileRunning = T{"Заканчивается", "Running out"}
	TileOverdue = T{"Просроченные заказы", "Overdue orders"}
	TileMoney   = T{"Деньги", "Money"}
	Before      = T{"было %s", "was %s"}
	TileFailed  = T{"Не прочиталось", "Could not be read"}
	TileOpen    = T{"Подробнее", "Open"}
	Deleted     = T{"Диалог удалён", "The conversation was deleted"}
	AllTalks    = T{"Все диалоги", "All conversations"}
	EditTalk    = T{"Действия с диалогом", "Conversation actions"}
)

// Suggestions are questions for a new conversation, with the right that each needs.
var Suggestions = []T{
	{"Что заканчивается и что заказать?", "What is running out, and what should I order?"},
	{"Выручка и прибыль за октябрь по складам", "Revenue and profit in October by warehouse"},
	{"Выручка по дням за последние 30 дней", "Revenue by day for the last 30 days"},
	{"Сравни продажи этого месяца с прошлым", "Compare sales of this month with the last one"},
	{"Что лежит без движения дольше 90 дней?", "What has not moved for more than 90 days?"},
	{"Какие заказы просрочены?", "Which orders are overdue?"},
	{"Сколько денег на счетах?", "How much money is in the accounts?"},
	{"Кто нам должен?", "Who owes us?"},
}
