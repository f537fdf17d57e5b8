package sandbox

import (
	"errors"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"
)

// task is a report or list requested with async=true (fact M88). It is computed immediately, but the first status
// request says that it is still running, so that clients have to poll.
type task struct {
	id, request string
	owner       *employee
	created     time.Time
	result      answer
	failure     *apiError // state API_ERROR
	looked      bool
	cancelled   bool
}

// tasks are the asynchronous tasks of an account.
type tasks struct {
	mu   sync.Mutex
	list []*task
}

const (
	maxQueued    = 4
	resultKept   = time.Hour
	asyncLayout  = "2006-01-02 15:04:05"
	asyncPending = "PROCESSING"
)

func (t *task) state() string {
	switch {
	case t.cancelled:
		return "CANCEL"
	case !t.looked:
		return asyncPending
	case t.failure != nil:
		return "API_ERROR"
	}
	return "DONE"
}

// asynchronous reports whether the request starts a task. Reports (except by operation), counterparties and the
// assortment support tasks.
func (c *call) asynchronous() bool {
	if c.query.Get("async") != "true" || c.request.Method != http.MethodGet {
		return false
	}
	switch path := strings.Join(c.path, "/"); {
	case path == "entity/counterparty", path == "entity/assortment":
		return true
	case strings.HasPrefix(path, "report/byoperations/"), path == "report/stock/byoperation":
		return false
	}
	return c.path[0] == "report"
}

// startTask responds with 202 and the URLs of the result and the status.
func (c *call) startTask() (answer, error) {
	if c.query.Has("limit") || c.query.Has("offset") {
		return answer{}, refuse(http.StatusBadRequest, 61001, "Ошибка: limit и offset нельзя указывать вместе с async")
	}
	ts := &c.account.tasks
	ts.mu.Lock()
	defer ts.mu.Unlock()
	queued := 0
	for _, t := range ts.list {
		if t.state() == asyncPending {
			queued++
		}
	}
	if queued >= maxQueued {
		return answer{}, refuse(http.StatusTooManyRequests, 61002, "Превышено количество асинхронных задач в очереди")
	}
	t := &task{id: string(c.account.DeriveID("async", len(ts.list))), request: c.self(nil),
		owner: c.employee, created: c.server.now()}
	result, err := c.answerNow()
	if err != nil {
		refusal, ok := errors.AsType[*apiError](err)
		if !ok {
			return answer{}, err
		}
		t.failure = refusal
	}
	t.result = result
	ts.list = append(ts.list, t)
	return answer{status: http.StatusAccepted, location: c.base + "/async/" + t.id + "/result",
		contentLocation: c.base + "/async/" + t.id}, nil
}

// async serves the paths below async: the list of tasks, a task, its result and its cancellation.
func (c *call) async(rest []string) (answer, error) {
	ts := &c.account.tasks
	ts.mu.Lock()
	defer ts.mu.Unlock()
	if len(rest) == 0 && c.request.Method == http.MethodGet {
		page, err := parsePaging(c.query)
		listed := make([]task, len(ts.list))
		for i, t := range ts.list {
			listed[i] = *t
		}
		return list{typ: "async", size: len(listed), page: page,
			row: func(e *encoder, i int) { c.task(e, &listed[i]) }}.answer(c), err
	}
	if len(rest) == 0 {
		return answer{}, errMethod()
	}
	i := slices.IndexFunc(ts.list, func(t *task) bool { return t.id == rest[0] })
	if i < 0 {
		return answer{}, errNotFound("async", rest[0])
	}
	t, first := ts.list[i], !ts.list[i].looked
	action := c.request.Method + " " + strings.Join(rest[1:], "/")
	if action != "PUT cancel" {
		defer func() { t.looked = true }()
	}
	switch {
	case action == "GET ":
		seen := *t // the body is written when the lock is released
		return answer{body: func(e *encoder) { e.object(func() { c.task(e, &seen) }) }}, nil
	case action == "PUT cancel":
		t.cancelled = true
		return answer{status: http.StatusNoContent}, nil
	case action != "GET result" && action != "GET file":
		return answer{}, errMethod()
	case t.cancelled:
		return answer{}, refuse(http.StatusNotFound, 1021, "Задача отменена")
	case first:
		return answer{}, refuse(http.StatusBadRequest, 61006, "Результат асинхронной задачи ещё не готов")
	case c.server.now().Sub(t.created) > resultKept:
		return answer{}, refuse(http.StatusGone, 61003, "Результат асинхронной задачи удалён")
	case t.failure != nil:
		return answer{}, t.failure
	case action == "GET result":
		return answer{status: http.StatusFound, location: c.base + "/async/" + t.id + "/file"}, nil
	}
	return t.result, nil
}

// task writes the members of a task.
func (c *call) task(e *encoder, t *task) {
	c.plainMeta(e, "async", "/async/"+t.id)
	e.members("id", t.id, "accountId", c.account.info.AccountID)
	c.member(e, "owner", link, linkValue("employee", string(t.owner.ID)), nil)
	e.members("state", t.state(), "request", t.request)
	switch t.state() {
	case "DONE":
		e.members("resultUrl", c.base+"/async/"+t.id+"/result",
			"deletionDate", t.created.Add(resultKept).In(moscow).Format(asyncLayout))
	case "API_ERROR":
		e.key("errors")
		t.failure.elements(e)
	}
}
