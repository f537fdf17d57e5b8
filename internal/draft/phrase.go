package draft

import "strings"

// Confirms reports whether a person's message confirms the draft shown right before it (rule R61). Call it only with
// the person's own message, never with text of a model, a tool or the external system.
//
// Only whole messages from a short list confirm. A bare "да" does not: it may answer another question. Nor does a
// phrase with anything around it: "не подтверждаю", "подтверждаю?", "«подтверждаю»", "подтверждаю, но…".
func Confirms(message string) bool {
	const longest = 200 // bytes; nothing longer is on the list
	if len(message) > longest {
		return false
	}
	said := strings.ToLower(strings.TrimSpace(message))
	if strings.ContainsAny(said, "\r\n\u2028\u2029") {
		return false
	}
	said = strings.TrimRight(said, ".!")
	said = strings.ReplaceAll(said, "ё", "е")
	head, rest, comma := strings.Cut(said, ",")
	if comma {
		said = strings.TrimSpace(head) + ", " + strings.TrimSpace(rest)
	}
	return confirmations[strings.Join(strings.Fields(said), " ")]
}

var confirmations = map[string]bool{}

func init() {
	plain := []string{
		"подтверждаю", "подтверждаем", "подтвердить", "подтверди", "подтверждаю черновик", "подтверди черновик",
		"подтвердить черновик",
		"подтверждаю последний черновик", "подтверди последний черновик",
		"подтверди последний", "confirm the last draft",
		"подтверждай", "подтверждаю все", "подтверди все", "я подтверждаю",
		"confirm", "i confirm", "confirmed", "confirm it",
		"confirm the draft",
		"confirm draft", "i confirm the draft", "confirm all", "i confirm it",
	}
	for _, p := range plain {
		confirmations[p] = true
		for _, yes := range []string{"да", "ок", "окей", "хорошо", "yes", "ok", "okay"} {
			if (yes[0] < 0x80) == (p[0] < 0x80) { // one language in one message
				confirmations[yes+" "+p] = true
				confirmations[yes+", "+p] = true
			}
		}
	}
}
