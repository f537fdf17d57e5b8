package talk

import (
	"github.com/stockhand/stockhand/internal/language"
	"github.com/stockhand/stockhand/internal/language/refer"
)

// wholes read whole messages that are about what was shown, before any of their words is read otherwise. Each returns
// nil for every other message.
func wholes() []func(task string, in language.Input) *language.Reading {
	return []func(task string, in language.Input) *language.Reading{ofPartnerShown, fromPartner, factOfRows, atPlace,
		whyRose, whyFirst, ofWhole, withoutItem, orderOfShort, amountsOfShort, ofTheRest, behindFirst, orderAsSold}
}

// checks correct a reading that is about something else than what was shown, or ask about it.
func checks() []func(task string, r *language.Reading, in language.Input) {
	return []func(task string, r *language.Reading, in language.Input){asUsual, ofMoneyLeft, withinFirst, ofPayee,
		keepStocked, keepRanked, weekendShown, ofListedGoods, ofCardShown, ofRankedRows, ofRowsThemselves,
		enoughOfFirst, ofShownPlaces,
		ofWhatWasMeant, ofMissing,
		onlyUnderstood, ofAntecedent, ofPointed, ofShownTime, ofEarlierRows, answerInItsLanguage}
}

// answerInItsLanguage answers a follow-up in the language of its words (rule R970).
func answerInItsLanguage(task string, r *language.Reading, in language.Input) {
	if r.FollowUp && r.Query != nil && r.Said == "" && r.Question == nil {
		r.Language = languageOf(task, in)
	}
}

// message is a follow-up while it is read.
type message struct {
	task  string
	in    language.Input   // with what was said before; without rows if the message limits the answer itself
	own   language.Reading // what the message means by itself
	shown *refer.Rows      // the rows of the last table, in any case
}

// kind reads one kind of follow-up, which its comment describes. It returns nil for every other message.
type kind func(t *talk, m *message) *language.Reading

// kinds are tried in their order before a follow-up is read as a change of the task before it: each is about words that
// mean something else by themselves, or nothing.
func kinds() []kind {
	return []kind{
		// what a draft that is asked about is to be of
		(*talk).ofAsked,
		// the same list, or the figure that its goods had
		(*talk).reversedList, (*talk).restrictedList, (*talk).ofLastPurchase, (*talk).ofOnePiece,
		(*talk).stockThere,
		// documents and what lies in them
		(*talk).ofAwaited, (*talk).insideList, (*talk).ofListed, (*talk).undelivered, (*talk).lastOfPartners,
		(*talk).lastDocument, (*talk).pricesOfType, (*talk).onlyKinds,
		// rows that were shown, and the rest
		(*talk).onlyNames, (*talk).emptyOfShort, (*talk).restToo, (*talk).retail, (*talk).whoseShown,
		// debts
		(*talk).behindDebts, (*talk).otherSide, (*talk).oldestDebts, (*talk).lastTime, (*talk).overdueDebts,
		(*talk).dueDebts,
		// the same figures again: how many, the greatest, their difference
		(*talk).again, (*talk).greatest, (*talk).difference,
		(*talk).whatToDo, (*talk).arrivalOfGoods, (*talk).partOf, (*talk).netProfit, (*talk).perInterval,
		// money
		(*talk).moneyThere, (*talk).placeAlone, (*talk).paidOf,
		// what is left of some goods, all others, both together, the sum of all
		(*talk).leftOfShown, (*talk).theRest, (*talk).together, (*talk).total,
		// one row in detail
		(*talk).reservedFor, (*talk).insideOne,
		(*talk).pronounOnly, (*talk).inside, (*talk).insideMost, (*talk).whyThen, (*talk).whyThere,
		// a period or a name beside the one before
		(*talk).moreThen, (*talk).comparedWith, (*talk).addedPeriod, (*talk).besideName, (*talk).comparedAgain,
		// goods by words that would be another question
		(*talk).priceAlone, (*talk).ofGroup, (*talk).leftOfShort, (*talk).stillLies, (*talk).documentsOfSame,
		// changes of goods that were shown
		(*talk).nounless,
		(*talk).countsOrPrices, (*talk).marginBounds, (*talk).markupOfShown, (*talk).orderOfShown,
	}
}
