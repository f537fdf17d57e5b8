package stockhand

import "time"

// Cutoffs are the times up to which an organization has kept what it stores long enough. What is older is removed,
// unless something unfinished needs it (rule R126). A zero time removes nothing.
type Cutoffs struct {
	Sessions time.Time // sessions without a message since then
	Results  time.Time // the rows of results from before
}

// Removed counts what was removed after its retention time.
type Removed struct {
	Sessions int64 `json:"sessions"`
	Results  int64 `json:"results"` // that lost their rows
	Bytes    int64 `json:"bytes"`   // of rows, as they were stored
	Entries  int64 `json:"audit_entries"`
}

// Storage is what an organization stores.
type Storage struct {
	Bytes    int64 // of results
	Sessions int64
	Messages int64
	Drafts   int64
}

// Add adds what else was removed.
func (r *Removed) Add(more Removed) {
	r.Sessions += more.Sessions
	r.Results += more.Results
	r.Bytes += more.Bytes
	r.Entries += more.Entries
}

// ErrResultExpired is returned for the rows of a result that were removed after their retention time (rule R127).
var ErrResultExpired = &Error{Code: CodeResultExpired,
	Message: "the rows of this result were deleted after the organization's retention time",
	Hint:    "Ask the question again. The message still has the answer, the totals and the number of rows.",
	RU: Words{Message: "строки этой таблицы удалены: истёк срок хранения, заданный в организации",
		Hint: "Задайте вопрос ещё раз. В сообщении остались ответ, итоги и число строк."}}
