package account

import (
	"context"
	"strings"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/console/text"
)

// Browsers and systems by what their User-Agent header contains. The order counts: most browsers claim to be others.
var (
	browsers = [][2]string{{"YaBrowser/", "Yandex Browser"}, {"Edg/", "Edge"}, {"OPR/", "Opera"},
		{"Firefox/", "Firefox"}, {"Chrome/", "Chrome"}, {"Safari/", "Safari"}}
	systems = [][2]string{{"Android", "Android"}, {"iPhone", "iPhone"}, {"iPad", "iPad"}, {"Windows", "Windows"},
		{"Macintosh", "macOS"}, {"Linux", "Linux"}}
)

// languageOf is the language of what [called] returns: browsers have names, which are not translated.
func languageOf(i stockhand.SignIn) string {
	if find(browsers, i) == "" {
		return ""
	}
	return "en"
}

func find(known [][2]string, i stockhand.SignIn) string {
	for _, k := range known {
		if strings.Contains(i.Browser, k[0]) {
			return k[1]
		}
	}
	return ""
}

// called is what people call the browser of a sign-in: Chrome, Windows.
func called(ctx context.Context, i stockhand.SignIn) string {
	browser, system := find(browsers, i), find(systems, i)
	switch {
	case browser == "":
		return text.OtherBrowser.In(ctx)
	case system == "":
		return browser
	}
	return browser + ", " + system
}
