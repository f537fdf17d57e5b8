// Package act reads what a message does in a conversation, besides asking or ordering something: it thanks, agrees,
// cancels, edits a draft line by line, or asks for more of the last answer.
//
// An act is read from the typed words alone, and only if every word is part of it. So "отмени" is an act, and "отмени
// заказ 00012" is a task.
package act

import (
	"strconv"
	"strings"

	"github.com/stockhand/stockhand/internal/language/quantity"
	"github.com/stockhand/stockhand/internal/language/spelling"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// Kind is what a message does.
type Kind uint8

// The kinds of acts.
const (
	None Kind = iota

	Agree  // "да", "отправляй": to what was shown right before
	Reject // "отмени", "не надо"
	Undo   // "верни как было"
	Drop   // lines out of a draft
	Keep   // only these lines of a draft
	Set    // the quantity or price of a line
	Scale  // the quantities of all lines, or of some: "увеличь всё в 2 раза"
	Drafts // list the drafts that wait

	All     // all rows of the last table
	More    // the next rows
	Export  // as a file
	Chart   // as a picture
	Why     // what the last figures come from
	Details // of the last answer
	Total   // what a draft comes to: "сколько выйдет"
	Lost    // "не понял"
)

// Act is what a message does, and to what.
type Act struct {
	Kind    Kind
	Names   []string // the words for lines, each for one line or more
	Lines   []int    // numbers of lines, from 1
	From    string   // Set: the old figure, if it is said
	To      string   // Set: the new one; Scale: the factor
	First   int      // Keep: this many lines from the first on
	Price   bool     // Set: the figure is a price
	Each    bool     // Set: the figure is that of every line
	Then    bool     // Set: the words go back to a draft, also behind another answer: "тогда хватит 6"
	Unsure  bool     // Keep: the lines may as well be those to leave alone: "соль оставь"
	Bound   Bound    // Drop, Keep: which lines, by a figure of theirs
	OfDraft bool     // the message says that it is about a draft
	Draft   string   // the ID of the draft, if it is said
	Format  string   // Export: xlsx or csv
	Rows    int      // More: how many rows, if it is said
	Weak    bool     // the words are about a draft only right after one; "looks good" is to be asked about
}

// most is the longest message that is read as an act, in tokens, and mostText in bytes.
const (
	most     = 25
	mostText = 400
)

// message is the words of a message while they are read.
type message struct {
	ts   []token.Token
	at   int
	asks bool // there is a question mark

	weakly bool // a refusal may be none: "пока не надо, я уточню"
}

// Read reads a message. Its Kind is None if it is something else.
func Read(text string) Act {
	a := read(text)
	if a.Kind == None || edits(a.Kind) {
		if edit := editedFirst(text); edit.Kind != None {
			return edit
		}
	}
	if a.Kind != None {
		return a
	}
	if corrected := spelling.Known().Text(text); corrected != text {
		return read(corrected)
	}
	return a
}

func read(text string) Act {
	if len(text) > mostText {
		return Act{}
	}
	var ts []token.Token
	for _, t := range token.Split(text) {
		if t.Kind == token.Mark && (t.Norm == "?" || t.Norm == "." || t.Norm == "!" || t.Norm == ",") {
			if t.Norm != "," || len(ts) == 0 {
				continue
			}
		}
		ts = append(ts, t)
	}
	if len(ts) == 0 || len(ts) > most {
		return Act{}
	}
	m := &message{ts: ts, asks: strings.Contains(text, "?")}
	if a := m.shown(); a.Kind != None {
		return a
	}
	m.skip(polite)
	for _, read := range []func() Act{m.phrase, m.class, m.agreed, m.scale, m.edit, m.loose} {
		start := m.at
		if a := read(); a.Kind != None {
			return a
		}
		m.at = start
	}
	return Act{}
}

var (
	polite = words.Set("отлично супер норм нормально годится подходит пойдет устраивает класс good great fine " +
		"perfect все all пожалуйста плиз пж ну а и ладно хорошо ок окей тогда теперь слушай нет да не-а no ok " +
		"okay please well then now also so так стоп stop wait погоди подожди мне me can could you можешь можно " +
		"давай дорого дороговато много многовато мало маловато жирно")
	tail = words.Set("поставщику поставщикам сразу работу в пожалуйста плиз пж please thanks спасибо уже сейчас " +
		"now там тогда this that it это этот его ее их все всё just совсем мне for me")
	draftWords = words.Set("черновик черновика черновике черновику черновики черновиков draft drafts " +
		"предложение предложения proposal")
	orderWords = words.Set("заказ заказа заказе заказу заказы документ документа документе документы " +
		"перемещение перемещения перемещении списка списке список накладной order document transfer list")
)

func (m *message) norm(i int) string {
	if i < 0 || i >= len(m.ts) || m.ts[i].Kind == token.Quoted {
		return ""
	}
	return m.ts[i].Norm
}

// skip moves past words of a set.
func (m *message) skip(set map[string]bool) {
	for m.at < len(m.ts)-1 && (set[m.norm(m.at)] || m.norm(m.at) == ",") {
		m.at++
	}
}

// rest returns what is left, as words.
func (m *message) rest() string {
	list := make([]string, 0, len(m.ts)-m.at)
	for i := m.at; i < len(m.ts); i++ {
		if w := m.norm(i); w != "," {
			list = append(list, w)
		}
	}
	return strings.Join(list, " ")
}

// said returns the words of a message with single spaces between them, as [meanings] has them.
func said(ts []token.Token) string {
	text := (&message{ts: ts}).rest()
	return strings.Join(strings.Fields(strings.ReplaceAll(text, "-", " ")), " ")
}

// whole are the messages that are one act, without what may follow them.
var whole = map[Kind]string{
	Agree: "все так; да все так; все правильно; да правильно; погнали; вперед; можно отправлять; можно; запускай; " +
		"применяй; применить; применяю; примени; да применяй; сохраняй; годится отправляй; ок отправляй; " +
		"хорошо отправляй; отлично " +
		"отправляй; отправляйте; да отправляйте; да оформляй; да проводи; да подтверждаем; да создавай; да " +
		"сохраняй; apply; apply it; yes apply; ok send; ok send it; ok go ahead; go for it; yes do it; ship it; " +
		"confirm it then; да; давай; отправляй; отправь; отправляем; отправляйте; отправить; проводи; провести; " +
		"проведи; оформляй; оформи; согласен; согласна; да все верно; все верно; верно; да верно; да отправляй; да " +
		"отправь; утверждаю; одобряю; делай; да делай; записывай; запиши; создавай; да давай; yes; yes please; go " +
		"ahead; yes go ahead; send it; send; do it; approve; approved; yes send it; looks good send it; submit; " +
		"submit it; отправляй заказ; отправляй их; да согласен",
	Reject: "отмени; отмена; отменить; отменяй; отменяем; отбой; не надо; не нужно; не отправляй; не отправлять; " +
		"не подтверждаю; отклони; отклонить; отклоняю; передумал; передумала; я передумал; я передумала; мы " +
		"передумали; передумали; не хочу; не стоит; отставить; удали черновик; отмени черновик; отмени последнее; " +
		"отмени последний; отмени последнюю; отмени последний черновик; отклони черновик; убери черновик; сбрось " +
		"черновик; отмени все черновики; удали все черновики; удалить все черновики; убери все черновики; сотри " +
		"все черновики; отменить все черновики; отклони все черновики; cancel all drafts; отмени заказ; отмени " +
		"этот заказ; отмени этот черновик; отмени это; отмени перемещение; отмени все; забудь; cancel; cancel " +
		"that; cancel it; cancel this; cancel the draft; cancel draft; cancel the order; cancel last; cancel the " +
		"last draft; cancel last draft; cancel this draft; cancel that draft; reject the last draft; delete the " +
		"last draft; drop the last draft; отмени последний черновик; удали последний черновик; удали последний; " +
		"удали последнюю; убери последний черновик; сотри черновик; сотри последний; выкинь черновик; удали этот; " +
		"удали его; отмени его; убери его; delete it; remove it; discard the last one; delete the last one; drop " +
		"the last one; delete that; drop it; scrap it; scrap that; scrap the draft; не будем; не буду; не надо " +
		"ничего; ничего не надо; не надо заказывать; не заказывай; не заказывать; не меняй цены; не надо менять; " +
		"не перемещай; не надо перемещать; отмени последний заказ; удали последний заказ; отмени последнее " +
		"перемещение; отмени последнее изменение цен; отмени прошлый заказ; cancel the last order; delete the last " +
		"order; cancel the last transfer; отклони последний черновик; удали этот черновик; отмени этот черновик; " +
		"cancel the last one; reject; reject it; reject the draft; discard; discard it; discard the draft; never " +
		"mind; nevermind; forget it; don't; don't send; don't send it; do not send it; delete the draft; drop the " +
		"draft; cancel the transfer; cancel this order; cancel everything; отмени последнее действие",
	Undo: "верни как было; верни все как было; верни назад; верни обратно; вернуть как было; откати; откат; " +
		"откатить; откати изменения; откати назад; сделай как было; отмени изменения; отмени изменение; отмени " +
		"подтверждение; отмени отправку; undo; undo it; undo that; revert; revert it; roll back; roll it back; put " +
		"it back; undo the last one; undo last change; restore; верни старые цены; верни прежние цены; верни цены; " +
		"верни цены обратно",
	Drafts: "что не подтверждено; что еще не подтверждено; неподтвержденное; покажи неподтвержденное; покажи черновик; " +
		"где черновик; покажи черновик еще раз; что в черновике; show the draft; what needs my approval; what needs " +
		"approval; what do i need to confirm; anything to confirm; what's pending; what is pending; what is waiting",
	All: "все; покажи все; показать все; полностью; целиком; покажи полностью; покажи целиком; весь список; " +
		"покажи весь список; полный список; все строки; покажи все строки; покажи всё целиком; разверни; раскрой; " +
		"вся таблица; всю таблицу; покажи всю таблицу; вывести все; выведи все; all; show all; show everything; " +
		"full list; the full list; show the full list; show all rows; all rows; the whole list; list all; see all; " +
		"show them all",
	More: "еще; ещё; покажи еще; дальше; далее; следующие; покажи следующие; следующая страница; продолжи; " +
		"продолжай; продолжение; остальные; покажи остальные; остальное; покажи дальше; а остальные; more; show " +
		"more; next; next page; continue; the rest; show the rest; go on; keep going; еще строки; следующие 10; " +
		"следующие десять",
	Why: "почему; а почему; почему так; а почему так; за счет чего; а за счет чего; из за чего; а из за чего; " +
		"почему упало; почему упали; почему упала; почему упал; почему выросло; почему выросли; почему " +
		"выросла; почему вырос; почему снизилось; почему снизились; с чем это связано; в чем причина; какая " +
		"причина; что случилось; что произошло; отчего; причина; причины; почему меньше; почему больше; почему " +
		"они такие; why; why is that; why so; how come; what caused it; what is the reason; what drove it; " +
		"what changed; за счет чего рост; за счет чего падение; почему такой рост; почему такое падение; why " +
		"so low; why so high; why did it drop; why did it grow; почему так мало; почему так много; что так " +
		"мало; что так много; что мало так; а что так мало; а что так мало то; че так мало; че так много; чего " +
		"так мало; чего так много; а че так мало; а че так мало то; а чего так мало; че мало так; чего мало " +
		"так; че так мало то; с чего бы; почему они минусовые; почему минусовые; почему они отрицательные; " +
		"почему отрицательные; почему в минусе; почему они в минусе; откуда минус; откуда минусы; почему " +
		"минус; с чего; с чего это; а с чего; че так; чего так; а че так; а чего так; по какой причине; а по " +
		"какой причине; че случилось; чего случилось; в чем дело; чем вызвано; why so little; why so few; why " +
		"so much",
	Details: "подробнее; подробно; подробней; детали; детально; деталями; поподробнее; расскажи подробнее; " +
		"покажи подробнее; можно подробнее; details; more details; in detail; more detail; tell me more; elaborate; " +
		"детализация; детализируй; покажи детали; распиши; show details; show me details; show more details",
	Total: "у кого закажешь; у кого заказываем; у кого заказ; у кого; а у кого; кто поставщик; а кто поставщик; какой " +
		"поставщик; на какой склад; а на какой склад; куда привезут; from whom; who is the supplier; это сколько денег; сколько это денег; сколько денег; сколько денег это; сколько денег выйдет; " +
		"сколько денег уйдет; сколько денег надо; это на сколько; на сколько это; сколько это в деньгах; " +
		"сколько это по деньгам; это сколько по деньгам; сколько это рублей; сколько в рублях; во сколько это " +
		"обойдется; сколько всего выйдет; what does it cost; what will it cost; how much money is it; how much " +
		"money is that; how much is it all; how much is it in total; whats the total; сколько выйдет; сколько " +
		"это выйдет; сколько выходит; сколько выйдет по деньгам; сколько получится; сколько получилось; на " +
		"какую сумму; на какую это сумму; на сколько выйдет; на сколько выходит; какая сумма; какая общая " +
		"сумма; общая сумма; сумма заказа; какая сумма заказа; сколько стоит заказ; сколько это стоит; итого; " +
		"сколько итого; что по деньгам; сколько по деньгам; во сколько обойдется; total; the total; what is " +
		"the total; сколько там товаров; сколько товаров там; сколько позиций; сколько там позиций; сколько " +
		"строк; сколько там строк; how many items; how many lines; что там; что там получилось; а что " +
		"там; что там вышло; что получилось; что вышло; что в нем; а что в нем; что внутри; покажи что " +
		"там; покажи что получилось; покажи что вышло; покажи его; покажи заказ; покажи его еще раз; " +
		"покажи перемещение; что в заказе; что осталось в заказе; что осталось; что теперь в заказе; что " +
		"в заказе осталось; что в итоге; что в перемещении; что теперь там; покажи что осталось; покажи " +
		"что в заказе; what is left; what's left; what's in the order; what is in the order; what is in " +
		"it; what's in it; show it; show it again; show me the draft; how much is that; how much is it; " +
		"how much will it cost; how much in total; what does it come to; how much does it come to",
	Lost: "не понял; не поняла; непонятно; не понятно; не понимаю; что; чего; в смысле; это как; что это значит; " +
		"что ты имеешь в виду; поясни; объясни; i don't understand; i do not understand; don't understand; what; " +
		"huh; what do you mean; what does that mean; i don't get it; unclear; not clear; explain; sorry; я не " +
		"понял; что-то я не понял; что то я не понял; я что-то не понял; че; чё; объясни нормально; объясни понятно; " +
		"ничего не понял; ничего не понятно; не ясно; я запутался; я запуталась; как это понимать",
	Chart: "графиком; покажи графиком; на графике; график; построй график; покажи график; диаграмма; диаграммой; " +
		"построй диаграмму; покажи диаграмму; нарисуй график; в виде графика; визуализируй; chart; as a chart; " +
		"show a chart; plot; plot it; draw a chart; graph; as a graph; show it as a chart; make a chart; можно " +
		"график; покажи на графике; круговая диаграмма; show a graph; pie chart; bar chart; дай график; сделай " +
		"график; выведи график",
}

var exports = map[string]string{
	"xlsx": "в эксель; в excel; в xlsx; эксель; excel; xlsx; скачать; скачай; выгрузи; выгрузить; выгрузка; " +
		"экспорт; экспортируй; выгрузи в эксель; выгрузи в excel; скачать в эксель; скачать в excel; дай в эксель; " +
		"дай в excel; сохрани в эксель; файлом; дай файлом; дай файл; пришли файл; пришли файлом; в файл; выгрузи " +
		"в файл; таблицей в эксель; сделай эксель; сделай excel; экспорт в эксель; экспорт в excel; as excel; in " +
		"excel; to excel; export; export it; export to excel; download; download it; as a file; as xlsx; give me a " +
		"file; send me a file; excel file; download as excel; save to excel; excel please; можно в эксель; можно в " +
		"excel; хочу в эксель; отправь в эксель; сохрани; сохранить; распечатай; печать; в pdf; pdf; print; as " +
		"pdf; в гугл таблицы; в таблицу; export this; экспортируй в excel; экспортируй в эксель; выгрузи это; " +
		"выгрузи это в эксель; экселькой; в экселе; в экселькe",
	"csv": "в csv; csv; выгрузи в csv; скачать в csv; as csv; to csv; export to csv; in csv; as a csv; экспорт в " +
		"csv; download as csv; дай csv; csv файлом; csv file; export as csv; export csv; дай в csv",
}

type meaning struct {
	kind   Kind
	format string
	weak   bool // see [Act]
}

var meanings = func() map[string]meaning {
	out := map[string]meaning{}
	add := func(list string, m meaning) {
		for p := range strings.SplitSeq(list, ";") {
			out[said(token.Split(strings.TrimSpace(p)))] = m
		}
	}
	for kind, list := range whole {
		add(list, meaning{kind: kind})
	}
	for format, list := range exports {
		add(list, meaning{kind: Export, format: format})
	}
	return out
}()

// meant returns what words mean as a whole, or as a row of phrases that decide the same: "не надо, передумал".
func meant(list []string) (meaning, bool) {
	if found, ok := meanings[strings.Join(list, " ")]; ok {
		return found, true
	}
	for i := 1; i < len(list); i++ {
		first, ok := meanings[strings.Join(list[:i], " ")]
		second, also := meanings[strings.Join(list[i:], " ")]
		if ok && also && first == second && first.kind == Undo {
			return first, true
		}
	}
	return decided(list)
}

// more reads "ещё 10", "следующие двадцать", "another 5": further rows, by their number.
func (m *message) more() Act {
	var number string
	more := false
	for i := m.at; i < len(m.ts); i++ {
		switch w := m.norm(i); {
		case moreWords[w]:
			more = true
		case aroundMore[w]:
		case m.ts[i].Kind == token.Number && number == "":
			number = w
		case number == "" && quantity.Numeral(w) > 1:
			number = strconv.Itoa(quantity.Numeral(w))
		default:
			return Act{}
		}
	}
	if n, err := strconv.Atoi(number); err == nil && more && n > 0 && n <= mostMore {
		return Act{Kind: More, Rows: n}
	}
	return Act{}
}

// mostMore is the most rows that a message may ask for.
const mostMore = 300

var (
	moreWords  = words.Set("еще ещё следующие следующих more another next")
	aroundMore = words.Set("покажи дай выведи а и пожалуйста строк строки позиций show me the give and please " +
		"rows lines")
)

// thanks reports whether what is behind a token thanks.
func (m *message) thanks(at int) bool {
	for ; at < len(m.ts); at++ {
		if w := m.norm(at); w == "спасибо" || w == "thanks" {
			return true
		}
	}
	return false
}

// phrase reads a message that is one act as a whole, with a word of politeness around it.
func (m *message) phrase() Act {
	a := Act{}
	if n := len(m.ts); strings.HasPrefix(m.norm(n-1), "drf") && n > 1 {
		a.Draft = m.ts[n-1].Raw
		m.ts = m.ts[:n-1]
		defer func(all []token.Token) { m.ts = all }(m.ts[:n])
	}
	for start := m.at; start >= 0; start-- { // "да" and "ок" are also polite words before others
		m.at = start
		for end := len(m.ts); end > start; end-- {
			text := said(m.ts[start:end])
			if found, ok := meant(strings.Fields(text)); ok && !(found.kind == Agree && denied(m.ts[:start])) {
				a.Kind, a.Format, a.Weak = found.kind, found.format, found.weak || found.kind == Total
				if found.kind == Agree && m.asks { // "всё верно?" wants to see it again
					a.Kind, a.Weak = Total, true
				}
				if found.kind == All && m.thanks(end) { // "всё, спасибо" ends the conversation
					return Act{}
				}
				a.OfDraft = strings.Contains(text, "чернов") || strings.Contains(text, "draft")
				return a
			}
			if !tail[m.norm(end-1)] && m.norm(end-1) != "," {
				break
			}
		}
	}
	m.at = 0
	if m.prints() {
		return Act{Kind: Export, Format: "xlsx"}
	}
	switch {
	case m.asksTotal(), m.asksContents():
		return Act{Kind: Total, Weak: true}
	case m.rejects():
		return Act{Kind: Reject, Weak: m.weakly}
	}
	if m.listsDrafts() {
		return Act{Kind: Drafts, OfDraft: true}
	}
	return m.more()
}

// listsDrafts reports whether a message asks which drafts there are: it has a word for them, and none but those for a
// list of what is open.
func (m *message) listsDrafts() bool {
	drafts := false
	for i := range m.ts {
		switch w := m.norm(i); {
		case draftPlurals[w] || i > 0 && approval[w]:
			drafts = true
		case !listingDrafts[w] && m.ts[i].Kind != token.Mark:
			return false
		}
	}
	return drafts
}

var (
	draftPlurals = words.Set("черновики черновиков черновикам черновиках черновички неподтвержденные " +
		"неподтвержденных неподтвержденное drafts proposals")
	approval = words.Set("подтверждения подтверждении подтвердить согласования согласовании approval " +
		"confirmation")
	// the words around them
	listingDrafts = words.Set("а и ли в что какие какой сколько где есть покажи показать дай выведи список все " +
		"мои моего наши у меня нас еще ещё сейчас там открытые открытых открыто открыты неподтвержденные " +
		"неподтверждённые последние новые висят висит ждут ждет ждёт ожидают ожидает остались осталось " +
		"накопилось готовы нужно надо заказы документы на мне нам пожалуйста what what's which how many where " +
		"are is there show list me my our all the open pending waiting awaiting for unconfirmed left still any " +
		"anything do we i have of")
)
