package moysklad

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/stockhand/stockhand/internal/connector/moysklad/remap"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
)

type transfersInput struct {
	Stores     []string `json:"stores,omitempty" jsonschema:"warehouses that lack goods, by name or id; none means all"`
	FromStores []string `json:"from_stores,omitempty" jsonschema:"warehouses that may give, by name or id; none means all"`
	goodsArgs
	Mode         shortageMode `json:"mode,omitempty"`
	Days         *Days        `json:"days,omitempty" jsonschema:"for how many days stock should last, where it is short and where it is taken from; default 14"`
	From         tool.Day     `json:"from,omitempty" jsonschema:"first day of the period that tells the pace of sales; default: 30 days up to and including the last"`
	To           tool.Day     `json:"to,omitempty" jsonschema:"last day of that period, included; default: today"`
	Organization string       `json:"organization,omitempty" jsonschema:"own legal entity, by name or id; default: the one recent transfers were made for"`
}

func (a *account) proposeTransfersTool() tool.Tool {
	return proposing(a, "moysklad_propose_transfers",
		tool.Text{RU: "Подготовить перемещения между складами", EN: "Propose transfers between warehouses"},
		tool.Text{
			RU: "Черновики перемещений: нехватка на одних складах закрывается излишками других, не создавая новой нехватки; резерв не трогается. По документу на пару складов. Ничего не отправляет: решает человек.",
			EN: "Drafts of transfers: what some warehouses lack is served from what others can spare, without making a new shortage; what is reserved stays. One document for a pair of warehouses. Sends nothing: a person decides.",
		}, (*call).proposeTransfers)
}

// carrying is the work of one call.
type carrying struct {
	*call
	in      transfersInput
	period  tool.Period
	horizon decimal.Decimal // days
	stores  []remap.Store
	names   map[remap.Key]string
	targets map[remap.Key]bool
	sources map[remap.Key]bool

	lacking map[place]short // what is short, where
	cards   map[remap.Key]*card
	levels  map[place]level
	sold    map[place]decimal.Decimal // in the period, net of returns
	paced   bool                      // whether the pace could be read
	units   map[remap.Key]string
	whole   map[remap.Key]bool
}

func (c *call) proposeTransfers(ctx context.Context, in transfersInput) ([]tool.Document, error) {
	w := &carrying{call: c, in: in, horizon: decimal.FromInt(defaultHorizon), names: map[remap.Key]string{}}
	if in.Days != nil {
		w.horizon = decimal.FromInt(int64(*in.Days))
	}
	var err error
	if w.stores, err = c.storeList(ctx); err != nil {
		return nil, c.refuse(err, sectionStores)
	}
	if w.period, err = c.period(in.From, in.To); err != nil {
		return nil, err
	}
	if err := w.choose(ctx); err != nil {
		return nil, err
	}
	entities, err := c.legalEntities(ctx, in.Organization)
	if err != nil || len(entities) == 0 {
		return nil, err
	}
	if closed, err := w.shortages(ctx); closed || err != nil {
		return nil, err
	}
	if closed, err := w.read(ctx); closed || err != nil {
		return nil, err
	}
	deficits, surpluses := w.portions()
	hauls := planTransfers(deficits, surpluses)
	entity, err := w.entity(ctx, entities, len(hauls) > 0)
	if err != nil {
		return nil, err
	}
	documents := w.documents(hauls, entity)
	w.tell(documents, deficits, hauls)
	return documents, nil
}

// choose settles which warehouses lack and which give: the named ones with all nested in them, or all.
func (w *carrying) choose(ctx context.Context) error {
	if len(w.stores) < 2 {
		return invalid("stores", w.pick("складов меньше двух: перемещать некуда", "there are fewer than two warehouses: nowhere to transfer to"))
	}
	for _, s := range w.stores {
		w.names[s.ID.Key()] = s.Name
	}
	within := func(names []string) (map[remap.Key]bool, error) {
		if len(names) == 0 {
			all := map[remap.Key]bool{}
			for _, s := range w.stores {
				all[s.ID.Key()] = true
			}
			return all, nil
		}
		chosen, err := w.findStores(ctx, names)
		return storesWithin(chosen, w.stores), err
	}
	var err error
	if w.targets, err = within(w.in.Stores); err != nil {
		return err
	}
	if w.sources, err = within(w.in.FromStores); err != nil {
		return err
	}
	if len(w.targets) == 1 && len(w.sources) == 1 && keysOf(w.targets)[0] == keysOf(w.sources)[0] {
		return invalid("from_stores", w.pick("склад не может пополнить сам себя", "a warehouse cannot supply itself"))
	}
	return nil
}

// shortages finds what is short in each of the targets by itself.
func (w *carrying) shortages(ctx context.Context) (closed bool, err error) {
	in := shortagesInput{goodsArgs: w.in.goodsArgs, Mode: w.in.Mode, Days: w.in.Days, From: w.in.From, To: w.in.To}
	for _, s := range w.stores {
		if w.targets[s.ID.Key()] {
			in.Stores = append(in.Stores, string(s.ID))
		}
	}
	rows, closed, err := w.shortRows(ctx, in)
	w.result.Provenance.Period = &w.period
	if closed || err != nil {
		return closed, err
	}
	w.lacking = map[place]short{}
	for _, s := range rows {
		if s.store != (remap.Key{}) {
			w.lacking[place{s.good, s.store}] = s
		}
	}
	return false, nil
}

// read reads what could be given: stock by warehouse, minimums and the pace of sales of the goods that are short.
func (w *carrying) read(ctx context.Context) (closed bool, err error) {
	if len(w.lacking) == 0 {
		return false, nil
	}
	wanted := map[remap.Key]bool{}
	for p := range w.lacking {
		wanted[p.good] = true
	}
	goods := keysOf(wanted)
	slices.SortFunc(goods, compareKeys)
	if w.cards, err = w.call.cards(ctx, goods, remap.CardQuery{Minimum: true, Named: true}); err != nil {
		err = w.refuse(err, sectionGoods)
		return true, err
	}
	var refs []remap.Ref
	for _, k := range goods {
		if g := w.cards[k]; g != nil {
			refs = append(refs, remap.Ref{Type: g.Type, ID: g.ID, Name: g.Name})
		}
	}
	var known bool
	var stores []remap.Key
	for _, s := range w.stores {
		if k := s.ID.Key(); w.sources[k] || w.targets[k] {
			stores = append(stores, k)
		}
	}
	paces, origins := make([]sold, len(stores)), make([]paceSource, len(stores))
	work, inner := errgroup.WithContext(ctx)
	work.Go(func() (err error) { w.levels, known, err = w.whereabouts(inner, refs); return })
	for i, s := range stores {
		work.Go(func() (err error) { paces[i], origins[i], err = w.paceOf(inner, w.period, s.ID()); return })
	}
	if err := work.Wait(); err != nil {
		return false, err
	}
	if !known {
		w.result.Answer = w.refusal(sectionStock)
		return true, nil
	}
	w.paced = !slices.Contains(origins, paceNone)
	w.measure()
	w.sold = map[place]decimal.Decimal{}
	for i, s := range stores {
		for good, sale := range paces[i] {
			w.sold[place{good, s}] = sale.quantity.Max(decimal.Zero)
		}
	}
	if !w.paced {
		w.notice(tool.NoticePartial,
			"Темп продаж не виден: излишком считается только то, что выше минимума своего склада; товары без такого минимума не предлагаются.",
			"The pace of sales is not visible: only what is above a warehouse's own minimum counts as surplus; goods without one are not offered.")
	}
	return false, nil
}

// use is how much of a good a warehouse sells in the horizon. It is multiplied before it is divided: a third of a day
// must not make a whole piece.
func (w *carrying) use(p place) decimal.Decimal {
	return w.sold[p].Mul(w.horizon).Div(decimal.FromInt(int64(w.period.Days())))
}

// daily is how much of a good a warehouse sells a day.
func (w *carrying) daily(p place) decimal.Decimal {
	return w.sold[p].Div(decimal.FromInt(int64(w.period.Days())))
}

// lack is how much of a good a warehouse is short of: what brings its free stock and what is on the way to it up to
// its minimum or, when it runs out, to its sales of the horizon. Packs do not matter to what is moved.
func (w *carrying) lack(s short) decimal.Decimal {
	target := s.minimum.Decimal
	if s.runningOut {
		target = target.Max(w.use(place{s.good, s.store}))
	}
	lack := target.Sub(s.free).Sub(s.transit).Max(decimal.Zero)
	if w.whole[s.good] {
		return lack.Ceil(0)
	}
	return lack.Ceil(3)
}

// keep is how much of a good a warehouse has to keep for itself: its own minimum and its own sales of the horizon,
// whichever is more. known is false when nothing tells, and then nothing is taken.
func (w *carrying) keep(p place) (amount decimal.Decimal, known bool) {
	minimum := w.cards[p.good].minimumIn(p.store)
	if !w.paced {
		return minimum.Decimal, minimum.Known
	}
	return minimum.Max(w.use(p)), true
}

// portions are the deficits of the targets and the surpluses of the sources: free stock above what they keep. A
// warehouse that lacks a good never gives it.
func (w *carrying) portions() (deficits, surpluses []portion) {
	for p, s := range w.lacking {
		if g := w.cards[p.good]; g == nil || g.gone() || w.levels[p].unknown {
			continue
		}
		if lack := w.lack(s); lack.Sign() > 0 { // what is on the way may be enough
			deficits = append(deficits, portion{p, lack})
		}
	}
	for p, l := range w.levels {
		g := w.cards[p.good]
		if _, lacks := w.lacking[p]; lacks || g == nil || !w.sources[p.store] || l.unknown {
			continue
		}
		keep, known := w.keep(p)
		if !known {
			continue
		}
		spare := l.free().Sub(keep).Floor(3)
		if w.whole[p.good] {
			spare = spare.Floor(0)
		}
		if spare.Sign() > 0 {
			surpluses = append(surpluses, portion{p, spare})
		}
	}
	return deficits, surpluses
}

// measure settles in what unit each good is counted, and whether it goes in whole ones: not when its unit is divided,
// nor where it lies in fractions.
func (w *carrying) measure() {
	w.units, w.whole = map[remap.Key]string{}, map[remap.Key]bool{}
	for k, g := range w.cards {
		w.units[k] = g.root().Unit.Name
	}
	for p, s := range w.lacking {
		w.units[p.good] = cmp.Or(w.units[p.good], s.unit)
	}
	for k, unit := range w.units {
		w.whole[k] = !fractionalUnits[strings.TrimRight(fold(unit), ".")]
	}
	for p, l := range w.levels {
		w.whole[p.good] = w.whole[p.good] && integral(l.stock.decimal())
	}
}

// entity is the legal entity that recent transfers were mostly made for.
func (w *carrying) entity(ctx context.Context, entities []remap.Organization, needed bool) (remap.Organization, error) {
	used := map[remap.ID]int{}
	if needed && len(entities) > 1 {
		err := each(w.call, w.reader.Moves(ctx, first(today(w.env).Add(-historyDays))), func(m remap.Move) {
			if m.Applicable {
				used[m.Organization.ID]++
			}
		})
		if err != nil && !w.denied(err, sectionMoves) {
			return entities[0], err
		}
	}
	best, sure := usual(entities, used)
	if needed && !sure {
		w.firstTaken(best.Name, "а прошлых перемещений нет", "and there are no past transfers")
	}
	return best, nil
}

func (w *carrying) documents(hauls []haul, entity remap.Organization) []tool.Document {
	slices.SortFunc(hauls, func(x, y haul) int {
		return cmp.Or(strings.Compare(fold(w.names[x.target]), fold(w.names[y.target])), strings.Compare(fold(w.names[x.source]), fold(w.names[y.source])),
			compareKeys(x.target, y.target), compareKeys(x.source, y.source))
	})
	taken := map[place]decimal.Decimal{} // by the documents so far
	brought := map[place]decimal.Decimal{}
	var documents []tool.Document
	for _, h := range hauls {
		slices.SortFunc(h.lines, func(x, y portion) int {
			return cmp.Or(strings.Compare(fold(w.cards[x.good].Name), fold(w.cards[y.good].Name)), compareKeys(x.good, y.good))
		})
		for lines := range slices.Chunk(h.lines, mostLines) {
			d := tool.Document{
				Kind:         tool.Transfer,
				Title:        fmt.Sprintf(w.pick("Перемещение со склада «%s» на склад «%s»", "Transfer from the warehouse “%s” to “%s”"), w.names[h.source], w.names[h.target]),
				Reason:       fmt.Sprintf(w.pick("нехватка на складе «%s»: %s", "short in the warehouse “%s”: %s"), w.names[h.target], nounItem.count(w.l, len(lines))),
				Organization: &tool.Ref{Type: "organization", ID: string(entity.ID), Name: entity.Name},
				Store:        &tool.Ref{Type: "store", ID: string(h.source.ID()), Name: w.names[h.source]},
				Target:       &tool.Ref{Type: "store", ID: string(h.target.ID()), Name: w.names[h.target]},
			}
			for _, x := range lines {
				from := place{x.good, h.source}
				taken[from], brought[x.place] = taken[from].Add(x.amount), brought[x.place].Add(x.amount)
				d.Lines = append(d.Lines, w.line(x, from, w.levels[from].free().Sub(taken[from])))
			}
			d.Consequences = w.consequences(h, lines, taken, brought)
			documents = append(documents, d)
		}
	}
	return documents
}

func (w *carrying) line(x portion, from place, left decimal.Decimal) tool.Line {
	g, s := w.cards[x.good], w.lacking[x.place]
	l := tool.Line{
		Product: g.ref(), Quantity: decimal.Some(x.amount), Unit: w.units[x.good], Whole: w.whole[x.good],
		Seen: seenAt(w.levels, true, from),
	}
	l.Seen.Minimum, l.Seen.Updated = g.minimumIn(from.store), g.Updated
	if w.paced {
		l.Seen.Daily = decimal.Some(w.daily(from).Round(3))
	}
	var there []string
	if s.belowMinimum {
		there = append(there, fmt.Sprintf(w.pick("ниже минимума: %s из %s", "below the minimum: %s of %s"), w.quantity(s.free), w.quantity(s.minimum.Decimal)))
	}
	if s.lasts.Known {
		there = append(there, w.pick("хватит на ", "lasts ")+w.quantity(s.lasts.Round(1))+w.pick(" дн.", " days"))
	}
	if s.daily.Known {
		there = append(there, w.pick("продажи "+w.quantity(s.daily.Round(2))+" в день", "sales "+w.quantity(s.daily.Round(2))+" a day"))
	}
	keep, _ := w.keep(from)
	l.Reason = strings.Join(there, ", ") + fmt.Sprintf(w.pick("; на «%s» свободно %s, останется %s, нужно самим %s", "; “%s” has %s free, keeps %s and needs %s itself"),
		w.names[from.store], w.quantity(w.levels[from].free()), w.quantity(left), w.quantity(keep.Ceil(2)))
	return l
}

// consequences says in words what a transfer leads to at both ends.
func (w *carrying) consequences(h haul, lines []portion, taken, brought map[place]decimal.Decimal) []string {
	whole := 0
	var least decimal.Maybe
	var scarcest *card
	for _, x := range lines {
		if !brought[x.place].Less(w.lack(w.lacking[x.place])) {
			whole++
		}
		from := place{x.good, h.source}
		left := w.levels[from].free().Sub(taken[from])
		if d := w.daily(from); w.paced && d.Sign() > 0 {
			if lasts := decimal.Some(left.Div(d)); !least.Known || lasts.Less(least.Decimal) {
				least, scarcest = lasts, w.cards[x.good]
			}
		}
	}
	out := []string{fmt.Sprintf(w.pick("На «%s» нехватка закрывается полностью по %d из %d строк.", "“%s”: %d of %d rows are then no longer short."), w.names[h.target], whole, len(lines))}
	if scarcest != nil {
		return append(out, fmt.Sprintf(w.pick("На «%s» новой нехватки нет: остатка хватит не меньше чем на %s дн. («%s»).", "“%s” does not become short: its stock lasts %s days at least (“%s”)."),
			w.names[h.source], w.quantity(least.Floor(0)), scarcest.Name))
	}
	return append(out, fmt.Sprintf(w.pick("На «%s» новой нехватки нет.", "“%s” does not become short."), w.names[h.source]))
}

// mostNamed is how many unserved rows a notice names.
const mostNamed = 50

// tell writes the notices and the answer.
func (w *carrying) tell(documents []tool.Document, deficits []portion, hauls []haul) {
	w.method(
		"Нехватка склада — как в «что заканчивается» по этому складу. Излишек — свободный остаток (остаток − резерв) сверх большего из своего минимума и своих продаж за горизонт; товары в пути излишком не считаются. Берётся пара складов, закрывающая больше строк, и так далее.",
		"What a warehouse lacks is what “what is short” tells of it. A surplus is free stock (stock − reserve) above the larger of its own minimum and its own sales of the horizon; goods on the way are none. The pair of warehouses that closes most rows goes first, and so on.")
	served := map[place]decimal.Decimal{}
	lines := 0
	for _, h := range hauls {
		lines += len(h.lines)
		for _, x := range h.lines {
			served[x.place] = served[x.place].Add(x.amount)
		}
	}
	var left []string
	for _, x := range deficits {
		if rest := x.amount.Sub(served[x.place]); rest.Sign() > 0 {
			left = append(left, fmt.Sprintf(w.pick("«%s» на «%s» — %s", "“%s” in “%s”: %s"), w.cards[x.good].Name, w.names[x.store], w.quantity(rest)))
		}
	}
	slices.Sort(left)
	if n := len(left); n > 0 {
		all := strings.Join(left[:min(n, mostNamed)], "; ")
		if n > mostNamed {
			all += fmt.Sprintf(w.pick(" и ещё %d", " and %d more"), n-mostNamed)
		}
		w.notice(tool.NoticePartial,
			"Излишков не хватает: "+all+".", "Not enough to spare: "+all+".")
	}
	switch {
	case len(documents) > 0:
		w.result.Answer = sentences(
			fmt.Sprintf(w.pick("Подготовлено перемещений: %d, %s.", "Transfers prepared: %d, %s."), len(documents), nounLine.count(w.l, lines)),
			fmt.Sprintf(w.pick("Нехваток: %d, останутся незакрытыми: %d.", "Rows short: %d, still short afterwards: %d."), len(deficits), len(left)),
			w.pick("Ничего не отправлено: проверьте и подтвердите.", "Nothing was sent: check and confirm."))
	case len(deficits) == 0:
		w.notice(tool.NoticeEmpty, "Ни на одном из складов ничего не заканчивается.", "Nothing is short in any of the warehouses.")
		w.result.Answer = w.pick("Перемещать нечего: нехватки на складах нет.", "There is nothing to transfer: no warehouse is short.")
	default:
		w.result.Answer = w.pick("Перемещать нечего: излишков тех товаров, которых не хватает, нет.", "There is nothing to transfer: nothing that is short can be spared elsewhere.")
	}
}
