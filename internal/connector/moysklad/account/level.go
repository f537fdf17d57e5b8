package account

import (
	"strconv"
	"strings"

	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/decimal"
)

// StockKey identifies a good in a warehouse. Depending on the context, the zero store means stock without a warehouse
// (fact M76) or all warehouses together.
type StockKey struct{ Good, Store msapi.Key }

// Quantity is a quantity in ten-thousandths. Quantities have at most four decimals (fact M34), and the compact form
// lets the stock of a whole account by warehouse fit in memory.
type Quantity int64

const steps = 10000

func QuantityOf(d decimal.Decimal) Quantity {
	n, err := strconv.ParseInt(strings.Replace(d.Fixed(4), ".", "", 1), 10, 64)
	if err != nil {
		return 0 // more than 900 trillion
	}
	return Quantity(n)
}

func (a Quantity) Decimal() decimal.Decimal {
	return decimal.FromInt(int64(a)).Div(decimal.FromInt(steps))
}

// Level is the stock of a good.
type Level struct {
	Stock, Reserve, Transit Quantity
	Unknown                 bool // the vendor is recalculating the stock; unknown is not zero (fact M74)
}

func LevelOf(stock, reserve, transit decimal.Maybe) Level {
	return Level{QuantityOf(stock.Decimal), QuantityOf(reserve.Decimal), QuantityOf(transit.Decimal), !stock.Known}
}

// Free returns what can be sold or used: stock minus reserve, without goods in transit (fact M70).
func (l Level) Free() decimal.Decimal { return (l.Stock - l.Reserve).Decimal() }

func (l Level) IsZero() bool { return l == Level{} }

func (l Level) Add(m Level) Level {
	return Level{l.Stock + m.Stock, l.Reserve + m.Reserve, l.Transit + m.Transit, l.Unknown || m.Unknown}
}

// with returns the level with a number from one of the current stock reports.
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

// LevelTypes are the current stock reports that make up a level, one request each.
var LevelTypes = []msapi.StockType{msapi.TypeStock, msapi.TypeReserve, msapi.TypeInTransit}
