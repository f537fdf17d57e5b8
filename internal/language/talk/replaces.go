package talk

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/language/draft"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// Replaces reports whether a follow-up of a draft is that draft, changed, and not another one beside it (rule
// R670): "на Лесную" and "нет, 6" change it, "а на чай?" after a change of the prices of coffee asks for one
// more. before and now are the inputs of the tool.
func Replaces(task string, before, now []byte) bool {
	var was, is draft.Draft
	if json.Unmarshal(before, &was) != nil || json.Unmarshal(now, &is) != nil {
		return false
	}
	adds, corrects := false, false
	for i, t := range token.Split(task) {
		adds = adds || addingWords[t.Norm] && (t.Norm != "и" && t.Norm != "and" || i == 0)
		corrects = corrects || correcting[t.Norm]
	}
	shared := func(a, b []string) bool {
		return slices.ContainsFunc(a, func(x string) bool { return slices.Contains(b, x) })
	}
	old, all := goodsOf(&was), goodsOf(&is)
	if a, b := named(&was), named(&is); len(a) > 0 && len(b) > 0 { // of the same rows, but of other goods among them
		old, all = a, b
	}
	switch {
	case corrects:
		return true
	case was.PriceType != is.PriceType: // "а розничные на 1 %" stand beside the wholesale ones
		return false
	case len(old) == 0 || len(all) == 0:
		return len(old) == len(all) && !(adds && elsewhere(&was, &is))
	case !shared(old, all):
		return false
	default:
		return !adds || len(all) > len(old) || !elsewhere(&was, &is)
	}
}

// SameGoods reports whether the inputs of two drafts are of the same goods, and the second lists none of them.
func SameGoods(before, now []byte) bool {
	var was, is draft.Draft
	return json.Unmarshal(before, &was) == nil && json.Unmarshal(now, &is) == nil && is.Items == nil &&
		was.Everything == is.Everything && slices.Equal(goodsOf(&was), goodsOf(&is))
}

// WithoutGoods returns the input of a draft without goods (rule R1130).
func WithoutGoods(now []byte, out []string) []byte {
	var is draft.Draft
	if json.Unmarshal(now, &is) != nil {
		return now
	}
	if is.Except == nil {
		is.Except = &draft.Goods{}
	}
	for _, name := range out {
		if !slices.Contains(is.Except.Products, name) {
			is.Except.Products = append(is.Except.Products, name)
		}
	}
	changed, err := json.Marshal(is)
	if err != nil {
		return now
	}
	return changed
}

// elsewhere reports whether two drafts of the same goods are of other warehouses: with "и" or "тоже", the second
// stands beside the first.
func elsewhere(was, is *draft.Draft) bool {
	return was.Store != is.Store || !slices.Equal(was.Stores, is.Stores) ||
		!slices.Equal(was.FromStores, is.FromStores)
}

// named returns the goods and groups that a draft names.
func named(d *draft.Draft) []string {
	plain := *d
	plain.RowsOf, plain.Suppliers = nil, nil
	return goodsOf(&plain)
}

// goodsOf returns what goods a draft is of.
func goodsOf(d *draft.Draft) []string {
	out := slices.Concat(d.Products, d.Groups)
	for _, item := range d.Items {
		out = append(out, item.Product)
	}
	if len(out) == 0 {
		out = append(out, d.Suppliers...)
	}
	if r := d.RowsOf; r != nil {
		of := *r
		of.Rows, of.Except, of.Quantity, of.Column = nil, nil, "", ""
		if text, err := json.Marshal(of); err == nil {
			out = append(out, string(text))
		}
	}
	for i := range out {
		out[i], _, _ = strings.Cut(out[i], " (") // a variant
	}
	return out
}

// correcting are words that say that what was said before was wrong, or is now less.
var correcting = words.Set("нет не лучше вместо точнее вернее только лишь кроме без убери передумал передумала " +
	"исправь замени поменяй везут привезут доставят no not instead rather actually only just except without change")
