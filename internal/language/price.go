package language

import (
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/language/names"
	"github.com/stockhand/stockhand/internal/language/quantity"
	"github.com/stockhand/stockhand/internal/language/token"
)

// fillPrices sets how prices change: by percent, to a markup or to a margin, and how they are rounded.
func (r *reader) fillPrices(a *Arguments) {
	e := r.evidence
	a.Round = r.Round
	if r.Percent == "" {
		return
	}
	switch {
	case r.says("наценк", "markup") || e.has(conceptMargin) && r.says("mark"):
		a.Markup = r.Percent
	case r.says("марж", "margin"):
		a.Margin = r.Percent
	default:
		a.Percent = r.Percent
		if r.lowers() {
			a.Percent = "-" + strings.TrimPrefix(a.Percent, "-")
		}
	}
}

// lowers reports whether prices go down: by a word, or by "20% off".
func (r *reader) lowers() bool {
	return (r.evidence.has(conceptLower) || r.Off) && !r.evidence.has(conceptRaise)
}

// says reports whether a word of the task, outside of names, begins with one of these.
func (r *reader) says(beginnings ...string) bool {
	return slices.ContainsFunc(r.ts, func(t token.Token) bool {
		return t.Kind == token.Word && t.Use == token.Unused &&
			slices.ContainsFunc(beginnings, func(b string) bool { return strings.HasPrefix(t.Norm, b) })
	})
}

// newPrices sets the price type, a list of prices, and whether the change is for all goods. It asks for what a draft
// of prices must have.
func (r *reader) newPrices(out *Reading) {
	a := &out.Arguments
	r.choosePriceType(out)
	prices := r.sums()
	if r.Percent == "" && len(prices) == 0 {
		for _, n := range r.numbersOfGoods() {
			prices = append(prices, quantity.Amount{Text: n.text})
		}
	}
	list := func(a *Arguments) bool {
		if r.Percent != "" || len(a.Products) != len(prices) {
			return false
		}
		for i, p := range a.Products {
			a.Items = append(a.Items, Item{Product: p, Price: prices[i].Text})
		}
		a.Products, a.Groups, a.Suppliers = nil, nil, nil
		return true
	}
	missing := func(p Phrase) bool { return p.Kinds[0] != connector.NamePriceType }
	switch {
	case r.Percent == "" && len(prices) > 0 && out.Question != nil:
		r.relist(out, ProposePriceChange, list)
	case out.Question != nil || slices.ContainsFunc(out.Unknown, missing):
	case r.Percent == "" && len(prices) > 0 && list(a):
		out.drop(connector.NameGroup)
		out.drop(connector.NameSupplier)
	case r.Percent == "":
		out.Question = &Question{Text: r.language.Pick(
			"На сколько изменить цены? Напишите процент, наценку, маржу или новую цену товара.",
			"Change the prices by how much? Write a percentage, a markup, a margin, or a product's new price.")}
	default:
		r.whichPrices(out)
	}
}

// whichPrices decides whether prices of all goods change, and in which direction.
func (r *reader) whichPrices(out *Reading) {
	a := &out.Arguments
	if len(a.Products)+len(a.Groups)+len(a.Suppliers) == 0 {
		a.Everything = true
		// Prices cannot be selected by warehouse or by how goods sell.
		if len(out.Ignored) > 0 || r.evidence.has(conceptSlowStock, conceptShortage, conceptNegative, conceptZero,
			conceptBest, conceptWorst, conceptABC) {
			all := *a
			a.Everything = false
			out.Question = &Question{Text: r.language.Pick(
				"По такому признаку цены не изменить. Назовите группы, поставщиков или товары. Или изменить цены на все товары?",
				"Prices cannot be changed by that. Name groups, suppliers or products. Or change the prices of all products?"),
				Options: []Option{r.option(ProposePriceChange, all)}}
			return
		}
	}
	if a.Percent != "" && !r.evidence.has(conceptRaise) && !r.lowers() && a.Percent[0] != '-' && !r.Plus {
		down := *a
		down.Percent = "-" + a.Percent
		out.Question = &Question{Text: r.language.Pick("Поднять цены или снизить?", "Raise the prices or lower them?"),
			Options: []Option{r.option(ProposePriceChange, *a), r.option(ProposePriceChange, down)}}
	}
}

// priceWords are the words that name a kind of price, in tasks and in the names of price types.
var priceWords = []struct {
	task, name []string
	retail     bool // people also mean the default price type by it
	purchase   bool
}{
	{task: []string{"опт", "wholesal", "trade"}, name: []string{"опт", "wholesale", "trade"}},
	{task: []string{"рознич", "розниц", "retail"}, name: []string{"розни", "retail"}, retail: true},
	{task: []string{"закуп", "purchase", "buying"}, purchase: true},
}

// priceNouns begin the word after a kind of price.
var priceNouns = []string{"цен", "price"}

// purchasePrice means the purchase price, which is not one of the price types of an account.
const purchasePrice = "закупочная"

// readPriceWord finds and marks the word for a kind of price in an order to change prices.
func (r *reader) readPriceWord() {
	r.priced = -1
	if !r.evidence.signals[signalDraftOrder] && !r.evidence.has(conceptDiscount) ||
		!r.evidence.has(conceptPrice, conceptRaise, conceptLower, conceptSetPrice, conceptDiscount) {
		return
	}
	for k, w := range priceWords {
		// "Оптовые цены" are not those of the supplier «Оптовая база», nor "розничные цены" those of «Розничный
		// покупатель».
		r.mentions = slices.DeleteFunc(r.mentions, func(m mention) bool {
			is := len(m.at) == 1 && hasPrefix(r.ts[m.at[0]].Norm, w.task) &&
				(!m.exact || len(accepted(m.meanings, ProposePriceChange)) == 0 ||
					hasPrefix(r.normAt(m.at[0]+1), priceNouns))
			if is {
				r.ts[m.at[0]].Use = token.Unused
			}
			return is
		})
		if at := r.beginning(w.task); at >= 0 && !r.means(at, conceptPurchaseOrder, conceptSupplier, conceptCustomer) {
			r.priced, r.pricedAt = k, at
			r.ts[at].Use = token.AsName
			return
		}
	}
}

// choosePriceType finds the price type that the task names. A word for retail prices that no price type has means the
// default one. Any other word that none has is unknown.
func (r *reader) choosePriceType(out *Reading) {
	a := &out.Arguments
	var types []string
	for _, n := range r.in.NamesOf(connector.NamePriceType) {
		types = append(types, n.Name)
	}
	if r.priced >= 0 {
		w := priceWords[r.priced]
		if w.purchase {
			if a.Markup == "" && a.Margin == "" { // "наценка от закупочной" says what the markup is on
				a.PriceType = purchasePrice
			}
			return
		}
		for _, t := range types {
			if slices.ContainsFunc(token.Split(t), func(n token.Token) bool { return hasPrefix(n.Norm, w.name) }) {
				a.PriceType = t
				return
			}
		}
		if len(types) == 0 || !w.retail {
			out.Unknown = append(out.Unknown,
				Phrase{Words: r.ts[r.pricedAt].Raw, Kinds: []connector.NameKind{connector.NamePriceType},
					Named: !w.retail && r.in.loaded()})
		}
		return
	}
	for _, t := range types {
		words := slices.DeleteFunc(names.Stems(t), func(s string) bool { return s == "цен" || s == "price" })
		if len(words) > 0 && !slices.ContainsFunc(words, func(s string) bool { return !r.hasStem(s) }) {
			a.PriceType = t
			out.Unknown = slices.DeleteFunc(out.Unknown, func(p Phrase) bool {
				return !slices.ContainsFunc(names.Stems(p.Words),
					func(s string) bool { return !slices.Contains(words, s) })
			})
			return
		}
	}
}

// beginning returns the first unused token that begins with one of these, or −1.
func (r *reader) beginning(of []string) int {
	return slices.IndexFunc(r.ts, func(t token.Token) bool {
		return t.Kind == token.Word && t.Use == token.Unused &&
			hasPrefix(t.Norm, of)
	})
}

func hasPrefix(s string, of []string) bool {
	return slices.ContainsFunc(of, func(b string) bool { return strings.HasPrefix(s, b) })
}

func (r *reader) hasStem(s string) bool {
	return slices.ContainsFunc(r.ts, func(t token.Token) bool {
		return t.Kind == token.Word && t.Use == token.Unused &&
			t.Stem == s
	})
}
