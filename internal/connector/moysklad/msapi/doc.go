// Package msapi reads the MoySklad JSON API 1.2 ("Remap 1.2"): a narrow typed client of what the tools need.
//
// It promises four things. Nothing but GET ever leaves it, whatever it is asked for. Every request, a repeated one
// and a redirect's hop included, first passes the account's limiter. A list is either whole, every row once, or its
// last error is an [*Incomplete] that says how much of it is there. And no value is made up: a field that the answer
// does not have stays unknown, because absent means "not filled", "not permitted" or "not asked for", never zero
// (fact M38).
//
// The surprising decision is that each request carries an empty body of unknown length. net/http repeats a plain GET
// by itself when a reused connection breaks, and the limiter would never hear of the second sending; a request whose
// body it cannot rewind is left alone, so that a broken connection becomes an error here and an attempt of our own.
//
// Amounts in the types of this package are in minor units (kopecks), as the API gives them: call Major before showing
// one (fact M32). Moments are naive Moscow time on the wire and real times here (fact M35).
package msapi
