package talk

import (
	"strconv"

	"github.com/stockhand/stockhand/internal/language/quantity"
	"github.com/stockhand/stockhand/internal/language/refer"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// onlyFirst reads a number of rows among words that leave no more than that, in any order, as the first rows: "мне
// первых трёх хватит", "сократи до пяти", "только пятёрку лидеров" (rules R795 and R903). It returns "" for other
// messages.
func onlyFirst(task string) string {
	n, cuts, first, only, several := 0, false, false, false, 0
	for _, x := range token.Split(task) {
		w := x.Norm
		count := refer.Collective(w)
		switch {
		case count > 0:
			several = count
		case x.Kind == token.Number:
			count, _ = strconv.Atoi(w)
		default:
			count = quantity.Numeral(w)
		}
		cuts, first, only = cuts || cutting[w], first || best[w], only || onlyWords[w]
		switch {
		case count > 0 && n == 0:
			n = count
		case count > 0 || !x.Punctuation() && !cutting[w] && !best[w] && !onlyWords[w] && !besideFirst[w]:
			return ""
		}
	}
	if n == 0 || !cuts && !(only && (first || several > 0)) {
		return ""
	}
	return "топ " + strconv.Itoa(n)
}

var (
	cutting = words.Set("оставь оставьте оставить сократи сократить урежь обрежь ограничь ограничься хватит " +
		"хватает достаточно довольно keep enough limit leave")
	best = words.Set("первые первых первой первую первым топ топа верхние верхних лучшие лучших лидеры лидеров " +
		"first top best")
	besideFirst = words.Set("а и мне нам до на в вполне уже будет списком список строк строки позиций позиции " +
		"штук штуки товаров товара этого можно давай пожалуйста покажи дай but and the is are will would be " +
		"quite to it for me us rows of just show")
)
