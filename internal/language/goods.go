package language

import (
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/language/compose/typed"
	"github.com/stockhand/stockhand/internal/language/names"
	"github.com/stockhand/stockhand/internal/language/request"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// togetherMeant reads a task that means nothing with one of the goods that a word fits as one about all of them:
// "резервы по кофе".
func (r *reader) togetherMeant(out *Reading) {
	for k := range r.mentions {
		m := &r.mentions[k]
		n := m.goods()
		if m.all || n < 2 || n > mostTogether {
			continue
		}
		goods := slices.DeleteFunc(m.things(),
			func(t connector.Name) bool { return t.Kind != connector.NameProduct })
		if every, ok := r.meaning(k, goods, true); ok && len(goods) == n && headed(goods, m.words) &&
			every.Skill.Reads() && len(every.Unused) == 0 {
			*out = every
		}
		return
	}
}

// soldServices takes a word that is an everyday one for the service that is called by it where its price or its sales
// are asked for, or where it is left out: "сколько стоит доставка", "прибыль без доставки" (rule R832).
func (r *reader) soldServices(everyday []bool) {
	sold := func(t token.Token) bool { return ofSales[t.Stem] }
	if request.Orders(r.task) || !r.asksPrice() && !slices.ContainsFunc(r.ts, sold) {
		return
	}
	for i := range r.ts {
		everyday[i] = everyday[i] && !services[r.ts[i].Stem]
	}
}

// noNames marks words that are no names although names have them: "архивные товары", "в каких наборах есть кружка".
func (r *reader) noNames(everyday []bool) {
	for i := range r.ts {
		w, next := r.ts[i].Norm, r.normAt(i+1)
		switch {
		case w == "архив" && goodsNouns[r.normAt(i-1)] && next == "", // "товары архив"
			strings.HasPrefix(w, "архивн") && goodsNouns[next], w == "архиве" &&
				r.normAt(i-1) == "в" && next == "":
			everyday[i] = true
		case whichWords[r.normAt(i-1)] && setWords[w], typed.Great(r.in.Catalogue, r.ts, i):
			everyday[i] = true
		}
	}
}

var (
	whichWords = words.Set("каких каком какие какой")
	setWords   = words.Set("наборах наборы наборе набор комплектах комплекты комплекте комплект")
)

var services = token.Stems("доставка доставки доставку сборка сборку монтаж монтажа упаковка упаковку подъем " +
	"подъема установка установку ремонт ремонта настройка настройку гравировка доставок доставке сборок delivery " +
	"deliveries shipping assembly packaging installation")

// ofSales are stems of words for what goods and services bring.
var ofSales = token.Stems("выручка выручку выручки прибыль прибыли маржа маржу маржи наценка наценку наценки продажи " +
	"принесла принесли принесло принес продаж продали заработали оборот revenue profit margin markup sales sold sell turnover")

// assembled answers how many of certain sets can be put together with the report of stock, which says that.
func (r *reader) assembled(out *Reading) {
	q := out.Query
	if out.Skill != Analyze || q == nil || out.Question != nil || !slices.Equal(q.Measures, []string{"stock"}) ||
		len(q.Where) != 1 || q.Where[0].Field != "product" || q.Where[0].Op != "in" ||
		!slices.ContainsFunc(r.ts, func(t token.Token) bool { return assembling[t.Norm] }) {
		return
	}
	out.Skill, out.Query, out.Said, r.explained = Stock, nil, "", true
	for _, v := range q.Where[0].Values {
		out.Arguments.Products = append(out.Arguments.Products, string(v))
	}
}

var assembling = words.Set("собрать соберем соберется насобираем")

// ofVariants asks for variants by their own dimension where a query names nothing but them: "тапочки XL есть" (rule
// R748). By product, a query knows only the goods that they are of.
func (r *reader) ofVariants(out *Reading) {
	if out.Skill != Analyze || out.Query == nil {
		return
	}
	r.pricesOfVariants(out)
	i := slices.IndexFunc(out.Query.Where, func(w analysis.Condition) bool {
		return w.Field == "product" && w.Op == analysis.In
	})
	if i < 0 {
		return
	}
	var values []analysis.Scalar
	for _, v := range out.Query.Where[i].Values {
		n, ok := r.variant(string(v))
		if !ok {
			return
		}
		values = append(values, analysis.Scalar(n.ID))
	}
	r.changed(out, func(q *analysis.Query) {
		q.Where = slices.Clone(q.Where)
		q.Where[i] = analysis.Condition{Field: "variant", Op: analysis.In, Values: values}
		if k := slices.Index(q.By, "product"); k >= 0 {
			q.By[k] = "variant"
		}
	})
}

// pricesOfVariants shows prices of goods that have variants by variant (rule R1186): the good itself has none where
// those differ.
func (r *reader) pricesOfVariants(out *Reading) {
	q := out.Query
	if len(q.By) > 1 || len(q.By) == 1 && q.By[0] != "product" || q.Compare != nil || q.Explain ||
		!slices.ContainsFunc(q.Measures, func(m string) bool { return ofEachVariant[m] }) ||
		slices.ContainsFunc(q.Measures, func(m string) bool { return !ofEachVariant[m] && m != "last_purchase" }) {
		return
	}
	const most = 20 // goods
	some := false
	for _, w := range q.Where {
		if w.Field == "price_type" {
			return
		}
		if w.Field != "product" {
			continue
		}
		if w.Op != analysis.In || len(w.Values) > most {
			return
		}
		for _, v := range w.Values {
			some = some || len(r.in.variantsOf(string(v))) > 0
		}
	}
	if some {
		r.changed(out, func(q *analysis.Query) { q.By = []string{"variant"} })
	}
}

var ofEachVariant = words.Set("sale_price card_purchase_price minimum_price last_purchase_price")

// variant returns the variant that a value of a query names, by its ID or its name.
func (r *reader) variant(value string) (connector.Name, bool) {
	for _, m := range r.mentions {
		for _, n := range m.meanings {
			if n.ID != value && n.Name != value || !strings.HasSuffix(n.Name, ")") {
				continue
			}
			product, _, _ := strings.Cut(n.Name, " (")
			for p := range r.in.names(connector.NameProduct) {
				if p.Name == product {
					return n, true
				}
			}
		}
	}
	return connector.Name{}, false
}

// widen reads a question about the good that one word names as one about every good whose name begins with it:
// "носки" are «Носки» and «Носки № 2» (rule R740). A name with a capital letter within a sentence is that good
// alone.
func (r *reader) widen(out *Reading) {
	if !out.Skill.Reads() || out.Question != nil {
		return
	}
	for k := range r.mentions {
		m := &r.mentions[k]
		if len(m.wider) == 0 || len(m.meanings) != 1 || m.at[0] > 0 && startsUpper(r.named[m.at[0]].Raw) {
			continue
		}
		every, ok := r.meaning(k, append(slices.Clone(m.meanings), m.wider...), true)
		if ok && every.Skill.Reads() {
			*out = every
		}
		return
	}
}

// describedGroups takes an adjective that a group's name has the root of for the group, where it describes goods or
// stands alone: "детские товары" of «Детям», "из игрушечных" of «Игрушки» (rule R741).
func (r *reader) describedGroups() {
	var groups map[string]connector.Name // by the roots of those that are called by one word
	for i := range r.ts {
		t := &r.ts[i]
		if t.Use != token.Unused || t.Kind != token.Word || !t.Cyrillic || !r.describesGoods(i) {
			continue
		}
		if groups == nil {
			groups = map[string]connector.Name{}
			for n := range r.in.names(connector.NameGroup) {
				if root := groupRoot(n.Name); root != "" {
					if _, twice := groups[root]; twice {
						n = connector.Name{}
					}
					groups[root] = n
				}
			}
		}
		if n := groups[rootOf(t.Stem)]; n.ID != "" || n.Name != "" {
			r.names(n, i, i+1)
		}
	}
}

// describesGoods reports whether a token is an adjective of goods, or one that stands alone behind a preposition.
func (r *reader) describesGoods(i int) bool {
	if groupSlang[r.ts[i].Norm] {
		return true
	}
	if anyKind[r.ts[i].Stem] {
		return false // "сколько разных товаров"
	}
	if !slices.ContainsFunc(adjectiveEnds, func(end string) bool {
		return strings.HasSuffix(r.ts[i].Norm,
			end)
	}) {
		return false
	}
	next := r.normAt(i + 1)
	if goodsNouns[next] {
		return true
	}
	prev := r.normAt(i - 1)
	return (next == "" || standsBehind[next] || r.ts[i+1].Kind == token.Mark || happens(next)) &&
		ofGoodsWords[prev] &&
		(strings.HasSuffix(r.ts[i].Norm, "ого") || strings.HasSuffix(r.ts[i].Norm, "ому") ||
			strings.HasSuffix(r.ts[i].Norm, "их") || strings.HasSuffix(r.ts[i].Norm, "ых"))
}

// happens reports whether a word is a verb of what happens to goods.
func happens(word string) bool {
	return slices.ContainsFunc(goodsVerbs, func(v string) bool { return strings.HasPrefix(word, v) })
}

// anyKind are stems of adjectives that say nothing of the kind of goods.
var anyKind = token.Stems("разный разные различный различные прочий прочие остальной остальные другой другие " +
	"новый новые старый старые наш наши такой такие похожий похожие дешевый дешевые дорогой дорогие")

// groupSlang are short nouns for groups of goods.
var groupSlang = words.Set("канцелярка канцелярки канцелярке канцелярку канцелярии канцелярию канцелярия хозка " +
	"хозки хозке хозку хозбыт хозбыту хозяйка развес развеса развесу развеске детское детского детскому")

var (
	goodsVerbs = strings.Fields("законч заканч конч продал продае продаю прода осталось остал лежит " +
		"лежат залеж скоро")
	adjectiveEnds = strings.Fields("ый ий ой ая яя ое ее ые ие ых их ого его ому ему ым им ыми ими ую юю ом ем")
	goodsNouns    = words.Set("товар товара товары товаров товарам товарах товару товарами позиция позиции " +
		"позиций позициям вещи вещей ассортимент ассортимента ассортименту продукция продукции группа группе " +
		"группы группу категория категории категорию отдел отдела отделе отделу раздел разделе разделу мелочь " +
		"мелочи наименования")
	ofGoodsWords = words.Set("из по среди")
)

// groupRoot returns the root of a group's name of one word that matters; empty for others.
func groupRoot(name string) string {
	stems := names.Stems(name)
	if len(stems) != 1 || token.HasDigit(name) {
		return ""
	}
	return rootOf(stems[0])
}

// rootOf returns a stem without what makes an adjective or a noun of its root: "посудн" and "посуд" are "посуд".
// Roots of fewer than three letters are none.
func rootOf(stem string) string {
	const least = 3
	if root := oddRoots[stem]; root != "" {
		return root
	}
	for _, end := range []string{"ическ", "ецк", "енск", "ск", "альн", "очн", "ечн", "ов", "ев", "ейн",
		"йн", "н",
		"ость", "ост", "ик", "к", "ь", "й"} {
		if root, ok := strings.CutSuffix(stem, end); ok && len([]rune(root)) >= least {
			return root
		}
	}
	if len([]rune(stem)) < least {
		return ""
	}
	return stem
}

// oddRoots are the roots of stems that have lost or changed letters.
var oddRoots = func() map[string]string {
	m := map[string]string{}
	for root, list := range map[string]string{
		"хоз":  "хозяйственный хозяйственные хозтовары хоз хозка хозки хозке хозку хозбыт",
		"канц": "канцелярский канцелярия канцтовары канц канцелярка канцелярки",
		"дет":  "детский детское детям дети детей для детства",
		"свет": "световой осветительный осветительные освещение свет светотехника",
		"инст": "инструментальный инструменты инструмент",
		"одеж": "одежда одежный одежные",
		"вес":  "развесное развесные развесной развес развеска весовые весовой весовое вес",
		"пищ":  "пищевые пищевой продуктовые продуктовый продукты продукт",
	} {
		for w := range strings.FieldsSeq(list) {
			m[token.StemOf(w)] = root
		}
	}
	delete(m, token.StemOf("для"))
	return m
}()

// leftOut takes what a question leaves out of goods for those of them that the words fit: "чай без зелёного"
// leaves out green tea and no green socks (rule R742).
func (r *reader) leftOut() {
	for k := range r.mentions {
		m := &r.mentions[k]
		first := m.at[0]
		if first == 0 || !leavingOut[r.ts[first-1].Norm] || m.exact && len(m.meanings) == 1 {
			continue
		}
		of := r.goodsAsked(k)
		var within []connector.Name
		for _, n := range m.meanings {
			if n.Kind == connector.NameProduct && of[n.ID] {
				within = append(within, n)
			}
		}
		if len(within) > 0 {
			m.meanings, m.all, m.byID, m.weak = within, len(within) > 1, true, false
			m.exact, m.total, m.wider = true, len(within), nil
		}
	}
}

// ofNoun takes an adjective right behind a good for one of that good: "носки № 3 белые" is no white switch. If
// none of its variants fits, the word is unknown.
func (r *reader) ofNoun() {
	for k := 1; k < len(r.mentions); k++ {
		m, noun := &r.mentions[k], &r.mentions[k-1]
		if len(m.at) != 1 || m.at[0] != noun.at[len(noun.at)-1]+1 || noun.goods() == 0 || m.goods() == 0 ||
			!slices.ContainsFunc(adjectiveEnds, func(end string) bool {
				return strings.HasSuffix(r.ts[m.at[0]].Norm, end)
			}) {
			continue
		}
		var both []connector.Name
		for _, n := range m.meanings {
			if slices.ContainsFunc(noun.meanings, func(o connector.Name) bool {
				return n.ID == o.ID || strings.HasPrefix(n.Name, o.Name+" ")
			}) {
				both = append(both, n)
			}
		}
		if len(both) > 0 {
			noun.meanings, noun.total, noun.wider = both, len(both), nil
			noun.all, noun.byID, noun.exact, noun.weak = len(both) > 1, true, true, false
			noun.at = append(slices.Clone(noun.at), m.at...)
		} else {
			r.ts[m.at[0]].Use = token.Unused
		}
		r.mentions = slices.Delete(r.mentions, k, k+1)
		k--
	}
}

// goodsAsked returns the IDs of the goods that the task names elsewhere, or that the task before was about.
func (r *reader) goodsAsked(except int) map[string]bool {
	ids := map[string]bool{}
	for k, m := range r.mentions {
		for _, n := range m.meanings {
			if k != except && n.Kind == connector.NameProduct {
				ids[n.ID] = true
			}
		}
	}
	if len(ids) > 0 || r.in.Previous == nil {
		return ids
	}
	q := r.in.Previous.asQuery()
	if q == nil {
		return ids
	}
	for _, w := range q.Where {
		for _, v := range w.Values {
			if w.Field == "product" && w.Op == "in" {
				ids[string(v)] = true
			}
		}
	}
	return ids
}

// everySuch takes a word that is a part of many names for all of those goods where it describes goods: "весовые
// товары".
func (r *reader) everySuch() {
	for k := range r.mentions {
		m := &r.mentions[k]
		n := m.goods()
		if len(m.at) == 1 && !m.all && n > 1 && n == len(m.meanings) && n <= mostTogether &&
			r.describesGoods(m.at[0]) {
			m.all, m.byID, m.exact, m.weak = true, true, true, false
		}
	}
}

// ofPriceType reports whether a word that a company is called by, too, says the type of prices: "почём чай оптом"
// is not about «Инструмент-Опт».
func (r *reader) ofPriceType(m *names.Mention) bool {
	return len(m.At) == 1 && typed.OfPriceType(&r.ts[m.At[0]]) && !request.Orders(r.task) &&
		r.asksPrice()
}

// ofWholesale reports whether a word that a name begins with says how somebody buys: "оптовые клиенты", "оптовикам"
// (rule R755).
func (r *reader) ofWholesale(m *names.Mention) bool {
	i := m.At[0]
	if w := r.normAt(i); strings.HasPrefix(w, "оптовик") {
		return true
	} else if !strings.HasPrefix(w, "оптов") {
		return false
	}
	for _, begin := range []string{"клиент", "покупател", "контрагент", "заказчик", "продаж", "выручк", "отгрузк",
		"заказ"} {
		if strings.HasPrefix(r.normAt(i+1), begin) {
			return true
		}
	}
	return false
}

// asksPrice reports whether the task has a word for prices.
func (r *reader) asksPrice() bool {
	return slices.ContainsFunc(r.ts, func(t token.Token) bool {
		return strings.HasPrefix(t.Norm, "цен") || pricing[t.Norm]
	})
}

var pricing = words.Set("почем стоит стоят прайс прайса прайсе стоимость дороже дешевле")
