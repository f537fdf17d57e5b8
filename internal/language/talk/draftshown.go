package talk

import (
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/language"
	"github.com/stockhand/stockhand/internal/language/draft"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// orderOfShort reads "оформляй" right after what is short as an order of that (rule R1066): no draft waits that it
// could confirm. It returns nil for any other message.
func orderOfShort(task string, in language.Input) *language.Reading {
	if in.Previous == nil || !in.Previous.Skill.Reads() || !ofShort(in.Previous) ||
		!says(task, ordering, aroundOrdering) {
		return nil
	}
	l := in.Previous.Language
	x := Read(l.Pick("закажи это", "order these"), in)
	if !x.Skill.Proposes() || !complete(&x) && !asks(&x) {
		return nil
	}
	x.Task = task
	return &x
}

var (
	ordering = words.Set("оформляй оформи оформить оформляем оформим оформите заказывай заказываем закажем " +
		"заказывайте закупаем закупай закупайся берем берём возьмем возьмём погнали order buy")
	aroundOrdering = words.Set("да ну ок окей ладно хорошо давай давайте тогда и а это этот заказ заказы все всё " +
		"поставщику поставщикам на так можно можешь пожалуйста yes ok okay then let's please it them all")
)

// amountsOfShort reads "сколько заказать" after what is short as the same answer, which says how much and for what sum
// (rule R1099): by themselves, the words are about everything that is short. It returns nil for any other message.
func amountsOfShort(task string, in language.Input) *language.Reading {
	if in.Previous == nil || in.Previous.Skill != language.Shortages ||
		!wording(aroundAmounts, howMuchToOrder, toOrder).Is(token.Split(task), nil) &&
			!wording(aroundAmounts, sumToOrder, isNeeded).Is(token.Split(task), nil) {
		return nil
	}
	x := *in.Previous
	x.Task, x.Language, x.FollowUp = task, languageOf(task, in), true
	return &x
}

var (
	howMuchToOrder = words.Set("сколько скок скока скоко каком количестве почем сумму суммы сумма обойдется обойдутся " +
		"встанет выйдет денег рублей деньги much many cost money total")
	sumToOrder = words.Set("сумму сумма сколько")
	isNeeded   = words.Set("надо нужно понадобится потребуется обойдется обойдутся обойдётся встанет выйдет вылетит")
	toOrder    = words.Set("заказать заказывать закажем заказываем дозаказать заказ заказа закупить закупать закупку закупка " +
		"закупки закупаем взять брать берем возьмем докупить докупать купить покупать привезти пополнить пополнение " +
		"order reorder buy restock ordering reordering restocking")
	aroundAmounts = words.Set("а и and so then ну так тогда вообще всего их этого каждого каждой по чего нужно надо нужна нужен стоит " +
		"придется придётся получается это все всё на в во какую какая какой какое количество количестве количества штук шт " +
		"нам мне лучше бы будет уйдет понадобится потребуется итого примерно денег рублей сколько how much many do does " +
		"would will should we i need to of each them it is are be the for what all that " +
		"pieces units cost total money")
)

// ofTheRest reads "остальное уцени на 15%" after an answer that left something out as a request for the goods that it
// showed (rule R1067). It returns nil for any other message.
func ofTheRest(task string, in language.Input) *language.Reading {
	if in.Previous == nil || !language.NamedRows(in.Rows) || in.Rows.Earlier || !leftOut(in.Previous) {
		return nil
	}
	ts := token.Split(task)
	i := slices.IndexFunc(ts, func(t token.Token) bool { return restWords[t.Norm] })
	if i < 0 {
		return nil
	}
	l := in.Previous.Language
	text := strings.TrimSpace(task[:ts[i].Start]) + " " + l.Pick("на эти товары", "for these products") + " " +
		strings.TrimSpace(task[ts[i].End:])
	plain := strings.Replace(text, l.Pick("на эти", "for these"), l.Pick("эти", "these"), 1)
	for _, said := range []string{text, plain} {
		x := language.Read(strings.TrimSpace(said), in)
		if x.Skill.Proposes() && (complete(&x) || asks(&x)) {
			x.Task = strings.TrimSpace(said)
			return &x
		}
	}
	return nil
}

// ofEarlierRows asks about a draft of the rows of a table before the last answer, which put another condition on their
// goods: "сделай на них заказ" after "только Продукты" showed no rows is not for all rows of before (rule R1069).
func ofEarlierRows(_ string, r *language.Reading, in language.Input) {
	d, ok := r.Input.(draft.Draft)
	if !ok || !r.Skill.Proposes() || r.Question != nil || d.RowsOf == nil || in.Rows == nil || !in.Rows.Earlier ||
		in.Rows.Result == "" || d.RowsOf.Result != in.Rows.Result || in.Previous == nil || !in.Previous.Skill.Reads() ||
		!slices.ContainsFunc(conditionsOf(in.Previous), ofGoodsOnly) {
		return
	}
	r.Input = nil
	r.Question = &language.Question{Text: r.Language.Pick("Последний ответ строк не показал, а в таблице до него "+
		"нет его условия: черновик не подготовлен. Назовите товары или группу, или покажите список ещё раз.",
		"The last answer showed no rows, and the table before it lacks its condition: nothing was prepared. Name the "+
			"goods or a group, or show the list again.")}
}

func ofGoodsOnly(w analysis.Condition) bool { return ofGoodsField[w.Field] }

var ofGoodsField = words.Set("group product supplier")

// leftOut reports whether an answer leaves some goods out.
func leftOut(done *language.Reading) bool {
	return slices.ContainsFunc(conditionsOf(done), func(w analysis.Condition) bool {
		return w.Op == analysis.NotIn && ofGoodsField[w.Field]
	})
}

var restWords = words.Set("остальное остальные остальных остальным остальными остальному rest others")
