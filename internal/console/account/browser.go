package account

import (
	"context"
	"strings"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/console/text"
)

// Browsers and systems by what their User-Agent header contains. The order counts: most browsers claim to be others.
var (
	browsers = [][2]string{{"YaBrowser/", "Яндекс Браузер"}, {"Edg/", "Edge"}, {"OPR/", "Opera"}, {"Firefox/", "Firefox"},
		{"Chrome/", "Chrome"}, {"Safari/", "Safari"}}
	systems = [][2]string{{"Android", "Android"}, {"iPhone", "iPhone"}, {"iPad", "iPad"}, {"Windows", "Windows"},
		{"Macintosh", "macOS"}, {"Linux", "Linux"}}
)

// called is what people call the browser of a sign-in: Chrome, Windows.
func called(ctx context.Context, i stockhand.SignIn) string {
	find := func(known [][2]string) string {
		for _, k := range known {
			if strings.Contains(i.Browser, k[0]) {
				return k[1]
			}
		}
		return ""
	}
	browser, system := find(browsers), find(systems)
	switch {
	case browser == "":
		return text.OtherBrowser.In(ctx)
	case system == "":
		return browser
	}
	return browser + ", " + system
}
