package talk

import (
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/language"
	"github.com/stockhand/stockhand/internal/language/query"
	"github.com/stockhand/stockhand/internal/language/refer"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// fact is something that people ask about the rows which they see: what is left of them, what they cost, who bought
// them. It is said by a word of each class that it needs, in any order, among words beside them (rule R900).
type fact struct {
	of string // the dimension of the rows
	token.Wording
	them   bool                              // a word must mean the rows
	place  bool                              // a warehouse must be named
	behind func(done *language.Reading) bool // nil behind all answers
	unless map[string]bool                   // words that make it another question
	plain  string                            // the words that always mean it
	ever   bool                              // it has no period
	whole  bool                              // it is about the answer, whatever its rows are
}

// rowFacts are tried in their order.
var rowFacts = []fact{
	{of: "product", Wording: wording(aroundLasts, lastsWords), plain: "на сколько дней хватит этих товаров"},
	{of: "product", Wording: wording(aroundLasts, stockWords, dayWords),
		plain: "на сколько дней хватит этих товаров"},
	{of: "product", Wording: wording(aroundValue, howMuchWorth, worthIs, stocksNouns),
		plain: "остаток по себестоимости этих товаров"},
	{of: "product", Wording: wording(aroundStock, places, storedWords), plain: "остаток этих товаров по складам"},
	{of: "product", Wording: wording(aroundStock, places, stockWords), plain: "остаток этих товаров по складам"},
	{of: "product", Wording: wording(aroundStock, where, storedWords), plain: "остаток этих товаров по складам"},
	{of: "product", Wording: wording(aroundStock, stockWords), plain: "остаток этих товаров"},
	{of: "product", Wording: wording(aroundStock, storedWords), place: true, plain: "остаток этих товаров"},
	{of: "product", Wording: wording(aroundStock, howMany), them: true, place: true, plain: "остаток этих товаров"},
	{of: "product", Wording: wording(aroundStock, howMany, inStock), plain: "остаток этих товаров"},
	{of: "product", Wording: wording(join(aroundStock, overall), howMany, pieceWords), them: true, behind: ofNoSales,
		plain: "остаток этих товаров"},
	{of: "product", Wording: wording(aroundPrices, costing, bought), plain: "закупочная цена этих товаров"},
	{of: "product", Wording: wording(aroundPrices, costing, ours), plain: "закупочная цена этих товаров"},
	{of: "product", Wording: wording(aroundPrices, purchasing), plain: "закупочная цена этих товаров"},
	{of: "product", Wording: wording(aroundWorth, amounts, storedWords), behind: ofStock, whole: true,
		plain: "на какую сумму"},
	{of: "product", Wording: wording(aroundWorth, amounts), behind: ofStock, whole: true, plain: "на какую сумму"},
	{of: "product", Wording: wording(aroundWorth, costing, atCost), behind: ofStock, whole: true,
		plain: "на какую сумму"},
	{of: "product", Wording: wording(aroundPrices, priceNouns), plain: "цена этих товаров"},
	{of: "product", Wording: wording(aroundPrices, costing, selling), unless: ours, plain: "цена этих товаров"},
	{of: "product", Wording: wording(aroundLastTime, lastTimeWords, lastPrices, buyWords), ever: true,
		plain: "цена последней закупки этих товаров"},
	{of: "product", Wording: wording(aroundLastTime, lastTimeWords, soldWords), ever: true,
		plain: "когда последний раз продавали эти товары"},
	{of: "product", Wording: wording(aroundLastTime, lastTimeWords, broughtWords), ever: true,
		plain: "когда последний раз закупали эти товары"},
	{of: "product", Wording: wording(aroundLastTime, whenOf, broughtWords), them: true, ever: true,
		plain: "когда последний раз закупали эти товары"},
	{of: "product", Wording: wording(aroundFigure, marginWords), them: true, plain: "маржа этих товаров"},
	{of: "product", Wording: wording(aroundFigure, markupWords), them: true, plain: "наценка этих товаров"},
	{of: "product", Wording: wording(aroundFigure, profitWords), them: true, behind: ofSales,
		plain: "прибыль этих товаров"},
	{of: "product", Wording: wording(aroundPartners, buyers, takeWords), plain: "кто покупал эти товары"},
	{of: "product", Wording: wording(aroundPartners, toWhom, soldWords), plain: "кто покупал эти товары"},
	{of: "product", Wording: wording(aroundPartners, buyerNouns), them: true, plain: "кто покупал эти товары"},
	{of: "product", Wording: wording(aroundPartners, supplierNouns, whoWords), behind: ofBelow,
		plain: "по поставщикам"},
	{of: "product", Wording: wording(aroundPartners, supplierNouns), them: true, behind: ofBelow,
		plain: "по поставщикам"},
	{of: "product", Wording: wording(aroundPartners, supplierNouns), them: true, plain: "кто поставляет эти товары"},
	{of: "product", Wording: wording(aroundPartners, whoWords, supplyWords), behind: ofBelow,
		plain: "по поставщикам"},
	{of: "product", Wording: wording(aroundPartners, supplierNouns, whoWords), plain: "кто поставляет эти товары"},
	{of: "product", Wording: wording(aroundPartners, whoWords, supplyWords), plain: "кто поставляет эти товары"},
	{of: "counterparty", Wording: wording(aroundLastOfPartner, lastTimeWords, takeWords), behind: ofSales,
		unless: whatWords, ever: true, plain: "когда они последний раз покупали"},
	{of: "counterparty", Wording: wording(aroundBought, whatWords, takeWords), behind: ofSales,
		plain: "что они покупали"},
	{of: "counterparty", Wording: wording(aroundBought, whatWords, soldWords, forThem), behind: ofSales,
		plain: "что они покупали"},
	{of: "counterparty", Wording: wording(aroundDebt, debtWords), unless: ourDebt, plain: "сколько они должны"},
	{of: "counterparty", Wording: wording(aroundDebt, notWords, payWords), unless: ourDebt,
		plain: "сколько они должны"},
	{of: "counterparty", Wording: wording(aroundDebt, contactWords), plain: "телефоны этих клиентов"},
}

// factOfRows reads a question about the rows that were shown; nil for any other message. Rows are meant by a word such
// as "их", or if the answer is a part of what there is, such as the first ten.
func factOfRows(task string, in language.Input) *language.Reading {
	rows := in.Rows
	if in.Previous == nil || !in.Previous.Skill.Reads() || !elliptical(task) {
		return nil
	}
	named := language.NamedRows(rows) && !rows.Earlier && !rows.More && len(rows.IDs) > 1 &&
		(!rows.Top || rows.Dimension == "product" && !token.Split(task)[0].Cyrillic)
	them, it, every := false, false, false
	for _, x := range token.Split(task) {
		them = them || meansRows[x.Norm] || refer.IsThey(x.Norm)
		it = it || refer.IsHe(x.Norm) && !refer.IsThey(x.Norm)
		every = every || allGoods[x.Norm]
	}
	one := it && rowsOf(rows, "product") && (len(rows.IDs) == 1 || rows.Top)
	if it && !one && rows != nil && rows.Dimension == "product" {
		return nil // which of the rows, is asked
	}
	if named, them = named || one, them || one; !them && (every || !limited(in.Previous)) {
		return nil
	}
	for i := range rowFacts {
		f := &rowFacts[i]
		if !f.whole && (!named || f.of != rows.Dimension) || f.behind != nil && !f.behind(in.Previous) ||
			f.them && !them {
			continue
		}
		place, ok := f.said(task, in)
		if !ok || f.place && place == "" {
			continue
		}
		text := f.plain
		if one {
			text = ofTheOne.Replace(text)
		}
		if place != "" {
			text += " " + place
		}
		x := read(text, in)
		if !complete(&x) {
			return nil
		}
		if x.Query != nil && f.ever {
			q := *x.Query
			q.From, q.To = "", ""
			if !query.Possible(in.Catalogue, q) {
				return nil
			}
			x.Query = &q
		}
		x.Task, x.FollowUp = task, true
		x.Language = languageOf(task, in)
		return &x
	}
	return nil
}

// ofTheOne are the words for one of the goods.
var ofTheOne = strings.NewReplacer("этих товаров", "этого товара", "эти товары", "этот товар")

// said reports whether a message asks for a fact, and returns the warehouse that it names.
func (f *fact) said(task string, in language.Input) (place string, ok bool) {
	ts := token.Split(task)
	rest, ok := f.Rest(ts, aroundRows)
	if !ok || slices.ContainsFunc(ts, func(x token.Token) bool { return f.unless[x.Norm] }) {
		return "", false
	}
	if len(rest) == 0 {
		return "", true
	}
	plain := in
	plain.Previous, plain.Rows = nil, nil
	s := (&talk{in: plain}).parts(task, false)
	for _, p := range s.parts {
		if p.slots[0] == "store" && len(p.slots) == 1 && p.core <= rest[0] && rest[len(rest)-1] < p.to {
			return s.words(p.from, p.to), true
		}
	}
	return "", false
}

// Words that say nothing of their own in a question about rows, and those that mean the rows.
var (
	aroundRows = words.Set("каким каких какому какую каком таких такие а и ну да так слушай слушайте скажи " +
		"подскажи глянь гляньте посмотри посмотреть покажи покажите показать выведи дай дайте давай мне нам мы " +
		"у нас ка же то вот там тут сейчас щас теперь вообще ли это эти этих этим этими их них ним ними им они " +
		"все всё всех каждый каждого каждому каждой товар товары товаров товарам товарах позиция позиции " +
		"позиций позициям по на в во с про о для из за какой какая какие какое каких каков какова каково " +
		"сколько что чего пожалуйста плиз можно хочу узнать интересно тоже также еще ещё именно будет бы " +
		"хотелось конкретно and so the a of them these those their they it are is do does did we us our have has and " +
		"how what which for show me please on in at by to tell он она оно его ее него нее ему ней нем ним")
	meansRows = words.Set("таких такие они это эти этих этим этими этого такое they it these those them their")

	// "сколько они стоят на складе" is their value, and "где они стоят" a place
	howMuchWorth = words.Set("сколько насколько какую much")
	worthIs      = words.Set("стоит стоят стоили стоило обходятся worth cost")
	stocksNouns  = words.Set("складе складах остатках остатки остаток запас запасе запасы наличии stock warehouse " +
		"warehouses hand")
	aroundValue = words.Set("сколько на всего вместе сумму total в in")

	stockWords = words.Set("остаток остатка остатку остатки остатков остаткам остатках остаточки остаточек " +
		"осталось остались остается остаются остался осталась наличие наличии наличия запас запаса запасы " +
		"запасов stock left remaining remain")
	storedWords = words.Set("лежит лежат хранится хранятся находится находятся имеется имеются есть валяется " +
		"валяются " +
		"найти стоит стоят lie lies stored located kept")
	where  = words.Set("где where")
	places = words.Set("местоположение складам складах точкам точках магазинам магазинах местам местах " +
		"warehouses stores shops")
	pieceWords  = words.Set("штук штуки шт единиц pieces units")
	overall     = words.Set("всего итого вместе")
	howMany     = words.Set("сколько many much")
	inStock     = words.Set("складе складах stock hand сейчас щас")
	aroundStock = words.Set("где сколько складе складу склад складам складах точках магазине магазинах местам " +
		"местах лежит лежат есть имеется имеются наличии штук шт единиц добра много мало каком какого раскидай " +
		"разложи разбей распиши распредели наличие warehouse warehouses still hand many much left")

	lastsWords = words.Set("хватит хватает хватать кончатся закончатся кончится закончится протянем протянут " +
		"протянет last")
	aroundLasts = words.Set("надолго долго дней дня дни день днях когда время времени через насколько остатков " +
		"остатка запаса запасов запас них long will days when run out складе")

	priceNouns = words.Set("цена цены цену ценой ценам цене ценник ценники прайс почем price prices")
	costing    = words.Set("цена цены цену ценой цене ценам почем стоит стоят стоили обходятся обходится за " +
		"cost pay")
	selling      = words.Set("стоит стоят продаем продаются продается cost")
	bought       = words.Set("закуп закупа закупе закупке закупки закупку закупаем закупали покупаем берем брали pay")
	ours         = words.Set("our us")
	purchasing   = words.Set("закупочная закупочные закупочной закупочную закупочных")
	aroundPrices = words.Set("цена цены цену ценой ценам цене продажи продажная стоит стоят сколько каждая " +
		"каждое почем продаем продаются обходятся закупки обычно")

	amounts = words.Set("сумма сумму суммы сумме денег деньги деньгах деньгам рублей рублях бабла бабок бабки " +
		"стоимость стоимости money worth amount")
	atCost      = words.Set("себестоимости себестоимость закупке закупочным")
	aroundWorth = words.Set("заморожено заморожены заморозили лежит лежат зависло зависли завязло висит сидит " +
		"вложено застряло закопано общая общую складе остатков остатки остатка всего итого получается выходит " +
		"себестоимости каком какую much tied up sits frozen worth total inventory")

	lastTimeWords = words.Set("последний последняя последние последней крайний крайняя давно last")
	soldWords     = words.Set("продажа продажи продаж продали продавали продавались продавался продаем продан " +
		"проданы покупали купили брали покупал ушли уходили sold sale sell")
	aroundLastTime = words.Set("раз дата даты дату когда в был была были было дня день ago when was were time " +
		"date")
	aroundLastOfPartner = words.Set("раз дата даты дату когда в был была были было у клиенты клиент when did")
	broughtWords        = words.Set("завозили завезли завозил завоз подвозили закупали закупал закупили привозили привезли приходили пришли заказывали " +
		"заказали " +
		"поступали закупка закупки поставка поставки приход brought delivered delivery purchase purchased")

	buyWords = join(broughtWords, words.Set("брали взяли покупали купили закупили"))

	buyers     = words.Set("кто клиенты покупатели контрагенты заказчики клиент покупатель who customers")
	toWhom     = words.Set("кому клиентам покупателям контрагентам whom who")
	buyerNouns = words.Set("покупатели покупателей покупателя клиенты клиентов заказчики customers buyers " +
		"clients")
	takeWords = words.Set("покупка покупки покупок покупал покупали покупает покупают купил купили брал брали " +
		"берет берут взял взяли приобретал приобретали приобрел приобрели разбирали закупал закупали закупает " +
		"закупают заказывал заказывали заказывает заказывают забрал забрали набрали buy bought buys ordered " +
		"order took take")
	supplierNouns = words.Set("поставщик поставщики поставщика поставщиков supplier suppliers")
	whoWords      = words.Set("кто чей чьи чье кого где откуда какой какие какого who whose where")
	supplyWords   = words.Set("поставляет поставляют поставил возит возят привозит привозят завозит завозят " +
		"снабжает брать берем взять закупать закупаем закупить заказывать заказываем заказать купить покупать " +
		"покупаем везут приходят получаем supplies supply buy order")
	aroundPartners = words.Set("кто кому кого от такое основные главные обычно чаще всего они к из buy who")

	whatWords    = words.Set("что чего какие какой товар товары товаров what which products goods")
	forThem      = words.Set("им them")
	aroundBought = words.Set("клиенты клиентов покупатели контрагенты что товары основном обычно чаще всего " +
		"больше у buy they usually normally mostly often tend get from you")

	debtWords = words.Set("долг долги долга долгов долгам задолженность задолженности должен должны дебиторка " +
		"дебиторки дебиторку owe owes debt debts")
	notWords    = words.Set("не not")
	payWords    = words.Set("заплатили оплатили рассчитались доплатили платили paid")
	ourDebt     = words.Set("мы we")
	marginWords = words.Set("маржа маржу маржи марже маржой маржинальность маржинальности маржинальные " +
		"рентабельность рентабельности рентабельны margin margins")
	markupWords  = words.Set("накрутка накрутку наценка наценку наценки наценке наценкой markup markups")
	profitWords  = words.Set("прибыль прибыли прибылью profit profits")
	aroundFigure = words.Set("продаем продаются накручиваем размер what percent насколько дают дает приносят " +
		"сколько каждого процент процентов much")
	contactWords = words.Set("телефон телефоны контакты контакт телефончики phone phones contacts")
	aroundDebt   = words.Set("клиенты клиентов клиентам покупатели покупателей контрагенты контрагентов есть " +
		"кто ними за висит за остался остались перед not us who сколько how much many")
)
