package forecast

import (
	"slices"
	"time"
)

// history is a series without the days before a new product was first sold.
type history struct {
	first time.Time
	sold  []float64
}

// prepare drops the days before the first sale if they are more than three times the longest later break in sales:
// then the product was not on sale yet. Otherwise the break belongs to its usual pace.
func prepare(s Series) *history {
	first, last, longest := -1, -1, 0
	for i, sold := range s.Sold {
		if sold <= 0 {
			continue
		}
		if first < 0 {
			first = i
		} else {
			longest = max(longest, i-last)
		}
		last = i
	}
	longest = max(longest, len(s.Sold)-last)
	skip := 0
	if first > 3*longest {
		skip = first
	}
	return &history{s.First.AddDate(0, 0, skip), s.Sold[skip:]}
}

// until returns the first days of the history.
func (h *history) until(end int) *history { return &history{h.first, h.sold[:max(0, end)]} }

func (h *history) enough() Reason {
	sales := 0
	for _, sold := range h.sold {
		if sold > 0 {
			sales++
		}
	}
	switch {
	case sales == 0:
		return NeverSold
	case len(h.sold) < LeastDays:
		return TooShort
	case sales < LeastSales:
		return TooFew
	}
	return Enough
}

// next returns the day after the history.
func (h *history) next() time.Time { return h.first.AddDate(0, 0, len(h.sold)) }

// weekday returns the weekday of a day, counted from Sunday.
func (h *history) weekday(i int) int { return (int(h.first.Weekday()) + i) % 7 }

// capped limits exceptional sales, such as one large order, to what is still plausible beside the median: eight times
// the median deviation from it. If there are more of them than one in 50 days with sales, they are not exceptional.
func (h *history) capped() (sold []float64, large []time.Time) {
	var sizes []float64
	for _, x := range h.sold {
		if x > 0 {
			sizes = append(sizes, x)
		}
	}
	slices.Sort(sizes)
	median := sizes[len(sizes)/2]
	apart := make([]float64, len(sizes))
	for i, x := range sizes {
		apart[i] = max(x-median, median-x)
	}
	slices.Sort(apart)
	most := median + 8*max(apart[len(apart)/2], median/2)
	above, _ := slices.BinarySearch(sizes, most)
	if above == len(sizes) || len(sizes)-above > max(1, len(sizes)/50) {
		return h.sold, nil
	}
	sold = slices.Clone(h.sold)
	for i, x := range sold {
		if x > most {
			sold[i] = most
			large = append(large, h.first.AddDate(0, 0, i))
		}
	}
	return sold, large
}
