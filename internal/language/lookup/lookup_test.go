package lookup

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/connector/moysklad/analyze/measures"
	"github.com/stockhand/stockhand/internal/language/compose/typed"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/tool"
)

var sunday = time.Date(2026, time.November, 22, 0, 0, 0, 0, time.UTC)

// named are names of an account by the words that the tests use for them.
var named = func() map[string][]connector.Name {
	m := map[string][]connector.Name{}
	for list, words := range map[*[]connector.Name]string{
		{{Kind: connector.NameCounterparty, ID: "c1", Name: "Альфа"}}: "альфа альфы альфе альфой alfa",
		{{Kind: connector.NameCounterparty, ID: "c2", Name: "Бета"},
			{Kind: connector.NameCounterparty, ID: "c3", Name: "Бета-Торг"}}: "бета беты бете beta",
		{{Kind: connector.NameSupplier, ID: "c4", Name: "Восток"},
			{Kind: connector.NameCounterparty, ID: "c4", Name: "Восток"}}: "восток востока востоку vostok",
		{{Kind: connector.NameCounterparty, ID: "c5", Name: "Столовая № 5"}}: "столовой столовая",
		{{Kind: connector.NameStore, ID: "s1", Name: "Витрина"}}:             "витрина витрине витрины",
		{{Kind: connector.NameEmployee, ID: "e1", Name: "Иванова"}}:          "иванова ивановой",
		{{Kind: connector.NameGroup, ID: "g1", Name: "Посуда"}}:              "посуда посуды посуду",
		{{Kind: connector.NameProduct, ID: "p1", Name: "Соль 1 кг"}}:         "соль соли солью salt",
		{{Kind: connector.NameProduct, ID: "p2", Name: "Кружка белая"},
			{Kind: connector.NameProduct, ID: "p3", Name: "Кружка синяя"}}: "кружка кружки кружек mugs mug",
	} {
		for w := range strings.FieldsSeq(words) {
			m[w] = *list
		}
	}
	return m
}()

func read(task string) *Reading { return Read(task, input(task)) }

func input(task string) typed.Input {
	in := typed.Input{Tokens: token.Split(task), Catalogue: measures.Catalogue, Today: sunday,
		Prices: []connector.Name{{ID: "t1", Name: "Цена продажи"}, {ID: "t2", Name: "Оптовая"}}}
	for i := range in.Tokens {
		if list := named[in.Tokens[i].Norm]; list != nil {
			in.Tokens[i].Use = token.AsName
			in.Names = append(in.Names, typed.Name{At: []int{i}, Meanings: list})
		}
	}
	return in
}

// short writes a reading as the tests do: the tool and its input, "?" in front of one with unexplained words, and the
// options of a question.
func short(r *Reading) string {
	if r == nil {
		return ""
	}
	out := ""
	if !r.Complete() {
		out = "?"
	}
	if r.Options != nil {
		for _, o := range r.Options {
			out += "[" + o.Text + "]"
		}
		return out
	}
	input := r.Input
	if r.Query != nil {
		input = r.Query
	}
	b, err := json.Marshal(input)
	if err != nil {
		return err.Error()
	}
	return out + r.Skill() + " " + strings.NewReplacer(`"`, "", `\u003e`, ">", `\u003c`, "<").Replace(string(b))
}

func check(t *testing.T, cases map[string]string) {
	t.Helper()
	for task, want := range cases {
		r := read(task)
		if got := short(r); got != want {
			t.Errorf("%s\n got %s\nwant %s", task, got, want)
		}
		if r == nil {
			continue
		}
		calls := []Call{r.Call}
		for _, o := range r.Options {
			calls = append(calls, o.Call)
		}
		for _, c := range calls {
			if c.Query == nil {
				continue
			}
			p := tool.Period{From: "2026-01-01", To: "2026-01-31"}
			if _, err := measures.Catalogue.Check(*c.Query, p); err != nil {
				t.Errorf("%s: %v", task, err)
			}
		}
	}
}

func TestDocumentsTakeEveryCondition(t *testing.T) { // rule R310
	check(t, map[string]string{
		"последние 5 отгрузок Альфе": "documents {kinds:[demand],from:2025-11-23,to:2026-11-22," +
			"counterparties:[Альфа],limit:5}",
		"last 3 shipments to Alfa": "documents {kinds:[demand],from:2025-11-23,to:2026-11-22," +
			"counterparties:[Альфа],limit:3}",
		"последний заказ Альфы": "documents {kinds:[customerorder,purchaseorder],from:2025-11-23,to:2026-11-22," +
			"counterparties:[Альфа],limit:1}",
		"неоплаченные отгрузки на сегодня": "documents {kinds:[demand],unpaid:true}",
		"счета за ноябрь больше 10 000": "documents {kinds:[invoiceout,invoicein],from:2026-11-01,to:2026-11-30," +
			"sum_from:10000.01}",
		"отгрузки от 5 до 10 тысяч за октябрь": "documents {kinds:[demand],from:2026-10-01,to:2026-10-31," +
			"sum_from:5000," +
			"sum_to:10000}",
		"invoices over 10k in october": "documents {kinds:[invoiceout,invoicein],from:2026-10-01,to:2026-10-31," +
			"sum_from:10000.01}",
		"неоплаченные счета": "documents {kinds:[invoiceout,invoicein],unpaid:true}",
		"unpaid invoices":    "documents {kinds:[invoiceout,invoicein],unpaid:true}",
		"какие заказы не отгружены на витрине": "documents {kinds:[customerorder],stores:[Витрина],unshipped:true}",
		"заказы в статусе Новый":               "documents {kinds:[customerorder],states:[Новый]}",
		"заказы в статусе «Ждёт звонка»":       "documents {kinds:[customerorder],states:[Ждёт звонка]}",
		"новые заказы за сегодня": "documents {kinds:[customerorder],from:2026-11-22,to:2026-11-22," +
			"states:[Новый]}",
		"заказы без статуса":              "documents {kinds:[customerorder],states:[(none)]}",
		"какие приёмки были вчера":        "documents {kinds:[supply],from:2026-11-21,to:2026-11-21}",
		"заказы поставщику Восток":        "documents {kinds:[purchaseorder],counterparties:[Восток]}",
		"просроченные заказы поставщикам": "documents {kinds:[purchaseorder],overdue:true}",
		"непроведённые отгрузки Ивановой": "documents {kinds:[demand],employees:[Иванова],posted:false}",
		"отгрузки с солью за ноябрь": "documents {kinds:[demand],from:2026-11-01,to:2026-11-30," +
			"products:[Соль 1 кг]}",
		"перемещения и списания за октябрь": "documents {kinds:[move,loss],from:2026-10-01,to:2026-10-31}",
		"заказы с комментарием срочно":      "documents {kinds:[customerorder],text:срочно}",
		"просроченные заказы":               "overdue_orders {}",
		"overdue orders of Alfa": "documents {kinds:[customerorder,purchaseorder]," +
			"counterparties:[Альфа],overdue:true}",
		"show unpaid invoices older than 30 days": "documents {kinds:[invoiceout,invoicein],from:2024-11-22," +
			"to:2026-10-22," +
			"unpaid:true}",
		"неоплаченные счета старше двух недель": "documents {kinds:[invoiceout,invoicein],from:2024-11-22," +
			"to:2026-11-07," +
			"unpaid:true}",
		"поступления от Альфы": "[приёмки от Альфы][входящие платежи от Альфы]",
		"поставки Востока за октябрь": "documents {kinds:[supply],from:2026-10-01,to:2026-10-31," +
			"counterparties:[Восток]}",
		"invoices over $100": "?documents {kinds:[invoiceout,invoicein]}",
		"отгрузки дороже полутора тысяч": "documents {kinds:[demand],sum_from:1500.01}",
		"просроченные счета":             "[неоплаченные счета]",
		"заказы кружек 5": "?documents {kinds:[customerorder],products:[Кружка белая,Кружка " +
			"синяя]}",
		"что было в последней отгрузке Альфе": "[последняя отгрузка контрагента «Альфа»]",
		"платежи от Альфы":                    "documents {kinds:[paymentin,cashin],counterparties:[Альфа]}",
		"заказы Беты за октябрь":              "[заказы «Бета» за октябрь][заказы «Бета-Торг» за октябрь]",
		"отгрузки с доставкой":                "?documents {kinds:[demand]}",
		"продажи за октябрь":                  "",
		"продажи соли за ноябрь":              "", "продажи Альфе больше 5000": "",
	})
}

func TestANumberOpensADocument(t *testing.T) { // rule R311
	check(t, map[string]string{
		"что в отгрузке 00045":             "document {kind:demand,number:00045}",
		"отгрузки столовой №5":             "documents {kinds:[demand],counterparties:[Столовая № 5]}",
		"отгрузка № 45":                    "document {kind:demand,number:45}",
		"покажи приёмку 00007":             "document {kind:supply,number:00007}",
		"заказ поставщику 00012":           "document {kind:purchaseorder,number:00012}",
		"what's the status of order 00012": "[customer order 00012][supplier order 00012]",
		"статус заказа 00012":              "[заказ покупателя 00012][заказ поставщику 00012]",
		"order 00012":                      "[customer order 00012][supplier order 00012]",
		"shipment 00045":                   "document {kind:demand,number:00045}",
		"заказ покупателя номер ИМ-204":    "document {kind:customerorder,number:ИМ-204}",
		"customer order 00012":             "document {kind:customerorder,number:00012}",
		"документ 00012":                   "document {number:00012}",
		"заказы Альфы с номером 00012": "documents {kinds:[customerorder,purchaseorder],number:00012," +
			"counterparties:[Альфа]}",
	})
}

func TestExpectedDeliveriesAreOpenOrders(t *testing.T) { // rule R312
	check(t, map[string]string{
		"что едет":                   "documents {kinds:[purchaseorder],not_received:true}",
		"что едет к нам":             "documents {kinds:[purchaseorder],not_received:true}",
		"что мы ждём от поставщиков": "documents {kinds:[purchaseorder],not_received:true}",
		"когда поставка от Востока": "documents {kinds:[purchaseorder],counterparties:[Восток]," +
			"not_received:true}",
		"когда придёт соль":               "documents {kinds:[purchaseorder],products:[Соль 1 кг],not_received:true}",
		"when will salt arrive":           "documents {kinds:[purchaseorder],products:[Соль 1 кг],not_received:true}",
		"what's on the way":               "documents {kinds:[purchaseorder],not_received:true}",
		"какие заказы поставщикам в пути": "documents {kinds:[purchaseorder],not_received:true}",
	})
}

func TestLookingAhead(t *testing.T) { // rule R313
	check(t, map[string]string{
		"прогноз продаж":                      "forecast {}",
		"прогноз продаж на 30 дней":           "forecast {days:30}",
		"прогноз спроса на соль":              "forecast {products:[Соль 1 кг]}",
		"sales forecast for the next 30 days": "forecast {days:30}",
		"на сколько хватит соли":              "forecast {products:[Соль 1 кг]}",
		"когда закончатся кружки":             "forecast {products:[Кружка белая,Кружка синяя]}",
		"how long will salt last":             "forecast {products:[Соль 1 кг]}",
		"when will we run out of salt":        "forecast {products:[Соль 1 кг]}",
	})
}

func TestCards(t *testing.T) { // rule R314
	check(t, map[string]string{
		"телефон Альфы":         "counterparty {counterparty:Альфа}",
		"phone number of Alfa":  "counterparty {counterparty:Альфа}",
		"баланс Альфы":          "counterparty {counterparty:Альфа}",
		"инн поставщика Восток": "counterparty {counterparty:Восток}",
		"штрихкод соли":         "product {product:Соль 1 кг}",
		"кто поставщик у соли":  "product {product:Соль 1 кг}",
		"сколько весит соль":    "product {product:Соль 1 кг}",
		"barcode of salt":       "product {product:Соль 1 кг}",
		"карточка кружки":       "[карточка «Кружка белая»][карточка «Кружка синяя»]",
		"контакты Беты":         "[контакты «Бета»][контакты «Бета-Торг»]",
		"что покупает Альфа": "analyze {measures:[quantity,revenue],by:[product],where:[{field:counterparty,op:in," +
			"values:[c1]}],order:[{field:quantity,direction:desc}]}",
		"что обычно покупает Альфа в октябре": "analyze {measures:[quantity,revenue],by:[product]," +
			"where:[{field:counterparty,op:in,values:[c1]}],from:2026-10-01,to:2026-10-31,order:[{field:quantity," +
			"direction:desc}]}",
	})
}

func TestListsOfTheAccount(t *testing.T) { // rule R315
	check(t, map[string]string{
		"какие у нас склады": "reference {kind:stores}", "список сотрудников": "reference {kind:employees}",
		"группы товаров": "reference {kind:groups}", "what warehouses do we have": "reference {kind:stores}",
		"типы цен": "reference {kind:price_types}", "юрлица": "reference {kind:organizations}",
		"какие услуги мы продаём": "analyze {measures:[sale_price],by:[product],where:[{field:kind,op:in," +
			"values:[service]}]}",
		"товары без артикула":     "analyze {measures:[sale_price],by:[product],where:[{field:article,op:is_empty}]}",
		"goods without a barcode": "analyze {measures:[sale_price],by:[product],where:[{field:barcode,op:is_empty}]}",
		"какие кружки есть": "analyze {measures:[stock,sale_price],by:[product],where:[{field:product,op:in," +
			"values:[p2,p3]}]}",
		"rfm анализ клиентов": "analyze {measures:[days_since,purchases_count,purchases_sum],by:[counterparty," +
			"rfm]}",
		"выручка по складам": "",
	})
}

func TestPriceListsAreOfAPriceType(t *testing.T) { // rule R316
	check(t, map[string]string{
		"прайс опт": "analyze {measures:[sale_price],by:[product,price_type],where:[{field:price_type,op:in," +
			"values:[t2]}]}",
		"оптовые цены на кружки": "analyze {measures:[sale_price],by:[product,price_type],where:[{field:price_type," +
			"op:in," +
			"values:[t2]},{field:product,op:in,values:[p2,p3]}]}",
		"price list wholesale for group Посуда": "analyze {measures:[sale_price],by:[product,price_type]," +
			"where:[{field:price_type,op:in,values:[t2]},{field:group,op:in,values:[g1]}]}",
	})
}

// The options of a question are tasks that are read as the option.
func TestOptionsAreReadAsThemselves(t *testing.T) { // rule R311
	for _, task := range []string{"заказ 00012", "invoice 00012", "платёж 00012", "возврат 00012"} {
		r := read(task)
		if r == nil || len(r.Options) < 2 {
			t.Fatalf("%s: %s", task, short(r))
		}
		for _, o := range r.Options {
			again := read(o.Text)
			if again == nil || again.Tool != "document" || again.Input != o.Input {
				t.Errorf("%s: %q is read as %s", task, o.Text, short(again))
			}
		}
	}
}

func TestWithoutLeavesTheRest(t *testing.T) {
	task := "отгрузки с доставкой за октябрь"
	if got := Without(task, token.Split(task), []int{1, 2}); got != "отгрузки за октябрь" {
		t.Error(got)
	}
	if slices.Contains(read(task).Unexplained, 0) {
		t.Error("the type of the documents is explained")
	}
}
