package render_test

import (
	"testing"

	"github.com/stockhand/stockhand/internal/agent/render"
)

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
		if got := render.ClaimsAction(text, true); got != want.withDraft {
			t.Errorf("%q with a draft: %v", text, got)
		}
		if got := render.ClaimsAction(text, false); got != want.without {
			t.Errorf("%q without a draft: %v", text, got)
		}
	}
}

func TestAModelsWordsHoldNoForeignLinks(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"[x](javascript:alert(1)) y":                "x y",
		"[x](data:text/html;base64,AAAA)":           "x",
		"[отчёт](https://evil.example/?sum=561162)": "отчёт",
		"[отчёт](//evil.example/x)":                 "отчёт",
		"[отчёт](<javascript:alert(1)>)":            "отчёт",
		"[файл](/api/v1/results/res_1)":             "[файл](/api/v1/results/res_1)",
		"[a [b] c](javascript:alert)":               "[a [b] c] (javascript:alert)",
		"см. https://evil.example/?sum=1, потом":    "см. `https://evil.example/?sum=1`, потом",
		"см. `https://evil.example/?sum=1`":         "см. `https://evil.example/?sum=1`",
		"www.evil.example":                          "`www.evil.example`",
		"<https://evil.example>":                    "<`https://evil.example`>",
		"[x][1]\n\n[1]: https://evil.example/a":     "[x][1]\n\n",
		"![chart](https://evil.example/p.png?d=1)":  "chart",
		"<img src=x onerror=y>":                     "&lt;img src=x onerror=y>",
		"Маржа 5 % (см. таблицу), остаток [склад] (основной)": "Маржа 5 % (см. таблицу), остаток [склад] (основной)",
	} {
		if got := render.Sanitize(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
