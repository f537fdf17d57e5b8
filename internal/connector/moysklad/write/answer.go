package write

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strings"

	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
)

// element is one element of a response: an entity, or why there is none.
type element struct {
	Meta struct {
		Href     string `json:"href"`
		Type     string `json:"type"`
		UUIDHref string `json:"uuidHref"` // opens it in the web application; its ID differs from the API's
	} `json:"meta"`
	ID     msapi.ID  `json:"id"`
	Name   string    `json:"name"`
	SyncID msapi.ID  `json:"syncId"`
	Errors []refusal `json:"errors"`
}

// refusal is an error returned by the server (fact M4).
type refusal struct {
	Text      string `json:"error"`
	More      string `json:"error_message"`
	Code      int    `json:"code"`
	Parameter string `json:"parameter"`
	status    int    // the HTTP status, if the server returned no error
}

// id returns the ID in the entity's address, or its id field if there is none.
func (e *element) id() msapi.ID {
	if id := msapi.IDOf(e.Meta.Href); id != "" {
		return id
	}
	id, _ := msapi.ParseID(string(e.ID))
	return id
}

// reading is the interpretation of a response to n elements: a result per element, or one refusal for all.
type reading struct {
	each  []element
	whole *refusal
}

// whitespace is what may surround a JSON value.
const whitespace = " \t\r\n"

// read interprets a response to n elements. It returns false if the response does not say what happened to them.
//
// A batch returns 400 or 412 even if part of it was saved, so the body decides and not the status (fact M4).
func (r reply) read(n int) (reading, bool) {
	body := bytes.Trim(r.body, whitespace)
	switch {
	case len(body) > 0 && body[0] == '[':
		var each []element
		if json.Unmarshal(body, &each) != nil || len(each) != n {
			return reading{}, false
		}
		return reading{each: each}, true
	case len(body) > 0 && body[0] == '{':
		var one element
		if json.Unmarshal(body, &one) != nil {
			return reading{}, false
		}
		if len(one.Errors) > 0 {
			one.Errors[0].status = r.status
			return reading{whole: &one.Errors[0]}, r.status >= http.StatusMultipleChoices
		}
		return reading{each: []element{one}}, n == 1 && r.status == http.StatusOK
	}
	switch r.status {
	// Gateways, and checks before any processing, respond like this without JSON.
	case http.StatusUnauthorized, http.StatusForbidden, http.StatusNotFound, http.StatusMethodNotAllowed,
		http.StatusLengthRequired, http.StatusRequestEntityTooLarge, http.StatusRequestURITooLong,
		http.StatusUnsupportedMediaType, http.StatusRequestHeaderFieldsTooLarge,
		http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther, http.StatusTemporaryRedirect,
		http.StatusPermanentRedirect:
		return reading{whole: &refusal{status: r.status}}, true
	}
	return reading{}, false
}

// later reports whether the service asks to try again later and did nothing.
func later(body []byte) bool {
	var e struct {
		Errors []refusal `json:"errors"`
	}
	body = bytes.Trim(body, whitespace)
	if len(body) == 0 || len(body) > 4096 || body[0] != '{' || json.Unmarshal(body, &e) != nil || len(e.Errors) == 0 {
		return false
	}
	return e.Errors[0].Code == 1074 || e.Errors[0].Code == 1095 // maintenance; try again later
}

// vague reports whether a refusal leaves open whether the request was executed.
func (e *refusal) vague() bool {
	switch e.Code {
	case 1088, 1999: // timeout; unknown error
		return true
	case 3006: // something already exists: with the same syncId it would be this document
		return strings.EqualFold(e.Parameter, "syncId")
	}
	return false
}

// ofContent reports whether one element, or the size, may have caused the refusal of the whole request, so that a part
// of it may succeed.
func (e *refusal) ofContent() bool {
	switch e.Code {
	case 1002, 1005, 1037, 1039, 1040, 1058, 1062, 1084, 1091, 1093: // path, type, method, parameters, headers
		return false
	}
	switch e.status {
	case http.StatusBadRequest, http.StatusNotFound, http.StatusConflict, http.StatusGone,
		http.StatusPreconditionFailed,
		http.StatusRequestEntityTooLarge, http.StatusUnprocessableEntity:
		return e.Code != 0 || e.status == http.StatusRequestEntityTooLarge
	}
	return false
}

// fatal reports whether every further request with the token would be refused.
func (e *refusal) fatal() bool {
	return e.status == http.StatusUnauthorized || e.Code == 1056 || e.Code == 1061 || e.Code == 1043 ||
		e.Code == 1070 || e.Code == 47000
}

// right reports whether a right is missing, so that every request for the entity type would be refused.
func (e *refusal) right() bool {
	switch e.Code {
	case 1016, 1017, 1018, 1045, 1064, 1092:
		return true
	}
	return e.status == http.StatusForbidden
}

// gone reports whether an object in the request does not exist. A gateway's plain 404 does not prove that.
func (e *refusal) gone() bool { return e.Code == 1021 || e.Code == 1008 }
