package talk

import (
	"github.com/stockhand/stockhand/internal/language"
	"github.com/stockhand/stockhand/internal/words"
)

// The classes of words that families are made of.
var (
	removing = words.Set("убери уберите убрать уберем убираем исключи исключите исключить исключаем выкинь " +
		"выкинуть выкидываем выброси выбросить выбрось отбрось отбросить скрой скройте скрыть спрячь " +
		"вычти вычесть отними вычеркни отсей отсеять отфильтруй удали удалить выключи минусуй remove " +
		"exclude hide drop omit skip ignore")
	otherOnes = words.Set("остальное остальные остальных остальную остальной прочее прочие прочих лишнее " +
		"лишние лишних другие других другое others rest else")
	denying   = words.Set("не без don't dont don’t not no")
	countedIn = words.Set("считай считайте считать считаем учитывай учитывайте учитывать учитываем бери " +
		"берите брать берем включай включайте включать прибавляй плюсуй показывай показывайте показывать " +
		"выводи выводить трогай надо нужен нужна нужно нужны интересует интересуют интересен интересна " +
		"интересны важен важна важны беря считая учитывая включая count include consider counting " +
		"including considering do")
	aroundRemoved = words.Set("отсюда оттуда сюда туда расчет расчета расчете расчеты сумму сумме суммы итог " +
		"итога итоге все всё всю всех только пожалуйста from of this that list report")
	deducting = words.Set("минус вычетом исключением помимо")
	keeping   = words.Set("оставь оставьте оставить оставим оставляем отбери отберите отобрать выбери " +
		"выбрать выберем отфильтруй отфильтровать фильтруй фильтр фильтром сузь сузить сузим ограничь " +
		"ограничьте ограничить ограничимся ограничься ограничиться рамках пределах keep leave filter " +
		"narrow limit")
	onlyClass = words.Set("только лишь исключительно чисто конкретно именно отдельно один одна одно одну " +
		"одной одни единственно интересует интересуют нужен нужна нужны only just specifically")
	aroundKept = words.Set("до по на у для от с со к видеть увидеть смотреть посмотреть сам сама сами самой " +
		"тоже поставь примени наложи to for by at in on down see")
)

// families are tried in their order.
var families = []family{
	{Wording: wording(join(onlyClass, keeping, aroundKept, aroundRemoved), otherOnes, removing), object: aName,
		plain: "только $", en: "only $"},
	{Wording: wording(aroundRemoved, removing), object: anything, plain: without + "$", en: "without $",
		of: ofFigures},
	{Wording: wording(aroundRemoved, denying, countedIn), object: anything, plain: without + "$", en: "without $",
		of: ofFigures},
	{Wording: wording(words.Set("за"), deducting), object: anything, plain: without + "$", en: "without $",
		of: ofFigures},
	{Wording: wording(join(onlyClass, aroundKept, aroundRemoved), keeping), object: aName, plain: "только $",
		en: "only $"},
	{Wording: wording(aroundKept, onlyClass), object: aName, plain: "только $", en: "only $"},

	{Wording: wording(join(topRows, onlyClass), fewerRows), object: aNumber, plain: "топ $", en: "top $",
		of: ofRows},
	{Wording: wording(topRows, enoughRows), object: aNumber, plain: "топ $", en: "top $", of: ofRows},
	{Wording: wording(join(topRows, onlyClass)), object: aNumber, plain: "топ $", en: "top $", of: isLimited},

	{Wording: wording(aroundDaysOfAge, ofDays), object: aNumber, plain: "за $ дней", en: "over $ days", of: ofAge},
	{Wording: wording(aroundDaysOfAge), object: aNumber, plain: "за $ дней", en: "over $ days", of: ofAge},

	{Wording: wording(aroundBreaking, breaking), object: aDimension, plain: "по $", en: "by $", of: ofRead},
	{Wording: wording(aroundSwitching, switching), object: aPeriod, plain: "а за $", en: "and in $", of: ofPeriod},

	{Wording: wording(aroundBreaking, preferring), object: aDimension, plain: "а по $", en: "by $", of: ofRead},
	{object: rows, plain: "а по $", en: "by $", of: byGoodsOrTime},
	{Wording: wording(aroundSwitching, wholly), object: aPeriod, plain: "а за $", en: "and in $", of: ofPeriod},
	{Wording: wording(aroundShare, sharing), plain: "доля каждой", en: "share of each", of: hasShares},
	{Wording: wording(aroundReversed, reversing), plain: "кому мы должны", en: "whom do we owe", of: theyOwe},
	{Wording: wording(aroundReversed, reversing), plain: "кто нам должен", en: "who owes us", of: weOwe},
	{Wording: wording(aroundDebts, toSuppliers), plain: "кому мы должны", en: "whom do we owe", of: theyOwe},
	{Wording: wording(words.Set("кому перед должны сколько сами"), us), plain: "кому мы должны",
		en: "whom do we owe", of: theyOwe},
	{Wording: wording(aroundReversed, reversing), plain: "наоборот", en: "in reverse order", of: hasRows},
	{Wording: wording(aroundReversed, trailing), plain: "худшие", en: "the worst", of: hasRows},
	{Wording: wording(aroundSorted, rising), plain: "по возрастанию", en: "ascending", of: hasRows},
	{Wording: wording(aroundSorted, smaller, firstInOrder), plain: "по возрастанию", en: "ascending", of: hasRows},
	{Wording: wording(aroundSorted, bigger, firstInOrder), plain: "по убыванию", en: "descending", of: hasRows},
	{Wording: wording(aroundLonger, longer), object: aSpan, plain: "дольше $", of: ofLate},
	{Wording: wording(aroundOlder, longer), object: aSpan, plain: "старше $", en: "older than $", of: ofDocuments},
	{Wording: wording(aroundMoney, worthInMoney), plain: "в деньгах", of: ofQuantities},
	{Wording: wording(aroundCompared, comparedTo), object: aPeriod, plain: "сравни с $", of: ofPeriod},
	{Wording: wording(nil, lying), object: aPlace, plain: "а $", of: ofNamedStock},
	{Wording: wording(joiningNames, toNames, toThem), object: aName, plain: "и $", en: "and also $", of: ofRead},
	{Wording: wording(aroundSwitching, sameWords), object: aPeriod, plain: "а за $", en: "and in $", of: ofPeriod},
	{Wording: wording(nil, sameWords), object: aPlace, plain: "а $", of: ofRead},
	{Wording: wording(byOf, sameWords), object: aMeasure, plain: "а по $", en: "by $", of: hasRows},
	{Wording: wording(byOf, recounting), object: aMeasure, plain: "а по $", en: "by $", of: ofRead},
	{Wording: wording(byOf, kindWords), object: aName, plain: "только $", en: "only $", of: ofFigures},
	{Wording: wording(aroundSpent, whither), plain: "по статьям", of: ofExpenses},
	{Wording: wording(byOf, categoryWords), plain: "by item", of: ofExpenses},
	{Wording: wording(words.Set("к с со ним ней нему тоже также склад складом по"), joiningNames), object: aName,
		plain: "и $", en: "and also $", of: ofRead},
}

var (
	fewerRows = words.Set("сократи сократить сокращай урежь урезать обрежь ограничь ограничься ограничимся " +
		"расширь расширить увеличь увеличить уменьши уменьшить оставь оставьте оставить сузь limit cut " +
		"keep extend expand")
	enoughRows = words.Set("хватит хватает достаточно довольно enough")
	topRows    = words.Set("топ топа топе топом самых самые крупных крупнейших больших главных первые первых " +
		"первым первую первой первыми лучших лучшие верхних верхние строк строки строками строчек " +
		"позиций позиции штук шт до на вполне уже список рейтинг мало маловато is are will be would top " +
		"first rows items best for to up")
	ofDays          = words.Set("дней дня день дням сутки суток days")
	aroundDaysOfAge = words.Set("за от до на свыше больше более дольше старше возьми взять поставь увеличь " +
		"уменьши снизь порог срок лежат лежит for over more than since")
	breaking = words.Set("разбей разбейте разбить разложи разложить раскидай раскидать распредели " +
		"распределить раздели разделить сгруппируй сгруппировать группируй детализируй детализировать " +
		"распиши расписать разнеси переделай переделать разрез разрезе разбивка разбивкой разбивку " +
		"разбивке группировка группировкой детализация детализацией расклад раскладка раскладку split " +
		"group break")
	aroundBreaking = words.Set("на по с со весь все всё его ее их эти by down into per")
	switching      = words.Set("поменяй поменять смени сменить измени изменить переключи переключись замени " +
		"возьми возьмем взять берем посмотреть посмотрим перейди change switch")
	aroundSwitching = words.Set("период периода дату даты месяц на за по к с про данные to period month")
	joiningNames    = words.Set("плюс + вместе добавь добавить добавим присоедини приплюсуй включи прибавь " +
		"plus add together")
)

const without = "без "

var (
	preferring = words.Set("лучше instead rather")
	wholly     = words.Set("целиком полностью целый целую целое весь всю whole entire")
	sharing    = words.Set("доля доли долю долей долями долях процент проценты процентах процентов " +
		"процентное процентом % вес весом share shares percent percentage percents")
	aroundShare = words.Set("какие каждой каждого каждая каждый каждую каждому у них от " +
		"общего общем общей объеме объема итога итого всего суммы сумма удельный удельным соотношение " +
		"соотношении занимает занимают составляет составляют приходится переведи перевести пересчитай " +
		"посчитай добавь с со сколько их на по к of each every total as what is")
	reversing = words.Set("наоборот переверни перевернуть обратном обратный обратная обратную обратно конца " +
		"снизу reverse reversed opposite")
	trailing = words.Set("хвост хвосте хвоста аутсайдеры аутсайдеров аутсайдер антирейтинг антитоп " +
		"антилидеры отстающие laggards losers")
	aroundReversed = words.Set("с кто порядке порядок список рейтинг топ таблицу сторона сторону других " +
		"какие какой the order list what about in")
	us      = words.Set("мы we")
	lying   = words.Set("остался осталась осталось остались есть имеется лежит лежат стоит хранится")
	toNames = words.Set("к ко to")
	toThem  = words.Set("ним ней нему этому этим it them that")
)

var (
	toSuppliers = words.Set("поставщикам поставщиками поставщиков suppliers")
	aroundDebts = words.Set("перед долги долг долгов нашу наши наш задолженность мы сколько должны кому что " +
		"to our debt debts we owe")
	rising  = words.Set("возрастанию возрастания возрастание ascending")
	smaller = words.Set("меньших меньшие маленькие маленьких мелкие мелких меньшего слабые слабых худшие " +
		"худших")
	bigger       = words.Set("больших большие крупные крупных большего лучшие лучших сильные сильных")
	firstInOrder = words.Set("сначала начни начать начиная сверху первыми вверху вперед наверх наверху")
	aroundSorted = words.Set("с со по порядке порядок от к отсортируй сортируй сортировка сортировать " +
		"расположи поставь самые самых in order sort")
	longer       = words.Set("больше более старше свыше дольше от over than")
	aroundLonger = words.Set("только просрочены просрочен просрочка просроченные висят висит те что чем " +
		"которые more only late")
	aroundOlder = words.Set("только лишь те что чем которые которым которых какие каким где кому уже уж из них висят висит " +
		"лежат лежит тянутся ждут стоят давние давно старые возрастом сроком давностью им more only those that which are " +
		"older than old been waiting open")
	worthInMoney   = words.Set("деньгах деньгами стоимость стоимости стоимостью денежном рублях")
	comparedTo     = words.Set("к ко")
	aroundCompared = words.Set("по сравнению прирост динамика как изменение изменилось изменилась отношению " +
		"по")
)

var (
	sameWords = words.Set("самое аналогично аналогичное аналогичный аналогичную такое такой такую такие " +
		"same")
	recounting = words.Set("пересчитай пересчитать посчитай переделай построй рассчитай recount " +
		"recalculate")
	byOf      = words.Set("по на для from by for per таблица таблицу список топ рейтинг отчет")
	kindWords = words.Set("группе группы группу группой складу поставщику покупателю клиенту контрагенту " +
		"group")
	whither     = words.Set("куда")
	aroundSpent = words.Set("ушли ушло уходят уходит деньги дели делись пошли потратили потрачено тратим " +
		"тратили они все всё")
	categoryWords = words.Set("category categories")
)

// ofExpenses reports whether an answer was the money that was spent.
func ofExpenses(done *language.Reading) bool {
	return done.Query != nil && len(done.Query.Measures) == 1 && done.Query.Measures[0] == "money_out"
}

// ofLate reports whether an answer was the overdue orders.
func ofLate(done *language.Reading) bool { return done.Skill == language.OverdueOrders }

// ofQuantities reports whether an answer was how much there is of goods, by something.
func ofQuantities(done *language.Reading) bool {
	q := done.Query
	return q != nil && len(q.By) > 0 && len(q.Measures) == 1 && q.Measures[0] == "stock"
}

// hasRows reports whether an answer shows figures by something.
func hasRows(done *language.Reading) bool {
	return done.Skill == language.Profitability || done.Query != nil && len(done.Query.By) > 0
}

// hasShares reports whether an answer shows figures that may be parts of a whole, and no changes: those are in percent.
func hasShares(done *language.Reading) bool {
	return hasRows(done) && !done.Arguments.Compare && (done.Query == nil || done.Query.Compare == nil)
}

// byGoodsOrTime reports whether an answer shows figures by goods, warehouses or time, and not by people.
func byGoodsOrTime(done *language.Reading) bool {
	if done.Skill == language.Profitability {
		return done.Arguments.By == "product"
	}
	q := done.Query
	return q != nil && len(q.By) == 1 && (timeRows[q.By[0]] || goodsRows[q.By[0]])
}

var goodsRows = words.Set("product group store variant")

func theyOwe(done *language.Reading) bool { return owed(done, "owed_to_us") }

func weOwe(done *language.Reading) bool { return owed(done, "owed_by_us") }

// owed reports whether an answer was the debts of one side.
func owed(done *language.Reading, side string) bool {
	return done.Skill == language.Receivables && done.Arguments.Direction == side ||
		done.Query != nil && len(done.Query.Measures) == 1 && done.Query.Measures[0] == side
}

// join returns a class of the words of several.
func join(classes ...map[string]bool) map[string]bool {
	all := map[string]bool{}
	for _, c := range classes {
		for w := range c {
			all[w] = true
		}
	}
	return all
}

// isLimited reports whether an answer is a number of rows of a ranking.
func isLimited(done *language.Reading) bool {
	return done.Arguments.Limit > 0 || done.Query != nil && done.Query.Limit > 0
}
