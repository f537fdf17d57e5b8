package proposal

import (
	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/language/request"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

var (
	timings     = request.LongestFirst(request.PhrasesOf("timing", "from"))
	bounds      = request.LongestFirst(request.PhrasesOf("bound", "bound"))
	floors      = request.LongestFirst(request.PhrasesOf("bound", "floor"))
	otherPrices = request.LongestFirst(request.PhrasesOf("relative", "price_type"))
	earlier     = request.LongestFirst(request.PhrasesOf("relative", "back"))
	rivals      = request.LongestFirst(request.PhrasesOf("relative", "rivals"))
	splits      = request.LongestFirst(request.PhrasesOf("relative", "split"))
	shares      = request.LongestFirst(request.PhrasesOf("relative", "share"))
	currencies  = request.LongestFirst(request.PhrasesOf("relative", "currency"))
	keeps       = request.LongestFirst(request.PhrasesOf("relative", "keep"))
	moneys      = request.LongestFirst(request.PhrasesOf("phrase", "money"))
	littles     = request.LongestFirst(request.PhrasesOf("phrase", "short"))
)

// tagNouns begin words for tags.
var tagNouns = []string{"тег", "тэг", "хэштег", "хештег", "tagged", "tag", "tags", "hashtag"}

// noEarlier says that earlier prices are not known.
var noEarlier = [2]string{"Прежних цен я не помню. Изменение, которое подтвердили здесь, можно вернуть словами " +
	"«отмени " +
	"последнее».", "I do not remember earlier prices. A change that was confirmed here can be taken back: “undo that”."}

// readUnsupported reads the parts that no draft can have (rule R285). A draft without them is offered, if it is what
// the
// rest of the request says; it is never prepared at once.
func (s *sentence) readUnsupported() {
	for i := range s.Words {
		if request.Begins(s.Norm(i), tagNouns) {
			s.ask("Отбирать по тегам я не умею: у товаров в МоёмСкладе их нет, а цены одни для всех "+
				"покупателей. Назовите товары, группу, поставщика или условие.",
				"I cannot choose by tags: goods have none in MoySklad, and prices are the same for all "+
					"customers. Name goods, a group, a supplier or a condition.")
			s.Use(i, i+1)
		}
		s.foreignMoney(i)
		if end := s.AnyPhrase(i, shares); end > 0 && (s.kind == Orders || s.kind == Transfers) &&
			s.AnyPhrase(i, keeps) == 0 {
			s.Use(i, end)
			s.askf("Долю («%s») в штуки я не перевожу. Напишите количество числом, например: «10 шт».",
				"I do not turn a share (“%s”) into pieces. Write the quantity as a number, such as “10”.", s.Text(i, end))
		}
		switch s.kind {
		case Prices:
			s.unsupportedOfPrices(i)
		case Orders:
			if from, end := s.mostOfEach(i); end > 0 {
				s.without(from, end, "Предел «%s» для каждого товара задать нельзя, но строки черновика можно изменить. "+
					"Подготовить без него?",
					"A limit such as “%s” for each product cannot be set, but the lines of a draft can be changed. Prepare "+
						"it without?")
			}
			if end := s.AnyPhrase(i, moneys); end > 0 {
				s.Use(i, end)
				s.ask("На какую сумму заказать? Напишите бюджет, например: «на 50 тысяч».",
					"For how much money? Write a budget, for example: “budget 50,000”.")
			}
			if end := s.AnyPhrase(i, littles); end > 0 {
				s.without(i, end, "Сколько это, «%s», я не знаю. Заказать столько, сколько нужно по продажам?",
					"I do not know how much “%s” is. Order as much as the pace of sales needs?")
			}
		case Transfers:
			if end := s.AnyPhrase(i, request.Everywhere); end > 0 {
				s.Use(i, end)
			}
			if end := s.AnyPhrase(i, splits); end > 0 {
				s.Use(i, end)
				s.ask("Поровну на несколько складов я не раскладываю: одно перемещение идёт на один склад. "+
					"Напишите, сколько и "+
					"куда, например: «Перемести 10 шт «товар» со склада «…» на склад «…»».",
					"I do not split goods evenly over warehouses: a transfer goes to one. Write how many go "+
						"where, for example: "+
						"“Transfer 10 of “product” from the warehouse “…” to the warehouse “…””.")
			}
			if end := s.AnyPhrase(i, keeps); end > 0 {
				s.Use(i, end)
				s.ask("Сколько оставить на складе, я не считаю. Напишите, сколько переместить, например: "+
					"«Перемести 10 шт "+
					"«товар» со склада «…» на склад «…»».",
					"I do not work out what stays at a warehouse. Write how many to move, for example: “Transfer "+
						"10 of "+
						"“product” from the warehouse “…” to the warehouse “…””.")
			}
		case None, Minimums:
		}
	}
}

// foreignMoney asks for a sum in the account currency.
func (s *sentence) foreignMoney(i int) {
	end := s.AnyPhrase(i, currencies)
	if sign := s.Words[i].Norm; end == 0 && (sign == "$" || sign == "€") {
		end = i + 1
	}
	if end == 0 {
		return
	}
	is := func(j int) bool { return j >= 0 && j < len(s.Words) && s.Words[j].Kind == token.Number }
	switch {
	case is(i - 1):
		s.Use(i-1, end)
	case is(end):
		s.Use(i, end+1)
	default:
		return
	}
	s.ask("Другие валюты я не пересчитываю. Напишите сумму в рублях.",
		"I do not convert other currencies. Write the sum in roubles.")
}

// mostOfEach returns the tokens of a limit for each product at token i: "не больше 50 штук каждого"; no end for none.
func (s *sentence) mostOfEach(i int) (from, end int) {
	op, from := s.comparison(i)
	if s.Words[i].Kind != token.Number || s.Words[i].Use != token.Unused || op != analysis.LessEqual &&
		op != analysis.Less {
		return 0, 0
	}
	end = i + 1
	for u, ok := words.UnitOf(s.Norm(end)); ok && (u.Kind == words.Quantity || u.Kind == words.Count); u, ok =
		words.UnitOf(s.Norm(end)) {
		end++
	}
	if w := s.Norm(end); w == "на" || w == "of" || w == "per" {
		end++
	}
	if !request.Begins(s.Norm(end), []string{"кажд", "each", "item", "product", "товар", "позици", "наименовани"}) {
		return 0, 0
	}
	end++
	if request.Begins(s.Norm(end), []string{"товар", "позици", "вид", "наименовани", "item", "product"}) {
		end++
	}
	return from, end
}

func (s *sentence) unsupportedOfPrices(i int) {
	if end := s.AnyPhrase(i, timings); end > 0 && s.Norm(i-1) != "за" {
		s.without(i, end,
			"Цены меняются сразу после подтверждения, «%s» задать нельзя. Подготовить для изменения сразу?",
			"Prices change as soon as a draft is confirmed, “%s” cannot be set. Prepare it to change them at once?")
		return
	}
	if end := s.bound(i); end > 0 {
		s.without(i, end,
			"Границу «%s» для новых цен задать нельзя, но в черновике видно цену и маржу каждого товара, и "+
				"строки можно убрать. Подготовить без неё?",
			"A limit such as “%s” cannot be set for new prices, but a draft shows each price and margin, and "+
				"lines can be "+
				"removed. Prepare it without?")
		return
	}
	if end := s.AnyPhrase(i, otherPrices); end > 0 {
		s.Use(i, end)
		s.ask("От цены другого типа я новую не считаю: могу изменить цены на процент от них самих или поставить "+
			"наценку на "+
			"закупочную. Например: «Подними оптовые цены на 5 %».",
			"I do not compute a price from one of another type: I can change prices by a percentage of "+
				"themselves, or set a "+
				"markup on the purchase price. For example: “Raise wholesale prices by 5%”.")
	}
	if end := s.AnyPhrase(i, earlier); end > 0 {
		s.Use(i, end)
		s.ask(noEarlier[0], noEarlier[1])
	}
	if end := s.AnyPhrase(i, rivals); end > 0 {
		s.Use(i, end)
		s.ask("Цен конкурентов и рынка я не вижу. Напишите процент, сумму или новую цену, например: «Снизь цены "+
			"на группу "+
			"«…» на 5 %».",
			"I do not see the prices of competitors. Write a percentage, an amount or a new price, for example: "+
				"“Lower "+
				"prices of the group “…” by 5%”.")
	}
}

// bound returns the token after a limit of new prices at token i: "но не ниже 500", "чтобы маржа не упала ниже 10 %".
// It is one only beside another goal: "сделай маржу не ниже 25 %" is a goal itself.
func (s *sentence) bound(i int) int {
	if b := s.boundAt(i); b.end > 0 {
		if of, end := s.costAt(b.end); of != nil {
			return end + 4 // with what is added: "минимум себестоимость плюс 10 %"
		}
	}
	at := s.AnyPhrase(i, bounds)
	if w := s.Norm(i); at == 0 && (w == "чтоб" || w == "чтобы" || w == "но" || w == "лишь") {
		for j := i + 1; j <= i+6 && at == 0; j++ {
			at = s.AnyPhrase(j, floors)
		}
	}
	if at == 0 {
		return 0
	}
	goal := s.Norm(i) == "но" || s.Norm(i) == "but"
	for j := range i {
		goal = goal || s.Words[j].Kind == token.Number && request.Comparatives[s.Word(j-1)] == "" ||
			s.AnyPhrase(j, request.Fractions) > 0 ||
			request.Numeral(s.Norm(j)) > 0
	}
	if !goal {
		return 0
	}
	for at < len(s.Words) && (s.Words[at].Kind != token.Mark || s.Words[at].Norm == "%") &&
		s.Words[at].Use == token.Unused {
		at++
	}
	return at
}

// without marks a part that the draft cannot have, and asks whether to prepare the draft without it. The texts have a
// place for its words.
func (s *sentence) without(from, to int, ru, en string) {
	said := s.Text(from, to)
	s.Use(from, to)
	s.later = append(s.later, func() {
		d := s.draft.Clone()
		d.Everything = s.kind == Prices && !d.Scoped()
		s.askf(ru, en, said, s.option(d))
	})
}
