package text

// The API reference, and how a request is tried there.
var (
	RefAbout = T{"Все операции API этого сервера. Каждую можно попробовать: запрос уходит от вашего имени и " +
		"с вашими правами, без ключа.", "All operations of this server’s API. Each can be tried: the request is " +
		"sent as you and with your rights, without a key."}
	RefForCode     = T{"Для генераторов кода", "For code generators"}
	RefSearch      = T{"Найти операцию", "Find an operation"}
	RefExample     = T{"Например: drafts, usage, POST", "For example: drafts, usage, POST"}
	RefNone        = T{"Таких операций нет", "There are no such operations"}
	RefNoneHint    = T{"Поищите по пути, названию или параметру.", "Search by path, summary or parameter."}
	RefScope       = T{"Нужно право", "Needs the scope"}
	RefNoScope     = T{"любой вход или ключ", "any sign-in or key"}
	RefLacks       = T{"у вас его нет", "you lack it"}
	RefParams      = T{"Параметры", "Parameters"}
	RefBody        = T{"Тело запроса", "Body"}
	RefAnswers     = T{"Ответы", "Responses"}
	RefFailures    = T{"Ошибки", "Errors"}
	RefOwnFailures = T{"Особые для этой операции", "Of this operation only"}
	RefRequired    = T{"обязательно", "required"}
	RefNoBody      = T{"без тела", "no body"}
	RefTry         = T{"Попробовать", "Try it"}
	RefSend        = T{"Отправить", "Send"}
	RefReads       = T{"Только чтение: отправляется сразу.", "It only reads, so it is sent at once."}
	RefChanges     = T{"Может что-то изменить: перед отправкой будет показано, что " +
		"уйдёт.", "It may change something: before it is sent, you see what would be."}
	RefSureTitle = T{"Отправить этот запрос?", "Send this request?"}
	RefSure      = T{"Он выполнится от вашего имени в этой организации.", "It is carried out in your name, in " +
		"this organization."}
	RefDry       = T{"С X-Dry-Run: 1 ничего не изменится.", "With X-Dry-Run: 1 nothing is changed."}
	RefMissing   = T{"нужно заполнить", "is required"}
	RefASCII     = T{"только латинские буквы, цифры и знаки", "must be printable ASCII"}
	RefHeaders   = T{"Заголовки ответа", "Response headers"}
	RefEmpty     = T{"Тело пустое.", "The body is empty."}
	RefBinary    = T{"Файл %s, %s: показать нельзя.", "A file of type %s, %s: it cannot be shown."}
	RefEnded     = T{"Показано то, что пришло за %s.", "This is what arrived within %s."}
	RefCommands  = T{"Этот же запрос из программы", "The same request from a program"}
	RefKey       = T{"Вместо %s подставьте секрет ключа.", "Replace %s with the secret of a key."}
	RefOnlyGet   = T{"Отсюда отправляется только GET.", "Only GET is sent from here."}
	RefSecretWhy = T{"Отсюда не отправляется: в запросе или в ответе есть секрет, а ему нечего делать на этой " +
		"странице.", "It is not sent from here: its request or response contains a secret, which has no business " +
		"on this page."}
	RefDraftWhy = T{"Отсюда не отправляется: черновик подтверждает человек на странице этого черновика, где " +
		"видно, что будет записано.", "It is not sent from here: a person confirms a draft on its own page, which " +
		"shows what would be written."}
)

// RefSections are the names of the reference's sections in Russian; in English they are those of the document.
var RefSections = map[string]string{
	"Invitations": "Приглашения", "Caller": "Вы и ваш вход", "API keys": "Ключи API", "Members": "Сотрудники",
	"Agents": "Агенты", "Analysis": "Анализ", "Organizations": "Организации", "Sessions": "Диалоги",
	"Drafts": "Черновики", "Results": "Таблицы", "Tools": "Инструменты", "Connectors": "Коннекторы",
	"Connections": "Подключения", "OpenAI": "Формат OpenAI",
}
