package language

import (
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/connector"
)

// reader holds one task while it is read.
type reader struct {
	x        *lexicon
	in       Input
	task     string
	language stockhand.Language
	today    time.Time
	ts       []token
	mentions []mention
	quantities
	found    []found
	evidence *evidence
	ranking  []scored
}

// Read reads a task. It never fails: a task it cannot read is a Question or Outside.
//
// A caller whose account's names cost requests reads once without Input.Names, loads the kinds of names in
// Reading.Unknown when there are any (goods by a search for the words), and reads again with them.
func Read(task string, in Input) Reading {
	r := &reader{x: load(), in: in, task: task}
	y, m, d := in.Now.Date()
	r.today = dayOf(y, m, d)
	r.ts = tokenize(task)
	out := Reading{Task: task}

	r.readAccounts(&out)
	names := matcher{x: r.x, ts: r.ts, names: in.Names}
	r.mentions = names.mentions()
	r.x.repair(r.ts)
	r.language = languageOf(r.ts, in.Previous)
	out.Language = r.language
	r.readTime()
	r.found = r.x.find(r.ts)
	r.weigh()
	out.Unknown = r.unknown()
	r.evidence.other["unknown"] = len(out.Unknown) > 0
	out.Consolidate = out.Consolidate || r.evidence.is("CONSOLIDATE")

	r.ranking = r.evidence.rank(r.ts)
	r.decide(&out)
	return out
}

// languageOf is the language most words are in. Names in quotes do not count.
func languageOf(ts []token, previous *Reading) stockhand.Language {
	ru, en := 0, 0
	for _, t := range ts {
		if t.kind != word || hasDigit(t.norm) {
			continue
		}
		if t.cyrillic {
			ru += 2
		} else if isCyrillic(translit.Replace(t.norm)) {
			en++
			if englishWords[t.norm] {
				en += 2
			}
		}
	}
	switch {
	case ru == 0 && en == 0 && previous != nil:
		return previous.Language
	case en > ru:
		return stockhand.English
	}
	return stockhand.Russian
}

var englishWords = set("the is are what how which who do we of in for our much many show me my to on and at by from all list with have has did any")

// readTime reads periods, durations and numbers.
func (r *reader) readTime() {
	c := &calendar{ts: r.ts, today: r.today}
	r.durations = c.durations()
	r.periods = c.periods()
	c.readNumbers(&r.quantities)
}

// readAccounts finds which connected accounts the task mentions.
func (r *reader) readAccounts(out *Reading) {
	accounts := slices.Clone(r.in.Accounts)
	slices.SortStableFunc(accounts, func(a, b Account) int { return len(b.Label) - len(a.Label) }) // "Магазин 2" before "Магазин"
	low := normalize(r.task)
	for _, a := range accounts {
		if a.ID != "" && strings.Contains(low, normalize(string(a.ID))) {
			for i := range r.ts {
				if id := normalize(string(a.ID)); strings.Contains(id, r.ts[i].norm) && len(r.ts[i].norm) > 2 {
					r.ts[i].use = asAccount
				}
			}
			out.Accounts = append(out.Accounts, a)
			continue
		}
		if at := r.labelAt(a.Label); at != nil {
			for _, i := range at {
				r.ts[i].use = asAccount
			}
			for i := max(0, at[0]-2); i < min(len(r.ts), at[len(at)-1]+3); i++ {
				if accountWords[r.ts[i].norm] {
					r.ts[i].use = asAccount
				}
			}
			out.Accounts = append(out.Accounts, a)
		}
	}
	switch len(out.Accounts) {
	case 0:
	case 1:
		out.Account = &out.Accounts[0]
	default:
		same := slices.ContainsFunc(out.Accounts[1:], func(a Account) bool { return a.ID != out.Accounts[0].ID })
		if same {
			out.Consolidate = true
		} else {
			out.Account = &out.Accounts[0]
		}
	}
}

var accountWords = set("аккаунт аккаунта аккаунту аккаунте аккаунтом account кабинет кабинета кабинету кабинете подключение подключению подключения connection учетка учетке учетку")

// labelAt finds the words of a label together. A label made of everyday words counts only in quotes or beside a word
// such as "аккаунт".
func (r *reader) labelAt(label string) []int {
	var want []token
	for _, t := range tokenize(label) {
		if t.kind != mark {
			want = append(want, t)
		}
	}
	if len(want) == 0 {
		return nil
	}
	for i := range r.ts {
		if r.ts[i].use != unused {
			continue
		}
		if r.ts[i].kind == quoted && r.ts[i].norm == normalize(label) {
			return []int{i}
		}
		var at []int
		j, special := i, false
		for _, w := range want {
			for j < len(r.ts) && r.ts[j].kind == mark && len(at) > 0 {
				j++
			}
			if j >= len(r.ts) || r.ts[j].use != unused || r.ts[j].kind != w.kind || r.ts[j].stemOrNumber() != w.stemOrNumber() {
				at = nil
				break
			}
			if w.kind == word && !r.x.explains(&r.ts[j]) && !isKindWord(w.norm) {
				special = true
			}
			at = append(at, j)
			j++
		}
		if at == nil {
			continue
		}
		for k := max(0, i-2); k < min(len(r.ts), j+2); k++ {
			special = special || accountWords[r.ts[k].norm]
		}
		if special && (len(r.in.Accounts) > 1 || r.nearAccountWord(i, j)) {
			return at
		}
	}
	return nil
}

func (r *reader) nearAccountWord(i, j int) bool {
	for k := max(0, i-2); k < min(len(r.ts), j+2); k++ {
		if accountWords[r.ts[k].norm] {
			return true
		}
	}
	return false
}

// weigh collects what the rules look at.
func (r *reader) weigh() {
	e := &evidence{x: r.x, has: map[concept]int{}, other: map[string]bool{}, kinds: map[connector.NameKind]bool{}}
	for _, f := range r.found {
		e.has[f.concept]++
	}
	for _, m := range r.mentions {
		for _, n := range m.meanings {
			e.kinds[n.Kind] = true
		}
	}
	e.other["period"] = len(r.periods) > 0
	e.other["days"] = len(r.durations) > 0
	e.other["over"] = slices.ContainsFunc(r.durations, func(d duration) bool { return d.over })
	e.other["percent"] = r.percent != ""
	e.other["buy"] = r.imperative("BUYCMD")
	e.other["imperative"] = r.imperative("BUYCMD", "CREATE")
	r.evidence = e
}

// imperative tells whether a concept's word opens a clause as an order: nothing but padding stands before it.
func (r *reader) imperative(names ...string) bool {
	for _, f := range r.found {
		if !slices.Contains(names, r.x.concepts[f.concept]) {
			continue
		}
		i := f.at[0]
		last := f.at[len(f.at)-1]
		if last+1 < len(r.ts) && nounAfter[r.ts[last+1].norm] {
			continue
		}
		if r.opens(i) {
			return true
		}
	}
	return false
}

// nounAfter are words that make a noun of the English verb before them: "order list", "purchase report".
var nounAfter = set("list lists recommendations recommendation suggestions plan plans needs proposal volume report reports status statuses point points history summary analysis overview book total totals abc date dates")

// padding may stand before an order.
var padding = set("пожалуйста плиз пож ну а и давай давайте мне нам ты можешь можете сможешь надо нужно хочу прошу будь добр слушай привет здравствуйте добрый день так же тогда please pls can could would you kindly i want to need us hey hi hello now then and also go ahead just let let's lets бы еще быстро быстренько срочно ка теперь потом затем then okay ok окей")

func (r *reader) opens(i int) bool {
	for j := i - 1; j >= 0; j-- {
		t := &r.ts[j]
		if t.kind == mark {
			if strings.Contains(",.!;:-", t.norm) {
				return true
			}
			continue
		}
		if t.norm == "and" || t.norm == "и" || t.norm == "then" {
			return !r.asks(j)
		}
		if !padding[t.norm] {
			return false
		}
	}
	return true
}

// asks tells whether the words before token j ask a question: "что заканчивается и что заказать".
func (r *reader) asks(j int) bool {
	for i := range j {
		switch r.ts[i].norm {
		case "что", "чего", "какие", "какой", "сколько", "what", "which", "how":
			return true
		}
	}
	return false
}

// decide turns the ranking into an answer, a question or "outside".
func (r *reader) decide(out *Reading) {
	e := r.evidence
	best, second := r.top(0), r.top(1)
	if r.outside(best) {
		out.Outside, out.Confidence, out.Unknown = true, 1, nil
		return
	}
	if r.followUp(out, best) {
		return
	}
	if two := r.twoTasks(); two != nil && !best.skill.Proposes() {
		out.Question = r.ask(two...)
		out.Skill = two[0]
		out.Arguments = out.Question.Options[0].Arguments
		return
	}
	if best.score < enough {
		if q := r.vague(); q != nil {
			out.Question = q
			return
		}
		if e.is("GREET") && len(out.Unknown) == 0 {
			out.Skill, out.Confidence = Greeting, 1
			return
		}
		out.Outside = true
		return
	}
	if best.skill == Greeting && second.score >= enough {
		best, second = second, r.top(2)
	}
	if best.skill == Help && !e.is("HELP") {
		out.Outside = true
		return
	}
	out.Skill = best.skill
	out.Confidence = min(1, (best.score-second.score)/best.score+0.2)
	if second.score >= enough && best.score-second.score < margin && second.skill != Greeting && second.skill != Help {
		r.settle(out, best.skill)
		out.Question = r.closeCall(best.score)
		return
	}
	r.settle(out, best.skill)
}

func (r *reader) top(i int) scored {
	if i < len(r.ranking) {
		return r.ranking[i]
	}
	return scored{}
}

// outside tells whether the task asks for what Stockhand does not do: another field of life, or a change that no
// propose skill covers.
func (r *reader) outside(best scored) bool {
	e := r.evidence
	if e.is("CONSOLIDATE") && !e.is("OUTSIDE", "DESTROY") {
		return false
	}
	score := 0.0
	if e.is("OUTSIDE") {
		score = 4.6
		if e.has[e.x.byName["OUTSIDE"]] > 1 {
			score += 2
		}
	}
	if e.is("FORECAST") && !e.is("SHORT", "TOBUY") {
		score = max(score, 4.6)
	}
	if e.is("OUTWEAK") {
		score = max(score, 2.5)
	}
	if e.is("SENDING") && best.score < enough {
		score = max(score, 3)
	}
	if r.imperative("DESTROY") && !best.skill.Proposes() && !e.is("ABC") && best.skill != Help {
		if !(e.is("GENERIC") && e.is("CREATE", "SHOW")) {
			score = max(score, 20)
		}
	}
	if best.skill.Proposes() {
		return e.is("OUTSIDE") && len(r.mentions) == 0
	}
	if best.score < enough && r.imperative("CREATE") && !e.is("GENERIC", "LISTWORD", "SHOW") {
		return true // "создай товар"
	}
	return score > best.score || score > 0 && best.score-score < 0.8
}

// settle fills the arguments of the skill and applies the names.
func (r *reader) settle(out *Reading, s Skill) {
	out.Skill = s
	out.Arguments = r.fill(s)
	r.applyNames(out, s)
	if out.Question == nil && s == FindProducts && out.Arguments.Query == "" {
		out.Question = &Question{Text: r.language.Pick("Что найти? Напишите название, артикул или штрихкод.", "What shall I look for? Give a name, an article or a barcode.")}
	}
	if out.Question == nil && s == Reference && out.Arguments.Kind == "" {
		out.Question = r.whichList()
	}
	if out.Question == nil && skills[s].period {
		out.Question = r.future(s, out.Arguments)
	}
	if len(r.periods) > 0 {
		p := r.periods[0]
		if p.end <= len(r.ts) && p.at < p.end {
			out.Period = r.task[r.ts[p.at].start:r.ts[p.end-1].end]
		}
	}
	out.Unknown = r.relevant(out.Unknown, s)
}

// applyNames puts the names that the task mentions into the arguments. A place with several meanings that the skill
// takes becomes a question.
func (r *reader) applyNames(out *Reading, s Skill) {
	if s == FindProducts || s == Reference {
		return
	}
	var doubtful *mention
	for i := range r.mentions {
		m := &r.mentions[i]
		ns := accepted(m.meanings, s)
		if k, ok := kindBeside(r.ts, m.at[0], m.at[len(m.at)-1]); ok {
			if same := slices.DeleteFunc(slices.Clone(ns), func(n connector.Name) bool { return n.Kind != k }); len(same) > 0 {
				ns = same
			}
		}
		switch {
		case len(ns) == 0:
			out.Ignored = append(out.Ignored, Match{Name: m.meanings[0], Words: m.words, Exact: m.exact})
		case len(ns) == 1:
			out.Matched = append(out.Matched, Match{Name: ns[0], Words: m.words, Exact: m.exact})
			out.Arguments.add(ns[0], false)
		default:
			if doubtful == nil {
				doubtful = m
				m.meanings = ns
			}
		}
	}
	if doubtful != nil && out.Question == nil {
		out.Question = r.whichName(s, out.Arguments, doubtful)
	}
}

// accepted returns the meanings that the skill has an argument for; of one thing in two kinds, one.
func accepted(ns []connector.Name, s Skill) []connector.Name {
	var out []connector.Name
	for _, n := range ns {
		if n.Kind == connector.NameSupplier && slices.Contains(skills[s].names, connector.NameCounterparty) {
			n.Kind = connector.NameCounterparty // suppliers are counterparties
		}
		if !slices.Contains(skills[s].names, n.Kind) {
			continue
		}
		if !slices.ContainsFunc(out, func(o connector.Name) bool { return o.ID == n.ID && o.Kind == n.Kind }) {
			out = append(out, n)
		}
	}
	return out
}

// add puts a name into the argument of its kind, by id when another thing has the same name.
func (a *Arguments) add(n connector.Name, byID bool) {
	v := n.Name
	if byID && n.ID != "" {
		v = n.ID
	}
	var to *[]string
	switch n.Kind {
	case connector.NameStore:
		to = &a.Stores
	case connector.NameSupplier:
		to = &a.Suppliers
	case connector.NameGroup:
		to = &a.Groups
	case connector.NameProduct:
		to = &a.Products
	case connector.NameCounterparty:
		to = &a.Counterparties
	default:
		return
	}
	if !slices.Contains(*to, v) {
		*to = append(slices.Clone(*to), v)
	}
}

// unknown returns the runs of words that nothing explains.
func (r *reader) unknown() []Phrase {
	var out []Phrase
	for i := 0; i < len(r.ts); i++ {
		if !r.strange(i) {
			continue
		}
		first, last := i, i
		for j := i + 1; j < len(r.ts); j++ {
			t := &r.ts[j]
			switch {
			case r.strange(j) || t.kind == number && t.use == unused:
				last = j
				continue
			case t.kind == mark && t.glued && j+1 < len(r.ts) && r.ts[j+1].glued && strings.Contains("-/.+&", t.norm):
				continue
			case t.kind == word && (t.norm == "для" || t.norm == "с" || t.norm == "на") && j+1 < len(r.ts) && r.strange(j+1) && t.use == unused && r.ts[i].kind != quoted:
				continue
			}
			break
		}
		p := Phrase{Words: r.task[r.ts[first].start:r.ts[last].end], Named: r.ts[first].kind == quoted}
		if p.Named && first == last {
			p.Words = r.ts[first].raw
		}
		if k, ok := kindBeside(r.ts, first, last); ok {
			p.Kinds = append(p.Kinds, k)
			capital := startsUpper(r.ts[first].raw) || hasDigit(p.Words)
			p.Named = p.Named || capital
		} else {
			switch prev := r.normAt(first - 1); prev {
			case "у", "от", "from", "with":
				p.Kinds = append(p.Kinds, connector.NameSupplier, connector.NameCounterparty)
			case "на", "в", "во", "at", "in":
				p.Kinds = append(p.Kinds, connector.NameStore)
			}
		}
		for _, k := range append(goodsNames, connector.NameCounterparty) {
			if !slices.Contains(p.Kinds, k) {
				p.Kinds = append(p.Kinds, k)
			}
		}
		out = append(out, p)
		i = last
	}
	return out
}

func startsUpper(s string) bool {
	for _, c := range s {
		return unicode.IsUpper(c)
	}
	return false
}

func (r *reader) normAt(i int) string {
	if i < 0 || i >= len(r.ts) {
		return ""
	}
	return r.ts[i].norm
}

// strange tells whether token i is a word that the lexicon does not know.
func (r *reader) strange(i int) bool {
	t := &r.ts[i]
	if t.use != unused || t.typo {
		return false
	}
	if t.kind == quoted {
		return true
	}
	return t.kind == word && len([]rune(t.norm)) > 1 && !r.x.explains(t) && !isCalendarWord(t.norm) && !isKindWord(t.norm) && !padding[t.norm] && !accountWords[t.norm] && !r.inPhrase(i)
}

func (r *reader) inPhrase(i int) bool {
	return slices.ContainsFunc(r.found, func(f found) bool { return slices.Contains(f.at, i) })
}

// relevant keeps the phrases that may name something the skill takes, with those kinds only.
func (r *reader) relevant(ps []Phrase, s Skill) []Phrase {
	var out []Phrase
	takes := skills[s].names
	if s == SalesTrend {
		takes = goodsNames // sales of named goods are read as their profitability once the names are known
	}
	for _, p := range ps {
		p.Kinds = slices.DeleteFunc(slices.Clone(p.Kinds), func(k connector.NameKind) bool { return !slices.Contains(takes, k) })
		if len(p.Kinds) == 0 {
			continue
		}
		out = append(out, p)
	}
	return out
}
