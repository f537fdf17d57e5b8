package talk

import (
	"slices"
	"strconv"
	"strings"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/language"
	"github.com/stockhand/stockhand/internal/language/act"
	"github.com/stockhand/stockhand/internal/language/draft"
	"github.com/stockhand/stockhand/internal/language/quantity"
	"github.com/stockhand/stockhand/internal/language/refer"
	"github.com/stockhand/stockhand/internal/language/request"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

func ofRows(done *language.Reading) bool {
	return done.Query == nil || len(done.Query.By) > 0
}

const (
	amongThem = `(?:из них |из этих |там )?`
	whichRow  = `(?:у кого|у како\p{L}+|в како\p{L}+|на како\p{L}+|у котор\p{L}+|како[йе]|какая|кто из них|` +
		`кто из этих) `
)

// ranking are sayings that ask for the first of the rows by another figure: "which had the most receipts", "у кого
// больше всего чеков" (rule R796).
var ranking = []saying{
	asSaid(`(?:and |so )?which(?: one| ones| of them| of these)? (?:had|has|have|got|made|did|sold|took|`+
		`brought) (?:in )?the (?:most|highest|biggest|largest) (.+)`, "sort by $1", byOne),
	asSaid(`(?:and |so )?which(?: one| ones| of them| of these)? (?:had|has|have|got|made|did|sold|took|`+
		`brought) (?:in )?the (?:least|fewest|lowest|smallest) (.+)`, "sort by $1 ascending", byOne),
	asSaid(`«А»`+whichRow+amongThem+`(?:больше|выше)(?: всего| всех)? `+amongThem+`(\p{L}+(?: \p{L}+)?)`,
		"отсортируй по $1", byOne),
	asSaid(`«А»`+whichRow+amongThem+`(?:меньше|ниже)(?: всего| всех)? `+amongThem+`(\p{L}+(?: \p{L}+)?)`,
		"отсортируй по $1 по возрастанию", byOne),
}

// byOne reports whether the rows of an answer are of one dimension, such as warehouses, and all of them are shown.
func byOne(done *language.Reading) bool {
	q := done.Query
	if done.Skill == language.Profitability {
		return done.Arguments.Limit == 0 && done.Arguments.By != "product"
	}
	if done.Skill == language.SalesTrend {
		return done.Arguments.Interval != ""
	}
	return q != nil && q.Limit == 0 && len(q.By) == 1 && q.By[0] != "product" && q.By[0] != "document"
}

// leavesOut reports whether a message only says what is to be left out.
func leavesOut(task string, in language.Input) bool {
	return strings.HasPrefix(inFamily(task, in), without) || plainly(task, in) == stockedOnly
}

// mostOf returns the row with the highest or the lowest figure of a table in the order of its figures; "" if that is
// not known. Rows without a figure are last, so a ratio has a known lowest row only behind a condition on it.
func mostOf(q *analysis.Query, rows *refer.Rows, high bool) string {
	if !rowsOf(rows, q.By[0]) || len(rows.IDs) == 0 || q.Compare != nil {
		return ""
	}
	field, descending := q.Measures[0], true
	if len(q.Order) > 0 {
		field, descending = q.Order[0].Field, q.Order[0].Direction != analysis.Ascending
	}
	if field != q.Measures[0] {
		return ""
	}
	if high == descending {
		return rows.IDs[0]
	}
	bounded := slices.ContainsFunc(q.Where, func(w analysis.Condition) bool { return w.Field == field })
	if rows.More || q.Limit > 0 || !bounded && ratios[field] {
		return ""
	}
	return rows.IDs[len(rows.IDs)-1]
}

var (
	ratios  = words.Set("margin markup average_receipt average_price turnover days_of_cover")
	highest = words.Set("высокую высокая высокий высокое большую большая большой лучшую лучшая лучший лучшем лучшего лучшей лучшему крупную " +
		"крупная крупный прибыльную прибыльная highest best biggest largest")
	lowest = words.Set("низкую низкая низкий низкое маленькую маленькая маленький худшую худшая худший худшем худшего худшей худшему слабую слабая " +
		"слабый плохую плохая мелкую мелкая lowest worst smallest weakest")
	aroundHighest = words.Set("самую самая самый самое с самой one")
)

// markupOfShown asks what a figure without a name means for goods whose markup or margin was shown: "сделай им 25" may
// be a markup of 25 % or prices 25 % higher (rule R798). It returns nil for any other message.
func (t *talk) markupOfShown(m *message) *language.Reading {
	task, in, own := m.task, m.in, &m.own
	if t.done == nil || t.done.Query == nil || own.Skill.Proposes() && complete(own) && !upTo(own) ||
		!rowsOf(in.Rows, "product") {
		return nil
	}
	i := slices.IndexFunc(t.done.Query.Measures, func(m string) bool { return m == "markup" || m == "margin" })
	value, sets, them, to, raises := "", false, false, false, false
	for _, x := range token.Split(task) {
		switch {
		case x.Kind == token.Number && value == "":
			value = x.Norm
		case quantity.Numeral(x.Norm) > 1 && value == "": // "до сорока"
			value = strconv.Itoa(quantity.Numeral(x.Norm))
		case x.Norm == "до" || x.Norm == "to":
			to = true
		case request.Sets[x.Norm], setting[x.Norm], request.Raises[x.Norm], request.Lowers[x.Norm]:
			sets, raises = true, raises || request.Raises[x.Norm] || request.Lowers[x.Norm]
		case refer.IsThey(x.Norm) || allGoods[x.Norm] || x.Norm == "этим":
			them = true
		case x.Norm == "%" || x.Punctuation() || aroundMarkup[x.Norm]:
		default:
			return nil
		}
	}
	named := to && raises && i >= 0 && slices.ContainsFunc(t.done.Query.Where, func(w analysis.Condition) bool {
		return w.Field == t.done.Query.Measures[i] // "подними до 25" after goods with a margin below 20 %
	})
	if i < 0 || value == "" || !sets || !them && !named && raises || raises && !to {
		return nil
	}
	l := own.Language
	name := l.Pick("наценку", "markup")
	if t.done.Query.Measures[i] == "margin" {
		name = l.Pick("маржу", "margin")
	}
	setTo := l.Pick("Сделай им "+name+" "+value+" %", "Set their "+name+" to "+value+"%")
	if x := language.Read(setTo, in); to && complete(&x) && x.Skill == language.ProposePriceChange {
		x.Task = task
		return &x // "подними им до 30"
	}
	var options []language.Option
	for _, text := range []string{setTo,
		l.Pick("Подними им цены на "+value+" %", "Raise their prices by "+value+"%")} {
		if x := language.Read(text, in); complete(&x) && x.Skill == language.ProposePriceChange {
			options = append(options, language.Option{Text: text, Skill: x.Skill, Input: x.Input})
		}
	}
	if len(options) == 0 {
		return nil
	}
	return &language.Reading{Task: task, Language: l, Skill: language.ProposePriceChange, Confidence: 1,
		Question: &language.Question{Text: l.Pick("Что сделать с ценами?", "What shall the prices be?"),
			Options: options}}
}

// upTo reports whether a reading sets a price: "подними им до 30" may set the figure that was shown.
func upTo(r *language.Reading) bool {
	d, ok := r.Input.(draft.Draft)
	return ok && (d.Price != "" || len(d.Items) > 0 && d.Items[0].Price != "")
}

var aroundMarkup = words.Set("а и по до на тогда теперь процент процента процентов проц percent " +
	"and then to")

var setting = words.Set("сделай сделать сделаем сделайте поставь поставьте давай пусть будет make")

// unanswered reports whether the message before was not understood, so that "them" need not be the table before it.
func unanswered(in language.Input) bool {
	n := len(in.Earlier)
	if n < 2 || in.Previous == nil {
		return false
	}
	last := in.Earlier[n-1]
	if last == in.Previous.Task || !slices.Contains(in.Earlier[:n-1], in.Previous.Task) || act.IsNoTask(last) ||
		act.Read(last).Kind != act.None || everyGood.MatchString(last) {
		return false
	}
	in.Earlier = in.Earlier[:n-1]
	x := Read(last, in)
	return !complete(&x) && x.Skill != language.SmallTalk
}

// ofNothing asks which goods a draft is for (rule R799).
func ofNothing(r language.Reading) language.Reading {
	r.Input = nil
	r.Question = &language.Question{Text: r.Language.Pick("О каких товарах речь? Прошлый вопрос остался без ответа. "+
		"Назовите товары, группу или поставщика, или сначала покажите список.", "Which goods do you mean? The last "+
		"question has no answer yet. Name goods, a group or a supplier, or show a list first.")}
	return r
}

// has reports whether a message has a word of a set.
func has(task string, set map[string]bool) bool {
	return slices.ContainsFunc(token.Split(task), func(x token.Token) bool { return set[x.Norm] })
}
