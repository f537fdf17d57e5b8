package aside

import (
	"strings"
	"testing"

	"github.com/stockhand/stockhand"
)

func TestWhatCannotBeDoneIsSaidInAtMostFourLines(t *testing.T) {
	for task, want := range map[string]string{
		"каждый понедельник присылай мне остатки в телеграм": "по расписанию",
		"send me the sales report every morning":             "schedule",
		"напомни завтра заказать соль":                       "Напоминать",
		"let me know when salt runs out":                     "remind you",
		"запомни что у Иванова скидка 5%":                    "Запоминать",
		"remember that Ivanov has a discount":                "remember",
		"спиши 3 чашки":                                      "Списывать",
		"пожалуйста, спишите просрочку":                      "Списывать",
		"write off 3 cheese":                                 "write goods off",
		"оприходуй 5 кепок на витрину":                       "Оприходовать",
		"сделай возврат поставщику":                          "возвраты",
		"process a refund for order 12":                      "returns",
		"сделай заказ покупателя для ООО Альфа":              "Заказы покупателей",
		"create a customer order for Alpha":                  "customer orders",
		"выпиши счет Альфе":                                  "счета",
		"print price tags":                                   "printed forms",
		"оплати поставщику 5000":                             "Платежи",
		"напиши пост для телеграма про скидки":               "не сочиняю",
		"какой НДС к уплате за 3 квартал":                    "НДС",
		"книга продаж за сентябрь":                           "книги",
		"выполнили ли план продаж на ноябрь":                 "Планов",
		"revenue vs plan this month":                         "sales plans",
		"создай отчёт в pdf":                                 "PDF",
		"который час":                                        "Часов у меня нет",
		"отправь клиентам письмо о скидке":                   "письма",
		"кто брал и чай, и кофе за осень":                    "сразу по двум", // rule R1115
		"кто покупает посуду, но не покупает текстиль":       "сразу по двум",
		"customers who bought both tea and coffee":           "at once",
		"пришли фото кружки":                                 "Фотографий",
		"take a photo of the shelf":                          "photos",
		"сделай скидочную карту клиенту":                     "Скидочные карты",
		"кто из сотрудников больше ворует":                   "не видно",
		"посоветуй банк где кредит на оборотку взять":        "кредиты",
		"поменяй мне пароль от моегосклада":                  "Пароли",
		"объедини две карточки пледов в одну":                "Объединять",
		"у меня не сходятся остатки, что делать":             "отсюда не видно",
		"send the stock report to my email":                  "by e-mail",
	} {
		l := stockhand.English
		if strings.ContainsAny(task, "аеиоуыя") {
			l = stockhand.Russian
		}
		got := string(Ordered(task, l))
		if !strings.Contains(got, want) || strings.Count(got, "\n") > 3 {
			t.Errorf("%q: %q, want %q", task, got, want)
		}
	}
	for task, want := range map[string]string{
		"кому давно не звонили": "Звонков",
		"налог усн за квартал":  "Налоги",
		"какая погода в москве": "не про учёт",
		"tell me a joke":              "not about your business",
		"цены конкурентов":            "конкурентов",
		"сколько посетителей сегодня": "Посетителей",
		"ываолыв":                     "Не понял",
		"asdfgh":                      "do not understand",
	} {
		l := stockhand.English
		if strings.ContainsAny(task, "аеиоуыя") {
			l = stockhand.Russian
		}
		if got := string(Cannot(task, l)); !strings.Contains(got, want) || strings.Count(got, "\n") > 3 {
			t.Errorf("%q: %q, want %q", task, got, want)
		}
	}
}

func TestTasksThatCanBeDoneAreNoneThatCannot(t *testing.T) {
	for _, task := range []string{
		"списания за месяц по товарам", "что списали на прошлой неделе", "write-offs this month",
		"возвраты за октябрь", "сделай отчет по возвратам", "покажи возвраты покупателей", "returns by product",
		"закажи поставщикам всё, что ниже минимума", "подготовь заказ поставщику на 20 кепок",
		"сделай заказ у Петровой",
		"сколько в среднем продаём каждый день", "выручка каждый понедельник за месяц",
		"создай заказы поставщикам", "просроченные заказы покупателей", "customer orders this week",
		"отгрузки за неделю", "счета покупателям за октябрь", "кому мы должны", "приёмки за неделю",
		"поступления и расходы за квартал", "подними цены на 5%", "измени минимальный остаток соли на 5",
		"перемести с основного склада на витрину 5 кепок", "сколько зарезервировано", "make a purchase order for salt",
		"отправь заказ", "send it", "средний чек по дням",
		"скидки по покупателям за месяц", "в каком банке сколько денег", "сколько платим по кредиту",
		"не сходится касса за вчера", "доступ к товару со склада есть?", "какой остаток без резерва",
		"напомни сколько ушло денег на аренду в октябре", "remind me how much we sold yesterday",
	} {
		if got := Ordered(task, stockhand.Russian); got != "" {
			t.Errorf("%q: %q", task, got)
		}
	}
}
