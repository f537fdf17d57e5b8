package stockhand

import "time"

// StoredResponse is an answer in the format of OpenAI's Responses API that a later request may continue.
type StoredResponse struct {
	ID      ResponseID
	Session SessionID // of an agent's answer, with which it is deleted; empty for a model of a provider
	By      string    // the name of the actor who asked
	Body    []byte    // JSON, written by internal/openai
	Created time.Time
	Expires time.Time
}
