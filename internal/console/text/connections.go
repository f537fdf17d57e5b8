package text

// Connections to external accounts.
var (
	ConnectAction    = T{"Подключить", "Connect"}
	ConnectTitle     = T{"Подключить МойСклад", "Connect MoySklad"}
	ConnectHow       = T{"Где взять токен", "Where to get a token"}
	Label            = T{"Название", "Label"}
	LabelHint        = T{"Для вас; по умолчанию — название юрлица.", "For you; the legal entity's name by default."}
	Token            = T{"Токен сотрудника", "Employee's token"}
	TokenHint        = T{"Токен шифруется и больше не показывается. Логин и пароль не нужны и не принимаются.", "The token is encrypted and never shown again. Logins and passwords are neither needed nor accepted."}
	NoConnections    = T{"Аккаунт ещё не подключён", "No account is connected yet"}
	NoConnectionsWhy = T{"Подключите МойСклад, чтобы спрашивать о товарах, продажах и деньгах. Чтение ничего не меняет.", "Connect MoySklad to ask about goods, sales and money. Reading changes nothing."}
	AskAdmin         = T{"Подключить может владелец или администратор.", "An owner or admin can connect one."}
	Step1            = T{"В МойСклад откройте «Настройки» → «Обмен данными» → «Токены».", "In MoySklad open Settings → Data exchange → Tokens."}
	Step2            = T{"Нажмите «Создать токен». Токен действует с правами вашего сотрудника: создайте отдельного сотрудника, если правам нужен предел.", "Press “Create token”. It acts with the rights of your employee: use an employee of its own if its rights need a limit."}
	Step3            = T{"Скопируйте токен и вставьте сюда.", "Copy the token and paste it here."}
	Employee         = T{"Сотрудник", "Employee"}
	AccountID        = T{"Номер аккаунта", "Account ID"}
	Verified         = T{"Проверено", "Verified"}
	Works            = T{"работает", "works"}
	DoesNotWork      = T{"не работает", "does not work"}
	AllRights        = T{"Сотрудник видит всё, что нужно для ответов.", "The employee sees all that answers need."}
	MissingRights    = T{"Чего сотрудник не видит", "What the employee cannot see"}
	VisibleRights    = T{"Что сотрудник видит", "What the employee can see"}
	Without          = T{"без этого скрыто: %s", "hidden without it: %s"}
	VerifyNow        = T{"Проверить", "Verify"}
	Disconnect       = T{"Отключить", "Disconnect"}
	DisconnectTitle  = T{"Отключить аккаунт?", "Disconnect the account?"}
	DisconnectHint   = T{"Сохранённый токен и кэш данных удаляются. Черновики этого аккаунта больше не подтвердить.", "The stored token and the kept data are deleted. Drafts of this account can no longer be confirmed."}
	SameAccount      = T{"ещё одно подключение этого аккаунта", "another connection of this account"}
)
