package account

import (
	"slices"

	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/tool"
)

// LeadDays returns, for each supplier, the days from each of the orders to its first receipt of goods, which links to
// it (fact M112), ascending.
func LeadDays(orders, receipts []msapi.Order) map[msapi.Key][]int {
	received := map[msapi.ID]tool.Day{}
	for _, s := range receipts {
		at := tool.DayOf(s.Moment.In(msapi.Moscow))
		if first, ok := received[s.Ordered.ID]; s.Ordered.ID != "" && (!ok || at < first) {
			received[s.Ordered.ID] = at
		}
	}
	days := map[msapi.Key][]int{}
	for _, o := range orders {
		from, at := tool.DayOf(o.Moment.In(msapi.Moscow)), received[o.ID]
		if k := o.Agent.ID.Key(); at != "" && from <= at {
			days[k] = append(days[k], tool.Period{From: from, To: at}.Days()-1)
		}
	}
	for _, list := range days {
		slices.Sort(list)
	}
	return days
}

// LeadHistory is how many days of past orders and receipts tell the lead time.
const LeadHistory = 365

// LeadOf returns the median of a supplier's lead times, the longer of the middle two. There is at least one.
func LeadOf(days []int) int { return days[len(days)/2] }
