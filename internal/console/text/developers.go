package text

import "github.com/stockhand/stockhand"

// The section of developers.
var (
	Developers    = T{"Разработчикам", "Developers"}
	DevKeys       = T{"Ключи", "Keys"}
	DevTools      = T{"Инструменты", "Tools"}
	DevQueries    = T{"Запросы данных", "Queries"}
	DevRequests   = T{"Журнал запросов", "Request log"}
	DevParts      = T{"Для разработчиков", "For developers"}
	DevLimits     = T{"Ещё ограничения", "More limits"}
	DevAnyAccount = T{"все подключённые", "all that are connected"}
)

// Keys.
var (
	KeysNone    = T{"Ключей пока нет", "There are no keys yet"}
	KeysNoneWhy = T{"Ключ нужен каждой программе, которая обращается к серверу: скрипту, чат-клиенту, n8n. " +
		"Создайте первый ниже.",
		"Every program that calls this server needs a key: a script, a chat client, n8n. Create the first " +
			"one below."}
	KeysList    = T{"Ключи API", "API keys"}
	KeysPast    = T{"Истёкшие и отозванные", "Expired and revoked"}
	KeyCreate   = T{"Создать ключ", "Create a key"}
	KeyNameHint = T{"Чтобы узнать ключ в списке и в журнале: например, имя программы.",
		"To recognise the key in lists and logs: the name of the program, for example."}
	KeyName      = T{"Название", "Name"}
	KeyScopes    = T{"Что разрешить", "What it may do"}
	KeyMay       = T{"Что может", "Scopes"}
	KeyExpiresIn = T{"Срок действия", "Expires"}
	KeyAddresses = T{"С каких адресов", "From which addresses"}
	KeyAddrHint  = T{"Адреса или диапазоны через запятую, например 192.0.2.0/24. Пусто — с любых.",
		"Addresses or ranges, separated by commas, such as 192.0.2.0/24. Empty: any."}
	KeyAccount   = T{"Только этот аккаунт", "Only this account"}
	KeyBoundHint = T{"Привязанный к аккаунту ключ не может иметь прав read:data и admin.",
		"A key that is bound to an account cannot have read:data or admin."}
	KeyCreated = T{"Ключ «%s» создан", "The key “%s” was created"}
	KeyOnce    = T{"Скопируйте секрет сейчас: больше он не покажется. На сервере хранится только его отпечаток.",
		"Copy the secret now: it is not shown again. The server keeps only a fingerprint of it."}
	KeySecret    = T{"Секрет ключа", "Secret of the key"}
	KeyRotated   = T{"Ключ «%s» заменён", "The key “%s” was replaced"}
	KeyOldUntil  = T{"Прежний ключ работает до %s.", "The old key works until %s."}
	KeyUntil     = T{"Действует до", "Expires"}
	KeyLastUsed  = T{"Использован", "Last used"}
	KeyNever     = T{"ни разу", "never"}
	KeyWorks     = T{"действует", "active"}
	KeySoon      = T{"скоро истекает", "expires soon"}
	KeyExpired   = T{"истёк", "expired"}
	KeyRevoked   = T{"отозван", "revoked"}
	KeyBy        = T{"создал: %s", "created by %s"}
	KeyFrom      = T{"только с %s", "only from %s"}
	KeyBound     = T{"только: %s", "only %s"}
	KeyRevoke    = T{"Отозвать", "Revoke"}
	KeyRevokeOf  = T{"Отозвать ключ: %s", "Revoke the key %s"}
	KeyRevokeAsk = T{"Отозвать ключ?", "Revoke the key?"}
	KeyRevokeWhy = T{"Программа с ключом «%s» сразу потеряет доступ, начатые ею задачи остановятся. Ключи, " +
		"которые она создала, тоже отзываются. Вернуть ключ нельзя.",
		"The program with the key “%s” loses access at once, and the work it started is stopped. Keys that " +
			"it created are revoked, too. A revoked key cannot be brought back."}
	KeyRotate    = T{"Заменить", "Rotate"}
	KeyRotateOf  = T{"Заменить ключ: %s", "Rotate the key %s"}
	KeyRotateAsk = T{"Заменить ключ?", "Rotate the key?"}
	KeyRotateWhy = T{"Появится новый ключ с теми же правами и сроком. Прежний ещё поработает, чтобы вы " +
		"успели его поменять.",
		"You get a new key with the same scopes and lifetime. The old one keeps working for a while, so " +
			"that you can replace it."}
	KeyOverlap   = T{"Прежний ключ работает ещё", "The old key keeps working for"}
	KeyOld       = T{"Этот ключ уже заменён новым.", "This key has been replaced already."}
	KeyNoConfirm = T{"Ни один ключ не подтверждает черновики: это делает человек.",
		"No key confirms drafts: a person does."}
)

// ScopeMeanings say what a scope lets a key do.
var ScopeMeanings = map[stockhand.Scope]T{
	stockhand.ScopeReadTools: {"видеть список инструментов и коннекторов с их параметрами",
		"list tools and connectors with their parameters"},
	stockhand.ScopeWriteTools: {"задавать вопросы агенту, вызывать инструменты и запросы, править и отклонять черновики",
		"ask the agent, call tools and queries, edit and reject drafts"},
	stockhand.ScopeReadData: {"читать все диалоги, результаты и черновики, сотрудников, подключения и " +
		"журналы; без этого права ключ видит только то, что начал сам",
		"read all conversations, results and drafts, people, connections and logs; without it a key sees " +
			"only what it started"},
	stockhand.ScopeChat: {"чат-программы и OpenAI SDK: /v1/chat/completions, /v1/responses, /v1/models",
		"chat programs and OpenAI SDKs: /v1/chat/completions, /v1/responses, /v1/models"},
	stockhand.ScopeGateway: {"обращаться к API учётной системы напрямую, через шлюз",
		"call the accounting system’s own API through the gateway"},
	stockhand.ScopeAdmin: {"всё, и ещё ключи, сотрудники, подключения и настройки; нужно очень немногим программам",
		"everything, also keys, people, connections and settings; very few programs need it"},
}

// Days and Hours count time.
var (
	Days  = Count{"день", "дня", "дней", "day", "days"}
	Hours = Count{"час", "часа", "часов", "hour", "hours"}
)

// Snippets that are ready to paste.
var (
	SnippetsTitle = T{"Готовые примеры", "Ready to paste"}
	SnippetsHint  = T{"Адрес сервера уже подставлен; %s стоит на месте секрета ключа.",
		"The address of this server is filled in; %s stands for the secret of a key."}
	SnippetsReady = T{"Адрес сервера и секрет уже подставлены.",
		"The address of this server and the secret are filled in."}
	SnippetNeeds = T{"Нужно право %s.", "Needs the scope %s."}
	SnippetLacks = T{"У этого ключа нет права %s: пример не заработает.",
		"This key lacks the scope %s: the example will not work."}
	SnippetTask   = T{"что заканчивается на складах?", "what is running out of stock?"}
	SnippetMCP    = T{"MCP-клиенты", "MCP clients"}
	SnippetMCPWhy = T{"В настройки клиента: Claude Desktop, Cursor, VS Code и другие. Агент получит " +
		"инструменты, но не сможет ничего подтвердить.",
		"For the settings of the client: Claude Desktop, Cursor, VS Code and others. Agents get the tools, " +
			"but cannot confirm anything."}
	SnippetWebUI  = T{"Open WebUI — чат в браузере", "Open WebUI"}
	SnippetWebWhy = T{"Или в интерфейсе: «Настройки администратора» → «Подключения» → OpenAI API: адрес и " +
		"ключ те же. Модель называется stockhand.",
		"Or in its interface: Admin Settings → Connections → OpenAI API, with the same address and key. The " +
			"model is called stockhand."}
	SnippetN8N    = T{"n8n — узел HTTP Request", "n8n"}
	SnippetN8NWhy = T{"Скопируйте и вставьте на холст n8n: появится готовый узел.",
		"Copy it and paste it onto the canvas of n8n: you get a finished HTTP Request node."}
	SnippetPyWhy = T{"Сначала: pip install openai", "First: pip install openai — any OpenAI SDK works"}
	SnippetJSWhy = T{"Сначала: npm install openai", "First: npm install openai"}
	SnippetGoWhy = T{"Только стандартная библиотека.", "The standard library is enough."}
	SnippetCurl  = T{"Вопрос агенту; ответ приходит, когда готов.",
		"A question to the agent; the response comes when the answer is there."}
)

// The log of requests.
var (
	RequestsNone    = T{"Запросов пока не было", "There were no requests yet"}
	RequestsNoneWhy = T{"Здесь появятся запросы программ к API: метод, адрес, ответ, время и ключ.",
		"Requests of programs to the API appear here: method, route, status, time and key."}
	RequestsNoMatch = T{"Таких запросов нет", "There are no such requests"}
	RequestsHint    = T{"Последние запросы программ к API: до %s за последние %s. Тела, параметры и " +
		"идентификаторы не хранятся. Часовой пояс: %s.",
		"The latest requests of programs to the API: up to %s of the last %s. Bodies, parameters and IDs " +
			"are not kept. Time zone: %s."}
	RequestsTable  = T{"Запросы к API", "Requests to the API"}
	RequestAt      = T{"Когда", "When"}
	RequestWhat    = T{"Запрос", "Request"}
	RequestStatus  = T{"Ответ", "Status"}
	RequestTook    = T{"Время", "Time taken"}
	RequestBy      = T{"Ключ или человек", "Key or person"}
	RequestNumber  = T{"Номер", "Request ID"}
	RequestFailed  = T{"Только с ошибкой", "Only those that failed"}
	RequestAnyKey  = T{"все", "all"}
	RequestOfKey   = T{"Ключ", "Key"}
	RequestShow    = T{"Показать", "Show"}
	RequestRefresh = T{"Обновить", "Refresh"}
	Milliseconds   = T{"%s мс", "%s ms"}
	KeyRequests    = T{"Запросы ключа: %s", "Requests of the key %s"}
)

// Forms that call tools and queries.
var (
	TryNone    = T{"Пока нечего вызывать", "There is nothing to call yet"}
	TryNoneWhy = T{"Сначала подключите аккаунт учётной системы в разделе «Подключения».",
		"First connect an account of your accounting system in Connections."}
	TryAccount  = T{"Аккаунт", "Account"}
	TryTool     = T{"Инструмент", "Tool"}
	TryRun      = T{"Выполнить", "Run"}
	TryRequest  = T{"Такой же запрос из программы", "The same request from a program"}
	TryResult   = T{"Результат", "Result"}
	TryResponse = T{"Ответ API", "Response of the API"}
	TryCut      = T{"Показано начало: программа получит ответ целиком.",
		"This is its beginning; a program gets all of it."}
	TryRunning  = T{"Ещё выполняется: смотрите в диалоге.", "It is still running: see the conversation."}
	FieldUsual  = T{"как обычно", "as usual"}
	FieldNumber = T{"должно быть числом", "must be a number"}
	FieldJSON   = T{"это не JSON", "is not JSON"}
	FieldLines  = T{"по одному в строке", "one per line"}
	FieldsWrong = T{"Исправьте поля формы", "Correct the fields of the form"}
)
