package talk

import (
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/language"
	"github.com/stockhand/stockhand/internal/language/lookup"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// arranged reads a message about nothing but the order of a list of documents, how many of them are shown, or what they
// are counted by (rules R1139, R1140). It returns nil for any other message.
func (t *talk) arranged(m *message) *language.Reading {
	var list lookup.Documents
	if t.done == nil || t.done.Skill != language.Documents || !decode(t.done.Input, &list) {
		return nil
	}
	list, ok := lookup.Arrange(m.in.Catalogue, list, token.Split(m.task))
	if !ok {
		return nil
	}
	return &language.Reading{Task: m.task, Language: languageOf(m.task, m.in), Skill: language.Documents, Input: list,
		FollowUp: true, Confidence: 1}
}

// ofListed reads a question about a list of documents (rule R950): "что в нём" and "кому" after a single document open
// it, "а предыдущий" after the last one shows the one before it as well, and what the list says already is shown again.
// It returns nil for any other message.
func (t *talk) ofListed(m *message) *language.Reading {
	task, in := m.task, m.in
	if t.done == nil {
		return nil
	}
	var list lookup.Documents
	x := &language.Reading{Task: task, Language: languageOf(task, in),
		Skill: language.Documents, FollowUp: true, Confidence: 1}
	if rows := in.Rows; rows != nil && rows.Dimension == "document" && len(rows.IDs) == 1 && !rows.More &&
		!rows.Earlier && ofDocument(task) {
		x.Skill, x.Input = language.Document, lookup.Document{ID: rows.IDs[0]}
		return x
	}
	if t.done.Skill != language.Documents || !decode(t.done.Input, &list) {
		return nil
	}
	x.Input = list
	if noun := strings.TrimPrefix(words.Fold(task), "а "); len(list.Kinds) == 0 && len(token.Split(noun)) == 1 {
		only := read("только "+noun, in) // "приемки" after the documents of a day
		if only.Skill == language.Documents && complete(&only) && only.FollowUp {
			only.Task = task
			return &only
		}
	}
	switch {
	case list.Limit > 0 && says(task, previousOne, aroundPrevious):
		list.Limit++
		x.Input = list
	case t.done.Base(in.Catalogue, in.Now) == nil && says(task, partners, aroundPartner),
		list.Overdue && says(task, dayWords, aroundDays),
		slices.Equal(list.Kinds, []string{"move"}) && says(task, directions, aroundPartner),
		list.Unpaid && wording(aroundRemaining, notWords, paidOff).Is(token.Split(task), nil),
		list.Unshipped && wording(aroundRemaining, notWords, shippedWords).Is(token.Split(task), nil),
		list.NotReceived && wording(aroundRemaining, notWords, receivedWords).Is(token.Split(task), nil):
	default:
		return nil
	}
	return x
}

var (
	previousOne = words.Set("предыдущий предыдущая предыдущее предыдущую предыдущего предыдущей предпоследний " +
		"предпоследняя предпоследнее предпоследнюю предпоследнего предпоследней позапрошлый позапрошлая позапрошлую " +
		"этого него нее previous earlier")
	aroundPrevious = words.Set("а и до перед была был было какая какой когда что самая самый покажи открой дай заказ " +
		"приемка приемку отгрузка отгрузку поставка поставку возврат платеж документ накладная накладную the one and " +
		"before show open what was")
	partners        = words.Set("кому кого кто кем whom who")
	directions      = words.Set("куда откуда where")
	aroundPartner   = words.Set("а и у от с для к они это эти все их она он то from to by are is it they was and")
	aroundRemaining = words.Set("а и чего что сколько всего итого на какую сумму сумма денег по ним это еще осталось долг висит " +
		"в общем общая how much is in total sum of them still left")
	paidOff       = words.Set("оплачено оплатили оплачены заплатили paid")
	shippedWords  = words.Set("отгружено отгрузили отгружены shipped")
	receivedWords = words.Set("получено получили пришло привезли принято приняли довезли доехало received delivered")
)
