package text

// Connections to external accounts.
var (
	ConnectAction = T{"Подключить", "Connect"}
	ConnectTitle  = T{"Подключить МойСклад", "Connect MoySklad"}
	ConnectHow    = T{"Где взять токен", "Where to get a token"}
	Label         = T{"Название", "Label"}
	LabelHint     = T{"Как назвать аккаунт здесь. По умолчанию — название юрлица.",
		"What to call the account here. By default, the name of the legal entity."}
	Token     = T{"Токен сотрудника", "Employee's token"}
	TokenHint = T{"Токен шифруется и больше не показывается. Логин и пароль не нужны и не принимаются.",
		"The token is encrypted and never shown again. Logins and passwords are neither needed nor accepted."}
	NoConnections    = T{"Аккаунт ещё не подключён", "No account is connected yet"}
	NoConnectionsWhy = T{"Подключите МойСклад, чтобы спрашивать о товарах, продажах и деньгах. Чтение " +
		"ничего не меняет.",
		"Connect MoySklad to ask about goods, sales and money. Reading changes nothing."}
	AskAdmin   = T{"Подключить может владелец или администратор.", "An owner or admin can connect one."}
	Step1Title = T{"Откройте список токенов", "Open the list of tokens"}
	Step2Title = T{"Создайте токен", "Create a token"}
	Step3Title = T{"Вставьте его сюда", "Paste it here"}
	Step1      = T{"В МойСклад откройте «Настройки» → «Обмен данными» → «Токены».",
		"In MoySklad open Settings → Data exchange → Tokens."}
	Step2 = T{"Нажмите «Создать токен». Он действует с вашими правами. Чтобы прав было меньше, " +
		"создайте токен от имени отдельного сотрудника.",
		"Press “Create token”. It has your rights. For fewer rights, create a separate employee and a token " +
			"of theirs."}
	Step3           = T{"Скопируйте токен и вставьте сюда.", "Copy the token and paste it here."}
	Employee        = T{"Сотрудник", "Employee"}
	AccountID       = T{"Номер аккаунта", "Account ID"}
	Verified        = T{"Проверено", "Verified"}
	Works           = T{"работает", "works"}
	DoesNotWork     = T{"не работает", "does not work"}
	AllRights       = T{"Сотрудник видит всё, что нужно для ответов.", "The employee sees all that answers need."}
	MissingRights   = T{"Чего сотрудник не видит", "What the employee cannot see"}
	VisibleRights   = T{"Что сотрудник видит", "What the employee can see"}
	Without         = T{"без этого скрыто: %s", "hidden without it: %s"}
	VerifyNow       = T{"Проверить сейчас", "Verify now"}
	Disconnect      = T{"Отключить", "Disconnect"}
	DisconnectTitle = T{"Отключить аккаунт?", "Disconnect the account?"}
	DisconnectHint  = T{"Сохранённый токен и кэш данных удаляются. Черновики этого аккаунта больше не " +
		"подтвердить.",
		"The stored token and the kept data are deleted. Drafts of this account can no longer be confirmed."}
	SameAccount = T{"ещё одно подключение этого аккаунта", "another connection of this account"}
)

// The drawings beside the steps; their words are those of МойСклад's pages.
var (
	DrawnSettings = T{"Настройки", "Settings"}
	DrawnExchange = T{"Обмен данными", "Data exchange"}
	DrawnTokens   = T{"Токены", "Tokens"}
	DrawnUsers    = T{"Сотрудники", "Employees"}
	DrawnCreate   = T{"Создать токен", "Create token"}
	DrawnOwner    = T{"Сотрудник: вы", "Employee: you"}
	DrawnOf1      = T{"Рисунок: в меню настроек МоегоСклада выбраны «Обмен данными» и «Токены»",
		"Drawing: Data exchange and Tokens are chosen in the settings of MoySklad"}
	DrawnOf2 = T{"Рисунок: кнопка «Создать токен» над списком токенов",
		"Drawing: the button “Create token” above the list of tokens"}
	DrawnOf3 = T{"Рисунок: токен копируется из МоегоСклада в поле на этой странице",
		"Drawing: a token is copied from MoySklad into the field on this page"}
)

// What is used of the limits of an account, and what is kept of it.
var (
	LimitsTitle = T{"Лимиты аккаунта сейчас", "Limits of the account now"}
	LimitsHint  = T{"Общие для всех подключений этого аккаунта и всех серверов Stockhand. Обновляется само.",
		"Shared by all connections of this account and all servers of Stockhand. This updates by itself."}
	LimitSecond    = T{"Запросы за последнюю секунду", "Requests in the last second"}
	LimitReports   = T{"Отчёты об остатках среди них", "Stock reports among them"}
	LimitInFlight  = T{"Сотрудник ждёт ответов", "Responses the employee waits for"}
	LimitUnits     = T{"Лимит МоегоСклада, осталось", "MoySklad's own limit, left"}
	LimitUnitsIn   = T{"%s из %s за %s с", "%s of %s in %s s"}
	LimitUnitsNone = T{"станет известен с первым ответом", "known after the first response"}
	LimitWaiting   = T{"В очереди: %s.", "Waiting: %s."}
	LimitPaused    = T{"МойСклад попросил подождать до %s.", "MoySklad asked to wait until %s."}
	FactsTitle     = T{"Сохранённые данные", "Kept data"}
	FactsHint      = T{"Прочитанное хранится зашифрованным и сверяется с МоимСкладом при каждом вопросе, " +
		"чтобы не читать всё заново.",
		"What was read is kept encrypted and compared with MoySklad at each question, so that not " +
			"everything is read again."}
	FactsSize   = T{"Размер", "Size"}
	FactsOldest = T{"Самое старое", "Oldest"}
	FactsNewest = T{"Самое свежее", "Newest"}
	FactsNone   = T{"Пока ничего: появится с первым вопросом о продажах.",
		"Nothing yet: it appears with the first question about sales."}
	FactsOff = T{"На этом сервере данные аккаунтов не хранятся: всё читается каждый раз.",
		"This server keeps no data of accounts: everything is read each time."}
	FactsClear     = T{"Очистить", "Clear"}
	FactsClearAsk  = T{"Очистить сохранённые данные?", "Clear the kept data?"}
	FactsClearWhat = T{"В МоемСкладе ничего не изменится. Следующий вопрос прочитает нужное заново и займёт " +
		"больше времени и запросов.",
		"Nothing changes in MoySklad. The next question reads what it needs again, with more time and requests."}
	FactsCleared = T{"Сохранённые данные аккаунта очищены", "The kept data of the account was cleared"}
)

// Changing a connection.
var (
	ChangeAction = T{"Изменить", "Change"}
	ChangeTitle  = T{"Изменить подключение", "Change the connection"}
	NewToken     = T{"Новый токен", "New token"}
	NewTokenHint = T{"Того же сотрудника. Пусто — токен остаётся прежним.",
		"Of the same employee. Empty: the token stays as it is."}
	GatewayWrites = T{"Программы могут менять данные через шлюз", "Programs may change data through the gateway"}
	GatewayHint   = T{"Обычно шлюз только читает. Если включить, ключ с правом connector:gateway сможет " +
		"писать в МойСклад без черновика и подтверждения.",
		"Normally the gateway only reads. If on, a key with the scope connector:gateway can write to " +
			"MoySklad without a draft and a person."}
	GatewayOn       = T{"шлюз пишет", "gateway writes"}
	ConnectionSaved = T{"Подключение изменено", "The connection was changed"}
	ConnectionMade  = T{"Аккаунт подключён и проверен", "The account is connected and verified"}
	ConnectionWorks = T{"Проверено: токен работает", "Verified: the token works"}
	ConnectionGone  = T{"Аккаунт отключён", "The account was disconnected"}
)
