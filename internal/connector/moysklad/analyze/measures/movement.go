package measures

import (
	"slices"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/tool"
)

// The bases of movement. Sums are at cost.
const (
	StartQuantity   analysis.Base = "start_quantity"
	IncomeQuantity  analysis.Base = "income_quantity"
	OutcomeQuantity analysis.Base = "outcome_quantity"
	EndQuantity     analysis.Base = "end_quantity"
	StartCost       analysis.Base = "start_cost"
	IncomeCost      analysis.Base = "income_cost"
	OutcomeCost     analysis.Base = "outcome_cost"
	EndCost         analysis.Base = "end_cost"

	LossSum       analysis.Base = "loss_sum"
	LossQuantity  analysis.Base = "loss_quantity"
	EnterSum      analysis.Base = "enter_sum"
	EnterQuantity analysis.Base = "enter_quantity"
	// of stocktakings: counted less expected
	CountedSum        analysis.Base = "counted_sum"
	CountedDifference analysis.Base = "counted_difference"

	TransferSum      analysis.Base = "transfer_sum"
	TransferQuantity analysis.Base = "transfer_quantity"
)

var (
	MovedQuantities = []analysis.Base{StartQuantity, IncomeQuantity, OutcomeQuantity, EndQuantity}
	MovedCosts      = []analysis.Base{StartCost, IncomeCost, OutcomeCost, EndCost}

	overMovement = slices.Concat(OfGoods, []string{DimStore}, ofTime)
	// Write-offs, surpluses and transfers have no counterparty.
	overCorrections = slices.Concat(OfGoods, []string{DimStore, DimLegalEntity, DimEmployee, DimProject,
		DimDocumentType, DimDocument}, ofTime, recurring)
)

func movementMeasures() []analysis.Measure {
	transfers := words("по складам сюда входят перемещения между складами, без разбивки по складам — нет",
		"by warehouses it includes transfers between them, without that breakdown it does not")
	atStart := words("на начало первого дня периода", "at the beginning of the period's first day")
	atEnd := words("на конец последнего дня периода", "at the end of the period's last day")
	return []analysis.Measure{
		{Name: "stock_at_start", Title: words("Остаток на начало", "Opening stock"), Unit: tool.UnitQuantity,
			Adds: true,
			Formula: words("физический остаток на начало периода, включая товары без движения и архивные",
				"physical stock at the beginning of the period, with goods that did not move and archived ones"),
			Caution: atStart, Words: Called([]string{"остаток на начало", "начальный остаток"}, "opening stock"),
			Bases: []analysis.Base{StartQuantity}, Over: overMovement},
		{Name: "income", Title: words("Приход", "Received into stock"),
			Phrase: words("приход товара", "received into stock"), Unit: tool.UnitQuantity, Adds: true,
			Formula: words("всё, что поступило: приёмки, возвраты, оприходования",
				"everything that came in: receipts, returns, surpluses"),
			Caution: transfers, Words: Called([]string{"приход", "поступление на склад"}, "stock received"),
			Bases: []analysis.Base{IncomeQuantity}, Over: overMovement},
		{Name: "outcome", Title: words("Расход", "Issued from stock"),
			Phrase: words("расход товара", "issued from stock"), Unit: tool.UnitQuantity, Adds: true,
			Formula: words("всё, что ушло: продажи, списания", "everything that went out: sales, write-offs"),
			Caution: transfers, Words: Called([]string{"расход", "выбытие"}, "stock issued"),
			Bases: []analysis.Base{OutcomeQuantity}, Over: overMovement},
		{Name: "stock_at_end", Title: words("Остаток на конец", "Closing stock"), Unit: tool.UnitQuantity, Adds: true,
			Formula: words("физический остаток на конец последнего дня, включая товары без движения и архивные",
				"physical stock at the end of the last day, with goods that did not move and archived ones"),
			Caution: atEnd,
			Words:   Called([]string{"остаток на конец", "остаток на дату"}, "closing stock", "stock at a date"),
			Bases:   []analysis.Base{EndQuantity}, Over: overMovement},
		{Name: "stock_cost_at_start", Title: words("Остаток на начало по себестоимости", "Opening stock at cost"),
			Unit: tool.UnitMoney, Adds: true, Caution: atStart,
			Formula: words("себестоимость остатка на начало периода",
				"cost of the stock at the beginning of the period"),
			Words: Called([]string{"стоимость остатка на начало"}, "opening stock value"),
			Bases: []analysis.Base{StartCost}, Over: overMovement},
		{Name: "income_cost", Title: words("Приход по себестоимости", "Received at cost"), Unit: tool.UnitMoney,
			Adds: true, Caution: transfers,
			Formula: words("себестоимость поступившего", "cost of what came in"),
			Words:   Called([]string{"приход в деньгах"}, "value received"),
			Bases:   []analysis.Base{IncomeCost}, Over: overMovement},
		{Name: "outcome_cost", Title: words("Расход по себестоимости", "Issued at cost"), Unit: tool.UnitMoney,
			Adds: true, Caution: transfers,
			Formula: words("себестоимость ушедшего, это не выручка", "cost of what went out, not revenue"),
			Words:   Called([]string{"расход в деньгах"}, "value issued"),
			Bases:   []analysis.Base{OutcomeCost}, Over: overMovement},
		{Name: "stock_cost_at_end", Title: words("Остаток на конец по себестоимости", "Closing stock at cost"),
			Unit: tool.UnitMoney, Adds: true, Caution: atEnd,
			Formula: words("себестоимость остатка на конец последнего дня",
				"cost of the stock at the end of the last day"),
			Words: Called([]string{"стоимость остатка на дату"}, "closing stock value", "stock value at a date"),
			Bases: []analysis.Base{EndCost}, Over: overMovement},
	}
}

func correctionMeasures() []analysis.Measure {
	twice := words("меньше нуля — недостача; сама инвентаризация остатки не меняет, поэтому одно расхождение может быть в "+
		"двух инвентаризациях", "below zero, goods are missing; a stocktaking itself changes no stock, so two of them may "+
		"find the same difference")
	sender := words("по складам — тот, откуда перемещено", "by warehouses, the one that sent")
	return []analysis.Measure{
		{Name: "written_off", Title: words("Списано", "Written off"),
			Phrase: words("списания", "write-offs"), Unit: tool.UnitMoney, Adds: true,
			Formula: words("сумма проведённых списаний", "sum of posted write-offs"),
			Words:   Called([]string{"списания", "потери"}, "write-offs", "losses"),
			Bases:   []analysis.Base{LossSum}, Over: overCorrections},
		{Name: "quantity_written_off", Title: words("Списано, количество", "Quantity written off"),
			Phrase: words("количество списанного", "quantity written off"),
			Unit:   tool.UnitQuantity, Adds: true,
			Formula: words("количество в проведённых списаниях", "quantity in posted write-offs"),
			Words:   Called([]string{"сколько списано"}, "quantity written off"),
			Bases:   []analysis.Base{LossQuantity}, Over: overCorrections},
		{Name: "surplus", Title: words("Оприходовано", "Surplus"),
			Phrase: words("оприходования", "surplus"), Unit: tool.UnitMoney, Adds: true,
			Formula: words("сумма проведённых оприходований, по себестоимости", "sum of posted surpluses, at cost"),
			Words:   Called([]string{"оприходования", "излишки"}, "surpluses"),
			Bases:   []analysis.Base{EnterSum}, Over: overCorrections},
		{Name: "quantity_surplus", Title: words("Оприходовано, количество", "Quantity of surplus"),
			Phrase: words("количество оприходованного", "quantity of surplus"),
			Unit:   tool.UnitQuantity, Adds: true,
			Formula: words("количество в проведённых оприходованиях", "quantity in posted surpluses"),
			Words:   Called([]string{"сколько оприходовано"}, "surplus quantity"),
			Bases:   []analysis.Base{EnterQuantity}, Over: overCorrections},
		{Name: "inventory_difference", Title: words("Расхождение инвентаризации", "Stocktaking difference"),
			Phrase: words("расхождение инвентаризации", "stocktaking difference"),
			Unit:   tool.UnitMoney, Adds: true, Caution: twice,
			Formula: words("(фактическое количество − расчётное) × цена в строках инвентаризаций",
				"(counted − expected quantity) × price in the lines of stocktakings"),
			Words: Called([]string{"расхождение инвентаризации", "недостача", "итоги инвентаризации"},
				"stocktaking difference", "inventory difference"),
			Bases: []analysis.Base{CountedSum}, Over: overCorrections},
		{Name: "quantity_inventory_difference", Unit: tool.UnitQuantity, Adds: true, Caution: twice,
			Title:  words("Расхождение инвентаризации, количество", "Quantity of stocktaking difference"),
			Phrase: words("расхождение инвентаризации по количеству", "quantity of stocktaking difference"),
			Formula: words("фактическое количество минус расчётное в строках инвентаризаций",
				"counted minus expected quantity in the lines of stocktakings"),
			Words: Called([]string{"сколько не хватило при инвентаризации"}, "quantity of stocktaking difference"),
			Bases: []analysis.Base{CountedDifference}, Over: overCorrections},
		{Name: "transferred", Title: words("Перемещено", "Transferred"),
			Phrase: words("перемещения", "transfers"), Unit: tool.UnitMoney, Adds: true,
			Formula: words("сумма проведённых перемещений по ценам документов",
				"sum of posted transfers at the prices of the documents"),
			Caution: words(sender.RU+"; цены документов — не себестоимость", sender.EN+
				"; prices of the documents are not costs"),
			Words: Called([]string{"сумма перемещений"}, "value transferred"),
			Bases: []analysis.Base{TransferSum}, Over: overCorrections},
		{Name: "quantity_transferred", Title: words("Перемещено, количество", "Quantity transferred"),
			Phrase: words("количество перемещённого", "quantity transferred"),
			Unit:   tool.UnitQuantity, Adds: true, Caution: sender,
			Formula: words("количество в проведённых перемещениях", "quantity in posted transfers"),
			Words:   Called([]string{"перемещения", "сколько перемещено"}, "transfers", "quantity transferred"),
			Bases:   []analysis.Base{TransferQuantity}, Over: overCorrections},
	}
}
