package language

import (
	"cmp"
	"slices"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/language/act"
	"github.com/stockhand/stockhand/internal/language/compose/typed"
	"github.com/stockhand/stockhand/internal/language/courtesy"
	"github.com/stockhand/stockhand/internal/language/lookup"
	"github.com/stockhand/stockhand/internal/language/names"
	"github.com/stockhand/stockhand/internal/language/phrase"
	"github.com/stockhand/stockhand/internal/language/quantity"
	"github.com/stockhand/stockhand/internal/language/request"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// reader is one task while it is read. Read fills it from top to bottom, and stages decides what it means.
type reader struct {
	x     *lexicon
	in    Input
	task  string
	today time.Time

	ts       []token.Token
	known    []*names.Index // the names that the task may mention
	mentions []mention      // the account's names in the task
	language stockhand.Language
	quantity.Quantities
	found    []phrase.Found // the concepts in the task
	evidence *evidence
	ranking  []scored

	lost      []string // words for rows that the last table does not have
	aside     []string // words that only say something beside the question, and that the answer names
	explained bool     // a query that explains every word says the same as the skill's arguments
	ambiguous *mention // a word for one row of several

	named     []token.Token // the tokens once names were marked
	remarks   []int         // those that only say something beside the question
	light     bool          // words that change no figure are left out
	usual     bool          // a report says all that the query did
	converted bool          // the query says the same as a tool, and was not put together from the words
}

// NoMeasures is the catalogue of a task without an account.
var NoMeasures = &connector.Catalogue{}

// Read reads a task. It never fails: a task that it does not understand gives a Question or Outside.
//
// If loading names costs requests, call Read first without Input.Names, load the kinds of names in Reading.Unknown (for
// goods, search for the words), and call Read again with them.
func Read(task string, in Input) Reading {
	in.Catalogue = cmp.Or(in.Catalogue, NoMeasures)
	r := &reader{x: load(), in: in, today: quantity.Day(in.Now)}
	out := r.readTask(task)
	if lighter := r.withoutLight(task, &out); lighter != nil {
		return *lighter
	}
	return out
}

func (r *reader) readTask(task string) Reading {
	in := r.in
	r.task = moneyRanges(r.x.inLayout(task))
	r.ts = token.Split(r.task)
	r.ts = spellSizes(spellPacks(spellOut(r.ts)))
	out := Reading{Task: task}
	if act.IsNoTask(task) {
		out.Language, out.Outside, out.Confidence = languageOf(r.ts, in.spoken()), true, 1
		return out
	}
	if r.social(&out) {
		return out
	}
	r.readAccounts(&out)
	r.correct()
	courtesy.Mark(r.ts)
	r.readNames()
	r.readElided()
	if in.loaded() && !request.Reorders(r.ts) { // an order reads its own reasons (rule R1134)
		r.remarks = courtesy.MarkRemarks(r.ts, func() []bool { return typed.Conditions(r.composeInput(r.ts)) })
	}
	r.readRows()
	if r.light {
		at, _ := courtesy.Light(r.ts)
		for _, i := range at {
			r.ts[i].Use = token.AsAccount
		}
	}
	r.lying()
	r.named = slices.Clone(r.ts)
	if r.defines(&out) {
		return out
	}
	r.read(&out)
	r.asNotYet(&out)
	r.whichMeaning(&out)
	r.whichRow(&out)
	r.impossible(&out)
	r.mayBeExpense(&out)
	out.Mentioned = r.mentioned()
	return out
}

// read reads the task once the names are known.
func (r *reader) read(out *Reading) {
	asWritten := slices.Clone(r.ts)
	r.x.repair(r.ts)
	for i := range r.ts { // a word of another part of the reader is spelt right: "весит" is not "висит"
		if r.ts[i].Typo && (typed.Known(r.in.Catalogue, asWritten, i) || lookup.Known(asWritten, i)) {
			r.ts[i] = asWritten[i]
		}
	}
	respelled := r.respell(asWritten)
	if r.language = languageOf(r.ts, r.in.spoken()); r.language == stockhand.English {
		r.language = languageOf(respelled, r.in.spoken())
	}
	if r.in.Written != "" && r.in.Written != out.Task { // "по складам" for "where"
		r.language = r.writtenIn()
	}
	out.Language = r.language
	r.Quantities = quantity.Read(r.ts, r.today)
	r.found = slices.DeleteFunc(r.x.Find(r.ts), r.wasOrdered)
	if r.smallTalk() {
		out.Skill, out.Confidence = SmallTalk, 1
		out.greets = slices.ContainsFunc(r.found, func(f phrase.Found) bool { return f.Meaning == conceptGreeting })
		return
	}
	r.collectEvidence()
	out.Unknown = r.unknown()
	r.collectUnknown(out.Unknown)
	out.Consolidate = out.Consolidate || r.evidence.has(conceptConsolidate) && !r.ofMoney()
	if len(r.Periods) > 0 {
		p := r.Periods[0]
		out.Period = r.task[r.ts[p.At].Start:r.ts[p.End-1].End]
	}
	for _, stage := range stages {
		if stage(r, out, asWritten, respelled) {
			break
		}
	}
}

// stage reads the task in one way. It leaves the reading so far as it is, unless its own explains more of the task: so
// says the stage, and nothing else. It reports whether the reading is final. The tokens are those of the task as it is
// written, and with the misspelt words of questions about figures corrected.
type stage func(r *reader, out *Reading, asWritten, respelled []token.Token) (final bool)

// stages are the ways to read a task, in their order (docs/decisions/0094). What a message does in a conversation is
// known before (packages courtesy and act), and what it leaves out is in the task before it (package talk).
var stages = []stage{(*reader).asFixedReport, (*reader).asRequest, (*reader).asComposed, (*reader).asLookUp,
	(*reader).asCard, (*reader).asPayments, (*reader).asCustomers, (*reader).nameLeftOver}

// asFixedReport reads a report with fixed arguments, or that the task is nothing for Stockhand: the sums of weighed
// words, which only count where no stage below explains the task.
func (r *reader) asFixedReport(out *Reading, _, _ []token.Token) bool {
	r.ranking = r.x.rank(r.evidence)
	r.decide(out)
	return false
}

// asRequest reads a request for a draft (package proposal). Nothing but a request is read as one, and no request as
// anything else.
func (r *reader) asRequest(out *Reading, asWritten, _ []token.Token) bool {
	if r.asksOfPurchases(asWritten) {
		if out.Skill.Proposes() {
			r.outside(out)
		}
		return false
	}
	if !r.propose(out, asWritten) {
		return false
	}
	out.Unused = r.lost
	return true
}

// asComposed reads a query (package compose): the reading if it explains every word, whatever report came before,
// unless the report says exactly the same (rule R270). With words left over, it counts if they may be names or can be
// asked about, and the report explains no more.
func (r *reader) asComposed(out *Reading, asWritten, respelled []token.Token) bool {
	r.compose(out, respelled)
	r.inAnotherTool(out)
	r.asUsual(out, asWritten)
	r.moneyThen(out)
	return false
}

// asLookUp reads a look-up (package lookup): the reading if it explains every word and is about no figures (rule R310).
func (r *reader) asLookUp(out *Reading, asWritten, _ []token.Token) bool {
	r.lookUp(out, asWritten)
	return false
}

// asCard reads the card of what the task names and says no more about (rule R303).
func (r *reader) asCard(out *Reading, _, _ []token.Token) bool {
	r.card(out)
	r.ofVariants(out)
	return false
}

// nameLeftOver names what no stage explained beside the answer, or asks about it (rules R265 and R504).
func (r *reader) nameLeftOver(out *Reading, asWritten, _ []token.Token) bool {
	out.Unused = slices.Concat(r.unused(out, asWritten), r.lost, r.aside)
	r.askOfIgnored(out)
	if len(out.Unknown) > 0 && out.Said == "" && out.Skill.Reads() && out.Input == nil { // shown without these words
		out.Said = r.option(out.Skill, out.Arguments).Text
	}
	return true
}

// wasOrdered reports whether words for what to buy are about what somebody bought: "что заказала Альфа".
func (r *reader) wasOrdered(f phrase.Found) bool {
	return f.Meaning == conceptToBuy && slices.ContainsFunc(f.At, func(i int) bool { return ordered[r.ts[i].Norm] })
}

var ordered = words.Set("заказал заказала")

// outside takes back what was read: nothing of it is for Stockhand.
func (r *reader) outside(out *Reading) {
	*out = Reading{Task: out.Task, Language: out.Language, Account: out.Account, Accounts: out.Accounts,
		Alike: out.Alike, Period: out.Period, Outside: true, Unknown: out.Unknown}
}

// inAnotherTool answers a reading with a tool that shows the same and more of what was asked for.
func (r *reader) inAnotherTool(out *Reading) {
	r.assembled(out)
	r.turnoverBy(out)
	r.whichStore(out)
	r.flowOf(out)
	r.ofManyYears(out)
}

// ofMoney reports whether "all accounts" of a task are those that money lies on, while one account is connected.
func (r *reader) ofMoney() bool {
	return len(r.in.Accounts) <= 1 && r.evidence.has(conceptMoney, conceptMoneyBalance)
}

// asksOfPurchases reports whether a task asks what was bought or is bought, and orders nothing: "у кого больше всего
// закупаем", "почём покупали чай".
func (r *reader) asksOfPurchases(ts []token.Token) bool {
	buys, asks := false, false
	if r.namesOrders(ts) {
		return true
	}
	for i := range ts {
		w := ts[i].Norm
		asks = asks || factWords[w] && (i < 3 || ts[i-1].Norm == "у") // "Восток или Чайный дом, у кого закупаем"
		buys = buys || buyingWords[w]
		if draftWords[w] {
			return false
		}
	}
	return buys && asks
}

var (
	factWords = words.Set("кто кого кому кем где когда почем сколько какой какая какие каких what who " +
		"whom when which how")
	buyingWords = words.Set("закупать покупать брать закупаться заказывать возить завозить закупаем " +
		"закупали закупили закупаемся покупаем покупали купили берем брали взяли bought")
	draftWords = words.Set("закажи закажите заказать закупи закупить купи купить докупить докупи сделай " +
		"создай подготовь оформи составь надо нужно пора стоит order reorder draft create make prepare should " +
		"need")
)

// decide turns the ranking into a skill, a question or Outside.
func (r *reader) decide(out *Reading) {
	best := r.ranked(0)
	switch {
	case r.outOfScope(best):
		out.Outside, out.Confidence, out.Unknown = true, 1, r.aboutNames(out.Unknown)
		out.AboutName = len(out.Unknown) > 0
	case r.ofOtherNames(out):
	case best.score < minScore:
		out.Question = r.vague()
		switch {
		case out.Question != nil:
			out.Unknown = append(out.Unknown, r.channel()...)
		case r.evidence.has(conceptGreeting) && len(out.Unknown) == 0:
			out.Skill, out.Confidence, out.greets = SmallTalk, 1, true
		default:
			out.Outside, out.AboutName = true, len(r.aboutNames(out.Unknown)) > 0
		}
	default:
		r.takeBest(out)
	}
}

// takeBest decides for the skill with the best score, or asks when another is close.
func (r *reader) takeBest(out *Reading) {
	best, second := r.ranked(0), r.ranked(1)
	if best.skill == SmallTalk && second.score >= minScore { // "добрый день, какие остатки?"
		best, second = second, r.ranked(2)
	}
	if best.skill == Help && !r.evidence.has(conceptHelp) {
		out.Outside = true
		return
	}
	out.Confidence = min(1, (best.score-second.score)/best.score+0.2)
	r.fillSkill(out, best.skill)
	r.carryNames(out)
	near := second.skill.Calls() && second.score >= minScore && best.score-second.score < closeMargin
	if out.Question == nil && near {
		out.Question = r.closeCall(best.score)
	}
}

// ranked returns the skill at a place of the ranking; none has a score of 0.
func (r *reader) ranked(i int) scored {
	if i < len(r.ranking) {
		return r.ranking[i]
	}
	return scored{}
}

// fillSkill sets the skill and its arguments, and asks for what the skill cannot do without.
func (r *reader) fillSkill(out *Reading, s Skill) {
	if out.Skill = s; s.Proposes() { // package proposal reads the request
		return
	}
	out.Arguments = r.fill(s)
	r.applyNames(out, s)
	switch {
	case out.Question != nil:
	case s == FindProducts && out.Arguments.Query == "":
		out.Question = &Question{Text: r.language.Pick("Что найти? Напишите название, артикул или штрихкод.",
			"What shall I look for? Give a name, an article or a barcode.")}
	case s == Reference && out.Arguments.Kind == "":
		out.Question = r.whichList()
	case skills[s].period:
		out.Question = r.future(s, out.Arguments)
	}
	out.Unknown = r.relevant(out.Unknown, s)
}

// ofManyYears takes the sales of many years as a query: the report of sales by interval refuses a period that long.
func (r *reader) ofManyYears(out *Reading) {
	if out.Skill != SalesTrend || len(r.Periods) != 1 || !r.Periods[0].From.AddDate(2, 0, 0).Before(r.Periods[0].To) ||
		r.Periods[0].From.IsZero() || out.Arguments.Interval != "" {
		return
	}
	if q := out.asQuery(); q != nil && r.explained {
		r.answerBy(out, q)
	}
}

// languageOf returns the language of most words. Text in quotes does not count.
func languageOf(ts []token.Token, spoken stockhand.Language) stockhand.Language {
	ru, en, named, foreign := 0, 0, 0, false
	for i, t := range ts {
		if t.Kind != token.Word || token.HasDigit(t.Norm) || latinTerms[t.Norm] ||
			token.Compares(t.Raw[:1]) {
			continue
		}
		foreign = t.Cyrillic && i > 0 && (startsUpper(t.Raw) || foreign && ts[i-1].Kind != token.Mark)
		if t.Cyrillic && (t.Use == token.AsName || foreign) { // the account's names are Russian in English tasks, too
			ru++
			named++
		} else if t.Cyrillic {
			ru += 2
		} else if token.IsCyrillic(names.Transliterate(t.Norm)) {
			en++
			if englishWords[t.Norm] {
				en += 2
			}
		}
	}
	switch {
	case en == 0 && ru == named && spoken != "": // a name by itself
		return spoken
	case en > ru, en > 0 && ru == named, ru == named && opensInEnglish(ts):
		return stockhand.English
	}
	return stockhand.Russian
}

// spoken returns the language of the conversation.
func (in *Input) spoken() stockhand.Language {
	if in.Spoken == "" && in.Previous != nil {
		return in.Previous.Language
	}
	return in.Spoken
}

// writtenIn returns the language of the message that the task says in other words.
func (r *reader) writtenIn() stockhand.Language {
	ts := token.Split(r.x.inLayout(r.in.Written))
	r.x.repair(ts)
	for i := range ts {
		named := func(t token.Token) bool { return t.Use == token.AsName && t.Norm == ts[i].Norm }
		if slices.ContainsFunc(r.ts, named) {
			ts[i].Use = token.AsName
		}
	}
	return languageOf(ts, r.in.spoken())
}

// opensInEnglish reports whether the first word is an English one, and no name: "order 10 соль экстра".
func opensInEnglish(ts []token.Token) bool {
	for i := range ts {
		if ts[i].Kind == token.Word {
			return !ts[i].Cyrillic && ts[i].Use != token.AsName && request.Orders(ts[i].Norm)
		}
	}
	return false
}

// latinTerms are words in Latin letters that Russian tasks have as well.
var latinTerms = words.Set("abc xyz rfm sku ean ozon wb wildberries crm kpi excel xlsx csv pdf email")

var englishWords = words.Set("the is are what how which who do we of in for our much many show me my to on and at by " +
	"from all list with have has did any only without except just")
