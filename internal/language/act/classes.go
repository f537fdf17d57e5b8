package act

import (
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// class is an act that is said by a word of each of its sets, in any order, among words beside them: "хочу увидеть весь
// список", "ой, верни цены обратно" (rule R902). A message with any other word is something else.
type class struct {
	kind   Kind
	needs  []map[string]bool
	beside map[string]bool
}

// classes are tried in their order, after the phrases and the edits of a draft.
var classes = []class{
	{Undo, []map[string]bool{backWords}, aroundBack},
	{Reject, []map[string]bool{cancelWords}, aroundCancel},
	{Drafts, []map[string]bool{notWords, confirmedWords}, aroundConfirmed},
	{All, []map[string]bool{allWords}, aroundAll},
	{All, []map[string]bool{limitWords, withoutWords}, aroundAll},
	{Why, []map[string]bool{whyWords}, aroundWhy},
	{Why, []map[string]bool{causeWords, ofWhat}, aroundWhy},
	{Why, []map[string]bool{whereFrom, change}, aroundWhy},
	{Why, []map[string]bool{onWhat, change}, aroundWhy},
	{Why, []map[string]bool{byWhat, explain}, aroundWhy},
	{Why, []map[string]bool{asHow, cameOut}, aroundWhy},
	{Details, []map[string]bool{detailWords}, aroundDetails},
}

func (m *message) class() Act {
	for _, c := range classes {
		if m.inClass(c) {
			return Act{Kind: c.kind, OfDraft: c.kind == Drafts}
		}
	}
	return Act{}
}

func (m *message) inClass(c class) bool {
	hit := 0
	for _, need := range c.needs {
		for i := range m.ts {
			if need[m.norm(i)] {
				hit++
				break
			}
		}
	}
	for i := range m.ts {
		w := m.norm(i)
		known := c.beside[w] || aroundActs[w] || m.ts[i].Kind == token.Mark
		for _, need := range c.needs {
			known = known || need[w]
		}
		if !known {
			return false
		}
	}
	return hit == len(c.needs)
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
