package language

import (
	"strings"

	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// referenceKind returns the kind of list that the task names first.
func (r *reader) referenceKind() string {
	best, kind := len(r.ts)+1, ""
	for c, k := range map[concept]connector.NameKind{
		conceptPriceType: connector.NamePriceType, conceptOrganization: connector.NameOrganization,
		conceptStore:    connector.NameStore,
		conceptSupplier: connector.NameSupplier,
		conceptGroup:    connector.NameGroup, conceptEmployee: connector.NameEmployee,
		conceptChannel:  connector.NameSalesChannel,
		conceptCustomer: connector.NameCounterparty,
	} {
		for _, f := range r.found {
			if f.Meaning != c {
				continue
			}
			at := f.At[0]
			if c == conceptPriceType {
				at = -1
			}
			if at < best || at == best && k < connector.NameKind(kind) {
				best, kind = at, string(k)
			}
		}
	}
	return kind
}

// query returns what to search for: the words after the verb, without the words that only say that goods are sought.
func (r *reader) query() string {
	at, verb := -1, false
	for _, f := range r.found {
		c, last := f.Meaning, f.At[len(f.At)-1]
		switch {
		case (c == conceptFind || c == conceptPriceQuestion) && (!verb || last > at):
			at, verb = last, true
		case c == conceptCode && !verb && at < 0:
			at = f.At[0] - 1
		}
	}
	pick := func(from, to int) string {
		first, last := -1, -1
		for i := from; i < to; i++ {
			t := &r.ts[i]
			if t.Kind == token.Quoted {
				return t.Raw
			}
			code := i+2 < to && r.ts[i+1].Kind == token.Mark && r.ts[i+1].Glued && r.ts[i+2].Glued // SKU-77
			if t.Kind == token.Mark || t.Use == token.AsAccount || first < 0 && r.noise(t) && !code {
				continue
			}
			if first < 0 {
				first = t.Start
			}
			if !trailing[t.Norm] {
				last = t.End
			}
		}
		if last < first {
			return ""
		}
		if first < 0 {
			return ""
		}
		return strings.Trim(r.task[first:last], " ?!.,:;")
	}
	if s := pick(at+1, len(r.ts)); s != "" {
		return s
	}
	return pick(0, max(at, 0))
}

// leading and trailing are words that stand around what is sought and are no part of it.
var (
	leading = words.Set("цена цену цены price prices мне нам пожалуйста плиз пож а ну ка товар товара " +
		"товары товаров позицию позиции продукт карточку карточка по с со под у нас наш есть ли в на базе " +
		"каталоге названием названию именем какой какие такой такая такие такое все что за то чтото the a " +
		"an for no me us by with of any all our my product products item items goods called named name code " +
		"article sku barcode number in on to please is there do we have that which called one ones артикул " +
		"артикулу артикулом артикула код кода коду кодом штрихкод штрихкоду штрихкодом номер номеру номером " +
		"ищется о об about информацию info")
	trailing = words.Set("какой какая какое какие такой такая такие вообще пожалуйста плиз пож нас базе каталоге мне нам срочно быстро спасибо please thanks " +
		"it them us our catalog catalogue stock складе есть у в на in the ли наличии товар что за такое это this")
)

// noise reports whether a word is not part of what to search for.
func (r *reader) noise(t *token.Token) bool {
	if t.Kind != token.Word {
		return false
	}
	sought := true
	r.x.Means(t, func(c concept, _ bool) {
		sought = sought && c != conceptFind && c != conceptShow && c != conceptGreeting
	})
	return !sought || leading[t.Norm]
}
