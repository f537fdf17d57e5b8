package compose

import (
	"slices"

	"github.com/stockhand/stockhand/internal/language/compose/typed"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// howFast reads "как быстро уходит текстиль" and "how fast does coffee sell" as what is sold a day. How many days goods
// take to sell is no figure of the account: how long their stock lasts is offered (rule R1123).
func (d *draft) howFast() {
	sold := ""
	for _, m := range d.asked {
		switch {
		case m == "days_of_cover":
		case !soldFigures[m] || sold != "":
			return
		default:
			sold = m
		}
	}
	if sold == "" && len(d.asked) == 0 && d.Previous == nil && d.followed(askHow, fastness) && d.word(movesOff) {
		d.ask("pace")
		d.direction, d.ordered = "", ""
		d.goods = d.goods || len(d.q.By) == 0
		for _, it := range d.Items {
			if w := d.Tokens[it.At].Norm; movesOff[w] || fastness[w] {
				it.Kind, it.Used = typed.Function, true
			}
		}
		return
	}
	switch {
	case sold == "" || d.compares || d.Previous != nil:
		return
	case d.followed(askHow, fastness):
		d.replace(sold, "pace")
		d.direction, d.ordered = "", ""
	case d.takesToSell():
		d.replace(sold, "days_of_cover")
		d.direction, d.ordered = "", ""
		d.instead = [2]string{"За сколько дней товар продаётся, в учёте не посчитано. Показать, на сколько дней хватит " +
			"запаса при нынешних продажах?", "How many days goods take to sell is not kept. Show for how many days the " +
			"stock lasts at the present sales?"}
		d.periods = nil
		for _, it := range d.Items {
			it.Used = it.Used || it.Kind == typed.Period || it.Kind == typed.Number || it.Kind == typed.Average ||
				it.Kind == typed.Unexplained && sellingTime[d.Tokens[it.At].Norm]
		}
	default:
		return
	}
	d.goods = d.goods || len(d.q.By) == 0
}

// emptiest reads "какой склад самый пустой" as what lies there, and not as the number of its customers.
func (d *draft) emptiest() {
	if d.Previous == nil && slices.Equal(d.asked, []string{"receipts"}) && d.direction != "" && d.word(emptyWords) &&
		d.stems(warehouseStems) {
		d.replace("receipts", "stock_cost")
		d.ordered = ""
	}
}

// leavesShelves counts goods that leave the shelves in pieces: "сколько кофе уходит в неделю в среднем", "сколько
// уходит в день" (rule R1162).
func (d *draft) leavesShelves() {
	if len(d.asked) != 1 || !d.word(leaving) || !d.conditioned("product") && !d.conditioned("group") {
		return
	}
	of := d.asked[0]
	averaged := slices.ContainsFunc(d.Items, func(it *typed.Item) bool { return it.Kind == typed.Average })
	if pieces := inPieces[of]; of == "revenue_per_day" || of == "revenue" && averaged {
		d.replace(of, pieces)
	}
}

var (
	leaving        = words.Set("уходит уходят уходило расходится расходятся разлетается разлетаются улетает улетают")
	emptyWords     = words.Set("пустой пустая пустое пустые пустует пустуют пусто полный забит забитый заполненный")
	warehouseStems = token.Stems("склад склада складе склады складов складах складам " +
		"остатков остатках остатки запасов запасах запасы warehouse warehouses stock inventory")
)

// followed reports whether a word of the second set stands right behind one of the first.
func (d *draft) followed(first, second map[string]bool) bool {
	for i := 1; i < len(d.Tokens); i++ {
		if first[d.Tokens[i-1].Norm] && second[d.Tokens[i].Norm] {
			return true
		}
	}
	return false
}

// takesToSell reports whether the task asks in how much time goods are sold: "за сколько дней продаётся", "how long
// does it take to sell".
func (d *draft) takesToSell() bool {
	in := slices.ContainsFunc(d.Tokens, func(t token.Token) bool { return t.Norm == "take" || t.Norm == "takes" })
	if in && d.followed(askHow, howLong) {
		return true
	}
	for i := 2; i < len(d.Tokens); i++ {
		if d.Tokens[i-1].Norm == "сколько" && d.Tokens[i-2].Norm == "за" && sellingTime[d.Tokens[i].Norm] {
			return true
		}
	}
	return false
}

var (
	askHow      = words.Set("как насколько how")
	fastness    = words.Set("быстро скоро бойко шустро резво живо медленно fast quickly slowly quick slow")
	movesOff    = words.Set("move moves moving go goes going turn turns fly shift disappear")
	howLong     = words.Set("long many")
	sellingTime = words.Set("дней времени суток недель месяцев days time weeks day sell take takes")
)
