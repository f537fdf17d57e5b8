package talk

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/language"
	"github.com/stockhand/stockhand/internal/language/act"
	"github.com/stockhand/stockhand/internal/language/draft"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

var (
	// addsLines open a message that adds lines to a list, with the words around them.
	addsLines = words.Set("добавь добавить добавьте добавим докинь докиньте докинуть допиши допишите дописать дозакажи " +
		"впиши впишите вписать включи включите положи приплюсуй присоедини ещё еще плюс также тоже add include plus also")
	aroundAdded = words.Set("и а да ну к туда в заказ заказу заказе черновик черновику черновике перемещение " +
		"перемещению список списку мне пожалуйста ок окей ладно and to the order draft list transfer please ok " +
		"then it another more")
	sameThere = words.Set("туда же тоже также пожалуйста there too as well please")
	kindOf    = map[language.Skill]draft.Kind{language.ProposeSupplierOrders: draft.Orders,
		language.ProposeTransfers: draft.Transfers, language.ProposePriceChange: draft.Prices,
		language.ProposeMinimumStocks: draft.Minimums}
)

// lists reports whether drafts of a skill may be lists of goods with quantities.
func lists(s language.Skill) bool {
	return s == language.ProposeSupplierOrders || s == language.ProposeTransfers
}

// refined reads a message that goes on with a list of goods and quantities, as drafts have: lines that are added to it,
// or changed in it. Everything else of the list stays. It returns nil for any other message.
func (t *talk) refined(task string, last *language.Reading) *language.Reading {
	for _, x := range []*language.Reading{reversed(task, last), redirected(task, last), t.putBack(task, last),
		t.addedPrice(task, last), t.edited(task, last)} {
		if x != nil {
			return x
		}
	}
	if o := offered(last); o != nil {
		if x := t.edited(task, o); x != nil {
			return x
		}
		if d := o.Input.(draft.Draft).Clone(); edit(task, &d) {
			return of(o, d)
		}
	}
	if x := t.limited(task, last); x != nil {
		return x
	}
	task = asMany(task, last)
	if x := t.addedElsewhere(task, last); x != nil {
		return x
	}
	d, ok := last.Input.(draft.Draft)
	if !lists(last.Skill) || last.Question != nil || !ok || len(d.Items) == 0 || d.RowsOf != nil {
		return nil
	}
	if x := t.added(task, last, &d); x != nil {
		return x
	}
	d = d.Clone()
	if !edit(task, &d) {
		return nil
	}
	return of(last, d)
}

func of(last *language.Reading, d draft.Draft) *language.Reading {
	return &language.Reading{Task: draft.Text(kindOf[last.Skill], d, last.Language), Language: last.Language,
		Skill: last.Skill, Input: d, FollowUp: true, Confidence: 1}
}

// added reads the lines that a message adds: "и ещё 10 чая", "добавь в заказ сахар 5 шт". Those that it has already
// become more.
func (t *talk) added(task string, last *language.Reading, d *draft.Draft) *language.Reading {
	rest, adds := addition(task)
	if !adds {
		return nil
	}
	l, verb := last.Language, last.Language.Pick("Закажи ", "Order ")
	if last.Skill == language.ProposeTransfers {
		verb = l.Pick("Перемести ", "Transfer ")
	}
	end := ""
	if len(d.FromStores) == 1 && len(d.Stores) == 1 {
		end = l.Pick(" со склада «"+d.FromStores[0]+"» на склад «"+d.Stores[0]+"»",
			" from the warehouse “"+d.FromStores[0]+"” to the warehouse “"+d.Stores[0]+"”")
	}
	x := *t.task(verb + rest + end)
	if x.Skill != last.Skill || len(x.Unknown) > 0 {
		return nil
	}
	if x.Question == nil {
		more, ok := x.Input.(draft.Draft)
		if !ok || !listed(&more) {
			return nil
		}
		return of(last, joined(d, &more))
	}
	q := *x.Question
	q.Options = nil
	for _, o := range x.Question.Options {
		more, ok := o.Input.(draft.Draft)
		if !ok || o.Skill != last.Skill || !listed(&more) {
			return nil
		}
		all := joined(d, &more)
		text := draft.Text(kindOf[last.Skill], all, l)
		if everyGood.MatchString(o.Text) { // its goods are known by their IDs
			text = draft.Text(kindOf[last.Skill], *d, l) + l.Pick(", ещё ", ", and ") +
				strings.TrimPrefix(o.Text, verb)
		}
		q.Options = append(q.Options, language.Option{Text: text, Skill: o.Skill, Input: all})
	}
	x.Question, x.FollowUp, x.Input = &q, true, nil
	return &x
}

// addition returns what a message adds to a list, without the words that only say so: of "и ещё чай допиши, десяток"
// "чай, десяток".
func addition(task string) (rest string, adds bool) {
	ts := token.Split(task)
	from, to := 0, len(ts)
	for ; from < to; from++ {
		w := ts[from].Norm
		adds = adds || addsLines[w] || from == 0 && (w == "и" || w == "and")
		if !ts[from].Punctuation() && !addsLines[w] && !aroundAdded[w] {
			break
		}
	}
	for to > from && (ts[to-1].Punctuation() || sameThere[ts[to-1].Norm] || addsLines[ts[to-1].Norm]) {
		adds = adds || addsLines[ts[to-1].Norm]
		to--
	}
	at := from // of what is not written yet
	var b strings.Builder
	for i := from; i < to; i++ {
		if addsLines[ts[i].Norm] {
			b.WriteString(task[ts[at].Start:ts[i].Start])
			at, adds = i+1, true
			for at < to && ts[at].Norm == "," { // "допиши, десяток"
				at++
			}
			i = at - 1
		}
	}
	if at < to {
		b.WriteString(task[ts[at].Start:ts[to-1].End])
	}
	rest = strings.TrimSpace(b.String())
	return rest, adds && rest != ""
}

// addedElsewhere reads lines that are added to a request that is still asked about, or to a draft that is no list: they
// are part of the request, or make a draft of their own (rule R768).
func (t *talk) addedElsewhere(task string, last *language.Reading) *language.Reading {
	d, ok := last.Input.(draft.Draft)
	open := last.Question != nil
	rest, adds := addition(task)
	if !lists(last.Skill) || !adds || !open && (!ok || len(d.Items) > 0 && d.RowsOf == nil) {
		return nil
	}
	l := last.Language
	if open {
		x := *t.task(strings.TrimRight(last.Task, " .!?") + l.Pick(" и ", " and ") + rest)
		if x.Skill != last.Skill || !complete(&x) && !asks(&x) {
			return nil
		}
		x.FollowUp = true
		return &x
	}
	x := *t.task(l.Pick("Закажи ", "Order ") + rest)
	if last.Skill == language.ProposeSupplierOrders && x.Skill == last.Skill && asks(&x) {
		q := *x.Question
		q.Options = slices.Clone(q.Options)
		for i, o := range q.Options {
			if more, ok := o.Input.(draft.Draft); ok && listed(&more) && placed(&more, &d) {
				q.Options[i].Input, q.Options[i].Text = more, draft.Text(kindOf[x.Skill], more, l)
			}
		}
		x.Question, x.FollowUp = &q, true
		return &x
	}
	more, ok := x.Input.(draft.Draft)
	if last.Skill != language.ProposeSupplierOrders || x.Skill != last.Skill || !complete(&x) || !ok || !listed(&more) {
		return nil
	}
	placed(&more, &d)
	x.Input, x.FollowUp = nil, true
	x.Question = &language.Question{Text: l.Pick("В заказ по условию отдельные строки не добавить. Подготовить на них "+
		"отдельный заказ?", "No lines can be added to an order that is made of a condition. Prepare an order of its "+
		"own for them?"), Options: []language.Option{{Text: draft.Text(kindOf[x.Skill], more, l),
		Skill: x.Skill, Input: more}}}
	return &x
}

// placed gives an order the supplier and the warehouse of the one before it, where it says none (rule R792). It reports
// whether that changed anything.
func placed(more, d *draft.Draft) bool {
	changed := false
	if len(more.Suppliers) == 0 && len(d.Suppliers) == 1 {
		more.Suppliers, changed = d.Suppliers, true
	}
	if store := cmp.Or(d.Store, only(d.Stores)); more.Store == "" && len(more.Stores) == 0 && store != "" {
		more.Store, changed = store, true
	}
	return changed
}

// only returns the only name of a list; "" if there are none or several.
func only(names []string) string {
	if len(names) != 1 {
		return ""
	}
	return names[0]
}

// offered returns the one draft that a question offers as what was said, so that another figure changes it (rule
// R792): "её сделай 15" after "подготовить на них отдельный заказ?". It returns nil for any other question.
func offered(last *language.Reading) *language.Reading {
	if last.Question == nil || len(last.Question.Options) != 1 {
		return nil
	}
	o := last.Question.Options[0]
	d, ok := o.Input.(draft.Draft)
	if !ok || !lists(o.Skill) || !listed(&d) {
		return nil
	}
	return &language.Reading{Task: o.Text, Language: last.Language, Skill: o.Skill, Input: d, Confidence: 1}
}

// losesLines reports whether a follow-up leaves out a line of a list of several, and no word of it says so.
func losesLines(task string, x, last *language.Reading) bool {
	was, ok1 := last.Input.(draft.Draft)
	now, ok2 := x.Input.(draft.Draft)
	if !ok1 || !ok2 || !lists(last.Skill) || len(was.Items) < 2 || last.Question != nil {
		return false
	}
	for _, t := range token.Split(task) {
		if insteadWords[t.Norm] || excepting[t.Norm] || removeWords[t.Norm] || onlyWords[t.Norm] || t.Norm == "нет" ||
			t.Norm == "no" {
			return false
		}
	}
	return slices.ContainsFunc(was.Items, func(item draft.Item) bool {
		return !slices.ContainsFunc(now.Items, func(o draft.Item) bool { return o.Product == item.Product })
	})
}

// leavesRows reports whether a follow-up of a draft of a table's rows is of other goods altogether, and no word
// of it says so: "только на инструмент" means those rows that are tools.
func leavesRows(task string, x, last *language.Reading) bool {
	was, ok1 := last.Input.(draft.Draft)
	now, ok2 := x.Input.(draft.Draft)
	if !ok1 || !ok2 || x.Skill != last.Skill || was.RowsOf == nil || was.RowsOf.Result == "" || now.RowsOf != nil {
		return false
	}
	return !slices.ContainsFunc(token.Split(task), func(t token.Token) bool {
		return insteadWords[t.Norm] || otherRows[t.Norm]
	})
}

// otherRows are words that say that other goods are meant.
var otherRows = words.Set("а нет все всё no all")

// keptRows asks whether other goods take the place of a table's rows.
func keptRows(task string, x, last *language.Reading) *language.Reading {
	l := last.Language
	now := x.Input.(draft.Draft)
	y := *x
	y.Input, y.FollowUp = nil, true
	if !now.Scoped() { // nothing of it was understood
		y.Question = &language.Question{Text: fmt.Sprintf(l.Pick("Не понял «%s». Черновик не изменён.",
			"I do not understand “%s”. The draft is unchanged."), strings.Trim(task, " ?.!"))}
		return &y
	}
	y.Question = &language.Question{Text: fmt.Sprintf(l.Pick(
		"Черновик по строкам таблицы сузить до «%s» не могу. Покажите таблицу с этим условием и скажите «на них», "+
			"или сделать для всех таких товаров?",
		"I cannot narrow a draft of a table's rows to “%s”. Show the table with that condition and say "+
			"“them”, or shall I take all such goods?"), strings.Trim(task, " ?.!")),
		Options: []language.Option{{Text: draft.Text(kindOf[x.Skill], now, l), Skill: x.Skill, Input: now}}}
	return &y
}

// asMany puts the quantity of the last line in place of "столько же".
func asMany(task string, last *language.Reading) string {
	d, ok := last.Input.(draft.Draft)
	if !ok || len(d.Items) == 0 {
		return task
	}
	if says(task, sameAgain, aroundSame) {
		return last.Language.Pick("увеличь всё в 2 раза", "double everything")
	}
	for _, said := range []string{"столько же", "Столько же", "the same quantity of", "as many"} {
		if strings.Contains(task, said) {
			return "ещё " + strings.Replace(task, said, d.Items[len(d.Items)-1].Quantity, 1)
		}
	}
	return task
}

// Of a message that orders what was just ordered once more: "ещё столько же".
var (
	sameAgain  = words.Set("столько same")
	aroundSame = words.Set("ещё еще и же того самого сколько было the again amount quantity more")
)

// listed reports whether a draft is nothing but a list, so that it can be joined to another.
func listed(d *draft.Draft) bool {
	return len(d.Items) > 0 && d.RowsOf == nil && len(d.Where) == 0 && d.Except == nil && d.Delivery == ""
}

// joined returns a list with the lines of another.
func joined(d, more *draft.Draft) draft.Draft {
	out := d.Clone()
	for _, item := range more.Items {
		i := slices.IndexFunc(out.Items, func(x draft.Item) bool { return strings.EqualFold(x.Product, item.Product) })
		if i < 0 {
			out.Items = append(out.Items, item)
			continue
		}
		was, err1 := decimal.Parse(out.Items[i].Quantity)
		plus, err2 := decimal.Parse(item.Quantity)
		if err1 == nil && err2 == nil {
			out.Items[i].Quantity = was.Add(plus).String()
		}
	}
	for _, s := range more.Suppliers {
		if !slices.Contains(out.Suppliers, s) {
			out.Suppliers = append(out.Suppliers, s)
		}
	}
	return out
}

// edit carries out the edits of lines that a message says, all or none, and reports whether it could.
func edit(task string, d *draft.Draft) bool {
	acts := act.Several(task)
	if acts == nil {
		return changed(act.Read(task), d)
	}
	for _, a := range acts {
		if !changed(a, d) {
			return false
		}
	}
	return true
}

// changed carries out an edit of lines as it was carried out on the draft, and reports whether it could.
func changed(a act.Act, d *draft.Draft) bool {
	if a.Bound.Value != "" { // the lines know their prices
		return false
	}
	fits := func(name string) (at []int) {
		for i := range d.Items {
			if act.Names(name, d.Items[i].Product) {
				at = append(at, i)
			}
		}
		return at
	}
	var chosen []int
	for _, n := range a.Lines {
		if n < 0 {
			n = len(d.Items)
		}
		if n < 1 || n > len(d.Items) {
			return false
		}
		chosen = append(chosen, n-1)
	}
	for _, name := range a.Names {
		these := fits(name)
		if len(these) == 0 || len(these) > 1 && a.Kind == act.Set {
			return false
		}
		chosen = append(chosen, these...)
	}
	if a.Kind == act.Set && a.Each {
		for i := range d.Items {
			chosen = append(chosen, i)
		}
	}
	if a.Kind == act.Set && len(chosen) == 0 {
		for i := range d.Items {
			if a.From == "" || d.Items[i].Quantity == a.From {
				chosen = append(chosen, i)
			}
		}
		if len(chosen) != 1 {
			return false
		}
	}
	drop := func(is bool) {
		var kept []draft.Item
		for i, item := range d.Items {
			if slices.Contains(chosen, i) != is {
				kept = append(kept, item)
			}
		}
		d.Items = kept
	}
	switch a.Kind {
	case act.Drop:
		for i := range min(a.First, len(d.Items)) {
			chosen = append(chosen, i)
		}
		drop(true)
	case act.Keep:
		for i := range min(a.First, len(d.Items)) {
			chosen = append(chosen, i)
		}
		drop(false)
	case act.Set:
		for _, i := range chosen {
			if a.Price {
				d.Items[i].Price = a.To
			} else {
				d.Items[i].Quantity = a.To
			}
		}
	case act.Scale:
		return scaled(a, d, chosen)
	default:
		return false
	}
	return len(d.Items) > 0
}

func scaled(a act.Act, d *draft.Draft, chosen []int) bool {
	by, err := decimal.Parse(a.To)
	if err != nil {
		return false
	}
	for i := range d.Items {
		if len(chosen) > 0 && !slices.Contains(chosen, i) {
			continue
		}
		n, err := decimal.Parse(d.Items[i].Quantity)
		if err != nil {
			return false
		}
		whole := n.Cmp(n.Floor(0)) == 0
		if n = n.Mul(by).Round(3); whole {
			n = n.Ceil(0)
		}
		d.Items[i].Quantity = n.String()
	}
	return true
}

// narrowed reads a message as a condition beside those of the draft before it: "не больше 40 тысяч", "leave out sugar".
func (t *talk) narrowed(task string, own, last *language.Reading) *language.Reading {
	if !last.Skill.Proposes() || own != nil && complete(own) || len(strings.Fields(task)) > mostWords {
		return nil
	}
	x := *t.task(strings.TrimRight(last.Task, " .!?") + ", " + task)
	if x.Skill != last.Skill || same(&x, last) || !complete(&x) && !asks(&x) {
		return nil
	}
	x.FollowUp = true
	keepsScope(&x, last)
	if leavesRows(task, &x, last) {
		return keptRows(task, &x, last)
	}
	return &x
}
