package talk

import (
	"cmp"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/language"
	"github.com/stockhand/stockhand/internal/language/compose/typed"
	"github.com/stockhand/stockhand/internal/language/lookup"
	"github.com/stockhand/stockhand/internal/language/refer"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/tool"
	"github.com/stockhand/stockhand/internal/words"
)

// mostFragment is the most words that say something in a message that names no figure of its own.
const mostFragment = 4

var (
	// completed are words for what has happened to one thing: "оплачен?", "was it shipped". By themselves they ask
	// about the thing that was shown, and name no figure.
	completed = words.Set("оплачен оплачена отгружен отгружена доставлен доставлена получен получена принят принята " +
		"проведен проведена закрыт закрыта отменен отменена готов готова собран собрана отправлен отправлена " +
		"просрочен просрочена выполнен выполнена возвращен возвращена подтвержден подтверждена продан продана " +
		"оплатили оплачены отгрузили отгружены приняли приняты получили получены доставили доставлены " +
		"paid shipped delivered received overdue closed done posted confirmed")
	// others are words for rows beside those that were shown, or for the same as before.
	others = words.Set("остальные остальных остальным остальными остальное остальная остальной другие других другим " +
		"прочие прочих прочим others rest other same")
	aroundCompleted = words.Set("он она оно ли уже и а но еще был была было is it was are they has been the order " +
		"заказ документ yet already ну так")
)

// sure returns a reading, or a question in its place if the message is not surely understood after what was said before
// (rule R350): it either changes the task before, or is a task of its own, or is asked about. One that is linked means
// rows of what was shown.
func (t *talk) sure(task string, own language.Reading, linked bool) language.Reading {
	if !own.Skill.Calls() || own.Skill.Proposes() || own.Question != nil || own.Outside || t.done == nil {
		return own
	}
	if len(own.Unknown) > 0 && t.unsearched() {
		return own // "Витрина" may be a name
	}
	s := t.parts(task, true)
	if (!own.FollowUp || own.Skill == language.Shortages && t.done.Skill != own.Skill) && !linked {
		if x := t.carry(s, own); x != nil {
			return *x
		}
	}
	unheard := same(&own, t.done) && s.unheard(t.done, t.in.Catalogue) || s.fragment() && !lookUps[own.Skill]
	narrows := t.done.Skill.Proposes() && !own.FollowUp && !linked &&
		(opensAsCondition(task) || opensAsEdit(task))
	uncounted := t.done.Skill.Proposes() && !own.FollowUp && slices.ContainsFunc(own.Unused, func(w string) bool {
		return strings.ContainsAny(w, "0123456789")
	})
	if own.FollowUp && !lookUps[t.done.Skill] && s.flags() && own.Query != nil {
		return notSure(own, task, t.done) // "только неоплаченные" of figures
	}
	if !own.FollowUp && !linked && s.dependent(t.done) {
		return notSure(own, task, t.done)
	}
	if narrows || uncounted || own.FollowUp && unheard ||
		!own.FollowUp && !linked && !s.standsAlone(&own) {
		return notSure(own, task, t.done)
	}
	return own
}

// opensAsEdit reports whether a message begins with a verb that changes a draft: "возьми с запасом" (rule R1070).
func opensAsEdit(task string) bool {
	for _, t := range token.Split(task) {
		if !t.Punctuation() && !joins[t.Norm] {
			return editVerbs[t.Norm]
		}
	}
	return false
}

var editVerbs = words.Set("возьми возьмите бери берите возьмем возьмём берем берём вези везите везти привези " +
	"привезите убери уберите выкинь вычеркни отправь отправьте добавь добавьте замени поменяй измени take remove " +
	"drop add send")

// Alone reports whether a message needs nothing that was said before, or means rows that were shown. Another one goes
// on with the question that is open, or with the last answer (rule R520). r is its reading after what was said before.
func Alone(task string, in language.Input, r *language.Reading) bool {
	switch {
	case !elliptical(task), r.Skill == language.SmallTalk, r.Skill == language.Help,
		r.Consolidate, len(r.Accounts) > 0, linked(task, in):
		return true
	}
	t := &talk{in: in}
	t.in.Previous, t.in.Rows = nil, nil
	s := t.parts(task, true)
	if r.FollowUp {
		r = t.task(task)
	}
	if r.Skill.Proposes() { // "оформи заказ" of what, after a question that was not answered?
		return s.ofAll() || slices.ContainsFunc(s.parts, func(p part) bool { return p.slots[0] != "document" })
	}
	if !r.Skill.Calls() || r.Question != nil {
		return len(s.ts) > mostFragment || len(s.rest) == 0 && !slices.ContainsFunc(s.parts, func(p part) bool {
			return p.slots[0] != "unknown"
		})
	}
	return s.standsAlone(r)
}

// linked reports whether a message means rows of the last table.
func linked(task string, in language.Input) bool {
	return language.NamedRows(in.Rows) && len(in.Rows.Refer(token.Split(task))) > 0
}

// rowsOf reports whether the answer before shows rows of a dimension whose values have names.
func rowsOf(rows *refer.Rows, dimension string) bool {
	return language.NamedRows(rows) && rows.Dimension == dimension && !rows.Earlier
}

// goodsShown reports whether the answer before shows goods, all of which are known.
func goodsShown(rows *refer.Rows) bool {
	return (rowsOf(rows, "product") || rowsOf(rows, "variant")) && len(rows.IDs) > 0 && !rows.More
}

// notSure asks whether a message is a task of its own.
func notSure(own language.Reading, task string, done *language.Reading) language.Reading {
	said := strings.Trim(task, " ?.!")
	q := &language.Question{Text: fmt.Sprintf(own.Language.Pick(
		"Не понял, что значит «%s» после прошлого ответа. Скажите целиком, одним вопросом.",
		"I am not sure what “%s” means after the last answer. Please ask it as one whole question."), said)}
	if (done == nil || !same(&own, done)) && own.Skill.Calls() {
		title := own.Skill.Title(own.Language)
		if own.Skill == language.Analyze {
			title = cmp.Or(own.Said, title)
		}
		var list lookup.Documents
		if title == "" && own.Skill == language.Documents && decode(own.Input, &list) {
			title = list.Say(own.Language, func(string) string { return "" })
		}
		if title == "" {
			own.Question, own.FollowUp, own.Unknown = q, true, nil
			return own
		}
		q.Text = fmt.Sprintf(own.Language.Pick(
			"Не понял, что значит «%s» после прошлого ответа. Показать отдельно?",
			"I am not sure what “%s” means after the last answer. Shall I show this by itself?"), said)
		q.Options = []language.Option{{Text: title, Skill: own.Skill, Arguments: own.Arguments, Query: own.Query,
			Input: own.Input}}
	}
	own.Question, own.FollowUp, own.Unknown = q, true, nil
	return own
}

// withoutOptions returns a question that offers nothing.
func withoutOptions(r language.Reading) language.Reading {
	q := *r.Question
	q.Options = nil
	q.Text = strings.TrimSuffix(strings.TrimSuffix(q.Text, " Показать отдельно?"), " Shall I show this by itself?")
	r.Question = &q
	return r
}

// standsAlone reports whether a message is a task of its own: it says what it asks for, and goes on with nothing.
func (s *sentence) standsAlone(r *language.Reading) bool {
	leads, other := false, false
	said := 0
	for i, t := range s.ts {
		switch w := t.Norm; {
		case t.Punctuation():
		case continuing[w] && said == 0 && !asksHow(s.ts, i):
			leads = true
		case t.Use == token.Unused && aroundCompleted[w]:
		default:
			said++
			other = other || others[w] && t.Use == token.Unused && !s.inName(i)
		}
	}
	switch {
	case said == 0, other, s.fragment():
		return false
	case r.Skill == language.Product || r.Skill == language.Counterparty:
		return !leads && (said > 1 || s.wholeName())
	case s.subject() && !(leads && r.Skill == language.Reference):
		return len(r.Unused) == 0 || said > mostFragment
	case leads:
		return false
	case r.Skill == language.Money: // "how much money": no other answer has it
		return len(r.Unused) == 0
	case figures[r.Skill]:
		return said > mostFragment || said > 1 && s.has(slot(typed.SpanPeriod))
	}
	return len(r.Unused) == 0 || said > mostFragment
}

// fragment reports whether a message only says what has happened to one thing: "а он отгружен?".
func (s *sentence) fragment() bool {
	said := false
	for _, t := range s.ts {
		if t.Punctuation() || aroundCompleted[t.Norm] {
			continue
		}
		if said = true; !completed[t.Norm] || t.Use != token.Unused {
			return false
		}
	}
	return said
}

// has reports whether a message has a part of a type.
func (s *sentence) has(types ...slot) bool {
	return slices.ContainsFunc(s.parts, func(p part) bool { return overlap(p.slots, types) })
}

// wholeName reports whether a message is a whole name and not a word of one: "оптовые" is not "Оптовая база".
func (s *sentence) wholeName() bool {
	return slices.ContainsFunc(s.parts, func(p part) bool {
		return slices.ContainsFunc(p.names, func(n connector.Name) bool {
			count := 0
			for _, t := range token.Split(n.Name) {
				if t.Kind == token.Quoted {
					count += len(strings.Fields(t.Norm))
				} else if !t.Punctuation() && !words.IsLegalForm(t.Norm) {
					count++
				}
			}
			return count <= p.to-p.core
		})
	})
}

// figures are the skills that show figures of what a task names.
var figures = map[language.Skill]bool{language.Analyze: true, language.SalesTrend: true, language.Profitability: true,
	language.Stock: true, language.StockByStore: true, language.Money: true}

func (s *sentence) inName(i int) bool {
	return slices.ContainsFunc(s.parts, func(p part) bool { return isName(p) && p.core <= i && i < p.to })
}

// unheard reports whether a message that changes nothing says something that the query before has not.
func (s *sentence) unheard(done *language.Reading, c *connector.Catalogue) bool {
	if q := done.Composed(c).Query; q != nil && done.Query == nil && s.namesOther(q) {
		return true
	}
	if done.Query == nil {
		return len(s.parts) == 0 && len(s.rest) > 0 || done.Skill == language.Forecast && s.asksForSum() ||
			done.Skill == language.OverdueOrders && s.has(slot(typed.SpanDimension))
	}
	q := done.Query
	for _, p := range s.parts {
		switch p.slots[0] {
		case slot(typed.SpanDimension):
			if !slices.Contains(q.By, p.id) {
				return true
			}
		case slot(typed.SpanMeasure):
			shown := func(m string) bool { return slices.Contains(q.Measures, m) }
			if !slices.ContainsFunc(strings.Fields(p.id), shown) {
				return true
			}
		}
	}
	return len(s.parts) == 0 || s.asksForSum() && !slices.ContainsFunc(q.Measures, func(name string) bool {
		m, ok := c.Measure(name)
		return ok && m.Unit == tool.UnitMoney && m.Adds
	})
}

// namesOther reports whether a message names a figure or a breakdown that an answer has not.
func (s *sentence) namesOther(q *analysis.Query) bool {
	return slices.ContainsFunc(s.parts, func(p part) bool {
		switch p.slots[0] {
		case slot(typed.SpanDimension):
			return !slices.Contains(q.By, p.id)
		case slot(typed.SpanMeasure):
			return !slices.ContainsFunc(strings.Fields(p.id), func(m string) bool {
				return slices.Contains(q.Measures, m)
			})
		}
		return false
	})
}

// asksForSum reports whether a message asks for money: "на какую сумму".
func (s *sentence) asksForSum() bool {
	return slices.ContainsFunc(s.ts, func(t token.Token) bool {
		return strings.HasPrefix(t.Norm, "сумм") || t.Norm == "sum" || t.Norm == "money" || t.Norm == "деньгах"
	})
}

// InPlaceOf reads a message that is nothing but a name as the one that a task should have had in place of words that
// the account does not know (rule R520): "на Мира" after "остатки на складе Пушкина". It returns nil for any other.
func InPlaceOf(unknown language.Phrase, asked, task string, in language.Input) *language.Reading {
	in.Previous, in.Rows, in.Earlier = nil, nil, nil
	t := &talk{in: in}
	s := t.parts(task, true)
	if len(s.parts) != 1 || !s.bare() || !isName(s.parts[0]) || s.parts[0].excludes || s.otherPlace(unknown, asked) {
		return nil
	}
	name := s.words(s.parts[0].core, s.parts[0].to)
	if p := s.parts[0]; len(p.names) == 1 && !strings.ContainsAny(p.names[0].Name, "«»") {
		name = "«" + p.names[0].Name + "»"
	}
	text := strings.Replace(asked, unknown.Words, name, 1)
	if r := t.task(text); text != asked && r.Skill.Calls() && !r.Outside && len(r.Unknown) == 0 {
		return r
	}
	return nil
}

// otherPlace reports whether a message is a warehouse with its preposition, and the unknown words have none: "а на
// витрине" after "сколько на складе фонарей" is no other name of the goods (rule R1097).
func (s *sentence) otherPlace(unknown language.Phrase, asked string) bool {
	p := s.parts[0]
	if unknown.Named || p.from == p.core || !slices.Contains(p.slots, "store") {
		return false
	}
	before, _, _ := strings.Cut(asked, unknown.Words)
	words := strings.Fields(words.Fold(before))
	return len(words) == 0 || !belongs[words[len(words)-1]]
}

// namesOne reports whether a query is of one thing that its task names: "сколько отгрузили Альфе и сколько она
// заплатила" (rule R756).
func namesOne(r *language.Reading) bool {
	return r.Query != nil && slices.ContainsFunc(r.Query.Where, func(w analysis.Condition) bool {
		return w.Op == analysis.In && len(w.Values) == 1 && standsFor[w.Field]
	})
}

// standsFor are the dimensions of what "he" and "it" may be.
var standsFor = words.Set("counterparty supplier product group employee store sales_channel")

// backFrom matches words that count back from the day that was shown: "в тот же день неделю назад".
var backFrom = regexp.MustCompile(`(?i)(?:назад|ago|раньше|earlier)[ ?.!]*$`)

// dangling asks what a word such as "he" means, if the reading is of no rows, names or earlier task that it could stand
// for (rule R291): an answer about everybody would be to another question.
func dangling(task string, r language.Reading, in language.Input) language.Reading {
	if complete(&r) && r.Skill.Reads() && saysThatDay(task, in) && !(r.FollowUp && backFrom.MatchString(task)) {
		r.Question = &language.Question{Text: r.Language.Pick("О каком дне речь? Назовите дату.",
			"Which day do you mean? Please say the date.")}
		return r
	}
	if !complete(&r) || !r.Skill.Reads() || r.FollowUp || linked(task, in) || len(r.Matched) > 0 || namesOne(&r) {
		return r
	}
	for _, x := range token.Split(task) {
		if x.Kind == token.Word && (refer.IsHe(x.Norm) || refer.IsThey(x.Norm)) {
			r.Question = &language.Question{Text: fmt.Sprintf(r.Language.Pick(
				"О ком или о чём речь: что значит «%s»? Назовите.",
				"Whom or what do you mean by “%s”? Please name it."), x.Raw)}
			return r
		}
	}
	return r
}

// quoted returns a name as it stands in JSON, which is nowhere for no name.
func quoted(name string) string {
	raw, err := json.Marshal(name)
	if err != nil || name == "" {
		return "\x00"
	}
	return string(raw)
}
