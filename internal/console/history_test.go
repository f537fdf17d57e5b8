package console_test

import (
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/app/apptest"
)

// All conversations can be reached from the list, 30 at a time, with what is searched for (rule R691).
func TestOlderConversationsFollow(t *testing.T) {
	t.Parallel()
	s := apptest.Start(t, apptest.Options{Unconnected: true})
	u, _ := s.Member(s.OrgID, stockhand.RoleMember)
	b := browser{t, s, s.Browser(u)}
	const talks = 70
	for i := range talks {
		title := fmt.Sprintf("Выручка %03d", i)
		if i%10 == 0 {
			title = fmt.Sprintf("Долги %03d", i)
		}
		if _, err := s.Store.CreateSession(t.Context(), s.OrgID,
			stockhand.Session{Kind: stockhand.SessionChat, By: "user:" + string(u.ID), Title: title}); err != nil {
			t.Fatal(err)
		}
	}
	list := "/o/" + string(s.OrgID) + "/ask"
	title := regexp.MustCompile(`(?:Выручка|Долги) \d{3}`)
	older := regexp.MustCompile(`hx-get="([^"]+before=[^"]+)"`)
	read := func(path, target string, headers ...string) (all []string) {
		for path != "" {
			got := b.get(path, append(headers, "HX-Request", "true", "HX-Target", target)...).Body
			all = append(all, title.FindAllString(got, -1)...)
			next := older.FindStringSubmatch(got)
			if path, target = "", "older"; next != nil {
				path = strings.ReplaceAll(next[1], "&amp;", "&")
			}
		}
		return all
	}
	all := read(list, "talks")
	if len(all) != talks || all[0] != "Выручка 069" || all[talks-1] != "Долги 000" {
		t.Errorf("%d conversations: %q", len(all), all)
	}
	if all := read(list+"?find="+url.QueryEscape("долги"), "talks"); len(all) != talks/10 {
		t.Errorf("found %q", all)
	}
	// without scripts the link leads to a page
	first := older.FindStringSubmatch(b.get(list).Body)
	if got := b.get(strings.ReplaceAll(first[1], "&amp;", "&")).Body; !strings.Contains(got, "Выручка 039") ||
		strings.Contains(got, "Долги 040") {
		t.Error("the page of older conversations has others")
	}
}
