package talk

import (
	"cmp"
	"strconv"

	"github.com/stockhand/stockhand/internal/language"
	"github.com/stockhand/stockhand/internal/language/quantity"
	"github.com/stockhand/stockhand/internal/language/refer"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// OpensRow reports whether a message is a row of the last table and no choice of an option (rule R803).
func OpensRow(task string, rows *refer.Rows) bool { return rowAlone(task, rows) != "" }

// rowAlone reads a row by its place among words that open and show, in any order, as a request to open it: "покажи
// второго" after a table of customers, "номер 2 подробнее", "что привезли в первой" after a list of receipts (rules R803
// and R901). By itself, "второе" is another option of a question. It returns "" for other messages.
func rowAlone(task string, rows *refer.Rows) string {
	if rows == nil || rows.Earlier || rows.Dimension != "document" && !language.NamedRows(rows) {
		return ""
	}
	document := rows.Dimension == "document"
	place, opens, option, numbered, cyrillic := 0, false, false, false, false
	for i, x := range token.Split(task) {
		w := x.Norm
		n := cmp.Or(refer.Ordinal(w), edges[w])
		if numbered && place == 0 {
			if n, _ = strconv.Atoi(w); n == 0 {
				n = quantity.Numeral(w)
			}
		}
		cyrillic = cyrillic || x.Cyrillic
		switch {
		case n != 0 && place == 0:
			place, option = n, neuter(w) || !x.Cyrillic && !numbered
		case x.Kind == token.Mark && (i > 0 || w == "№"), showing[w]:
			numbered = w == "№"
		case numbering[w]:
			numbered = true
		case opening[w] || document && contents[w]:
			opens = true
		case refer.IsRow(rows.Dimension, w):
		default:
			return ""
		}
	}
	switch {
	case place == 0 || place > len(rows.IDs) || option && !opens || place < 0 && !document && !opens:
		return ""
	case !cyrillic && englishPlaces[place] == "":
		return ""
	case !cyrillic:
		return "open the " + englishPlaces[place] + " one"
	case rows.Dimension == "product" || rows.Dimension == "counterparty":
		return "открой карточку " + russianPlaces[place]
	}
	return "открой " + russianPlaces[place]
}

func neuter(w string) bool {
	r := []rune(w)
	return len(r) > 1 && (string(r[len(r)-2:]) == "ое" || string(r[len(r)-2:]) == "ье")
}

var (
	showing = words.Set("а и ну вот ка да покажи покажите дай давай глянь глянем посмотри посмотреть посмотрим хочу " +
		"можно мне нам кто что чего чё че за про по на с в о об это такой такая такое там есть из самый самая самого " +
		"самую ещё еще пожалуйста плиз the a one on about in of what is what's who show me please and")
	opening = words.Set("открой откройте открыть раскрой раскройте разверни карточка карточку подробнее подробней " +
		"поподробнее поподробней подробно подробности детали детально детальнее инфа инфу инфо информация информацию " +
		"досье данные расскажи интересует интересен open details detail more info card expand")
	contents = words.Set("состав состава состоит внутри товар товары товаров позиции позиций строки привезли приехало " +
		"пришло купили продали отгрузили заказали какие какой какая inside items products goods")
	numbering     = words.Set("номер номером номеру номера number no строка строку строке пункт row")
	russianPlaces = map[int]string{1: "первого", 2: "второго", 3: "третьего", 4: "четвертого", 5: "пятого",
		6: "шестого", 7: "седьмого", 8: "восьмого", 9: "девятого", 10: "десятого", -1: "последнего",
		-2: "предпоследнего"}
	englishPlaces = map[int]string{1: "first", 2: "second", 3: "third", 4: "fourth", 5: "fifth", 6: "sixth",
		7: "seventh", 8: "eighth", 9: "ninth", 10: "tenth", -1: "last"}
	// the first and the last row that are seen
	edges = map[string]int{"верхний": 1, "верхняя": 1, "верхнюю": 1, "верхнего": 1, "нижний": -1, "нижняя": -1,
		"нижнюю": -1, "нижнего": -1}
)
