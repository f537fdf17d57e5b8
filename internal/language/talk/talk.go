// Package talk reads a turn of a conversation. What a task leaves out is in the task before: "а у Беты?" after "какие
// отгрузки были вчера" asks for yesterday's shipments to Beta.
//
// A follow-up of a query changes the query (package compose). After any other task (a look-up, a fixed report, a
// draft, a question of ours) the words do the same: each typed part of the follow-up takes the place of the part of
// that type in the task before, or is added to it, and the whole is read as a task (rule R296). So whatever one task
// can say, a conversation can say in parts, and every check of a reading applies.
package talk

import (
	"cmp"
	"encoding/json"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/language"
	"github.com/stockhand/stockhand/internal/language/act"
	"github.com/stockhand/stockhand/internal/language/compose/typed"
	"github.com/stockhand/stockhand/internal/language/draft"
	"github.com/stockhand/stockhand/internal/language/refer"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/tool"
)

// mostWords is the longest follow-up.
const mostWords = 14

// Read reads a task with what was said before it in [language.Input.Earlier].
func Read(task string, in language.Input) language.Reading {
	in.Catalogue = cmp.Or(in.Catalogue, language.NoMeasures)
	in.Written = cmp.Or(in.Written, task)
	if in.Previous != nil {
		in.Spoken = cmp.Or(in.Spoken, in.Previous.Language)
	}
	r := readTurn(task, in)
	for _, check := range checks() {
		check(task, &r, in)
	}
	return r
}

// readTurn is Read before what a whole reading is checked for.
func readTurn(task string, in language.Input) language.Reading {
	if plain := language.WithoutTalk(task); plain != task {
		x := Read(plain, in)
		x.Task = task
		return x
	}
	if plain := butThese(task, in); plain != task {
		x := Read(plain, in)
		x.Task = task
		return x
	}
	if plain := withSpan(task, in); plain != task {
		x := Read(plain, in)
		x.Task = task
		return x
	}
	if plain := otherPlace(task, in); plain != task {
		x := Read(plain, in)
		x.Task = task
		return x
	}
	for _, read := range wholes() {
		if x := read(task, in); x != nil {
			return *x
		}
	}
	if plain := onShownDay(untilNow(task, in.Now), in); plain != task {
		x := Read(plain, in)
		x.Task = task
		return x
	}
	if plain := plainly(task, in); plain != task {
		if x := Read(plain, in); complete(&x) || x.FollowUp && x.Question != nil ||
			x.Question != nil && strings.HasPrefix(plain, stockOfShown) ||
			len(x.Unknown) > 0 && !x.Outside || act.Read(task).Kind == act.Why {
			x.Task = task
			return x
		}
		if leavesOut(task, in) { // by itself, "услуги не считай" would be about services
			if r := read(task, in); complete(&r) && r.Skill.Reads() {
				return notApplied(r, task, in.Previous)
			}
		}
	}
	r := read(task, in)
	ourPayments(&r, in.Previous)
	wholeWeek(&r)
	if r.Skill.Proposes() && complete(&r) && linked(task, in) && unanswered(in) {
		return ofNothing(r)
	}
	if x := takenThere(task, in); x != nil {
		return *x
	}
	if r.Skill.Reads() && len(in.Earlier) > 0 && declines(task) && (complete(&r) || onlyUnwanted(&r)) {
		return withoutOptions(notSure(r, task, in.Previous))
	}
	if x := ofNamed(task, &r, in); x != nil {
		return *x
	}
	r = dangling(task, r, in)
	if len(in.Earlier) == 0 || complete(&r) || r.Consolidate || r.Skill == language.SmallTalk {
		return r
	}
	if plain := withoutThem(task, in.Previous); plain != "" {
		if x := read(plain, in); complete(&x) && x.FollowUp {
			x.Task = task
			return x
		}
	}
	if plain := withoutFillers(task); plain != task { // words that say nothing in the midst of a conversation
		if x := read(plain, in); complete(&x) && !drafts(&r, &x) {
			x.Task = task
			return x
		}
	}
	if x := reworded(task, in); x != nil && !drafts(&r, x) {
		return *x
	}
	return r
}

// drafts reports whether a reading asks about a draft, and another one of the same words shows figures: "скидку 10" is
// no limit to ten rows.
func drafts(r, other *language.Reading) bool {
	return r.Skill.Proposes() && asks(r) && other.Skill.Reads()
}

// read is Read of the very words.
func read(task string, in language.Input) language.Reading {
	if said := sorted(task, in.Previous); said != task {
		x := read(said, in)
		x.Task = task
		return x
	}
	own := language.Read(task, in)
	if len(in.Earlier) == 0 || own.Consolidate || len(own.Accounts) > 0 || own.Skill == language.SmallTalk {
		return own
	}
	m := &message{task: task, in: in, own: own, shown: in.Rows}
	if limits(task) {
		m.in.Rows = nil // "оставь первые три" limits the answer
	}
	t := &talk{in: m.in, done: in.Previous}
	t.in.Previous, t.in.Rows = nil, nil
	if x := t.whyBetween(m); x != nil {
		return *x
	}
	if x := t.arranged(m); x != nil {
		return *x
	}
	if !elliptical(task) {
		return own
	}
	for _, read := range kinds() {
		if x := read(t, m); x != nil {
			return *x
		}
	}
	return t.changed(m)
}

// changed reads a follow-up as a change of the task before it, or as a task of its own.
func (t *talk) changed(m *message) language.Reading {
	task, in := m.task, m.in
	rows := linked(task, in)
	x := t.follow(task, t.ofList(m.own), in, rows)
	if t.done != nil && t.done.Skill.Reads() && drafts(&m.own, &x) {
		x = m.own
	}
	if x.FollowUp && x.Skill.Calls() { // of a limit, "only" says no more
		x.Unused = slices.DeleteFunc(x.Unused, func(w string) bool { return onlyWords[strings.ToLower(w)] })
	}
	if y := t.composed(task, in, &x); y != nil {
		x = *y
	}
	if lost := t.inverted(&x); lost {
		return notApplied(m.own, task, t.done)
	}
	if y := t.together(m); y != nil {
		return *y
	}
	if !complete(&x) || t.done != nil && same(&x, t.done) {
		if y := counted(task, in, rows); y != nil {
			return *y
		}
	}
	if t.unsearched() && !x.Skill.Calls() && t.done != nil {
		return t.mayBeNames(task, m.own)
	}
	return t.onShown(task, in, t.keepPlace(t.sure(task, x, rows), rows), rows)
}

// unsearched reports whether the account's names are not loaded yet.
func (t *talk) unsearched() bool {
	return len(t.in.Names) == 0 && (len(t.in.Known) == 0 || t.in.Unsearched)
}

// composed reads a message as a change of the query that says the same as the look-up before (rule R418): what a list
// of payments cannot show, such as its sums by item, the query can. It returns nil if that says nothing.
func (t *talk) composed(task string, in language.Input, x *language.Reading) *language.Reading {
	if t.done == nil || !lookUps[t.done.Skill] || x.FollowUp && complete(x) && x.Skill != language.Analyze {
		return nil
	}
	base := t.done.Base(in.Catalogue, in.Now)
	if base == nil {
		return nil
	}
	in.Previous = base
	y := language.Read(task, in)
	if !y.FollowUp || !complete(&y) || y.Query == nil || same(&y, base) {
		return nil
	}
	if t.ofSome() { // "последние 5 отгрузок"
		q := notSure(y, task, t.done)
		return &q
	}
	ofSums := func(w analysis.Condition) bool { // "больше 10 тысяч" is about documents, and not about their sums
		m, ok := in.Catalogue.Measure(w.Field)
		return ok && m.Unit == tool.UnitMoney && len(w.Values) > 0 && w.Values[0] != "0" && w.Of == ""
	}
	if t.done.Skill == language.Documents && slices.ContainsFunc(y.Query.Where, ofSums) {
		return nil
	}
	return &y
}

// mayBeNames returns a reading that is not understood with its strange words as possible names, which are looked up
// first.
func (t *talk) mayBeNames(task string, own language.Reading) language.Reading {
	s := t.parts(task, true)
	for _, p := range s.parts {
		named := p.slots[0] == slot(typed.SpanDimension) && p.core > 0 &&
			s.ts[p.core].Raw != s.norm(p.core) // "только Продукты" is a group
		if len(own.Unknown) == 0 && (p.slots[0] == "unknown" || named) {
			own.Unknown = append(own.Unknown, language.Phrase{Words: s.words(p.core, p.to), Kinds: []connector.NameKind{
				connector.NameGroup, connector.NameProduct, connector.NameStore, connector.NameCounterparty,
				connector.NameEmployee}})
		}
	}
	own.FollowUp = len(own.Unknown) > 0
	return own
}

// follow returns the reading of a message as a change of the task before it, or its own.
func (t *talk) follow(task string, own language.Reading, in language.Input,
	rows bool) language.Reading {
	if t.done != nil && t.done.Skill == language.Document && ofDocument(task) {
		return language.Reading{Task: task, Language: own.Language, Skill: t.done.Skill, Input: t.done.Input,
			FollowUp: true, Confidence: 1}
	}
	if last := t.said(len(in.Earlier)); last != nil && last.Question != nil && last.Skill.Proposes() &&
		opensAsCondition(task) && own.FollowUp && own.Skill.Reads() { // the draft that is asked about is meant
		t.in.Rows = in.Rows
		x := t.change(task, &own, last)
		if t.in.Rows = nil; x != nil {
			return *x
		}
		return withoutOptions(notSure(own, task, last))
	}
	figures := keeps(own) && !lookUps[before(in)] && !before(in).Proposes()
	if figures && (own.FollowUp || !continues(task)) {
		return own
	}
	if rows && !t.parts(task, true).counts() {
		return own // it is about rows of the last table
	}
	last := t.said(len(in.Earlier))
	if p := proposed(in, last); p != nil {
		p.Language = own.Language
		last = p
	}
	if last == nil || last.Question == nil && (figures || !t.is(last, in.Previous)) {
		return own
	}
	t.in.Rows = in.Rows
	x := t.change(task, &own, last)
	if t.in.Rows = nil; x != nil {
		return *x
	}
	if lookUps[last.Skill] && last.Question == nil && !own.FollowUp && opensAsCondition(task) &&
		!t.parts(task, true).subject() {
		return notApplied(own, task, last)
	}
	return own
}

// proposed returns the draft that was made, if the words that led to it do not say it by themselves any more,
// such as "подними первым трём цены на 5 %"; nil otherwise. Its task says all that the draft is (rule R812).
func proposed(in language.Input, last *language.Reading) *language.Reading {
	p := in.Previous
	if p == nil || !p.Skill.Proposes() || p.Question != nil ||
		last != nil && last.Question == nil && last.Skill == p.Skill && same(last, p) {
		return nil
	}
	d, ok := p.Input.(draft.Draft)
	if !ok || len(d.Items) > 0 && last != nil && last.Question == nil && last.Skill == p.Skill {
		return nil // the lines of a list may have been edited since, as those words say
	}
	for _, said := range slices.Backward(in.Earlier) {
		if said == p.Task {
			x, alone := *p, in
			alone.Previous = nil
			if y := language.Read(said, alone); last != nil && last.Question == nil && last.Skill == p.Skill ||
				complete(&y) && !same(&y, p) { // after margins, "подними им до 30" is one
				x.Task = ofRowsText(kindOf[p.Skill], d, p.Language)
			}
			return &x
		}
		if act.Read(said).Kind == act.None { // something else was said since
			return nil
		}
	}
	return nil
}

// ofRowsText returns a task that requests a draft, with a pronoun for the rows that were shown.
func ofRowsText(k draft.Kind, d draft.Draft, l stockhand.Language) string {
	r := d.RowsOf
	if k != draft.Prices || r == nil || r.Result == "" || r.Quantity+r.Column != "" {
		return draft.Text(k, d, l)
	}
	plain := d.Clone()
	plain.RowsOf = nil
	return draft.Text(k, plain, l) + l.Pick(" на них", " of them")
}

// notApplied says that a condition cannot be put on the answer before (rule R296): an answer to it alone would be to
// another question.
func notApplied(own language.Reading, task string, last *language.Reading) language.Reading {
	return language.Reading{Task: task, Language: own.Language, Outside: true, Confidence: 1,
		Refusal: fmt.Sprintf(own.Language.Pick(
			"«%s» к прошлому ответу («%s») применить не могу. Спросите целиком, одним вопросом.\n"+
				"Например: «остатки посуды дороже 500 рублей по товарам».",
			"I cannot apply “%s” to the last answer (“%s”). Ask it as one whole question.\n"+
				"For example: “stock of Посуда above 500 roubles by product”."), strings.Trim(task, " ?.!"), last.Task)}
}

// is reports whether the reading of what was said is the one that was carried out. A draft may have been edited since.
func (t *talk) is(said, done *language.Reading) bool {
	return done != nil && (same(said, done) || said.Skill == done.Skill && said.Skill.Proposes())
}

// lookUps are the skills whose follow-ups are no queries.
var lookUps = map[language.Skill]bool{language.Documents: true, language.Document: true, language.Product: true,
	language.Counterparty: true, language.Forecast: true, language.OverdueOrders: true, language.Shortages: true,
	language.Reference: true, language.FindProducts: true}

func before(in language.Input) language.Skill {
	if in.Previous == nil {
		return ""
	}
	return in.Previous.Skill
}

// keeps reports whether a reading needs nothing from the task before.
func keeps(r language.Reading) bool {
	return complete(&r) || r.FollowUp && r.Question != nil && r.Skill.Calls() && len(r.Unknown) == 0
}

// complete reports whether a reading calls a tool and uses every word.
func complete(r *language.Reading) bool {
	return r.Skill.Calls() && r.Question == nil && !r.Outside &&
		len(r.Unused)+len(r.Unknown)+len(r.Ignored) == 0
}

// asks reports whether a reading is a question with options, about something else than words that it did not
// understand.
func asks(r *language.Reading) bool {
	return r.Skill.Calls() && r.Question != nil && len(r.Question.Options) > 0 && !r.Outside && len(r.Unknown) == 0
}

// elliptical reports whether a message is short enough to leave something out, and no act such as "thanks".
func elliptical(task string) bool {
	n := 0
	for _, t := range token.Split(task) {
		if !t.Punctuation() {
			n++
		}
	}
	if n == 0 || n > mostWords || strings.Contains(task, "\n") {
		return false
	}
	switch act.Read(task).Kind {
	case act.None, act.Set, act.Scale, act.Drop, act.Keep, act.Total:
		return true
	default:
		return false
	}
}

// everyGood is the end of the option that takes all goods which a name fits.
var everyGood = regexp.MustCompile(`: (?:все подходящие товары|all matching products) \(\d+\)$`)

// talk is a conversation while it is read.
type talk struct {
	in   language.Input    // without what was said before
	done *language.Reading // the last task that called a tool; nil for none
	all  bool              // of names that fit several goods, all were chosen
	read map[string]*language.Reading
}

// task reads a whole task by itself.
func (t *talk) task(text string) *language.Reading {
	if r := t.read[text]; r != nil {
		return r
	}
	r := language.Read(text, t.in)
	if q := r.Question; t.all && q != nil && len(q.Options) > 0 && everyGood.MatchString(q.Options[0].Text) {
		o := q.Options[0]
		r = language.Reading{Language: r.Language, Skill: o.Skill, Arguments: o.Arguments, Query: o.Query,
			Input:      o.Input,
			Confidence: 1}
	}
	r.Task = text
	if t.read == nil {
		t.read = map[string]*language.Reading{}
	}
	t.read[text] = &r
	return &r
}

// said returns the reading of the last of the first n messages that said something, with what it left out; nil if there
// is none. One that was not understood changes nothing.
func (t *talk) said(n int) *language.Reading {
	for ; n > 0; n-- {
		text := language.WithoutTalk(everyGood.ReplaceAllString(t.in.Earlier[n-1], ""))
		t.all = t.all || everyGood.MatchString(t.in.Earlier[n-1])
		if act.IsNoTask(text) || act.Read(text).Kind != act.None && !elliptical(text) {
			continue
		}
		own := t.task(text)
		if own.Skill == language.SmallTalk {
			continue
		}
		whole := own.Skill.Proposes() && own.Question != nil && strings.Contains(text, "«") // an answer, spelled out
		if elliptical(text) && !whole {
			if last := t.said(n - 1); last != nil {
				if x := t.change(text, own, last); x != nil {
					return x
				}
			}
		}
		if complete(own) || own.Question != nil && own.Skill.Calls() {
			return own
		}
	}
	return nil
}

// change reads a follow-up as a change of the task before it; nil if it is none.
func (t *talk) change(task string, own, last *language.Reading) *language.Reading {
	if x := t.refined(task, last); x != nil {
		return x
	}
	if x := t.appended(task, own, last); x != nil {
		return x
	}
	if last.Skill.Proposes() && last.Question == nil && opensWithOrdinal(task) {
		x := notSure(*own, task, last)
		x.Skill, x.Question.Options = last.Skill, nil
		return &x
	}
	old, now := t.parts(last.Task, lookUps[last.Skill]), t.parts(task, lookUps[last.Skill])
	if complete(own) && !continues(task) && !opensWithPreposition(task) &&
		(!lookUps[last.Skill] || !now.bare() && !now.flags()) {
		return nil
	}
	var question *language.Reading
	if last.Skill == language.FindProducts {
		return nil // a search takes any words
	}
	for _, text := range now.changes(old, last.Skill.Proposes() && last.Question == nil) {
		x := *t.task(text)
		if same(&x, last) && !now.counts() || complete(own) && x.Skill != last.Skill {
			continue
		}
		x.FollowUp = true
		if last.Question != nil && last.Skill.Proposes() && complete(&x) && dropsGoods(old, now, &x) {
			continue
		}
		keepsScope(&x, last)
		if !now.has("document") {
			keepKinds(&x, last)
		}
		if leavesRows(task, &x, last) {
			return keptRows(task, &x, last)
		}
		if complete(&x) && fits(&x, last) && !losesLines(task, &x, last) &&
			!losesGoods(now, &x, last) {
			return &x
		}
		if asks(&x) && question == nil && (x.Skill == last.Skill || last.Question != nil) {
			question = &x
		}
	}
	if question == nil && last.Question == nil {
		return t.narrowed(task, own, last)
	}
	return question
}

// opensWithOrdinal reports whether a message begins with the number of a row and says more: "первый, 5 кг".
func opensWithOrdinal(task string) bool {
	ts := token.Split(task)
	return len(ts) > 1 && ts[0].Kind == token.Word && refer.Ordinal(ts[0].Norm) > 0
}

// fits reports whether a changed task is still one of its kind: no look-up becomes a draft.
func fits(x, last *language.Reading) bool {
	return x.Skill.Proposes() == last.Skill.Proposes() && x.Skill != language.FindProducts ||
		last.Question != nil && x.Skill == last.Skill || x.Skill == last.Skill
}

// Same reports whether two readings call the same tool with the same input.
func Same(a, b *language.Reading) bool { return same(a, b) }

// same reports whether two readings call the same tool with the same input: then the words changed nothing.
func same(a, b *language.Reading) bool {
	if a.Skill != b.Skill || !a.Skill.Calls() || a.Question != nil || b.Question != nil {
		return false
	}
	return reflect.DeepEqual(plain(a.ToolInput()), plain(b.ToolInput()))
}

// plain returns an input as its JSON, whatever type it has here: that of a stored call is a map.
func plain(input any) (out any) {
	if raw, err := json.Marshal(input); err != nil || json.Unmarshal(raw, &out) != nil {
		return nil
	}
	return out
}
