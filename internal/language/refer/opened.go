package refer

import (
	"cmp"
	"strconv"

	"github.com/stockhand/stockhand/internal/language/quantity"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// Opened reads a row by its place among words that open and show, in any order: "покажи второго" after a table of
// customers, "номер 2 подробнее", "что привезли в первой" after a list of receipts (rules R803 and R901). It
// returns the number of the row from 0. By itself, "второе" is another option of a question.
func (r *Rows) Opened(task string) (row int, ok bool) {
	if r == nil || r.Earlier || len(r.IDs) == 0 {
		return 0, false
	}
	document := r.Dimension == "document"
	place, opens, option, numbered := 0, false, false, false
	ts := token.Split(task)
	for i, x := range ts {
		w := x.Norm
		n := cmp.Or(ordinals[w], edges[w])
		if numbered && place == 0 {
			if n, _ = strconv.Atoi(w); n == 0 {
				n = quantity.Numeral(w)
			}
		}
		switch {
		case n != 0 && place == 0:
			place, option = n, neuter(w) || !x.Cyrillic && !numbered
		case x.Kind == token.Mark && (i > 0 || w == "№"), showing[w]:
			numbered = w == "№"
		case numbering[w]:
			numbered = true
		case opening[w] || document && contents[w]:
			opens = true
		case rowWords[w] || nounsOf[r.Dimension][w]:
		default:
			return 0, false
		}
	}
	if place == 0 || option && !opens || place < 0 && !document && !opens {
		return 0, false
	}
	if ref := (finder{Rows: r, ts: ts}).one(place, 0, 0); len(ref.Rows) == 1 {
		return ref.Rows[0], true
	}
	return 0, false
}

func neuter(w string) bool {
	r := []rune(w)
	return len(r) > 1 && (string(r[len(r)-2:]) == "ое" || string(r[len(r)-2:]) == "ье")
}

var (
	showing = words.Set("во списку списке вверху известно а и ну вот ка да покажи покажите дай давай глянь " +
		"глянем посмотри посмотреть посмотрим хочу можно мне нам кто что чего чё че за про по на с в о об это " +
		"такой такая такое там есть из самый самая самого самую ещё еще пожалуйста плиз the a one on about in " +
		"of what is what's who show me please and")
	opening = words.Set("открой откройте открыть раскрой раскройте разверни карточка карточку подробнее " +
		"подробней поподробнее поподробней подробно подробности детали детально детальнее сведения инфа инфу " +
		"инфо информация информацию досье данные расскажи интересует интересен open details detail more info " +
		"card expand")
	contents = words.Set("состав состава состоит внутри товар товары товаров позиции позиций строки привезли " +
		"приехало пришло купили продали отгрузили заказали какие какой какая inside items products goods")
	numbering = words.Set("номер номером номеру номера number no строка строку строке пункт row")
	// the first and the last row that are seen
	edges = map[string]int{"верхний": 1, "верхняя": 1, "верхнюю": 1, "верхнего": 1, "нижний": -1, "нижняя": -1,
		"нижнюю": -1, "нижнего": -1}
)
