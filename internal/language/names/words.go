package names

import (
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// kindWords are the words that say what the name beside them is. They may also be an optional part of the name
// ("Основной склад").
var kindWords = func() map[string]connector.NameKind {
	m := map[string]connector.NameKind{}
	for k, words := range map[connector.NameKind]string{
		connector.NameStore: `склад склада складу складе складом склады складов складам складах магазин магазина магазину
			магазине магазином магазины магазинах точка точки точке точку филиал филиала филиале warehouse warehouses
			store stores shop shops location branch outlet`,
		connector.NameSupplier: `поставщик поставщика поставщику поставщиком поставщике поставщики поставщиков
			поставщикам supplier suppliers vendor vendors`,
		connector.NameGroup: `группа группы группе группу группой групп группам категория категории категорию категорией
			папка папки папке папку раздел раздела разделе group groups category categories folder`,
		connector.NameCounterparty: `клиент клиента клиенту клиентом клиенты клиентов покупатель покупателя покупателю
			покупателем покупатели контрагент контрагента контрагенту контрагентом контрагенты заказчик заказчика
			customer customers client clients buyer counterparty`,
		connector.NameProduct: `товар товара товару товаром товары товаров товарам позиция позиции позицию артикул
			артикула артикулу артикулом код кода коду штрихкод штрихкода штрихкоду баркод product products item items
			article sku barcode code`,
		connector.NameEmployee: `сотрудник сотрудника сотруднику сотрудником менеджер менеджера менеджеру менеджером
			продавец продавца продавцу продавцом кассир кассира кассиру employee manager seller cashier`,
		connector.NameSalesChannel: `канал канала каналу каналом channel`,
		connector.NameProject:      `проект проекта проекту проекте проектом project`,
		connector.NameState:        `статус статуса статусе статусу статусом status`,
		connector.NameOrganization: `юрлицо юрлица юрлицу юрлицом организация организации организацию организацией
			фирма фирмы фирме company organization`,
		connector.NameExpenseItem: `статья статьи статье статью`,
	} {
		for w := range strings.FieldsSeq(words) {
			m[w] = k
		}
	}
	return m
}()

// plural are kind words that speak of several things, so that a name beside them need not be of that kind.
var plural = words.Set(`склады складов складам складах магазины магазинах точки поставщики поставщиков поставщикам группы
	групп группам категории разделы клиенты клиентов покупатели контрагенты товары товаров товарам позиции warehouses
	stores shops suppliers vendors groups categories customers clients products items товар товара товару товаром`)

// Kind returns the kind that a folded word such as "склад" says, or "".
func Kind(word string) connector.NameKind { return kindWords[word] }

// KindBeside looks for a kind word directly before the tokens first to last, apart from a preposition, or directly
// after them.
func KindBeside(ts []token.Token, first, last int) (connector.NameKind, bool) {
	k, _, ok := kindBeside(ts, first, last)
	return k, ok
}

// KindSaid reports whether a task says that the tokens first to last are a name of a kind: "по проекту Ремонт", "на
// складе центр".
func KindSaid(ts []token.Token, first, last int) bool {
	_, strict, _ := kindBeside(ts, first, last)
	return strict && first >= 2 && small[ts[first-2].Norm]
}

// asked are words before a kind that is asked for or pointed at: no name of the kind follows (rule R1079).
var asked = words.Set("кто какой какая какие какого какому каком какую какой-то каких каким какими чей чьём чьем чья " +
	"котором которого которых этот этом этого эта этой эту этих том того той тех каждый каждом каждого каждой каждую " +
	"каждому любой любом другой другом другого другой другую других нашем нашего нашей моём моем моего моей " +
	"обоих двух трёх трех нескольких всех " +
	"who which what whose this that these those each every any other another our my both all")

// kindBeside reports, too, whether a name of another kind cannot be meant: "склад Восток".
func kindBeside(ts []token.Token, first, last int) (k connector.NameKind, strict, ok bool) {
	for j := first - 1; j >= 0 && j >= first-3; j-- {
		t := &ts[j]
		if k := kindWords[t.Norm]; k != "" && t.Kind == token.Word {
			if j > 0 && asked[ts[j-1].Norm] { // "кто поставщик соли"
				return "", false, false
			}
			return k, j == first-1 && !plural[t.Norm], true
		}
		if t.Kind == token.Mark && t.Norm != "№" && t.Norm != "#" && t.Norm != ":" && t.Norm != "-" ||
			t.Kind == token.Word && len([]rune(t.Norm)) > 3 && t.Norm != "named" && t.Norm != "called" {
			break
		}
	}
	if j := last + 1; j < len(ts) && ts[j].Kind == token.Word {
		if k := kindWords[ts[j].Norm]; k != "" && k != connector.NameProduct {
			return k, false, true
		}
	}
	return "", false, false
}

// Small are the words of a name that people may omit.
var small = words.Set("на в во по и из от до за с со у к ко о об для а the of at in on and for no n")

// Optional reports whether a folded word of a name may be left out: a preposition, a legal form, a kind word.
func Optional(word string) bool {
	return small[word] || words.IsLegalForm(word) || kindWords[word] != ""
}

// units are the units of amounts in names, as one of their spellings.
var units = words.Table(map[string]string{
	"г": "г гр грамм грамма граммов g gr", "кг": "кг кило килограмм килограмма kg", "мг": "мг mg",
	"л": "л литр литра литров литровый l", "мл": "мл ml", "мм": "мм mm", "см": "см cm",
	"м": "м метр метра метров m", "вт": "вт ватт w", "а": "а ампер a", "шт": "шт штук штуки pcs", "гб": "гб gb",
	"мп": "мп", "д": "дюйм дюйма дюймов",
})

// word is a word of a name, or of a task. A number with its unit is one word: "200г".
type word struct {
	form     string
	cyrillic bool
	number   bool // a number, perhaps with a unit
	optional bool
	first    int // tokens of the task
	last     int
}

// quotes are taken out of names.
var quotes = strings.NewReplacer("«", " ", "»", " ", "\"", " ", "“", " ", "”", " ", "„", " ", "_", " ")

// split returns the words of a name. If all may be left out, none may.
func split(name string) []word {
	name = quotes.Replace(name)
	var all []word
	core := false
	for t := range words.Scan(name) {
		w := word{number: t.Kind == words.Number}
		switch raw := name[t.Start:t.End]; t.Kind {
		case words.Mark:
			continue
		case words.Number:
			w.form = strings.Replace(raw, ",", ".", 1)
		case words.Word:
			w.form, w.cyrillic = token.Normal(raw)
			if n := len(all); n > 0 && all[n-1].number && units[w.form] != "" && !hasUnit(all[n-1].form) {
				all[n-1].form += units[w.form]
				continue
			}
			w.form, w.number = amount(w.form)
			w.optional = Optional(w.form)
		}
		core = core || !w.optional
		all = append(all, w)
	}
	for i := range all {
		all[i].optional = all[i].optional && core
	}
	return all
}

// amount splits a number with a unit that is written as one word, "300мл", and writes it as names do.
func amount(form string) (string, bool) {
	n := 0
	for n < len(form) && (form[n] >= '0' && form[n] <= '9' || n > 0 && (form[n] == '.' || form[n] == ',')) {
		n++
	}
	if u := units[form[n:]]; n > 0 && u != "" {
		return strings.Replace(form[:n], ",", ".", 1) + u, true
	}
	return form, false
}

func hasUnit(form string) bool {
	return form != "" && (form[len(form)-1] < '0' || form[len(form)-1] > '9')
}

// taskWords returns the words of tokens of a task that nothing else has read, in the form of the words of names.
func taskWords(ts []token.Token, from, to int) []word {
	var all []word
	for i := from; i < to; i++ {
		t := &ts[i]
		w := word{form: t.Norm, cyrillic: t.Cyrillic, first: i, last: i}
		switch t.Kind {
		case token.Number:
			w.form, w.number = strings.Replace(t.Norm, ",", ".", 1), true
			if i+1 < to && ts[i+1].Kind == token.Word && units[ts[i+1].Norm] != "" {
				w.form += units[ts[i+1].Norm]
				i++
				w.last = i
			}
		case token.Word:
			w.form, w.number = amount(t.Norm)
			w.optional = Optional(t.Norm)
			if pair := pairAt(ts, i, to); pair != "" { // "frying pan"
				w.form, w.last = pair, i+1
				i++
			}
		case token.Quoted, token.Mark:
			continue
		}
		all = append(all, w)
	}
	return all
}

// pairAt returns the two English words at a token that the glossary translates together; empty for none.
func pairAt(ts []token.Token, i, to int) string {
	if i+1 >= to || ts[i].Cyrillic || ts[i+1].Kind != token.Word || ts[i+1].Use != token.Unused {
		return ""
	}
	pair := ts[i].Stem + "_" + ts[i+1].Stem
	if len(glossary[pair]) == 0 {
		return ""
	}
	return pair
}

// Bone returns the stem of a word without what changes between its forms: a final ь or й, and the vowel that comes and
// goes before its last consonant. So "кружек" and "кружка", which have no stem in common, are both "кружк".
func Bone(stem string) string {
	if b := irregular[stem]; b != "" {
		return b
	}
	rs := []rune(stem)
	if n := len(rs); n > 3 && (rs[n-1] == 'ь' || rs[n-1] == 'й') {
		rs = rs[:n-1]
	}
	n := len(rs)
	if n < 4 || !strings.ContainsRune("кцнлмрг", rs[n-1]) || !strings.ContainsRune("еоиь", rs[n-2]) ||
		!consonant(rs[n-3]) {
		return string(rs)
	}
	return string(rs[:n-2]) + string(rs[n-1])
}

func consonant(r rune) bool {
	return r >= 'а' && r <= 'я' && !strings.ContainsRune("аеиоуыэюяьй", r)
}

// irregular are stems of words whose forms the rule of Bone does not meet.
var irregular = func() map[string]string {
	m := map[string]string{}
	for _, forms := range []string{"лен льна льну льном льне", "яйцо яйца яиц яйцам яйцами",
		"письмо письма писем письмам",
		"лев льва льву львом", "день дня", "пень пня пни пней", "рот рта", "лоб лба", "сон сна", "мох мха",
		"стул стула стулья стульев стульям", "лист листа листья листьев листьям", "дерево дерева деревья деревьев",
		"ребенок ребенка дети детей детям", "цветок цветка цветы цветов цветам", "друг друга друзья друзей",
		"ухо уха уши ушей", "перо пера перья перьев", "дочь дочери дочки", "чай чая чаю чаем чае чаев",
		"клей клея клею клеем клее"} {
		list := strings.Fields(forms)
		for _, f := range list {
			m[token.Stem(f, true)] = list[0] + "*"
		}
	}
	return m
}()

// Query returns the words to search for in place of a phrase: without numbers and units, and what all forms of each
// word have in common.
func Query(phrase string) string {
	var list []string
	for _, w := range split(phrase) {
		switch {
		case w.optional || w.number:
		case token.HasDigit(w.form) || !w.cyrillic:
			list = append(list, w.form)
		default:
			list = append(list, strings.TrimSuffix(Bone(token.Stem(w.form, true)), "*"))
		}
	}
	if len(list) == 0 {
		return phrase
	}
	return strings.Join(list, " ")
}

// Search returns a phrase as the words of some names begin: of each word the longest of its stems that all the names
// have.
func Search(phrase string, list []string) string {
	fields := strings.Fields(phrase)
	for i, w := range fields {
		norm, cyrillic := token.Normal(w)
		if !cyrillic || token.HasDigit(w) || len([]rune(norm)) <= 3 {
			continue
		}
		stem := token.Stem(norm, true)
		bone := strings.TrimSuffix(Bone(stem), "*")
		n := 0
		for n < len(bone) && n < len(stem) && bone[n] == stem[n] {
			n++
		}
		fields[i] = strings.ToValidUTF8(stem[:n], "") // "салатник" and "кружек" lose a vowel between consonants
		for _, form := range []string{norm, stem, bone} {
			if !slices.ContainsFunc(list, func(name string) bool { return !strings.Contains(words.Fold(name), form) }) {
				fields[i] = form
				break
			}
		}
	}
	return strings.Join(fields, " ")
}

// Stems returns the stems of the words of a name that matter.
func Stems(name string) []string {
	var list []string
	for _, w := range split(name) {
		if !w.optional {
			list = append(list, token.Stem(w.form, w.cyrillic))
		}
	}
	return list
}
