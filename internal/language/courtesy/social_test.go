package courtesy

import (
	"strings"
	"testing"
)

// What people say beside questions, and ask about Stockhand itself (rule R731).
func TestTalkBesideQuestionsIsRead(t *testing.T) {
	for said := range strings.SplitSeq("спасибо; спасибо большое, очень помог; спасибо, это всё; благодарю, "+
		"на сегодня всё; отлично "+
		"спасибо; супер, выручил; круто, спасибо; молодец; ты молодец; какой ты умный; умница; класс, "+
		"то что надо; вот это сервис; здорово работаешь; офигенно; красавчик; ты лучший; спасибо тебе "+
		"бот; пасиб; спасибки; от души; благодарочка; больше ничего не надо, спасибо; вопросов больше "+
		"нет; всё, спасибо, пока; пока; до свидания; до завтра; всего доброго; хорошего вечера; ну "+
		"всё, пока; на связи; увидимся; до встречи; спокойной ночи; привет; приветик; здравствуйте; "+
		"доброе утро; добрый вечер, вы тут; ты тут; ты здесь; алло; эй бот; здаров; хай; извини; "+
		"прости, ошибся; понял спасибо; ясно, спасибо за помощь; cheers, really handy; great thats "+
		"all for today; thanks a lot; thank you so much; thx; ty; thanks, thats all; thats all "+
		"thanks; thanks, that helped; cheers mate; awesome, thank you; you are great; good job; well "+
		"done; nice one; brilliant; youre the best; love it; this is so helpful; very useful, thanks; "+
		"bye; goodbye; see you tomorrow; have a good evening; good night; talk to you later; im done "+
		"for today; nothing else; no more questions; hello; hi there; hey, how are you; good morning; "+
		"are you there; you there; sorry my mistake; got it, thanks", ";") {
		if s := ReadSocial(strings.TrimSpace(said)); s == NotSocial || s >= AsksUsage {
			t.Errorf("%s: %v", said, s)
		}
	}
	for said := range strings.SplitSeq("чем можешь быть полезен; слушай а ты сам документы проводишь или "+
		"только показываешь; а цифры "+
		"эти откуда, ты из моего склада берешь или сам придумываешь; откуда данные; откуда цифры; "+
		"откуда ты это взял; откуда эти цифры; ты это сам придумал; ты не врешь; тебе можно верить; "+
		"цифрам можно верить; это точные цифры; насколько свежие данные; как часто обновляются "+
		"данные; когда обновлялись данные; данные в реальном времени?; ты робот или человек; я с "+
		"человеком говорю?; ты искусственный интеллект?; кто тебя сделал; как тобой пользоваться; с "+
		"чего начать; ты можешь сам что-то изменить в моем складе; ты без спроса ничего не "+
		"поменяешь?; ты что-нибудь меняешь в учете; а ты точно ничего не отправил; это безопасно; а "+
		"это безопасно вообще; безопасно ли давать тебе доступ; кто видит мои данные; кто еще видит "+
		"мои данные; мои данные никому не передаются?; куда уходят мои данные; где хранятся мои "+
		"данные; ты мои данные куда-то сливаешь; ты передаешь данные третьим лицам; ты запоминаешь "+
		"нашу переписку; ты меня помнишь; where do the figures come from; where do these numbers come "+
		"from; where do you get your data; are these numbers real; do you make these numbers up; can "+
		"i trust these numbers; how fresh is the data; is this live data; are you a bot; are you ai; "+
		"how can you help me; do you write documents yourself; do you send orders by yourself; will "+
		"you change anything without asking; can you change things in my account; is it safe; is this "+
		"safe to use; is my data safe; who sees my data; who can see my data; where is my data "+
		"stored; do you share my data; do you keep our conversation", ";") {
		if s := ReadSocial(strings.TrimSpace(said)); s < AsksUsage {
			t.Errorf("%s: %v", said, s)
		}
	}
	for said, want := range map[string]Social{"спасибо, на сегодня всё, пока": Leaves, "привет, ты тут?": Greets,
		"cheers, really handy": Thanks, "а цифры эти откуда, ты из моего склада берешь или сам " +
			"придумываешь": AsksSource,
		"слушай а ты сам документы проводишь или только показываешь": AsksWrites, "is it safe": AsksPrivacy,
		"как с тобой начать": AsksUsage, "ты робот или человек": AsksWho, "do you keep our " +
			"conversation": AsksMemory} {
		if s := ReadSocial(said); s != want {
			t.Errorf("%s: %v, want %v", said, s, want)
		}
	}
}

// A question about figures is no such talk, whatever stands around it.
func TestQuestionsAboutFiguresAreNoTalk(t *testing.T) {
	for said := range strings.SplitSeq("откуда деньги; откуда товар; куда уходят деньги; сколько денег; "+
		"привет, что с продажами; "+
		"спасибо, а остатки; хорошо, по складам; отлично, за сентябрь; кто видит; это всё?; всё; "+
		"все; сегодня; на сегодня; ещё; "+
		"какие данные за октябрь; точные остатки; кто сделал заказ; кто создал отгрузку; где "+
		"хранится чай; как часто покупают чай; "+
		"безопасный остаток; что-нибудь изменилось в продажах; сам документ; покажи цифры; отчеты; "+
		"данные; where is the tea stored; "+
		"where do sales come from; how fresh is the milk; who are the best customers; thanks, and "+
		"the stock; great, by warehouse; "+
		"good sales today; real profit; who changed prices; how do orders start; нет; да; ок; "+
		"хорошо; ясно; great; ok; 5; ", ";") {
		if s := ReadSocial(strings.TrimSpace(said)); s != NotSocial {
			t.Errorf("%s: %v", said, s)
		}
	}
}

// Introductions, plans, remarks and complaints are talk, and what asks beside them is left (rule R770).
func TestARemarkIsNoQuestion(t *testing.T) {
	for said, want := range map[string]Social{
		"здрасьте я новенькая, в магазине на мира стою": Greets, "добрый вечер, это бухгалтер": Greets,
		"меня зовут Оля я кассир": Greets, "всё, спасибо, дальше я сам разберусь": Enough,
		"супер thanks, пошла звонить поставщику": Enough, "ок на сегодня хватит, закрываю магазин": Enough,
		"спасибо, разберусь": Enough, "ok thanks, i'll call the supplier": Enough,
		"ясно значит до обеда можно и не открываться": Remarks, "ого неплохо": Remarks,
		"понятно, как всегда они": Remarks, "чёт мало продали вчера, холодно наверно": Remarks,
		"ты че тупишь, остаток вчера неправильный показал": Complains, "опять херню показываешь": Complains,
		"у тебя цифры не бьются с моей тетрадкой": Complains, "кто ты вообще такой": AsksWho, "не верю, " +
			"пересчитай": Complains,
		"вот теперь понятно почему касса пустая": Remarks, "так и знала что чай не идёт": Remarks,
		"эх опять в минусе": Remarks, "нормально так поторговали сегодня": Remarks,
		"хорошо продали вчера кофе": NotSocial, "cool, gotta run, bye": Leaves, "thanks that's what i " +
			"thought": Thanks,
		"здравствуйте, я на смене сегодня": Greets, "что-то цифры странные": Complains,
		"who are you and can you see my bank account": AsksBank, "забей, другое спрошу": Regrets,
		"пошли отчёт": NotSocial, "остатки посуды": NotSocial, "кто продал больше всех": NotSocial,
		"что мало продали вчера": NotSocial, "дорого": NotSocial, "почему цифры не бьются": NotSocial,
		"не то, я про прибыль": NotSocial, "i'll need 10 caps": NotSocial, "значит по лесной": NotSocial,
		"смотрю продажи за вчера": NotSocial, "понятно, остатки кофе": NotSocial,
	} {
		if got := ReadSocial(said); got != want {
			t.Errorf("%s: %v, want %v", said, got, want)
		}
	}
	for said, want := range map[string]string{
		"молодец, а теперь то же самое по прибыли":            "а теперь то же самое по прибыли",
		"молодец а теперь то же самое по прибыли":             "а теперь то же самое по прибыли",
		"привет! я сегодня за старшую, чё по деньгам в кассе": "чё по деньгам в кассе",
		"неправильно показал, покажи по лесной?":              "покажи по лесной?",
		"закажи 5 кепок, я разберусь с оплатой":               "закажи 5 кепок, я разберусь с оплатой",
		"я Марина с лесной, сколько у меня чая":               "сколько у меня чая на лесной",
		"привет это Оля с витрины, сколько чая":               "сколько чая",
		"я на витрине стою. что тут по кружкам?":              "что тут по кружкам на витрине",
		"спасибо": "спасибо", "остатки, только посуда": "остатки, только посуда", "пока без резерва": "пока без " +
			"резерва",
	} {
		if got := Without(said); got != want {
			t.Errorf("%s: %q, want %q", said, got, want)
		}
	}
}
