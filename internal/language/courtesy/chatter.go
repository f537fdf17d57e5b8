package courtesy

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// longest is the longest message that may be talk, in bytes.
const longest = 300

// chatter reads a message of which every clause is talk (rule R770): a row of phrases, an introduction, what the
// writer is about to do, or a remark on an answer. It returns NotSocial for any other.
func chatter(list []part) (best Social) {
	hedged := 0
	for _, c := range list {
		s := c.social()
		switch {
		case s == NotSocial && c.hedges():
			hedged++
		case s == NotSocial && !c.fills():
			return NotSocial
		}
		best = max(best, s)
	}
	if hedged == len(list) || best >= AsksUsage && hedged > 0 {
		return NotSocial
	}
	return best
}

// Without returns a message without the clauses of talk that stand before and behind its question or order; all of
// it if it has nothing else. Beside an order, only greetings and thanks go: other words may be its condition.
func Without(message string) string {
	if len(message) > longest || strings.HasPrefix(message, "+") { // "+ лесная" adds
		return message
	}
	list := clauses(message)
	if len(list) == 0 || chatter(list) != NotSocial {
		return message
	}
	orders := changes(token.Split(message))
	from, to := 0, len(list)
	for from < to && list[from].aside(orders) {
		from++
	}
	for to > from && list[to-1].aside(orders) {
		to--
	}
	if from == to {
		return message
	}
	list[from] = list[from].withoutLead()
	start := withSign(message, list[from].at[0])
	rest := message[start:list[to-1].end]
	place := ""
	for _, p := range list[:from] {
		place = cmp.Or(place, p.place(message))
	}
	here := slices.ContainsFunc(list[from:to], func(p part) bool {
		return slices.ContainsFunc(p.list, func(w string) bool { return ours[w] })
	})
	switch {
	case place != "" && here: // "сколько у меня крупы" of someone from that warehouse
		return rest + " " + place
	case to == len(list): // with its question mark
		return message[start:]
	}
	return rest
}

// withSign returns where the sign of a number begins that stands at a byte of a message, or that byte: "-10 % на
// посуду".
func withSign(message string, at int) int {
	if at < len(message) && '0' <= message[at] && message[at] <= '9' {
		for _, sign := range []string{"+", "-", "−", "–"} {
			if strings.HasSuffix(message[:at], sign) {
				return at - len(sign)
			}
		}
	}
	return at
}

// place returns where someone who introduces himself is: of "я Марина с лесной", "на лесной"; "" for nowhere.
func (c part) place(message string) string {
	for i, w := range c.list {
		if i == 0 || !origins[w] && w != "на" && w != "в" && w != "at" && w != "in" {
			continue
		}
		end := i + 1
		for end < len(c.list) && !states[c.list[end]] && !onDuty[c.list[end]] && !roles[c.list[end]] {
			end++
		}
		if end == i+1 {
			continue
		}
		last := c.end
		if end < len(c.list) {
			last = c.at[end]
		}
		if origins[w] {
			return "на " + strings.TrimSpace(message[c.at[i+1]:last])
		}
		return strings.TrimSpace(message[c.at[i]:last])
	}
	return ""
}

var (
	ours    = words.Set("меня нас здесь тут нашем моем моей нашей своем нашего моего me my our here us we")
	origins = words.Set("с со из от from")
)

// part is a stretch of a message between marks.
type part struct {
	list []string // its words, folded
	at   []int    // where they begin
	end  int
	asks bool // ends with a question mark
}

// clauses cuts a message at its marks.
func clauses(message string) (out []part) {
	var c part
	cut := func() {
		if len(c.list) > 0 {
			out = append(out, c)
		}
		c = part{}
	}
	for x := range words.Scan(message) {
		w := message[x.Start:x.End]
		last := len(c.list) - 1
		switch {
		case last >= 0 && message[x.Start-1] == '-' && endings[words.Fold(w)]: // "какой-то" asks nothing
			c.list[last], c.end = c.list[last]+"-"+words.Fold(w), x.End
		case x.Kind != words.Mark:
			c.list, c.at, c.end = append(c.list, words.Fold(w)), append(c.at, x.Start), x.End
		case strings.Contains(".,!?;:)(—…\n", w):
			c.asks = w == "?"
			cut()
		}
	}
	cut()
	return out
}

var endings = words.Set("то нибудь либо")

// social returns what a clause says: its beginning may be a row of phrases, and the rest one free saying.
func (c part) social() Social {
	if c.asks {
		if s := row(c.list); s == Here || s == Greets {
			return s
		}
		if complains(c.list) {
			return Complains
		}
		return topicOf(c.list)
	}
	if s := row(c.list); s != NotSocial {
		return s
	}
	for at := range c.list {
		if at > 0 && !isRow(c.list[:at]) {
			break
		}
		if s := free(c.list[at:]); s != NotSocial {
			return max(s, row(c.list[:at]))
		}
	}
	if s := topicOf(c.list); s != NotSocial {
		return s
	}
	for i, w := range c.list { // "who are you and can you see my bank account"
		if w != "and" && w != "и" && w != "а" {
			continue
		}
		if a, b := topicOf(c.list[:i]), topicOf(c.list[i+1:]); a != NotSocial && b != NotSocial {
			return max(a, b)
		}
	}
	return NotSocial
}

// fills reports whether a clause is nothing but words that go with talk.
func (c part) fills() bool { return isRow(c.list) && !c.asks }

// aside reports whether a clause may be left out beside a question, or beside an order.
func (c part) aside(ofOrder bool) bool {
	switch s := c.social(); s {
	case Greets, Thanks, Praises, Regrets, Here:
		return true
	case Enough, Remarks, Complains:
		return !ofOrder
	default:
		return false
	}
}

// withoutLead returns a clause without the greeting or thanks that it begins with: "молодец а теперь по прибыли".
func (c part) withoutLead() part {
	for end := len(c.list) - 1; end > 0; end-- {
		switch row(c.list[:end]) {
		case Greets, Thanks, Praises, Regrets:
			for end > 1 && joining[c.list[end-1]] {
				end--
			}
			c.list, c.at = c.list[end:], c.at[end:]
			return c
		default:
		}
	}
	return c
}

var joining = words.Set("а и но ну все это тогда сегодня уже я мне нет да and so but")

// free reads what people say in words of their own: who they are, what they do next, what they think of an answer.
func free(list []string) Social {
	if complains(list) {
		return Complains
	}
	if foreseen.MatchString(strings.Join(list, " ")) {
		return Remarks
	}
	if slices.ContainsFunc(list, func(w string) bool { return requests(w) && !predicates[w] }) {
		return NotSocial
	}
	if comments(list) {
		return Remarks
	}
	if slices.ContainsFunc(list, requests) {
		return NotSocial
	}
	has := func(set map[string]bool) bool {
		return slices.ContainsFunc(list, func(w string) bool { return set[w] })
	}
	switch {
	case has(states), introduces(list):
		return Greets
	case has(acts), has(plans) && has(byThemselves), plansInEnglish(list):
		return Enough
	}
	return NotSocial
}

// foreseen matches "так и знала что чай не идёт", "вот теперь понятно почему касса пустая", "that's what i
// thought".
var foreseen = regexp.MustCompile(`^(?:ну |вот |я |а )*(?:так и (?:знал|думал)|(?:теперь |и |всё |все )*` +
	`(?:понятно|ясно|понял|поняла|вижу) (?:теперь )?(?:почему|откуда|куда|за счет чего|из-за чего) \S+ \S+)|` +
	`^(?:а |ну |вот )*я (?:думал|думала|ожидал|ожидала|надеялся|надеялась|считал|считала) \S+|` +
	`^(?:мда |ну |да |эх )*надо (?:что-то |чет |что то )?(?:с этим |с ними )?(?:делать|думать|решать|работать)$|` +
	`^(?:thats|that's|that is|just|as) (?:what )?i (?:thought|expected|figured|guessed)`)

// requests reports whether a word asks or orders something, or is a number.
func requests(w string) bool {
	return questions[w] || orders[w] || asking[w] || isOrder(w) || token.HasDigit(w)
}

// introduces reads "меня зовут Оля", "это бухгалтер", "я сегодня за старшую", "i am the new cashier".
func introduces(list []string) bool {
	const most = 5
	text := strings.Join(list, " ")
	if strings.HasPrefix(text, "меня зовут ") || strings.HasPrefix(text, "my name is ") {
		return len(list) <= most
	}
	role := false
	for i, w := range list {
		switch {
		case roles[w]:
			role = true
		case i > 0 && prepositions[list[i-1]]:
		case firstNames[w] && presents[list[0]]:
			role = true
		case !presents[w] && !aroundRoles[w]:
			return false
		}
	}
	return role && (presents[list[0]] || len(list) > 1 && (onDuty[list[len(list)-1]] || newcomers[list[0]])) ||
		text == "это снова я" || text == "это опять я" || text == "снова я" || text == "it's me again"
}

// plansInEnglish reads "i'll call the supplier", "i'm off home", "gonna close the shop".
func plansInEnglish(list []string) bool {
	if len(list) < 2 || slices.ContainsFunc(list, func(w string) bool { return wants[w] }) {
		return false
	}
	switch list[0] {
	case "i'll", "gonna", "heading", "we'll":
		return true
	case "i'm", "im", "we're":
		return leaving[list[1]]
	case "i":
		return list[1] == "will" || list[1] == "am" && len(list) > 2 && leaving[list[2]]
	case "off", "time", "going":
		return list[1] == "to"
	}
	return false
}

// comments reads what someone thinks of an answer: "ого неплохо", "ясно значит до обеда можно и не открываться",
// "чёт мало продали вчера".
func comments(list []string) bool {
	opened, judged, other := false, 0, 0
	for i, w := range list {
		switch {
		case i == 0 && opens[w]:
			opened = true
		case verdicts[w]:
			judged++
		case !beforeVerdict[w]:
			other++
		}
	}
	text := " " + strings.Join(list, " ") + " "
	sure := slices.ContainsFunc(list, func(w string) bool { return predicates[w] })
	const few = 4
	switch {
	case len(list) == 1:
		return verdicts[list[0]] && !alone[list[0]]
	case other == 0 && (judged > 0 && (opened || judged > 1 || len(list) > 1)):
		return true
	case verdicts[list[0]] && beforeVerdict[list[1]] && len(list) <= few+1 && slices.ContainsFunc(list, past):
		return true // "нормально так поторговали сегодня"
	case verdicts[list[0]] && strings.Contains(text, " а не "): // "ужас какой-то а не продажи"
		return true
	case sighs[list[0]] && list[1] == "опять":
		return true
	case opened && concludes[list[1]] && (sure || !prepositions[list[min(2, len(list)-1)]]):
		return true
	case concludes[list[0]] && sure && !prepositions[list[1]]:
		return true
	case strings.Contains(text, " как всегда "), strings.Contains(text, " так и думал"),
		strings.Contains(text, " так и знал"):
		return len(list) <= few+1
	}
	return doubts[list[0]] && len(list) <= few+2 && judged > 0 && slices.ContainsFunc(list, past)
}

// past reports whether a word is a verb of what "we" did, or of what happened.
func past(w string) bool {
	return len([]rune(w)) > 4 && (strings.HasSuffix(w, "али") || strings.HasSuffix(w, "или") ||
		strings.HasSuffix(w, "ло"))
}

// hedges reports whether a clause is only a guess: "холодно наверно". It is no talk by itself.
func (c part) hedges() bool {
	return !c.asks && len(c.list) <= 5 && !slices.ContainsFunc(c.list, requests) &&
		(c.list[0] == "опять" || slices.ContainsFunc(c.list, func(w string) bool { return guesses[w] }))
}

// complains reads "ты тупишь", "остаток вчера неправильный показал", "у тебя цифры не бьются с моей тетрадкой".
func complains(list []string) bool {
	if slices.ContainsFunc(list, func(w string) bool {
		return orders[w] || isOrder(w) || token.HasDigit(w) ||
			questions[w] && w != "что" && w != "чего"
	}) {
		return false
	}
	const few = 4
	wrong, said, yours, differs, other, odd, shownFigures := false, false, false, false, false, false, false
	for i, w := range list {
		next := ""
		if i+1 < len(list) {
			next = list[i+1]
		}
		switch {
		case blames[w]:
			return true
		case w == "не" && (next == "верю" || next == "верится"):
			return len(list) <= few
		case w == "другое" || w == "другую" || w == "другие":
			other = true
		case w == "не" && others[next]:
			wrong = true
		case w == "не" && differing[next]:
			differs = true
		case shown[w]:
			said = true
		case addressed[w]:
			yours = true
		case oddWords[w]:
			odd = w != "старые" || next != "остатки" // "самые старые остатки" are goods
		case figureWords[w]:
			shownFigures = true
		default:
			for _, p := range wrongs {
				wrong = wrong || strings.HasPrefix(w, p)
			}
		}
	}
	return wrong && (said || yours || shownFigures && list[0] == "это") || other && said && yours ||
		differs && yours || odd && shownFigures
}

var (
	asking = words.Set("хотел хотела хотим ищу искал искала смотрю посмотрю гляну вижу спрашиваю интересно хотя " +
		"можно нужно надо нужен нужна нужны сравним дайте if what how")
	// what the writer does, and is about to do
	states = words.Set("стою работаю сижу торгую тружусь подменяю замещаю осваиваюсь учусь устроилась устроился " +
		"заступила заступил дежурю")
	acts = words.Set("пошел пошла пойду пойдем поеду поехал поехала поехали ухожу уезжаю убегаю побежал " +
		"побежала побегу бегу звоню позвоню позвоним наберу разберусь разберемся справлюсь справимся подумаю " +
		"подумаем закрываюсь закрываемся закрываю закрываем сворачиваюсь отключаюсь выключаюсь вернусь займусь " +
		"займемся учту обсудим обсужу посоветуюсь ложусь отдыхаю отдохну зайду передам напишу буду знать")
	plans = words.Set("посмотрю гляну проверю перепроверю пересчитаю посчитаю закажу сделаю доделаю спрошу узнаю " +
		"поищу найду решу")
	byThemselves = words.Set("сам сама сами позже потом попозже вручную руками завтра")
	leaving      = words.Set("off going leaving done new heading closing calling here the from working")
	wants        = words.Set("need needs want wants order buy take sell show check see get know looking checking " +
		"trying")
	presents   = words.Set("я это мы меня i i'm im this")
	firstNames = words.Set("оля ольга лена елена катя екатерина таня татьяна наташа наталья ира ирина света " +
		"светлана аня анна маша мария марина юля юлия настя анастасия даша дарья вика виктория ксюша ксения " +
		"люда людмила галя галина нина вера надя надежда люба любовь алла инна жанна лиза алина полина " +
		"кристина саша александр александра леша алексей дима дмитрий сережа сергей андрей миша михаил коля " +
		"николай паша павел ваня иван вова владимир женя евгений евгения костя константин антон артем максим " +
		"макс денис роман рома игорь олег юра юрий витя виктор стас кирилл илья егор никита толя анатолий " +
		"валера гена борис петя петр степан anna olga maria kate alex ivan john mike")
	roles = words.Set("смене подмене дежурный дежурная новенькая новенький новичок кассир кассирша продавец " +
		"продавщица бухгалтер бухгалтерша главбух директор хозяин хозяйка владелец владелица закупщик " +
		"закупщица товаровед кладовщик кладовщица менеджер управляющий управляющая администратор админ стажер " +
		"стажерка помощник помощница старшую старшего главную главного старшая старший логист предприниматель " +
		"cashier accountant owner manager buyer storekeeper new")
	aroundRoles = words.Set("сегодня тут здесь у вас нас за ваш ваша наш наша новый новая в на из с магазина " +
		"магазине склада складе витрины кассе а и еще пока только am is the a your our here at in of shop " +
		"store from today")
	opens = words.Set("ясно понятно понял поняла ага эх жаль жалко блин ого вау угу мда хм ух ну ой так вот " +
		"ok ok okay wow")
	verdicts = words.Set("нового хорошее хорошая начала рекорд провал беда ура победа красота печаль успех " +
		"record неплохо плохо слабо мало маловато негусто густо много многовато норм нормально хорошо ужасно " +
		"печально грустно жаль жалко жесть дорого дороговато дешево хреново фигово погано бывает логично " +
		"странно ожидаемо неудивительно себе ого вау ужас кошмар ничего круто зашибись терпимо сойдет пойдет " +
		"bad good nice wow low sad fine strange interesting")
	alone = words.Set("начала нового хорошее хорошая record беда успех победа мало много дорого дешево хорошо " +
		"себе ничего пойдет сойдет маловато многовато дороговато good nice fine low круто нормально норм " +
		"interesting")
	beforeVerdict = words.Set("хоть хотя для ни фига цифры результат показатели да уж прямо просто какой-то " +
		"какая-то какой какая a the what ну а и так как-то что-то чет чето вот это эх ого вау очень прям уже " +
		"не совсем блин же же вполне даже мда ой хм of so not very too that's that is oh")
	concludes    = words.Set("значит видимо наверно наверное похоже получается выходит опять неудивительно бывает")
	predicates   = words.Set("можно нельзя пора не будет плохо хорошо мало зря рано поздно все нет")
	prepositions = words.Set("по на в во у за с со из без к для от до при")
	doubts       = words.Set("чет чето что-то как-то ну мда эх ой блин")
	guesses      = words.Set("наверно наверное видимо похоже небось поди вероятно probably maybe perhaps")
	sighs        = words.Set("эх ну блин мда увы вот ой")
	newcomers    = words.Set("ваш ваша наш наша новый новая")
	onDuty       = words.Set("тут здесь сегодня")
	oddWords     = words.Set("странные странная кривые левые непонятные подозрительные чужие старые weird odd " +
		"strange off")
	figureWords = words.Set("цифры цифра данные числа остатки numbers figures data")
	blames      = words.Set("перепутал перепутала напутал напутала тормозишь висишь лагаешь зависаешь " +
		"бесполезная бесполезное лажаешь тупишь тупой тупая тупое глючишь врешь ошибаешься путаешь косячишь " +
		"гонишь бредишь издеваешься бесишь задолбал задолбала достал надоел бестолковый бестолковая " +
		"бесполезный stupid dumb useless")
	shown = words.Set("показал показала показываешь показываете показали выдал выдала выдаешь посчитал " +
		"посчитала считаешь насчитал говоришь пишешь написал сказал показывает дал даешь несешь ответил " +
		"отвечаешь понял понимаешь showing shown showed showing gave said")
	addressed = words.Set("ты тебя тебе твои твой твоя твоих твоим вы вас ваши вам you your")
	others    = words.Set("то тот ту те так туда")
	differing = words.Set("бьются бьется сходятся сходится сошлось сошлись совпадает совпадают сошелся match")
	wrongs    = strings.Fields("неправильн неверн ошибочн фигн херн хрен бред чуш ерунд неправд лаж туфт wrong " +
		"rubbish nonsense garbage incorrect")
)
