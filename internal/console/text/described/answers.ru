A chat completion, or with `stream` its chunks as server-sent events
	Ответ чата, а со `stream` — его части как события сервера
Accepted
	Принято
Any other status of the model's provider, with its own body
	Любой другой статус поставщика модели, с его собственным телом
Created
	Создано
No Content
	Без содержимого
Not modified (If-None-Match)
	Не изменилось (If-None-Match)
OK
	Успешно
Some documents are still being written
	Некоторые документы ещё записываются
The answer of a raw operation, or the finished message of a tool
	Ответ прямой операции или готовое сообщение инструмента
The call is still running
	Вызов ещё выполняется
The draft; in CSV and XLSX the lines of its documents
	Черновик; в CSV и XLSX — строки его документов
The entries, one JSON object a line
	Записи, по одному объекту JSON в строке
The events. The schema is that of the `data` of each event
	События. Схема описывает `data` каждого события
The external system's response, unchanged
	Ответ внешней системы без изменений
The external system's response, unchanged, or an error of Stockhand (ErrorBody)
	Ответ внешней системы без изменений или ошибка Stockhand (ErrorBody)
The finished message, if it was ready within `wait`
	Готовое сообщение, если оно успело за время `wait`
The finished message; with X-Dry-Run: what would be read
	Готовое сообщение; с X-Dry-Run — что было бы прочитано
The model
	Модель
The model did not answer.
	Модель не ответила.
The models
	Модели
The provider's answer
	Ответ поставщика
The query is still running
	Запрос ещё выполняется
The response
	Ответ
The response is deleted
	Ответ удалён
The response, or with `stream` its events as server-sent events
	Ответ, а со `stream` — его события как события сервера
The table
	Таблица
The turn is still running
	Ещё выполняется
The turn is still stopping
	Ещё останавливается
There is nothing after that event: stop reconnecting
	После этого события ничего нет: больше не подключайтесь
With X-Dry-Run: the draft that would be created
	С X-Dry-Run: черновик, который был бы создан
With X-Dry-Run: the session that would be deleted
	С X-Dry-Run: диалог, который был бы удалён
The cassette, one JSON object a line
	Кассета, по одному объекту JSON в строке
