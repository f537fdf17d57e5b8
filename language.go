package stockhand

import (
	"strconv"
	"strings"
)

// PreferredLanguage picks the language of an Accept-Language header such as "ru-RU,ru;q=0.9,en;q=0.8". It is English
// unless the header prefers Russian.
func PreferredLanguage(header string) Language {
	best, language := -1.0, English
	for part := range strings.SplitSeq(header, ",") {
		tag, params, _ := strings.Cut(strings.TrimSpace(part), ";")
		base, _, _ := strings.Cut(strings.ToLower(strings.TrimSpace(tag)), "-")
		l := Language(base)
		if l != Russian && l != English {
			continue
		}
		if q := quality(params); q > best && q > 0 {
			best, language = q, l
		}
	}
	return language
}

// quality reads a parameter such as "q=0.8"; without one it is 1.
func quality(params string) float64 {
	value, ok := strings.CutPrefix(strings.ReplaceAll(params, " ", ""), "q=")
	if !ok {
		return 1
	}
	q, err := strconv.ParseFloat(value, 64)
	if err != nil {
		return 0
	}
	return q
}
