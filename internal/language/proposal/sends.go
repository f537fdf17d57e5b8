package proposal

import (
	"github.com/stockhand/stockhand/internal/language/proposal/intent"
	"github.com/stockhand/stockhand/internal/language/request"
	"github.com/stockhand/stockhand/internal/words"
)

// sends reports whether the verb of a request asks to be sent something that is no price: "скинь артикул пледа 140 на
// 200" (rule R1102). No draft is made of a plain question.
func (s *sentence) sends(act intent.Act) bool {
	at := act.At
	if !request.SendsMe[s.Word(at)] {
		return false
	}
	for at++; toMe[s.Word(at)]; at++ {
	}
	return sent[s.Word(at)]
}

var (
	toMe = words.Set("мне нам сюда пожалуйста плиз быстро быстренько -ка ка")
	sent = words.Set("артикул артикулы код коды штрихкод штрихкоды номер номера телефон телефоны инн кпп " +
		"адрес адреса почту реквизиты контакт контакты название названия остаток остатки список списком отчет отчёт " +
		"таблицу таблицей продажи выручку прибыль долги долг заказы отгрузки документы накладные накладную ссылку фото " +
		"карточку баланс данные инфу информацию цифры статистику сводку аналитику")
)
