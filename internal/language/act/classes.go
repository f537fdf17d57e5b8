package act

import (
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// class is an act that is said by words of some classes: "хочу увидеть весь список", "ой, верни цены обратно" (rule
// R902). A message with any other word is something else.
type class struct {
	kind Kind
	token.Wording
}

// classes are tried in their order, after the phrases and the edits of a draft.
var classes = []class{
	saidBy(Undo, aroundBack, backWords),
	saidBy(Reject, aroundCancel, cancelWords),
	saidBy(Drafts, aroundConfirmed, notWords, confirmedWords),
	saidBy(All, aroundAll, allWords),
	saidBy(All, aroundAll, limitWords, withoutWords),
	saidBy(Why, aroundWhy, whyWords),
	saidBy(Why, aroundWhy, causeWords, ofWhat),
	saidBy(Why, aroundWhy, whereFrom, change),
	saidBy(Why, aroundWhy, onWhat, change),
	saidBy(Why, aroundWhy, byWhat, explain),
	saidBy(Why, aroundWhy, asHow, cameOut),
	saidBy(Details, aroundDetails, detailWords),
}

func saidBy(kind Kind, beside map[string]bool, needs ...map[string]bool) class {
	return class{kind, token.Wording{Needs: needs, Beside: beside}}
}

func (m *message) class() Act {
	for _, c := range classes {
		if c.Is(m.ts, aroundActs) {
			return Act{Kind: c.kind, OfDraft: c.kind == Drafts}
		}
	}
	return Act{}
}

var (
	aroundActs = words.Set("а и ну да нет ой ох блин слушай так вот давай давайте можно можешь пожалуйста плиз " +
		"пж мне нам мы я бы же ка то ли уже сейчас теперь тогда лучше хочу надо нужно please just now oh the")

	backWords = words.Set("верни верните вернуть вернем откати откатите откатить откат откатим назад обратно " +
		"undo revert")
	aroundBack = words.Set("все всё как было раньше прежде до этого это цены цену старые прежние прежним ценам " +
		"цен к изменения изменение в исходное прошлое состояние последнее последнюю действие операцию что " +
		"сделал сделала сделали зря передумал передумала it that back changes prices old")
	cancelWords = words.Set("отмени отмените отменить отменяй отменяем отменим отмена аннулируй аннулировать " +
		"отзови отозвать cancel")
	aroundCancel = words.Set("обратно назад это этот эту этого его ее их все всё весь последнее последний " +
		"последнюю действие операцию изменение изменения изменений цен что сделал сделала сделали только ты вы " +
		"черновик черновика документ заказ заказа перемещение перемещения передумал передумала нет it this that " +
		"draft order transfer last")
	notWords       = words.Set("не not")
	confirmedWords = words.Set("подтвердил подтвердила подтвердили подтверждал подтверждали подтверждено " +
		"confirmed")
	aroundConfirmed = words.Set("что какие покажи есть еще ещё у меня нас осталось what have we i is yet show")

	allWords = words.Set("все всё всех полностью целиком весь вся всю полный полная полную full everything " +
		"entire whole")
	limitWords   = words.Set("ограничений ограничения лимита лимитов limit limits")
	withoutWords = words.Set("без without no")
	aroundAll    = words.Set("покажи покажите показать увидеть видеть посмотреть глянуть список списком списка " +
		"таблица таблицу таблицей строки строк разверни раскрой выведи вывести выводи дай ограничений лимита " +
		"без show see list table rows them")

	whyWords = words.Set("почему отчего причина причину причины причине причинам повлияло повлиял повлияли " +
		"вызвано вызвана вызван вызваны связано связана стряслось привело обусловлено объясняется случилось " +
		"произошло благодаря why")
	causeWords = words.Set("из-за из счет счёт с за")
	ofWhat     = words.Set("чего чему")
	whereFrom  = words.Set("откуда отчего")
	onWhat     = words.Set("чем что дало дал дала")
	asHow      = words.Set("как how")
	cameOut    = words.Set("получилось вышло так случилось come")
	byWhat     = words.Set("чем как")
	explain    = words.Set("объяснить объясняется объясняешь")
	change     = words.Set("рост роста прирост прироста падение падения упало упала упали упал выросло выросла " +
		"выросли вырос просели просело просадка просадки разница разницы изменение изменилось изменилась такая " +
		"такой такое такие столько")
	aroundWhy = words.Set("то вдруг получилось вышло как так такая такой такое такие столько мало много меньше " +
		"больше хуже лучше это этому что чего чему чем в на по за счет счёт из-за из с какой какая дело объясни " +
		"объясните объяснить поясни скажи интересно они она он цифра цифры результат рост роста прирост падение " +
		"падения упало упала упали упал снизилось снизилась снизились выросло выросла выросли вырос прибавили " +
		"прибавила прибавило просели просело изменение изменилось изменилась разница результате дало is it so " +
		"low high did drop grow")
	detailWords = words.Set("подробнее подробней поподробнее поподробней подробно подробности детали детально " +
		"детализируй details detailed")
	aroundDetails = words.Set("расскажи покажи дай распиши раскрой более об это этом этого по more show give")
)
