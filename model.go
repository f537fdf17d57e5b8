package stockhand

import "time"

// ModelReservation is what a call of a model may use at most, set aside from its organization's budget before the call
// is made and settled after it. One that is never settled, because its process died, is given back once it has expired.
type ModelReservation struct {
	ID      string
	Org     OrgID
	Period  string // a month in UTC, as in "2026-11"
	Tokens  int64
	Money   int64 // millionths of the currency that models are priced in
	Expires time.Time
}

// ModelBudget is what an organization's models have used in a month, and what is set aside for calls on their way.
type ModelBudget struct {
	Org            OrgID
	Period         string
	TokensSpent    int64
	TokensReserved int64
	MoneySpent     int64 // millionths of the currency that models are priced in
	MoneyReserved  int64
}
