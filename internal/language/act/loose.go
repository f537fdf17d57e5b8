package act

import (
	"slices"
	"strconv"
	"strings"

	"github.com/stockhand/stockhand/internal/language/quantity"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// loose reads a new figure of a line, or of every line, whatever verb it is said with: "соли многовато, 5 хватит",
// "возьмём чая 8", "15 губок давай", "тогда все по 5". What is no word of an edit names the line, so that such an act
// only counts behind a draft that has the line (rule R1062).
func (m *message) loose() Act {
	const longest = 10
	keeps := slices.ContainsFunc(m.ts, func(t token.Token) bool { return keepVerbs[t.Norm] || t.Norm == "оставляй" })
	if m.asks || keeps || len(m.ts) > longest { // "оставь там по 3" is about the source
		return Act{}
	}
	a := Act{Kind: Set, Weak: true}
	edits, named, apiece := 0, false, false
	var name []token.Token
	for i := range m.ts {
		w, t := m.norm(i), &m.ts[i]
		number := ""
		if t.Kind == token.Number {
			number = strings.ReplaceAll(t.Norm, ",", ".")
		} else if n := quantity.Numeral(w); n > 1 {
			number = strconv.Itoa(n)
		}
		before, next := m.norm(i-1), m.norm(i+1)
		if dashes[before] && m.ts[i-1].End < t.Start { // "соль — 15" is no minus
			before = ""
		}
		switch {
		case number != "" && a.To == "" && !bounds[before] && !bounds[next] && !ofPrices[next] &&
			words.TimeUnitOf(next) == words.NoTime:
			a.To = number
			apiece = before == "по"
		case number != "":
			return Act{}
		case t.Kind == token.Word && !named && len(name) == 0 && ordinalLines[w] > 0:
			a.Lines, named = []int{ordinalLines[w]}, true
		case quantityWords[w] && (a.To != "" || w != "л" && w != "м"):
			edits++
		case priceWords[w]:
			a.Price = true
		case w == "не" && i < len(m.ts)-1 && next != ",", t.Kind != token.Word && t.Kind != token.Quoted && w != "," &&
			!dashes[w] && w != ":" && w != "=":
			return Act{}
		case onWords[w] && m.isNumber(i+1), w == "по" && (m.isNumber(i+1) || len(name) == 0 && a.To == ""),
			w == "у" && len(name) == 0, t.Kind != token.Word && t.Kind != token.Quoted:
		case everyLine[w]:
			a.Each, edits = true, edits+1
		case (orderVerbs[w] || w == "order") && m.hasEach():
			edits++
		case returning[w]:
			a.Then = true
			edits++
		case aroundEdit(w) && t.Kind == token.Word:
			edits++
		case onWords[w], notNames[w], notEdits[w], addedWords[w], bounds[w]:
			return Act{}
		case named && (len(name) == 0 || m.ts[i-1].Start != name[len(name)-1].Start):
			return Act{} // a second name
		default:
			name, named = append(name, *t), true
		}
	}
	if a.To == "" || a.Each && named || !named && edits == 0 && !a.Each && !apiece {
		return Act{}
	}
	a.Each = a.Each || apiece && !named
	if len(name) > 0 {
		of := (&message{ts: name}).lines(Act{Kind: Set})
		if a.Names, a.Lines = of.Names, of.Lines; len(a.Names)+len(a.Lines) != 1 || of.OfDraft {
			return Act{}
		}
	}
	return a
}

func (m *message) isNumber(i int) bool {
	return i >= 0 && i < len(m.ts) && (m.ts[i].Kind == token.Number || quantity.Numeral(m.norm(i)) > 0)
}

// hasEach reports whether a message gives one quantity to each line: "закажи по 5".
func (m *message) hasEach() bool {
	for i := range m.ts {
		if m.norm(i) == "по" && m.isNumber(i+1) || everyLine[m.norm(i)] {
			return true
		}
	}
	return false
}

var (
	everyLine  = words.Set("все всё всех всего всем каждого каждой каждый каждому каждую everything each every")
	orderVerbs = words.Set("закажи закажите заказать закажем заказываем заказывай")
	// returning words go back to what was prepared, also behind another answer.
	returning = words.Set("тогда хватит достаточно много многовато мало маловато бери берем берём возьмем возьмём " +
		"возьми лучше давай давайте enough then")
	// bounds stand beside a figure that bounds something, or is the difference to another one.
	bounds = words.Set("больше меньше более менее свыше выше ниже дороже дешевле минимум максимум от плюс минус + " +
		"- топ первые первых последние максимуму минимуму over under above below least most")
	// notEdits are verbs of other changes of a draft.
	notEdits = words.Set("округли округлить кратно кратными round")
	// notNames are words of other questions and of other edits.
	notNames = words.Set("с со за от из к ко для без кроме под через при про кто что чего где когда куда откуда " +
		"почему зачем какой какая какие каких сколько покажи выведи найди вместо цены скидка скидку наценка наценку " +
		"маржа маржу процент цену цена раз раза день дней дня дни неделя недели недель неделю месяц месяца " +
		"месяцев склад склада who what where when why how which show find from for without except off")
	// editWords are said around a new figure, and editStems begin verbs and adverbs of that kind in any form.
	editWords = words.Set("сделай пусть пускай надо нам мне мы я да нет не ну а и но ой так вот же уж бы б ли ок " +
		"окей ладно хорошо это эту этот этого этой этих там тут его ее её их в во заказе черновике всего ровно " +
		"только лишь пока сейчас теперь потом все-таки всё-таки таки просто тоже можно можешь наверно наверное " +
		"пожалуй думаю скажем допустим пожалуйста плиз стоп погоди подожди хотя мало много жирно дорого чуть " +
		"слегка больше меньше побольше поменьше будет будут буду скорее вернее точнее виду хочу it is are was will " +
		"be we i they that that's just rather ok okay no not yes please let let's lets us do go with take get need " +
		"want should too many much little few only make of and")
	editStems = strings.Fields("сдела делай делаем постав став возьм бери берем берём брать взять измен поменя менят " +
		"меняй исправ замен увелич уменьш сокра урез урежь довед остав пиши напиш запиш привез вези везем везём " +
		"хват достаточ нужн нужно давай лучше малов многов имел имею говор хоте передум перепут ошиб опечат " +
		"ограни снизь подним")
)

func aroundEdit(w string) bool {
	if editWords[w] {
		return true
	}
	for _, s := range editStems {
		if strings.HasPrefix(w, s) {
			return true
		}
	}
	return false
}

// Several reads a message of several edits of lines, each with its line: "соли 5, чая 8", "чай убери, а губок 15" (rule
// R1063). It returns nil for any other message.
func Several(text string) []Act {
	ts := token.Split(text)
	if len(ts) > most {
		return nil
	}
	var all []Act
	from := 0
	clause := func(to int) bool {
		if from == to {
			return true
		}
		a := Read(text[ts[from].Start:ts[to-1].End])
		if a.Kind != Set && a.Kind != Drop || len(a.Names)+len(a.Lines) != 1 || a.Bound.Value != "" {
			return false
		}
		all = append(all, a)
		return true
	}
	for i := range ts {
		switch w := ts[i].Norm; {
		case ts[i].Kind == token.Quoted || w != "," && w != ";" && w != "и" && w != "а" && w != "and":
			continue
		case !clause(i):
			return nil
		}
		from = i + 1
	}
	if !clause(len(ts)) || len(all) < 2 {
		return nil
	}
	return all
}
