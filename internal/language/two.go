package language

import (
	"slices"

	"github.com/stockhand/stockhand/internal/language/token"
)

// heads are the concepts that alone are the subject of a task, and the skill that each asks for.
var heads = map[concept]Skill{
	conceptStock: Stock, conceptProfit: Profitability, conceptLoss: Profitability, conceptMoney: Money,
	conceptMoneyBalance: Money, conceptMoneyFlow: Money,
	conceptDebt: Receivables, conceptPayable: Receivables,
	conceptSales: SalesTrend, conceptRevenue: SalesTrend, conceptTurnover: Turnover, conceptSlowStock: StockAge,
	conceptShortage: Shortages,
	conceptToBuy:    Shortages, conceptABC: ABCXYZ, conceptByStore: StockByStore,
}

// together are pairs of subjects that one tool answers, or that people use for the same thing.
var together = map[[2]Skill]bool{
	{Profitability, SalesTrend}: true, {Shortages, Stock}: true, {StockAge, Stock}: true, {Turnover, Stock}: true,
	{Money, Turnover}: true, {StockByStore, Stock}: true,
	{Profitability, StockAge}: true, {SalesTrend, Turnover}: true, {ABCXYZ, SalesTrend}: true,
	{ABCXYZ, Profitability}: true, {SalesTrend, StockAge}: true,
	{StockByStore, Shortages}: true, {StockByStore, StockAge}: true, {StockByStore, Turnover}: true,
	{StockByStore, SalesTrend}: true, {StockByStore, Profitability}: true,
	{StockByStore, Money}: true, {StockByStore, Receivables}: true, {StockByStore, ABCXYZ}: true,
	{Shortages, SalesTrend}: true, {Shortages, Turnover}: true,
	{Money, Receivables}: false,
}

// twoTasks returns the two skills of a task that asks for two things side by side: "остатки и прибыль", "sales and
// debts". One answer cannot serve both, so the person chooses where to begin.
func (r *reader) twoTasks() []Skill {
	for i, t := range r.ts {
		joined := t.Kind == token.Word && (t.Norm == "и" || t.Norm == "and" || t.Norm == "плюс" || t.Norm == "также" ||
			t.Norm == "plus") || t.Kind == token.Mark &&
			(t.Norm == "," || t.Norm == "+" || t.Norm == "/" || t.Norm == "&")
		if !joined {
			continue
		}
		left, right := r.headBefore(i), r.headAfter(i)
		if left == "" || right == "" || left == right || together[[2]Skill{left, right}] ||
			together[[2]Skill{right, left}] {
			continue
		}
		return []Skill{left, right}
	}
	return nil
}

func (r *reader) headBefore(i int) Skill {
	best, at := Skill(""), i-5
	for _, f := range r.found {
		last := f.At[len(f.At)-1]
		if s := heads[f.Meaning]; s != "" && last < i && last >= at && s != StockByStore {
			best, at = s, last
		}
	}
	return best
}

func (r *reader) headAfter(i int) Skill {
	best, at := Skill(""), i+4
	for _, f := range r.found {
		if s := heads[f.Meaning]; s != "" && f.At[0] > i && f.At[0] < at && !slices.Contains(f.At, i) &&
			s != StockByStore {
			best, at = s, f.At[0]
		}
	}
	return best
}
