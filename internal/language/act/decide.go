package act

import (
	"strings"

	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// A decision on a draft is read as a row of phrases that fill the message: at least one that decides, among words of
// assent, of regret and of politeness. "да всё верно, отправляй" and "ой нет, я ошибся, отмени" are such rows.

// decision is how people decide one way.
type decision struct {
	kind   Kind
	sure   map[string]bool // phrases that decide
	unsure map[string]bool // phrases that may decide: "looks good", "пока не надо"
	around map[string]bool // phrases beside them
}

// longestPhrase is the most words of a phrase, and mostDecided of a message that decides.
const (
	longestPhrase = 6
	mostDecided   = 14
)

// decided reads words as a decision.
func decided(list []string) (meaning, bool) {
	if len(list) > mostDecided {
		return meaning{}, false
	}
	for i := 1; i < len(list); i++ {
		if list[i-1] == "не" && lasting[list[i]] {
			return meaning{}, false // "не отменяй" cancels nothing
		}
	}
	for i := range decisions {
		if sure, ok := decisions[i].fits(list); ok {
			return meaning{kind: decisions[i].kind, weak: !sure}, true
		}
	}
	return meaning{}, false
}

// lasting are the forms of verbs that are denied: "не, отмени" says no and cancels.
var lasting = words.Set("отменяй отменяйте отменять отменяем удаляй удаляйте удалять удаляем отклоняй отклоняйте " +
	"отклонять сбрасывай сбрасывать")

// fits reports whether phrases of a decision fill the words, and whether one of them surely decides.
func (d *decision) fits(list []string) (sure, ok bool) {
	const (
		none = iota // the words up to here are no row of phrases
		beside
		unsure
		decides
	)
	best := make([]int, len(list)+1)
	best[0] = beside
	for end := 1; end <= len(list); end++ {
		for from := max(0, end-longestPhrase); from < end; from++ {
			if best[from] == none {
				continue
			}
			phrase := strings.Join(list[from:end], " ")
			switch {
			case d.sure[phrase]:
				best[end] = decides
			case d.unsure[phrase]:
				best[end] = max(best[end], best[from], unsure)
			case d.around[phrase]:
				best[end] = max(best[end], best[from])
			}
		}
	}
	last := best[len(list)]
	return last == decides, last >= unsure
}

// denied reports whether one of the tokens takes back what stands behind it: nothing is agreed to with such a word.
func denied(ts []token.Token) bool {
	for i := range ts {
		if denials[ts[i].Norm] {
			return true
		}
	}
	return false
}

var denials = words.Set("нет не не-а неа но стоп погоди подожди no not nope but stop wait don't")

// phrases reads a list of phrases that are separated by ";".
func phrases(lists ...string) map[string]bool {
	out := map[string]bool{}
	for _, list := range lists {
		for p := range strings.SplitSeq(list, ";") {
			if p = said(token.Split(strings.TrimSpace(p))); p != "" {
				out[p] = true
			}
		}
	}
	return out
}

// each puts every ending behind every beginning.
func each(begin, end string) string {
	var list []string
	for b := range strings.SplitSeq(begin, ";") {
		for e := range strings.SplitSeq(end, ";") {
			list = append(list, strings.TrimSpace(b)+" "+strings.TrimSpace(e))
		}
	}
	return strings.Join(list, ";")
}

var decisions = []decision{{
	kind: Agree,
	sure: phrases(whole[Agree],
		"подтверждаю; подтверждай; подтверждаем; подтвердим; подтвердить; подтверди; подтверждено; "+
			"потверждаю; подверждаю; "+
			"подтвержаю; подтвердаю; подтвеждаю; подтверждою; потверди; подверди; отправляйте; "+
			"отправлять; отправим; "+
			"оформляем; оформляйте; оформлять; оформим; проводим; проводить; проводите; "+
			"проведем; проведите; сохраняем; "+
			"так и сделай; го; погнали; валяй; действуй; да меняй; да меняйте; ок меняй; да поднимай; "+
			"да снижай; да перемещай; да меняй цены; да поднимай цены; да снижай цены; ок меняй цены; делаем; "+
			"сделай так; сделай это; пускай; запускаем; поехали; "+
			"заказывай; заказываем; применяем",
		each("подтверждаю; подтверждай; подтверди; подтвердить; отправляй; отправь; отправляем; "+
			"проводи; проведи; оформляй; "+
			"оформи; отправить; провести; оформить; подтвердим; подтверждаем; применяй; примени; применить; "+
			"применяем",
			"заказ; заказы; этот заказ; эти заказы; заказ поставщику; заказы поставщикам; закупку; закупки; заявку; "+
				"документ; документы; отправку; перемещение; перемещения; это перемещение; изменение; изменения; "+
				"эти изменения; изменение цен; изменения цен; цены; новые цены; эти цены; переоценку; скидку; скидки; "+
				"накладную; минимумы; черновик; этот черновик; последний черновик; все; всё; их; его; ее; это; так; ей; ему; им; "+
				"поставщику; поставщикам"),
		"confirm; i confirm; confirmed; confirming; go ahead and send it; go ahead and confirm; "+
			"send it off; send them; "+
			"send it over; let's do it; lets do it; let's go; lets go; go on then; do that; "+
			"please do; make it so; "+
			"i approve; i agree; agreed; go ahead with it; go ahead with that; proceed; please "+
			"proceed",
		each("confirm; approve; send; submit; apply; post", "it; that; this; them; all; the order; "+
			"the orders; this order; "+
			"the draft; this draft")),
	unsure: phrases("пойдет; сойдет; так пойдет; ладно пойдет; норм пойдет; годится; подходит; устраивает; меня "+
		"устраивает; все устраивает; меня все "+
		"устраивает; нас устраивает; "+
		"нас все устраивает; все хорошо; все нормально; все норм; все ок; все в порядке; так и "+
		"оставь; вот так хорошо; "+
		"так хорошо; так и надо; то что надо",
		"looks good; looks right; looks fine; looks great; looks ok; looks okay; looks correct; "+
			"lgtm; sounds good; all good; "+
			"all correct; i am happy with that; im happy with that; i'm happy with that; i am "+
			"happy with it; happy with that; "+
			"correct; yep; yup; yeah; sure; sure thing",
		each("that; this; it; that all; this all", "looks good; looks right; looks fine; looks ok; "+
			"is fine; is correct; is right; "+
			"is good; is ok"), "that's fine; that's correct; that's right; that's good; thats "+
			"fine; thats correct; thats right; "+
			"thats good"),
	around: phrases("да; ага; угу; ок; окей; хорошо; ладно; отлично; супер; класс; классно; прекрасно; "+
		"замечательно; норм; "+
		"нормально; принято; верно; правильно; идет; договорились; конечно; ну; а; и; все; спасибо; "+
		"пожалуйста; плиз; пж; "+
		"тогда; теперь; уже; сейчас; можешь; можете; можно; так; вот; это; давай; давайте; я; мы; "+
		"посмотрел; посмотрела; "+
		"проверил; проверила; все проверил; все проверила; поставщику; поставщикам; сразу; в "+
		"работу; смело",
		"yes; ok; okay; k; alright; all right; great; perfect; good; fine; right; cool; nice; "+
			"excellent; awesome; please; "+
			"thanks; thank you; cheers; then; now; just; well; and; so; to me; for me; it; "+
			"that; i; checked; i checked it"),
}, {
	kind: Reject,
	sure: phrases(whole[Reject],
		"отменим; раздумал; раздумала; не меняй; не меняйте; не менять; не поднимай; не поднимать; не снижай; "+
			"не снижать; не поднимай цены; не снижай цены; оставь старые цены; оставь цены; оставь цены как есть; "+
			"аннулируй; аннулировать; отзови; отозвать; отказ; отказываюсь; отказываемся; откажись; забей; "+
			"забить; забудь про это; забудь "+
			"об этом; забудь про заказ; "+
			"ну его; сбрось; сбросить; не отправляй ничего; ничего не отправляй; не надо "+
			"отправлять; не надо ничего отправлять; "+
			"не нужно отправлять; не надо проводить; не проводи; не оформляй; не надо "+
			"оформлять; не делай; не делай этого; "+
			"не надо этого делать; не надо этого; этого не надо; мне это не надо; мне не надо; "+
			"не надо это; уже не надо; "+
			"уже не нужно; ничего не меняй; не меняй ничего; "+
			"ничего не трогай; "+
			"не трогай ничего; ничего не делай; не будем отправлять; не буду отправлять; не "+
			"будем заказывать; передумываю; "+
			"закажем позже; не хочу отправлять; не подтверждаем; не подтверждай; не согласен; "+
			"не согласна; в корзину",
		each("отмени; отменяй; отменяем; отменить; отменим; отмените; отклони; отклоняю; отклонить; "+
			"удали; удалить; сотри; "+
			"выкинь; выбрось; сбрось; снеси", "это; это все; все это; его; их; этот; этот "+
			"заказ; эти заказы; этот черновик; "+
			"черновик; последний черновик; документ; этот документ; эту заявку; предложение; "+
			"это предложение; "+
			"это перемещение"),
		"удаляй; удали; удалите; удаляем; убирай; убираем; снимай; "+
			"отмени заявку; отменяй заявку; отменяй все; отменяем все; отменить все; отменяй заказ; "+
			"отменяем заказ; "+
			"отменить заказ; убери это; убери это все; убери этот черновик; отмени весь заказ",
		each("отмени; отменяй; отменяем; отменить; отменим; отмените; отклони; отклонить; удали; сбрось; забудь; "+
			"отмена; отбой", "пока; пока что; пока это; пока его; пока все; пока черновик; это пока; его пока; "+
			"черновик пока"),
		each("пока; пока что; пока это; это пока; все пока", "отмени; отменяй; отменяем; отменить; отменим; "+
			"отмените; отклони; отклонить; удали; сбрось; забудь; отмена; отбой"),
		each("cancel it; cancel that; cancel; drop it; scrap it", "for now; for the moment; then"),
		"abort; changed my mind; i changed my mind; i've changed my mind; i have changed my mind; "+
			"we changed our minds; "+
			"don't do it; dont do it; dont do that; don't do that; dont send; dont send it; "+
			"dont send that; dont send anything; "+
			"don't send that; don't send anything; do not send; do not do it; let's not; lets "+
			"not; rather not; i would rather not; "+
			"dont confirm; don't confirm; do not confirm; dont want it; i dont want it; i don't "+
			"want it; i do not want it; "+
			"dont need it; i dont need it; i don't need it; not needed; no need; call it off; "+
			"call that off; throw it away; "+
			"throw that away; throw it out; get rid of it; get rid of that; forget about it; "+
			"forget about that; forget that; "+
			"forget this; ignore that; ignore it; disregard; disregard that; nvm; dont bother; "+
			"don't bother; change nothing; "+
			"don't change anything; dont change anything",
		each("cancel; scrap; bin; drop; discard; delete; reject; ditch; dump; kill; trash; scratch; "+
			"abandon; throw away; "+
			"get rid of", "it; that; this; the draft; that draft; this draft; the order; that "+
			"order; this order; them; all of it; "+
			"the whole thing; the lot; the last one")),
	unsure: phrases("нет; неа; не-а; не сейчас; пока не надо; пока нет; пока не нужно; не надо пока; не "+
		"отправляй пока; "+
		"пока не отправляй; подожди не отправляй; стоп; потом; позже; оставь как есть; оставим как "+
		"есть; "+
		"пусть остается как есть; пусть будет как есть; не то; это не то; не так; не туда; не тот",
		"no; nope; nah; not now; not yet; not for now; dont send it yet; don't send it yet; don't "+
			"send yet; hold off; stop; later; maybe later; leave it; leave it as it is; leave it as is; "+
			"hold on; not that; wrong one"),
	around: phrases("не; нет; да; ну; а; и; ой; ох; блин; ок; окей; ладно; хорошо; давай; давайте; "+
		"лучше; пожалуйста; плиз; пж; "+
		"спасибо; извини; извините; прости; простите; сорри; я; мы; ошибся; ошиблась; ошиблись; "+
		"ошибка; ошибочка; случайно; "+
		"все; тогда; сейчас; подожди; погоди; к черту; вообще; совсем; уже; это; его; бот; слушай; "+
		"знаешь; наверное; "+
		"все таки; так; отлично; мне; сегодня",
		"oh; actually; sorry; wait; please; just; ok; okay; well; then; thanks; thank you; my "+
			"mistake; my bad; oops; i; hmm; "+
			"on second thought; on second thoughts; now; yes; yeah; no no; after all; and; so; "+
			"all; mate; anymore; um"),
}}

// prints reports whether a message says to print what was shown: a verb for it, and words of place and politeness.
func (m *message) prints() bool {
	verb := false
	for i := range m.ts {
		switch w := m.norm(i); {
		case printing[w] || w == "печать" && i > 0:
			verb = true
		case !aroundPrinting[w] && m.ts[i].Kind != token.Mark:
			return false
		}
	}
	return verb
}

var (
	printing = words.Set("распечатай распечатайте распечатать напечатай напечатайте напечатать отпечатай " +
		"принтер принтере print printer printout")
	aroundPrinting = words.Set("на в мне нам это этот эту его ее их все всё отчет отчёт таблицу список ответ " +
		"можешь можно ли пожалуйста плиз отправь пошли выведи выведите а и теперь сейчас хочу надо бы листок " +
		"бумагу бумаге принтер it this that them the report table list out can could you please i want to need " +
		"a for me send on paper now and")
)
