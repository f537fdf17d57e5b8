package talk

import (
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/language"
	"github.com/stockhand/stockhand/internal/language/act"
	"github.com/stockhand/stockhand/internal/language/draft"
	"github.com/stockhand/stockhand/internal/language/quantity"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// edited reads a message that changes one thing of the draft before it, whatever that draft was made of: another
// figure (rule R671), where an order goes, how new prices are rounded and what bounds them.
func (t *talk) edited(task string, last *language.Reading) *language.Reading {
	d, ok := last.Input.(draft.Draft)
	if !ok || last.Question != nil || kindOf[last.Skill] == draft.None {
		return nil
	}
	d = d.Clone()
	if x := t.onePrice(task, last, d); x != nil {
		return x
	}
	if x := priceOfOrder(task, last, d); x != nil {
		return x
	}
	if f, ok := figureOf(task); ok {
		switch {
		case d.Budget != "" && len(d.Items) == 0 && !f.percent && f.sign == "" && !f.each && f.fits(d.Budget):
			d.Budget = f.value
			return of(last, d)
		case lists(last.Skill):
			return renumbered(f, last, d)
		case last.Skill == language.ProposeMinimumStocks && d.Minimum != "" && f.plain() && f.fits(d.Minimum):
			d.Minimum = f.value
			return of(last, d)
		case last.Skill == language.ProposePriceChange && len(d.Items) == 1 && !f.percent && f.sign == "" &&
			f.fits(d.Items[0].Price):
			d.Items[0].Price = f.value
			return of(last, d)
		case last.Skill == language.ProposePriceChange && len(d.Items) == 0:
			return regoaled(f, last, d)
		}
		return nil
	}
	if x := t.delivered(task, last, d); x != nil {
		return x
	}
	if x := t.planned(task, last, d); x != nil {
		return x
	}
	if last.Skill == language.ProposePriceChange && d.Round != nil && says(task, noRounding, aroundRounding) &&
		strings.Contains(strings.ToLower(task), "округл") {
		if d.Round = nil; d.Percent+d.Amount+d.Markup+d.Margin+d.Price != "" {
			return of(last, d)
		}
	}
	return t.bounded(task, last, d)
}

// apart reads a task that has nothing to do with the rows that were shown.
func (t *talk) apart(text string) language.Reading {
	in := t.in
	in.Rows = nil
	return language.Read(text, in)
}

// figure is a message that says no more than another figure: "нет, 6", "не 12, а 10", "12 not 8", "теперь по 3".
type figure struct {
	value, was     string
	sign           string // of what a price changes by
	percent, money bool
	each           bool // of every line
	new            bool // "до 300", "цена 250": the price itself
}

func (f *figure) plain() bool { return !f.percent && !f.money && f.sign == "" }

// fits reports whether a figure is the one that the message says was wrong, if it says one.
func (f *figure) fits(now string) bool {
	return f.was == "" || sameNumber(f.was, strings.TrimPrefix(now, "-"))
}

func sameNumber(a, b string) bool {
	x, err1 := decimal.Parse(a)
	y, err2 := decimal.Parse(b)
	return err1 == nil && err2 == nil && x.Cmp(y) == 0
}

func figureOf(task string) (f figure, ok bool) {
	if a := act.Read(task); a.Kind == act.Set && a.Each && !a.Price { // "тогда закажи по 5"
		return figure{value: a.To, each: true}, true
	}
	denied := false
	ts := token.Split(task)
	for i, t := range ts {
		n := ""
		if t.Kind == token.Number {
			n = strings.ReplaceAll(t.Norm, ",", ".")
		} else if k := quantity.Numeral(t.Norm); k > 0 {
			n = strconv.Itoa(k)
		}
		u, _ := words.UnitOf(t.Norm)
		switch {
		case n != "" && denied && f.was == "":
			f.was, denied = n, false
		case n != "" && f.value == "":
			f.value = n
		case n != "":
			return f, false
		case (t.Norm == "не" || t.Norm == "not") && i == 0 && len(ts) > 1 && ts[1].Norm == ",": // "не, 30" is "нет, 30"
		case t.Norm == "не" || t.Norm == "not" || insteadWords[t.Norm]:
			denied = true
		case t.Norm == "%" || u.Kind == words.Percent:
			f.percent = true
		case t.Norm == "₽" || u.Kind == words.Money:
			f.money = true
		case t.Norm == "+" || t.Norm == "-" || t.Norm == "−" || t.Norm == "плюс" || t.Norm == "минус":
			f.sign = map[bool]string{true: "+", false: "-"}[t.Norm == "+" || t.Norm == "плюс"]
		case t.Norm == "по" || strings.HasPrefix(t.Norm, "кажд") || t.Norm == "each":
			f.each = true
		case t.Norm == "до" || newPrice[t.Norm]:
			f.new = true
		case t.Punctuation(), regoals[t.Norm], pieces[t.Norm]:
		default:
			return f, false
		}
	}
	return f, f.value != "" && !denied
}

var (
	regoals = words.Set("поменяй измени смени исправь передумал передумала change set до нет а лучше давай на " +
		"пусть будет тогда хватит ой слишком мало много маловато многовато точнее вернее ладно сделай поставь " +
		"дорого дороговато дешево жирно достаточно стоп погоди подожди хотя теперь только всего же все-таки " +
		"no make it by to rather better let's say actually instead of but just only enough then wait ok okay " +
		"that this it's its sorry i mean meant oops hmm um hang hold on second thought go with use try do too much high " +
		"low little many few hm er nah nope should was supposed please")
	pieces = words.Set("шт штук штуки штука штуку pcs pieces piece units")
)

// renumbered puts another quantity into a list. Of several lines it must be clear which one is meant.
func renumbered(f figure, last *language.Reading, d draft.Draft) *language.Reading {
	if !f.plain() {
		return nil
	}
	if r := d.RowsOf; r != nil {
		if r.Quantity == "" && !f.each || r.Quantity != "" && !f.fits(r.Quantity) {
			return nil
		}
		r.Quantity = f.value
		if r.Column != "available" {
			r.Column = ""
		}
		return of(last, d)
	}
	var at []int
	for i := range d.Items {
		if f.fits(d.Items[i].Quantity) {
			at = append(at, i)
		}
	}
	if len(at) == 0 {
		return nil
	}
	with := func(lines ...int) draft.Draft {
		c := d.Clone()
		for _, i := range lines {
			c.Items[i].Quantity = f.value
		}
		return c
	}
	if len(at) == 1 || f.each {
		return of(last, with(at...))
	}
	x := of(last, d)
	x.Input, x.Question = nil, &language.Question{Text: last.Language.Pick("Для какого товара количество ",
		"Of which product is the quantity ") + f.value + "?"}
	for _, lines := range append(each(at), at) {
		c := with(lines...)
		x.Question.Options = append(x.Question.Options, language.Option{Text: draft.Text(kindOf[last.Skill], c,
			last.Language), Skill: last.Skill, Input: c})
	}
	return x
}

func each(at []int) (out [][]int) {
	const most = 7
	for _, i := range at[:min(most, len(at))] {
		out = append(out, []int{i})
	}
	return out
}

// newPrice are words that say that a figure is the price itself.
var newPrice = words.Set("цена цену ценой ценник price")

// newOrChange asks whether a figure is the new price or by how much prices change: "лучше до 300", "цена 250" after
// −10 % (rule R1137).
func newOrChange(f figure, sign string, last *language.Reading, d draft.Draft) *language.Reading {
	price, by := d.Clone(), d.Clone()
	price.Percent, price.Amount, price.Price = "", "", f.value
	options := []draft.Draft{price}
	by.Percent, by.Amount = sign+f.value, ""
	if f.money || d.Amount != "" {
		by.Percent, by.Amount = "", sign+f.value
	}
	if f.money || d.Amount != "" || len(f.value) < 3 {
		options = append(options, by)
	}
	x := of(last, d)
	x.Input, x.Question = nil, &language.Question{Text: last.Language.Pick(
		"Это новая цена, или на сколько её изменить?", "Is that the new price, or by how much it changes?")}
	for _, o := range options {
		x.Question.Options = append(x.Question.Options, language.Option{
			Text: draft.Text(draft.Prices, o, last.Language), Skill: last.Skill, Input: o})
	}
	return x
}

// regoaled puts another figure into a change of prices: "нет, двадцать", "лучше на 15", "не 12, а 10".
func regoaled(f figure, last *language.Reading, d draft.Draft) *language.Reading {
	sign := ""
	if strings.HasPrefix(d.Percent+d.Amount, "-") && f.sign != "+" || f.sign == "-" {
		sign = "-"
	}
	if !f.fits(d.Percent + d.Amount + d.Markup + d.Margin + d.Price) {
		return nil
	}
	if f.new && !f.percent && d.Percent+d.Amount != "" {
		return newOrChange(f, sign, last, d)
	}
	switch {
	case d.Percent != "" && !f.money:
		d.Percent = sign + f.value
	case d.Percent != "":
		d.Percent, d.Amount = "", sign+f.value
	case d.Amount != "" && !f.percent:
		d.Amount = sign + f.value
	case d.Amount != "":
		d.Amount, d.Percent = "", sign+f.value
	case d.Markup != "" && !f.money:
		d.Markup = f.value
	case d.Margin != "" && !f.money:
		d.Margin = f.value
	case d.Price != "" && !f.percent:
		d.Price = f.value
	default:
		return nil
	}
	return of(last, d)
}

// delivered reads where an order or a transfer is to go, or where it comes from, and nothing else: "на Лесную",
// "привезти на Лесную", whose verb would otherwise order a transfer.
func (t *talk) delivered(task string, last *language.Reading, d draft.Draft) *language.Reading {
	if !lists(last.Skill) {
		return nil
	}
	ts := token.Split(task)
	i, brings, adds := 0, false, false
	for ; i < len(ts) && (ts[i].Punctuation() || bringing[ts[i].Norm] || leads[ts[i].Norm]); i++ {
		brings, adds = brings || bringing[ts[i].Norm], adds || addingWords[ts[i].Norm]
	}
	end := len(ts)
	for end > i+1 && (ts[end-1].Punctuation() || behindPlace[ts[end-1].Norm]) {
		end--
	}
	adds = adds && (i > 1 || end == len(ts))
	if i == len(ts) || adds || !brings && !toPlace[ts[i].Norm] && !leaving[ts[i].Norm] ||
		brings && last.Skill != language.ProposeSupplierOrders {
		return nil
	}
	s := t.parts(task[ts[i].Start:ts[end-1].End], true)
	if len(s.parts) != 1 || len(s.rest) > 0 || !slices.Equal(s.parts[0].slots, []slot{"store"}) ||
		len(s.parts[0].names) != 1 || s.parts[0].excludes || s.parts[0].only {
		return nil
	}
	name, from := s.parts[0].names[0].Name, leaving[s.norm(s.parts[0].from)]
	switch {
	case last.Skill == language.ProposeTransfers && from:
		d.FromStores = []string{name}
	case last.Skill == language.ProposeTransfers:
		d.Stores = []string{name}
	case from:
		return nil
	case d.Items != nil || d.RowsOf != nil && d.RowsOf.Quantity+d.RowsOf.Column != "":
		d.Store = name
	default:
		d.Stores = []string{name}
	}
	if len(d.Stores) == 1 && slices.Equal(d.Stores, d.FromStores) {
		return nil
	}
	return of(last, d)
}

var toPlace = words.Set("на в во to")

// bringing are verbs that say where an order goes.
var bringing = words.Set("привези привезите привезти привозите вези везите везти доставь доставьте доставить " +
	"доставка доставку доставкой отправь отправить пусть пускай привезут везут доставят везли привезли " +
	"будет подтверждаю deliver bring ship send it confirm")

// behindPlace are words behind it: "на Витрину пусть везут".
var behindPlace = words.Set("пусть пускай везут привезут доставят везите привезите доставка доставку нужна нужно надо " +
	"будет поедет едет пойдет please then instead лучше")

// Of a message that takes the rounding back: "не надо округлять".
var (
	noRounding     = words.Set("не без")
	aroundRounding = words.Set("надо нужно округлять округляй округления округли давай цены и а")
)

// planned reads what bounds an order of what is short, and nothing else: its budget, how long stock must last, the
// quantities of each good. Such words say the same behind any such order (rule R812).
func (t *talk) planned(task string, last *language.Reading, d draft.Draft) *language.Reading {
	if last.Skill != language.ProposeSupplierOrders || len(d.Items) > 0 ||
		d.RowsOf == nil || d.RowsOf.Result == "" || d.RowsOf.Quantity+d.RowsOf.Column != "" {
		return nil
	}
	base := draft.Draft{Mode: "below_minimum"}
	x := t.apart(draft.Text(draft.Orders, base, last.Language) + ", " + strings.Trim(task, " .!?"))
	now, ok := x.Input.(draft.Draft)
	if !ok || !complete(&x) || x.Skill != last.Skill {
		return nil
	}
	rest := now
	rest.Budget, rest.MinOrder, rest.Days, rest.LeadDays, rest.Delivery, rest.Forecast = "", "", 0, 0, "", false
	rest.Limits = draft.Limits{}
	if !reflect.DeepEqual(rest, base) || reflect.DeepEqual(now, base) {
		return nil
	}
	for _, v := range []struct{ to, from *string }{{&d.Budget, &now.Budget}, {&d.MinOrder, &now.MinOrder},
		{&d.Delivery, &now.Delivery}, {&d.Multiple, &now.Multiple}, {&d.AtLeast, &now.AtLeast},
		{&d.AtMost, &now.AtMost}} {
		if *v.from != "" {
			*v.to = *v.from
		}
	}
	if now.Days > 0 {
		d.Days = now.Days
	}
	if now.LeadDays > 0 {
		d.LeadDays = now.LeadDays
	}
	d.Forecast = d.Forecast || now.Forecast
	return of(last, d)
}

// bounded reads how new prices are rounded and what bounds them, and of which type they are: "округли до 10", "но
// не ниже себестоимости", "в опте". Such words say the same behind any change of prices.
func (t *talk) bounded(task string, last *language.Reading, d draft.Draft) *language.Reading {
	if last.Skill != language.ProposePriceChange {
		return nil
	}
	if d.PriceType != "" && says(task, retailPrices, besideRetail) {
		d.PriceType = ""
		return of(last, d)
	}
	if x := t.otherType(task, last, d); x != nil {
		return x
	}
	ts := token.Split(task)
	for len(d.Items) > 0 && len(ts) > 1 && sameThere[ts[len(ts)-1].Norm] {
		ts = ts[:len(ts)-1]
	}
	i := 0
	for i < len(ts)-1 && (ts[i].Punctuation() || leadIn[ts[i].Norm] || ts[i].Norm == "нет" ||
		ts[i].Norm == "no") {
		i++
	}
	if i >= len(ts) {
		return nil
	}
	every := draft.Draft{Percent: "1", Everything: true}
	x := t.apart(draft.Text(draft.Prices, every, last.Language) + ", " + task[ts[i].Start:ts[len(ts)-1].End])
	now, ok := x.Input.(draft.Draft)
	if !ok || !complete(&x) || x.Skill != last.Skill {
		return nil
	}
	rest := now
	rest.Round, rest.Limits, rest.PriceType = nil, draft.Limits{}, ""
	if !reflect.DeepEqual(rest, every) || reflect.DeepEqual(now, every) ||
		len(d.Items) > 0 && (now.Round != nil || now.Given()) { // a list has its prices
		return nil
	}
	if now.Round != nil {
		d.Round = now.Round
	}
	if now.PriceType != "" {
		d.PriceType = now.PriceType
	}
	for _, v := range []struct{ to, from *string }{{&d.MinPrice, &now.MinPrice}, {&d.MaxPrice, &now.MaxPrice},
		{&d.OverCost, &now.OverCost}, {&d.OverPurchase, &now.OverPurchase}, {&d.MinMargin, &now.MinMargin}} {
		if *v.from != "" {
			*v.to = *v.from
		}
	}
	return of(last, d)
}

// otherType reads a type of prices, and nothing else: "и оптовые тоже" after a change of the usual prices.
func (t *talk) otherType(task string, last *language.Reading, d draft.Draft) *language.Reading {
	said := slices.DeleteFunc(token.Split(task), func(x token.Token) bool {
		return x.Kind == token.Mark || aroundType[x.Norm] || also[x.Norm] || leadIn[x.Norm] || x.Norm == "для"
	})
	if len(said) != 1 || tradeOf(said[0].Norm) == "" {
		return nil
	}
	x := of(last, d)
	types := t.in.NamesOf(connector.NamePriceType)
	if len(types) == 0 && t.in.Unsearched {
		x.Input, x.Unknown = nil, []language.Phrase{{Words: said[0].Raw,
			Kinds: []connector.NameKind{connector.NamePriceType}}}
		return x
	}
	found := typesNamed(said[0], types)
	if len(found) != 1 || found[0].Name == d.PriceType {
		return nil
	}
	d.PriceType = found[0].Name
	return of(last, d)
}

// Of a message that means the usual prices, too, or instead of those of another type: "и розницу".
var (
	retailPrices = words.Set("розницу розница розничные розничную розничная retail")
	besideRetail = words.Set("и а тоже также еще ещё цены цену теперь на в and also the prices too for")
)

// reversed turns a transfer around: "наоборот".
func reversed(task string, last *language.Reading) *language.Reading {
	d, ok := last.Input.(draft.Draft)
	if !ok || last.Skill != language.ProposeTransfers || last.Question != nil || len(d.FromStores) != 1 ||
		len(d.Stores) != 1 || !says(task, turns, nil) {
		return nil
	}
	d = d.Clone()
	d.FromStores, d.Stores = d.Stores, d.FromStores
	return of(last, d)
}

// redirected turns a change of prices around: "нет, снизь", "no, lower", "наоборот".
func redirected(task string, last *language.Reading) *language.Reading {
	d, ok := last.Input.(draft.Draft)
	if !ok || last.Skill != language.ProposePriceChange || last.Question != nil || d.Percent+d.Amount == "" {
		return nil
	}
	up, down, other := false, false, false
	for _, t := range token.Split(task) {
		switch w := t.Norm; {
		case t.Punctuation():
		case upward[w]:
			up = true
		case downward[w]:
			down = true
		case w == "наоборот" || w == "reverse" || w == "opposite" || w == "обратно":
			other = true
		case !turns[w] && !regoals[w] && w != "цены" && w != "цену" && w != "prices" && w != "их" && w != "them":
			return nil
		}
	}
	if up == down && !other {
		return nil
	}
	d = d.Clone()
	for _, v := range []*string{&d.Percent, &d.Amount} {
		lowers := strings.HasPrefix(*v, "-")
		switch plain := strings.TrimPrefix(*v, "-"); {
		case *v == "":
		case up && !down, up == down && lowers:
			*v = plain
		default:
			*v = "-" + plain
		}
	}
	return of(last, d)
}

var (
	upward = words.Set("подними поднять повысь повысить повышай поднимай увеличь вверх выше дороже плюс raise " +
		"increase up higher")
	downward = words.Set("снизь снизить понизь понизить снижай понижай опусти уменьши вниз ниже дешевле минус " +
		"lower reduce cut decrease down")
)

var turns = words.Set("нет не так а наоборот назад обратно в другую обратную сторону reverse the other way " +
	"round around it no vice versa")
