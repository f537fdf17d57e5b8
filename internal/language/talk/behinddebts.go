package talk

import (
	"cmp"
	"slices"

	"github.com/stockhand/stockhand/internal/language"
	"github.com/stockhand/stockhand/internal/language/lookup"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// behindDebts reads "за что должны" and "по каким документам" after debts as the shipments, or the receipts of goods,
// that are not paid (rule R1164): by themselves the words repeat the debts, or list every document. It returns nil for
// any other message.
func (t *talk) behindDebts(m *message) *language.Reading {
	if t.done == nil || !ofDebts(t.done) {
		return nil
	}
	ts := token.Split(m.task)
	if !wording(aroundBehind, paperNouns).Is(ts, aroundRows) && !forWhat(ts) {
		return nil
	}
	list := lookup.Documents{Kinds: []string{"demand"}, Unpaid: true}
	if weOwe(t.done) || t.done.Query != nil && t.done.Query.Measures[0] == "owed_by_us" {
		list.Kinds = []string{"supply"}
	}
	for _, x := range ts {
		if kinds := invoicesOf[list.Kinds[0]]; invoiceNouns[x.Norm] {
			list.Kinds = []string{kinds}
		}
	}
	for _, w := range conditionsOf(t.done) {
		if w.Field != "counterparty" && w.Field != "supplier" {
			return nil
		}
		for _, v := range w.Values {
			list.Counterparties = append(list.Counterparties, string(v))
		}
	}
	rows := m.shown
	named := rowsOf(rows, "counterparty") && len(rows.IDs) > 0
	if named && rows.Top && len(list.Counterparties) == 0 && rows.IDs[0] != "" { // "кому мы больше всего должны"
		list.Counterparties = []string{cmp.Or(rows.Names[0], rows.IDs[0])}
	}
	if chosen := isLimited(t.done) || t.done.Arguments.MinAmount != "" || t.done.Query != nil &&
		len(t.done.Query.Where) > 0; chosen && len(list.Counterparties) == 0 {
		if !named || rows.More || slices.Contains(rows.IDs, "") {
			return nil
		}
		for i, id := range rows.IDs {
			list.Counterparties = append(list.Counterparties, cmp.Or(rows.Names[i], id))
		}
	}
	return &language.Reading{Task: m.task, Language: languageOf(m.task, m.in), Skill: language.Documents, Input: list,
		FollowUp: true, Confidence: 1}
}

// forWhat reports whether a message asks what a debt is for: "за что должны", "за что это", "what for".
func forWhat(ts []token.Token) bool {
	for i := 1; i < len(ts); i++ {
		pair := ts[i-1].Norm + " " + ts[i].Norm
		if pair == "за что" || pair == "за какие" || pair == "за какой" || pair == "what for" || pair == "for what" {
			return wording(aroundBehind, forWhatWords).Is(ts, aroundRows)
		}
	}
	return false
}

var (
	paperNouns = words.Set("документ документы документов документам документами документу отгрузка отгрузки " +
		"отгрузкам отгрузок накладная накладные накладным накладных счет счета счетам счетов приемка приемки приемкам " +
		"поставка поставки поставкам documents shipments invoices receipts deliveries")
	forWhatWords = words.Set("что какие какой what")
	invoiceNouns = words.Set("счет счета счетам счетов invoices")
	invoicesOf   = map[string]string{"demand": "invoiceout", "supply": "invoicein"}
	aroundBehind = words.Set("какими за должны должен должна долг долги долга долгов задолженность висит висят неоплаченные " +
		"неоплаченным неоплаченных накопилось накопился образовался складывается owe owed they we unpaid behind this")
)
