package omitted_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/connector/moysklad/analyze/measures"
	"github.com/stockhand/stockhand/internal/language"
)

var known = []connector.Name{
	{Kind: connector.NameStore, ID: "s1", Name: "Витрина"},
	{Kind: connector.NameStore, ID: "s2", Name: "Основной склад"},
	{Kind: connector.NameGroup, ID: "g1", Name: "Посуда"},
	{Kind: connector.NameGroup, ID: "g2", Name: "Текстиль"},
	{Kind: connector.NameCounterparty, ID: "c1", Name: "ООО «Альфа»"},
}

func read(task string) language.Reading {
	return language.Read(task, language.Input{Now: time.Date(2026, 11, 22, 9, 0, 0, 0, time.UTC), Names: known,
		Catalogue: measures.Catalogue})
}

// TestWhatTheCallDoesNotRepresentIsNamed (rule R345).
func TestWhatTheCallDoesNotRepresentIsNamed(t *testing.T) {
	for task, want := range map[string]string{
		"что заканчивается, сначала самое дорогое":                 "сначала",
		"что пора заказать в каком магазине":                       "магазине",
		"просроченные заказы покупателей по часам":                 "часам",
		"price types to which customers":                           "customers",
		"what is running out compared with last year":              "compared with last year",
		"которые заказы просрочены утром":                          "утром",
		"долги клиентов по понедельникам":                          "понедельникам",
		"compare revenue October vs September because of Витрина?": "",
	} {
		r := read(task)
		said := strings.Join(r.Unused, " ")
		for _, u := range r.Unknown {
			said += " " + u.Words
		}
		if r.Question == nil && !strings.Contains(said, want) {
			t.Errorf("%s: %s %v: only %q is named, want %q", task, r.Skill, r.ToolInput(), said, want)
		}
	}
}

// TestComposedQueriesDropNothing (rule R348): what was made of a part is in the query, not only taken up.
func TestComposedQueriesDropNothing(t *testing.T) {
	for task, want := range map[string]string{
		"покупатели, которые брали и Посуду, и Текстиль":       "Текстиль",
		"customers who bought both Посуда and Текстиль":        "Текстиль",
		"какие поставщики привозят дольше всех":                "дольше всех",
		"из поставщиков, кто быстрее всех привозит товар":      "быстрее",
		"какие товары продаются меньше 3 в неделю":             "товары",
		"клиенты, которые купили и Посуду и Текстиль за месяц": "Текстиль",
	} {
		r := read(task)
		if said := strings.Join(r.Unused, " "); r.Question == nil && !strings.Contains(said, want) {
			t.Errorf("%s: %s %v: only %q is named, want %q", task, r.Skill, r.ToolInput(), said, want)
		}
	}
}

// TestPartsThatAreApplied (rule R348): what was dropped silently before is in the query now.
func TestPartsThatAreApplied(t *testing.T) {
	for task, want := range map[string]string{
		"что лучше продаётся на Витрине, чем на основном":            `"by":["product","store"]`,
		"what sells better at Витрина than at Основной склад":        `"by":["product","store"]`,
		"где лучше с выручкой, на Витрине или на основном":           `"by":["store"]`,
		"самый прибыльный день в ноябре":                             `"by":["day"]`,
		"самая прибыльная неделя этого года":                         `"by":["week"]`,
		"кто дольше всех должен":                                     `"field":"debt_age"`,
		"кто дольше всех нам должен":                                 `"field":"debt_age"`,
		"сколько мы должны поставщикам и сколько нам должны":         `"owed_by_us","owed_to_us"`,
		"everything that costs more than 2000 and sells less than 5": `"field":"quantity","op":"\u003c"`,
		"товары дороже 1000, которых продаётся меньше 5":             `"field":"quantity","op":"\u003c"`,
	} {
		r := read(task)
		b, _ := json.Marshal(r.ToolInput())
		if !strings.Contains(string(b), strings.ReplaceAll(want, `\\`, `\`)) || len(r.Unused) > 0 || r.Question != nil {
			t.Errorf("%s: %s %s, unused %q, want %s", task, r.Skill, b, r.Unused, want)
		}
	}
}

// TestWhatTheCallRepresentsIsNotNamed (rule R345).
func TestWhatTheCallRepresentsIsNotNamed(t *testing.T) {
	for _, task := range []string{"кто нам должен больше всего", "какие счета не оплачены", "где больше остатков",
		"кто из продавцов продал больше всех", "когда последний раз продавали посуду", "who owes us the most",
		"какие товары лежат дольше всего", "sales by day of the week", "какие заказы не отгружены",
		"остатки, где меньше 5 штук", "товары, которых нет на Витрине"} {
		if r := read(task); len(r.Unused) > 0 {
			t.Errorf("%s: %s %v names %q", task, r.Skill, r.ToolInput(), r.Unused)
		}
	}
}

// TestAReasonEndsBeforeWhatMayBeACondition (rule R335).
func TestAReasonEndsBeforeWhatMayBeACondition(t *testing.T) {
	for task, same := range map[string]string{
		"нужна выручка, а то шеф спрашивает за октябрь":                "выручка за октябрь",
		"нужна выручка за неделю, а то бухгалтер просит по складам":    "выручка за неделю по складам",
		"Покажи выручку за октябрь. Сравниваем с прошлым годом.":       "выручка за октябрь в сравнении с прошлым годом",
		"Продажи за неделю. Нас интересует Витрина.":                   "продажи за неделю на Витрине",
		"выручка, потому что директор ждёт за вчера":                   "выручка за вчера",
		"revenue by store please because my boss asks about October":   "revenue by store for October",
		"остатки посуды, а то клиент спрашивает на Витрине":            "остатки посуды на Витрине",
		"Сколько заработали в октябре? Считаем только посуду.":         "сколько заработали в октябре только по посуде",
		"выручка за октябрь, потому что клиент ругается, по дням":      "выручка за октябрь по дням",
		"продажи по дням недели, так как директор просил за 3 квартал": "продажи по дням недели за 3 квартал",
	} {
		r, want := read(task), read(same)
		if call(r) != call(want) {
			t.Errorf("%s\n got %s\nwant %s", task, call(r), call(want))
		}
	}
}

func call(r language.Reading) string {
	in, err := json.Marshal(r.ToolInput())
	if err != nil {
		return err.Error()
	}
	return string(r.Skill) + " " + string(in)
}
