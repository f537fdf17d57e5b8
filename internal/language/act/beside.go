package act

import (
	"strings"

	"github.com/stockhand/stockhand/internal/language/quantity"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// asksTotal reports whether a message only asks what the draft comes to, in any order of its words: "а денег это
// сколько", "и во сколько всё обойдётся" (rule R764).
func (m *message) asksTotal() bool {
	asks := token.Wording{Needs: []map[string]bool{howMuch}, Beside: aroundTotal}
	return asks.Is(m.ts, inMoney) && (len(m.ts) > 1 || inMoney[m.norm(0)])
}

var (
	howMuch = words.Set("какая какой какую сколько что че чё вопроса скока скок скоко почем итого итог итогу total " +
		"sum much whats what's come")
	inMoney = words.Set("ценник денег деньгам деньгами деньгах рублей рублях рублям сумма сумму сумме суммы " +
		"выйдет выходит вышло получится получилось обойдется обойдётся станет стоит стоить заплатим заплачу " +
		"платить потратим потрачу уйдет уйдёт ушло надо нужно cost costs money price total sum")
	aroundTotal = words.Set("цена а и ну так же это этот этого он оно они все всё всего всех там тут по на во в " +
		"за у нас мне нам я мы какая какой общая общую общей итоговая примерно примерно вместе заказ заказа " +
		"заказу заказы их его будет если тогда is the of it that this will be for all we i pay to how what in " +
		"order draft so and does did")
)

// asksContents reports whether a message only asks what is in the draft now, or what its prices come to: "что
// осталось в заказе", "на сколько подорожает" (rule R811).
func (m *message) asksContents() bool {
	asks := token.Wording{Needs: []map[string]bool{whatIsIn, contents}, Beside: aroundContents}
	return asks.Is(m.ts, nil)
}

var (
	whatIsIn = words.Set("кто кого когда куда откуда что чего че чё какие какая какой какую какое на насколько " +
		"покажи покажите what what's show how which")
	contents = words.Set("поставщик поставщика поставщики поставщиков поставщику привезут привезёт привезет " +
		"доставят доставка поставка придет придёт приедет взял взяли возьмем возьмём берем берём везем везём " +
		"повезем повезём supplier заказе заказ черновике черновик перемещении списке документе осталось остались " +
		"вошло вошли входит входят набралось попало изменится изменилось поменяется вырастет вырастут поднимется " +
		"поднимутся подорожает подорожают подешевеет подешевеют снизится снизятся изменятся станет станут будут " +
		"подняли снизили выросли вырос order draft left changes change rise increase")
	aroundContents = words.Set("туда сюда оттуда а и ну в во там нем нём теперь сейчас итоге итого получилось " +
		"вышло у нас весь сам этот этом целиком полностью еще ещё раз сколько цены цена они она ли же по in the is " +
		"are now it will prices price by much of me full whole then so do does did")
)

// rejects reports whether a message cancels in one clause and says why in others, before or behind it: "не, отмени, я
// им сама позвоню", "перед новым годом не стоит, убери это" (rules R765 and R1132). The reasons order nothing and have
// no figure: they would be another task.
func (m *message) rejects() bool {
	cancels, weak, from, clauses := false, false, 0, 0
	for i := 0; i <= len(m.ts); i++ {
		if i < len(m.ts) && m.norm(i) != "," && m.ts[i].Norm != "-" && m.ts[i].Norm != "—" {
			continue
		}
		clause := m.ts[from:i]
		from = i + 1
		if len(clause) == 0 {
			continue
		}
		clauses++
		found, ok := meant(strings.Fields(said(clause)))
		switch {
		case ok && found.kind == Reject:
			cancels, weak = cancels || !found.weak, weak || found.weak
		case len(clause) == 1 && stopping[clause[0].Norm]:
		case !reason(clause), !cancels && !weak && !plainReason(clause):
			return false
		}
	}
	m.weakly = weak && !cancels
	return clauses > 1 && (cancels || weak)
}

// stopping are words in front of a refusal.
var stopping = words.Set("стой стоп погоди подожди постой нет не ой блин ладно слушай извини а ну wait stop no sorry " +
	"oh hmm ok")

// plainReason reports whether a clause in front of a refusal names nothing: of "чай уже заказали, удаляй", only the tea
// goes.
func plainReason(ts []token.Token) bool {
	for i := range ts {
		if w := ts[i].Norm; ts[i].Kind == token.Word && !whoOrWhen[w] && !aroundReason[w] {
			return false
		}
	}
	return true
}

var aroundReason = words.Set("перед под после к до новым нового новому не стоит это этого то его их ее её нам вам " +
	"мне меня у нас вчера сегодня пока еще ещё сами там все всё так с по в на будет буду очень прошел прошла скоро " +
	"потому ведь просто а и ну надо нужно это-то передумал передумала передумали раздумал раздумала is it this " +
	"that was a the my too for not it's")

func reason(ts []token.Token) bool {
	const most = 9
	somebody := false
	if len(ts) > most {
		return false
	}
	for i := range ts {
		w := ts[i].Norm
		if ts[i].Kind == token.Number || ts[i].Kind == token.Quoted || quantity.Numeral(w) > 1 || otherTask[w] {
			return false
		}
		for _, begin := range orders {
			if strings.HasPrefix(w, begin) {
				return false
			}
		}
		somebody = somebody || whoOrWhen[w]
	}
	return somebody
}

var (
	whoOrWhen = words.Set("я мы он она они сам сама сами мне нам у уже потом позже завтра шеф директор хозяин " +
		"муж жена клиент поставщик бухгалтер дорого поздно рано хватит хватает ошибка ошибся ошиблась ошиблись " +
		"праздник праздниками праздников год года году годом сезон сезона сезоном сезону рано лучше невыгодно смысла " +
		"уточню спрошу подумаю посчитаю проверю перепутал перепутала перепутали понадобится понадобятся пригодится " +
		"заказали купили привезли привез привезла сделали подняли снизили поменяли ошибочно случайно " +
		"i'll we'll season check holidays mistake expensive early late i we he she they already later tomorrow " +
		"myself boss")
	otherTask = words.Set("вместо только кроме а но instead only except but rather давай оставь сделай " +
		"пусть")
	orders = []string{"закажи", "закажем", "перемест", "перекин", "подними", "снизь", "снизи", "постав", "покажи",
		"добав", "измени", "замени", "округл", "order", "move", "transfer", "raise", "lower", "show",
		"add", "change", "set"}
)
