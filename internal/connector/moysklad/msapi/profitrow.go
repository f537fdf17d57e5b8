package msapi

import (
	"encoding/json"

	"github.com/stockhand/stockhand/internal/decimal"
)

// goods is a good inside a report's row.
type goods struct {
	Ref
	Folder Ref
	Unit   string
}

func (g *goods) UnmarshalJSON(b []byte) error {
	var wire struct {
		Folder Ref `json:"productFolder"`
		UOM    Ref `json:"uom"`
	}
	if err := json.Unmarshal(b, &g.Ref); err != nil {
		return err
	}
	if err := json.Unmarshal(b, &wire); err != nil {
		return err
	}
	g.Folder, g.Unit = wire.Folder, wire.UOM.Name
	return nil
}

type wireTurnover struct {
	Assortment goods    `json:"assortment"`
	Start      Turnover `json:"onPeriodStart"`
	End        Turnover `json:"onPeriodEnd"`
	Income     Turnover `json:"income"`
	Outcome    Turnover `json:"outcome"`
}

func (w *wireTurnover) key() Key { return w.Assortment.ID.Key() }

type wireProfit struct {
	Assortment     goods         `json:"assortment"`
	Employee       Ref           `json:"employee"`
	Counterparty   Ref           `json:"counterparty"`
	SalesChannel   Ref           `json:"salesChannel"`
	SellQuantity   decimal.Maybe `json:"sellQuantity"`
	SellPrice      decimal.Maybe `json:"sellPrice"`
	SellCost       decimal.Maybe `json:"sellCost"`
	SellSum        decimal.Maybe `json:"sellSum"`
	SellCostSum    decimal.Maybe `json:"sellCostSum"`
	ReturnQuantity decimal.Maybe `json:"returnQuantity"`
	ReturnPrice    decimal.Maybe `json:"returnPrice"`
	ReturnCost     decimal.Maybe `json:"returnCost"`
	ReturnSum      decimal.Maybe `json:"returnSum"`
	ReturnCostSum  decimal.Maybe `json:"returnCostSum"`
	SalesCount     decimal.Maybe `json:"salesCount"`
	ReturnCount    decimal.Maybe `json:"returnCount"`
	SalesAvgCheck  decimal.Maybe `json:"salesAvgCheck"`
	ReturnAvgCheck decimal.Maybe `json:"returnAvgCheck"`
	Profit         decimal.Maybe `json:"profit"`
	Margin         decimal.Maybe `json:"margin"`
	SalesMargin    decimal.Maybe `json:"salesMargin"`
}

func (w *wireProfit) subject() Ref {
	for _, ref := range []Ref{w.Assortment.Ref, w.Employee, w.Counterparty, w.SalesChannel} {
		if !ref.IsZero() {
			return ref
		}
	}
	return Ref{}
}

func (w *wireProfit) key() Key { return w.subject().ID.Key() }

func (w *wireProfit) row() ProfitRow {
	return ProfitRow{
		Subject: w.subject(), Folder: w.Assortment.Folder, Unit: w.Assortment.Unit,
		SellQuantity: w.SellQuantity, SellPrice: w.SellPrice, SellCost: w.SellCost,
		SellSum: w.SellSum, SellCostSum: w.SellCostSum,
		ReturnQuantity: w.ReturnQuantity, ReturnPrice: w.ReturnPrice, ReturnCost: w.ReturnCost,
		ReturnSum: w.ReturnSum, ReturnCostSum: w.ReturnCostSum,
		SalesCount: w.SalesCount, ReturnCount: w.ReturnCount,
		SalesAvgCheck: w.SalesAvgCheck, ReturnAvgCheck: w.ReturnAvgCheck,
		Profit: w.Profit, Margin: w.Margin, SalesMargin: w.SalesMargin,
	}
}
