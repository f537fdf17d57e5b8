(none): without one
	(none): без вида цены
10 to 200 characters, and not one that is tried first
	От 10 до 200 знаков, и не из тех, что пробуют первыми
A condition on a value includes the values below it
	Условие на значение включает и всё, что вложено в него
A decimal number; null if unknown
	Десятичное число; null, если неизвестно
A dimension or a measure
	Измерение или показатель
A label for people
	Название для людей
A label for people; by default the name of the first legal entity
	Название для людей; если не задано — название первого юрлица
A measure or dimension of the query
	Показатель или измерение запроса
A new token of the same employee of the same account
	Новый токен того же сотрудника того же аккаунта
A person confirms only within 15 minutes after proving who they are if the draft's supplier orders together exceed this; null for never
	Человек подтверждает только в течение 15 минут после проверки личности, если заказы поставщикам в черновике вместе больше этой суммы; null — никогда не требуется
A tool that reads
	Инструмент, который только читает
A user's role in the organization
	Роль пользователя в организации
Above this, new tasks are refused with 409 QUOTA_EXCEEDED; null for no limit
	Выше этого новые задачи отклоняются с 409 QUOTA_EXCEEDED; null — без ограничения
Add each row's percentage of the total
	Добавить долю каждой строки в итоге, в процентах
Add the running percentage of the total
	Добавить накопленную долю в итоге, в процентах
Added to the built-in instructions; they never replace them
	Дополняют встроенные указания и никогда не заменяют их
Addresses or CIDR ranges that may use the key; by default any
	Адреса или диапазоны CIDR, с которых можно пользоваться ключом; если не задано — с любых
After how many days entries of the audit log are removed, except those that a stream has not sent
	Через сколько дней удаляются записи журнала действий, кроме ещё не отправленных потоком
After how many days the rows of a result are deleted. The message keeps the answer and the totals
	Через сколько дней удаляются строки таблицы. Ответ и итоги остаются в сообщении
All of them must hold
	Должны выполняться все
All retention times, in place of the present ones; null is the installation's, or for good. Only a person can change them
	Все сроки хранения, вместо нынешних; null — срок установки или бессрочно. Меняет только человек
All rules, in place of the present ones. Only a person can change them
	Все правила, вместо нынешних. Меняет только человек
An agent (`stockhand`) or `provider/model`
	Агент (`stockhand`) или `provider/model`
An employee token of the external system; encrypted, and never returned. For an MCP server its bearer token, if it needs one
	Токен сотрудника внешней системы; хранится зашифрованным и никогда не возвращается. Для сервера MCP — его токен, если нужен
As in POST /tools/{name}/execute
	Как в POST /tools/{name}/execute
As the external system's role settings name it
	Как называется в настройках роли внешней системы
As they were saved
	Как были сохранены
By day and actor; days without usage are omitted
	По дням и исполнителям; дни без расхода пропущены
By default desc for measures and asc for dimensions
	Если не задано: desc для показателей и asc для измерений
By default it follows from the formula; percent shows a ratio as a percentage
	Если не задано, следует из формулы; percent показывает отношение в процентах
By default the first measure, greatest first; time in its order
	Если не задано: по первому показателю, сначала большие; время — по порядку
Bytes of results as stored
	Размер хранимых таблиц в байтах
Cells by column name: a string, a money object, or null if unknown
	Ячейки по названиям столбцов: текст, сумма с валютой или null, если неизвестно
Chosen by that organization; show it as plain text
	Задано той организацией; показывайте как простой текст
Columns of the result for the required arguments only
	Столбцы ответа, если заданы только обязательные параметры
Continue the conversation of this response
	Продолжить диалог этого ответа
Continue this session
	Продолжить этот диалог
Counts from 1 without gaps
	Нумерация с 1 без пропусков
Data that the employee cannot see; answers that need it say so
	Данные, которых сотрудник не видит; ответы, которым они нужны, говорят об этом
Dimensions from the catalogue; none for a single row
	Измерения из каталога; без них — одна строка
Drafts, also those that are applied, rejected or expired
	Черновики, включая записанные, отклонённые и просроченные
Earlier if it is not used
	Раньше, если им не пользуются
Empty for a tool that works on stored results
	Пусто для инструмента, который работает с сохранёнными таблицами
First day of the other period, instead of with
	Первый день другого периода, вместо with
First day; by default 30 days up to and including the last
	Первый день; если не задан — 30 дней до последнего включительно
For an MCP server: its address, such as https://mcp.example.com/mcp
	Для сервера MCP: его адрес, например https://mcp.example.com/mcp
For parseCreationOptionsFromJSON or parseRequestOptionsFromJSON of PublicKeyCredential
	Для parseCreationOptionsFromJSON или parseRequestOptionsFromJSON в PublicKeyCredential
Groups of consecutive rows that are tables of their own, such as the lines and the payments of a document
	Группы идущих подряд строк, каждая — отдельная таблица: например, позиции и оплаты документа
How a computed figure follows from those that were read
	Как вычисленная цифра следует из прочитанных
How it is computed, in words
	Как это посчитано, словами
How long the old key keeps working
	Сколько ещё работает старый ключ
How long the organization keeps what it stores; null is for good
	Сколько организация хранит то, что сохраняет; null — бессрочно
How many accounts at OpenID providers are linked to you
	Сколько аккаунтов у поставщиков OpenID связано с вами
How many are left
	Сколько осталось
How many days a request with an Idempotency-Key gets its first response again; 1 by default
	Сколько дней запрос с Idempotency-Key получает свой первый ответ; если не задано — 1
How many days after its creation an API key works at most, also one that exists; 0 for no limit. Only a person can change it
	Сколько дней после создания ключ API работает самое большее, в том числе уже созданный; 0 — без ограничения. Меняет только человек
How many days after its creation an API key works at most; 0 for no limit
	Сколько дней после создания ключ API работает самое большее; 0 — без ограничения
How many days after its last message a session is deleted
	Через сколько дней после последнего сообщения удаляется диалог
How many you have
	Сколько их у вас
How much of the limits a request uses
	Какую часть ограничений расходует запрос
Identifies the external account; names do not
	Определяет внешний аккаунт; названия этого не делают
In a dry run, one for each document
	В пробном запуске — по одному на документ
In base 32, for typing it into the app
	В base 32, чтобы ввести в приложение вручную
In characters of the text
	В знаках текста
In main units: a decimal string, or the money object as it was read
	В основных единицах: десятичное число строкой или сумма с валютой, как она прочитана
In the goods' own unit
	В единицах самого товара
Instead of both: your device's answer to POST /me/step-up/passkey
	Вместо того и другого: ответ вашего устройства на POST /me/step-up/passkey
It acts in this organization only
	Действует только в этой организации
It is the sign-in of this request
	Это вход этого запроса
Keep the period of the arguments. By default one that people mean by the calendar, such as the last 30 days or this month, moves with it
	Сохранить период аргументов как есть. Иначе период, который понимают по календарю, — последние 30 дней, этот месяц — движется вместе с ним
Keys only: the beginning of the secret
	Только для ключей: начало секрета
Keys that expire within 14 days, soonest first
	Ключи, срок которых истекает в ближайшие 14 дней, сначала ближайшие
Keys with scopes that were not used in the last 30 days
	Ключи с правами, которыми не пользовались последние 30 дней
Known pitfalls of the external system's API
	Известные ловушки API внешней системы
Largest change of a price up or down, in percent; null for no limit
	Наибольшее изменение цены вверх или вниз, в процентах; null — без ограничения
Largest total of one supplier order; null for no limit
	Наибольшая сумма одного заказа поставщику; null — без ограничения
Last day of the other period, included
	Последний день другого периода, включительно
Last day, included; by default today
	Последний день, включительно; если не задан — сегодня
Leave the document out
	Исключить документ
Leave the line out
	Исключить строку
Lifetime in days of 24 hours
	Срок действия в днях по 24 часа
Lifetime in days of 24 hours; 365 by default. A token ends no later than the one that creates it
	Срок действия в днях по 24 часа; если не задан — 365. Токен действует не дольше того, который его создал
Limits on requests to the external system
	Ограничения на запросы к внешней системе
Lines that change; the others stay
	Строки, которые меняются; остальные остаются
May be empty
	Может быть пусто
May be empty for a user
	Для пользователя может быть пусто
Measures of your own for this query; each may use those before it
	Ваши показатели для этого запроса; каждый может использовать те, что перед ним
Measures, numbers, + - * / and brackets; 40% counts as 0.4, and division by zero is unknown
	Показатели, числа, + - * / и скобки; 40% — это 0.4, деление на ноль даёт «неизвестно»
Measures, own ones among them, numbers, + - * / and brackets; division by zero is unknown
	Показатели, в том числе свои, числа, + - * / и скобки; деление на ноль даёт «неизвестно»
Messages of all sessions
	Сообщения всех диалогов
Names from the catalogue
	Имена из каталога
Names of the tools it may call; all if empty or omitted
	Имена инструментов, которые ему доступны; все, если пусто или не задано
Names or IDs; numbers for a measure
	Названия или идентификаторы; для показателя — числа
No price becomes lower than the cost
	Ни одна цена не становится ниже себестоимости
Null for never
	null — никогда
Null for the built-in agent
	Для встроенного агента — null
Null if never used
	null, если не использовался
Null unless revoked
	null, если не отозван
Of an error
	Об ошибке
Of models, at the prices that are set; null if none has a price
	Моделей, по заданным ценам; null, если цены не заданы
Of the agent's answer: the message that it answers
	В ответе агента: сообщение, на которое он отвечает
Of the column, in Russian, English or both
	Столбца, по-русски, по-английски или на обоих языках
Of the column; by default the name
	Столбца; если не задано — имя
Of the input tokens: read from a provider's cache
	Из входных токенов: прочитаны из кэша поставщика
Of your app, or a recovery code: required if you have a second factor
	Из вашего приложения или код восстановления: обязателен, если включён второй шаг входа
One of GET /agents; by default the session's
	Один из GET /agents; если не задан — агент диалога
One of GET /connectors
	Один из GET /connectors
One of GET /connectors/{key}
	Одна из GET /connectors/{key}
One of your organizations: your requests without X-Org-Id go there
	Одна из ваших организаций: туда идут ваши запросы без X-Org-Id
One or two sentences that answer the question
	Одно-два предложения, которые отвечают на вопрос
One-time codes of an app
	Одноразовые коды из приложения
Only a person can turn this on. Every change is in the audit log
	Включает только человек. Каждое изменение — в журнале действий
Only in the response that started the turn
	Только в ответе, который начал выполнение
Only owners can make someone an owner or change an owner's role
	Только владельцы назначают владельцев и меняют их роль
Only owners invite owners; API keys invite viewers only
	Владельцев приглашают только владельцы; ключи API приглашают только наблюдателей
Only these documents; by default all pending ones
	Только эти документы; если не задано — все ожидающие
Read everything from the account again, nothing from what is kept
	Прочитать всё из аккаунта заново, ничего не брать из сохранённого
Remarks that readers of the data must see
	Замечания, которые должен увидеть читатель данных
Remarks that readers of the figures must see
	Замечания, которые должен увидеть читатель цифр
Required if you have a password
	Обязательно, если у вас есть пароль
Required otherwise
	Иначе обязательно
Rights that the connection's employee needs, named as in the external system's role settings
	Права, нужные сотруднику подключения, под названиями из настроек роли внешней системы
Rows to return; 0 for all. Totals cover all rows anyway
	Сколько строк вернуть; 0 — все. Итоги в любом случае по всем строкам
Rows for each value of the dimensions before the last; 0 for all. Totals cover all rows anyway
	Сколько строк на каждое значение измерений перед последним; 0 — все. Итоги в любом случае по всем строкам
Rows to skip
	Сколько строк пропустить
See the operation's parameters
	См. параметры операции
See the tool's parameters
	См. параметры инструмента
Send it as agent_id, or as model on OpenAI paths
	Передавайте как agent_id, а по адресам OpenAI — как model
Sessions, also those of direct calls
	Диалоги, включая прямые вызовы
Shown only once
	Показывается один раз
Stop all writes to external systems at once, or allow them again. Only a person can change it
	Сразу остановить запись во внешние системы или снова разрешить её. Меняет только человек
The IANA name of the zone that people are shown times in; empty for that of the accounts
	Часовой пояс IANA, в котором люди видят время; пусто — пояс аккаунтов
The IP address that it began from
	Адрес IP, с которого он начат
The User-Agent header of the request that began it
	Заголовок User-Agent запроса, который его начал
The account it is about; null until known
	Аккаунт, к которому относится; null, пока неизвестен
The account that it is about
	Аккаунт, к которому относится
The account that the request named
	Аккаунт, названный в запросе
The account, if several are connected
	Аккаунт, если подключено несколько
The account; optional if only one is connected
	Аккаунт; необязателен, если подключён один
The actor who changed it last
	Кто изменил последним
The actor who saved it
	Кто сохранил
The actor whose turn created it
	Чей вопрос его создал
The addresses that may use it; absent if any may
	Адреса, с которых им можно пользоваться; нет, если с любых
The answer's language; by default that of Accept-Language
	Язык ответа; если не задан — из Accept-Language
The answer's language; by default the task's
	Язык ответа; если не задан — язык задачи
The arguments, as a JSON Schema
	Аргументы, как JSON Schema
The beginning of the secret, to identify the key
	Начало секрета, чтобы узнать ключ
The beginning of the secret, to identify the token
	Начало секрета, чтобы узнать токен
The caller's role; absent for a key
	Роль вызывающего; для ключа её нет
The checked figures of a model's text, in order
	Проверенные цифры в тексте модели, по порядку
The checks, in their order
	Проверки, по порядку
The connections it may use: all accounts, and no MCP server, if empty or omitted
	Доступные ему подключения: если пусто или не задано — все аккаунты и ни одного сервера MCP
The connections it may use; empty for all accounts and no MCP server
	Доступные ему подключения; пусто — все аккаунты и ни одного сервера MCP
The connections, agents and tools that it is bound to; absent if to none
	Подключения, агенты и инструменты, к которым он привязан; нет, если ни к каким
The connections, agents and tools that the key is bound to; absent if to none
	Подключения, агенты и инструменты, к которым привязан ключ; нет, если ни к каким
The cursor of the next page; null on the last page
	Указатель следующей страницы; на последней — null
The device may copy it to your other devices
	Устройство может перенести его на другие ваши устройства
The document in the external system: its type and ID
	Документ во внешней системе: его тип и идентификатор
The draft that this one reverses
	Черновик, который этот отменяет
The draft's version
	Версия черновика
The exact requests that would be sent; amounts in them are in the units of the external system
	Запросы ровно в том виде, в каком ушли бы; суммы в них — в единицах внешней системы
The external system's unchanged answer: amounts in minor units, times in its own time zone
	Ответ внешней системы без изменений: суммы в копейках, время — в её часовом поясе
The first day (UTC)
	Первый день (UTC)
The index of the row in the result; absent for a total
	Номер строки таблицы; для итога его нет
The invitation's token for the invited person, shown only once: absent when an Idempotency-Key is replayed
	Токен приглашения для приглашённого, показывается один раз: при повторе с Idempotency-Key его нет
The invitation's token, sk-inv-…
	Токен приглашения, sk-inv-…
The key or the person
	Ключ или человек
The key that created it; absent if a person did
	Ключ, который его создал; нет, если создал человек
The key that it replaced, if it was created by rotation
	Ключ, который он сменил, если создан заменой
The key's scopes; by default write:tools
	Права ключа; если не заданы — write:tools
The keys that it created and that were revoked with it
	Ключи, которые он создал и которые отозваны вместе с ним
The keys that the person created and that were still valid
	Ключи, созданные этим человеком и ещё действовавшие
The language of a tool's answer; by default that of Accept-Language
	Язык ответа инструмента; если не задан — из Accept-Language
The language that the request asked for
	Язык, которого просил запрос
The last day (UTC), included
	Последний день (UTC), включительно
The last user message is the task; earlier messages are its history
	Последнее сообщение пользователя — задача, прежние — её история
The name of the actor, as in the audit log
	Имя исполнителя, как в журнале действий
The name of the first legal entity; two accounts may share it
	Название первого юрлица; у двух аккаунтов оно может совпадать
The number of all rows
	Сколько всего строк
The number of all rows; rows has the first ones. GET /results/{id} returns all
	Сколько всего строк; в rows — первые. GET /results/{id} возвращает все
The only agents that it may give tasks to; it calls no tool directly then
	Единственные агенты, которым он может давать задачи; сам инструменты тогда не вызывает
The only connections that the key may use
	Единственные подключения, доступные ключу
The only organization that it acts in; null for all of yours
	Единственная организация, в которой он действует; null — все ваши
The only organization that the token acts in; all of yours by default
	Единственная организация, в которой действует токен; если не задана — все ваши
The only tools that it may call, also through an agent
	Единственные инструменты, которые он может вызывать, в том числе через агента
The operations of POST /connectors/{key}/execute
	Операции для POST /connectors/{key}/execute
The organization defined it
	Задан организацией
The organization of the request; null if you belong to none, or named none and have no home organization
	Организация запроса; null, если вы ни в одной не состоите или не назвали её и основной нет
The organization's own measures that do not fit and cannot be used
	Свои показатели организации, которые не подходят и не могут использоваться
The owner of the token, whose rights apply
	Владелец токена, чьи права действуют
The page on which the person accepts, also without an account. It contains the secret
	Страница, на которой приглашённый принимает приглашение, даже без учётной записи. В адресе — секрет
The period to compare with
	С каким периодом сравнить
The person's address. The answer is the same whether or not it belongs to a user
	Адрес человека. Ответ один и тот же, есть такой пользователь или нет
The pitfalls that apply to a raw operation; tools avoid them
	Ловушки прямой операции; инструменты их обходят
The previous entry's hash; empty for the first
	Хеш предыдущей записи; у первой пусто
The provider's ID of you
	Ваш идентификатор у поставщика
The provider's address
	Адрес поставщика
The rights in the external system that it is computed with; with a connection, whether its employee has them
	Права во внешней системе, с которыми он считается; при заданном подключении — есть ли они у его сотрудника
The same for a QR code
	То же для кода QR
The same for user tokens in this organization
	То же для токенов пользователей в этой организации
The same for user tokens in this organization, yours included
	То же для токенов пользователей в этой организации, включая ваши
The session to continue; omit it to start a new one
	Диалог, который продолжить; без него начинается новый
The settings of a connection
	Настройки подключения
The task, in plain Russian or English; at most 8 KiB
	Задача обычными словами, по-русски или по-английски; не больше 8 КиБ
The task, or a list of items of the conversation
	Задача или список частей диалога
The tools it may call; empty for all
	Инструменты, которые ему доступны; пусто — все
The version that the person saw
	Версия, которую видел человек
The whole key, shown only once: absent when an Idempotency-Key is replayed
	Ключ целиком, показывается один раз: при повторе с Idempotency-Key его нет
The whole token, shown only once: absent when an Idempotency-Key is replayed
	Токен целиком, показывается один раз: при повторе с Idempotency-Key его нет
Those who proposed or edited a draft do not confirm it
	Кто предложил или менял черновик, сам его не подтверждает
To the minute
	С точностью до минуты
To the minute, in any organization; null if never used
	С точностью до минуты, в любой организации; null, если не использовался
To the minute; null if never used
	С точностью до минуты; null, если не использовался
To use in measures, where and order
	Для measures, where и order
To use in queries like any measure of the catalogue
	Для запросов, как любой показатель каталога
Totals by column name; null if no column has a total
	Итоги по названиям столбцов; null, если итогов нет
Totals per actor, highest usage first
	Итоги по исполнителям, сначала самый большой расход
True for the built-in agent, which cannot be changed
	true у встроенного агента, которого нельзя изменить
Two people confirm if the draft's supplier orders together exceed this; null for never
	Подтверждают двое, если заказы поставщикам в черновике вместе больше этой суммы; null — никогда
Two people confirm larger changes of a price, in percent; null for never
	Подтверждают двое, если цена меняется больше, в процентах; null — никогда
Unfinished runs of these keys, which were cancelled
	Незаконченные задачи этих ключей: они отменены
Unique in the organization
	Уникально в организации
Until the turn is finished: its event stream
	Пока не закончено: поток событий
Until the turn is finished: where its message will be
	Пока не закончено: где будет сообщение
Users only
	Только для пользователей
What a confirmation requires. Amounts are in the currency of the account
	Что требуется для подтверждения. Суммы — в валюте аккаунта
What is easily misunderstood
	Что легко понять неправильно
What it may be broken down by and filtered with
	По чему его можно разбить и отобрать
What its values are, if not texts or objects
	Какие у него значения, если не тексты и не объекты
What people call it
	Как его называют
What people call it, without endings where these vary
	Как его называют; изменяемые окончания можно опустить
What the agent should know, a note in a line. Models read it with every task
	Что должен знать агент, по одной заметке в строке. Модели читают их с каждой задачей
What the agent should know, a note in a line. Only an owner or admin in person can change it
	Что должен знать агент, по одной заметке в строке. Меняет только владелец или администратор лично
What the app shows now
	Что сейчас показывает приложение
What the organization stores now
	Что сейчас хранит организация
When it was linked
	Когда связан
When nothing is confirmed; null for never
	Когда ничего не подтверждается; null — никогда
When the external system last accepted the token
	Когда внешняя система последний раз приняла токен
When the token of this request expires; null for never
	Когда истекает токен этого запроса; null — никогда
When they became a member
	Когда стал сотрудником
When you last proved who you are
	Когда вы последний раз подтвердили личность
Where the work on the turn stands
	На каком этапе выполнение
Whether API keys may confirm drafts; only a person can turn this on
	Могут ли ключи API подтверждать черновики; включает только человек
Whether API keys work only if they have allowed_ips
	Работают ли ключи API, только если у них есть allowed_ips
Whether API keys work only if they have allowed_ips. Only a person can change it
	Работают ли ключи API, только если у них есть allowed_ips. Меняет только человек
Whether it would be sent
	Было бы отправлено
Whether its period moves with the calendar
	Движется ли период вместе с календарём
Whether the caller's requests without X-Org-Id go there
	Идут ли туда запросы без X-Org-Id
Whether the employee of the connection has it, sees part of the objects, or lacks it; absent if that is not known
	Есть ли оно у сотрудника подключения, видит ли он часть объектов, или его нет; отсутствует, если неизвестно
Whether the gateway allows writes
	Разрешает ли шлюз запись
Whether the gateway allows writes. Only a person who is owner or admin can change this
	Разрешает ли шлюз запись. Меняет только человек — владелец или администратор
Whether the operator stopped the whole installation; the organization cannot allow writes again then
	Остановил ли оператор запись на всём сервере; тогда организация не может снова её разрешить
Whether the rows were deleted after the organization's retention time; rows is empty then, and the totals remain
	Удалены ли строки по сроку хранения организации; rows тогда пуст, а итоги остаются
Whether these keys now belong to you; otherwise they are revoked
	Перешли ли эти ключи к вам; иначе они отозваны
Who confirmed first, where two people must; while pending, a second one is needed
	Кто подтвердил первым, если нужны двое; пока документ ожидает, нужен второй
Who stopped all writes; null if they are not stopped
	Кто остановил запись; null, если она не остановлена
Who wrote it; null for the agent
	Кто написал; null — агент
Why it does not fit the catalogue any more, so that queries cannot use it
	Почему он больше не подходит каталогу и не может использоваться
Why the check failed
	Почему проверка не прошла
Why the last verification failed; null if it did not
	Почему последняя проверка не прошла; null, если прошла
With a comparison: by how much the measure changed
	При сравнении: насколько изменился показатель
With compare: what the change of revenue or profit consists of
	С compare: из чего сложилось изменение выручки или прибыли
With limit: the cursor for the next rows; null on the last page
	С limit: указатель следующих строк; на последней странице — null
Your device's answer: toJSON() of the PublicKeyCredential
	Ответ вашего устройства: toJSON() от PublicKeyCredential
a list is rounded only with it
	список округляется, только если задано
a list, instead; suppliers: whom to order from
	список вместо отбора; suppliers — у кого заказать
a list; stores and from_stores then name one each
	список; тогда в stores и from_stores — по одному складу
an unknown one lists them
	на незнакомую ответит списком
customers or suppliers, by name or id
	покупатели или поставщики: название или идентификатор
default
	по умолчанию
default: the first measure, or time
	обычно: по первому показателю или по времени
direct: a single tool call
	direct — один вызов инструмента
from
	от
goods of a table
	товары из таблицы
goods, by name, code, article or id
	товары: название, код, артикул или идентификатор
groups of goods, by name, path or id; nested groups count in
	группы товаров: название, путь или идентификатор; вложенные входят
items from
	элементов от
items to
	элементов до
key:key_… or user:usr_…; null for the command line
	key:key_… или user:usr_…; null — командная строка
length from
	длина от
length to
	длина до
null if it was never used
	null, если не использовался
on dimensions or measures; all hold
	на измерения или показатели; должны выполняться все
one of
	одно из
own companies
	свои юрлица
own measures
	свои показатели
previous: the calendar unit or as many days before; last_year: the same days a year before
	previous — предыдущий календарный период или столько же дней раньше; last_year — те же дни годом раньше
raw returns the external system's own JSON; tool returns a finished message, like POST /tools/{name}/execute
	raw возвращает JSON внешней системы; tool — готовое сообщение, как POST /tools/{name}/execute
read returns a result; propose creates a draft that waits for a person and sends nothing
	read возвращает таблицу; propose создаёт черновик, который ждёт человека, и ничего не отправляет
suppliers of the goods, by name or id
	поставщики товаров: название или идентификатор
to
	до
user:usr_… or key:key_…
	user:usr_… или key:key_…
warehouses, by name or id; none means all
	склады: название или идентификатор; если не заданы — все
Values of the first dimension that the answer names
	Значения первого измерения, которые назовёт ответ
Of a measure, with compare; by default its value
	Что у показателя, при compare; если не задано — его значение
