package compose

import (
	"testing"

	"github.com/stockhand/stockhand/internal/analysis"
)

func TestEnglishTasks(t *testing.T) {
	for _, x := range []struct{ task, want string }{
		// rule R330
		{"how much did we take between 9 and 12 in the morning this month",
			"revenue where hour in [09 10 11] 2026-11-01..2026-11-22"},
		{"debts older than 60 days", "owed_to_us+debt_age by counterparty where debt_age > [60]"},
		{"products with 10 or more left", "stock by product where stock >= [10]"},
		{"goods with margin of 30% or higher", "margin by product where margin >= [30]"},
		{"customers who spent 100k or more this year",
			"revenue by counterparty where revenue >= [100000] 2026-01-01..2026-11-22"},
		{"customers with sales over 20,000", "revenue by counterparty where revenue > [20000]"},
		{"items priced 500+ roubles", "sale_price by product where sale_price >= [500]"},
		{"sales on weekends vs weekdays", "revenue by weekday"},
		{"sales on weekdays vs weekends", "revenue by weekday"},
		// days without a sale or a purchase
		{"customers who haven't ordered for three months", "days_since by counterparty where days_since >= [92]"},
		{"which clients have not bought anything since august",
			"days_since by counterparty where days_since >= [114]"},
		{"goods not sold in the last 60 days with more than 5 left",
			"stock+pace by product where stock > [0] where pace = [0] where stock > [5] 2026-09-24..2026-11-22"},
		{"are we up or down on last year so far this november",
			"revenue 2026-11-01..2026-11-22 against last_year.."},
		{"how come profit is down this month",
			"profit+quantity by product 2026-11-01..2026-11-22 against previous.. explain"},
		{"anything in stock that costs more than 3000 and hasn't moved in 2 months", "stock+sale_price+pace by product " +
			"where sale_price > [3000] where stock > [0] where pace = [0] 2026-09-24..2026-11-22"},
		{"what didn't sell at all in October",
			"stock+pace by product where stock > [0] where pace = [0] 2026-10-01..2026-10-31"},
		{"show me items with less than a week's worth of stock left",
			"days_of_cover+stock by product where days_of_cover < [7]"},
		{"stock count at end of september, by warehouse", "stock_at_end by store 2026-09-30..2026-09-30"},
		{"what's our average ticket on Fridays vs Saturdays", "average_receipt by weekday where weekday in [5 6]"},
		{"biggest order this month",
			"orders_sum by document 2026-11-01..2026-11-22 order orders_sum desc limit 1"},
		{"how much have we written off this year and on what", "written_off by product 2026-01-01..2026-11-22"},
		{"busiest hours of the day, last 30 days", "receipts by hour 2026-10-24..2026-11-22 order receipts desc"},
		{"how many items did we sell in september", "quantity 2026-09-01..2026-09-30"},
		{"revenue, profit and margin by category for the first half of the year",
			"revenue+profit+margin by group 2026-01-01..2026-06-30"},
		{"which 5 products brought in the most profit in October and how many of each did we sell",
			"profit+quantity by product 2026-10-01..2026-10-31 order profit desc limit 5"},
		{"whats the stock of goods w/ zero sales in 90 days and stock > 0",
			"stock+pace by product where stock > [0] where pace = [0] 2026-08-25..2026-11-22"},
		{"sales WoW", "revenue 2026-11-16..2026-11-22 against 2026-11-09..2026-11-15"},
		{"are sales better than last november", "revenue 2026-11-01..2026-11-22 against last_year.."},
		{"biggest expense in oct",
			"money_out by expense_item 2026-10-01..2026-10-31 order money_out desc"},
		{"which goods made a loss in october", "profit by product where profit < [0] 2026-10-01..2026-10-31"},
		{"goods with no minimum set that sold over 20 pcs last month",
			"minimum+revenue+quantity by product where minimum is_empty [] where quantity > [20] 2026-10-01..2026-10-31"},
		{"turnover MTD vs same days last month", "revenue 2026-11-01..2026-11-22 against 2026-10-01..2026-10-22"},
		{"sales last 2 weeks vs 2 weeks before", "revenue 2026-11-09..2026-11-22 against previous.."},
		{"goods with over 180 days of stock", "days_of_cover by product where days_of_cover > [180]"},
		{"top customers this year, Витрина doesnt count",
			"revenue by counterparty where store not_in [Витрина] 2026-01-01..2026-11-22 order revenue desc"},
		{"топ покупателей за год, Витрина не считается",
			"revenue by counterparty where store not_in [Витрина] 2025-11-23..2026-11-22 order revenue desc"},
		{"weekend vs weekday sales this month", "revenue by weekday 2026-11-01..2026-11-22"},
		{"sales Витрина vs Лесная last month", "revenue by store where store in [Витрина Лесная] 2026-10-01..2026-10-31"},
		{"expenses last month vs month before", "money_out 2026-10-01..2026-10-31 against previous.."},
		{"sales every Monday this month", "revenue where weekday in [1] 2026-11-01..2026-11-22"},
		{"sales by value not by units by month", "revenue by month 2025-12-01..2026-11-22"},
	} {
		if got := short(read(x.task, nil)); got != x.want {
			t.Errorf("%s\n got %s\nwant %s", x.task, got, x.want)
		}
	}
}

func TestEnglishFollowUps(t *testing.T) {
	sales := &analysis.Query{Measures: []string{"revenue"}, From: "2026-10-01", To: "2026-10-31",
		Where: []analysis.Condition{{Field: "counterparty", Op: analysis.In, Values: []analysis.Scalar{"Альфа"}}}}
	debts := &analysis.Query{Measures: []string{"owed_to_us", "debt_age"}, By: []string{"counterparty"}}
	for _, x := range []struct {
		previous   *analysis.Query
		task, want string
	}{
		{sales, "what did they buy",
			"revenue+quantity by product where counterparty in [Альфа] 2026-10-01..2026-10-31"},
		{sales, "split it by week", "revenue by week where counterparty in [Альфа] 2026-10-01..2026-10-31"},
		{sales, "and the same month last year?",
			"revenue where counterparty in [Альфа] 2026-10-01..2026-10-31 against last_year.."},
		{debts, "just the ones above 20,000", "owed_to_us+debt_age by counterparty where owed_to_us > [20000]"},
	} {
		if got := short(read(x.task, x.previous)); got != x.want {
			t.Errorf("%s\n got %s\nwant %s", x.task, got, x.want)
		}
	}
}
