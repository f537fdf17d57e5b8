package sandbox

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"slices"
)

// Limits of a body (fact M14).
const (
	maxBody     = 20 << 20
	maxElements = 1000
)

// write serves POST, PUT and DELETE. It responds with 405 to changes that the sandbox does not support.
func (c *call) write(rest []string) (answer, error) {
	typ := c.path[1]
	if saverOf(typ) == nil {
		return answer{}, errMethod()
	}
	switch method := c.request.Method; {
	case method == http.MethodPost && len(rest) == 0:
		return c.each(func(raw json.RawMessage) (func(*encoder), error) { return c.save(typ, "", raw) })
	case method == http.MethodPost && len(rest) == 1 && rest[0] == "delete":
		return c.each(func(raw json.RawMessage) (func(*encoder), error) { return c.removeNamed(typ, raw) })
	case method == http.MethodPost && len(rest) == 2 && rest[1] == "positions" && isDocument(typ):
		return c.addPositions(typ, rest[0])
	case method == http.MethodPut && len(rest) == 0:
		return answer{}, refuse(http.StatusBadRequest, 1012, "Не указан идентификатор объекта")
	case method == http.MethodPut && len(rest) == 1:
		raw, err := c.body()
		if err != nil {
			return answer{}, err
		}
		body, err := c.save(typ, rest[0], raw)
		return answer{body: body}, err
	case method == http.MethodDelete && len(rest) == 1:
		return answer{}, c.remove(typ, rest[0])
	case method == http.MethodDelete && len(rest) == 2 && rest[0] == "syncid":
		return answer{}, c.removeBySyncID(typ, rest[1])
	}
	return answer{}, errMethod()
}

// body returns the request's JSON.
func (c *call) body() (json.RawMessage, error) {
	if kind, _, err := mime.ParseMediaType(c.request.Header.Get("Content-Type")); err != nil ||
		kind != "application/json" {
		return nil, refuse(http.StatusUnsupportedMediaType, 1037, "Неподдерживаемый тип содержимого")
	}
	raw, err := io.ReadAll(io.LimitReader(c.request.Body, maxBody+1))
	switch {
	case err != nil:
		return nil, refuse(http.StatusBadRequest, 2001, "Тело запроса не прочитано")
	case len(raw) > maxBody:
		return nil, refuse(http.StatusRequestEntityTooLarge, 1044, "Слишком большое тело запроса")
	case len(bytes.TrimSpace(raw)) == 0:
		return nil, refuse(http.StatusBadRequest, 1027, "Пустое тело запроса")
	case !json.Valid(raw):
		return nil, refuse(http.StatusBadRequest, 2001, "Тело запроса не является корректным JSON")
	}
	return raw, nil
}

// each calls do with the body, or with each element of an array. The response to an array is an array: a failed element
// becomes an object with only errors, the status is 400, and the other elements are saved (fact M5).
func (c *call) each(do func(json.RawMessage) (func(*encoder), error)) (answer, error) {
	raw, err := c.body()
	if err != nil {
		return answer{}, err
	}
	if bytes.TrimSpace(raw)[0] != '[' {
		body, err := do(raw)
		return answer{body: body}, err
	}
	var elements []json.RawMessage
	if err := json.Unmarshal(raw, &elements); err != nil {
		return answer{}, refuse(http.StatusBadRequest, 2001, "Тело запроса не является корректным JSON")
	}
	if len(elements) > maxElements {
		return answer{}, refuse(http.StatusRequestEntityTooLarge, 2007, "В массиве больше 1000 элементов")
	}
	status := http.StatusOK
	results := make([]func(*encoder), len(elements))
	for i, element := range elements {
		body, err := do(element)
		if err != nil {
			refusal, ok := errors.AsType[*apiError](err)
			if !ok {
				return answer{}, err
			}
			status, body = http.StatusBadRequest, refusal.body
		}
		results[i] = body
	}
	return answer{status: status, body: func(e *encoder) {
		e.array(func() {
			for _, result := range results {
				result(e)
			}
		})
	}}, nil
}

// syncIDs returns the syncId of the body or of each of its elements, for the record.
func syncIDs(raw []byte) []string {
	type synced struct {
		SyncID string `json:"syncId"`
	}
	var many []synced
	if err := json.Unmarshal(raw, &many); err != nil {
		var one synced
		if json.Unmarshal(raw, &one) != nil {
			return []string{}
		}
		many = []synced{one}
	}
	ids := []string{}
	for _, s := range many {
		if s.SyncID != "" {
			ids = append(ids, s.SyncID)
		}
	}
	return ids
}

// wireRef is a reference in a body: {"meta": {"href", "type", "mediaType"}}.
type wireRef struct {
	Meta *struct {
		Href string `json:"href"`
		Type string `json:"type"`
	} `json:"meta"`
}

// errRequired is the error for a missing required field. The status is 412 for a single object; a batch has a status of
// its own.
func errRequired(field string) *apiError {
	return refuse(http.StatusPreconditionFailed, 3000,
		"Ошибка сохранения объекта: поле '%s' не может быть пустым или отсутствовать", field).at(field)
}

// refID checks a reference in a body and returns its type and id. Its host must be the API's.
func (c *call) refID(field string, r *wireRef, types ...string) (typ, id string, err error) {
	if r.Meta == nil || r.Meta.Href == "" {
		return "", "", refuse(http.StatusBadRequest, 2010, "Ошибка формата: поле '%s' без meta", field)
	}
	if err := c.checkLinks([]condition{{field: field, value: r.Meta.Href}}); err != nil {
		return "", "", err
	}
	typ, id, ok := splitHref(r.Meta.Href)
	switch {
	case !ok:
		return "", "", refuse(http.StatusBadRequest, 2011, "Ошибка формата: поле '%s' с неверной ссылкой", field)
	case r.Meta.Type != typ:
		return "", "", refuse(http.StatusBadRequest, 1060, "Ошибка: неверный тип '%s' в meta поля '%s'", r.Meta.Type,
			field)
	case !slices.Contains(types, typ):
		return "", "", refuse(http.StatusBadRequest, 2021, "Ошибка формата: поле '%s' ссылается на объект типа '%s'",
			field, typ)
	}
	return typ, id, nil
}

// resolve returns the object of a reference in a body; a nil reference gives the zero value.
func resolve[R any](c *call, field string, r *wireRef, typ string) (found R, err error) {
	if r == nil {
		return found, nil
	}
	_, id, err := c.refID(field, r, typ)
	if err != nil {
		return found, err
	}
	t := collections[typ].(*entity[R])
	found, ok := t.find(c.account, id)
	if !ok || !t.visible(c, found) {
		return found, errNowhere(field)
	}
	return found, nil
}

func errNowhere(field string) *apiError {
	return refuse(http.StatusPreconditionFailed, 2013,
		"Ошибка формата: ссылка поля '%s' указывает на несуществующий объект", field)
}
