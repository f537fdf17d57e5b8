package draft

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
)

// Rules are what an organization requires of a confirmation, beyond a person who confirms (rules R103 to R107). The
// zero Rules require nothing. Amounts are in the currency of the account, changes in percent of the old price. A value
// that is not known never meets a limit.
type Rules struct {
	MaxOrderTotal             decimal.Maybe `json:"max_order_total" doc:"Largest total of one supplier order; null for no limit"`
	MaxPriceChange            decimal.Maybe `json:"max_price_change" doc:"Largest change of a price up or down, in percent; null for no limit"`
	NoPriceBelowCost          bool          `json:"no_price_below_cost" doc:"No price becomes lower than the cost"`
	SecondApproverAbove       decimal.Maybe `json:"second_approver_above" doc:"Two people confirm if the draft's supplier orders together exceed this; null for never"`
	SecondApproverPriceChange decimal.Maybe `json:"second_approver_price_change" doc:"Two people confirm larger changes of a price, in percent; null for never"`
	StepUpAbove               decimal.Maybe `json:"step_up_above" doc:"A person confirms only within 15 minutes after proving who they are if the draft's supplier orders together exceed this; null for never"`
	ProposerMayNotConfirm     bool          `json:"proposer_may_not_confirm" doc:"Those who proposed or edited a draft do not confirm it"`
	QuietHours                *QuietHours   `json:"quiet_hours" doc:"When nothing is confirmed; null for never"`
}

// QuietHours is the time of day in which nothing is confirmed, in the zone of the account. It includes From and not To,
// and passes midnight if To is earlier.
type QuietHours struct {
	From string `json:"from" pattern:"^([01][0-9]|2[0-3]):[0-5][0-9]$" doc:"In the time zone of the account" example:"22:00"`
	To   string `json:"to" pattern:"^([01][0-9]|2[0-3]):[0-5][0-9]$" doc:"On the next day if it is earlier than from" example:"08:00"`
}

// check returns the fields that are invalid.
func (r Rules) check() (wrong []stockhand.FieldError) {
	fault := func(field, message string) {
		wrong = append(wrong, stockhand.FieldError{Field: "draft_rules." + field, Message: message})
	}
	for _, x := range []struct {
		field string
		limit decimal.Maybe
	}{{ruleOrderTotal, r.MaxOrderTotal}, {rulePriceChange, r.MaxPriceChange}, {ruleSecondAbove, r.SecondApproverAbove},
		{ruleStepUp, r.StepUpAbove},
		{ruleSecondChange, r.SecondApproverPriceChange}} {
		if x.limit.Known && (!x.limit.Valid() || x.limit.Sign() < 0 || x.limit.Round(2).Cmp(x.limit.Decimal) != 0) {
			fault(x.field, "must be a number, not below 0, with at most two digits after the point")
		}
	}
	if q := r.QuietHours; q != nil {
		from, failed := minute(q.From)
		to, also := minute(q.To)
		if failed != nil || also != nil || from == to {
			fault(ruleQuietHours, "must have two different times such as 22:00 and 08:00")
		}
	}
	return wrong
}

// minute returns the minute of the day of a time such as "08:30".
func minute(text string) (int, error) {
	t, err := time.Parse("15:04", text)
	return t.Hour()*60 + t.Minute(), err
}

// include reports whether a moment is in the quiet hours.
func (q *QuietHours) include(at time.Time) bool {
	if q == nil {
		return false
	}
	from, _ := minute(q.From) // validated when it was stored
	to, _ := minute(q.To)
	now := at.Hour()*60 + at.Minute()
	if from < to {
		return from <= now && now < to
	}
	return now >= from || now < to
}

// The names of the rules, as refusals give them.
const (
	ruleOrderTotal   = "max_order_total"
	rulePriceChange  = "max_price_change"
	ruleBelowCost    = "no_price_below_cost"
	ruleSecondAbove  = "second_approver_above"
	ruleSecondChange = "second_approver_price_change"
	ruleStepUp       = "step_up_above"
	ruleProposer     = "proposer_may_not_confirm"
	ruleQuietHours   = "quiet_hours"
)

// broken is the refusal that names a rule, what breaks it, and how to go on.
func broken(rule string, en, ru stockhand.Words) *stockhand.Error {
	return &stockhand.Error{
		Code:    stockhand.CodePermissionDenied,
		Message: fmt.Sprintf("the organization's rule %s does not allow this: %s; nothing was sent", rule, en.Message),
		Hint:    en.Hint,
		RU: stockhand.Words{
			Message: fmt.Sprintf("правило организации %s этого не разрешает: %s; ничего не отправлено", rule,
				ru.Message),
			Hint: ru.Hint,
		},
		Fields: []stockhand.FieldError{{Field: "draft_rules." + rule, Message: "does not allow this"}},
	}
}

// orChangeTheRule adds to a hint who can change the rules.
func orChangeTheRule(en, ru string) (string, string) {
	return en + ", or ask an owner or admin of the organization to change the rule in its settings",
		ru + ", либо попросите владельца или администратора организации изменить правило в её настройках"
}

// limited returns the rule on its figures that a document breaks. restores says that the document brings back earlier
// prices, which may differ by any percentage.
func (r Rules) limited(d tool.Document, costs []decimal.Maybe, restores bool) error {
	switch d.Kind {
	case tool.SupplierOrder:
		return r.limitedOrder(d)
	case tool.PriceChange:
		for i, x := range d.Lines {
			if !restores {
				if err := r.limitedChange(x); err != nil {
					return err
				}
			}
			if r.pricesByCost(d) {
				if err := aboveCost(d, x, costs[i]); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// pricesByCost reports whether the document's prices are compared with the cost: those that customers pay.
func (r Rules) pricesByCost(d tool.Document) bool {
	return r.NoPriceBelowCost && d.Kind == tool.PriceChange && (d.PriceType == nil || d.PriceType.ID != tool.BuyPrice)
}

func (r Rules) limitedOrder(d tool.Document) error {
	total := orderTotal(d)
	if !over(total, r.MaxOrderTotal) {
		return nil
	}
	limit := func(l stockhand.Language) string { return tool.FormatMoney(r.MaxOrderTotal.Decimal, "", l) }
	en := stockhand.Words{Message: fmt.Sprintf(
		"the total of %q is not known in the currency of the account, and the limit "+
			"is %s", d.Title, limit(stockhand.English))}
	ru := stockhand.Words{Message: fmt.Sprintf("сумма документа «%s» в валюте аккаунта неизвестна, а предел — %s",
		d.Title,
		limit(stockhand.Russian))}
	if total.Known {
		en.Message = fmt.Sprintf("the total of %q is %s, above the limit of %s", d.Title,
			tool.FormatMoney(total.Decimal, d.Currency, stockhand.English), limit(stockhand.English))
		ru.Message = fmt.Sprintf("сумма документа «%s» — %s, это больше предела %s", d.Title,
			tool.FormatMoney(total.Decimal, d.Currency, stockhand.Russian), limit(stockhand.Russian))
	}
	en.Hint, ru.Hint = orChangeTheRule("reduce the order", "уменьшите заказ")
	return broken(ruleOrderTotal, en, ru)
}

// orderTotal is an order's total in the currency of the account. An order in another currency has no known one.
func orderTotal(d tool.Document) decimal.Maybe {
	if d.CurrencyID != "" {
		return decimal.Maybe{}
	}
	return d.Sum()
}

// over reports whether a value is above a limit. An unknown value is above every limit.
func over(value, limit decimal.Maybe) bool {
	return limit.Known && (!value.Known || !value.Valid() || value.Cmp(limit.Decimal) > 0)
}

func (r Rules) limitedChange(x tool.Line) error {
	change := priceChange(x)
	if !over(change, r.MaxPriceChange) {
		return nil
	}
	percents := func(d decimal.Decimal, l stockhand.Language) string {
		return tool.FormatQuantity(d.Round(2), l) + "%"
	}
	limit := r.MaxPriceChange.Decimal
	en := stockhand.Words{Message: fmt.Sprintf(
		"the old price of %q is not known, so neither is the change, and the limit is "+
			"%s", x.Product.Name, percents(limit, stockhand.English))}
	ru := stockhand.Words{Message: fmt.Sprintf(
		"прежняя цена «%s» неизвестна, изменение посчитать нельзя, а предел — %s",
		x.Product.Name, percents(limit, stockhand.Russian))}
	if change.Known {
		en.Message = fmt.Sprintf("the price of %q changes by %s, above the limit of %s", x.Product.Name,
			percents(change.Decimal, stockhand.English), percents(limit, stockhand.English))
		ru.Message = fmt.Sprintf("цена «%s» меняется на %s, это больше предела %s", x.Product.Name,
			percents(change.Decimal, stockhand.Russian), percents(limit, stockhand.Russian))
	}
	en.Hint, ru.Hint = orChangeTheRule("change this price or drop the line", "измените эту цену или уберите строку")
	return broken(rulePriceChange, en, ru)
}

// priceChange is by how many percent of the old price a line changes it, up or down; unknown without an old price.
func priceChange(x tool.Line) decimal.Maybe {
	if !x.Price.Known || !x.OldPrice.Known || x.OldPrice.Sign() <= 0 {
		return decimal.Maybe{}
	}
	return decimal.Some(x.Price.Sub(x.OldPrice.Decimal).Mul(decimal.Hundred).Div(x.OldPrice.Decimal).Abs())
}

// aboveCost refuses a price below the cost, and one whose cost is not known. A cost of zero means unknown.
func aboveCost(d tool.Document, x tool.Line, cost decimal.Maybe) error {
	known := cost.Known && cost.Sign() > 0 && x.Price.Known
	if known && !x.Price.Less(cost.Decimal) {
		return nil
	}
	en := stockhand.Words{Message: fmt.Sprintf("the cost of %q is not known or hidden", x.Product.Name)}
	ru := stockhand.Words{Message: fmt.Sprintf("себестоимость «%s» неизвестна или не видна", x.Product.Name)}
	if known {
		said := func(m decimal.Maybe, l stockhand.Language) string { return tool.FormatMoney(m.Decimal, d.Currency, l) }
		en.Message = fmt.Sprintf("the new price of %q, %s, is below the cost of %s", x.Product.Name,
			said(x.Price, stockhand.English), said(cost, stockhand.English))
		ru.Message = fmt.Sprintf("новая цена «%s» — %s, это ниже себестоимости %s", x.Product.Name,
			said(x.Price, stockhand.Russian), said(cost, stockhand.Russian))
	}
	en.Hint, ru.Hint = orChangeTheRule("change this price or drop the line", "измените эту цену или уберите строку")
	return broken(ruleBelowCost, en, ru)
}

// needsTwo returns the rule by which two people must confirm a document; empty if there is none. The orders of a draft
// count together, so that splitting one changes nothing. A call of another server has no known value.
func (r Rules) needsTwo(h loaded, d tool.Document, restores bool) string {
	switch d.Kind {
	case tool.SupplierOrder:
		if over(h.ordered(), r.SecondApproverAbove) {
			return ruleSecondAbove
		}
	case tool.RemoteCall:
		if r.SecondApproverAbove.Known {
			return ruleSecondAbove
		}
	case tool.PriceChange:
		for _, x := range d.Lines {
			if !restores && over(priceChange(x), r.SecondApproverPriceChange) {
				return ruleSecondChange
			}
		}
	}
	return ""
}

// ProofLife is how long a proof of who a person is counts (rule R118).
const ProofLife = 15 * time.Minute

// proven returns the refusal of the rule that asks for a recent proof, if it concerns one of the documents. A call of
// another server has no known value. The operator at the command line of the server needs none.
func (r Rules) proven(actor stockhand.Actor, h loaded, d tool.Document, now time.Time) error {
	concerns := d.Kind == tool.SupplierOrder && over(h.ordered(), r.StepUpAbove) ||
		d.Kind == tool.RemoteCall && r.StepUpAbove.Known
	operator := actor.Person && strings.HasPrefix(actor.Name, "cli:")
	if !concerns || operator || actor.ProvenWithin(ProofLife, now) {
		return nil
	}
	err := broken(ruleStepUp, stockhand.Words{
		Message: "the amount needs a proof, not older than 15 minutes, of who you are",
		Hint:    "sign in at /sign-in, or prove it again with POST /api/v1/me/step-up; then confirm with that sign-in",
	}, stockhand.Words{
		Message: "для такой суммы нужно не раньше чем 15 минут назад подтвердить, что это вы",
		Hint:    "войдите на странице /sign-in или подтвердите вход через POST /api/v1/me/step-up и повторите"})
	err.Code = stockhand.CodeStepUpRequired
	return err
}

// ordered is the sum of a draft's supplier orders in the currency of the account, without those that will not be
// written; unknown if one is unknown.
func (h *loaded) ordered() decimal.Maybe {
	sum := decimal.Zero
	for _, d := range h.proposal.Documents {
		at := h.state(d.ID)
		if d.Kind != tool.SupplierOrder || at == nil || at.State == stockhand.DocumentRejected ||
			at.State == stockhand.DocumentExpired || at.State == stockhand.DocumentFailed {
			continue
		}
		total := orderTotal(d)
		if !total.Known {
			return total
		}
		sum = sum.Add(total.Decimal)
	}
	return decimal.Some(sum)
}

// readRules decodes the value of the setting.
func readRules(value string) (r Rules, err error) {
	if strings.TrimSpace(value) == "" {
		return r, nil
	}
	if err := json.Unmarshal([]byte(value), &r); err != nil {
		return r, stockhand.Errorf(stockhand.CodeInternal, "read the rules for drafts: %w", err)
	}
	return r, nil
}
