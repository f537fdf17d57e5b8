package compose

import (
	"slices"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/language/compose/typed"
	"github.com/stockhand/stockhand/internal/words"
)

// hereAndThere reads what one warehouse has and another one lacks: "на витрине полно, а на основном ноль". No query
// selects such goods, and none of both warehouses together is that: the question offers the stock side by side (rule
// R1121).
func (d *draft) hereAndThere() {
	if d.Previous != nil || !d.word(lacking) || !d.word(having) ||
		slices.ContainsFunc(d.asked, func(m string) bool { return !mayBeStock[m] }) {
		return
	}
	named, any := 0, false
	for _, it := range d.Items {
		switch {
		case it.Kind == typed.Named && typed.DimensionOf(it.Name.Meanings[0].Kind) == "store":
			named++
		case it.Kind == typed.Dimension && it.ID == "store":
			any = true
		}
	}
	if named < 2 && !(named == 1 && any) {
		return
	}
	d.q.Where = slices.DeleteFunc(slices.Clone(d.q.Where), func(w analysis.Condition) bool {
		_, ofMeasure := d.Catalogue.Measure(w.Field)
		return ofMeasure || w.Op != analysis.In || w.Field == "store" && named < 2
	})
	d.asked, d.q.Measures, d.q.By = []string{"stock"}, []string{"stock"}, []string{"product", "store"}
	d.direction, d.ordered, d.goods, d.q.Limit = "", "", false, 0
	d.instead = [2]string{"Отобрать товары, которых нет на одном складе и которые есть на другом, одним запросом " +
		"нельзя. Показать остатки по этим складам рядом?", "Goods that one warehouse lacks and another has cannot " +
		"be selected by one query. Show the stock of these warehouses side by side?"}
	for _, it := range d.Items {
		switch it.Kind {
		case typed.Named, typed.Number, typed.Period:
		case typed.Unexplained:
			if w := d.Tokens[it.At].Norm; lacking[w] || having[w] {
				it.Kind = typed.Function
			}
		default:
			it.Used = true
		}
	}
}

// mayBeStock are measures that words for empty and full shelves are read as.
var mayBeStock = words.Set("stock free receipts sale_price quantity stock_cost")

var (
	lacking = words.Set("нет нету пусто пустой пустая пустые ноль ноля нуле нулю нулевой нулевая нулевые нулевых " +
		"закончился закончилась закончилось закончились кончился кончилась кончилось кончились отсутствует отсутствуют " +
		"голяк шаром out empty none zero missing gone lacks without nothing absent")
	having = words.Set("есть имеется имеются лежит лежат полно навалом завались завал куча много вдоволь завалено " +
		"осталось остался осталась остались остаток хватает хватит залежи достаточно дофига stock has have had " +
		"available plenty lots full in-stock")
)
