package language

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/language/quantity"
)

// The thresholds of a decision, in the units of the weights in lexicon/rules.txt, where the plain word for a subject
// adds 3 to 5. All were set on the tuning phrases of the eval command; run it after changing one.
const (
	minScore     = 2.0 // a skill below this was not asked for
	closeMargin  = 0.7 // two skills nearer than this are a close call, and the person is asked
	draftPenalty = 4.0 // subtracted from every reading skill when the task orders a draft

	outOfScopeScore  = 4.6 // words of another field, or a forecast
	moreOutOfScope   = 2.0 // added when there are several such words
	maybeOutOfScope  = 2.5 // words that often belong to another field
	sendingScore     = 3.0 // an order to send something, when no skill was asked for
	deleteScore      = 20  // an order to delete, which overrules every reading
	outOfScopeMargin = 0.8 // a skill must be ahead of these by this much
)

// signal is something known about a task besides its concepts. rules.txt writes it with an @.
type signal uint8

const (
	signalPeriod         signal = iota // the task names a period
	signalDuration                     // a number of days that is no period
	signalLongerThan                   // "longer than 90 days"
	signalPercent                      // a percentage
	signalAmount                       // an amount of money
	signalTwoStores                    // two warehouses by name
	signalFromStore                    // a warehouse that goods come from
	signalUnknownName                  // words that may be a name
	signalNamesNotLoaded               // the same, and the account's names were not given
	signalOnlyAName                    // nothing but such words
	signalMakeOrder                    // the orders for a draft, by what they order
	signalBuyOrder
	signalMoveOrder
	signalCarryOrder
	signalBringOrder
	signalPriceOrder
	signalRepriceOrder
	signalDiscountOrder
	signalPercentOff
	signalDraftOrder     // any of them
	numSignals       int = iota
)

var signalNames = [numSignals]string{
	signalPeriod: "period", signalDuration: "duration", signalLongerThan: "longer_than", signalPercent: "percent",
	signalAmount: "amount", signalTwoStores: "two_stores", signalFromStore: "from_store",
	signalUnknownName: "unknown_name", signalNamesNotLoaded: "names_not_loaded", signalOnlyAName: "only_a_name",
	signalMakeOrder: "make_order", signalBuyOrder: "buy_order", signalMoveOrder: "move_order",
	signalCarryOrder: "carry_order", signalBringOrder: "bring_order", signalPriceOrder: "price_order",
	signalRepriceOrder: "reprice_order", signalDiscountOrder: "discount_order", signalPercentOff: "percent_off",
	signalDraftOrder: "draft_order",
}

// rule adds weight to a skill when every feature of need is present and none of absent is.
type rule struct {
	skill        Skill
	weight       float64
	need, absent []feature
}

// feature is something that a rule asks for: exactly one of a concept, a signal and a name.
type feature struct {
	kind    featureKind
	concept concept
	signal  signal
	name    connector.NameKind // empty for a name of any kind
}

type featureKind uint8

const (
	conceptFeature featureKind = iota
	signalFeature
	nameFeature
)

func parseFeature(text string) (feature, error) {
	if kind, ok := strings.CutPrefix(text, "?"); ok {
		switch k := connector.NameKind(kind); {
		case kind == "name":
			return feature{kind: nameFeature}, nil
		case slices.Contains(goodsNames, k) || k == connector.NameCounterparty:
			return feature{kind: nameFeature, name: k}, nil
		}
		return feature{}, fmt.Errorf("unknown kind of name %q", kind)
	}
	if name, ok := strings.CutPrefix(text, "@"); ok {
		i := slices.Index(signalNames[:], name)
		if i < 0 {
			return feature{}, fmt.Errorf("unknown signal %q", name)
		}
		return feature{kind: signalFeature, signal: signal(i)}, nil
	}
	c, err := conceptNamed(text)
	return feature{concept: c}, err
}

// addRule reads a line of rules.txt.
func (x *lexicon) addRule(line string) error {
	f := strings.Fields(line)
	if f[0] == "open" {
		for _, name := range f[1:] {
			c, err := conceptNamed(name)
			if err != nil {
				return err
			}
			x.Open[c] = true
		}
		return nil
	}
	if len(f) < 3 {
		return fmt.Errorf("a rule is a skill, a weight and features")
	}
	if _, ok := skills[Skill(f[0])]; !ok {
		return fmt.Errorf("unknown skill %q", f[0])
	}
	weight, err := strconv.ParseFloat(f[1], 64)
	if err != nil {
		return err
	}
	r := rule{skill: Skill(f[0]), weight: weight}
	for _, text := range f[2:] {
		text, absent := strings.CutPrefix(text, "!")
		ft, err := parseFeature(text)
		if err != nil {
			return err
		}
		if absent {
			r.absent = append(r.absent, ft)
		} else {
			r.need = append(r.need, ft)
		}
	}
	x.rules = append(x.rules, r)
	return nil
}

// evidence is everything that the rules look at.
type evidence struct {
	concepts [numConcepts]int // how often each occurs
	signals  [numSignals]bool
	names    map[connector.NameKind]bool // kinds of the names found
}

func (e *evidence) holds(f feature) bool {
	switch f.kind {
	case signalFeature:
		return e.signals[f.signal]
	case nameFeature:
		return e.names[f.name] || f.name == "" && len(e.names) > 0
	default:
		return e.concepts[f.concept] > 0
	}
}

// has reports whether the task has any of the concepts.
func (e *evidence) has(any ...concept) bool {
	return slices.ContainsFunc(any, func(c concept) bool { return e.concepts[c] > 0 })
}

// satisfies reports whether a rule applies.
func (e *evidence) satisfies(r rule) bool {
	return !slices.ContainsFunc(r.need, func(f feature) bool { return !e.holds(f) }) &&
		!slices.ContainsFunc(r.absent, e.holds)
}

// scored is a skill and the sum of what speaks for it.
type scored struct {
	skill Skill
	score float64
}

// rank weighs the skills, best first. Skills that nothing speaks for are left out.
func (x *lexicon) rank(e *evidence) []scored {
	sum := map[Skill]float64{}
	for _, r := range x.rules {
		if e.satisfies(r) {
			sum[r.skill] += r.weight
		}
	}
	if e.signals[signalDraftOrder] {
		for s := range sum {
			if !s.Proposes() {
				sum[s] -= draftPenalty
			}
		}
	}
	var out []scored
	for _, s := range slices.Sorted(maps.Keys(sum)) {
		if sum[s] > 0 {
			out = append(out, scored{s, sum[s]})
		}
	}
	slices.SortStableFunc(out, func(a, b scored) int { return cmp.Compare(b.score, a.score) })
	return out
}

// weigh collects what the rules look at.
func (r *reader) collectEvidence() {
	e := &evidence{names: map[connector.NameKind]bool{}}
	for _, f := range r.found {
		e.concepts[f.Meaning]++
	}
	for _, m := range r.mentions {
		for _, n := range m.meanings {
			e.names[n.Kind] = true
		}
	}
	e.signals[signalPeriod] = len(r.Periods) > 0
	e.signals[signalDuration] = len(r.Durations) > 0
	e.signals[signalLongerThan] = slices.ContainsFunc(r.Durations, func(d quantity.Duration) bool { return d.Over })
	e.signals[signalPercent] = r.Percent != ""
	e.signals[signalAmount] = len(r.Amounts) > 0
	e.signals[signalMoveOrder] = r.imperative(conceptMove, conceptCreate)
	e.signals[signalFromStore] = r.carries()
	e.signals[signalDiscountOrder] = r.imperative(conceptDiscount)
	e.signals[signalPercentOff] = r.Off
	e.signals[signalCarryOrder] = r.imperative(conceptCarry) &&
		(e.signals[signalFromStore] || e.names[connector.NameStore] && r.imperative(conceptBring))
	e.signals[signalTwoStores] = len(slices.DeleteFunc(slices.Clone(r.mentions),
		func(m mention) bool { return !slices.ContainsFunc(m.meanings, isStore) })) > 1
	e.signals[signalBringOrder] = r.imperative(conceptBring)
	e.signals[signalBuyOrder] = r.buys()
	e.signals[signalRepriceOrder] = r.imperative(conceptReprice)
	e.signals[signalPriceOrder] = r.imperative(conceptRaise, conceptLower, conceptSetPrice)
	e.signals[signalMakeOrder] = r.imperative(conceptBuy, conceptCreate)
	r.evidence = e
	e.signals[signalDraftOrder] = r.drafting()
}

// collectUnknown adds what the words that may be names say. Before the account's names are loaded, a word that may be
// one counts as one; after that, only a name that was found counts.
func (r *reader) collectUnknown(unknown []Phrase) {
	loaded := r.in.loaded()
	r.evidence.signals[signalUnknownName] = len(unknown) > 0
	r.evidence.signals[signalNamesNotLoaded] = !loaded && len(unknown) > 0
	r.evidence.signals[signalOnlyAName] = !loaded && r.onlyAName(unknown)
}
