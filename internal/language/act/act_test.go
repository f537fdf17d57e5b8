package act

import (
	"fmt"
	"strings"
	"testing"
)

func show(a Act) string {
	names := map[Kind]string{None: "", Agree: "agree", Reject: "reject", Undo: "undo", Drop: "drop", Keep: "keep",
		Set: "set", Scale: "scale",
		Drafts: "drafts", All: "all", More: "more", Export: "export", Chart: "chart", Why: "why",
		Total:   "total",
		Details: "details", Lost: "lost"}
	out := names[a.Kind]
	if len(a.Names) > 0 {
		out += " [" + strings.Join(a.Names, "; ") + "]"
	}
	if len(a.Lines) > 0 {
		out += fmt.Sprint(" ", a.Lines)
	}
	if a.First > 0 {
		out += fmt.Sprint(" first ", a.First)
	}
	if a.Each {
		out += " each"
	}
	if a.From != "" {
		out += " from " + a.From
	}
	if a.To != "" {
		out += " to " + a.To
	}
	if a.Price {
		out += " price"
	}
	if b := a.Bound; b.Value != "" {
		out += map[bool]string{true: " price"}[b.Price] + map[bool]string{true: " quantity"}[b.Quantity] +
			map[bool]string{true: " under ", false: " over "}[b.Less] + b.Value
	}
	if a.Format != "" {
		out += " " + a.Format
	}
	if a.Draft != "" {
		out += " " + a.Draft
	}
	return out
}

func TestMessagesAreReadAsActs(t *testing.T) {
	for task, want := range map[string]string{
		"да":                               "agree",
		"тарелки не трогай":                "drop [тарелки]",
		"не трогай тарелки":                "drop [тарелки]",
		"чая не 5, а 8":                    "set [чая] from 5 to 8",
		"мыла 50":                          "set [мыла] to 50",
		"что там":                          "total",
		"что осталось в заказе":            "total",          // R811
		"на сколько подорожает":            "total",          // R811
		"оставь тетради как есть":          "drop [тетради]", // R815
		"тетради оставь без изменений":     "drop [тетради]",
		"сделай по 8":                      "set each to 8",
		"соли многовато, 5 хватит":         "set [соли] to 5", // R1062
		"возьмём чая 8":                    "set [чая] to 8",
		"15 губок давай":                   "set [губок] to 15",
		"сковородок хватит и трёх":         "set [сковородок] to 3",
		"розеток тоже 10":                  "set [розеток] to 10",
		"кружек пусть будет 12":            "set [кружек] to 12",
		"salt 5 is enough":                 "set [salt] to 5",
		"мало, надо 8":                     "set to 8",
		"тогда хватит и 6":                 "set to 6",
		"тогда закажи по 5":                "set each to 5",
		"по 10 каждого":                    "set each to 10",
		"по первому 50":                    "set [1] to 50",
		"соль по 300 рублей":               "set [соль] to 300 price",
		"на 6 дней":                        "",
		"топ 5":                            "",
		"только на те что дороже 500":      "keep price over 500", // R1068
		"соль оставь":                      "keep [соль]",
		"подтверждаю перемещение":          "agree",
		"применяй новые цены":              "agree",
		"что туда вошло":                   "total",
		"сумма какая":                      "total",
		"дороже 500":                       "",
		"на кружки 12":                     "",
		"5":                                "",
		"количество округли до 10":         "",
		"продажи за октябрь 5":             "",
		"убери первые три":                 "drop first 3",
		"убери всё дешевле 100":            "drop price under 100", // R810
		"оставь только где больше 10 штук": "keep quantity over 10",
		"drop anything under 100 rub":      "drop price under 100",
		"кроме тех что не дороже 500 р":    "drop price under 500",
		"что у нас на подтверждении":       "drafts",
		"Да!":                         "agree",
		"ок, отправляй":               "agree",
		"давай, отправляй":            "agree",
		"yes, go ahead":               "agree",
		"ok send it please":           "agree",
		"отмени":                      "reject",
		"нет, не надо":                "reject",
		"отмени последнее":            "reject",
		"ладно, отмени этот заказ":    "reject",
		"ладно, отмени пока":          "reject",
		"пока отмени":                 "reject",
		"ну отмени тогда":             "reject",
		"cancel it for now":           "reject",
		"cancel that":                 "reject",
		"no, don't send it":           "reject",
		"отмени черновик drf_1":       "reject drf_1",
		"верни как было":              "undo",
		"откати изменения пожалуйста": "undo",
		"undo that":                   "undo",
		"покажи черновики":            "drafts",
		"what drafts are there?":      "drafts",

		"убери швабру":                         "drop [швабру]",
		"убери из черновика соль":              "drop [соль]",
		"ну убери соль и сахар из заказа":      "drop [соль; сахар]",
		"убери третью строку":                  "drop [3]",
		"удали строки 2 и кружку":              "drop [кружку] [2]",
		"соль не надо":                         "drop [соль]",
		"без швабры":                           "drop [швабры]",
		"рис и гречку не бери":                 "drop [рис; гречку]",
		"without the tea":                      "drop [tea]",
		"у первой строки поставь 30":           "set [1] to 30",
		"вторую исправь на 15":                 "set [2] to 15",
		"не надо соль":                         "drop [соль]",
		"remove the salt from the draft":       "drop [salt]",
		"убери всё кроме соли":                 "keep [соли]",
		"оставь только швабру":                 "keep [швабру]",
		"измени количество отвёртки на 20":     "set [отвёртки] to 20",
		"сделай 20 вместо 9":                   "set from 9 to 20",
		"20 вместо 9":                          "set from 9 to 20",
		"сделай отвёртки 20 штук":              "set [отвёртки] to 20",
		"поменяй количество соли с 9 на 20":    "set [соли] from 9 to 20",
		"change the quantity of salt to 15":    "set [salt] to 15",
		"make it 20 instead of 9":              "set from 9 to 20",
		"поставь цену 120 на соль":             "set [соль] to 120 price",
		"кружки 300 мл поставь 20":             "set [кружки 300 мл] to 20",
		"измени количество кружки 300 мл на 5": "set [кружки 300 мл] to 5",

		"увеличь всё в 2 раза":               "scale to 2",
		"удвой всё":                          "scale to 2",
		"сделай вдвое меньше":                "scale to 0.5",
		"уменьши соль на 10 %":               "scale [соль] to 0.9",
		"increase everything by 20%":         "scale to 1.2",
		"twice as much":                      "scale to 2",
		"половину из этого":                  "scale to 0.5",
		"оставь только первые три":           "keep first 3",
		"только первые 5":                    "keep first 5",
		"только на первые десять":            "keep first 10",
		"не надо, передумал":                 "reject",
		"всё ок, проводи":                    "agree",
		"отправляй поставщику":               "agree",
		"сделай черновик заказа на 50 тысяч": "",

		"покажи все":     "all",
		"полностью":      "all",
		"ещё":            "more",
		"дальше":         "more",
		"show more":      "more",
		"в эксель":       "export xlsx",
		"скачай":         "export xlsx",
		"as csv":         "export csv",
		"и в экселе дай": "export xlsx",
		"а теперь то же самое в excel, пожалуйста": "export xlsx",
		"can i get this as an xlsx": "export xlsx",
		"покажи это на графике":     "chart",
		"и диаграмму построй":       "chart",
		"now show it as a graph":    "chart",
		"графиком по месяцам":       "",
		"сколько выйдет по деньгам": "total",
		"what is the total?":        "total",
		"на какую сумму продали":    "",
		"графиком":                  "chart",
		"а почему так?":             "why",
		"за счёт чего?":             "why",
		"why?":                      "why",
		"подробнее":                 "details",
		"tell me more":              "details",
		"не понял":                  "lost",
		"i don't understand":        "lost",

		"":                   "",
		"привет":             "",
		"отмени заказ 00012": "",
		"почему упала выручка в октябре": "",
		"покажи все товары":              "",
		"какие остатки на складе":        "",
		"подними цены на 5%":             "",
		"сделай скидку 15%":              "",
		"увеличь цены в 2 раза":          "",
		"подробнее про соль":             "",
	} {
		if got := show(Read(task)); got != want {
			t.Errorf("%q: %q, want %q", task, got, want)
		}
	}
}

// Phrases are compared as the words of a message, so none of them is lost to an apostrophe or a hyphen.
func TestEveryPhraseIsReadAsItsAct(t *testing.T) {
	t.Parallel()
	for kind, list := range whole {
		for p := range strings.SplitSeq(list, ";") {
			if got := Read(strings.TrimSpace(p)).Kind; got != kind {
				t.Errorf("%s: %v, want %v", p, got, kind)
			}
		}
	}
	for _, p := range []string{"какие черновики ждут", "сколько черновиков висит", "есть что на подтверждении",
		"какие заказы ждут подтверждения", "any drafts waiting", "what's awaiting my approval"} {
		if got := Read(p).Kind; got != Drafts {
			t.Errorf("%s: %v, want a list of the drafts", p, got)
		}
	}
	for _, p := range []string{"какие заказы", "подтвердить", "открытые заказы", "не надо подтвердить"} {
		if got := Read(p).Kind; got == Drafts {
			t.Errorf("%s: is no question for drafts", p)
		}
	}
}
