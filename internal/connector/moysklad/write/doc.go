// Package write is the only client of MoySklad that can send anything but GET. It writes what a person confirmed:
// supplier orders, transfers, changes of prices and minimum stocks, and the deletion of a document that an earlier
// draft created.
//
// It makes four guarantees. [Writer.Apply] sends exactly the bytes that [Writer.Bodies] returns: the same document
// always gives the same bytes, and several documents of one kind are sent as an array of them. Neither net/http nor
// this package sends a write twice, unless the server said that it did nothing (a 429) or no connection was made. An
// outcome that the response does not contain is unknown, and [Writer.Find] looks it up by the syncId, which is derived
// from the document's ID, so that even a repeated create returns the first document (fact M43). And the transport
// rejects every method, path and host other than the few requests above.
//
// # What counts as moved
//
// [Writer.Check] reads again what a document is based on. A shop continues to sell while a person reads a draft, so not
// every difference is a reason to ask again. These are:
//
//   - A good, warehouse, supplier or legal entity was deleted or archived.
//   - An order: the purchase price differs from the one seen, in amount or currency. Or the warehouse has and expects
//     more than was seen (stock − reserve + in transit), by more than a tenth of the ordered quantity and more than one
//     pack or whole unit: it was ordered by other means, or returned. A decrease never counts, because it only makes
//     the order more necessary.
//   - A transfer: the source's free stock no longer covers the quantity, including documents checked before it in the
//     same call; or what remains there is now below the minimum and was not when the transfer was created.
//   - A price change: the current price is not exactly the old price that the person saw, or its currency differs.
//   - A minimum stock: any minimum of the good is not the one that the person saw, or is of another kind. The vendor
//     replaces the minimums of all warehouses together, so those that do not change are written again.
//   - A deletion: goods were received or money was paid on the order, or other documents depend on it.
//
// A figure that was seen and can no longer be read has moved too. A figure that was never seen cannot move.
//
// Every write uses a new network connection. A connection kept from an earlier request may be dead without our knowing,
// and a request sent over it would have an unknown outcome; writes are rare, and a handshake costs less than a look-up.
package write
