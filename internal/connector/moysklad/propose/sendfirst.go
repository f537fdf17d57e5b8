package propose

import (
	"context"

	"github.com/stockhand/stockhand/internal/connector/moysklad/account"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/connector/moysklad/shortage"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
)

// sendFirst plans transfers of what other warehouses can spare, and takes them off what is to be ordered. Nothing is
// sent of goods that are not to be ordered.
func (w *orderProposal) sendFirst(ctx context.Context, list *shortage.List, entities []msapi.Organization) error {
	if !w.in.TransferFirst || len(w.stores) < 2 {
		return nil
	}
	wanted := map[msapi.Key]bool{}
	for _, x := range w.lines {
		wanted[x.Good] = true
	}
	days := list.Horizon
	if w.leads != nil {
		days += w.leads.longest()
	}
	t := &transferProposal{call: w.call, period: w.period, horizon: decimal.FromInt(int64(days)), stores: w.stores,
		names: map[msapi.Key]string{}, sources: map[msapi.Key]bool{}, targets: map[msapi.Key]bool{},
		lacking: map[account.StockKey]*shortage.Line{}}
	if w.outlook != nil && w.outlook.Expected != nil {
		t.expected = func(p account.StockKey) (decimal.Decimal, bool) { return w.outlook.Expected(p, days) }
	}
	for _, s := range w.stores {
		t.names[s.ID.Key()], t.sources[s.ID.Key()], t.targets[s.ID.Key()] = s.Name, true, true
	}
	for _, s := range list.Lines {
		if s.StockKey.Store != (msapi.Key{}) && s.ToOrder.Sign() > 0 && wanted[s.Good] {
			t.lacking[s.StockKey] = s
		}
	}
	if closed, err := t.read(ctx); closed || err != nil {
		return err
	}
	hauls := planTransfers(t.portions())
	if len(hauls) == 0 {
		return nil
	}
	entity, err := t.entity(ctx, entities, true)
	if err != nil {
		return err
	}
	sent := map[account.StockKey]decimal.Decimal{}
	for _, h := range hauls {
		for _, x := range h.lines {
			sent[x.StockKey] = sent[x.StockKey].Add(x.amount)
		}
	}
	w.transfers = t.documents(hauls, entity)
	list.Serve(sent)
	w.lines = w.toOrder(list, wanted)
	w.ledger.record(tool.Text{RU: "переместить с других складов", EN: "transferred from other warehouses"}, w.amount())
	return nil
}

// toOrder returns the lines of the wanted goods, or of all if wanted is nil.
func (w *orderProposal) toOrder(list *shortage.List, wanted map[msapi.Key]bool) []*orderLine {
	var lines []*orderLine
	for _, s := range list.Lines {
		if s.ToOrder.Sign() > 0 && (wanted == nil || wanted[s.Good]) {
			lines = append(lines, &orderLine{Line: *s, quantity: s.ToOrder})
		}
	}
	return lines
}
