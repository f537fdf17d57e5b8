package typed

import (
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/language/quantity"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// Part is a typed part of a task that any reading of it must represent (rule R345).
type Part struct {
	Kind PartKind
	ID   string // of a measure or a dimension; the direction of an order; the days of the week
	At   []int  // tokens

	Of       Kind // of the item; of a condition, what it says
	Period   *quantity.Period
	Meanings []connector.Name
	Unit     words.UnitKind // of a number
	Changes  bool           // of a comparison: it says that something grew or fell
	Time     bool           // of an order: it ranks by time: "дольше всех"
	Out      bool           // of a name: it is left out
}

// PartKind is the type of a part.
type PartKind string

// The types of parts.
const (
	PartMeasure   PartKind = "measure"
	PartBy        PartKind = "by"
	PartCompare   PartKind = "compare"
	PartShare     PartKind = "share"
	PartCondition PartKind = "condition"
	PartOrder     PartKind = "order"
	PartWhy       PartKind = "why"
	PartTrend     PartKind = "trend"
	PartWeekday   PartKind = "weekday"
	PartHour      PartKind = "hour"
	PartWho       PartKind = "who"
	PartWhere     PartKind = "where"
	PartWay       PartKind = "way" // "where from", "where to"
	PartWhen      PartKind = "when"
	PartPeriod    PartKind = "period"
	PartNumber    PartKind = "number"
	PartName      PartKind = "name"
	PartBoth      PartKind = "both"  // all of several names at once: "и посуду, и текстиль"
	PartEach      PartKind = "each"  // of a number of rows: so many for each
	PartApart     PartKind = "apart" // each of the names by itself
	PartRows      PartKind = "rows"  // rows of a dimension, and not a condition on it
)

// partKinds are the types of items by themselves.
var partKinds = map[Kind]PartKind{With: PartCompare, OverYear: PartCompare, OverMonth: PartCompare, Share: PartShare,
	Except: PartCondition, Absent: PartCondition, Losing: PartCondition, Negative: PartCondition,
	Nonzero: PartCondition, PerDay: PartCondition, InMoney: PartCondition, Average: PartCondition,
	Cash: PartCondition, BelowCost: PartCondition, Measure: PartMeasure, Why: PartWhy, Trend: PartTrend,
	Weekdays: PartWeekday, Clock: PartHour, Best: PartOrder, Worst: PartOrder, Sorting: PartOrder,
	InUnits: PartCondition, Number: PartNumber, Named: PartName, Apart: PartApart}

// Parts returns the typed parts of a task in their order.
func Parts(in Input) (list []Part) {
	s := Scan(in)
	s.Denials()
	for i, it := range s.Items {
		add := func(k PartKind, id string) {
			p := Part{Kind: k, ID: id, Of: it.Kind}
			for i := it.At; i < it.End; i++ {
				p.At = append(p.At, i)
			}
			p.Time = slices.ContainsFunc(s.Tokens[it.At:it.End], func(t token.Token) bool { return TimeWords[t.Norm] })
			list = append(list, p)
		}
		if k := s.QuestionWord(i, it); k != "" {
			add(k, "")
		}
		if by := s.ThanName(i); by != "" {
			add(PartRows, by)
		}
		if by := s.both(i); by != "" {
			add(PartBoth, by)
		}
		if it.Kind == Per && i+1 < len(s.Items) && s.Items[i+1].Kind == Dimension && each[s.Tokens[it.End-1].Stem] {
			add(PartEach, "")
		}
		if it.Kind == Everywhere && slices.ContainsFunc(s.Tokens[it.At:it.End], func(t token.Token) bool {
			return each[t.Stem]
		}) {
			add(PartEach, "everywhere")
		}
		switch k := partKinds[it.Kind]; {
		case it.Kind == Dimension:
			if i > 0 && s.Items[i-1].Kind == Per || it.Each || s.which(it) ||
				s.ranked(i) && (it.ID != "product" || !whereAsked[s.Tokens[0].Norm]) { // "где больше всего товара"
				add(PartBy, it.ID)
			}
		case it.Kind == Period:
			add(PartPeriod, "")
			list[len(list)-1].Period = it.Period
		case it.Kind == Best:
			add(k, string(analysis.Descending))
		case it.Kind == Worst:
			add(k, string(analysis.Ascending))
		case it.Kind == Measure && it.Order != "":
			add(PartOrder, string(it.Order))
		case it.Kind == Measure && it.ID == "quantity" && s.onlyPieces(it):
			add(PartCondition, "")
			list[len(list)-1].Of = InUnits
		case it.Kind == Measure && it.ID == "days_in_stock" && lying[s.Tokens[it.At].Norm] &&
			it.End == it.At+1 &&
			s.saysWhere():
			add(PartMeasure, "stock") // "сковороды где лежат"
		case it.Kind == OverYear:
			add(k, string(analysis.LastYear))
		case it.Kind == Number:
			n := it.Number
			if i+2 < len(s.Items) && s.Items[i+2].Kind == Number && upToWords[s.Tokens[s.Items[i+1].At].Norm] {
				n = n.Like(s.Items[i+2].Number) // "от 3 до 5 тысяч"
			}
			add(k, n.Value)
			list[len(list)-1].Unit = n.Unit
		case it.Kind == Named:
			add(k, "")
			list[len(list)-1].Meanings = it.Name.Meanings
			list[len(list)-1].Out = i > 0 && (s.Items[i-1].Kind == Except ||
				s.Items[i-1].Kind == Absent)
		case it.Kind == With && s.ofMeasures(i): // "cash in vs cash out" names two figures
		case it.Kind == With:
			add(k, it.ID)
			list[len(list)-1].Changes = changing[s.Tokens[it.End-1].Stem]
		case k != "":
			add(k, it.ID)
		}
	}
	return list
}

// onlyPieces reports whether words for a quantity sold only name the unit: "сколько штук".
func (s *Sentence) onlyPieces(it *Item) bool {
	return !slices.ContainsFunc(s.Tokens[it.At:it.End], func(t token.Token) bool { return !pieces[t.Norm] })
}

var whereAsked = words.Set("где where")

func (s *Sentence) saysWhere() bool {
	return slices.ContainsFunc(s.Tokens, func(t token.Token) bool { return t.Norm == "где" })
}

var (
	pieces = words.Set("сколько скока скок штук штуки штуках шт штучек штука единиц единицах пачек упаковок " +
		"пакетов бутылок коробок пар банок мешков рулонов кг килограмм килограммов кило тонн граммов литров " +
		"метров pieces units")
	lying = words.Set("лежит лежат лежал лежали")
)

// ofMeasures reports whether an item stands between two measures.
func (s *Sentence) ofMeasures(i int) bool {
	return i > 0 && i+1 < len(s.Items) && s.Items[i-1].Kind == Measure && s.Items[i+1].Kind == Measure
}

// ranked reports whether a dimension is what a word such as "best" ranks: "самый прибыльный день", "the worst store".
func (s *Sentence) ranked(i int) bool {
	if i == 0 {
		return false
	}
	before := s.Items[i-1]
	if before.Kind == Number && i > 1 && s.Items[i-2].Kind == TopRows {
		return true
	}
	return before.End == s.Items[i].At && (before.Kind == Best || before.Kind == Worst ||
		before.Kind == Measure && before.Order != "")
}

// both returns the dimension of a name that stands behind the second "и" of "и посуду, и текстиль": what is asked for
// has all of them, and not one of them.
func (s *Sentence) both(i int) string {
	it := s.Items[i]
	if it.Kind != Named || it.At == 0 || !also[s.Tokens[it.At-1].Norm] {
		return ""
	}
	for k, x := range s.Items[:i] {
		if k > 1 && s.Items[k-2].Kind == Named { // a list
			continue
		}
		if x.Kind == Named && x.At > 0 && also[s.Tokens[x.At-1].Norm] &&
			DimensionOf(x.Name.Meanings[0].Kind) == DimensionOf(it.Name.Meanings[0].Kind) {
			return DimensionOf(it.Name.Meanings[0].Kind)
		}
	}
	return ""
}

// TimeWords rank by time.
var TimeWords = words.Set("дольше долго быстрее раньше позже позднее давнее longest oldest fastest slowest " +
	"soonest earliest latest longer fast quickly slowly")

var (
	// between the bounds of a range
	upToWords = words.Set("до и to and")

	also = words.Set("и both and")
	each = map[string]bool{token.StemOf("каждый"): true, "each": true, token.StemOf("every"): true}
	// changing are stems of words that say that something changed.
	changing = func() map[string]bool {
		set := map[string]bool{}
		for w := range strings.FieldsSeq("упал упала упали упало вырос выросла выросли выросло снизился снизилась " +
			"снизились снизилось просел просела просели изменился изменилась изменились изменилось растет растут падает " +
			"падают подрос подросли grew grown fell dropped changed rose declined increased decreased") {
			set[token.StemOf(w)] = true
		}
		return set
	}()
)

// ThanName returns the dimension of a name that another one is compared with: "что лучше идёт на Мира, чем на Лесной".
// Such a task wants a row or a column for each.
func (s *Sentence) ThanName(i int) string {
	it := s.Items[i]
	if it.Kind != Named || !slices.ContainsFunc(s.Items[:i], func(x *Item) bool { return x.Kind == Named }) {
		return ""
	}
	for at := it.At - 1; at >= max(0, it.At-3) && s.Tokens[at].Use == token.Unused; at-- {
		if w := s.Tokens[at].Norm; w == "чем" || w == "than" {
			return DimensionOf(it.Name.Meanings[0].Kind)
		}
	}
	return ""
}

// which reports whether a dimension is asked for in so many words: "какие поставщики", "which customers".
func (s *Sentence) which(it *Item) bool {
	for i := max(it.At-1, 0); i <= it.At; i++ {
		if t := &s.Tokens[i]; t.Use == token.Unused && (t.Stem == token.StemOf("какой") || t.Norm == "which") {
			return true
		}
	}
	return false
}

var (
	// byWord is what words ask for by themselves.
	byWord = map[string]PartKind{"кто": PartWho, "кому": PartWho, "кого": PartWho, "кем": PartWho, "who": PartWho,
		"whom": PartWho, "где": PartWhere, "where": PartWhere, "куда": PartWay, "откуда": PartWay,
		"когда": PartWhen, "when": PartWhen}
	// relative words stand before one of the words above where it asks for nothing: "товары, где остаток меньше 5",
	// "кто-нибудь".
	behindQuestion = words.Set("то нибудь либо угодно")
	speaking       = words.Set("знает подскажет скажет может поможет спрашивает просит звонит сказал говорит " +
		"knows can could")
)

// QuestionWord returns what a word of the item asks for; empty if it asks for nothing, or begins a clause about what
// stands in front of it.
func (s *Sentence) QuestionWord(i int, it *Item) PartKind {
	for at := it.At; at < it.End; at++ {
		t := &s.Tokens[at]
		if t.Use != token.Unused || t.Kind != token.Word || it.Kind == Named || it.Kind == Period {
			continue
		}
		k := byWord[t.Norm]
		if k == "" {
			continue
		}
		next := at + 1
		for next < len(s.Tokens) && s.Tokens[next].Kind == token.Mark {
			next++
		}
		if next < len(s.Tokens) && (behindQuestion[s.Tokens[next].Norm] || speaking[s.Tokens[next].Norm]) ||
			s.relative(i) {
			return ""
		}
		return k
	}
	return ""
}

// relative reports whether the question word of an item begins a clause about a noun: it stands behind a dimension or
// a measure, and a condition follows.
func (s *Sentence) relative(i int) bool {
	if !slices.ContainsFunc(s.Items[:i], func(it *Item) bool { return it.Kind == Dimension || it.Kind == Measure }) {
		return false
	}
	return slices.ContainsFunc(s.Items[i+1:], func(it *Item) bool {
		return it.Kind == Operator || it.Kind == Absent || it.Kind == Negative || it.Kind == Nonzero ||
			it.Kind == Number || it.Kind == Unexplained || it.Kind == BelowCost || it.Kind == Losing
	})
}

// Conditions tells of each token whether it belongs to what may be a condition, a breakdown, a period or an order.
func Conditions(in Input) []bool {
	s := Scan(in)
	s.Denials()
	list := make([]bool, len(in.Tokens))
	for i, it := range s.Items {
		switch it.Kind {
		case Named, Period, Number, Except, Only, With, OverYear, OverMonth, Share, Weekdays, Clock, Sorting, TopRows,
			Best, Worst, Absent, Losing, Negative, Nonzero, Cash, Trend, PerDay, Average, Apart:
		case Per:
			if i+1 >= len(s.Items) || s.Items[i+1].Kind != Dimension && s.Items[i+1].Kind != Measure {
				continue
			}
		default:
			continue
		}
		for k := it.At; k < it.End; k++ {
			list[k] = true
		}
	}
	return list
}

// Denials leaves out units and breakdowns that the task says it does not want: "by value, not by units".
func (s *Sentence) Denials() {
	if i := slices.IndexFunc(s.Items, func(it *Item) bool { return it.Kind != Function }); i >= 0 &&
		s.Previous != nil && s.Items[i].Kind == With && s.Tokens[s.Items[i].At].Norm == "drop" {
		s.Items[i].Kind = Except // "drop the services"
	}
	s.excludedBehind()
	for i, it := range s.Items {
		w := s.Tokens[it.At].Norm
		if w != "not" && w != "не" || it.Kind != Except && it.Kind != Unexplained || i == 0 ||
			counts[s.Tokens[it.End-1].Norm] { // "services don't count"
			continue
		}
		k := i + 1
		for k < len(s.Items) && (s.Items[k].Kind == Function || s.Items[k].Kind == Per) {
			k++
		}
		if k >= len(s.Items) {
			return
		}
		switch not := s.Items[k]; not.Kind {
		case Dimension, InUnits, InMoney:
		case Measure:
			if s.Items[k-1].Kind != Per && s.Tokens[s.Items[i].End-1].Norm != "by" {
				continue
			}
		default:
			continue
		}
		for ; i <= k; i++ {
			s.Items[i].Kind = Function
		}
	}
}
