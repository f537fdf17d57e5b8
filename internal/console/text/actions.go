package text

// AuditActions are the actions of the audit log in words.
var AuditActions = map[string]T{
	"draft.created":   {"Черновик подготовлен", "A draft was proposed"},
	"draft.edited":    {"Черновик изменён", "A draft was changed"},
	"draft.approved":  {"Черновик одобрен первым человеком", "A first person approved a draft"},
	"draft.confirmed": {"Черновик подтверждён", "A draft was confirmed"},
	"draft.rejected":  {"Черновик отклонён", "A draft was rejected"},
	"run.exported":    {"Диалог выгружен кассетой", "A conversation was exported as a cassette"},
	"draft.read":      {"Черновики просмотрены", "Drafts were read"},

	"document.applying": {"Документ записывается", "A document is being written"},
	"document.applied":  {"Документ записан", "A document was written"},
	"document.failed":   {"Документ не записан", "A document could not be written"},
	"document.unknown":  {"Неизвестно, записан ли документ", "It is unknown whether a document was written"},
	"document.moved":    {"Документ перенесён в другой черновик", "A document moved to another draft"},
	"document.expired":  {"Срок документа истёк", "A document expired"},

	"token.created":  {"Токен человека создан", "A user token was created"},
	"token.revoked":  {"Токен человека отозван", "A user token was revoked"},
	"token.excluded": {"Токен человека больше не действует в организации", "A user token was shut out"},

	"person.signed_in":              {"Вход", "Sign-in"},
	"person.sign_in_refused":        {"Отказ во входе", "A sign-in was refused"},
	"person.signed_out":             {"Выход", "Sign-out"},
	"person.proved":                 {"Личность подтверждена ещё раз", "A person proved who they are"},
	"person.proof_refused":          {"Личность не подтверждена", "A proof of identity was refused"},
	"person.link_created":           {"Создана ссылка для входа", "A sign-in link was created"},
	"person.identity_linked":        {"Привязан внешний вход", "An external sign-in was linked"},
	"person.identity_removed":       {"Внешний вход отвязан", "An external sign-in was removed"},
	"person.email_proven":           {"Почта подтверждена", "An email address was proven"},
	"person.password_set":           {"Пароль задан", "A password was set"},
	"person.recovery_code_used":     {"Использован код восстановления", "A recovery code was used"},
	"person.recovery_codes_renewed": {"Коды восстановления заменены", "Recovery codes were renewed"},
	"person.second_factor_started":  {"Начато подключение второго фактора", "Adding a second factor began"},
	"person.second_factor_added":    {"Второй фактор подключён", "A second factor was added"},
	"person.second_factor_removed":  {"Второй фактор отключён", "A second factor was removed"},
	"person.passkey_asked":          {"Запрошен ключ входа", "A passkey was asked for"},
	"person.passkey_added":          {"Ключ входа добавлен", "A passkey was added"},
	"person.passkey_removed":        {"Ключ входа удалён", "A passkey was removed"},
	"person.disabled":               {"Человек отключён", "A person was disabled"},
	"person.enabled":                {"Человек включён", "A person was enabled"},
	"person.erased":                 {"Данные человека стёрты", "A person was erased"},

	"key.created":     {"Ключ API создан", "An API key was created"},
	"key.rotated":     {"Ключ API заменён", "An API key was replaced"},
	"key.revoked":     {"Ключ API отозван", "An API key was revoked"},
	"key.transferred": {"Ключ API передан другому человеку", "An API key was handed over"},

	"member.invited":      {"Сотрудник приглашён", "A member was invited"},
	"member.joined":       {"Сотрудник принял приглашение", "A member joined"},
	"member.added":        {"Сотрудник добавлен", "A member was added"},
	"member.changed":      {"Роль сотрудника изменена", "A member's role was changed"},
	"member.removed":      {"Сотрудник удалён", "A member was removed"},
	"member.left":         {"Сотрудник вышел из организации", "A member left"},
	"invitation.revoked":  {"Приглашение отозвано", "An invitation was revoked"},
	"invitation.declined": {"Приглашение отклонено", "An invitation was declined"},

	"organization.created": {"Организация создана", "The organization was created"},
	"organization.renamed": {"Организация переименована", "The organization was renamed"},
	"organization.erased":  {"Данные организации стёрты", "The organization was erased"},
	"setting.changed":      {"Настройка изменена", "A setting was changed"},
	"policy.changed":       {"Правило изменено", "A policy was changed"},
	"writes.stopped":       {"Запись остановлена", "Writing was stopped"},
	"writes.allowed":       {"Запись снова разрешена", "Writing was allowed again"},

	"connection.created":  {"Аккаунт подключён", "An account was connected"},
	"connection.changed":  {"Подключение изменено", "A connection was changed"},
	"connection.verified": {"Подключение проверено", "A connection was verified"},
	"connection.deleted":  {"Аккаунт отключён", "An account was disconnected"},
	"facts.cleared":       {"Сохранённые данные аккаунта очищены", "What was kept of an account was cleared"},

	"report.saved":   {"Отчёт сохранён", "A report was saved"},
	"report.renamed": {"Отчёт переименован", "A report was renamed"},
	"report.deleted": {"Отчёт удалён", "A report was deleted"},

	"agent.created":   {"Агент создан", "An agent was created"},
	"agent.changed":   {"Агент изменён", "An agent was changed"},
	"agent.deleted":   {"Агент удалён", "An agent was deleted"},
	"measure.changed": {"Свой показатель изменён", "An own measure was changed"},
	"measure.deleted": {"Свой показатель удалён", "An own measure was deleted"},

	"gateway.write":    {"Запись через шлюз", "A write through the gateway"},
	"gateway.answered": {"Ответ на запись через шлюз", "The answer to a write through the gateway"},
	"gateway.called":   {"Запрос через шлюз", "A request through the gateway"},
	"remote.called":    {"Данные отправлены на другой сервер", "Data was sent to another server"},

	"user.created":      {"Человек заведён", "A person was created"},
	"secrets.key_added": {"Добавлен ключ шифрования", "An encryption key was added"},
	"secrets.rotated":   {"Ключ шифрования заменён", "The encryption key was rotated"},
	"data.encrypted":    {"Данные зашифрованы", "Data was encrypted"},
	"audit.exported":    {"Журнал выгружен", "The log was exported"},
	"audit.read":        {"Журнал просмотрен", "The log was read"},

	"turn.started":     {"Задан вопрос", "A question was asked"},
	"turn.cancelled":   {"Ответ остановлен", "An answer was stopped"},
	"session.shared":   {"Изменено, виден ли диалог всем", "Sharing of a conversation changed"},
	"session.renamed":  {"Диалог переименован", "A conversation was renamed"},
	"session.deleted":  {"Диалог удалён", "A conversation was deleted"},
	"session.read":     {"Диалог просмотрен", "A conversation was read"},
	"response.deleted": {"Ответ удалён", "A response was deleted"},
	"home.changed":     {"Обзор изменён", "The start page was changed"},

	"tool.called":      {"Вызван инструмент", "A tool was called"},
	"tool.planned":     {"Рассчитан план вызова", "A call was planned"},
	"operation.called": {"Вызвана операция", "An operation was called"},
	"mcp.called":       {"Вызов по MCP", "A call over MCP"},
	"mcp.read":         {"Чтение по MCP", "A read over MCP"},
	"chat.called":      {"Обращение чат-программы", "A chat program called"},
	"result.read":      {"Таблица просмотрена", "A result was read"},
	"request.refused":  {"Запрос отклонён", "A request was refused"},
}

// OfAction returns an action of the audit log in words; of one that is not known, its name.
func OfAction(action string) T {
	if t, ok := AuditActions[action]; ok {
		return t
	}
	return T{action, action}
}
