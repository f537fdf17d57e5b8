package sandbox

import (
	"fmt"
	"net/http"
)

// apiError is an error response in the vendor's format (fact M4). With code 0 the response has no body.
type apiError struct {
	status    int
	code      int
	text      string
	parameter string
}

func (e *apiError) Error() string { return fmt.Sprintf("%d/%d %s", e.status, e.code, e.text) }

func refuse(status, code int, format string, args ...any) *apiError {
	return &apiError{status: status, code: code, text: fmt.Sprintf(format, args...)}
}

// at sets the parameter or field that caused the error.
func (e *apiError) at(parameter string) *apiError {
	e.parameter = parameter
	return e
}

// body writes {"errors": [{…}]}.
func (e *apiError) body(w *encoder) {
	w.object(func() {
		w.key("errors")
		e.elements(w)
	})
}

func (e *apiError) elements(w *encoder) {
	w.array(func() {
		w.object(func() {
			w.key("error").string(e.text)
			w.key("code").int(int64(e.code))
			if e.parameter != "" {
				w.key("parameter").string(e.parameter)
			}
			w.key("moreInfo").string(fmt.Sprintf("https://dev.moysklad.ru/doc/api/remap/1.2/#error_%d", e.code))
		})
	})
}

// Errors used in several files (facts M6, M8, M92).
func errAuth() *apiError {
	return refuse(http.StatusUnauthorized, 1056,
		"Ошибка аутентификации: Неправильный пароль или имя пользователя или ключ авторизации")
}

func errAccept() *apiError {
	return refuse(http.StatusBadRequest, 1062,
		"Ошибка: неподдерживаемое значение заголовка 'Accept'. Поддерживается только application/json;charset=utf-8")
}

func errUnknownType(name string) *apiError {
	return refuse(http.StatusPreconditionFailed, 1005, "Неизвестный тип: '%s'", name)
}

func errUnknownPath(path string) *apiError {
	return refuse(http.StatusNotFound, 1002, "Неизвестный путь: %s", path)
}

func errNotFound(typ, id string) *apiError {
	return refuse(http.StatusNotFound, 1021, "Объект типа '%s' с идентификатором '%s' не найден", typ, id)
}

func errForbidden(what string) *apiError {
	return refuse(http.StatusForbidden, 1016, "Ошибка доступа: нет прав на просмотр %s", what)
}

func errMethod() *apiError {
	return refuse(http.StatusMethodNotAllowed, 1039, "Метод не поддерживается для данного ресурса")
}

func errFilter(format string, args ...any) *apiError {
	return refuse(http.StatusPreconditionFailed, 1034, "Ошибка фильтрации: "+format, args...)
}

func errFilterValue(field, value string) *apiError {
	return refuse(http.StatusPreconditionFailed, 1014,
		"Ошибка фильтрации: неверное значение '%s' параметра '%s'", value, field).at(field)
}

func errParameter(name, value string) *apiError {
	return refuse(http.StatusBadRequest, 1040, "Неправильное значение параметра '%s': '%s'", name, value).at(name)
}
