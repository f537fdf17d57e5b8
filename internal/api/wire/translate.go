package wire

import "strings"

// russian translates validation messages: ours, and huma's, which start with a fixed text and end with a value. Other
// messages stay English.
var russian = []struct{ prefix, ru string }{
	// huma's
	{"unexpected property", "неизвестное поле"},
	{"expected required property ", "обязательное поле"},
	{"is required", "обязательное поле"},
	{"expected boolean", "ожидается true или false"},
	{"expected string to be RFC 3339 date-time", "ожидается дата и время"},
	{"expected string to be RFC 3339 date", "ожидается дата, например 2026-11-21"},
	{"expected string", "ожидается строка"},
	{"expected array length >= ", "число элементов не меньше "},
	{"expected array length <= ", "число элементов не больше "},
	{"expected array", "ожидается массив"},
	{"expected object", "ожидается объект"},
	{"expected number >= ", "число не меньше "},
	{"expected number <= ", "число не больше "},
	{"expected number > ", "число больше "},
	{"expected number < ", "число меньше "},
	{"expected number", "ожидается число"},
	{"expected integer", "ожидается целое число"},
	{"invalid integer", "ожидается целое число"},
	{"expected length >= ", "длина не меньше "},
	{"expected length <= ", "длина не больше "},
	{"expected value to be one of ", "допустимые значения: "},
	{"expected value to match exactly one schema but matched none", "значение не подходит ни к одному из вариантов"},
	{"unknown query parameter", "неизвестный параметр запроса"},
	// strictjson's
	{"is not valid UTF-8", "не UTF-8"},
	{"is not valid JSON", "не JSON"},
	{"is nested deeper than ", "вложенность больше допустимой: "},
	{"is a number out of range", "число вне допустимого диапазона"},
	{"contains a zero character", "содержит нулевой символ"},
	{"is given twice", "указано дважды"},
	{"is given more than once", "указано несколько раз"},
	// ours
	{"is not a cursor of this list", "это не курсор этого списка"},
	{"cannot be decoded", "не удаётся прочитать"},
	{"must not be blank", "не может быть пустым"},
	{"must be a date such as 2026-11-21", "ожидается дата, например 2026-11-21"},
	{"must not be after to", "не может быть позже to"},
	{"must be 1 or absent", "допустимо только значение 1"},
	{"must be one of ", "допустимые значения: "},
	{"must be a whole number from ", "ожидается целое число: "},
	{"this endpoint does not support dry runs", "этот запрос нельзя выполнить пробно. Ничего не изменено"},
	{"the request body was cut off or timed out", "тело запроса пришло не полностью"},
	{"this request takes no body", "у этого запроса нет тела"},
	{"may be omitted, but not null", "можно не указывать, но нельзя передать null"},
	{"logins and passwords are never accepted", "логин и пароль не принимаются: отправьте только токен сотрудника"},
	{"must have 10 to 200 characters", "нужно от 10 до 200 символов"},
	{"must have at least 5 different characters", "нужно хотя бы 5 разных символов"},
	{"is one of the passwords that are tried first", "такой пароль подбирают первым"},
	{"must not contain the name of your email address", "не должен содержать имя из адреса вашей почты"},
	{"is not the code that your app shows now", "это не тот код, который сейчас показывает приложение"},
	{"is not your password", "это не ваш пароль"},
	{"must be an organization that you belong to", "должна быть одна из ваших организаций"},
	{"there is no such tool", "такого инструмента нет; список: GET /tools"},
	{"there is no such connection", "такого подключения нет; список: GET /connections"},
	{"there is no such agent", "такого агента нет; список: GET /agents"},
	{"of a bound key must be of ", "у ограниченного ключа допустимы только "},
	{"there is no such operation", "такой операции нет"},
	{"does not allow this", "не разрешает этого"},
	{"is on", "включено"},
	{"must be a number, not below 0, with at most two digits after the point",
		"ожидается число не меньше 0, не больше двух знаков после точки"},
	{"must have two different times such as 22:00 and 08:00", "ожидаются два разных времени, например 22:00 и 08:00"},
}

// InRussian translates a validation message, or returns it unchanged.
func InRussian(message string) string {
	for _, t := range russian {
		if rest, ok := strings.CutPrefix(message, t.prefix); ok {
			if strings.HasSuffix(t.ru, " ") {
				return t.ru + rest
			}
			return t.ru
		}
	}
	return message
}
