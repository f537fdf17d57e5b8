package agent

import (
	"slices"
	"strings"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/agent/render"
	"github.com/stockhand/stockhand/internal/language"
)

// withoutTool returns the reply to a message that no tool answers: one line for small talk, otherwise what Stockhand
// can do, with examples.
func withoutTool(l stockhand.Language, r language.Reading) render.Markdown {
	var text string
	switch r.Skill {
	case language.SmallTalk:
		text = r.Reply(l)
	case language.Help:
		text = language.HelpText(l)
	default:
		if text = r.Refusal; text != "" {
			break
		}
		text = l.Pick("Этого я пока не умею. Вот что умею, например:", "I can't do that yet. Here is what I can do, "+
			"for example:") +
			examples(l)
	}
	return render.Markdown(text) // our own words alone
}

// examples returns a short list of tasks, one of each kind.
func examples(l stockhand.Language) string {
	shown := []language.Skill{language.Shortages, language.Profitability, language.Money,
		language.ProposeSupplierOrders}
	var b strings.Builder
	for _, e := range language.Examples(l) {
		if slices.Contains(shown, e.Skill) {
			b.WriteString("\n• " + e.Task)
		}
	}
	return b.String()
}
