package act

import (
	"strconv"
	"strings"

	"github.com/stockhand/stockhand/internal/language/quantity"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// Bound is a condition on a figure of lines: "дешевле 100", "меньше 5 штук" (rule R810).
type Bound struct {
	Value    string // a decimal; empty for no condition
	Price    bool   // the price is meant
	Quantity bool   // the quantity is meant; neither: the figure that such lines have
	Less     bool   // below the value, or else above it
	Equal    bool   // the value itself is meant, too
}

var (
	cheaper   = words.Set("дешевле cheaper")
	dearer    = words.Set("дороже pricier dearer costlier")
	lessThan  = words.Set("меньше менее ниже до under below less fewer")
	moreThan  = words.Set("больше более выше свыше от over above more")
	ofPrice   = words.Set("ниже выше")
	moneyUnit = words.Set("рублей рубля рубль руб р ₽ rub rubles roubles цена цены ценой цену price prices " +
		"priced")
	pieceUnit = words.Set("штук штуки штука шт кг л м pcs pieces units количество количеством кол-во quantity")
	// aroundBound are words around such a condition that say nothing more.
	aroundBound = words.Set("там на для всё все то те тех что чего кто у с и а тоже которые которых которое где " +
		"товары товар позиции строки по них чем цене только лишь там из заказа черновика списка anything " +
		"everything those that all which items lines goods are is with costing cost than only just priced from the " +
		"order draft")
)

// bounded reads a condition on the figure of lines at the end of a message; nothing else may stand there.
func (m *message) bounded() (b Bound, ok bool) {
	compared, denied := false, false
	for i := m.at; i < len(m.ts); i++ {
		w := m.norm(i)
		number := ""
		if m.ts[i].Kind == token.Number {
			number = strings.ReplaceAll(m.ts[i].Norm, ",", ".")
		} else if n := quantity.Numeral(w); n > 0 {
			number = strconv.Itoa(n)
		}
		switch {
		case number != "" && compared && b.Value == "":
			b.Value = number
		case number != "":
			return Bound{}, false
		case (w == "не" || w == "not" || w == "no") && !compared:
			denied = true
		case cheaper[w], dearer[w], lessThan[w], moreThan[w]:
			if compared {
				return Bound{}, false
			}
			compared = true
			b.Less = cheaper[w] || lessThan[w]
			b.Equal = w == "до" || w == "от"
			b.Price = b.Price || cheaper[w] || dearer[w] || ofPrice[w]
		case moneyUnit[w], strings.HasPrefix(w, "дорог"), strings.HasPrefix(w, "дешев"), w == "expensive", w == "cheap":
			b.Price = true
		case pieceUnit[w]:
			b.Quantity = true
		case !aroundBound[w] && w != ",":
			return Bound{}, false
		}
	}
	if b.Value == "" || b.Price && b.Quantity {
		return Bound{}, false
	}
	if denied {
		b.Less, b.Equal = !b.Less, !b.Equal
	}
	return b, true
}

// keepsBound reports whether lines under a condition are to stay: "оставь дороже 1000".
func (m *message) keepsBound() bool {
	n := message{ts: m.ts, at: m.at + 1}
	_, ok := n.bounded()
	return ok
}

// leftAsIs returns the words that say what is not to change: "оставь тетради как есть", "тетради оставь как есть"; none
// for any other message (rule R815).
func (m *message) leftAsIs() []token.Token {
	n := len(m.ts)
	for n > m.at && asIs[m.norm(n-1)] {
		n--
	}
	switch {
	case n == len(m.ts):
		return nil
	case keepVerbs[m.norm(n-1)] && n-1 > m.at:
		return m.ts[m.at : n-1]
	case keepVerbs[m.norm(m.at)] && n > m.at+1:
		return m.ts[m.at+1 : n]
	}
	return nil
}

var asIs = words.Set("как есть было прежде раньше прежними прежней без изменений изменения покое в alone unchanged as is " +
	"they it are was")

// firstOut reads how many of the first lines are left out: "убери первые три", "кроме первых двух".
func (m *message) firstOut() int {
	n := message{ts: m.ts, at: m.at}
	if w := m.norm(m.at); !dropVerbs[w] && !exceptWords[w] && w != "без" && w != "without" {
		return 0
	}
	n.at++
	if w := n.norm(n.at); w == "only" || w == "только" || keepVerbs[w] {
		return 0
	}
	// as in "только первые три"
	n.ts = append(append([]token.Token{}, m.ts[:n.at]...), append([]token.Token{{Kind: token.Word, Norm: "только",
		Raw: "только"}}, m.ts[n.at:]...)...)
	return n.first()
}
