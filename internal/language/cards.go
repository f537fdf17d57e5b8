package language

import (
	"slices"

	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/language/names"
	"github.com/stockhand/stockhand/internal/language/phrase"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// Card is the input of the skills Product and Counterparty.
type Card struct {
	Product      string `json:"product,omitempty"`
	Counterparty string `json:"counterparty,omitempty"`
}

// beside are the words that may stand beside a name whose card is asked for.
var beside = words.Set(`карточка карточку карточки открой открыть покажи показать дай про о об обо инфо информация
	информацию данные что за это такое расскажи подробно подробнее по у нас с со там чё че есть ли такой такая кто
	card info about open show me details of the who is what all information tell give`)

// fieldsOfCards are words for what the cards of goods and of counterparties say, and for saying it. With nothing but
// those beside a name, the card is what is asked for (rule R884).
var fieldsOfCards = map[connector.NameKind]map[string]bool{
	connector.NameProduct: words.Set(asked + `артикул артикула артикулы арт код кода коды штрихкод штрихкода шк баркод
		номер вес масса описание характеристики article sku code barcode weight description`),
	connector.NameCounterparty: words.Set(asked + `номер номера номерок телефон телефона телефончик тел
		мобильный инн кпп огрн реквизиты реквизитов почта почту мыло имейл емейл email адрес адреса контакт
		контакты контактный контактные позвонить связаться звонить написать phone number telephone inn tin
		address mail contact contacts details`),
}

// asked are words around what is asked of a card.
const asked = `скажи скажите подскажи подскажите напомни напомните продиктуй продиктуйте назови дай дайте скинь кинь
	пришли мне нужен нужна нужны нужно какой какая какое какие каков как можно в по товара товару клиента поставщика
	what's whats which need can i we get `

var askedWords = words.Set(asked)

// soughtGoods returns what to search for: the words that the goods that the task names have in common, as their names
// write them.
func (r *reader) soughtGoods() string {
	if len(r.mentions) != 1 {
		return r.query()
	}
	m := &r.mentions[0]
	if slices.ContainsFunc(m.meanings, func(n connector.Name) bool { return n.Kind != connector.NameProduct }) {
		return r.query()
	}
	if len(m.meanings) == 1 {
		return m.meanings[0].Name
	}
	var list []string
	for _, n := range m.meanings {
		list = append(list, n.Name)
	}
	return names.Search(m.words, list)
}

// card reads a task that is nothing but the name of a good or a counterparty, an article, a code or a barcode: its card
// is opened (rule R303).
func (r *reader) card(out *Reading) {
	if len(r.mentions) != 1 || out.FollowUp || out.Consolidate || out.Input != nil ||
		r.in.Previous != nil && r.goesOn() {
		return
	}
	m := &r.mentions[0]
	if m.all || m.weak || len(m.meanings) == 0 {
		return
	}
	fields := fieldsOfCards[m.meanings[0].Kind]
	if m.meanings[0].Kind == connector.NameSupplier {
		fields = fieldsOfCards[connector.NameCounterparty]
	}
	party := m.meanings[0].Kind == connector.NameCounterparty || m.meanings[0].Kind == connector.NameSupplier
	which, field := false, false
	for i := range r.ts {
		t := &r.ts[i]
		which = which || t.Stem == token.StemOf("какой") || t.Norm == "which"
		field = field || fields[t.Norm] && !askedWords[t.Norm]
		if t.Kind != token.Mark && !(m.at[0] <= i && i <= m.at[len(m.at)-1]) && t.Use != token.AsAccount &&
			!beside[t.Norm] && !fields[t.Norm] && !(party && seeking[t.Norm]) &&
			!words.IsLegalForm(t.Norm) && !r.kindOf(t.Norm, m.meanings[0].Kind) {
			return
		}
	}
	if which && !field {
		return // "Кафе на углу какие поставщики"
	}
	n := m.meanings[0]
	called := n.Name
	if m.byID {
		called = n.ID
	}
	c := Card{Product: called}
	switch n.Kind {
	case connector.NameProduct:
		out.Skill = Product
	case connector.NameCounterparty, connector.NameSupplier:
		out.Skill, c = Counterparty, Card{Counterparty: called}
	default:
		return
	}
	out.Input, out.Arguments, out.Query, out.Question, out.Outside = c, Arguments{}, nil, nil, false
	out.Unknown, out.Ignored, out.Confidence = nil, nil, 1
	out.Matched = []Match{{Name: n, Words: m.words, Exact: m.exact}}
}

// seeking are verbs that look for a customer or supplier by name, as a bare name does; goods are searched for.
var seeking = words.Set("найди найдите найти поищи поищите отыщи ищу find search look for up")

// kindOf reports whether a word is one for a kind of names: of any where nothing is asked of the card, else of the one
// that is named: "в какой группе дрель" asks for something else.
func (r *reader) kindOf(w string, named connector.NameKind) bool {
	k := names.Kind(w)
	return k == named || parties[string(k)] && parties[string(named)] ||
		k != "" && k != connector.NameProduct && !slices.ContainsFunc(r.ts, func(t token.Token) bool {
			return t.Stem == token.StemOf("какой") || t.Norm == "what" || t.Norm == "which"
		})
}

var parties = words.Set(string(connector.NameCounterparty) + " " + string(connector.NameSupplier))

// goesOn reports whether the task begins with words such as "what about".
func (r *reader) goesOn() bool {
	return slices.ContainsFunc(r.found, func(f phrase.Found) bool {
		return f.Meaning == conceptFollowUp && f.At[0] <= 1
	})
}
