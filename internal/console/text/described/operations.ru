Without it, a key reads only what it created itself.
	Без него ключ читает только то, что создал сам.
A measure that others use is not deleted (409); the message names them.
	Показатель, которым пользуются другие, не удаляется (409); в сообщении сказано, какие.
Accept an invitation
	Принять приглашение
Accept an invitation by its token
	Принять приглашение по токену
Add one-time codes of an app
	Добавить одноразовые коды из приложения
Add the passkey that your device made
	Добавить ключ входа, созданный вашим устройством
An internal error. The server's log has the details.
	Внутренняя ошибка. Подробности — в журнале сервера.
Answer a query
	Ответить на запрос к данным
Ask for a passkey that proves who you are
	Запросить ключ входа, который подтвердит вашу личность
Call the external system's API
	Обратиться к API внешней системы
Cancel a running turn
	Остановить выполнение
Change a member's role
	Изменить роль сотрудника
Choose JSON, CSV or XLSX with format or Accept, or a chart of it with format=svg: files in the blocks of an answer are such paths. A result never changes, so its ETag stays valid.
	Выберите JSON, CSV или XLSX через format или Accept, или рисунок через format=svg: такие пути стоят в поле files блоков ответа. Таблица никогда не меняется, поэтому её ETag действует всегда.
Choose your home organization
	Выбрать основную организацию
Confirm a draft
	Подтвердить черновик
Confirm the app with its first code
	Подтвердить приложение его первым кодом
Connect an account
	Подключить аккаунт
Create a chat completion
	Получить ответ чата
Create a draft that reverses another
	Создать черновик, который отменяет другой
Create a response
	Создать ответ
Create a user token
	Создать токен пользователя
Create an API key
	Создать ключ API
Create an agent
	Создать агента
Create an organization and become its owner
	Создать организацию и стать её владельцем
Create embeddings
	Получить эмбеддинги
Creates a draft that reverses what was written. It needs a confirmation like any other draft.
	Создаёт черновик, который отменяет записанное. Его нужно подтвердить, как любой другой.
Creates a new key with the same name, scopes and allowed addresses. The old key keeps working for the overlap, so you can replace it without downtime. The secret is shown only once.
	Создаёт новый ключ с тем же названием, правами и адресами. Старый ключ ещё работает заданное время, чтобы замена прошла без перерыва. Секрет показывается один раз.
Creates a new version. Nothing is sent to the external system.
	Создаёт новую версию. Во внешнюю систему ничего не отправляется.
Decline an invitation
	Отклонить приглашение
Decline an invitation by its token
	Отклонить приглашение по токену
Define or change an own measure
	Задать или изменить свой показатель
Delete a connection
	Удалить подключение
Delete a response
	Удалить ответ
Delete a saved report
	Удалить сохранённый отчёт
Delete a session
	Удалить диалог
Delete an agent
	Удалить агента
Delete an own measure
	Удалить свой показатель
Deletes the stored credential too.
	Удаляет и сохранённый токен.
Destroys the key that encrypts the organization's messages, results and drafts, so nothing can read them again; unfinished tasks are cancelled. Members, keys, settings and the audit log remain. Only for owners, with a recent proof of who you are, and only where the installation encrypts stored data.
	Уничтожает ключ, которым зашифрованы сообщения, таблицы и черновики организации: прочитать их больше нельзя. Незаконченные задачи отменяются. Сотрудники, ключи, настройки и журнал действий остаются. Только для владельцев, после недавней проверки личности, и только если на сервере включено шифрование данных.
Edit a draft
	Изменить черновик
End a member's token for the organization
	Прекратить действие токена сотрудника в организации
Ends all your sign-ins, also that of this request unless others is set. It takes effect within a second.
	Завершает все ваши входы, а без others — и вход этого запроса. Действует в течение секунды.
Ends your other sign-ins and unused sign-in links. Requires a sign-in whose person proved who they are within the last 15 minutes.
	Завершает остальные ваши входы и гасит неиспользованные ссылки для входа. Нужен вход, в котором личность подтверждена за последние 15 минут.
Ends your own membership and revokes the keys that you created. The last owner cannot leave.
	Прекращает ваше участие и отзывает созданные вами ключи. Последний владелец уйти не может.
Erase an organization's data, for good
	Стереть данные организации навсегда
Erase yourself
	Стереть себя
Everyone in the organization sees it on the start page of the console. Call the tool with the arguments to have its figures. A report whose period moves with the calendar is always about, say, the last 30 days.
	Его видят все в организации на главной странице. Чтобы получить цифры, вызовите инструмент с этими аргументами. Отчёт с подвижным периодом всегда охватывает, скажем, последние 30 дней.
Execute a connector operation
	Выполнить операцию коннектора
Execute a tool
	Вызвать инструмент
Export the audit log
	Выгрузить журнал действий
For what needs a recent proof: changing how you sign in, creating tokens, and confirming drafts above the organization's threshold. Requires a sign-in, not a token.
	Нужно там, где требуется недавняя проверка личности: изменить способ входа, создать токен, подтвердить черновик выше порога организации. Требует входа, а не токена.
Formulas over the measures of the catalogue, which every query of the organization may use.
	Формулы над показателями каталога, которыми может пользоваться любой запрос организации.
From now on the device signs you in without a password or code. You have at most 20 passkeys.
	С этого момента устройство впускает вас без пароля и кода. Ключей входа может быть не больше 20.
From now on, signing in with a password or a link asks for a code. The response contains recovery codes, each of which works once.
	С этого момента вход по паролю или ссылке требует кода. В ответе — коды восстановления; каждый действует один раз.
Get a connection
	Получить подключение
Get a connector
	Получить коннектор
Get a draft as JSON, CSV or XLSX
	Получить черновик в JSON, CSV или XLSX
Get a message with its answer, results and drafts
	Получить сообщение с ответом, таблицами и черновиками
Get a model
	Получить модель
Get a response
	Получить ответ
Get a result as JSON, CSV or XLSX
	Получить таблицу в JSON, CSV или XLSX
Get a saved report
	Получить сохранённый отчёт
Get a session
	Получить диалог
Get a tool
	Получить инструмент
Get an API key
	Получить ключ API
Get an agent
	Получить агента
Get an organization
	Получить организацию
Get an own measure
	Получить свой показатель
Get organization settings
	Получить настройки организации
Get the caller, its organization and scopes
	Узнать, кто вызывает: организация и права
Get the catalogue of measures and dimensions
	Получить каталог показателей и измерений
Get the ways in which you can sign in
	Узнать, какими способами вы можете войти
Get usage by day and actor
	Получить расход по дням и исполнителям
Give the agent a task
	Дать агенту задачу
Invite a person
	Пригласить человека
It can no longer be continued. The session of an agent's answer stays.
	Продолжить его больше нельзя. Диалог с ответом агента остаётся.
Leave an organization
	Уйти из организации
Let your device make a passkey
	Попросить устройство создать ключ входа
List API keys
	Список ключей API
List a session's messages
	Список сообщений диалога
List agents
	Список агентов
List an organization's agents
	Список агентов организации
List an organization's own measures
	Список своих показателей организации
List audit log entries
	Записи журнала действий
List connections
	Список подключений
List connectors
	Список коннекторов
List drafts
	Список черновиков
List members
	Список сотрудников
List members' tokens that act in the organization
	Токены сотрудников, действующие в организации
List models
	Список моделей
List pending invitations
	Список ожидающих приглашений
List saved reports
	Список сохранённых отчётов
List sessions
	Список диалогов
List the invitations to you
	Список приглашений для вас
List the latest requests to the API
	Последние запросы к API
List the organizations you belong to
	Список ваших организаций
List tools
	Список инструментов
List unused scopes and keys about to expire
	Неиспользуемые права и ключи с истекающим сроком
List your accounts at OpenID providers
	Ваши аккаунты у поставщиков OpenID
List your own user tokens
	Список ваших токенов
List your passkeys
	Список ваших ключей входа
List your sign-ins
	Список ваших входов
Measures by dimensions, filtered, compared, ordered and cut; see the catalogue. The answer is that of the connector's analysis tool: a table with totals, and a sentence that names what was applied.
	Показатели по измерениям: с условиями, сравнением, порядком и ограничением; см. каталог. Ответ — от инструмента анализа: таблица с итогами и предложение о том, что применено.
Oldest entry first, one JSON object a line. Continue with after, the seq of the last entry that you have.
	Сначала старые, по одному объекту JSON в строке. Продолжайте с after — seq последней записи, которая у вас есть.
Pass the version that the person saw; if the draft has changed since, the request fails with 409 DRAFT_CHANGED. The underlying data is read again before anything is written. If it changed, the document is not sent and the response lists the changes. Only people can confirm, unless the organization turned on keys_may_confirm.
	Передайте версию, которую видел человек; если черновик с тех пор изменился, вернётся 409 DRAFT_CHANGED. Перед записью исходные данные читаются заново. Если они изменились, документ не отправляется, а в ответе перечислено, что изменилось. Подтверждают только люди, если организация не включила keys_may_confirm.
Passes a request to the external system's own API. Stockhand adds the stored credential, request limits, compression and retries. Status, content type and body are returned unchanged. Only GET is allowed unless gateway_writes is on for the connection. Slashes in path may be escaped as %2F.
	Передаёт запрос в API внешней системы. Stockhand добавляет сохранённый токен, соблюдает лимиты, сжимает и повторяет. Статус, тип и тело возвращаются без изменений. Разрешён только GET, если для подключения не включены gateway_writes. Косую черту в path можно передать как %2F.
Prove again who you are
	Подтвердить личность ещё раз
Re-verify a connection
	Проверить подключение заново
Reject a draft
	Отклонить черновик
Remove a member
	Удалить сотрудника
Remove a passkey
	Удалить ключ входа
Remove the one-time codes
	Отключить одноразовые коды
Removes your name and email everywhere, your memberships, keys and everything by which you sign in. Records keep your id. Not for the last owner of an organization. Requires a recent proof of who you are.
	Удаляет ваше имя и почту отовсюду, ваше участие в организациях, ключи и все способы входа. В записях остаётся ваш идентификатор. Не для последнего владельца организации. Нужна недавняя проверка личности.
Rename a saved report
	Переименовать сохранённый отчёт
Rename a session
	Переименовать диалог
Rename an organization
	Переименовать организацию
Renames a connection, replaces its token, or turns gateway writes on or off.
	Переименовывает подключение, меняет его токен, включает или выключает запись через шлюз.
Replace your recovery codes
	Заменить коды восстановления
Requests that name no organization in X-Org-Id go to your home organization. It is the first one that you joined until you choose another. Requires a user token that is not bound to an organization.
	Запросы без X-Org-Id относятся к вашей основной организации. Пока вы не выбрали другую, это та, в которую вы вступили первой. Нужен токен пользователя, не привязанный к организации.
Responses are kept for 30 days, or as long as sessions if that is shorter, unless store is false.
	Ответы хранятся 30 дней, или столько же, сколько диалоги, если это меньше; со store: false не хранятся.
Returns 202 at once. Follow the turn with GET /sessions/{session_id}/messages/{message_id}/stream, or pass wait to get the finished message in this response (200). Turns of one session run one after another. If several accounts are connected, name one in the task or in connection_id.
	Сразу возвращает 202. Следите за выполнением через GET /sessions/{session_id}/messages/{message_id}/stream или передайте wait, чтобы получить готовое сообщение в этом ответе (200). Задачи одного диалога выполняются по очереди. Если подключено несколько аккаунтов, назовите один в задаче или в connection_id.
Returns the answer with its tool calls, results and drafts. While the turn is still running, only its state and URLs are returned.
	Возвращает ответ с вызовами инструментов, таблицами и черновиками. Пока он не готов — только состояние и адреса.
Revoke a user token
	Отозвать токен пользователя
Revoke an API key
	Отозвать ключ API
Revoke an invitation
	Отозвать приглашение
Rotate an API key
	Заменить ключ API
Runs one tool with the same limits, log and notices as in a conversation. A read tool returns its result. A propose tool creates a draft that waits for a person.
	Вызывает один инструмент с теми же ограничениями, журналом и замечаниями, что и в диалоге. Читающий возвращает таблицу. Предлагающий создаёт черновик, который ждёт человека.
Save a report
	Сохранить отчёт
Secrets are never included; a key is identified by its prefix.
	Секретов здесь нет; ключ узнают по его началу.
Server-sent events. Each event's data is one JSON object of the schema Event. The stream starts with the first event of the turn, or after Last-Event-ID (or after), and ends after complete, error or cancelled. If the connection is lost, reconnect with the last id: no event is missed. A comment is sent every 15 seconds. Ignore event types that you do not know.
	События сервера. Данные каждого — один объект JSON по схеме Event. Поток начинается с первого события выполнения или после Last-Event-ID (или after) и кончается после complete, error или cancelled. Если связь прервалась, подключитесь с последним id: ни одно событие не потеряется. Каждые 15 секунд приходит комментарий. Незнакомые события пропускайте.
Set or change your password
	Задать или сменить пароль
Sign out everywhere
	Выйти везде
Sign out one browser
	Выйти в одном браузере
Stream a turn's events
	Следить за событиями выполнения
Takes a token, never a login and password. The token is verified with a request for the external system's organizations before anything is stored.
	Принимает токен и никогда — логин с паролем. Перед сохранением токен проверяется запросом списка юрлиц внешней системы.
The OpenAI Responses format, for the same models as createChatCompletion. A response that was stored can be continued with previous_response_id: an agent's in its session. A provider's model is asked in the chat format, with functions as its only tools.
	Формат OpenAI Responses, для тех же моделей, что и createChatCompletion. Сохранённый ответ можно продолжить через previous_response_id: ответ агента — в его диалоге. Модель поставщика спрашивают в формате чата, и инструменты у неё — только функции.
The OpenAI chat format. model is an agent (stockhand), or provider/model for a configured provider. Point any OpenAI client at this server's address followed by /v1. The body is at most 20 MiB.
	Формат чата OpenAI. model — агент (stockhand) или provider/model настроенного поставщика. Укажите любому клиенту OpenAI адрес этого сервера и /v1. Тело — не больше 20 МиБ.
The OpenAI embeddings format, passed through to a provider's model (provider/model).
	Формат эмбеддингов OpenAI; запрос передаётся модели поставщика (provider/model).
The arguments are validated against the operation's schema before any request is sent. Operations only read; anything that would write becomes a draft.
	До отправки аргументы проверяются по схеме операции. Операции только читают; всё, что записало бы, становится черновиком.
The caller belongs to several organizations and sent no X-Org-Id.
	Пользователь состоит в нескольких организациях и не передал X-Org-Id.
The external system did not answer.
	Внешняя система не ответила.
The measure may use other own ones. It is checked against the catalogue. An organization has at most 50 (409).
	Показатель может использовать другие свои. Он проверяется по каталогу. У организации их не больше 50 (409).
The next request with the key fails, and its unfinished runs are cancelled. Keys that it created are revoked with it unless tree is false.
	Следующий же запрос с ключом не пройдёт, а его незаконченные задачи отменяются. Созданные им ключи отзываются вместе с ним, если не передать tree: false.
The organization has no such resource.
	В организации такого нет.
The request body is not JSON, or is compressed.
	Тело запроса — не JSON или сжато.
The request body is too large.
	Тело запроса слишком большое.
The request is invalid; `errors` names the fields.
	Запрос неверный; в `errors` — какие поля.
The resource's state does not allow this. Nothing was changed.
	Состояние этого не позволяет. Ничего не изменилось.
The response contains secret. It is shown only once. Without scopes the key gets write:tools. A key expires after expires_in_days (1–365, default 90). A key that is created by another expires no later than that one.
	В ответе — secret. Он показывается один раз. Без scopes ключ получает write:tools. Срок — expires_in_days (1–365, обычно 90). Ключ, созданный другим ключом, действует не дольше него.
The response contains the secret. It holds after confirmSecondFactor.
	В ответе — секрет. Он начинает действовать после confirmSecondFactor.
The response contains the secret. It is shown only once.
	В ответе — секрет. Он показывается один раз.
The response contains the token as secret, once: give it to the person, who accepts with POST /invitations/accept and their own user token. It can be used once, by the user who has that email. The response does not depend on whether there is such a user.
	В ответе один раз — токен secret: передайте его человеку, который примет приглашение через POST /invitations/accept своим токеном. Действует один раз, для пользователя с этой почтой. Ответ не зависит от того, есть ли такой пользователь.
The response lists the keys that the person created. They are revoked, or transferred to you with keys=transfer.
	В ответе — ключи, которые создал этот человек. Они отзываются, а с keys=transfer переходят к вам.
The rows of the result were deleted after the organization's retention time.
	Строки таблицы удалены по сроку хранения организации.
The scope is missing, or the organization is not the caller's.
	Нет нужного права, или организация чужая.
The service cannot reach its database; Retry-After says when to retry.
	Нет связи с базой данных; когда повторить — в Retry-After.
The token is missing, malformed, unknown, expired or revoked.
	Токена нет, он неверный, неизвестный, просрочен или отозван.
The token no longer acts in this organization; one that acts in others goes on there. Only owners end the tokens of owners.
	Токен больше не действует в этой организации; если он действует в других, там он остаётся. Токены владельцев прекращают только владельцы.
The turn stops soon. Steps that already finished are kept.
	Выполнение скоро остановится. Законченные шаги остаются.
Tokens of members that act in this organization. Secrets are never included.
	Токены сотрудников, действующие в этой организации. Секретов здесь нет.
Too many requests; Retry-After says when to retry.
	Слишком много запросов; когда повторить — в Retry-After.
Unlink an account at an OpenID provider
	Отвязать аккаунт у поставщика OpenID
Update a connection
	Изменить подключение
Update an agent
	Изменить агента
Update organization settings
	Изменить настройки организации
Use it to check a token: the response has the organization, the scopes and the expiry.
	Проверьте так токен: в ответе — организация, права и срок.
What can be asked of the connected accounts, and what each measure may be broken down by. With a connection also the additional fields that its account's users added; otherwise what all accounts have. The organization's own measures are marked own.
	Что можно спросить о подключённых аккаунтах и по каким измерениям разбить каждый показатель. С подключением — и дополнительные поля, которые завели в аккаунте; иначе то, что есть у всех. Свои показатели организации отмечены own.
You become a member with the role that the invitation offers. Your other memberships and your home organization stay as they are. Requires a user token; the invitation must be for your email.
	Вы становитесь сотрудником с ролью из приглашения. Остальные ваши организации и основная остаются прежними. Нужен токен пользователя; приглашение должно быть на вашу почту.
You become its owner. Requires a user token: an API key belongs to one organization and cannot create others. Allowed only if the installation lets everyone create organizations.
	Вы становитесь её владельцем. Нужен токен пользователя: ключ API принадлежит одной организации и создавать другие не может. Разрешено, только если сервер позволяет создавать организации всем.
Your browser's navigator.credentials.create makes the passkey from the response; send what it returns to createPasskey within 5 minutes. Requires a sign-in whose person proved lately who they are.
	navigator.credentials.create в вашем браузере делает из ответа ключ входа; отправьте то, что он вернёт, в createPasskey в течение 5 минут. Нужен вход с недавней проверкой личности.
Your browser's navigator.credentials.get asks your device; send what it returns to confirmIdentity as passkey within 5 minutes.
	navigator.credentials.get в вашем браузере спрашивает устройство; отправьте то, что он вернёт, в confirmIdentity как passkey в течение 5 минут.
Your own; those of others need write:tools.
	Свои; для чужих нужно write:tools.
Export a conversation up to a turn as a cassette
	Выгрузить диалог до этого ответа как кассету
What the turns asked accounts and models, and what they answered, without credentials, as stockhand replay plays it; see docs/replay.md. Only while the operator keeps the traffic of runs (STOCKHAND_TRAFFIC); otherwise 404, whose hint says what is kept. It holds raw data of the account.
	Что спрашивали у аккаунтов и моделей и что те ответили, без паролей и токенов, в виде для stockhand replay; см. docs/replay.md. Только пока оператор хранит обмен данными (STOCKHAND_TRAFFIC); иначе 404 с подсказкой, что хранится. Содержит исходные данные аккаунта.
