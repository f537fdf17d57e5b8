package text

import (
	"testing"

	"github.com/stockhand/stockhand"
)

// What is wrong with a value is said in the language of the page (rule R541).
func TestRefusalsAreInTheLanguageOfThePage(t *testing.T) {
	english := stockhand.Errorf(stockhand.CodeValidation, "scopes must name a scope, or be left out for write:tools")
	english.Fields = []stockhand.FieldError{{Field: "scopes",
		Message: "must name a scope, or be left out for write:tools"}}
	both := stockhand.Errorf(stockhand.CodeConflict, "the draft has changed")
	both.RU = stockhand.Words{Message: "черновик изменился"}
	known := stockhand.Errorf(stockhand.CodeConflict,
		"this is the organization's last owner").WithHint("make another one")
	unknown := stockhand.Errorf(stockhand.CodeValidation, "something else is wrong")
	ru, en := With(t.Context(), stockhand.Russian), With(t.Context(), stockhand.English)
	for _, c := range []struct {
		got, want string
	}{
		{Refusal(ru, english).Message, "выберите хотя бы одно право"}, {Refusal(en, english).Message, english.Message},
		{Refusal(ru, both).Message, "черновик изменился"}, {Refusal(ru, unknown).Message, NotAccepted.RU},
		{Refusal(ru, known).Message, "это последний владелец организации: сначала назначьте владельцем ещё кого-то"},
		{Refusal(ru, known).Hint, ""}, {Refusal(en, known).Hint, "make another one"},
	} {
		if c.got != c.want {
			t.Errorf("%q, want %q", c.got, c.want)
		}
	}
}
