// Package refusal finds what people ask to be done and that no draft does, and says so: by name, with the nearest thing
// that is possible (rule R284).
package refusal

import (
	"slices"
	"strings"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/language/request"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// sentence is a request, and in which language it is refused.
type sentence struct {
	*request.Sentence
	language stockhand.Language
	moves    bool // names where goods come from and where they go
}

// unsupported is something that people ask to be done and that no draft does.
type unsupported struct {
	verbs   map[string]bool // of their own
	nouns   []string        // beside a verb of making
	ru, en  string          // what is not done
	near    [2]string       // the nearest thing
	example [2]string
}

var (
	preparedRU = "заказы поставщикам, перемещения, цены и минимальные остатки"
	preparedEN = "supplier orders, transfers, prices and minimum stocks"
	prepared   = [2]string{"Могу подготовить " + preparedRU + ".", "I can prepare " + preparedEN + "."}
)

var refusals = []unsupported{
	{ru: "Заказы покупателей", en: "Customer orders",
		near: [2]string{"Могу показать их или подготовить заказ поставщику.",
			"I can show them, or prepare a supplier order."},
		example: [2]string{"Какие заказы покупателей просрочены", "Which customer orders are overdue"}},
	{verbs: words.Set("верни вернуть верните"), nouns: []string{"возврат", "return", "refund"}, ru: "Возвраты",
		en:      "Returns",
		near:    [2]string{"Могу показать возвраты.", "I can show returns."},
		example: [2]string{"Возвраты за месяц по товарам", "Returns of this month by product"}},
	{nouns: []string{"счет-", "счета-", "инвойс", "invoice", "счет"}, ru: "Счета", en: "Invoices",
		near:    [2]string{"Могу показать, кто должен и сколько.", "I can show who owes how much."},
		example: [2]string{"Кто нам должен", "Who owes us"}},
	{verbs: words.Set("отгрузи отгрузить отгрузите продай продать продайте"), nouns: []string{"отгрузк",
		"реализаци", "shipment"},
		ru: "Отгрузки",
		en: "Shipments", near: [2]string{"Могу показать отгрузки или подготовить перемещение.",
			"I can show shipments, or prepare a transfer."},
		example: [2]string{"Перемести 5 шт «товар» с одного склада на другой",
			"Transfer 5 of “product” from one warehouse to another"}},
	{verbs: words.Set("прими принять оприходуй оприходовать оприходуйте receive"),
		nouns: []string{"приемк", "оприходован", "поступлени", "receipt"}, ru: "Приёмки и оприходования",
		en: "Receipts of goods", near: prepared,
		example: [2]string{"Закажи 10 шт «товар» на склад", "Order 10 of “product” to the warehouse"}},
	{verbs: words.Set("спиши списать спишите"), nouns: []string{"списани", "write-off", "writeoff"}, ru: "Списания",
		en: "Write-offs", near: prepared,
		example: [2]string{"Товары без продаж за 90 дней", "Goods without sales for 90 days"}},
	{verbs: words.Set("инвентаризируй пересчитай-остатки"), nouns: []string{"инвентаризац", "stocktak",
		"inventory count"},
		ru: "Инвентаризации", en: "Stocktakes",
		near:    [2]string{"Могу показать остатки для пересчёта.", "I can show the stock to count."},
		example: [2]string{"Остатки на складе", "Stock at the warehouse"}},
	{verbs: words.Set("оплати оплатить оплатите заплати заплатить pay"), nouns: []string{"платеж", "оплат", "payment"},
		ru: "Платежи", en: "Payments", near: [2]string{"Могу показать, кому мы должны.", "I can show whom we owe."},
		example: [2]string{"Кому мы должны", "Whom do we owe"}},
	{verbs: words.Set("запомни запомнить запоминай remember"), ru: "Условия покупателей и заметки",
		en: "Terms of customers and notes", near: prepared,
		example: [2]string{"Снизь цены на группу «…» на 5 %", "Lower prices of the group “…” by 5%"}},
	{verbs: words.Set("переименуй переименовать rename"), ru: "Названия и карточки товаров",
		en:   "Names and cards of goods",
		near: prepared, example: [2]string{"Поставь цену «товар» 500", "Set the price of “product” to 500"}},
}

// making are verbs that make a document of what they name.
var making = words.Set(`сделай сделайте сделать создай создайте создать подготовь подготовить оформи оформите оформить
	сформируй сформировать составь составить выстави выставь выставить выпиши выписать проведи провести
	заведи завести make create
	prepare draft issue do process raise register`)

// zeroWords order that the stock becomes zero: "обнули остатки". A minimum may be set to zero.
var zeroWords = words.Set("обнули обнулите обнулить занули занулить")

// Of returns why nothing is prepared for a task that orders what no draft does; "" for any other task. moves says that
// the task names where goods come from and where they go.
func Of(task *request.Sentence, l stockhand.Language, moves bool) string {
	s := &sentence{task, l, moves}
	for i := range s.Words {
		t := &s.Words[i]
		if t.Kind != token.Word || t.Use != token.Unused || s.Asks(i) ||
			(!t.Cyrillic || request.Infinitive(t.Norm)) && !s.Opens(i) && !t.Cyrillic {
			continue
		}
		w := t.Norm
		for k := range refusals {
			u := &refusals[k]
			ofWriting := w == "write" && s.Word(i+1) == "off" && u.en == "Write-offs"
			returning := w == "return" && u.en == "Returns" && !request.NounAfter[s.Word(i+1)] && s.Word(i+1) != "rate"
			refunding := w == "refund" && u.en == "Returns" && refunded[s.Word(i+1)]
			zeroing := zeroWords[w] && u.en == "Write-offs" && strings.HasPrefix(s.Word(i+1), "остат")
			if zeroing || ofWriting || returning || refunding ||
				u.verbs[w] && !s.back(i) && !(request.Sends[w] && s.moves) ||
				making[w] && !request.Raises[w] && s.makesOne(i, u) {
				return s.refusal(u)
			}
		}
		again := request.Begins(w, []string{"повтори", "продублируй", "скопируй", "repeat", "copy", "duplicate"}) &&
			s.Find(request.OrderNouns) >= 0
		if again || (request.Buys[w] || making[w]) && s.repeats() {
			return s.language.Pick("Повторить прежний заказ или заказ по номеру я не умею: ничего не подготовлено.\n"+
				"Назовите товары и количества или покажите список и скажите «закажи их».\n"+
				"Например: «Закажи 10 шт «товар» на склад».",
				"I cannot repeat an earlier order or one by its number: nothing was prepared.\n"+
					"Name goods and quantities, or show a list and say “order them”.\n"+
					"For example: “Order 10 of “product” to the warehouse”.")
		}
		if s.invoices(i) {
			return s.refusal(&refusals[2])
		}
		if s.mails(i) {
			return s.language.Pick("Отправлять письма и сообщения я не умею: ничего не отправлено.\n"+
				"Могу показать цифры здесь.\nНапример: «Продажи за прошлый месяц по товарам».",
				"I cannot send e-mails or messages: nothing was sent.\n"+
					"I can show the figures here.\nFor example: “Sales of last month by product”.")
		}
		if text := s.cards(i); text != "" {
			return text
		}
		if s.every(i) {
			return s.language.Pick("Присылать отчёты по расписанию или напоминать я не умею: ничего не настроено.\n"+
				"Спросите, когда понадобится, например: «Какие остатки товаров».",
				"I cannot send reports on a schedule or remind you: nothing was set up.\n"+
					"Ask whenever you need it, for example: “What stock do we have”.")
		}
	}
	if s.namesCustomerOrder() {
		return s.refusal(&refusals[0])
	}
	if s.cancelsDocument() {
		return s.language.Pick("Отменять и удалять документы в МоёмСкладе я не умею: ничего не изменено.\n"+
			"Могу отменить черновик, который подготовлен здесь.\nНапример: «покажи черновики».",
			"I cannot cancel or delete documents in MoySklad: nothing was changed.\n"+
				"I can cancel a draft that was prepared here.\nFor example: “show drafts”.")
	}
	if s.changesCard() {
		return s.language.Pick("Менять карточки товаров и контрагентов я не умею: ничего не изменено.\n"+prepared[0]+
			"\nНапример: «Подними цены на группу «…» на 5 %».", "I cannot change cards of goods and partners: nothing was "+
			"changed.\n"+prepared[1]+"\nFor example: “Raise prices of the group “…” by 5%”.")
	}
	if len(s.Words) > 0 && request.Begins(s.Word(0), refusals[6].nouns) && len(s.Words) <= 5 {
		return s.refusal(&refusals[6])
	}
	return ""
}

// refunded stand behind "refund" where it is an order, and no noun.
var refunded = words.Set("order the customer client him her them it this that invoice receipt sale")

// invoices reports whether "invoice" at a token is an order: "invoice Alfa for 5 hammers".
func (s *sentence) invoices(i int) bool {
	next := s.Word(i + 1)
	if s.Word(i) != "invoice" && s.Word(i) != "bill" || i+1 >= len(s.Words) || s.Words[i+1].Kind != token.Word ||
		request.NounAfter[next] || next == "for" || next == "to" || next == "from" {
		return false
	}
	return slices.ContainsFunc(s.Words[i+2:], func(t token.Token) bool { return t.Norm == "for" })
}

// mails reports whether a message is to be sent: "send the report to my accountant by email", "скинь отчёт на почту".
func (s *sentence) mails(i int) bool {
	w := s.Word(i)
	if mailing[w] && !request.NounAfter[s.Word(i+1)] && s.Word(i+1) != "of" && s.Word(i+1) != "for" {
		return true
	}
	if !sending[w] {
		return false
	}
	for j := i + 1; j < len(s.Words); j++ {
		by := s.Word(j - 1)
		if s.Words[j].Use == token.Unused && request.Begins(s.Word(j), mailNouns) && (byMail[by] || j == i+1 ||
			by == "an" || by == "a" || j == i+2 && (by == "him" || by == "her" || by == "them")) {
			return true
		}
	}
	return false
}

var (
	mailing = words.Set("email e-mail mail text message whatsapp sms telegram dm")
	sending = words.Set("send forward share shoot drop write отправь отправьте отправить перешли перешлите переслать " +
		"скинь скиньте скинуть пришли пришлите прислать напиши напишите шли вышли вышлите выслать")
	mailNouns = []string{"email", "mail", "whatsapp", "telegram", "sms", "message", "letter", "почт",
		"вотсап", "ватсап", "телеграм", "телегу", "смс", "письмо", "письма", "мейл", "имейл", "сообщени"}
	byMail = words.Set("by via to on over through in на по в через")
)

var repetitions = request.PhrasesOf("phrase", "same")

// repeats reports whether an earlier order is to be repeated: "ещё столько же", "по заказу 00012".
func (s *sentence) repeats() bool {
	if _, end := s.SoldQuantity(); end > 0 {
		return false
	}
	for i := range s.Words {
		if s.AnyPhrase(i, repetitions) > 0 {
			return true
		}
		if w := s.Word(i); !request.Begins(w, []string{"заказ"}) && w != "order" || i == 0 {
			continue
		}
		next := i + 1
		if w := s.Word(next); w == "как" || w == "like" { // "заказ как 00012"
			next++
		}
		for request.Begins(s.Word(next), request.SupplierNouns) {
			next++
		}
		number := s.Word(next) == "№" || s.Word(next) == "#" || s.Word(next) == "номер"
		if number {
			next++
		}
		if w := s.Word(i - 1); w == "по" || w == "в" || w == "из" || w == "как" || w == "of" || w == "from" ||
			w == "as" {
			number = true
		}
		if next < len(s.Words) && s.Words[next].Kind == token.Number && (number ||
			strings.HasPrefix(s.Words[next].Norm, "0")) {
			return true
		}
	}
	return false
}

var (
	deletes = words.Set("удали удалить удалите сотри стереть delete erase")
	creates = words.Set("создай создать создайте заведи завести добавь добавить create add")
	things  = []string{"товар", "карточк", "контрагент", "покупател", "клиент", "поставщик", "склад", "групп",
		"документ",
		"сотрудник", "product", "card", "customer", "client", "supplier", "warehouse", "group", "document",
		"employee", "item"}
)

// cards refuses to create and delete records: "создай новый товар", "удали контрагента".
func (s *sentence) cards(i int) string {
	w := s.Word(i)
	if !deletes[w] && !creates[w] || s.Find([]string{"чернов", "draft", "заказ", "order", "перемещ", "transfer",
		"отчет",
		"report"}) >= 0 || s.Percent() >= 0 {
		return ""
	}
	for j := i + 1; j <= i+4; j++ {
		switch next := s.Word(j); {
		case request.Begins(next, things):
			what := s.language.Pick("Создавать карточки", "I cannot create cards and documents")
			if deletes[w] {
				what = s.language.Pick("Удалять карточки и документы", "I cannot delete cards and documents")
			}
			return what + s.language.Pick(" я не умею: ничего не изменено.\n"+prepared[0]+
				"\nНапример: «Подними цены на группу «…» на 5 %».", ": nothing was changed.\n"+prepared[1]+
				"\nFor example: “Raise prices of the group “…” by 5%”.")
		case !beforeThings[next] && !request.Begins(next, []string{"нов"}):
			return ""
		}
	}
	return ""
}

// beforeThings stand between the verb and what it creates or deletes.
var beforeThings = words.Set("a an new the that this whole entire all these those my our вот эту этот эти все всю весь " +
	"целиком ту тот те")

func (s *sentence) refusal(u *unsupported) string {
	l := s.language
	return l.Pick(u.ru+" я не создаю и не меняю: ничего не подготовлено.\n",
		u.en+": I do not make or change them, and "+
			"nothing was prepared.\n") + l.Pick(u.near[0], u.near[1]) + "\n" +
		l.Pick("Например: «"+u.example[0]+"».", "For example: “"+u.example[1]+"”.")
}

// back reports whether "верни" asks to undo: "верни как было".
func (s *sentence) back(i int) bool {
	next := s.Word(i + 1)
	return request.Begins(s.Word(i), []string{"верн"}) && (next == "" || next == "как" || next == "все" ||
		next == "обратно" ||
		next == "назад" || request.Begins(next, request.PriceNouns) ||
		request.Begins(next, []string{"стар", "прежн", "прошл"}))
}

// makesOne reports whether the document is named right behind a verb.
func (s *sentence) makesOne(v int, u *unsupported) bool {
	for j := v + 1; j < len(s.Words) && j <= v+4; j++ {
		w := s.Word(j)
		if u.nouns == nil && u.verbs == nil && request.Begins(w, []string{"заказ", "order"}) {
			return s.ofCustomer(j)
		}
		if request.Begins(w, []string{"отчет", "report", "список", "list", "сводк", "заказ", "order", "перемещ",
			"transfer"}) {
			return false
		}
		if request.Begins(w, u.nouns) && !(u.en == "Invoices" && request.Begins(w, []string{"счета"}) &&
			s.Word(j+1) == "") {
			return true
		}
		if u.en == "Names and cards of goods" && v+3 >= j && newRecord[w] && s.recordVerb(v) {
			return true
		}
	}
	return false
}

// newRecord are the things that a card is made of.
var newRecord = words.Set("карточку карточка контрагента покупателя клиента")

func (s *sentence) recordVerb(v int) bool {
	return strings.HasPrefix(s.Word(v), "завед") || s.Word(v) == "создай"
}

// ofCustomer reports whether the order at a token is one of a customer.
func (s *sentence) ofCustomer(i int) bool {
	for j := i - 2; j <= i+3; j++ {
		if w := s.Word(j); j != i && (request.Begins(w, request.CustomerNouns) || w == "sales") {
			return true
		}
		if request.Begins(s.Word(j), request.SupplierNouns) {
			return false
		}
	}
	return false
}

// every reports whether something is to be done again and again: "каждый понедельник присылай".
func (s *sentence) every(i int) bool {
	w := s.Word(i)
	if next := s.Word(i + 1); request.Begins(next, []string{"сколько", "как", "кто", "кому", "что", "где", "когда",
		"почему",
		"how", "which", "who", "what", "when", "where", "why"}) { // "remind me how much" is a question
		return false
	}
	often := s.Find([]string{"кажд", "ежедневн", "еженедельн", "ежемесячн", "every", "daily", "weekly", "monthly"}) >= 0
	if request.Begins(w, []string{"напомни", "remind"}) && !request.Begins(w, []string{"напомина", "reminder"}) {
		return slices.ContainsFunc(s.Words, func(t token.Token) bool { return remindLater[t.Norm] })
	}
	return request.Begins(w, []string{"напомина", "reminder", "schedule"}) ||
		often && request.Begins(w, []string{"присыл", "пришли", "шли", "отправ", "send", "email"})
}

// remindLater are words of a reminder; without them, "напомни закупочную цену" asks for it now.
var remindLater = words.Set("завтра послезавтра через утром вечером чтобы если заказать оплатить проверить позвонить " +
	"купить каждый каждую каждое каждые когда tomorrow to when if in every later again")

// namesCustomerOrder reports whether a task without a verb is an order of a customer with goods: "заказ покупателя для
// кафе: 10 кофе" (rule R814). "Заказ покупателя 00012" and those of a period are looked up.
func (s *sentence) namesCustomerOrder() bool {
	first := 0
	if w := s.Word(0); w == "новый" || w == "new" {
		first = 1
	}
	if w := s.Word(first); w != "заказ" && !(request.Begins(w, request.CustomerNouns) && s.Word(first+1) == "order") ||
		!s.ofCustomer(first) && s.Word(first+1) != "order" {
		return false
	}
	counts := false
	for i := first + 2; i < len(s.Words); i++ {
		w := s.Word(i)
		if w == "за" || w == "for" && i == first+2 || w == "номер" || w == "№" || w == "#" {
			return false
		}
		counts = counts || s.Words[i].Kind == token.Number && !strings.HasPrefix(s.Words[i].Norm, "0") && i > first+2
	}
	return counts
}

// changesCard reports whether a field of a card is to be changed: "поменяй артикул у кепки", "смени поставщика у чая".
func (s *sentence) changesCard() bool {
	for i := range s.Words {
		w := s.Word(i)
		if !fieldVerbs[w] || s.Percent() >= 0 || !request.Orders(s.Task) {
			continue
		}
		next := s.Word(i + 1)
		if request.Begins(next, cardFields) || (request.Begins(next, request.SupplierNouns) || next == "группу") &&
			(s.Word(i+2) == "у" || s.Word(i+2) == "товара" || s.Word(i+2) == "of") {
			return true
		}
	}
	return false
}

var (
	fieldVerbs = words.Set("измени измените изменить поменяй поменяйте поменять смени смените сменить замени исправь " +
		"исправить отредактируй обнови change edit update fix")
	cardFields = []string{"артикул", "штрихкод", "штрих-код", "названи", "наименовани", "описани", "телефон", "адрес",
		"почт", "инн", "реквизит", "фото", "картинк", "barcode", "article", "sku", "name", "description", "phone",
		"address", "photo"}
)

// cancelsDocument reports whether a written document is to be cancelled: "отмени отгрузку", "аннулируй счёт 00012".
func (s *sentence) cancelsDocument() bool {
	return cancels[s.Word(0)] && request.Begins(s.Word(1), []string{"отгрузк", "приемк", "счет", "платеж", "оплат",
		"возврат", "списани", "оприходован", "продаж", "чек", "накладн", "инвентаризац", "shipment", "invoice",
		"payment", "receipt"})
}

var cancels = words.Set("отмени отмените отменить аннулируй аннулировать cancel void")
