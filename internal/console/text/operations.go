package text

import "github.com/stockhand/stockhand"

// What the service did, what it used, and how it is.
var (
	Operations = T{"Контроль", "Operations"}
	Runs       = T{"Задачи", "Runs"}
	Usage      = T{"Расход", "Usage"}
	AuditLog   = T{"Журнал действий", "Audit log"}
	TheServer  = T{"сервер", "the server"}
	Health     = T{"Состояние", "Health"}
)

// RunStates are the states of runs.
var RunStates = map[stockhand.RunState]T{
	"":                     {"Все", "All"},
	stockhand.RunQueued:    {"В очереди", "Queued"},
	stockhand.RunRunning:   {"Выполняются", "Running"},
	stockhand.RunDone:      {"Готовы", "Done"},
	stockhand.RunFailed:    {"Не удались", "Failed"},
	stockhand.RunCancelled: {"Отменены", "Cancelled"},
}

// RunState are badges of one run.
var RunState = map[stockhand.RunState]T{
	stockhand.RunQueued:    {"в очереди", "queued"},
	stockhand.RunRunning:   {"выполняется", "running"},
	stockhand.RunDone:      {"готово", "done"},
	stockhand.RunFailed:    {"не удалось", "failed"},
	stockhand.RunCancelled: {"отменено", "cancelled"},
}

// Runs and their steps.
var (
	RunsByState = T{"Задачи по состоянию", "Runs by state"}
	RunOne      = T{"Задача", "Run"}
	NoRuns      = T{"Здесь пока нет задач", "There are no runs here yet"}
	NoRunsHint  = T{"Задача появляется с каждым вопросом в консоли, чате или через API.",
		"There is a run for each question in the console, a chat or over the API."}
	AskedBy       = T{"Спросил", "Asked by"}
	Began         = T{"Начато", "Began"}
	Took          = T{"Время", "Time"}
	InProgress    = T{"ещё идёт", "in progress"}
	RunRequests   = T{"Запросов к МойСклад", "Requests to the account"}
	TokensUsed    = T{"Токенов модели", "Model tokens"}
	TokensInOut   = T{"%s на входе, %s на выходе", "%s in, %s out"}
	NotYetCounted = T{"считается в конце", "counted at the end"}
	DirectCall    = T{"вызов инструмента", "tool call"}
	OpenTalk      = T{"Открыть диалог", "Open the conversation"}
	RunID         = T{"Номер задачи", "Run ID"}
	WhichAccount  = T{"Аккаунт", "Account"}
	TraceTitle    = T{"Ход выполнения", "Trace"}
	TraceWait     = T{"Ожидание в очереди", "Waiting in the queue"}
	TraceAt       = T{"через %s, заняло %s", "after %s, took %s"}
	Steps         = T{"Шаги", "Steps"}
	NoSteps       = T{"Ни один инструмент не вызывался.", "No tool was called."}
	Arguments     = T{"Аргументы", "Arguments"}
	OpenResult    = T{"Таблица", "Table"}
	ModelReplies  = T{"Ответы модели", "Model replies"}
	ModelStep     = T{"Ответ модели %s", "Model reply %s"}
	WholeLog      = T{"Лог", "Log"}
	LogHint       = T{"События задачи, как они сохранены. Тот же лог отдаёт API.",
		"The events of the run as they are stored. The API returns the same log."}
	LogCut = T{"Показаны первые события; остальные отдаёт API.",
		"These are the first events; the API returns the rest."}
	Interrupted = T{"прервано", "interrupted"}
	Unfinished  = T{"не завершено", "not finished"}
	WhyFailed   = T{"Почему не удалось", "Why it failed"}
)

// Counted nouns of operations.
var (
	Seconds = Count{"секунда", "секунды", "секунд", "second", "seconds"}
	Tokens  = Count{"токен", "токена", "токенов", "token", "tokens"}
	Entries = Count{"запись", "записи", "записей", "entry", "entries"}
	Pieces  = Count{"часть", "части", "частей", "piece", "pieces"}
)

// Usage and budgets.
var (
	UsagePeriod   = T{"Период", "Period"}
	Last30        = T{"30 дней", "30 days"}
	Last7         = T{"7 дней", "7 days"}
	Last90        = T{"90 дней", "90 days"}
	UsageChart    = T{"Запросы к МойСклад по дням", "Requests to accounts by day"}
	TokensChart   = T{"Токены модели по дням", "Model tokens by day"}
	DayUTC        = T{"День (UTC)", "Day (UTC)"}
	RunsCount     = T{"Задач", "Runs"}
	RequestsCount = T{"Запросов", "Requests"}
	TokensCount   = T{"Токенов", "Tokens"}
	Cost          = T{"Стоимость", "Cost"}
	CallsCount    = T{"Вызовов", "Calls"}
	ByWho         = T{"Кто", "By whom"}
	ByModel       = T{"По моделям", "By model"}
	ByDay         = T{"По дням", "By day"}
	ByActor       = T{"По людям и ключам", "By person and key"}
	Model         = T{"Модель", "Model"}
	NoUsage       = T{"За этот период расхода нет", "Nothing was used in this period"}
	NoUsageHint   = T{"Здесь видны запросы к МойСклад и токены моделей: по дням, людям и ключам.",
		"Requests to accounts and model tokens show here, by day, person and key."}
	NoModelUsage = T{"Языковая модель за этот период не вызывалась: вопросы разобраны без неё, бесплатно.",
		"No language model was called in this period: questions were read without one, at no cost."}
	CostUnpriced = T{"цена модели не задана", "the model has no price"}
	Budgets      = T{"Бюджет моделей на месяц", "Model budget of the month"}
	BudgetTokens = T{"Токены", "Tokens"}
	BudgetMoney  = T{"Деньги", "Money"}
	BudgetLeft   = T{"осталось %s из %s", "%s left of %s"}
	BudgetHeld   = T{"из них занято идущими вызовами: %s", "of which calls in progress hold %s"}
	SpentOf      = T{"потрачено %s, без ограничения", "%s spent, no limit"}
	BudgetHint   = T{"Бюджет задаёт оператор сервера. Когда он исчерпан, вопросы разбираются без модели.",
		"The operator of the server sets the budget. Once it is used up, questions are read without the model."}
	StorageTitle = T{"Хранилище", "Storage"}
	StorageFree  = T{"Ограничений нет.", "There are no limits."}
	StorageHint  = T{"Когда место кончится, новые вопросы не принимаются, а черновики можно подтверждать.",
		"When it is full, new questions are refused; drafts can still be confirmed."}
	StoredResults  = T{"Таблицы", "Results"}
	StoredSessions = T{"Диалоги", "Sessions"}
	StoredMessages = T{"Сообщения", "Messages"}
	StoredDrafts   = T{"Черновики", "Drafts"}
	UsedOf         = T{"%s из %s", "%s of %s"}
)

// Health.
var (
	Replicas     = T{"Серверы", "Servers"}
	ReplicasHint = T{"Процессы Stockhand, которые сейчас работают. Обновляется само.",
		"The processes of Stockhand that run now. This updates by itself."}
	ReplicaName    = T{"Сервер", "Server"}
	ReplicaVersion = T{"Версия", "Version"}
	ReplicaSince   = T{"Работает с", "Running since"}
	ReplicaWorking = T{"Задач сейчас", "Runs now"}
	ReplicaMemory  = T{"Память", "Memory"}
	ReplicaSilent  = T{"не отвечает: %s", "silent for %s"}
	ReplicaAlone   = T{"без общей очереди", "without the shared queue"}
	NotReady       = T{"Сервер не может принимать запросы", "The server cannot accept requests"}
	NotReadyHint   = T{"База данных недоступна или не пишется. Причина — в логе сервера.",
		"The database cannot be reached or written. The server's log has the reason."}
)

// The audit log.
var (
	AuditHint = T{"Кто что сделал. Записи связаны в цепочку: изменить или вырезать запись незаметно нельзя.",
		"Who did what. The entries form a chain: none can be changed or cut out unnoticed."}
	AuditAction    = T{"Действие", "Action"}
	AuditFilter    = T{"Показать", "Show"}
	AuditAny       = T{"все", "all"}
	AuditDraftTip  = T{"Номер черновика, например drf_…", "The ID of a draft, drf_…"}
	AuditAll       = T{"Снять отбор", "Clear the filter"}
	AuditNone      = T{"Таких записей нет", "There are no such entries"}
	AuditNoneHint  = T{"Измените отбор или снимите его.", "Change the filter or clear it."}
	AuditWhen      = T{"Когда", "When"}
	AuditAbout     = T{"О чём", "About"}
	AuditDetail    = T{"Подробности", "Details"}
	AuditNumber    = T{"Запись %s", "Entry %s"}
	AuditExport    = T{"Выгрузить", "Export"}
	AuditVerify    = T{"Проверить цепочку", "Verify the chain"}
	AuditIntact    = T{"Журнал цел", "The log is intact"}
	AuditIntactHow = T{"Проверено: %s, с записи %s. Отпечаток последней записи:",
		"Verified: %s, from entry %s on. The fingerprint of the last entry:"}
	AuditKeepHead = T{"Сохраните его вне сервера: он докажет, что журнал не обрезали.",
		"Keep it outside of the server: it proves that nothing was cut off."}
	AuditBroken    = T{"Журнал повреждён", "The log is damaged"}
	AuditBrokenHow = T{"Запись %s неверна: %s. До неё цело: %s. Сохраните копию базы и сообщите оператору.",
		"Entry %s is invalid: %s. Before it, intact: %s. Keep a copy of the database and tell the operator."}
	AuditTrimmed = T{"Более ранние записи удалены по сроку хранения.",
		"Earlier entries were removed after their retention time."}
	AuditNewest   = T{"К новым", "To the newest"}
	AuditDraftID  = T{"Номер черновика", "Draft ID"}
	AuditRepeated = T{"ещё раз: %s", "again: %s"}
	AuditRefused  = T{"отказ: %s", "refused: %s"}
)
