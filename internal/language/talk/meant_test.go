package talk

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestAWeekendIsInThePeriodBefore(t *testing.T) { // rule R996
	follows(t, nil, map[string]string{
		"прибыль за прошлую неделю по дням | в выходные сколько": `"from":"2026-11-14","to":"2026-11-15"`,
		"выручка за октябрь | а в выходные":                      `"values":["6","7"]}],"from":"2026-10-01","to":"2026-10-31"`,
		"выручка вчера | а в выходные":                           `"from":"2026-11-21","to":"2026-11-22"`,
		"выручка за прошлую неделю | а в прошлые выходные":       `"from":"2026-11-14","to":"2026-11-15"`,
	})
	if r := converse("прибыль за октябрь | а в выходные"); r.Question == nil {
		t.Errorf("profit by weekday cannot be counted, but %v was answered", r.ToolInput())
	}
}

func TestWordsForWhatWasShownLimitTheAnswer(t *testing.T) { // rule R997
	goods := shown("product", "a", "b")
	follows(t, goods, map[string]string{
		"что на витрине лежит | что из этого не продаётся": `{"field":"product","op":"in","values":["a","b"]}`,
		"остаток соли | хватит до конца месяца?":           `"mode":"running_out","days":9}`,
	})
	customers := shown("counterparty", "a", "b")
	customers.Top = true
	follows(t, customers, map[string]string{
		"у кого больше всего закупали в октябре | что у него брали": `{"field":"counterparty","op":"in","values":["a"]}`,
	})
	customers.Top = false
	if r := converseOf("закупки по контрагентам за октябрь | что у него брали", customers); r.Question == nil {
		t.Errorf("%s %v was answered", r.Skill, r.ToolInput())
	}
	follows(t, nil, map[string]string{
		"остатки посуды | что из этого не продаётся месяц": `{"field":"group","op":"in","values":["Посуда"]}`,
	})
}

func TestQuestionsAboutAListAreOfItsGoods(t *testing.T) { // rule R1148
	of := `{"field":"product","op":"in","values":["a","b"]}`
	follows(t, shown("product", "a", "b"), map[string]string{
		"что заканчивается | когда последний раз продавали":                   of,
		"что заканчивается | сколько продали за месяц":                        of,
		"что заканчивается | что из этого едет":                               of,
		"топ 10 товаров по прибыли за октябрь | что из этого заканчивается":   `{"products":["a","b"]`,
		"что залежалось | на сколько хватит":                                  `"products":["a","b"]`,
		"что залежалось | сколько всего продали за октябрь по всем магазинам": `"from":"2026-10-01"`,
	})
	follows(t, nil, map[string]string{
		"что залежалось | когда последний раз продавали": `{"field":"days_in_stock","op":"\u003e=","values":["90"]}`,
	})
	if r := converse("выручка вчера | что из этого заканчивается"); r.Question == nil {
		t.Errorf("%s %v was answered", r.Skill, r.ToolInput())
	}
}

func TestQuestionsBehindACardAreOfIt(t *testing.T) { // rule R1156
	follows(t, nil, map[string]string{
		"расскажи про Альфу | средний чек":          `"values":["ООО «Альфа»"]`,
		"расскажи про Альфу | возвраты":             `"values":["ООО «Альфа»"]`,
		"расскажи про Альфу | оборот за год":        `"values":["ООО «Альфа»"]`,
		"расскажи про Альфу | выручка по магазинам": `"by":["store"]`,
	})
}

func TestFiguresOfARankingAreOfItsRows(t *testing.T) { // rule R1157
	follows(t, shown("product", "a", "b"), map[string]string{
		"топ 10 товаров по прибыли за октябрь | а в штуках": `{"measures":["quantity"],"by":["product"],"where":[{"field":` +
			`"product","op":"in","values":["a","b"]}]`,
	})
}

func TestWhatLeavesTheShelvesIsCounted(t *testing.T) { // rule R1162
	follows(t, nil, map[string]string{
		"остаток соли | сколько уходит в день": `"measures":["pace"]`,
		"остатки посуды | только где меньше 10 штук | убери нулевые": `{"field":"stock","op":"!=","values":["0"]},` +
			`{"field":"stock","op":"\u003c","values":["10"]}`,
	})
	follows(t, shown("product", "a", "b"), map[string]string{
		"top 5 products by quantity last week | how many of each are left": `"products":["a","b"]`,
	})
}

func TestTransfersAreOfTheGoodsShown(t *testing.T) { // rule R1159
	r := converseOf("что залежалось | перемести на витрину", shown("product", "a", "b"))
	if raw, _ := json.Marshal(r.ToolInput()); !strings.Contains(string(raw), `"products":["a","b"]`) &&
		!strings.Contains(string(raw), "rows_of") {
		t.Errorf("the transfer is of %s", raw)
	}
	if r := converse("остатки на витрине | перемести на лесную"); r.Question == nil {
		t.Errorf("%v was prepared", r.ToolInput())
	}
}

func TestTheLargestDocumentIsOfTheList(t *testing.T) { // rule R998
	follows(t, nil, map[string]string{
		"покажи отгрузки за вчера | самая большая какая": `"from":"2026-11-21","to":"2026-11-21",` +
			`"order":"largest","limit":1`,
	})
}

func TestWhatIsHiddenIsNotShown(t *testing.T) { // rule R999
	follows(t, shown("product", "a", "b"), map[string]string{
		"продажи по товарам за октябрь | без остатка не показывай":          `{"field":"stock","op":"\u003e","values":["0"]}`,
		"продажи по товарам за октябрь | те что нет в наличии не показывай": `{"field":"stock","op":"\u003e","values":["0"]}`,
	})
	r := converseOf("products with fewer than 5 pieces left | sort by price, most expensive first", shown("product", "a", "b"))
	if r.Query == nil || len(conditionsOf(&r)) > 0 {
		t.Errorf("the order is read as a row: %v", r.ToolInput())
	}
}
