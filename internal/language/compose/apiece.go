package compose

import (
	"slices"
	"strconv"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/language/compose/typed"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// apiece takes the words behind a number that make it the price of one piece: "от 5 тысяч за штуку", "over 2000 each"
// (rule R1120). It reports whether there are any.
func (d *draft) apiece(op *typed.Item, n int) bool {
	number := d.Items[n]
	value, err := decimal.Parse(number.Number.Value)
	u := number.Number.Unit
	if err != nil || number.At > op.End+1 || u != words.Money && (u != words.NoUnit ||
		value.Cmp(decimal.FromInt(fewPieces)) < 0) {
		return false // "no more than 3 each"
	}
	at := number.End
	if at < len(d.Tokens) && beforePiece[d.Tokens[at].Norm] {
		at++
	}
	if at < len(d.Tokens) && oneWords[d.Tokens[at].Norm] && at > number.End {
		at++
	}
	if at >= len(d.Tokens) || !eachPiece[d.Tokens[at].Norm] && (at == number.End || !ofOnePiece[d.Tokens[at].Norm]) {
		return false
	}
	for _, it := range d.Items[n+1:] {
		if it.At <= at {
			it.Used = true
			if it.Kind == typed.Unexplained {
				it.Kind = typed.Function
			}
		}
	}
	return true
}

const fewPieces = 50 // fewer are a quantity of each

var (
	beforePiece = words.Set("за per a for an")
	oneWords    = words.Set("одну одна один каждую каждый каждое one every each")
	eachPiece   = words.Set("each apiece поштучно")
	ofOnePiece  = words.Set("штуку штука шт штучку единицу ед экземпляр кусок unit piece item pc one pop")
)

// priceOrStock reports whether a large number that stands for itself may be a price as well as a quantity in stock,
// and asks which it is: "кружки до тысячи в наличии" (rule R1120). Right behind the word for the stock, it is the
// quantity: "остаток больше 500".
func (d *draft) priceOrStock(at int, of string, value typed.Numeral) bool {
	op := d.Items[at]
	n, err := strconv.Atoi(value.Value)
	if of != "stock" || d.Previous != nil || err != nil || n < leastPrice || value.Unit != words.NoUnit ||
		!mayBePrice[d.Tokens[op.At].Norm] || !d.allows("sale_price", "product") {
		return false
	}
	before := d.neighbour(at, -1)
	return !is(before, typed.Measure) || before.ID != "stock" || !stockNouns[d.Tokens[before.End-1].Stem] ||
		d.ordered == "sale_price"
}

const leastPrice = 300 // a number that is more likely a price than a quantity in stock

var (
	mayBePrice = words.Set("от до свыше under below over above from")
	stockNouns = token.Stems("остаток остатки остатков остатка запас запасы запасов stock stocks inventory")
)

// onShelves reports whether money bounds the price of what is there: "что есть в наличии до 300 рублей".
func (d *draft) onShelves(at int) bool {
	return d.Previous == nil && pricing[d.Tokens[d.Items[at].At].Norm] && d.word(shelfWords) && (len(d.asked) == 0 ||
		len(d.asked) == 1 && mayBeStock[d.asked[0]])
}

var shelfWords = words.Set("наличии есть имеется продаже ассортименте полках полке прилавке available stock have")

// eitherPrice returns the two queries that a large number may mean: a price, and a quantity in stock.
func (d *draft) eitherPrice() []analysis.Query {
	price := d.q
	price.Where = slices.Clone(d.q.Where)
	for i := range price.Where {
		if price.Where[i].Field == "stock" && slices.Equal(price.Where[i].Values, d.maybePrice) {
			price.Where[i].Field = "sale_price"
		}
	}
	if !slices.Contains(price.Measures, "sale_price") {
		price.Measures = append(slices.Clone(price.Measures), "sale_price")
	}
	d.pricesThere(&price)
	return []analysis.Query{price, d.q}
}
