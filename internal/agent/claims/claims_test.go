package claims

import "testing"

func TestClaimsOfActionsAreFound(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]struct{ withDraft, without bool }{
		"Я подтвердил черновик, заказ отправлен.":              {true, true},
		"Подготовил и подтвердил: заказ отправлен поставщику.": {true, true},
		"Done: I've sent the order.":                                          {true, true},
		"The order has been placed.":                                          {true, true},
		"Цены я поднял.":                                                      {true, true},
		"Я создал черновик заказа.":                                           {false, true},
		"I've created the order draft.":                                       {false, true},
		"Черновик готов, ничего не отправлено.":                               {false, false},
		"Заказ ещё не подтверждён.":                                           {false, false},
		"После подтверждения заказ будет отправлен.":                          {false, false},
		"Если поднять цены на 5 %, прибыль была бы 120 000 ₽.":                {false, false},
		"Nothing has been sent yet.":                                          {false, false},
		"The order isn't sent until you confirm it.":                          {false, false},
		"Once you confirm, it is sent to the supplier.":                       {false, false},
		"Это можно отправить позже, если вы подтвердите черновик.":            {false, false},
		"Заказ не оплачен. Он отправлен.":                                     {true, true},
		"В октябре продано на 5 000 ₽, прибыль снизилась.":                    {false, false},
		"Прибыль изменилась на 5 %, оборот изменился, цены изменены не были.": {false, false},
	} {
		if got := claimsAction(text, true); got != want.withDraft {
			t.Errorf("%q with a draft: %v", text, got)
		}
		if got := claimsAction(text, false); got != want.without {
			t.Errorf("%q without a draft: %v", text, got)
		}
	}
}

func TestClaimsOfChangedDraftsAreFound(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"Убрал из черновика соль.":                     true,
		"I've removed the salt from the draft.":        true,
		"Черновик изменён: соли в нём больше нет.":     true,
		"Соль из черновика не убрал.":                  false,
		"Соль можно убрать из черновика.":              false,
		"Из ассортимента поставщик убрал соль.":        false,
		"The draft can be split by supplier.":          false,
		"Поставщик обновил цены.":                      false,
		"Чтобы я убрал соль из черновика, назовите её": false,
	} {
		if got := claimsEdit(text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
	if claimsAction("Черновик изменил: соли больше нет.", true) {
		t.Error("a changed draft is denied")
	}
	if n, ok := Denial("Убрал соль из черновика.", "убери соль", false, false, "ru"); !ok ||
		n.Message != "Stockhand ничего не изменил: черновик остался прежним." {
		t.Errorf("%v, %v", n, ok)
	}
}
