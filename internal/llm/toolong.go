package llm

import (
	"bytes"
	"errors"
	"io"
	"net/http"

	"github.com/stockhand/stockhand"
)

// errTooLongInput is a provider's refusal of a request that its model has no room for.
var errTooLongInput = errors.New("the request is longer than the model's context")

// IsTooLong reports whether an error means that no model has room for the request: a shorter one may succeed.
func IsTooLong(err error) bool { return errors.Is(err, errTooLongInput) }

// TooLong returns the error for a request that no model has room for.
func TooLong() error {
	return &stockhand.Error{
		Code: stockhand.CodeModelUnavailable, Err: errTooLongInput,
		Message: "the conversation is too long for the language model",
		Hint:    "begin a new conversation, or ask for less at once",
		RU: stockhand.Words{Message: "разговор слишком длинный для языковой модели",
			Hint: "начните новый разговор или спросите о меньшем"},
	}
}

// tooLongWords are how servers say that a request does not fit, in lower case: OpenAI and vLLM, llama.cpp, Ollama,
// OpenRouter and Anthropic, Google, GigaChat, YandexGPT. There is no common code.
var tooLongWords = [][]byte{
	[]byte("context_length_exceeded"), []byte("exceed_context_size"), []byte("maximum context length"),
	[]byte("context length"), []byte("context window"), []byte("context size"), []byte("prompt is too long"),
	[]byte("input is too long"), []byte("too many tokens"), []byte("input token count"),
	[]byte("exceeds the maximum number of tokens"), []byte("number of input tokens must be no more"),
	[]byte("tokens limit exceeded"),
}

// tooLong reports whether an error response says that the request does not fit in the model's context.
func tooLong(status int, body io.Reader) bool {
	switch status {
	case http.StatusRequestEntityTooLarge:
		return true
	case http.StatusBadRequest, http.StatusUnprocessableEntity, http.StatusInternalServerError: // the last: llama.cpp
		text, err := io.ReadAll(io.LimitReader(body, 16<<10))
		if err != nil {
			return false
		}
		text = bytes.ToLower(text)
		for _, words := range tooLongWords {
			if bytes.Contains(text, words) {
				return true
			}
		}
	}
	return false
}
