package eval

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/connector/moysklad/analyze/measures"
	"github.com/stockhand/stockhand/internal/language"
)

// added are conditions that change the meaning of any task. A phrase that has one of the words already is left alone.
var added = map[string][]struct{ text, unless string }{
	"ru": {
		{"дороже 500 рублей", "дороже|дешевле|цен|стои"}, {"дешевле 300 рублей", "дороже|дешевле|цен|стои"},
		{"с остатком больше 10 штук", "остат|больше|скольк"}, {"с маржой ниже 20%", "марж|рентаб|накрут"},
		{"на складе %s", "склад|магазин|витрин|лесн|мира|точк|мире|основн"}, {"кроме группы %s",
			"кроме|без|групп|исключ|посуд|текстил"},
		{"за прошлый месяц", "прошл|месяц|октябр"}, {"за позавчера", "вчера"}, {"по понедельникам", "понед|дн"},
		{"без услуг", "услуг"}, {"только в группе %s", "групп|только|посуд|текстил"}, {"у которых нет артикула",
			"артикул"},
		{"до обеда", "час|обед"}, {"кроме розничного покупателя", "кроме|розничн"}, {"со скидкой больше 15%", "скид"},
		{"которые лежат больше 120 дней", "леж|дней|дня|день"}, {"в долларах", "доллар|валют"},
		{"больше всего", "больш|мень|топ|луч|худ|макс|сам"}, {"по убыванию", "убыв|возр|топ|больш|мень|луч|худ|сам"},
		{"топ 7", "топ|перв|луч|худ|7|сам"}, {"сначала самые дешёвые", "дешев|дорог|топ|луч|худ|сам|цен|снач"},
		{"по сотрудникам", "сотруд|продав|менедж|касс"}, {"по часам", "час"}, {"по дням недели", "дн|недел"},
		{"с разбивкой по юрлицам", "юр|фирм|организ"}, {"в сравнении с прошлым годом", "срав|год|прошл"},
		{"доля в процентах", "дол|процент|%"}, {"в среднем за день", "сред|день|дн"}, {"утром", "утр|час"},
		{"в выходные", "выходн|дн"}, {"наличными", "нал|касс|карт"}, {"и средний чек", "чек"},
		{"и наценка", "наценк|накрут|марж"}, {"и сколько дней лежит", "леж|дн"}, {"кроме Витрины", "витрин|кроме|на "},
		{"кто", "кто|кому|кого|кем|клиент|покуп|постав|сотруд|контраг|продав|менедж|должн|долг|долж"},
		{"где", "где|склад|магаз|точк|откуда|куда|на |в |по "}, {"в каком магазине", "магаз|склад|точк|на |витрин"},
		{"какие поставщики", "постав|у кого"}, {"у каких клиентов", "клиент|покуп|кто|кому|контраг"},
		{"а то шеф спрашивает за август", "август|а то|шеф|за |квартал|месяц|недел"}, {"почему так", "поч|причин"},
		{". Только группа %s.", "групп|только|посуд|текстил"}, {". Сравниваем с прошлым годом.", "срав|год|прошл"},
	},
	"en": {
		{"over 500 rubles", "over|above|price|cost"}, {"cheaper than 300 rubles", "cheap|price|cost"},
		{"with more than 10 in stock", "stock|more|how many"}, {"with a margin below 20%", "margin"},
		{"in %s", "showcase|warehouse|store|shop| in |витрин|склад"}, {"except the group %s",
			"except|without|group|exclud|посуд|текстил|dishes"},
		{"last month", "last|month|october"}, {"the day before yesterday", "yesterday"}, {"on Mondays", "monday|day"},
		{"without services", "service"}, {"only in the group %s", "group|only|посуд|текстил"}, {"before noon",
			"hour|noon"},
		{"older than 120 days", "older|days"}, {"in dollars", "dollar|currenc"},
		{"the most", "most|top|best|worst|least|high|low|biggest"},
		{"in descending order", "order|most|top|best|worst|low"},
		{"top 7", "top|first|best|worst|7|most"}, {"cheapest first", "cheap|price|first|most|top|best"},
		{"by employee", "employee|staff|salesp|cashier|who"}, {"by hour", "hour"}, {"by day of the week", "day|week"},
		{"compared with last year", "compar|year|last|than"}, {"as a share of the total", "share|percent|%"},
		{"on average per day", "average|day|daily"}, {"in the mornings", "morning|hour"}, {"at weekends", "week|day"},
		{"paid in cash", "cash|paid|pay"}, {"and the average receipt", "receipt|basket|average"},
		{"and markup", "markup|margin"}, {"except Витрина", "except|without|витрин|in "},
		{"who", "who|customer|supplier|client|employee|debt|owe"}, {"where", "where|warehouse|store|shop|in |at "},
		{"from which suppliers", "supplier|vendor|from|who"}, {"to which customers", "customer|client|who|buyer"},
		{". Only the group %s.", "group|only|посуд|текстил"},
		{"because my boss asks about August", "august|month|because"},
	},
}

// removed finds conditions in phrases; without one, the phrase means something else.
var removed = regexp.MustCompile(`(?i) (?:(?:дороже|дешевле|больше|меньше|выше|ниже|не менее|over|under|above|below|` +
	`more than|less than|cheaper than) -?\d[\d ]*(?:%| процент\S*| руб\S*| тыс\S*| rub\S*)?|` +
	`за (?:прошл|эт|последн|позапрошл)\S+ \S+|за (?:вчера|сегодня|позавчера)|(?:last|this) (?:week|month|year|quarter)|` +
	`yesterday|кроме \S+|except \S+|на (?:витрине|лесной))`)

// phrase is a task with the account that it is about.
type phrase struct {
	from, task   string
	now          time.Time
	names        []connector.Name
	store, group string
}

// labelledPhrases returns all phrases of phrases/ and the first turns of the repository's conversations.
func labelledPhrases(t *testing.T) []phrase {
	var list []phrase
	for _, s := range splits {
		ps, err := parse(s.name)
		if err != nil {
			t.Fatal(err)
		}
		store := "Витрина"
		if !strings.HasSuffix(s.name, "shop") {
			store = "Основной склад"
		}
		for _, p := range ps {
			list = append(list, phrase{from: fmt.Sprint(s.name, ":", p.line), task: p.task, now: s.now, names: s.names,
				store: store, group: "Посуда"})
		}
	}
	names := demo()
	for _, c := range ownConversations(t) {
		list = append(list, phrase{from: c.ID, task: c.Turns[0].Say, now: unseenDay.Time().Add(9 * time.Hour),
			names: names,
			store: "Витрина", group: "Текстиль"})
	}
	return list
}

// TestConditionsChangeTheReading adds conditions to labelled phrases and removes those that they have: the reading
// changes, or a question is asked, or the words are named as not applied (rule R320).
func TestConditionsChangeTheReading(t *testing.T) {
	t.Parallel()
	every := 3 // a third of the pairs is enough
	if testing.Short() {
		every = 30
	}
	tried, failed, examples := 0, map[string]int{}, map[string][]string{}
	fail := func(kind string, r language.Reading, with string) {
		key := kind + " · " + string(r.Skill)
		failed[key]++
		examples[key] = append(examples[key], with)
	}
	for i, p := range labelledPhrases(t) {
		read := func(task string) language.Reading {
			return language.Read(task, language.Input{Now: p.now, Names: p.names, Catalogue: measures.Catalogue})
		}
		r := read(p.task)
		if !r.Skill.Calls() || r.Question != nil || r.Outside || len(r.Unknown) > 0 {
			continue
		}
		list := added[string(r.Language)]
		for k := range list {
			if (i+k)%every != 0 {
				continue
			}
			c := list[k]
			if regexp.MustCompile(`(?i)` + c.unless).MatchString(p.task) {
				continue
			}
			text := strings.Replace(strings.Replace(c.text, "группы %s", "группы "+p.group, 1), "группе %s",
				"группе "+p.group, 1)
			text = strings.Replace(strings.Replace(text, "group %s", "group "+p.group, 1), "%s", p.store, 1)
			tried++
			with := strings.TrimRight(p.task, ".?! ") + " " + text
			if w := read(with); !accounted(r, w) && !shownAnyway(c.text, w.Skill) {
				fail("+ "+c.text, w, with)
			}
		}
		if at := removed.FindStringIndex(p.task); at != nil {
			tried++
			without := p.task[:at[0]] + p.task[at[1]:]
			if w := read(without); !accounted(w, r) {
				fail("− "+strings.TrimSpace(strings.Fields(p.task[at[0]:at[1]])[0]), r, p.task)
			}
		}
	}
	total, shown := 0, 0
	for _, key := range slices.SortedFunc(maps.Keys(failed), func(x, y string) int { return failed[y] - failed[x] }) {
		total += failed[key]
		if shown++; shown <= 20 {
			t.Logf("conditions: %3d %s, e.g. %s", failed[key], key, examples[key][0])
		}
	}
	t.Logf("conditions: %d of %d disappear", total, tried)
	if to := os.Getenv("STOCKHAND_TEST_CONDITIONS"); to != "" {
		b, _ := json.MarshalIndent(examples, "", " ")
		if err := os.WriteFile(to, b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if total > vanishing {
		t.Errorf("%d conditions disappear, more than the %d before", total, vanishing)
	}
}

// anyway are the tools that answer with what a question word asks for whatever is asked.
var anyway = map[language.Skill]*regexp.Regexp{
	language.Receivables:   regexp.MustCompile(`^(?:у каких клиентов|to which|from which|какие поставщики|кто|who|` + greatest + `)`),
	language.Documents:     regexp.MustCompile(`^(?:у каких клиентов|to which|from which|кто|who|где|where)`),
	language.OverdueOrders: regexp.MustCompile(`^(?:у каких клиентов|to which|кто|who)`),
	language.StockAge:      regexp.MustCompile(`^(?:и сколько дней лежит|` + greatest + `)`),
	language.Profitability: regexp.MustCompile(`^(?:по убыванию|in descending)`), // its order, if it has one
	language.StockByStore:  regexp.MustCompile(`^(?:где|where|в каком магазине)`),
	language.Money:         regexp.MustCompile(`^(?:где|where)`),
	language.Product:       regexp.MustCompile(`^(?:где|where|кто|who|какие поставщики)`),
	language.Document:      regexp.MustCompile(`^(?:где|where|кто|who)`),
	language.Counterparty:  regexp.MustCompile(`^(?:где|where|кто|who)`),
}

// greatest are orders of lists that begin with the greatest.
const greatest = "больше всего|по убыванию|the most|in descending"

// shownAnyway reports whether a tool shows what a condition asks for. Drafts ask nothing, so question words beside
// their orders mean nothing.
func shownAnyway(text string, s language.Skill) bool {
	of := anyway[s]
	return of != nil && of.MatchString(text) || s.Proposes() && question.MatchString(text)
}

var question = regexp.MustCompile(`^(?:кто|где|who|where|какие|у каких|в каком|from which|to which)`)

// vanishing is how many conditions may disappear without a word. It only falls.
const vanishing = 73

// accounted reports whether the words by which the second task exceeds the first one are accounted for.
func accounted(r, with language.Reading) bool {
	unused := func(r language.Reading) int { return len(strings.Join(r.Unused, " ")) }
	if with.Question != nil || with.Outside || len(with.Unknown) > 0 || unused(with) > unused(r) ||
		len(with.Ignored) > len(r.Ignored) {
		return true
	}
	shown := func(r language.Reading) string {
		b, err := json.Marshal([]any{r.Skill, r.ToolInput()})
		if err != nil {
			return err.Error()
		}
		return string(b)
	}
	return shown(r) != shown(with)
}

// ownConversations returns the repository's labelled conversations that rules may be tuned on.
func ownConversations(t *testing.T) []conversation {
	b, err := os.ReadFile("testdata/conversations.json")
	if os.IsNotExist(err) {
		return nil
	}
	if err != nil {
		t.Fatal(err)
	}
	var all []conversation
	if err := json.Unmarshal(b, &all); err != nil {
		t.Fatal(err)
	}
	return all
}
