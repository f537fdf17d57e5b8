package stockhand

import "time"

// ModelReservation is the most that a model call may use. It is reserved from the organization's budget before the call
// and replaced by the real use afterwards. If the process dies in between, the reservation expires.
type ModelReservation struct {
	ID      string
	Org     OrgID
	Period  string // a calendar month in UTC, as in "2026-11"
	Tokens  int64
	Money   int64 // millionths of the currency that models are priced in
	Expires time.Time
}

// ModelBudget is what an organization's models used in a month, and what is reserved for calls in progress.
type ModelBudget struct {
	Org            OrgID
	Period         string
	TokensSpent    int64
	TokensReserved int64
	MoneySpent     int64 // millionths of the currency that models are priced in
	MoneyReserved  int64
}

// ModelUsage is what calls of a model used for an actor on a day.
type ModelUsage struct {
	Day          string // UTC, as in "2026-11-21"
	By           string // the name of the actor
	Model        string // as in "provider/model"
	Calls        int
	InputTokens  int
	OutputTokens int
	Money        int64 // millionths of the currency that models are priced in
}

// Tokens returns how many tokens were used.
func (u ModelUsage) Tokens() int { return u.InputTokens + u.OutputTokens }

// Plus returns the sum of both, for what they have in common.
func (u ModelUsage) Plus(more ModelUsage) ModelUsage {
	u.Calls += more.Calls
	u.InputTokens += more.InputTokens
	u.OutputTokens += more.OutputTokens
	u.Money += more.Money
	return u
}
