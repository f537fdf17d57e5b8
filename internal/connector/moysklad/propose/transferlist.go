package propose

import (
	"context"
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/connector/moysklad/account"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/connector/moysklad/propose/catalogue"
	"github.com/stockhand/stockhand/internal/connector/moysklad/wording"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
)

// transferItem is a line of a list.
type transferItem struct {
	Product  string          `json:"product" jsonschema:"name, code, article or id"`
	Quantity decimal.Decimal `json:"quantity" jsonschema:"in its unit"`
}

// namedLine is a good of a list, and how much of it can move.
type namedLine struct {
	*catalogue.Card
	asked, moves decimal.Decimal
	free         decimal.Decimal // at the source
}

// named proposes one transfer of the goods and quantities of a list (rule R260).
func (w *transferProposal) named(ctx context.Context, entities []msapi.Organization) ([]tool.Document, error) {
	source, target, err := w.ends()
	if err != nil {
		return nil, err
	}
	lines, err := w.listed(ctx)
	if err != nil {
		return nil, err
	}
	var refs []msapi.Ref
	for _, x := range lines {
		refs = append(refs, msapi.Ref{Type: x.Type, ID: x.ID, Name: x.Name})
	}
	var known bool
	if w.levels, known, err = w.stockByStore(ctx, refs); err != nil {
		return nil, err
	}
	if !known {
		w.Result.Answer = w.Refusal(account.SectionStock)
		return nil, nil
	}
	w.measure()
	for _, x := range lines {
		if err := w.fit(x, source); err != nil {
			return nil, err
		}
	}
	lines = slices.DeleteFunc(lines, func(x *namedLine) bool { return x.asked.Sign() <= 0 }) // all of it stays
	entity, err := w.entity(ctx, entities, true)
	if err != nil {
		return nil, err
	}
	documents := w.namedDocuments(lines, source, target, entity)
	w.summarizeNamed(lines, source, target)
	return documents, nil
}

// ends returns the two warehouses of a list: exactly one to send and one to receive.
func (w *transferProposal) ends() (source, target msapi.Key, err error) {
	in := w.in
	if len(in.Items) == 0 {
		return source, target, account.Invalid("items", w.Pick("список пуст", "the list is empty"))
	}
	if len(in.Groups)+len(in.Suppliers)+len(in.Products) > 0 || in.Mode != "" || in.Days != nil || in.From != "" ||
		in.To != "" {
		return source, target, account.Invalid("items", w.Pick(
			"список не сочетается с groups, suppliers, products, mode, days, from и to",
			"a list does not go with groups, suppliers, products, mode, days, from and to"))
	}
	one := func(field string, names []string, ru, en string) (msapi.Key, error) {
		if len(names) == 1 {
			s, err := w.oneStore(field, names[0], w.stores)
			return s.ID.Key(), err
		}
		return msapi.Key{}, account.Invalid(field, w.Pick(ru, en)).WithHint("%s", w.Pick("склады: ", "warehouses: ")+
			strings.Join(account.NamesOf(w.stores, func(s msapi.Store) string { return s.Name }), "; "))
	}
	if source, err = one("from_stores", in.FromStores, "назовите один склад, с которого переместить",
		"name the one warehouse to take the goods from"); err != nil {
		return source, target, err
	}
	if target, err = one("stores", in.Stores, "назовите один склад, на который переместить",
		"name the one warehouse to bring the goods to"); err != nil {
		return source, target, err
	}
	if source == target {
		err = account.Invalid("from_stores", w.Pick("склады отправления и назначения совпадают",
			"the source and the target warehouse are the same"))
	}
	return source, target, err
}

// listed finds the goods of the list. A good that is listed twice gets the sum.
func (w *transferProposal) listed(ctx context.Context) ([]*namedLine, error) {
	names := make([]string, len(w.in.Items))
	for i, item := range w.in.Items {
		if names[i] = item.Product; item.Quantity.Sign() <= 0 || !item.Quantity.Valid() {
			return nil, account.Invalid("items", w.Pickf("«%s»: количество должно быть больше нуля",
				"“%s”: the quantity must be above zero", item.Product))
		}
	}
	goods, err := catalogue.Find(ctx, w.Call, names)
	if err != nil {
		return nil, err
	}
	at := map[msapi.Key]*namedLine{}
	var keys []msapi.Key
	var lines []*namedLine
	for i, x := range goods {
		k := x.ID.Key()
		if at[k] == nil {
			at[k] = &namedLine{}
			lines, keys = append(lines, at[k]), append(keys, k)
		}
		at[k].asked = at[k].asked.Add(w.in.Items[i].Quantity)
	}
	if w.cards, err = catalogue.Cards(ctx, w.Call, keys, msapi.CardQuery{Minimum: true, Named: true}); err != nil {
		return nil, w.Refuse(err, account.SectionGoods)
	}
	for i, k := range keys {
		g := w.cards[k]
		switch {
		case g == nil || g.Gone():
			return nil, catalogue.OutOfReach(w.Call, goods[slices.IndexFunc(goods,
				func(x msapi.AssortmentItem) bool { return x.ID.Key() == k })].Name)
		case g.Variants > 0:
			return nil, catalogue.HasVariants(ctx, w.Call, g.Name)
		}
		lines[i].Card = g
	}
	return lines, nil
}

// fit determines how much of a line can move: what is asked, but no more than is free at the source.
func (w *transferProposal) fit(x *namedLine, source msapi.Key) error {
	k := x.ID.Key()
	at := account.StockKey{Good: k, Store: source}
	if w.whole[k] && !account.Integral(x.asked) {
		return account.Invalid("items", w.Pickf("«%s»: нужно целое количество", "“%s”: a whole quantity is needed",
			x.Name))
	}
	if w.levels[at].Unknown { // unknown is not zero (fact M74)
		return account.Invalid("items", w.Pickf("«%s»: остаток сейчас пересчитывается, попробуйте позже",
			"“%s”: its stock is being recalculated, try again later", x.Name))
	}
	x.free = w.levels[at].Free()
	can := x.free
	if keep := w.in.Keep; keep != nil {
		can = can.Sub(*keep)
		if w.ofStock() { // all but what stays is asked for
			x.asked = x.asked.Sub(*keep).Max(decimal.Zero)
		}
	}
	if by := w.in.Multiple; by != nil {
		x.asked, can = multiple(x.asked, *by, !w.ofStock()), multiple(can, *by, false)
	}
	x.moves = x.asked.Min(can.Max(decimal.Zero)).Floor(4)
	if w.whole[k] {
		x.moves = x.moves.Floor(0)
	}
	return nil
}

// ofStock reports whether the quantities are those of a table, such as all stock, and not asked for one by one.
func (w *transferProposal) ofStock() bool { return w.in.RowsOf != nil && w.in.RowsOf.Column != "" }

// missing returns how much of what was asked cannot move.
func (x *namedLine) missing() decimal.Decimal { return x.asked.Sub(x.moves) }

func (w *transferProposal) namedDocuments(lines []*namedLine, source, target msapi.Key,
	entity msapi.Organization) []tool.Document {
	lines = slices.DeleteFunc(slices.Clone(lines), func(x *namedLine) bool { return x.moves.Sign() <= 0 })
	var documents []tool.Document
	for part := range slices.Chunk(lines, account.LinesPerDocument) {
		d := tool.Document{
			Kind: tool.Transfer,
			Title: w.Pickf("Перемещение со склада «%s» на склад «%s»", "Transfer from the warehouse “%s” to “%s”",
				w.names[source], w.names[target]),
			Reason:       w.Pick("по списку", "as listed"),
			Organization: &tool.Ref{Type: "organization", ID: string(entity.ID), Name: entity.Name},
			Store:        &tool.Ref{Type: "store", ID: string(source.ID()), Name: w.names[source]},
			Target:       &tool.Ref{Type: "store", ID: string(target.ID()), Name: w.names[target]},
		}
		short := 0
		for _, x := range part {
			d.Lines = append(d.Lines, w.namedLine(x, source))
			if x.missing().Sign() > 0 {
				short++
			}
		}
		d.Consequences = []string{w.Pickf("Строк в полном количестве: %d, в меньшем: %d.",
			"Lines with the full quantity: %d, with less: %d.", len(part)-short, short)}
		documents = append(documents, d)
	}
	return documents
}

func (w *transferProposal) namedLine(x *namedLine, source msapi.Key) tool.Line {
	from := account.StockKey{Good: x.ID.Key(), Store: source}
	left := x.free.Sub(x.moves)
	l := tool.Line{
		Product: x.Ref(), Quantity: decimal.Some(x.moves), Unit: w.units[from.Good], Whole: w.whole[from.Good],
		Seen: seenAt(w.levels, true, from),
		Reason: w.Pickf("на «%s» свободно %s, останется %s", "“%s” has %s free and keeps %s", w.names[source],
			w.quantity(x.free), w.quantity(left)),
	}
	l.Seen.Minimum, l.Seen.Updated = x.MinimumIn(source), x.Updated
	flag := func(code tool.NoticeCode, text string) {
		l.Flags = append(l.Flags, tool.Notice{Code: code, Message: text})
	}
	if x.missing().Sign() > 0 {
		flag(tool.NoticePartial, w.Pickf("просили %s, не хватает %s", "asked for %s, %s missing", w.quantity(x.asked),
			w.quantity(x.missing())))
	}
	if least := l.Seen.Minimum; least.Known && left.Less(least.Decimal) {
		flag(tool.NoticeUnusual, w.Pickf("останется меньше минимума этого склада, %s",
			"leaves less than the minimum of this warehouse, %s", w.quantity(least.Decimal)))
	}
	return l
}

// summarizeNamed adds the answer, with everything that was asked for and cannot move.
func (w *transferProposal) summarizeNamed(lines []*namedLine, source, target msapi.Key) {
	w.Method("Перемещается не больше свободного остатка склада-отправителя: остаток минус резерв.",
		"No more moves than the free stock of the source: stock minus reserve.")
	full, some, none := 0, 0, 0
	var short []string
	for _, x := range lines {
		switch {
		case x.missing().Sign() <= 0:
			full++
			continue
		case x.moves.Sign() > 0:
			some++
		default:
			none++
		}
		short = append(short, w.Pickf("«%s» — просили %s, свободно %s, не хватает %s",
			"“%s”: asked for %s, %s free, %s missing", x.Name, w.quantity(x.asked), w.quantity(x.free),
			w.quantity(x.missing())))
	}
	if len(short) > 0 {
		all := strings.Join(short, "; ")
		w.Noticef(tool.NoticePartial, "На складе «%s» не хватает: %s.", "The warehouse “%s” is short of: %s.",
			w.names[source], all)
	}
	between := w.Pickf("со склада «%s» на склад «%s»", "from the warehouse “%s” to “%s”", w.names[source],
		w.names[target])
	if full+some == 0 {
		w.Result.Answer = w.Pickf("Перемещать %s нечего: ничего из списка нет в свободном остатке.",
			"There is nothing to transfer %s: none of the listed goods is free there.", between)
		return
	}
	w.Result.Answer = w.Pickf("Подготовлено перемещение %s: %s.", "A transfer %s is prepared: %s.", between,
		wording.NounLine.Count(w.Lang, full+some))
	if some+none > 0 {
		w.Result.Answer += " " + w.Pickf("Полностью — %d, частично — %d, совсем нет — %d.",
			"In full: %d, in part: %d, not at all: %d.", full, some, none)
	}
	w.Result.Answer += " " + w.Pick("Ничего не отправлено: проверьте и подтвердите.",
		"Nothing was sent: check and confirm.")
}
