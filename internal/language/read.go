package language

import (
	"slices"
	"strings"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/words"
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
	priced   int // index in priceWords of the kind of price a change is ordered of, or -1
	pricedAt int // its token
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
	if notATask(task) {
		out.Language, out.Outside, out.Confidence = languageOf(r.ts, in.Previous), true, 1
		return out
	}

	r.readAccounts(&out)
	names := matcher{x: r.x, ts: r.ts, names: withoutPriceTypes(in.Names)}
	r.mentions = names.mentions()
	r.x.repair(r.ts)
	r.language = languageOf(r.ts, in.Previous)
	out.Language = r.language
	r.readTime()
	r.found = r.x.find(r.ts)
	if r.smallTalk() {
		out.Skill, out.Confidence, out.greets = SmallTalk, 1,
			slices.ContainsFunc(r.found, func(f found) bool { return f.concept == conceptGreeting })
		return out
	}
	r.weigh()
	r.readPriceWord()
	out.Unknown = r.unknown()
	r.evidence.signals[signalUnknownName] = len(out.Unknown) > 0
	// Before the names are known, a word that may be one is taken for one; once they are, only a name found counts.
	r.evidence.signals[signalNamesNotLoaded] = len(out.Unknown) > 0 && len(in.Names) == 0
	r.evidence.signals[signalOnlyAName] = len(in.Names) == 0 && r.onlyAName(out.Unknown)
	out.Consolidate = out.Consolidate || r.evidence.has(conceptConsolidate)

	r.ranking = r.x.rank(r.evidence, r.ts)
	r.decide(&out)
	return out
}

// withoutPriceTypes leaves out the names that read like everyday words: "Цена продажи".
func withoutPriceTypes(names []connector.Name) []connector.Name {
	is := func(n connector.Name) bool { return n.Kind == connector.NamePriceType }
	if !slices.ContainsFunc(names, is) {
		return names
	}
	return slices.DeleteFunc(slices.Clone(names), is)
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

var englishWords = words.Set("the is are what how which who do we of in for our much many show me my to on and at by from all list with have has did any")

// readTime reads periods, durations and numbers.
func (r *reader) readTime() {
	c := &calendar{ts: r.ts, today: r.today}
	r.durations = c.durations()
	r.periods = c.periods()
	r.round = c.readRounding()
	c.readNumbers(&r.quantities)
}

// weigh collects what the rules look at.
func (r *reader) weigh() {
	e := &evidence{names: map[connector.NameKind]bool{}}
	for _, f := range r.found {
		e.concepts[f.concept]++
	}
	for _, m := range r.mentions {
		for _, n := range m.meanings {
			e.names[n.Kind] = true
		}
	}
	e.signals[signalPeriod] = len(r.periods) > 0
	e.signals[signalDuration] = len(r.durations) > 0
	e.signals[signalLongerThan] = slices.ContainsFunc(r.durations, func(d duration) bool { return d.over })
	e.signals[signalPercent] = r.percent != ""
	e.signals[signalAmount] = len(r.amounts) > 0
	e.signals[signalMoveOrder] = r.imperative(conceptMove, conceptCreate)
	e.signals[signalFromStore] = r.carries()
	e.signals[signalDiscountOrder] = r.imperative(conceptDiscount)
	e.signals[signalPercentOff] = r.off
	e.signals[signalCarryOrder] = r.imperative(conceptCarry) &&
		(e.signals[signalFromStore] || e.names[connector.NameStore] && r.imperative(conceptBring))
	e.signals[signalTwoStores] = len(slices.DeleteFunc(slices.Clone(r.mentions),
		func(m mention) bool { return !slices.ContainsFunc(m.meanings, isStore) })) > 1
	e.signals[signalBringOrder] = r.imperative(conceptBring)
	e.signals[signalBuyOrder] = r.buys()
	e.signals[signalRepriceOrder] = r.imperative(conceptReprice)
	e.signals[signalPriceOrder] = r.imperative(conceptRaise, conceptLower, conceptSetPrice)
	e.signals[signalMakeOrder] = r.imperative(conceptBuy, conceptCreate)
	r.evidence = e
	e.signals[signalDraftOrder] = r.drafting()
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
	if best.score < minScore {
		if q := r.vague(); q != nil {
			out.Question = q
			return
		}
		if e.has(conceptGreeting) && len(out.Unknown) == 0 {
			out.Skill, out.Confidence = SmallTalk, 1
			return
		}
		out.Outside = true
		return
	}
	if best.skill == SmallTalk && second.score >= minScore {
		best, second = second, r.top(2)
	}
	if best.skill == Help && !e.has(conceptHelp) {
		out.Outside = true
		return
	}
	out.Skill = best.skill
	out.Confidence = min(1, (best.score-second.score)/best.score+0.2)
	if second.score >= minScore && best.score-second.score < closeMargin && second.skill != SmallTalk &&
		second.skill != Help {
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
	if e.has(conceptConsolidate) && !e.has(conceptOutOfScope, conceptDelete) {
		return false
	}
	if r.imperative(conceptSendMessage) && !best.skill.Proposes() || r.imperative(conceptNewRecord) && r.newThing() {
		return true
	}
	score := 0.0
	if e.has(conceptOutOfScope) {
		score = outOfScopeScore
		if e.concepts[conceptOutOfScope] > 1 {
			score += moreOutOfScope
		}
	}
	if e.has(conceptForecast) && !e.has(conceptShortage, conceptToBuy) {
		score = max(score, outOfScopeScore)
	}
	if e.has(conceptMaybeOutOfScope) {
		score = max(score, maybeOutOfScope)
	}
	if e.has(conceptSending) && best.score < minScore {
		score = max(score, sendingScore)
	}
	if r.imperative(conceptDelete) && !best.skill.Proposes() && !e.has(conceptABC) && best.skill != Help {
		if !(e.has(conceptReport) && e.has(conceptCreate, conceptShow)) {
			score = max(score, deleteScore)
		}
	}
	if best.skill.Proposes() {
		return e.has(conceptOutOfScope) && len(r.mentions) == 0
	}
	if best.score < minScore && r.imperative(conceptCreate) && !e.has(conceptReport, conceptListWord, conceptShow) {
		return true // "создай товар"
	}
	return score > best.score || score > 0 && best.score-score < outOfScopeMargin
}

// newThing tells whether the task orders a new product, customer or other entry of a list: "заведи новый товар". An
// order, a report or a list may be made; an entry is not ours to make.
func (r *reader) newThing() bool {
	for _, f := range r.found {
		if f.concept != conceptNewRecord {
			continue
		}
		for i := f.at[0] + 1; i < len(r.ts) && i <= f.at[0]+4; i++ {
			t := &r.ts[i]
			if strings.HasPrefix(t.norm, "нов") || t.norm == "new" || t.norm == "a" || t.norm == "the" ||
				strings.HasPrefix(t.norm, "карточк") || t.norm == "еще" || t.norm == "another" || t.norm == "одного" ||
				t.norm == "один" {
				continue
			}
			return r.means(i, conceptProduct, conceptCustomer, conceptSupplier, conceptEmployee, conceptStore,
				conceptGroup, conceptOrganization)
		}
	}
	return false
}

// means tells whether token i is in a phrase of one of the concepts.
func (r *reader) means(i int, concepts ...concept) bool {
	return slices.ContainsFunc(r.found, func(f found) bool {
		return slices.Contains(f.at, i) && slices.Contains(concepts, f.concept)
	})
}

// settle fills the arguments of the skill and applies the names.
func (r *reader) settle(out *Reading, s Skill) {
	out.Skill = s
	out.Arguments = r.fill(s)
	r.applyNames(out, s)
	if out.Question == nil && s == FindProducts && out.Arguments.Query == "" {
		out.Question = &Question{Text: r.language.Pick("Что найти? Напишите название, артикул или штрихкод.",
			"What shall I look for? Give a name, an article or a barcode.")}
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
	r.finish(out, s)
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
		if len(ns) > 0 && out.Question == nil && r.excludes(m) {
			out.Question = r.withoutOrOnly(s, ns[0])
			continue
		}
		if k, ok := kindBeside(r.ts, m.at[0], m.at[len(m.at)-1]); ok {
			if same := slices.DeleteFunc(slices.Clone(ns), func(n connector.Name) bool { return n.Kind != k }); len(
				same) > 0 {
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
