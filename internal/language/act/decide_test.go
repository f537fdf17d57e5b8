package act

import (
	"strings"
	"testing"
)

// People decide in many words; each of these is the whole message (rule R730).
func TestDecisionsAreReadInTheWordsOfPeople(t *testing.T) {
	for _, tt := range []struct {
		want Kind
		weak bool
		said string
	}{
		{Agree, false,
			"да всё верно, подтверждаю; всё верно подтверждаю; все верно отправляй; ага давай; ок отправляй; " +
				"ок проводи; погнали; да, всё правильно, подтверждаю; отлично подтверждаю; да да подтверждаю; " +
				"супер, подтверждаю; ну давай подтверждай; потверждаю; подтвержаю; подверждаю; подтвердаю; ок, " +
				"подтверждаю заказ; подтверждаю отправку; подтверждаю, отправляй; подтверждаю, можно " +
				"отправлять; давай подтверждаем; да оформляем; да все норм проводи; норм, отправляй " +
				"поставщику; все ок, запускай; да так и сделай; так и оставь, отправляй; вот так хорошо, " +
				"отправляй; ладно отправляй; угу отправляй; годится, подтверждаю; принято, подтверждаю; все " +
				"устраивает подтверждаю; идёт, отправляй; да можешь отправлять; можно оформлять; давай " +
				"отправим; отправляем; да отправь уже; проведи этот заказ; подтверждаю пожалуйста; спасибо, " +
				"подтверждаю; верно, подтверждаю; правильно подтверждаю; go ahead and send it; looks good, " +
				"confirm; yes looks good, confirm it; ok confirm; confirm please; please confirm it; yep send " +
				"it; yeah go ahead; sure, go ahead; alright send it off; yes please confirm; all good, " +
				"confirm; perfect, confirm; great, send it; looks right, send it; that's fine, go ahead; yes " +
				"that's correct, confirm; ok lets do it; confirmed, thanks; approved, go ahead; go on then; im " +
				"happy with that, confirm"},
		{Agree, true,
			"годится; да, меня устраивает; lgtm; yup; that looks right to me; sounds good"},
		{Reject, false,
			"не, передумал, отменяй; не надо, отмени; передумала; стоп не отправляй; забудь; actually bin it; " +
				"scrap that; never mind; нет, отменяем; нет не надо; отмени пожалуйста; отмени всё это; " +
				"отменяй этот черновик; ой нет отмени; не надо ничего отправлять; не надо отправлять; подожди " +
				"не отправляй; стоп, отмена; передумал я, не нужно; мы передумали, отмени заказ; отмени, " +
				"пожалуйста, я передумал; да ну его, отмени; ну его; к черту, отменяй; давай отменим; давай не " +
				"будем; лучше не надо; удали это; удали этот заказ; выкинь его; сбрось; убери это всё; " +
				"отклоняю; нет, отклони; всё, отмена; отмени заявку; не подтверждаю, отмени; откажись; отказ; " +
				"отказываюсь; я ошибся, отмени; ошибся, не надо; не то, отмени; это не то, отмени; не туда, " +
				"отменяй; ничего не меняй; не трогай ничего; забей; забудь про это; scratch that; no, cancel " +
				"it; actually no, cancel; changed my mind; i changed my mind, cancel it; no dont send it; dont " +
				"do it; throw it away; bin it; bin that draft; get rid of it; lets not; stop, dont send; " +
				"cancel that please; forget about it; ignore that; oh no cancel that; on second thought, " +
				"cancel; abort; kill it; dump it; ditch it; call it off"},
		{Reject, true,
			"неа; нет; нет, спасибо; не отправляй пока; пока не надо; оставим как есть; оставь как есть; пусть " +
				"остается как есть; no thanks; no thank you; nope; not now; hold off; stop; leave it; leave it " +
				"as it is"},
	} {
		for said := range strings.SplitSeq(tt.said, ";") {
			if got := Read(strings.TrimSpace(said)); got.Kind != tt.want || got.Weak != tt.weak {
				t.Errorf("%s: kind %v, weak %v", said, got.Kind, got.Weak)
			}
		}
	}
}

// What has a question, a negation, a "but", a condition or a name is no agreement, and a question about figures is no
// decision (rule R730).
func TestWhatOnlyBeginsLikeADecisionIsNone(t *testing.T) {
	for said := range strings.SplitSeq("больше ничего не надо, спасибо; всё верно?; отправляй?; можно "+
		"отправлять?; looks good?; да, но отправляй; "+
		"нет, отправляй; не, подтверждаю; стоп, отправляй; отправляй завтра; отправляй только "+
		"первый; да, кроме соли; "+
		"всё верно, но убери соль; подтверждаю если сумма верная; ок, а сколько выйдет; no, send "+
		"it; send it tomorrow; "+
		"looks good but send it later; don't, confirm; confirm only the first; yes if it is cheap; "+
		"send it to alfa; "+
		"wait, send it; проверил; отлично; супер; спасибо; ok; great; thanks", ";") {
		if got := Read(strings.TrimSpace(said)); got.Kind == Agree {
			t.Errorf("%s: is read as agreement", said)
		}
	}
	for said := range strings.SplitSeq("отмени заказ 00012; что отменили вчера; сколько отмен за месяц; не продаются; "+
		"что не надо заказывать; отказы клиентов; брак за месяц; забытые товары; cancelled orders; "+
		"dead stock; "+
		"what should we drop; scrap metal stock; no sales for 90 days; what was returned; не "+
		"хватает; нет в наличии; "+
		"чего нет; нет остатка; which orders were cancelled; верно ли что прибыль упала; все "+
		"правильно посчитано по соли; "+
		"отправленные заказы; оформленные заказы; сколько отправили вчера; проведённые документы", ";") {
		if got := Read(strings.TrimSpace(said)); got.Kind == Agree || got.Kind == Reject || got.Kind == Export {
			t.Errorf("%s: is read as a decision", said)
		}
	}
}
