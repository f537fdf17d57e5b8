package compose

import (
	"strings"

	"github.com/stockhand/stockhand/internal/language/compose/typed"
	"github.com/stockhand/stockhand/internal/words"
)

// acts reports whether the customers of a task are those who buy or return, and no breakdown: "что вернули покупатели",
// "сколько накупили клиенты" (rule R872).
func (d *draft) acts(it, prev, next *typed.Item) bool {
	if it.ID != "counterparty" || !it.Plural || it.End != it.At+1 || d.Previous != nil || it.At == 0 {
		return false
	}
	before := d.Tokens[it.At-1].Norm
	if asked := whatWords[d.first()] || muchWords[d.first()] || d.first() == "на"; !asked || d.asks(it) ||
		beforePlace[before] || is(prev, typed.Per) || is(prev, typed.Number) || !nominative(d.Tokens[it.At].Norm) {
		return false
	}
	return d.verb(prev) || d.verb(next)
}

// nominative reports whether a plural may be a subject: "клиенты", "покупатели".
func nominative(w string) bool { return strings.HasSuffix(w, "ы") || strings.HasSuffix(w, "и") }

// verb reports whether an item is a measure said by a verb: "вернули".
func (d *draft) verb(it *typed.Item) bool {
	return is(it, typed.Measure) && verbs[d.Tokens[it.End-1].Stem]
}

// customersSpend takes what customers did for sales: "сколько покупателей купили больше чем на 10 тысяч", "клиенты,
// которые потратили больше 10 тысяч". What they paid is money that came in (rule R1054).
func (s *sentence) customersSpend() {
	if s.Previous != nil {
		return
	}
	for i, it := range s.Items {
		if !s.ofCustomers(it) {
			continue
		}
		k := i + 1
		for k < len(s.Items) && s.Items[k].Kind == typed.Function {
			k++
		}
		if k == len(s.Items) || s.Items[k].Kind != typed.Measure || !s.bounded(k) {
			continue
		}
		verb := s.Items[k]
		switch w := s.Tokens[verb.End-1].Norm; {
		case verb.ID == "purchases" && boughtByThem[w], verb.ID == "money_out" && spentByThem[w]:
			verb.ID = "revenue"
		case verb.ID == "money_out" && paidByThem[w]:
			verb.ID = "money_in"
		default:
			continue
		}
		it.Kind, it.ID, it.Plural, it.Order = typed.Dimension, "counterparty", true, ""
	}
}

// ofCustomers reports whether an item is the customers who act: "клиенты", "сколько покупателей".
func (s *sentence) ofCustomers(it *typed.Item) bool {
	last := s.Tokens[it.End-1].Norm
	many := it.End > it.At+1 || it.At > 0 && muchWords[s.Tokens[it.At-1].Norm] // "сколько клиентов"
	return (it.Kind == typed.Dimension && it.ID == "counterparty" || it.Kind == typed.Measure && it.ID == "receipts") &&
		(customersActing[last] || many && customersMany[last])
}

// whoBefore reports whether who buys stands before a condition, with what they buy in between (rule R1054).
func (d *draft) whoBefore(at int) bool {
	i := at - 1
	for i >= 0 && (d.Items[i].Kind == typed.Function || d.Items[i].Kind == typed.Named) {
		i--
	}
	return d.Previous == nil && i >= 0 && i < at-1 && is(d.Items[i], typed.Dimension) &&
		d.Items[i].ID == "counterparty" && d.Items[i].End-d.Items[i].At > 1
}

// bounded reports whether a number stands behind an item as the bound of a condition.
func (s *sentence) bounded(i int) bool {
	for _, it := range s.Items[i+1:] {
		if it.Kind == typed.Operator && s.numberOf(it) != nil {
			return true
		}
	}
	return false
}

// averageBill takes the receipt of customers or sellers that is above a sum for their average one: "покупатели с чеком
// больше 10 тысяч" (rule R1054).
func (s *sentence) averageBill() {
	for i, it := range s.Items {
		if it.Kind != typed.Measure || it.ID != "receipts" || it.At == 0 || !withBill[s.Tokens[it.At-1].Norm] ||
			!bills[s.Tokens[it.At].Norm] || it.End != it.At+1 || i+1 >= len(s.Items) ||
			s.Items[i+1].Kind != typed.Operator {
			continue
		}
		if n := s.numberOf(s.Items[i+1]); n != nil && moreThanTimes(n.Number) {
			it.ID = "average_receipt"
		}
	}
}

var (
	customersActing = words.Set("клиенты покупатели customers clients buyers")
	customersMany   = words.Set("клиентов покупателей customers clients buyers")
	spentByThem     = words.Set("потратили тратят тратили оставили оставляют spent spend")
	withBill        = words.Set("с со with")
	bills           = words.Set("чеком чеками receipt receipts")
)

var beforePlace = words.Set("по для от у к с из о про среди между")
