// Package redact removes secrets that were pasted into a text.
package redact

import (
	"regexp"
	"strings"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/tool"
)

// masked stands in a task for a secret that was pasted into it.
const masked = "[redacted]"

// secretShape matches our keys and tokens, those of language models, and the employee tokens of external systems. What
// stands directly before or after one does not hide it.
var secretShape = regexp.MustCompile(`sk-[0-9A-Za-z_-]*[0-9A-Za-z]{16}[0-9A-Za-z_-]*|[0-9A-Fa-f]{40,}`)

// Text removes secrets from a text of the user, before it is stored or sent to a model (rule R111). Random characters
// contain a digit; long words such as desk-… and task-… do not.
func Text(text string) string {
	return secretShape.ReplaceAllStringFunc(text, func(s string) string {
		if strings.ContainsAny(s, "0123456789") {
			return masked
		}
		return s
	})
}

// Notice returns the notice that a secret was removed from the task, if one was.
func Notice(text string, l stockhand.Language) []tool.Notice {
	if !strings.Contains(text, masked) {
		return nil
	}
	return []tool.Notice{{Code: tool.NoticeSecret, Message: l.Pick(
		"В сообщении был токен или ключ. Он скрыт: не сохранён и никуда не передан. Но отзовите его там, где он выпущен, и "+
			"выпустите новый: по дороге сюда его могли увидеть",
		"The message contained a token or key. It was removed, not stored and not passed on. Still, revoke it where it was "+
			"issued and create a new one: it may have been seen on its way here")}}
}
