// Package msapi reads the MoySklad JSON API 1.2 ("Remap 1.2"): a narrow typed client for what the tools need.
//
// It makes four guarantees. It sends nothing but GET, whatever the caller asks for. Every request, including retries
// and redirects, passes the account's limiter first. A list is either complete, with every row once, or its last error
// is an [*Incomplete] that says how much was read. And it never invents a value: a field that is missing from the
// response stays unknown, because missing means "not filled in", "not permitted" or "not requested", never zero (fact
// M38).
//
// Each request has an empty body of unknown length. net/http retries a plain GET by itself when a reused connection
// breaks, without the limiter knowing; it does not retry a request whose body it cannot rewind, so a broken connection
// becomes an error here and a retry of our own.
//
// Amounts in this package are in minor units (kopecks), as in the API: call Major before showing one (fact M32). Times
// are Moscow time without a zone in the API, and time.Time values here (fact M35).
package msapi
