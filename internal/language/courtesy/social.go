package courtesy

import (
	"slices"
	"strings"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/language/spelling"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// Social is what a message says that asks for no figures: thanks, a goodbye, or a question about Stockhand itself.
type Social uint8

// What messages say, in the order in which the answer to several is chosen: the last one counts.
const (
	NotSocial Social = iota
	Here             // "ты тут?"
	Greets
	Remarks // "ясно, значит можно и не открываться"
	Regrets // "извини, ошибся"
	Praises
	Thanks
	Enough    // "больше ничего не надо", "пошла звонить"
	Complains // "ты неправильно показал"
	Leaves

	AsksUsage   // "чем можешь быть полезен"
	AsksWho     // "ты робот или человек?"
	AsksSource  // "откуда эти цифры"
	AsksFresh   // "данные в реальном времени?"
	AsksWrites  // "ты сам документы проводишь?"
	AsksPrivacy // "кто видит мои данные"
	AsksMemory  // "ты меня помнишь?"
	AsksBank    // "видишь мой счёт в банке?"
)

const (
	mostSaid   = 16 // words of a message that says such things
	mostPhrase = 6  // of a phrase
)

// ReadSocial reads a message of which every word is part of such talk (rules R731 and R770): NotSocial for any
// other.
func ReadSocial(message string) Social {
	if len(message) > longest {
		return NotSocial
	}
	s := readSocial(message)
	if s != NotSocial {
		return s
	}
	if corrected := spelling.Known().Text(message); corrected != message {
		return readSocial(corrected)
	}
	return s
}

func readSocial(message string) Social {
	list := spoken(message)
	if len(list) == 0 || len(list) > mostSaid {
		return NotSocial
	}
	if s := row(list); s > Here && !strings.Contains(message, "?") || s == Here || s == Greets {
		return s
	}
	if s := topicOf(list); s != NotSocial {
		return s
	}
	return chatter(clauses(message))
}

// topicOf returns what words ask about Stockhand.
func topicOf(list []string) Social {
	for _, t := range topics {
		if t.covers(list) {
			return t.social
		}
	}
	return NotSocial
}

// spoken returns the words of a message, folded; a mark counts for nothing.
func spoken(message string) (list []string) {
	for x := range words.Scan(message) {
		if x.Kind != words.Mark {
			list = append(list, token.Shorthand(words.Fold(message[x.Start:x.End])))
		}
	}
	return list
}

// row reads words as a row of phrases that fill the message, at least one of which says something.
func row(list []string) Social {
	s, _ := phrases(list)
	return s
}

// isRow reports whether words are a row of phrases, whether or not one says something.
func isRow(list []string) bool {
	_, ok := phrases(list)
	return ok
}

func phrases(list []string) (Social, bool) {
	best := make([]int, len(list)+1) // -1: the words up to here are no row
	for end := 1; end <= len(list); end++ {
		best[end] = -1
		for from := max(0, end-mostPhrase); from < end; from++ {
			if s, ok := social[strings.Join(list[from:end], " ")]; ok && best[from] >= 0 {
				best[end] = max(best[end], best[from], int(s))
			}
		}
	}
	return Social(max(0, best[len(list)])), best[len(list)] >= 0
}

// topic is what people ask about Stockhand. A message is about it if it has a word of each list of one alternative, and
// none but words of the topic, so no question about figures is: "откуда данные", but not "откуда деньги".
type topic struct {
	social Social
	needs  [][]map[string]bool
	beside map[string]bool
}

func (t *topic) covers(list []string) bool {
	known := func(w string) bool {
		return t.beside[w] || besideAll[w] || slices.ContainsFunc(t.needs, func(lists []map[string]bool) bool {
			return slices.ContainsFunc(lists, func(m map[string]bool) bool { return m[w] })
		})
	}
	has := func(m map[string]bool) bool { return slices.ContainsFunc(list, func(w string) bool { return m[w] }) }
	all := func(lists []map[string]bool) bool {
		return !slices.ContainsFunc(lists, func(m map[string]bool) bool { return !has(m) })
	}
	return !slices.ContainsFunc(list, func(w string) bool { return !known(w) }) && slices.ContainsFunc(t.needs, all)
}

// Reply answers such talk in a line or two.
func (s Social) Reply(l stockhand.Language) string {
	texts := replies[s]
	return l.Pick(texts[0], texts[1])
}

var replies = map[Social][2]string{
	Here: {"Да, на связи. Что посмотреть?", "Yes, I am here. What shall I show?"},
	Greets: {"Здравствуйте! Спросите об остатках, продажах, деньгах или заказах.",
		"Hello! Ask about stock, sales, money or orders."},
	Remarks: {"Понятно. Что посмотреть ещё?", "I see. What shall I look at next?"},
	Complains: {"Жаль, что не сошлось. Цифры — из вашего МойСклада: напишите, какой товар, склад и день " +
		"проверить, и я покажу, из чего они сложились.",
		"Sorry that it does not fit. The figures come from your MoySklad account: say which product, warehouse " +
			"and day to check, and I show what they are made of."},
	AsksBank: {"Я Stockhand, программа. В банк я не захожу: вижу только то, что записано в вашем МойСкладе, " +
		"например остатки на счетах и платежи.",
		"I am Stockhand, a program. I have no access to your bank: I only see what is recorded in MoySklad, " +
			"such as balances and payments."},
	Regrets: {"Ничего страшного. Что посмотреть?", "No problem. What shall I show?"},
	Praises: {"Спасибо! Рад помочь. Что посмотреть ещё?", "Thank you! Glad to help. What shall I look at next?"},
	Thanks: {"Пожалуйста! Если нужно что-то ещё, спрашивайте.",
		"You're welcome! Ask if you need anything else."},
	Enough: {"Хорошо. Если понадобится что-то ещё, спрашивайте.", "All right. Ask if you need anything else."},
	Leaves: {"До свидания!", "Goodbye!"},
	AsksWho: {"Я Stockhand — программа, не человек: отвечаю по данным вашего МойСклада и готовлю черновики " +
		"заказов, перемещений и цен.",
		"I am Stockhand, a program and not a person: I answer from your MoySklad data and prepare drafts of " +
			"orders, transfers and prices."},
	AsksSource: {"Цифры — из вашего МойСклада: сам я их не придумываю. Под ответом написано, как посчитано и " +
		"за какой период; их можно сверить с отчётом МойСклада.",
		"The figures come from your MoySklad account: I make none up. Below an answer it says how it was " +
			"computed and for which period, so you can compare with the reports of MoySklad."},
	AsksFresh: {"Данные беру из МойСклада, когда вы спрашиваете; за какой период они, написано в ответе.",
		"I read MoySklad when you ask; the answer says which period its data is for."},
	AsksWrites: {"Сам я ничего не отправляю и не меняю: готовлю черновик, а в МойСклад он записывается " +
		"только после вашего подтверждения.",
		"I never send or change anything by myself: I prepare a draft, and it is written to " +
			"MoySklad only after you confirm it."},
	AsksPrivacy: {"Stockhand работает на сервере, где его установили, и берёт данные из вашего МойСклада. " +
		"Менять их без вашего подтверждения он не может. Кому открыт доступ и подключена ли языковая модель, " +
		"знает ваш администратор.",
		"Stockhand runs on the server where it was installed and reads your MoySklad account. It changes " +
			"nothing without your confirmation. Your administrator knows who has access, and whether a " +
			"language model is connected."},
	AsksMemory: {"Этот разговор сохраняется: его можно открыть и продолжить. Сколько хранить разговоры, " +
		"решает администратор.",
		"This conversation is kept: you can open it and go on. Your administrator decides how long " +
			"conversations are kept."},
}

// social are the phrases that such messages consist of; NotSocial stands beside the others.
var social = func() map[string]Social {
	out := map[string]Social{}
	for s, list := range socialPhrases {
		for p := range strings.SplitSeq(list, ";") {
			out[strings.Join(spoken(p), " ")] = s
		}
	}
	return out
}()

var socialPhrases = map[Social]string{
	Complains: "пересчитай; пересчитай еще раз; перепроверь; проверь еще раз; посчитай заново; не верю; не " +
		"может быть; не верю я; check again; recheck; recalculate; count again",
	NotSocial: "ну; а; и; ой; о; ок; окей; все; всё это; это; это все; так; вот; да; нет; очень; прям; просто; " +
		"человеческое; " +
		"реально; прямо; большое; огромное; тебе; вам; тебя; бот; дружище; друг; брат; бро; за помощь; за " +
		"ответ; за ответы; за информацию; за работу; понял; поняла; понятно; ясно; принято; разобрался; " +
		"разобралась; отлично; супер; хорошо; класс; круто; здорово; ладно; тогда; на сегодня; сегодня; уже; " +
		"я; мне; всем; еще раз; заранее; чатик; стокхенд; железяка; my dear; dear; dear friend; my friend; " +
		"team; робот; железный друг; дорогой; милый; солнце; уважаемый; слушай; как всегда; oh; ok; okay; so; " +
		"and; very; really; much; a lot; so much; for your help; for the help; for that; for this; mate; bot; " +
		"buddy; man; dude; for now; for today; today; then; great; good; nice; perfect; awesome; cool; " +
		"excellent; got it; understood; that; this; is; yes; no; well; all; again; everyone; there; stockhand; " +
		"just; was",
	Here: "ты тут; вы тут; ты здесь; вы здесь; ты на месте; вы на месте; ты на связи; вы на связи; есть кто; " +
		"есть кто живой; ты живой; алло; эй; ау; ты слышишь; ты меня слышишь; are you there; you there; " +
		"anybody there; anyone there; are you here; are you online; are you still there",
	Greets: "привет; дратути; хеллоу; даров; дарова; хаюшки; приветик; приветики; доброе утречко; с добрым " +
		"утром; доброго здоровья; здравия желаю; " +
		"приветствую; здравствуй; здравствуйте; здрасте; здрасьте; здаров; здарова; хай; ку; салют; хелло; " +
		"доброе утро; добрый день; добрый вечер; доброго дня; доброго утра; доброго вечера; доброго времени " +
		"суток; утро доброе; день добрый; вечер добрый; доброго; прив; hello; hi; hey; hiya; morning; mornin; " +
		"afternoon; evening; gm; yo; heya; morning all; hi team; hi all; howdy; good morning; good afternoon; " +
		"good evening; greetings; hi there; hey there; hello there; how are you; how are you doing; как сам; " +
		"как сама; как поживаешь; как поживаете; как жизнь; как жизнь молодая; как здоровье; как ты; как вы; " +
		"как оно; чем занят; чем занята; чем занимаешься; че делаешь; what's up; whats up; sup;  как настроение",
	Regrets: "извини; извините; прости; простите; сорри; сори; прошу прощения; ошибся; ошиблась; я ошибся; я " +
		"ошиблась; моя ошибка; проехали; забили; забей; забейте; неважно; не важно; другое спрошу; спрошу " +
		"другое; спрошу иначе; давай сначала; давай заново; начнем сначала; начнем заново; начнем с начала; не " +
		"то написал; не то написала; не то спросил; не то спросила; я не то хотел спросить; я не то хотела спросить; " +
		"не то хотел спросить; я не про то; lets start over; start over; не туда написал; не туда написала; sorry; my " +
		"mistake; my bad; oops; i am sorry; im sorry; i'm sorry; apologies",
	AsksWho: "представься; представьтесь; назовись; introduce yourself",
	Praises: "классно; хорошая работа; отличная работа; молодец; ты молодец; вы молодец; умница; умничка; ты " +
		"умница; красавчик; красава; ты лучший; ты " +
		"лучшая; ты супер; ты крут; ты крутой; выручил; выручила; спас; спасла; ты спас; спас мне день; ты " +
		"спас мне день; you saved my day; life saver; очень помог; помог; помогла; ты помог; ты мне очень " +
		"помог; ты очень помог; какой ты умный; какой ты молодец; ты умный; то что надо; то что нужно; вот это " +
		"сервис; здорово работаешь; хорошо работаешь; отлично работаешь; быстро работаешь; как быстро работаешь; как быстро отвечаешь; удобно; " +
		"очень удобно; полезно; очень полезно; офигенно; офигеть; шикарно; великолепно; замечательно; " +
		"прекрасно; обалденно; бомба; гениально; браво; респект; лучше не бывает; вот это да; мне нравится; " +
		"нравится; you are great; you're great; you are the best; you're the best; youre the best; youre " +
		"great; you are awesome; youre awesome; good job; great job; nice job; good work; nice work; well " +
		"done; nice one; brilliant; love it; i love it; i love this; so helpful; helpful; useful; handy; very " +
		"useful; that helped; that helps; that helped me; this helps; amazing; wonderful; fantastic; " +
		"impressive; good bot; exactly what i needed; just what i needed; what i needed; that's what i needed",
	Thanks: "спасибо; мерси; сенкс; сенкью; спасиб; спасибки; спасибочки; пасиб; пасибо; спс; благодарю; " +
		"благодарочка; благодарствую; мерси; сенкс; сэнкс; " +
		"спасиб; благодарствуйте; спасибульки; мерси вам; от души; спасибо большое; спасибо огромное; thanks; " +
		"thank you; thx; tnx; ty; thank u; cheers; " +
		"many thanks; much appreciated; appreciate it; i appreciate it; ta",
	Enough: "на сегодня все; на сегодня хватит; больше ничего; больше ничего не надо; больше ничего не нужно; " +
		"ничего больше не надо; вопросов больше нет; больше вопросов нет; вопросов нет; пока все; пока ничего; " +
		"пока ничего не надо; на этом все; закончили; that is all; that's all; thats all; that will be all; " +
		"thatll be all; nothing else; no more questions; im done; i'm done; i am done; we are done; were done; " +
		"that's it; thats it; nothing more",
	Leaves: "ну все я пошел; ну все я пошла; пока; покеда; до свидания; до свиданья; до завтра; до встречи; до " +
		"связи; завтра продолжим; " +
		"продолжим завтра; давай пока; всё давай; ну давай; всем пока; до скорого; до понедельника; всего " +
		"доброго; всего хорошего; хорошего вечера; хорошего дня; хороших выходных; доброй ночи; спокойной " +
		"ночи; на связи; увидимся; бывай; счастливо; прощай; пошел домой; пошла домой; gotta run; gotta go; got " +
		"to go; got to run; have to go; i have to go; off now; bye; bye bye; goodbye; " +
		"good bye; see you; see ya; see you tomorrow; see you later; see you monday; cya; later; have a good " +
		"evening; have a good day; have a nice day; have a good one; have a great day; have a nice evening; " +
		"good night; goodnight; talk to you later; talk later; talk soon; ttyl; take care; have a great one; " +
		"have a good weekend; have a great weekend; have a nice weekend; happy weekend; enjoy; enjoy your day; " +
		"enjoy your evening; enjoy your weekend; enjoy the weekend; enjoy the rest of your day; enjoy your holiday; " +
		"enjoy your holidays; enjoy your break; have a good rest; signing off; logging off; gotta go; got to go; " +
		"gtg; off home; heading home; catch you later; catch you tomorrow; speak soon; speak tomorrow; speak later; " +
		"till tomorrow; until tomorrow; laters; toodles; ciao; over and out; see you on; see you then; night; " +
		"nighty night; " + onDays,
}

// onDays are goodbyes that name a day.
var onDays = func() string {
	var list []string
	for _, day := range strings.Fields("monday tuesday wednesday thursday friday saturday sunday") {
		for _, said := range []string{"enjoy your", "enjoy the", "have a good", "have a nice", "have a great", "happy",
			"see you", "see you on", "until", "till"} {
			list = append(list, said+" "+day)
		}
	}
	return strings.Join(list, "; ")
}()

var besideAll = words.Set("а и или же ли ну вот слушай скажи скажите подскажи подскажите привет пожалуйста " +
	"честно вообще точно это эти этот эта все всё ты вы тебя вас тебе вам тобой вами я мне меня мы нас нам мой " +
	"моя мои моих наш наша наши наших бот кстати интересно что в из с у за на не только он они the a an is are " +
	"do does did you your i me my mine we us our and or this these that those just really actually please hey " +
	"hi hello s re it to of in")

// lists makes the alternatives of a topic.
func lists(list ...string) (out []map[string]bool) {
	for _, x := range list {
		out = append(out, words.Set(x))
	}
	return out
}

const (
	dataWords = "цифру циферку число данные данным данных цифры цифр цифрам цифра циферки информация " +
		"информацию инфа инфу числа числам отчеты data figures numbers figure number information info"
	askedOf  = "ты вы тебя вас тебе вам тобой вами you"
	speaking = askedOf + " я i"
	acting   = "проводишь проводите отправляешь отправляете отправлять отправить отправишь отправил отправила " +
		"меняешь меняете менять изменяешь изменяете изменишь изменить изменил изменила поменяешь поменять " +
		"поменял поменяла заказываешь заказать закажешь оформляешь оформляете оформить записываешь записываете " +
		"пишешь создаешь создаете создать удаляешь удалить удалил перемещаешь сделаешь делаешь испортишь " +
		"сломаешь подтверждаешь провести проведешь write send change order post make create delete edit modify " +
		"submit confirm changed sent break"
)

var topics = []topic{
	{AsksSource, [][]map[string]bool{
		lists("откуда where", dataWords),
		lists("откуда where", "берешь берете взял взяла берутся взялись знаешь знаете get from", speaking),
		lists("придумал придумала придумываешь придумываете выдумал выдумываешь выдумываете врешь врете " +
			"обманываешь фантазируешь сочиняешь галлюцинируешь invent invented inventing hallucinate lying lie"),
		lists("make making made", "up", dataWords),
		lists("верить доверять полагаться trust rely", dataWords+" "+askedOf),
		lists("уверен уверена уверены sure certain", "правильно верно точно правильные точные верные правда "+
			"right correct "+
			"это this that ты вы you"),
		lists("точные точны точная верные правильные достоверные настоящие реальные real accurate correct "+
			"reliable right", dataWords),
	}, words.Set("моего моей нашего нашей склада мойсклад мойсклада базы учета системы программы сам сама сами " +
		"можно ли насколько берешь или come from get got take can should on by yourself что как так")},
	{AsksFresh, [][]map[string]bool{
		lists("свежие свежая актуальные актуальны актуальная обновляются обновляешь обновлялись обновляете "+
			"реальном онлайн устарели "+
			"устаревшие fresh live updated outdated refreshed", dataWords),
		lists("real", "time", dataWords),
		lists("up", "date", dataWords),
	}, words.Set("насколько как часто когда времени последний раз был были сейчас how often when last " +
		"current now time date")},
	{AsksWrites, [][]map[string]bool{
		lists("сам сама сами самостоятельно автоматически спроса спросу ведома разрешения подтверждения "+
			"yourself own automatically "+
			"asking permission confirmation", acting, askedOf),
		lists("что-нибудь что-то чтонибудь нибудь то ничего чего anything something things", acting, askedOf),
	}, words.Set("документы документ заказы заказ цены остатки или показываешь показываете показывать готовишь " +
		"умеешь можешь можете сможешь без моего моем нашего нашем учете складе мойскладе мойсклад базе данных " +
		"данные нибудь то случайно случаем by will can could without account documents orders prices stock " +
		"moysklad only show accidentally on")},
	{AsksPrivacy, [][]map[string]bool{
		lists("store keep save share хранишь храните сохраняешь", "data данные", "you "+askedOf),
		lists("безопасно безопасны безопасен надежно safe secure"),
		lists("безопасность конфиденциальность приватность security privacy confidential private", dataWords+" "+speaking),
		lists("кто who", "видит видят увидит читает see sees read reads access", "мои мою моих наши нашу наших my our",
			dataWords+" переписку разговор вопросы conversation chat questions"),
		lists("куда где кому никому where", "уходят хранятся передаются отправляются деваются утекут "+
			"утекают попадут попадают передаешь "+
			"сливаешь хранишь stored go goes kept sent", dataWords),
		lists("сливаешь сливаете передаешь передаете показываешь показываете продаешь share sell leak", dataWords),
	}, words.Set("давать дать пользоваться доступ токен тут здесь еще другие кроме куда-то куда то третьим " +
		"лицам кому-то кому-нибудь нибудь никому никуда to use using give access else can anyone with third " +
		"parties others anybody where stored")},
	{AsksMemory, [][]map[string]bool{
		lists("помнишь помните запоминаешь запоминаете запомнил запомнишь хранишь сохраняешь remember keep "+
			"store save", speaking,
			"меня нашу нас переписку разговор разговоры диалог me conversation conversations "+
				"chat chats"),
	}, words.Set("наш наши эту прошлый прошлые old past last")},
	{AsksWho, [][]map[string]bool{
		lists("робот бот человек человеком живой нейросеть ии интеллект gpt chatgpt движке модель модели движок "+
			"программа программой "+
			"программу ai bot human robot machine person",
			speaking+" говорю общаюсь talking"),
		lists("кто who", "ты вы you"),
		lists("зовут имя name called", "тебя вас твое your you"),
		lists("кем", "говорю разговариваю общаюсь"),
		lists("кто чей who", "создатель автор хозяин разработчик создатели creator author", "твой ваш твои your"),
		lists("кто", "сделал создал придумал разработал", "тебя вас"),
		lists("who", "made built created", "you"),
	}, words.Set("искусственный настоящий такой такое real artificial intelligence am говорю общаюсь " +
		"talking with какой какая каком какую на будешь прога сам")},
	{AsksBank, [][]map[string]bool{
		lists("видишь видите видно доступ залезть зайти войти see access look read", speaking,
			"пароль пароли банк банка банке банку банковский банковские банковским банковскому карту карте карты "+
				"bank"),
	}, words.Set("от есть счет счета счету счетам личный моему мой моим наши нашим can account accounts into " +
		"have card")},
	{AsksUsage, [][]map[string]bool{
		lists("чем как how", "полезен полезна поможешь помочь пользоваться помогаешь help useful use",
			askedOf+" можешь можете"),
		lists("чего начать", "начать"),
		lists("where how", "start begin"),
	}, words.Set("быть можешь можете мне с лучше can could should")},
}
