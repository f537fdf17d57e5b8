package act

import (
	"strconv"
	"strings"

	"github.com/stockhand/stockhand/internal/language/quantity"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

var (
	dropVerbs = words.Set("убери уберите убрать убираем удали удалите удалить вычеркни вычеркнуть исключи " +
		"исключить выкинь выкини выкидываем выкидывай вычеркиваем исключаем убирай удаляем удаляй сними remove " +
		"drop delete exclude")
	setVerbs = words.Set("измени изменить поменяй поменять исправь исправить сделай сделать поставь поставить " +
		"замени заменить пусть увеличь увеличить уменьши уменьшить возьми бери change set make update put " +
		"increase reduce edit")
	keepVerbs     = words.Set("оставь оставить оставим keep leave")
	quantityWords = words.Set("количество количества кол-во колво штук штуки штука шт quantity qty amount count " +
		"pcs pieces будет be кг л м упаковок упаковки")
	priceWords = words.Set("цена цену цены цене price рублей рубля руб р ₽ rub rubles стоимость")
	onWords    = words.Set("на до to")
	insteadOf  = words.Set("вместо instead")
	lineWords  = words.Set("строка строку строки строке строк позиция позицию позиции пункт пункта row rows " +
		"line lines item номер number №")
	fillers = words.Set("из в во у по для с со the a an of from in out for и and, , также только лишь only just " +
		"его ее их мне товар товара товары product")
	also        = words.Set("тоже также too пока вообще")
	exceptWords = words.Set("кроме except but")
	everything  = words.Set("все всё остальное everything all")
)

// ordinalLines are numbers of lines in words.
var ordinalLines = words.Table(map[int]string{
	1:  "первый первую первая первого первое первой первом первым первому first",
	2:  "второй вторую вторая второго второе втором вторым второму second",
	3:  "третий третью третья третьего третье третьей третьем третьему third",
	4:  "четвертый четвертую четвертая четвертой четвертого четвертому fourth",
	5:  "пятый пятую пятая пятой пятого пятому fifth",
	-1: "последний последнюю последняя последнее последней последнего последнему last",
})

// edit reads a change of lines of a draft: "убери соль", "сделай 20 вместо 9", "количество отвёртки 20".
func (m *message) edit() Act {
	if left := m.leftAsIs(); len(left) > 0 {
		return (&message{ts: left}).lines(Act{Kind: Drop})
	}
	moved := m.verbFirst()
	verb := m.norm(m.at)
	switch {
	case m.firstOut() > 0:
		return Act{Kind: Drop, First: m.firstOut()}
	case verb == "без" || verb == "without" || exceptWords[verb]:
		m.at++
		if b, ok := m.bounded(); ok {
			return Act{Kind: Drop, Bound: b, Weak: true}
		}
		if exceptWords[verb] {
			return Act{}
		}
		return m.lines(Act{Kind: Drop, Weak: true})
	case len(m.ts)-m.at > 1 && superfluous[m.norm(len(m.ts)-1)]:
		m.ts = m.ts[:len(m.ts)-1]
		return m.lines(Act{Kind: Drop, Weak: true})
	case m.declined() > 0:
		m.ts = m.ts[:m.declined()]
		if b, ok := m.bounded(); ok { // "дорогие от 2000 не трогай"
			return Act{Kind: Drop, Bound: b, Weak: true}
		}
		return m.lines(Act{Kind: Drop, Weak: true})
	case dropVerbs[verb]:
		m.at++
		a := Act{Kind: Drop}
		if everything[m.norm(m.at)] && exceptWords[m.norm(m.at+1)] {
			m.at += 2
			a.Kind = Keep
		}
		if b, ok := m.bounded(); ok {
			return Act{Kind: a.Kind, Bound: b}
		}
		return m.lines(a)
	case m.first() > 0:
		return Act{Kind: Keep, First: m.first(), Weak: !keepVerbs[verb]}
	case keepVerbs[verb] && m.keepsBound(), keepVerbs[verb] && (m.norm(m.at+1) == "только" ||
		m.norm(m.at+1) == "only"):
		m.at++
		if b, ok := m.bounded(); ok {
			return Act{Kind: Keep, Bound: b}
		}
		return m.lines(Act{Kind: Keep})
	case onlyWord[verb] && m.keepsBound(): // "только на те что дороже 500"
		m.at++
		if b, ok := m.bounded(); ok {
			return Act{Kind: Keep, Bound: b, Weak: true}
		}
	case len(m.keptNames()) > 0:
		return Act{Kind: Keep, Names: m.keptNames(), Weak: true, Unsure: true}
	case verb == "не" && notWanted(m.norm(m.at+1)):
		m.at += 2
		return m.lines(Act{Kind: Drop})
	case setVerbs[verb] && (verb == "сделай" || verb == "сделать" || verb == "make") &&
		(draftWords[m.norm(m.at+1)] || orderWords[m.norm(m.at+1)]): // a new one
	case setVerbs[verb] && m.norm(m.at+1) == "по" && m.at+2 < len(m.ts) && m.ts[m.at+2].Kind == token.Number &&
		len(m.ts)-m.at <= 4: // "сделай по 8" is of every line
	case setVerbs[verb]:
		m.at++
		a := m.set()
		a.Weak = moved && verb != "сделай"
		return a
	case quantityWords[verb] && verb != "be" && m.hasNumber():
		return m.set()
	case m.hasInstead():
		return m.set()
	}
	if a := m.contrasted(); a.Kind != None {
		return a
	}
	return Act{}
}

// ofPrices are words beside a number that is no quantity of a line.
var ofPrices = words.Set("% на процентов процента процент с до percent by")

var dashes = words.Set("— – -")

// addedWords say that a quantity is added, or that a number is no quantity.
var addedWords = words.Set("еще ещё добавь плюс минус топ за по первые последние заказ документ накладная more add " +
	"top first last another order")

// contrasted reads "чая не 5 а 8", "не 5, а 8", "соли 20 а не 10": another figure for one.
func (m *message) contrasted() Act {
	var words []token.Token
	for i := m.at; i < len(m.ts); i++ {
		if m.norm(i) != "," && !quantityWords[m.norm(i)] {
			words = append(words, m.ts[i])
		}
	}
	n := &message{ts: words}
	is := func(i int, w string) bool { return n.norm(i) == w }
	number := func(i int) bool { return i >= 0 && i < len(words) && words[i].Kind == token.Number }
	for i := range words {
		a := Act{Kind: Set, Weak: true}
		end := i + 4
		switch {
		case is(i, "не") && number(i+1) && is(i+2, "а") && number(i+3):
			a.From, a.To = words[i+1].Norm, words[i+3].Norm
		case is(i, "not") && number(i+1) && is(i+2, "but") && number(i+3):
			a.From, a.To = words[i+1].Norm, words[i+3].Norm
		case number(i) && is(i+1, "а") && is(i+2, "не") && number(i+3),
			number(i) && is(i+1, "and") && is(i+2, "not") && number(i+3):
			a.From, a.To = words[i+3].Norm, words[i].Norm
		case number(i) && (is(i+1, "not") || is(i+1, "не")) && number(i+2):
			a.From, a.To, end = words[i+2].Norm, words[i].Norm, i+3
		default:
			continue
		}
		rest := append(append([]token.Token{}, words[:i]...), words[end:]...)
		for _, t := range rest {
			if t.Kind == token.Number || ofPrices[t.Norm] {
				return Act{}
			}
		}
		of := (&message{ts: rest}).lines(Act{Kind: Set})
		a.Names, a.Lines, a.OfDraft = of.Names, of.Lines, of.OfDraft
		return a
	}
	return Act{}
}

// declined returns where the words end that say what is not wanted: "соль не надо"; 0 for any other message.
func (m *message) declined() int {
	n := len(m.ts)
	for n > m.at && tail[m.norm(n-1)] {
		n--
	}
	w := m.norm(n - 1)
	if n-m.at < 3 || m.norm(n-2) != "не" && m.norm(n-2) != "нам" || w != "надо" && !strings.HasPrefix(w, "нуж") &&
		!declining[w] {
		return 0
	}
	if m.norm(n-2) == "нам" && m.norm(n-3) != "не" { // "соль нам не нужна" has it the other way round
		return 0
	}
	return n - 2
}

// superfluous are words behind what is not wanted: "печенье лишнее".
var superfluous = words.Set("лишнее лишний лишняя лишние")

// declining are verbs that are denied behind what is not wanted: "сковородки не трогай".
var declining = words.Set("бери берем брать заказывай заказываем заказывать трогай трогаем трогать трогайте меняй " +
	"меняем менять меняйте включай включать добавляй клади вози перемещай перемещать снижай снижать поднимай " +
	"поднимать отправляй")

// verbFirst puts a verb behind the names of lines in front of them: "рис убери", "кепок сделай 20", and reports whether
// it did.
func (m *message) verbFirst() bool {
	first := m.norm(m.at)
	if dropVerbs[first] || setVerbs[first] || keepVerbs[first] || quantityWords[first] || len(m.ts)-m.at > 9 {
		return false
	}
	for i := m.at + 1; i < len(m.ts); i++ {
		w, next := m.norm(i), i+1
		if onWords[m.norm(next)] {
			next++
		}
		if last := i == len(m.ts)-1; dropVerbs[w] && last ||
			setVerbs[w] && w != "пусть" && next < len(m.ts) && m.ts[next].Kind == token.Number {
			verb := m.ts[i]
			copy(m.ts[m.at+1:i+1], m.ts[m.at:i])
			m.ts[m.at] = verb
			return true
		}
	}
	return false
}

func (m *message) hasNumber() bool {
	for i := m.at; i < len(m.ts); i++ {
		if m.ts[i].Kind == token.Number {
			return true
		}
	}
	return false
}

func (m *message) hasInstead() bool {
	for i := m.at; i < len(m.ts); i++ {
		if insteadOf[m.norm(i)] {
			return true
		}
	}
	return false
}

// lines reads which lines are meant.
func (m *message) lines(a Act) Act {
	var name []string
	end := func() {
		if len(name) > 0 {
			a.Names = append(a.Names, strings.Join(name, " "))
		}
		name = nil
	}
	for i := m.at; i < len(m.ts); i++ {
		w, before := m.norm(i), m.norm(i-1)
		n, err := strconv.Atoi(w)
		switch {
		case m.ts[i].Kind == token.Quoted:
			end()
			name = []string{m.ts[i].Raw}
			end()
		case draftWords[w]:
			a.OfDraft = true
		case orderWords[w] && (before == "из" || before == "в" || before == "from" || before == "the" ||
			before == "in"):
			a.OfDraft = true
		case w == "," || w == "и" || w == "and":
			end()
		case fillers[w] && len(name) == 0, tail[w] && i == len(m.ts)-1, also[w]:
		case len(name) > 0 && (w == "из" || w == "from"):
			end()
		case lineWords[w] && len(name) == 0:
			if n, err := strconv.Atoi(m.norm(i + 1)); err == nil {
				a.Lines = append(a.Lines, n)
				i++
			}
		case ordinalLines[w] != 0 && len(name) == 0:
			a.Lines = append(a.Lines, ordinalLines[w])
		case err == nil && len(name) == 0 && i+1 < len(m.ts) && lineWords[m.norm(i+1)]:
			a.Lines = append(a.Lines, n)
			i++
		default:
			name = append(name, m.ts[i].Raw)
		}
	}
	end()
	if len(a.Names)+len(a.Lines) == 0 || len(a.Names) == 1 && strings.HasPrefix(strings.ToLower(a.Names[0]), "копе") {
		return Act{} // "копейки убери" is about prices
	}
	return a
}

// set reads a new quantity or price, and of what.
func (m *message) set() Act {
	a := Act{Kind: Set}
	number := func(i int) string {
		if i < 0 || i >= len(m.ts) {
			return ""
		}
		if m.ts[i].Kind == token.Number {
			return strings.ReplaceAll(m.ts[i].Norm, ",", ".")
		}
		if n := quantity.Numeral(m.norm(i)); n > 0 {
			return strconv.Itoa(n)
		}
		return ""
	}
	used := map[int]bool{}
	take := func(i int) string {
		used[i], used[i-1] = true, used[i-1] || onWords[m.norm(i-1)]
		return number(i)
	}
	for i := m.at; i < len(m.ts); i++ {
		if !insteadOf[m.norm(i)] {
			continue
		}
		used[i] = true
		j := i + 1
		if m.norm(j) == "of" {
			used[j] = true
			j++
		}
		if a.From = number(j); a.From == "" {
			return Act{}
		}
		take(j)
		if !used[i-1] && number(i-1) != "" {
			a.To = take(i - 1)
		}
	}
	for i := len(m.ts) - 1; i >= m.at && a.To == ""; i-- {
		if !used[i] && number(i) != "" && (onWords[m.norm(i-1)] || m.norm(i-1) == "by" && false) {
			a.To = take(i)
		}
	}
	for i := len(m.ts) - 1; i >= m.at && a.To == ""; i-- {
		if !used[i] && number(i) != "" {
			a.To = take(i)
		}
	}
	for i := m.at; i < len(m.ts); i++ { // "с 9 на 20"
		if w := m.norm(i); (w == "с" || w == "from") && !used[i] && number(i+1) != "" && !used[i+1] && a.From == "" {
			used[i] = true
			a.From = take(i + 1)
		}
	}
	if a.To == "" {
		return Act{}
	}
	var left []token.Token
	for i := m.at; i < len(m.ts); i++ {
		switch w := m.norm(i); {
		case used[i]:
		case w == "%" || w == "процент" || w == "процента" ||
			w == "процентов" || w == "percent" || w == "раза" || w == "раз":
			return Act{}
		case priceWords[w]:
			a.Price = true
		case quantityWords[w], onWords[w] && w != "до", m.ts[i].Kind == token.Word && aroundEdit(w):
		case m.ts[i].Kind == token.Word && notEdits[w]:
			return Act{}
		default:
			left = append(left, m.ts[i])
		}
	}
	n := &message{ts: left}
	of := n.lines(Act{Kind: Set})
	a.Names, a.Lines, a.OfDraft = of.Names, of.Lines, of.OfDraft
	a.Each = a.From == "" && len(a.Names)+len(a.Lines) == 0 && m.hasEach()
	return a
}

// keptNames returns the words beside "оставь" that may name a line which is to stay, or to stay as it is: "соль
// оставь".
func (m *message) keptNames() []string {
	ts := m.ts[m.at:]
	for len(ts) > 0 && (tail[ts[len(ts)-1].Norm] || also[ts[len(ts)-1].Norm]) {
		ts = ts[:len(ts)-1]
	}
	const most = 5
	n := len(ts)
	switch {
	case n < 2 || n > most:
		return nil
	case keepVerbs[ts[n-1].Norm]:
		ts = ts[:n-1]
	case keepVerbs[ts[0].Norm]:
		ts = ts[1:]
	default:
		return nil
	}
	var list []string
	for _, t := range ts {
		w := t.Norm
		if t.Kind != token.Word && t.Kind != token.Quoted || t.Kind == token.Word && (aroundEdit(w) || notNames[w] ||
			everyLine[w] || onWords[w] || exceptWords[w] || ordinalLines[w] != 0 || onlyWord[w] || bounds[w] ||
			lineWords[w] || dropVerbs[w] || cheaper[w] || dearer[w] || fillers[w] && w != "и") {
			return nil
		}
		list = append(list, t.Raw)
	}
	return []string{strings.Join(list, " ")}
}

var onlyWord = words.Set("только лишь only just")

// notWanted reports whether a word behind "не" leaves something out: "не надо", "не нужна", "не заказывай".
func notWanted(w string) bool {
	return declining[w] || w == "надо" || strings.HasPrefix(w, "нуж") || strings.HasPrefix(w, "заказыв")
}
