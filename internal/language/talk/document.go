package talk

import (
	"github.com/stockhand/stockhand/internal/language/harmless"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// What an opened document says, so a question for it shows the document again: "оплачен?", "кто клиент", "что в нём".
var (
	documentParts = words.Set("оплачен оплачена оплачено оплатили оплата отгружен отгружена отгрузили отгрузка " +
		"отгружено доставлен получен получена получили принят принята приняли проведен проведена закрыт " +
		"закрыта статус статусе состояние клиент клиента покупатель поставщик контрагент кто кому чей от кого " +
		"сумма сумму итого стоит состав позиции строки внутри содержимое товары когда дата числа числом " +
		"комментарий номер склад складе куда откуда принимал отпускал отгружал делал сделал создал создавал оформил оформлял выписал провел " +
		"проводил приедет приедут придет приходит привезут ожидается ждать долг осталось остаток сколько paid shipped delivered received posted " +
		"status customer client buyer supplier who whom sum total amount lines items contents inside when date " +
		"comment number warehouse much сошлось сошелся сошлись расхождение расхождения недостача излишки")
	besideParts = words.Set("он она оно его ее им нем ней него нее ли уже и а еще был была было это этот эта этого этой " +
		"заказ заказе документ документе накладная счет какая какой какую каком на в во у с по к за все всё полностью что " +
		"там is it was its are they been has have the order what which how in of for on to a an yet already fully this " +
		"that does did do не not заказал заказала заказали")
)

// ofDocument reports whether a message asks for something that the opened document says.
func ofDocument(task string) bool {
	asked, inside := false, false
	const most = 6
	ts := token.Split(task)
	if len(ts) > most+1 {
		return false
	}
	for _, t := range ts {
		switch w := t.Norm; {
		case t.Punctuation():
		case documentParts[w]:
			asked = true
		case insideDocument[w]:
			inside = true
		case !besideParts[w] && !harmless.Words[w]:
			return false
		}
	}
	return asked || inside && len(ts) > 1
}

// insideDocument are words for a document after "что в".
var insideDocument = words.Set("нем ней там заказе накладной документе it")
