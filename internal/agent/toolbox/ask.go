package toolbox

import (
	"context"
	"encoding/json"
	"strings"
	"unicode/utf8"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/tool"
)

// AskName is the name of the tool that ends a run with a question.
const AskName = "ask"

// Asking is a question of the model to the person.
type Asking struct {
	Question string   `json:"question"`
	Options  []string `json:"options" jsonschema:"2 to 6 short answers"`
}

// The bounds of a question in characters: it is shown as buttons.
const (
	maxQuestion  = 400
	maxOption    = 120
	leastOptions = 2
	mostOptions  = 6
)

// Ask returns ask. It is never run: a call of it ends the run (rule R372).
func Ask() tool.Tool {
	return tool.Read(AskName,
		tool.Text{RU: "Вопрос", EN: "Question"},
		tool.Text{RU: "Задаёт человеку вопрос с вариантами ответа и заканчивает ход.",
			EN: "Asks the person and ends your turn. Only if readings of the task lead to " +
				"different answers; else say what you assumed."},
		func(context.Context, tool.Env, Asking) (*tool.Result, error) {
			return nil, stockhand.Errorf(stockhand.CodeValidation, "%s", AskHint)
		}).Like(`{"question":"Which warehouses?","options":["all","without Shop"]}`)
}

// AskHint says what a question must be.
const AskHint = "a question has 2 to 6 different options, each of at most 120 characters, and at most 400 itself"

// ReadAsking reads the arguments of ask; ok is false if they are not a question that can be asked.
func ReadAsking(arguments string) (a Asking, ok bool) {
	if _, err := Ask().Input.Check(json.RawMessage(arguments)); err != nil {
		return a, false
	}
	if err := json.Unmarshal([]byte(arguments), &a); err != nil {
		return a, false
	}
	a.Question = oneLine(a.Question)
	if n := len(a.Options); a.Question == "" || utf8.RuneCountInString(a.Question) > maxQuestion ||
		n < leastOptions || n > mostOptions {
		return a, false
	}
	seen := map[string]bool{}
	for i, o := range a.Options {
		o = oneLine(o)
		if o == "" || utf8.RuneCountInString(o) > maxOption || seen[strings.ToLower(o)] {
			return a, false
		}
		a.Options[i], seen[strings.ToLower(o)] = o, true
	}
	return a, true
}

func oneLine(s string) string {
	return strings.Join(strings.Fields(strings.Map(stockhand.Visible, s)), " ")
}
