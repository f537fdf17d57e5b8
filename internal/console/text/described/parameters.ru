A sign-in of yours, or current for that of this request
	Один из ваших входов; current — вход этого запроса
A value of your choice, new for each request. Repeating the request with the same value within 24 hours, or as many days as the organization keeps answers, returns the first response and changes nothing.
	Значение на ваш выбор, новое для каждого запроса. Повтор запроса с тем же значением в течение 24 часов (или стольких дней, сколько организация хранит ответы) вернёт первый ответ и ничего не изменит.
Also revoke the keys that it created, themselves or through others
	Отозвать и ключи, которые он создал сам или через другие
CSV and XLSX: the format of numbers and dates. Takes precedence over Accept-Language
	CSV и XLSX: формат чисел и дат. Важнее, чем Accept-Language
CSV, XLSX and SVG: only this part of the result
	CSV, XLSX и SVG: только эта часть таблицы
Its name, such as our_markup
	Его имя, например our_markup
JSON: the maximum number of rows; SVG: how many are drawn. All rows if omitted
	JSON: наибольшее число строк; SVG: сколько нарисовать. Если не задано — все
Keep the sign-in of this request
	Оставить вход этого запроса
Only connections of this connector
	Только подключения этого коннектора
Only connections to this account
	Только подключения к этому аккаунту
Only drafts with a document in this state
	Только черновики с документом в этом состоянии
Only entries about this draft
	Только записи об этом черновике
Only entries after that number
	Только записи после этого номера
Only this action, such as draft.confirmed
	Только это действие, например draft.confirmed
Only this measure and the dimensions that it allows
	Только этот показатель и измерения, которые с ним сочетаются
Only those of this key
	Только с этим ключом
Only those with an error
	Только с ошибкой
Only tools of this connector
	Только инструменты этого коннектора
Only tools with this effect
	Только инструменты с этим действием
Return what would happen and change nothing.
	Вернуть то, что произошло бы, и ничего не менять.
SVG: the column along the axis
	SVG: столбец вдоль оси
SVG: the column whose values are lines or bars of their own
	SVG: столбец, каждое значение которого — своя линия или свои полосы
SVG: the columns of the values, with commas between them
	SVG: столбцы значений через запятую
SVG: what to draw, as in a block
	SVG: что нарисовать, как в блоке ответа
Seconds to wait for the documents to be written; then the response is 202 and writing continues
	Сколько секунд ждать записи документов; потом ответ 202, а запись продолжается
Seconds to wait for the end, 60 by default; then the response is 202 with the turn's URLs
	Сколько секунд ждать окончания, обычно 60; потом ответ 202 с адресами выполнения
Takes precedence over Accept
	Важнее, чем Accept
The first day (UTC); by default 29 days before the last
	Первый день (UTC); если не задан — за 29 дней до последнего
The id of the last event that you have
	Идентификатор последнего события, которое у вас есть
The invitation's id, not its token
	Идентификатор приглашения, а не его токен
The key to replace
	Ключ, который нужно заменить
The key's id, not its secret
	Идентификатор ключа, а не его секрет
The last day (UTC); by default today
	Последний день (UTC); если не задан — сегодня
The maximum number of entries to return
	Сколько записей вернуть самое большее
The same, as browsers send it
	То же, как присылают браузеры
The token's id, not its secret
	Идентификатор токена, а не его секрет
Those of this connection; required for the tools of an MCP server
	Инструменты этого подключения; обязательно для инструментов сервера MCP
Wait up to this many seconds for the end
	Ждать окончания не дольше стольких секунд
Wait up to this many seconds for the finished message
	Ждать готового сообщения не дольше стольких секунд
What becomes of the keys that the person created: revoke them, with those that they created, or transfer them to you
	Что будет с ключами, которые создал этот человек: отозвать их вместе с теми, что созданы ими, или передать вам
direct: single tool calls
	direct — одиночные вызовы инструментов
next_cursor of the previous page of rows
	next_cursor предыдущей страницы строк
next_cursor of the previous page; omit it for the first page
	next_cursor предыдущей страницы; для первой не нужен
