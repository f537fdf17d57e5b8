package moysklad

import (
	"strconv"
	"strings"

	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/decimal"
)

// place is a good in a warehouse; the zero store is what no warehouse is named for (reference, section 11, trap 26),
// or all warehouses together, as the context says.
type place struct{ good, store msapi.Key }

// amount is a quantity in ten-thousandths: quantities have at most four decimals (reference, section 4.2), and a whole
// account's stock by warehouse is kept in memory.
type amount int64

const steps = 10000

func amountOf(d decimal.Decimal) amount {
	n, err := strconv.ParseInt(strings.Replace(d.Fixed(4), ".", "", 1), 10, 64)
	if err != nil {
		return 0 // beyond 900 trillion pieces
	}
	return amount(n)
}

func (a amount) decimal() decimal.Decimal {
	return decimal.FromInt(int64(a)).Div(decimal.FromInt(steps))
}

// level is what there is of a good.
type level struct {
	stock, reserve, transit amount
	unknown                 bool // the vendor is recalculating it: no number, which is not zero (trap 25)
}

func levelOf(stock, reserve, transit decimal.Maybe) level {
	return level{amountOf(stock.Decimal), amountOf(reserve.Decimal), amountOf(transit.Decimal), !stock.Known}
}

// free is what can be sold or used: stock less reserve. Goods on the way are not in it (trap 10).
func (l level) free() decimal.Decimal { return (l.stock - l.reserve).decimal() }

func (l level) nothing() bool { return l == level{} }

func (l level) add(m level) level {
	return level{l.stock + m.stock, l.reserve + m.reserve, l.transit + m.transit, l.unknown || m.unknown}
}

// with adds a number of one of the current reports.
func (l level) with(t msapi.StockType, n decimal.Maybe) level {
	switch {
	case !n.Known:
		l.unknown = true
	case t == msapi.TypeStock:
		l.stock += amountOf(n.Decimal)
	case t == msapi.TypeReserve:
		l.reserve += amountOf(n.Decimal)
	case t == msapi.TypeInTransit:
		l.transit += amountOf(n.Decimal)
	}
	return l
}

// levelTypes are the numbers of the current reports that make a level: one request each.
var levelTypes = []msapi.StockType{msapi.TypeStock, msapi.TypeReserve, msapi.TypeInTransit}
