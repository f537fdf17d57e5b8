package talk

import (
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/language/compose/typed"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

var (
	// leads are words that only join a message to what was said before.
	leads = words.Set("столько столько-то по-столько а и но ну да так тогда теперь же еще тоже также лучше " +
		"давай покажи дай выведи мне нет если как что пожалуйста плиз вот сначала потом ладно хорошо ок окей " +
		"слушай точнее вернее насчет сделай пусть будет будут нужно надо хочу я имел имела виду про говорю " +
		"говорил спрашивал спрашиваю это этого там тут там-то and also now what how about no not i mean meant " +
		"then but ok okay please show me make it let lets well so too instead добавь включи возьми посмотри " +
		"глянь оставь leave add keep")
	continuing = words.Set("а и но теперь тоже также нет не лучше только еще добавь убери без кроме оставь and " +
		"also now no not only just except without but what how вместо")
	addingWords  = words.Set("и еще также тоже плюс добавь and also too plus add")
	removeWords  = words.Set("убери убрать сними снять сбрось отмени исключи удали remove drop clear reset")
	insteadWords = words.Set("вместо instead")
	rejoinders   = words.Set("а но лучше but rather")
	questions    = words.Set("у кто кому кем где who whom where")
	// general are words for a type of parts: "убери фильтр по складу", "без периода".
	general = map[string]slot{"период": "period", "периода": "period", "даты": "period", "дату": "period",
		"склад": "store", "склада": "store", "складу": "store", "группу": "goods", "группы": "goods", "группе": "goods",
		"товар": "goods", "товару": "goods", "клиента": "partner", "клиенту": "partner", "покупателя": "partner",
		"поставщика": "partner", "поставщику": "partner", "контрагента": "partner", "контрагенту": "partner",
		"фильтр": "", "фильтры": "", "условие": "", "условия": "", "ограничение": "", "filter": "", "filters": "",
		"condition": "", "period": "period", "dates": "period", "store": "store", "warehouse": "store",
		"group": "goods", "customer": "partner", "supplier": "partner"}
)

// Continues reports whether a message begins as one that goes on with what was said before.
func Continues(task string) bool { return continues(task) }

// continues reports whether a message begins as one that goes on with the one before.
func continues(task string) bool {
	ts := token.Split(task)
	for i, t := range ts {
		if !t.Punctuation() {
			return continuing[t.Norm] && !asksHow(ts, i)
		}
	}
	return false
}

// asksHow reports whether a word such as "how" asks something of its own: "how much", "what sold", not "how about tea".
func asksHow(ts []token.Token, i int) bool {
	return (ts[i].Norm == "how" || ts[i].Norm == "what") && i+1 < len(ts) && ts[i+1].Norm != "about" &&
		!(i+2 < len(ts) && ts[i+2].Norm == "about" || ts[i+1].Punctuation())
}

// opensWithPreposition reports whether a message begins with a preposition: "на Лесную", "у Беты".
func opensWithPreposition(task string) bool {
	for _, t := range token.Split(task) {
		if !t.Punctuation() {
			return belongs[t.Norm]
		}
	}
	return false
}

// opensAsCondition reports whether a message begins as a condition on what was shown: "дороже 500", "только эмаль".
func opensAsCondition(task string) bool {
	for _, t := range token.Split(task) {
		if !t.Punctuation() && !joins[t.Norm] {
			return conditionWords[t.Norm]
		}
	}
	return false
}

var (
	joins          = words.Set("а и но ну теперь нет не лучше and but now no")
	conditionWords = words.Set("только лишь кроме без дороже дешевле больше меньше более менее свыше старше " +
		"выше ниже дольше от до only just except without over under more less above below older cheaper")
)

// subject reports whether a message names a figure or a type of documents of its own.
func (s *sentence) subject() bool {
	return slices.ContainsFunc(s.parts, func(p part) bool {
		return p.slots[0] == slot(typed.SpanMeasure) || p.slots[0] == "document"
	})
}

// bare reports whether a message is nothing but names and periods, which a list can be limited to.
func (s *sentence) bare() bool {
	return len(s.parts) > 0 && len(s.rest) == 0 && !slices.ContainsFunc(s.parts, func(p part) bool {
		return !isName(p) && p.slots[0] != slot(typed.SpanPeriod)
	})
}

// flags reports whether a message only says which documents to keep: "неотгруженные", "the unpaid ones".
func (s *sentence) flags() bool {
	return len(s.parts) > 0 && len(s.rest) == 0 && !slices.ContainsFunc(s.parts, func(p part) bool {
		return p.slots[0] != "flag"
	})
}

// changes returns the tasks that a follow-up may make of the task before it, likeliest first. With made, the task
// before has made a draft: "и на тарелки" is another one, not both.
func (s *sentence) changes(old *sentence, made bool) []string {
	c := &change{sentence: s, old: old, instead: map[int]string{}, made: made}
	c.skipLeads()
	if c.removes() {
		return c.texts()
	}
	c.contrast()
	c.place()
	if c.touched == 0 && len(c.more) == 0 {
		return nil
	}
	return c.texts()
}

// change is the task before while it is changed.
type change struct {
	*sentence
	old     *sentence
	first   int // the first token that is no lead
	gone    []int
	instead map[int]string // by the part of the old task: what stands in its place
	joined  map[int]string
	more    []string // what is added behind
	said    []string // the same with names as the account writes them
	made    bool
	touched int
}

func (c *change) skipLeads() {
	for c.first < len(c.ts) {
		t := &c.ts[c.first]
		if !t.Punctuation() && (!leads[t.Norm] || t.Use == token.AsName) {
			break
		}
		if slices.ContainsFunc(c.parts, func(p part) bool { // "leave out" is an exception, and "leave" a lead
			return p.from <= c.first && c.first < p.to && (p.excludes || !(p.core > c.first) && !leads[t.Norm])
		}) {
			break
		}
		c.first++
	}
}

// adds reports whether the message adds to what was asked: "и тарелки тоже".
func (c *change) adds() bool {
	return slices.ContainsFunc(c.ts, func(t token.Token) bool { return addingWords[t.Norm] && t.Use == token.Unused })
}

// removes reads "убери Посуду", "без фильтра", "сними условие по складу".
func (c *change) removes() bool {
	verb := removeWords[c.norm(c.first)]
	if !verb && c.norm(c.first) != "без" {
		return false
	}
	for i := c.first; i < len(c.ts); i++ {
		of, ok := general[c.norm(i)]
		if !ok || of == "" && i+1 < len(c.ts) && c.hasGeneral(i+1) {
			continue
		}
		for k, p := range slices.Backward(c.old.parts) {
			named := !slices.Contains(p.slots, slot(typed.SpanMeasure)) && k > 0
			if of == "" && named && !slices.Contains(p.slots, "document") &&
				!slices.Contains(p.slots, slot("dimension")) ||
				of != "" && slices.Contains(p.slots, of) {
				c.instead[k] = ""
				c.touched++
				break
			}
		}
		return c.touched > 0
	}
	for _, p := range c.parts {
		for k, q := range c.old.parts {
			if overlap(p.slots, q.slots) && c.like(p, c.old, q) {
				c.instead[k] = ""
				c.touched++
			}
		}
	}
	return c.touched > 0
}

func (c *change) hasGeneral(from int) bool {
	for i := from; i < len(c.ts); i++ {
		if of, ok := general[c.norm(i)]; ok && of != "" {
			return true
		}
	}
	return false
}

// contrast leaves out what a message says is not meant: "не за октябрь, а за сентябрь", "20 вместо 9".
func (c *change) contrast() {
	for k, p := range c.parts {
		before := c.norm(p.from - 1)
		switch {
		case (before == "не" || before == "not") && k+1 < len(c.parts):
			c.gone = append(c.gone, k)
		case insteadWords[before] || before == "of" && insteadWords[c.norm(p.from-2)]:
			c.gone = append(c.gone, k)
		}
	}
}

// place puts each part in the place of the old one of its type, or behind.
func (c *change) place() {
	used := map[int]bool{}
	c.joined = map[int]string{}
	end := c.first
	for k, p := range c.parts {
		if p.from < c.first && p.to <= c.first || slices.Contains(c.gone, k) {
			end = max(end, p.to)
			continue
		}
		p.from = max(p.from, c.first)
		c.keep(end, p.from)
		end = max(end, p.to)
		own := c.words(p.from, p.to)
		at := -1
		if !p.excludes {
			at = c.find(k, p, used)
		}
		if at < 0 {
			c.more, c.said = append(c.more, own), append(c.said, c.canonical(p, own))
			continue
		}
		used[at] = true
		c.touched++
		q := c.old.parts[at]
		said := c.words(max(p.core, c.first), p.to)
		switch {
		case p.slots[0] == slot(typed.SpanDimension) && questions[c.norm(p.core)]: // "у кого" takes none
			own = said
		case p.from == p.core || p.only && q.from < q.core: // it has no preposition of its own
			own = c.old.words(q.from, q.core) + " " + said
		}
		if q.slots[0] == slot(typed.SpanNumber) && p.unit == words.NoUnit { // "лучше на 10" is 10 of the same
			own += " " + c.old.words(q.unitAt, q.to)
		}
		c.instead[at] = own
		if isName(q) && isName(p) {
			c.joined[at] = c.old.words(q.from, q.to) + andWord(c.old) + said
		}
	}
	c.keep(end, len(c.ts))
}

// canonical writes a name that stands by itself with what it is: "из группы «Посуда»".
func (c *change) canonical(p part, own string) string {
	if len(p.names) == 0 || p.excludes || p.from < p.core && !p.only {
		return own
	}
	n := p.names[0]
	for _, o := range p.names {
		if o.Name != n.Name {
			return own
		}
	}
	ru, en := "", ""
	switch n.Kind {
	case connector.NameGroup:
		ru, en = "из группы", "in group"
	case connector.NameStore:
		ru, en = "на складе", "at warehouse"
	case connector.NameCounterparty:
		ru, en = "у", "of"
	case connector.NameSupplier:
		ru, en = "поставщика", "from supplier"
	default:
	}
	if len(c.old.ts) > 0 && !c.old.ts[0].Cyrillic {
		ru = en
	}
	if !strings.ContainsAny(n.Name, "«»") {
		n.Name = "«" + n.Name + "»"
	}
	return strings.TrimSpace(ru + " " + n.Name)
}

// counts reports whether a message only asks for what the last answer says: "на какую сумму?", of a card "а адрес?".
func (s *sentence) counts() bool {
	return len(s.parts) > 0 && len(s.rest) == 0 && !slices.ContainsFunc(s.parts, func(p part) bool {
		return p.slots[0] != "counting" && p.slots[0] != "wish"
	})
}

func andWord(s *sentence) string {
	if len(s.ts) > 0 && !s.ts[0].Cyrillic {
		return " and "
	}
	return " и "
}

func isName(p part) bool { return slices.Contains(nameSlots, p.slots[0]) }

// keep adds the words between two parts that say something, such as the reader's words that are no part.
func (c *change) keep(from, to int) {
	for i := from; i < to; i++ {
		if w := c.norm(i); c.ts[i].Punctuation() || leads[w] || insteadWords[w] || rejoinders[w] || w == "не" {
			continue
		}
		c.more, c.said = append(c.more, c.words(i, i+1)), append(c.said, c.words(i, i+1))
	}
}

// find returns the part of the old task whose place a part takes, or −1.
func (c *change) find(k int, p part, used map[int]bool) int {
	for _, gone := range c.gone { // what is said to be wrong
		for at, q := range c.old.parts {
			if !used[at] && c.like(c.parts[gone], c.old, q) && overlap(q.slots, c.parts[gone].slots) {
				return at
			}
		}
	}
	for at, q := range c.old.parts {
		if used[at] || !overlap(p.slots, q.slots) || p.slots[0] == "unknown" {
			continue
		}
		if p.slots[0] == slot(typed.SpanNumber) && (!sameUnit(p.unit, q.unit) ||
			p.bound != "" && p.bound != q.bound && p.unit != q.unit) {
			continue
		}
		if p.slots[0] == "flag" && !continues(c.text) {
			continue
		}
		if p.slots[0] == "store" && c.otherEnd(p, q) {
			continue
		}
		return at
	}
	return -1
}

// otherEnd reports whether one of two warehouses is where goods come from, and the other where they go: "на витрину"
// does not take the place of "с основного".
func (c *change) otherEnd(p, q part) bool {
	if p.from == p.core || q.from == q.core {
		return false
	}
	return leaving[c.norm(p.from)] != leaving[c.old.norm(q.from)]
}

var leaving = words.Set("с со из от from off out")

func sameUnit(a, b words.UnitKind) bool { return a == b || a == words.NoUnit || b == words.NoUnit }

func overlap(a, b []slot) bool {
	return slices.ContainsFunc(a, func(s slot) bool { return slices.Contains(b, s) })
}

// texts returns the changed task. Names that are added stand beside the old ones first.
func (c *change) texts() []string {
	list := []string{c.whole(c.instead, c.more)}
	if len(c.joined) > 0 && !c.made && c.adds() {
		list = slices.Insert(list, 0, c.both())
	}
	if !slices.Equal(c.more, c.said) {
		list = append(list, c.whole(c.instead, c.said))
	}
	for _, text := range slices.Clone(list) { // to some tasks, "only" says nothing
		if plain := withoutOnly(text); plain != text {
			list = append(list, plain)
		}
	}
	return list
}

var onlyWords = words.Set("только лишь only just")

func withoutOnly(text string) string {
	return strings.Join(slices.DeleteFunc(strings.Fields(text), func(w string) bool {
		return onlyWords[strings.ToLower(w)]
	}), " ")
}

// both returns the task with the old names and the new ones.
func (c *change) both() string {
	both := map[int]string{}
	for k, v := range c.instead {
		both[k] = v
	}
	for k, v := range c.joined {
		both[k] = v
	}
	return c.whole(both, c.more)
}

func (c *change) whole(instead map[int]string, more []string) string {
	var out []string
	at := 0
	for k, p := range c.old.parts {
		text, changed := instead[k]
		if !changed {
			continue
		}
		out = append(out, c.old.words(at, p.from), text)
		at = p.to
	}
	out = append(out, c.old.words(at, len(c.old.ts)))
	out = append(out, more...)
	return strings.Join(strings.Fields(strings.Trim(strings.Join(out, " "), " ?.!")), " ")
}
