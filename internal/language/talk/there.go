package talk

import (
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/language"
	"github.com/stockhand/stockhand/internal/language/draft"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

var (
	toThere   = words.Set("туда сюда there")
	fromThere = words.Set("оттуда отсюда")
)

// takenThere reads a transfer to or from the only warehouse that the last answer was about, where a word such as
// "туда" stands for it: "туда с основного 5 сковородок" (rule R766). It returns nil for any other message.
func takenThere(task string, in language.Input) *language.Reading {
	if in.Previous == nil {
		return nil
	}
	stores := placesOf(in.Previous)
	if len(stores) != 1 {
		return nil
	}
	ts := token.Split(task)
	i := slices.IndexFunc(ts, func(t token.Token) bool { return toThere[t.Norm] || fromThere[t.Norm] })
	if i < 0 {
		return nil
	}
	l := in.Previous.Language
	place := l.Pick("на склад ", "to the warehouse ")
	if fromThere[ts[i].Norm] {
		place = l.Pick("со склада ", "from the warehouse ")
	}
	text := task[:ts[i].Start] + place + "«" + stores[0] + "»" + task[ts[i].End:]
	x := language.Read(text, in)
	if x.Skill != language.ProposeTransfers || !complete(&x) && !asks(&x) {
		return nil
	}
	x.Task, x.FollowUp = text, false
	return &x
}

// fromPartner reads "что мы у нее берем" after the card of a partner with its name: what we buy there, and no sales to
// it (rule R930). It returns nil for any other message.
func fromPartner(task string, in language.Input) *language.Reading {
	var card struct{ Counterparty string }
	if in.Previous == nil || in.Previous.Skill != language.Counterparty || !decode(in.Previous.ToolInput(), &card) ||
		card.Counterparty == "" {
		return nil
	}
	ts := token.Split(task)
	i := slices.IndexFunc(ts, func(t token.Token) bool { return partnerThem[t.Norm] })
	if i < 1 || !beforeThem[ts[i-1].Norm] {
		return nil
	}
	x := language.Read(task[:ts[i].Start]+"«"+strings.NewReplacer("«", "", "»", "").Replace(card.Counterparty)+"»"+
		task[ts[i].End:], language.Input{Now: in.Now, Catalogue: in.Catalogue, Known: in.Known, Names: in.Names})
	if !complete(&x) {
		return nil
	}
	x.Task, x.FollowUp = task, true
	return &x
}

var (
	partnerThem = words.Set("него нее них him her them")
	beforeThem  = words.Set("у от from")
)

// placesOf returns the warehouses that an answer was about; of a transfer, where the goods go.
func placesOf(r *language.Reading) (list []string) {
	if d, ok := r.Input.(draft.Draft); ok {
		return d.Stores
	}
	for _, s := range storesOf(r) {
		if name := string(s); !slices.Contains(list, name) {
			list = append(list, name)
		}
	}
	return list
}

// countsOrPrices asks whether "лампы по 20" after an order or a transfer says how many, or what they cost (rule R767):
// without a word for prices, a reading as new prices is a guess. It returns nil for any other message.
func (t *talk) countsOrPrices(m *message) *language.Reading {
	task, own := m.task, &m.own
	if t.done == nil || !lists(t.done.Skill) || own.Skill != language.ProposePriceChange || own.Question != nil {
		return nil
	}
	adds := false
	kept := ""
	for _, x := range token.Split(task) {
		u, _ := words.UnitOf(x.Norm)
		if u.Kind == words.Money || u.Kind == words.Percent || strings.HasPrefix(x.Norm, "цен") ||
			strings.HasPrefix(x.Norm, "price") || upward[x.Norm] || downward[x.Norm] || x.Norm == "₽" || x.Norm == "%" {
			return nil
		}
		if addsLines[x.Norm] {
			adds = true
			continue
		}
		kept += " " + x.Raw
	}
	l := own.Language
	x := *own
	x.Question = &language.Question{Text: l.Pick("«"+strings.Trim(task, " ?.!")+"» — это количество или новая цена?",
		"Is “"+strings.Trim(task, " ?.!")+"” a quantity or a new price?")}
	more, every := t.task(t.verb()+kept), ""
	if asks(more) && everyGood.MatchString(more.Question.Options[0].Text) { // "лампы по 20"
		o := more.Question.Options[0]
		more, every = &language.Reading{Skill: o.Skill, Input: o.Input}, o.Text
	}
	if d, ok := more.Input.(draft.Draft); ok && complete(more) && listed(&d) {
		if was, ok := t.done.Input.(draft.Draft); ok && len(was.Items) > 0 && was.RowsOf == nil {
			d = listWith(&was, &d, adds)
		}
		text := draft.Text(kindOf[t.done.Skill], d, l)
		if more.Task == "" { // its goods are known by their IDs
			text = every
		}
		x.Question.Options = append(x.Question.Options, language.Option{Text: text, Skill: t.done.Skill, Input: d})
	}
	now, ok := own.Input.(draft.Draft)
	if !ok {
		return nil
	}
	x.Question.Options = append(x.Question.Options, language.Option{Text: draft.Text(draft.Prices, now, l),
		Skill: own.Skill, Input: now})
	x.Input, x.FollowUp = nil, true
	return &x
}

// verb begins a request for one more draft of the last kind.
func (t *talk) verb() string {
	if t.done.Skill == language.ProposeTransfers {
		return t.done.Language.Pick("Перемести", "Transfer")
	}
	return t.done.Language.Pick("Закажи", "Order")
}

// listWith returns a list with the lines of another: in place of those of the same goods, or added to them.
func listWith(d, more *draft.Draft, adds bool) draft.Draft {
	if adds {
		return joined(d, more)
	}
	kept := d.Clone()
	kept.Items = slices.DeleteFunc(kept.Items, func(x draft.Item) bool {
		return slices.ContainsFunc(more.Items, func(o draft.Item) bool {
			return strings.EqualFold(o.Product, x.Product)
		})
	})
	return joined(&kept, more)
}

// declines reports whether a message says what is not wanted: "первый не надо". That asks for no figures.
func declines(task string) bool {
	ts := token.Split(task)
	const most = 6
	for i := 1; i < len(ts) && len(ts) <= most; i++ {
		if w := ts[i].Norm; ts[i-1].Norm == "не" && (unwanted[w] || strings.HasPrefix(w, "нуж")) {
			return true
		}
	}
	return false
}

// onlyUnwanted reports whether a reading does not know a word that only says that something is not wanted.
func onlyUnwanted(r *language.Reading) bool {
	return len(r.Unknown) > 0 && !slices.ContainsFunc(r.Unknown, func(p language.Phrase) bool {
		return !unwanted[words.Fold(p.Words)]
	})
}

var unwanted = words.Set("надо трогай трогать бери берем брать заказывай заказываем заказывать вози меняй менять")
