package limit

import "time"

// Vendor is the vendor's budget for one employee: units per interval, and the cost of requests. The zero Vendor has no
// limit.
type Vendor struct {
	Limit    int
	Interval time.Duration
	Light    int // units of an ordinary request
	Heavy    int // units of a stock report
}

// Bound returns a lower bound for the time between the first and the last of n requests to an idle account, heavy of
// them stock reports, if every response were immediate. Benchmarks compare with it. No schedule is faster; a mix that
// does not divide evenly may need longer.
func Bound(n, heavy int, c Config, v Vendor) time.Duration {
	c = c.defaults()
	cheapest := v.Light
	if heavy >= n {
		cheapest = v.Heavy
	}
	bound := max(
		c.pace(n, c.PerSecond, cheapest, v),
		c.pace(heavy, min(c.HeavyPerSecond, c.PerSecond), v.Heavy, v),
	)
	if v.Limit > 0 {
		units := (n-heavy)*v.Light + heavy*v.Heavy
		bound = max(bound, time.Duration(max(0, (units+v.Limit-1)/v.Limit-1))*v.Interval)
	}
	return bound
}

// pace returns when the last of n equal requests is sent if each is sent as early as both limits allow.
func (c Config) pace(n, perSecond, units int, v Vendor) time.Duration {
	perInterval := n
	if v.Limit > 0 && units > 0 {
		perInterval = max(1, v.Limit/units)
	}
	at := make([]time.Duration, n)
	for i := range at {
		if i >= perSecond {
			at[i] = at[i-perSecond] + time.Second
		}
		if i >= perInterval {
			at[i] = max(at[i], at[i-perInterval]+v.Interval)
		}
	}
	if n == 0 {
		return 0
	}
	return at[n-1]
}
