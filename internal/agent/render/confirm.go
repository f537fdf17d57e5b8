package render

import (
	"fmt"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/tool"
)

// NeedsPerson answers an API key's message that would confirm a draft, whatever the organization's settings are.
func NeedsPerson(id stockhand.DraftID, l stockhand.Language) Markdown {
	return Plain(fmt.Sprintf(l.Pick("Не подтверждено: ключ API не может подтвердить черновик сообщением. Черновик "+
		"%[1]s должен подтвердить человек: POST /drafts/%[1]s/confirm с токеном пользователя.",
		"Not confirmed: an API key cannot confirm by message. Draft %[1]s needs a person: POST /drafts/%[1]s/confirm "+
			"with a user token."), id))
}

// NotAllShown answers a word of confirmation for a draft of which the conversation showed too little; see
// [ShowsEnough].
func NotAllShown(d stockhand.Draft, l stockhand.Language) Markdown {
	return Plain(fmt.Sprintf(l.Pick("Не подтверждено: черновик %[1]s слишком большой, и здесь видны не все строки, "+
		"на которые нужно взглянуть. Откройте его целиком (stockhand drafts show %[1]s или GET /api/v1/drafts/%[1]s) "+
		"и подтвердите там: stockhand drafts confirm %[1]s или POST /api/v1/drafts/%[1]s/confirm с версией %[2]d.",
		"Not confirmed: draft %[1]s is too large to show here every line that needs your attention. Open all of it "+
			"(stockhand drafts show %[1]s or GET /api/v1/drafts/%[1]s) and confirm it there: stockhand drafts "+
			"confirm %[1]s, or POST /api/v1/drafts/%[1]s/confirm with version %[2]d."),
		d.ID, d.Version))
}

// NotConfirmed describes a refused confirmation. A draft that has changed is shown as it is now.
func NotConfirmed(refused *stockhand.Error, now tool.Draft, l stockhand.Language) Markdown {
	if refused.Code == stockhand.CodeDraftChanged {
		return Plain(l.Pick("Не подтверждено: черновик с тех пор изменился. Вот он сейчас.",
			"Not confirmed: the draft has changed since. Here it is now.")) + "\n\n" + Draft(now, l)
	}
	words := refused.In(l)
	text := Plain(l.Pick("Не подтверждено: ", "Not confirmed: ") + words.Message)
	if words.Hint != "" {
		text += "\n\n" + Plain(words.Hint)
	}
	return text
}
