package account

import (
	"strconv"
	"strings"

	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/decimal"
)

// StockKey is a good in a warehouse; the zero store is what no warehouse is named for (fact M76), or all warehouses
// together, as the context says.
type StockKey struct{ Good, Store msapi.Key }

// Quantity is a quantity in ten-thousandths: quantities have at most four decimals (fact M34), and a whole
// account's stock by warehouse is kept in memory.
type Quantity int64

const steps = 10000

func QuantityOf(d decimal.Decimal) Quantity {
	n, err := strconv.ParseInt(strings.Replace(d.Fixed(4), ".", "", 1), 10, 64)
	if err != nil {
		return 0 // beyond 900 trillion pieces
	}
	return Quantity(n)
}

func (a Quantity) Decimal() decimal.Decimal {
	return decimal.FromInt(int64(a)).Div(decimal.FromInt(steps))
}

// Level is what there is of a good.
type Level struct {
	Stock, Reserve, Transit Quantity
	Unknown                 bool // the vendor is recalculating it: no number, which is not zero (fact M74)
}

func LevelOf(stock, reserve, transit decimal.Maybe) Level {
	return Level{QuantityOf(stock.Decimal), QuantityOf(reserve.Decimal), QuantityOf(transit.Decimal), !stock.Known}
}

// Free is what can be sold or used: stock less reserve. Goods on the way are not in it (fact M70).
func (l Level) Free() decimal.Decimal { return (l.Stock - l.Reserve).Decimal() }

func (l Level) IsZero() bool { return l == Level{} }

func (l Level) Add(m Level) Level {
	return Level{l.Stock + m.Stock, l.Reserve + m.Reserve, l.Transit + m.Transit, l.Unknown || m.Unknown}
}

// with adds a number of one of the current reports.
func (l Level) with(t msapi.StockType, n decimal.Maybe) Level {
	switch {
	case !n.Known:
		l.Unknown = true
	case t == msapi.TypeStock:
		l.Stock += QuantityOf(n.Decimal)
	case t == msapi.TypeReserve:
		l.Reserve += QuantityOf(n.Decimal)
	case t == msapi.TypeInTransit:
		l.Transit += QuantityOf(n.Decimal)
	}
	return l
}

// LevelTypes are the numbers of the current reports that make a level: one request each.
var LevelTypes = []msapi.StockType{msapi.TypeStock, msapi.TypeReserve, msapi.TypeInTransit}
