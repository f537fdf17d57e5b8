package draft

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
)

// spot is a line of a document that waits, with what becomes of it.
type spot struct {
	doc  *tool.Document
	line *tool.Line
	edit LineEdit
	goes bool // into the draft of a split
}

// quantity returns the quantity after the edits so far.
func (x *spot) quantity() decimal.Maybe {
	if x.edit.Quantity.Known {
		return x.edit.Quantity
	}
	return x.line.Quantity
}

func (x *spot) price() decimal.Maybe {
	if x.edit.Price.Known {
		return x.edit.Price
	}
	return x.line.Price
}

// edits returns the edits of the draft's own lines that the revision asks for.
func (v *revising) edits() (Edits, error) {
	var all []*spot
	numbers := map[stockhand.DocumentID]int{}
	for i := range v.h.Documents {
		numbers[v.h.Documents[i].ID] = i + 1
	}
	for i := range v.h.proposal.Documents {
		doc := &v.h.proposal.Documents[i]
		if at := v.h.state(doc.ID); at == nil || at.State != stockhand.DocumentPending {
			continue
		}
		for j := range doc.Lines {
			all = append(all, &spot{doc: doc, line: &doc.Lines[j], edit: LineEdit{ID: doc.Lines[j].ID}})
		}
	}
	for _, name := range v.wants.Drop {
		found, err := v.named(name, all, numbers)
		if err != nil {
			return Edits{}, err
		}
		for _, x := range found {
			x.edit = LineEdit{ID: x.line.ID, Drop: true}
		}
	}
	for _, set := range v.wants.Set {
		found, err := v.ofGood(set.Product, all)
		if err != nil {
			return Edits{}, err
		}
		some := false
		for _, x := range found {
			if set.Document != 0 && numbers[x.doc.ID] != set.Document {
				continue
			}
			x.edit, some = LineEdit{ID: x.line.ID, Quantity: set.Quantity, Price: set.Price}, true
		}
		if !some {
			return Edits{}, v.unknown(set.Product, nil)
		}
	}
	if err := v.markSplit(all, numbers); err != nil {
		return Edits{}, err
	}
	if v.wants.Budget.Known {
		if v.wants.Budget.Sign() <= 0 {
			return Edits{}, stockhand.Errorf(stockhand.CodeValidation, "a budget is above zero")
		}
		v.spend(all)
	}
	return editsOf(all), nil
}

// editsOf returns the edits of lines. A document of which no line is left is dropped.
func editsOf(all []*spot) Edits {
	var edits Edits
	left := map[stockhand.DocumentID]bool{}
	for _, x := range all {
		left[x.doc.ID] = left[x.doc.ID] || !x.edit.Drop
	}
	for _, x := range all {
		if !x.edit.Drop && !x.edit.Quantity.Known && !x.edit.Price.Known {
			continue
		}
		i := slices.IndexFunc(edits.Documents, func(e DocumentEdit) bool { return e.ID == x.doc.ID })
		if i < 0 {
			i = len(edits.Documents)
			edits.Documents = append(edits.Documents, DocumentEdit{ID: x.doc.ID, Drop: !left[x.doc.ID]})
		}
		if left[x.doc.ID] {
			edits.Documents[i].Lines = append(edits.Documents[i].Lines, x.edit)
		}
	}
	return edits
}

// named returns the lines that a name means: of the document with that number, of a good, of a supplier.
func (v *revising) named(name string, all []*spot, numbers map[stockhand.DocumentID]int) ([]*spot, error) {
	if n, err := strconv.Atoi(strings.TrimSpace(name)); err == nil {
		var found []*spot
		for _, x := range all {
			if numbers[x.doc.ID] == n {
				found = append(found, x)
			}
		}
		if len(found) > 0 {
			return found, nil
		}
	}
	found, err := v.ofGood(name, all)
	if err == nil {
		return found, nil
	}
	var documents []*spot
	for _, x := range all {
		for _, of := range []*tool.Ref{x.doc.Supplier, x.doc.Store, x.doc.Target} {
			if of != nil && (holds(of.Name, name) || of.ID == name) || string(x.doc.ID) == name {
				documents = append(documents, x)
				break
			}
		}
	}
	if len(documents) > 0 {
		return documents, nil
	}
	return nil, err
}

// ofGood returns the lines of a good: the one with that name, or the only one whose name has all its words.
func (v *revising) ofGood(name string, all []*spot) ([]*spot, error) {
	var exact, alike []*spot
	goods := map[string]string{}
	for _, x := range all {
		switch {
		case x.line.Product.ID == name || strings.EqualFold(x.line.Product.Name, strings.TrimSpace(name)):
			exact = append(exact, x)
		case holds(x.line.Product.Name, name):
			alike = append(alike, x)
			goods[x.line.Product.ID] = x.line.Product.Name
		}
	}
	switch {
	case len(exact) > 0:
		return exact, nil
	case len(goods) == 1:
		return alike, nil
	}
	var names []string
	for _, n := range goods {
		names = append(names, n)
	}
	slices.Sort(names)
	return nil, v.unknown(name, names)
}

// holds reports whether a name has all words of another.
func holds(name, words string) bool {
	have := strings.Fields(strings.ToLower(name))
	some := false
	for _, w := range strings.Fields(strings.ToLower(words)) {
		if some = slices.ContainsFunc(have, func(h string) bool {
			return strings.Trim(h, `«»"“”(),.`) == strings.Trim(w, `«»"“”(),.`)
		}); !some {
			return false
		}
	}
	return some
}

func (v *revising) unknown(name string, several []string) error {
	if len(several) > 0 {
		list := strings.Join(several[:min(len(several), mostOverlaps)], "; ")
		return stockhand.Errorf(stockhand.CodeValidation, "%s",
			fmt.Sprintf(v.l.Pick("«%s» — это несколько строк черновика: %s",
				"“%s” fits several lines of the draft: %s"), name, list))
	}
	return stockhand.Errorf(stockhand.CodeValidation, "%s",
		fmt.Sprintf(v.l.Pick("в черновике нет «%s»", "the draft has no “%s”"), name))
}

// markSplit takes the lines of a split out of the draft, and makes the documents that have them.
func (v *revising) markSplit(all []*spot, numbers map[stockhand.DocumentID]int) error {
	for _, name := range v.wants.Split {
		found, err := v.named(name, all, numbers)
		if err != nil {
			return err
		}
		for _, x := range found {
			x.goes = true
		}
	}
	stays := false
	for _, x := range all {
		stays = stays || !x.goes && !x.edit.Drop
		if !x.goes {
			continue
		}
		line := *x.line
		line.Quantity, line.Price = x.quantity(), x.price()
		x.edit = LineEdit{ID: x.line.ID, Drop: true}
		i := slices.IndexFunc(v.moved, func(d tool.Document) bool {
			return d.Reason == x.doc.Reason &&
				d.Title == x.doc.Title && d.Kind == x.doc.Kind
		})
		if i < 0 {
			i = len(v.moved)
			doc := *x.doc
			doc.ID, doc.Lines, doc.Consequences = stockhand.NewID[stockhand.DocumentID]("doc"), nil, nil
			v.moved = append(v.moved, doc)
		}
		v.moved[i].Lines = append(v.moved[i].Lines, line)
	}
	if len(v.wants.Split) > 0 && !stays {
		return stockhand.Errorf(stockhand.CodeValidation, "%s", v.l.Pick(
			"отделить всё нельзя: в черновике ничего не осталось бы", "not all of it: nothing would be left in the draft"))
	}
	return nil
}

// spend makes the orders fit a budget: what stock lasts longest by its price goes first, in whole units and packs.
// Lines without a price in the account currency cannot be counted and go, too; a notice names them.
func (v *revising) spend(all []*spot) {
	var lines []*spot
	var unpriced []string
	for _, x := range all {
		if x.doc.Kind != tool.SupplierOrder || x.edit.Drop {
			continue
		}
		if !x.price().Known || !x.quantity().Known || x.doc.CurrencyID != "" {
			x.edit = LineEdit{ID: x.line.ID, Drop: true}
			unpriced = append(unpriced, x.line.Product.Name)
			continue
		}
		lines = append(lines, x)
	}
	slices.SortStableFunc(lines, func(a, b *spot) int {
		x, y := score(a), score(b)
		return cmp.Or(boolOrder(y.Known, x.Known), y.Decimal.Cmp(x.Decimal))
	})
	left := v.wants.Budget.Decimal
	for _, x := range lines {
		price, whole := x.price().Decimal, x.quantity().Decimal
		may := whole
		if price.Sign() > 0 {
			step := leastStep
			if x.line.Pack.Known && x.line.Pack.Sign() > 0 {
				step = x.line.Pack.Decimal
			} else if x.line.Whole {
				step = decimal.One
			}
			may = whole.Min(left.Div(price).Div(step).Floor(0).Mul(step))
			for may.Sign() > 0 && left.Less(may.Mul(price).Round(2)) { // hundredths are rounded up
				may = may.Sub(step)
			}
		}
		switch {
		case may.Sign() <= 0:
			x.edit = LineEdit{ID: x.line.ID, Drop: true}
		case may.Less(whole):
			x.edit.Quantity = decimal.Some(may)
		}
		if !x.edit.Drop {
			left = left.Sub(may.Mul(price).Round(2))
		}
	}
	if len(unpriced) > 0 {
		v.h.proposal.Notices = append(v.h.proposal.Notices, tool.Notice{Code: tool.NoticeNoPrice,
			Message: v.l.Pick("Без цены в валюте учёта бюджет не посчитать, эти товары убраны: ",
				"A budget cannot count goods without a price in the account currency; they were removed: ") +
				strings.Join(unpriced, "; ") + "."})
	}
}

// leastStep is the smallest quantity of goods that can be divided.
var leastStep = decimal.MustParse("0.001")

// score is the days of cover that a unit of money buys; unknown without sales.
func score(x *spot) decimal.Maybe {
	daily, price := x.line.Seen.Daily, x.price().Decimal
	if !daily.Known || daily.Sign() <= 0 || price.Sign() <= 0 {
		return decimal.Maybe{}
	}
	return decimal.Some(decimal.One.Div(daily.Mul(price)))
}

func boolOrder(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}
