package act

import (
	"strings"

	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/language/quantity"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

var (
	growVerbs   = words.Set("увеличь увеличить увеличьте умножь умножить умножьте increase multiply")
	cutVerbs    = words.Set("уменьши уменьшить уменьшите сократи сократить сократите урежь урезать reduce decrease")
	factorVerbs = words.Set("удвой удвоить удвойте утрой утроить double triple halve")
	factors     = map[string]string{"удвой": "2", "удвоить": "2", "удвойте": "2", "утрой": "3", "утроить": "3",
		"double": "2", "triple": "3", "halve": "0.5", "вдвое": "2", "втрое": "3",
		"наполовину": "0.5", "половину": "0.5", "половинку": "0.5", "пополам": "0.5", "twice": "2",
		"half": "0.5"}
	onlyHalf  = words.Set("только лишь хватит возьми возьмем привези давай")
	more      = words.Set("больше more much many")
	less      = words.Set("меньше less fewer")
	timesWord = words.Set("раз раза times")
	shareWord = words.Set("% процент процента процентов percent проц")
	// scaled are words for the quantities of all lines.
	scaled = words.Set("все всё всего всем каждую каждого каждой каждый количество количества количествах кол-во " +
		"колво строки строк позицию позиции позиций позиция заказ заказе заказа перемещение черновик по в во на as " +
		"из этого этих них all everything every each the of quantity quantities amounts order line lines it them by их штук")
)

// scale reads a change of all quantities by a factor: "увеличь всё в 2 раза", "сделай вдвое меньше", "уменьши соль на
// 10 %". A name of lines may stand between.
func (m *message) scale() Act {
	a := Act{Kind: Scale, Weak: true}
	one := decimal.FromInt(1)
	factor, share, found, down, asked := one, false, false, false, false
	var named []token.Token
	for i := m.at; i < len(m.ts); i++ {
		w := m.norm(i)
		value := m.ts[i].Norm
		if n := quantity.Numeral(w); n > 0 && m.ts[i].Kind != token.Number {
			value = decimal.FromInt(int64(n)).String()
		} else if w == "полтора" || w == "полторы" {
			value = "1.5"
		} else if m.ts[i].Kind != token.Number {
			value = ""
		}
		switch by := factors[w]; {
		case by != "" && !found:
			factor, found = decimal.MustParse(by), true
			asked = asked || i == m.at && factorVerbs[w] || strings.HasPrefix(w, "половин") && i <= m.at+1
			if by == "0.5" && w != "halve" {
				down, factor = true, decimal.FromInt(2)
			}
		case growVerbs[w] && i == m.at:
			asked = true
		case cutVerbs[w] && i == m.at:
			asked, down = true, true
		case (w == "сделай" || w == "make" || w == "закажи" || w == "order") && i == m.at:
		case more[w] && found:
			asked = true
		case less[w] && found:
			asked, down = true, true
		case value != "" && !found && (timesWord[m.norm(i+1)] || shareWord[m.norm(i+1)]):
			n, err := decimal.Parse(value)
			if err != nil || n.Sign() <= 0 {
				return Act{}
			}
			factor, share, found = n, shareWord[m.norm(i+1)], true
			i++
		case scaled[w], i == m.at && onlyHalf[w]:
		case priceWords[w] || strings.HasPrefix(w, "цен") || strings.HasPrefix(w, "price"):
			return Act{}
		case m.ts[i].Kind == token.Word && asked && !found, m.ts[i].Kind == token.Quoted && asked && !found:
			named = append(named, m.ts[i])
		default:
			return Act{}
		}
	}
	if !found || !asked {
		return Act{}
	}
	hundred := decimal.FromInt(100)
	switch {
	case share && down:
		factor = one.Sub(factor.Div(hundred))
	case share:
		factor = one.Add(factor.Div(hundred))
	case down:
		factor = one.Div(factor)
	}
	if factor.Sign() <= 0 {
		return Act{}
	}
	a.To = factor.String()
	if len(named) > 0 {
		of := (&message{ts: named}).lines(Act{})
		a.Names, a.Lines = of.Names, of.Lines
	}
	return a
}

// first returns how many lines from the first on are to stay: "оставь первые три", "только первые 5"; 0 for any other
// message.
func (m *message) first() int {
	i := m.at
	if keepVerbs[m.norm(i)] {
		i++
	}
	only := i > m.at
	if w := m.norm(i); w == "только" || w == "лишь" || w == "only" || w == "just" {
		only = true
		i++
	}
	if w := m.norm(i); w == "the" || w == "на" || w == "for" {
		i++
	}
	if w := m.norm(i); !only || w != "первые" && w != "первых" && w != "first" {
		return 0
	}
	i++
	n := quantity.Numeral(m.norm(i))
	if i < len(m.ts) && m.ts[i].Kind == token.Number {
		n = atoi(m.ts[i].Norm)
	}
	for i++; i < len(m.ts) && (lineWords[m.norm(i)] || tail[m.norm(i)]); i++ {
		continue
	}
	if i < len(m.ts) {
		return 0
	}
	return n
}

func atoi(text string) int {
	n := 0
	for _, c := range text {
		if c < '0' || c > '9' || n > 1000 {
			return 0
		}
		n = n*10 + int(c-'0')
	}
	return n
}
