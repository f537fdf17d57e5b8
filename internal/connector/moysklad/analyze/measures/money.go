package measures

import (
	"slices"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/tool"
)

// The bases of payments.
const (
	MoneyIn  analysis.Base = "money_in"
	MoneyOut analysis.Base = "money_out"
)

var overMoney = slices.Concat([]string{DimLegalEntity, DimAccount, DimExpenseItem, DimCounterparty, DimTag, DimEmployee,
	DimChannel, DimProject, DimContract, DimState, DimCurrency, DimDocumentType, DimDocument}, ofTime, recurring)

func moneyMeasures() []analysis.Measure {
	own := words("деньги, переведённые между своими счетами, входят и в приход, и в расход; деньги в кассе магазина — "+
		"только по ордерам", "money moved between own accounts is both in and out; money in the tills of shops counts "+
		"only by cash orders")
	return []analysis.Measure{
		{Name: "money_in", Title: words("Приход денег", "Money in"), Unit: tool.UnitMoney, Adds: true, Caution: own,
			Formula: words("проведённые входящие платежи и приходные ордера",
				"posted incoming payments and cash receipts"),
			Words: Called([]string{"приход денег", "поступления денег", "оплаты покупателей"}, "money in",
				"cash received"),
			Bases: []analysis.Base{MoneyIn}, Over: overMoney},
		{Name: "money_out", Title: words("Расход денег", "Money out"), Unit: tool.UnitMoney, Adds: true, Caution: own,
			Formula: words("проведённые исходящие платежи и расходные ордера, с оплатой товара",
				"posted outgoing payments and cash payments, with those for goods"),
			Words: Called([]string{"расход денег", "расходы", "траты"}, "money out", "expenses", "spending"),
			Bases: []analysis.Base{MoneyOut}, Over: overMoney},
		{Name: "net_flow", Title: words("Приход − расход денег", "Net cash flow"),
			Phrase: words("приход минус расход денег", "net cash flow"), Unit: tool.UnitMoney, Adds: true,
			Whole:   true,
			Formula: words("приход денег минус расход денег", "money in minus money out"),
			Caution: words("это движение денег, а не прибыль", "this is the flow of money, not profit"),
			Words:   Called([]string{"денежный поток", "движение денег"}, "cash flow", "net cash flow"),
			Bases:   []analysis.Base{MoneyIn, MoneyOut}, Of: sub(MoneyIn, MoneyOut), Over: overMoney},
		{Name: "balance", Title: words("Остаток денег", "Money balance"), Unit: tool.UnitMoney, Adds: true,
			Formula: words("деньги на счетах и в кассах по отчёту «Деньги»",
				"money on accounts and in cash desks by the money report"),
			Caution: words("сейчас, а не за период; счета в других валютах не складываются",
				"now, not over the period; accounts in other currencies are not added"),
			Words: Called([]string{"остаток денег", "деньги на счетах", "сколько денег"}, "money balance",
				"cash balance"),
			Bases: []analysis.Base{AccountBalance}, Over: []string{DimLegalEntity, DimAccount, DimCurrency}},
	}
}

// accountBalance is the money on an account now, in main units of the account currency.
const AccountBalance analysis.Base = "account_balance"
