package write

import (
	"strconv"
	"strings"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/tool"
)

// right is a right required for a write, as the role settings in MoySklad name it: the section and the column.
type right struct {
	entity string // the key in context/employee
	action string // "create", "update", "delete", "approve"
}

var sections = map[string]tool.Text{
	"purchaseorder": {RU: "Заказы поставщикам", EN: "Supplier orders (Заказы поставщикам)"},
	"move":          {RU: "Перемещения", EN: "Transfers (Перемещения)"},
	"product":       {RU: "Товары", EN: "Goods (Товары)"},
	// the role settings have no separate section for variants
	"variant": {RU: "Товары", EN: "Goods (Товары)"},
}

var actions = map[string]tool.Text{
	"view":    {RU: "просматривать", EN: "view (просматривать)"},
	"create":  {RU: "создавать", EN: "create (создавать)"},
	"update":  {RU: "редактировать", EN: "edit (редактировать)"},
	"delete":  {RU: "удалять", EN: "delete (удалять)"},
	"approve": {RU: "проводить", EN: "post (проводить)"},
}

// words returns the right as the role settings show it: «Заказы поставщикам: создавать».
func (r right) words(l stockhand.Language) string {
	section, action := sections[r.entity].In(l), actions[r.action].In(l)
	return section + ": " + action
}

// costRight is required to change or check the purchase price.
var costRight = tool.Text{
	RU: "Видеть себестоимость, цену закупки и прибыль товаров",
	EN: "See cost, purchase price and profit of goods (Видеть себестоимость, цену закупки и прибыль товаров)",
}

// words explains to a user why the server refused. Entity is what was written: "purchaseorder", "move", "product"…
func (e *refusal) words(l stockhand.Language, entity string) string {
	lacks := func(action string) string {
		name := right{entity, action}.words(l)
		return l.Pick("у сотрудника в МоёмСкладе нет права «"+name+"»", "the employee lacks the right “"+name+
			"” in MoySklad")
	}
	switch e.Code {
	case 1045:
		return lacks("create")
	case 1016:
		return lacks("view")
	case 1017:
		return lacks("update")
	case 1018:
		return lacks("delete")
	case 1092:
		return lacks("approve")
	case 1075, 17023:
		return l.Pick("роль сотрудника не даёт менять поле «"+e.Parameter+"»",
			"the employee's role does not allow changing the field “"+e.Parameter+"”")
	case 1056:
		return l.Pick("МойСклад не принял токен: он неверен или отозван",
			"MoySklad rejected the token: it is wrong or revoked")
	case 1061:
		return l.Pick("роль сотрудника не даёт пользоваться API МоегоСклада",
			"the employee's role does not allow using the API of MoySklad")
	case 1043, 1070, 47000:
		return l.Pick("тариф аккаунта этого не позволяет", "the account's tariff does not allow this")
	}
	known := map[int]tool.Text{
		1021: {RU: "то, на что ссылается документ, удалено или скрыто",
			EN: "something that the document refers to is deleted or hidden"},
		1008: {RU: "то, на что ссылается документ, удалено или скрыто",
			EN: "something that the document refers to is deleted or hidden"},
		2013: {RU: "то, на что ссылается документ, удалено или скрыто",
			EN: "something that the document refers to is deleted or hidden"},
		1023:  {RU: "документ используется в других", EN: "other documents use this one"},
		1028:  {RU: "документ используется в других", EN: "other documents use this one"},
		1065:  {RU: "в это же время его менял кто-то другой", EN: "someone else was changing it at the same time"},
		17009: {RU: "период закрыт для изменений", EN: "the period is closed"},
		17010: {RU: "склад другого отдела", EN: "the warehouse belongs to another department"},
		17016: {RU: "в такой документ комплект не добавить", EN: "this document cannot contain bundles"},
		21000: {RU: "склады отправления и назначения совпадают",
			EN: "the source and the target warehouse are the same"},
	}
	message := e.message()
	text, ok := known[e.Code]
	switch {
	case ok && message != "":
		return text.In(l) + " (" + message + ")"
	case ok:
		return text.In(l)
	case message != "":
		return l.Pick("МойСклад отказал: ", "MoySklad refused: ") + message
	case e.status == 401:
		return (&refusal{Code: 1056}).words(l, entity)
	}
	return l.Pick("МойСклад отказал без объяснения, HTTP ", "MoySklad refused without a reason, HTTP ") +
		strconv.Itoa(e.status)
}

// message returns the server's message, shortened.
func (e *refusal) message() string {
	s := e.Text
	if e.More != "" && e.More != e.Text {
		s = strings.TrimPrefix(s+": "+e.More, ": ")
	}
	s = strings.Join(strings.Fields(s), " ")
	if r := []rune(s); len(r) > 300 {
		s = string(r[:300]) + "…"
	}
	return s
}

// unknownWords explains to a user why the outcome of a write is unknown.
func (w *Writer) unknownWords(r reply) string {
	l := w.config.Language
	if r.fate == unsent {
		return l.Pick("пока не отправлено: МойСклад не принимает запросы",
			"not sent yet: MoySklad accepts no requests") +
			w.cause(r)
	}
	return l.Pick("отправлено, но ответа нет: проверим, записано ли",
		"sent, but there was no response: we will check whether it was written") + w.cause(r)
}

// cause returns what a user may tell a support team: the status, and never a library's message, which may quote
// anything.
func (w *Writer) cause(r reply) string {
	if r.status == 0 {
		return ""
	}
	return " (HTTP " + strconv.Itoa(r.status) + ")"
}
