package console_test

import (
	"bufio"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/app/apptest"
	"github.com/stockhand/stockhand/internal/sse"
)

// asked asks a question in a new conversation, or in the one at a path, and returns the path of the turn.
func asked(t *testing.T, b browser, question, session string) string {
	t.Helper()
	got := b.post("/o/"+string(b.s.OrgID)+"/ask", url.Values{"message": {question}, "session": {session},
		"connection": {string(b.s.Connections[0].ID)}})
	talk, message, ok := strings.Cut(got.Location, "#")
	if got.Status != http.StatusSeeOther || !ok {
		t.Fatalf("%d %s %s", got.Status, got.Location, got.Body)
	}
	return talk + "/" + message
}

// stream reads the events of a turn as a browser does. Last is the last event that the browser has; at most so many
// are read if that is not 0.
func stream(t *testing.T, b browser, turn, last string, most int) (all []sse.Event) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, b.s.URL+turn+"/stream", nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Cookie", b.cookie)
	r.Header.Set("Accept-Language", "ru")
	if last != "" {
		r.Header.Set("Last-Event-ID", last)
	}
	a, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Body.Close()
	if a.StatusCode != http.StatusOK || a.Header.Get("Content-Type") != sse.MediaType {
		t.Fatalf("%d %s", a.StatusCode, a.Header.Get("Content-Type"))
	}
	for e, err := range sse.Read(bufio.NewReader(a.Body)) {
		if err != nil {
			t.Fatal(err)
		}
		if all = append(all, e); e.Name == "done" || most > 0 && len(all) == most {
			return all
		}
	}
	return all
}

// An answer comes as pieces of the page, and a browser that comes back gets the rest (rule R392).
func TestAnAnswerStreamsAndResumes(t *testing.T) {
	t.Parallel()
	s := apptest.Start(t, apptest.Options{})
	b := as(t, s, stockhand.RoleMember)
	turn := asked(t, b, "выручка по дням за последние 30 дней", "")
	all := stream(t, b, turn, "", 0)
	done := string(all[len(all)-1].Data)
	for _, want := range []string{`class="answer`, `role="img"`, "<table", "₽"} {
		if !strings.Contains(done, want) {
			t.Errorf("the answer has no %s: %s", want, done)
		}
	}
	if strings.Contains(done, "style=") || strings.Contains(done, "<script") {
		t.Error("the answer has something inline")
	}
	ids := 0
	for _, e := range all[:len(all)-1] {
		if e.Name != "state" {
			t.Errorf("a piece is named %q", e.Name)
		}
		if e.ID != "" {
			ids++
		}
	}
	if ids < 2 {
		t.Errorf("%d stored pieces before the answer", ids)
	}
	resumed := stream(t, b, turn, all[0].ID, 0)
	if first := resumed[0]; first.ID == all[0].ID {
		t.Error("the browser gets again what it has")
	}
	if got := resumed[len(resumed)-1]; string(got.Data) != done {
		t.Error("the answer is another one after a reconnect")
	}
	again := stream(t, b, turn, all[len(all)-1].ID, 0)
	if len(again) != 1 || again[0].Name != "done" {
		t.Errorf("a browser that has everything gets %d pieces", len(again))
	}
	// the page has the same, without a stream
	page := b.get(strings.TrimSuffix(turn, turn[strings.LastIndex(turn, "/"):]), "Accept-Language", "ru").Body
	if !strings.Contains(page, `class="chart"`) || strings.Contains(page, "sse-connect") {
		t.Error("the page of the conversation does not show the answer")
	}
}

var query = regexp.MustCompile(`name="query" value="([^"]+)"`)

// The applied query can be changed, and is asked again as the next turn (rule R394).
func TestAChangedChipIsTheNextTurn(t *testing.T) {
	t.Parallel()
	s := apptest.Start(t, apptest.Options{Accounts: 1})
	b := as(t, s, stockhand.RoleMember)
	turn := asked(t, b, "выручка по складам за последние 30 дней", "")
	all := stream(t, b, turn, "", 0)
	done := string(all[len(all)-1].Data)
	found := query.FindStringSubmatch(done)
	if found == nil || !strings.Contains(done, "Период") {
		t.Fatalf("no chips: %s", done)
	}
	value := strings.NewReplacer("&#34;", `"`, "&quot;", `"`, "&amp;", "&", "&lt;", "<", "&gt;", ">").Replace(found[1])
	for _, c := range []struct {
		change url.Values
		want   string
	}{
		{url.Values{"change": {"by"}, "by": {"month"}}, "Месяц"},
		{url.Values{"change": {"measure"}, "measure": {"revenue", "profit"}}, "Прибыль"},
		{url.Values{"change": {"compare"}, "compare": {"previous"}}, "Выручка, было"},
	} {
		c.change.Set("query", value)
		got := b.post(turn+"/query", c.change, "HX-Request", "true", "Accept-Language", "ru")
		at := regexp.MustCompile(`sse-connect="([^"]+)/stream"|id="(msg_[a-z0-9]+)"`).FindStringSubmatch(got.Body)
		if got.Status != http.StatusOK || at == nil {
			t.Fatalf("%d %s", got.Status, got.Body)
		}
		talk := turn[:strings.LastIndex(turn, "/")+1]
		next := at[1]
		if next == "" {
			next = talk + at[2]
		}
		pieces := stream(t, b, next, "", 0)
		if answer := string(pieces[len(pieces)-1].Data); !strings.Contains(answer, c.want) {
			t.Errorf("%v: no %q in %s", c.change, c.want, answer)
		}
	}
	refused := b.post(turn+"/query", url.Values{"query": {value}, "change": {"period"}, "from": {"2026-02-02"},
		"to": {"2026-01-01"}}, "HX-Request", "true")
	if refused.Status != http.StatusOK || !strings.Contains(refused.Body, `role="alert"`) {
		t.Errorf("a period that ends before it begins: %d %s", refused.Status, refused.Body)
	}
}

// followed posts a change of a turn's call, and returns the answer of the next turn.
func followed(t *testing.T, b browser, turn string, change url.Values) string {
	t.Helper()
	got := b.post(turn+"/query", change, "HX-Request", "true", "Accept-Language", "ru")
	at := regexp.MustCompile(`id="(msg_[a-z0-9]+)"`).FindStringSubmatch(got.Body)
	if got.Status != http.StatusOK || at == nil {
		t.Fatalf("%v: %d %s", change, got.Status, got.Body)
	}
	pieces := stream(t, b, turn[:strings.LastIndex(turn, "/")+1]+at[1], "", 0)
	return string(pieces[len(pieces)-1].Data)
}

// Every argument of a report is a chip that can be changed, added or removed (rule R692).
func TestEveryArgumentOfAReportIsChanged(t *testing.T) {
	t.Parallel()
	s := apptest.Start(t, apptest.Options{Accounts: 1})
	b := as(t, s, stockhand.RoleMember)
	turn := asked(t, b, "остатки товаров", "")
	all := stream(t, b, turn, "", 0)
	if done := string(all[len(all)-1].Data); !strings.Contains(done, "Остатки товаров") ||
		!strings.Contains(done, "Группы товаров") {
		t.Fatalf("no chips: %s", done)
	}
	for _, c := range []struct {
		change url.Values
		want   string
	}{
		{url.Values{"argument": {"stores"}, "a-stores": {"Основной склад"}}, "<span>Основной склад</span>"},
		{url.Values{"argument": {"limit"}, "a-limit": {"3"}}, "<span>3</span>"},
		{url.Values{"argument": {"only"}, "a-only": {"negative"}}, "<span>с отрицательным остатком</span>"},
		{url.Values{"argument": {"groups", "only"}, "a-groups": {"Посуда\nБакалея"}, "a-only": {"all"}},
			"<span>Посуда; Бакалея</span>"},
	} {
		c.change.Set("change", "argument")
		if answer := followed(t, b, turn, c.change); !strings.Contains(answer, c.want) {
			t.Errorf("%v: no %q in %s", c.change, c.want, answer)
		}
	}
	// an argument is changed, then taken away
	answer := followed(t, b, turn, url.Values{"change": {"argument"}, "argument": {"limit"}, "a-limit": {"0"},
		"drop": {"limit"}})
	if strings.Contains(answer, "<span>Строк</span>") {
		t.Error("the argument is still there")
	}
	for _, wrong := range []url.Values{{"argument": {"limit"}, "a-limit": {"много"}},
		{"argument": {"limit"}, "a-limit": {"-1"}}, {"argument": {"stores"}, "a-stores": {"Луна"}}} {
		wrong.Set("change", "argument")
		got := b.post(turn+"/query", wrong, "HX-Request", "true", "Accept-Language", "ru")
		refused := strings.Contains(got.Body, `role="alert"`)
		if got.Status != http.StatusOK || wrong.Has("a-limit") && !refused {
			t.Errorf("%v: %d %s", wrong, got.Status, got.Body)
		}
	}
}

var opens = regexp.MustCompile(`action="([^"]+/open)"`)

// A cell opens what is behind it (rule R395).
func TestACellOpensTheDocumentsBehindIt(t *testing.T) {
	t.Parallel()
	s := apptest.Start(t, apptest.Options{Accounts: 1})
	b := as(t, s, stockhand.RoleMember)
	all := stream(t, b, asked(t, b, "выручка по складам за последние 30 дней", ""), "", 0)
	done := string(all[len(all)-1].Data)
	path, cell := opens.FindStringSubmatch(done), regexp.MustCompile(`value="(\d+:revenue)"`).FindStringSubmatch(done)
	if path == nil || cell == nil {
		t.Fatalf("nothing to open in %s", done)
	}
	got := b.post(path[1], url.Values{"cell": {cell[1]}, "part": {"0"}})
	if got.Status != http.StatusSeeOther {
		t.Fatalf("%d %s", got.Status, got.Body)
	}
	pieces := stream(t, b, strings.Replace(got.Location, "#", "/", 1), "", 0)
	if answer := string(pieces[len(pieces)-1].Data); !strings.Contains(answer, "Отгрузк") &&
		!strings.Contains(answer, "Retail sales") {
		t.Errorf("the documents are not shown: %s", answer)
	}
	if missing := b.post(path[1], url.Values{"cell": {"0:share"}}); missing.Status != http.StatusNotFound {
		t.Errorf("a cell with nothing behind it: %d", missing.Status)
	}
}

// A viewer reads answers and cannot ask; a person of another organization sees nothing (rule R391).
func TestAskingNeedsTheRight(t *testing.T) {
	t.Parallel()
	s := apptest.Start(t, apptest.Options{Accounts: 1})
	turn := asked(t, as(t, s, stockhand.RoleMember), "сколько денег на счетах?", "")
	viewer := as(t, s, stockhand.RoleViewer)
	all := stream(t, viewer, turn, "", 0)
	if !strings.Contains(string(all[len(all)-1].Data), "₽") {
		t.Error("a viewer cannot read the answer")
	}
	if page := viewer.get(turn[:strings.LastIndex(turn, "/")]); strings.Contains(page.Body, "<textarea") {
		t.Error("a viewer is offered to ask")
	}
	if got := viewer.post("/o/"+string(s.OrgID)+"/ask", url.Values{"message": {"x"}}); got.Status != http.StatusForbidden {
		t.Errorf("a viewer asks: %d", got.Status)
	}
}

// Conversations are found, renamed and deleted.
func TestHistory(t *testing.T) {
	t.Parallel()
	s := apptest.Start(t, apptest.Options{Accounts: 1})
	b := as(t, s, stockhand.RoleMember)
	turn := asked(t, b, "сколько денег на счетах?", "")
	stream(t, b, turn, "", 0)
	talk, list := turn[:strings.LastIndex(turn, "/")], "/o/"+string(s.OrgID)+"/ask"
	if got := b.post(talk+"/rename", url.Values{"title": {"Касса  в ноябре"}}); got.Status != http.StatusSeeOther {
		t.Fatalf("%d %s", got.Status, got.Body)
	}
	find := func(words string) string {
		return b.get(list+"?find="+url.QueryEscape(words), "HX-Request", "true", "HX-Target", "talks").Body
	}
	if !strings.Contains(find("ноябре касса"), "Касса в ноябре") || strings.Contains(find("склад"), "Касса") {
		t.Error("the search does not find by words of the title")
	}
	if got := b.post(talk+"/delete", nil); got.Status != http.StatusSeeOther {
		t.Fatalf("%d %s", got.Status, got.Body)
	}
	if got := b.get(talk); got.Status != http.StatusNotFound {
		t.Errorf("a deleted conversation: %d", got.Status)
	}
}

// Each tile of the start page reads itself (rule R396).
func TestTilesReadThemselves(t *testing.T) {
	t.Parallel()
	s := apptest.Start(t, apptest.Options{Accounts: 1})
	b := as(t, s, stockhand.RoleMember)
	home := b.get("/o/" + string(s.OrgID) + "/ask").Body
	tiles := regexp.MustCompile(`hx-post="([^"]+/tiles/[a-z]+)"`).FindAllStringSubmatch(home, -1)
	if len(tiles) != 5 {
		t.Fatalf("%d tiles", len(tiles))
	}
	for _, tile := range tiles {
		form := url.Values{"connection": {string(s.Connections[0].ID)}}
		got := b.post(tile[1], form, "HX-Request", "true", "Accept-Language", "ru")
		if got.Status != http.StatusOK || strings.Contains(got.Body, "Не прочиталось") {
			t.Errorf("%s: %d %s", tile[1], got.Status, got.Body)
		}
		before := len(s.Sandbox.Requests())
		if b.post(tile[1], form, "HX-Request", "true", "Accept-Language", "ru"); len(s.Sandbox.Requests()) != before {
			t.Errorf("%s: reads again at once", tile[1])
		}
	}
	if got := b.post(tiles[0][1], url.Values{"connection": {"con_none"}}); got.Status != http.StatusNotFound {
		t.Errorf("an unknown connection: %d", got.Status)
	}
}

// The tables of answers are sorted, searched, paged and downloaded on the server (rule R393).
func TestATableIsSortedAndSearched(t *testing.T) {
	t.Parallel()
	s := apptest.Start(t, apptest.Options{Accounts: 1})
	b := as(t, s, stockhand.RoleMember)
	all := stream(t, b, asked(t, b, "остатки товаров", ""), "", 0)
	found := regexp.MustCompile(`"(/o/[^"]+/results/res_[a-z0-9]+)`).FindStringSubmatch(string(all[len(all)-1].Data))
	if found == nil {
		t.Fatalf("no table in %s", all[len(all)-1].Data)
	}
	table := func(query string) string {
		return b.get(found[1]+query, "HX-Request", "true", "Accept-Language", "ru").Body
	}
	first := func(page string) string {
		row := regexp.MustCompile(`(?s)<tbody>.*?<td[^>]*>(.*?)</td>`).FindStringSubmatch(page)
		if row == nil {
			t.Fatalf("no rows in %s", page)
		}
		return strings.TrimSpace(regexp.MustCompile(`<[^>]+>`).ReplaceAllString(row[1], ""))
	}
	names := regexp.MustCompile(`\?[^"]*sort=([a-z_]+)`).FindStringSubmatch(table(""))
	up, down := first(table("?sort="+names[1])), first(table("?sort="+names[1]+"&down=1"))
	if up >= down {
		t.Errorf("sorted up %q comes first, and down %q", up, down)
	}
	one := table("?find=" + url.QueryEscape(up))
	if first(one) != up || strings.Contains(one, down) {
		t.Errorf("searching for %q shows %s", up, one)
	}
	if none := table("?find=qqqqqq"); !strings.Contains(none, "Ничего не нашлось") {
		t.Error("a search without a match does not say so")
	}
	for format, media := range map[string]string{"csv": "text/csv", "xlsx": "application/vnd.openxml"} {
		file := b.get(found[1] + "/file?format=" + format)
		if file.Status != http.StatusOK || !strings.HasPrefix(file.Header.Get("Content-Type"), media) {
			t.Errorf("%s: %d %s", format, file.Status, file.Header.Get("Content-Type"))
		}
	}
}
