package write

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strings"

	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
)

// element is one element of an answer: an entity, or why there is none.
type element struct {
	Meta struct {
		Href     string `json:"href"`
		Type     string `json:"type"`
		UUIDHref string `json:"uuidHref"` // where a person sees it; another id than the API's
	} `json:"meta"`
	ID     msapi.ID  `json:"id"`
	Name   string    `json:"name"`
	SyncID msapi.ID  `json:"syncId"`
	Errors []refusal `json:"errors"`
}

// refusal is one error that the server names (fact M4).
type refusal struct {
	Text      string `json:"error"`
	More      string `json:"error_message"`
	Code      int    `json:"code"`
	Parameter string `json:"parameter"`
	status    int    // of HTTP, when the server named no error at all
}

// id is the entity's own, from its address where it has one.
func (e *element) id() msapi.ID {
	if id := msapi.IDOf(e.Meta.Href); id != "" {
		return id
	}
	id, _ := msapi.ParseID(string(e.ID))
	return id
}

// reading is what an answer says of the n elements that were sent: each by itself, or one refusal of all.
type reading struct {
	each  []element
	whole *refusal
}

// read reads an answer. It is false when the answer does not say what became of the elements.
//
// A batch answers 400 or 412 although part of it was saved, so its body decides and not its status (fact M4).
func (r reply) read(n int) (reading, bool) {
	body := bytes.TrimSpace(r.body)
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
	// Gateways and the checks before any work answer so, without a word in JSON.
	case http.StatusUnauthorized, http.StatusForbidden, http.StatusNotFound, http.StatusMethodNotAllowed,
		http.StatusLengthRequired, http.StatusRequestEntityTooLarge, http.StatusRequestURITooLong,
		http.StatusUnsupportedMediaType, http.StatusRequestHeaderFieldsTooLarge,
		http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther, http.StatusTemporaryRedirect,
		http.StatusPermanentRedirect:
		return reading{whole: &refusal{status: r.status}}, true
	}
	return reading{}, false
}

// later reports whether the answer is the service's own "not now": nothing was done and the same will do in a while.
func later(body []byte) bool {
	var e struct {
		Errors []refusal `json:"errors"`
	}
	body = bytes.TrimSpace(body)
	if len(body) == 0 || len(body) > 4096 || body[0] != '{' || json.Unmarshal(body, &e) != nil || len(e.Errors) == 0 {
		return false
	}
	return e.Errors[0].Code == 1074 || e.Errors[0].Code == 1095 // maintenance; try later
}

// vague reports whether a refusal does not say that nothing was done.
func (e *refusal) vague() bool {
	switch e.Code {
	case 1088, 1999: // took too long; unknown error
		return true
	case 3006: // something exists already: by its syncId it would be the document itself
		return strings.EqualFold(e.Parameter, "syncId")
	}
	return false
}

// ofContent reports whether a refusal of the whole may be one element's fault, or its size's, so that a part may pass.
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

// fatal reports whether everything else sent with the same token would be refused alike.
func (e *refusal) fatal() bool {
	return e.status == http.StatusUnauthorized || e.Code == 1056 || e.Code == 1061 || e.Code == 1043 ||
		e.Code == 1070 || e.Code == 47000
}

// right reports whether a right is missing: the same would be refused for every entity of the type.
func (e *refusal) right() bool {
	switch e.Code {
	case 1016, 1017, 1018, 1045, 1064, 1092:
		return true
	}
	return e.status == http.StatusForbidden
}

// gone reports whether what the request names does not exist. A gateway's bare 404 does not say that.
func (e *refusal) gone() bool { return e.Code == 1021 || e.Code == 1008 }
