package typed

import (
	"slices"

	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// The places that money lies in.
const (
	Accounts  = "accounts"
	CashDesks = "cash_desks"
)

// MoneyPlace says which money a task is about.
type MoneyPlace struct {
	Place    string // one of the constants above; empty for both or for none in particular
	Both     bool   // the task names both
	Currency string // ISO code; empty if the task names none
	At       []int  // the tokens that say so
}

// PlaceOfMoney finds the words for bank accounts, cash desks and currencies (rule R510). English "cash" is any money.
func PlaceOfMoney(ts []token.Token) (p MoneyPlace) {
	accounts, desks := false, false
	for i := range ts {
		t := &ts[i]
		if t.Use == token.AsName || t.Kind == token.Quoted {
			continue
		}
		a, d := accountWords[t.Norm], deskWords[t.Norm]
		switch {
		case t.Norm == "с" && i > 1 && ts[i-1].Norm == "/" && ts[i-2].Norm == "р": // "р/с"
			a = true
			p.At = append(p.At, i-2, i-1)
		case d && i > 0 && ts[i-1].Norm == "без": // "без нал"
			a, d = true, false
			p.At = append(p.At, i-1)
		}
		if i > 0 && (eachAccount[t.Norm] && ts[i-1].Norm == "по" || (a || d) && (ts[i-1].Norm == "by" ||
			ts[i-1].Norm == "per" || ts[i-1].Norm == "each")) {
			continue // a breakdown
		}
		if iso := currencyWords[t.Norm]; iso != "" {
			p.Currency = iso
			p.At = append(p.At, i)
		}
		if a || d {
			p.At = append(p.At, i)
		}
		accounts, desks = accounts || a, desks || d
	}
	switch {
	case accounts && desks:
		p.Both = true
	case accounts:
		p.Place = Accounts
	case desks:
		p.Place = CashDesks
	}
	return p
}

// Says reports whether the words for the place contain a token.
func (p *MoneyPlace) Says(i int) bool { return slices.Contains(p.At, i) }

var (
	eachAccount  = words.Set("счетам кассам")
	accountWords = words.Set("счет счета счете счету счетом счетах счетам счетов р/с рс расчетный расчетном " +
		"расчетного расчетному расчетные расчетных расчетник расчетнике банк банке банка банках банку банковский " +
		"банковском банковских безнал безнала безнале безналичный безналичные безналичных карта карте картах карты " +
		"карту bank banks account accounts")
	deskWords = words.Set("касса кассе кассу кассы касс кассой кассам кассах наличка налички наличке наличку " +
		"наличкой наличные наличных наличными наличность наличности нал нала налом налик налика сейф сейфе till " +
		"tills register registers drawer desk desks")
	// The rouble is said of sums in general, so only the adjective names a currency.
	currencyWords = map[string]string{"долларовый": "USD", "долларовом": "USD", "долларового": "USD",
		"долларовые": "USD", "долларовых": "USD", "доллар": "USD", "доллары": "USD", "долларов": "USD",
		"долларах": "USD", "баксы": "USD", "баксов": "USD", "баксах": "USD", "usd": "USD", "dollar": "USD",
		"dollars": "USD", "рублевый": "RUB", "рублевом": "RUB", "рублевого": "RUB", "рублевые": "RUB",
		"рублевых": "RUB", "rouble": "RUB", "ruble": "RUB", "rub": "RUB", "евро": "EUR", "euro": "EUR",
		"euros": "EUR", "eur": "EUR", "юань": "CNY", "юани": "CNY", "юаней": "CNY", "юанях": "CNY",
		"юаневый": "CNY", "юаневом": "CNY", "тенге": "KZT"}
)
