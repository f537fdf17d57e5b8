// Package write is the only client of MoySklad that can send anything but GET. It writes what a person confirmed:
// supplier orders, transfers, changes of prices, and the deletion of a document that an earlier draft made.
//
// It promises four things. What [Writer.Bodies] shows is to the byte what [Writer.Apply] sends: the same document
// always gives the same bytes, and several documents of one kind travel as an array of exactly those. Nothing is sent
// twice here: neither by net/http nor by this package, unless the server said that it did nothing (a 429) or no
// connection was made. What the answer does not tell is unknown, and [Writer.Find] looks it up by the syncId, which
// follows from the document's id, so that even a create repeated later is the first one (fact M43). And
// nothing but the few requests above can leave: the transport refuses every other method, path and host.
//
// # What counts as moved
//
// [Writer.Check] reads again what a document rests on. A shop goes on selling while a person reads a draft, so not
// every difference is a reason to ask again; these are:
//
//   - A good, warehouse, supplier or legal entity was deleted or archived.
//   - An order: the purchase price is another one than was seen, in amount or currency. Or the warehouse has and
//     expects more than was seen (stock − reserve + in transit) by more than a tenth of the ordered quantity and more
//     than one pack or whole unit: somebody else has ordered it, or it was returned. A fall never counts, because it
//     only makes the order more needed.
//   - A transfer: the source's free stock no longer covers the quantity, the documents checked before it in the same
//     call included; or what it leaves there is now below the minimum and was not when it was made.
//   - A change of prices: the current price is not the old price that the person saw, to the kopeck, or its currency
//     is another one.
//   - A deletion: goods were received or money was paid on the order, or other documents hang on it.
//
// A figure that was seen and cannot be read any more has moved too. A figure that was never seen cannot move.
//
// The surprising decision is that every write has a connection of its own. A connection kept from an earlier request
// may be dead without our knowing, and whatever is sent into it is an unknown outcome; writes are few, and a
// handshake costs less than a look-up.
package write
