package draft

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
)

// permit is the permission to confirm documents.
type permit struct {
	given map[stockhand.Setting]string  // the settings that it is based on
	first map[stockhand.DocumentID]bool // documents for which this is the first of two confirmations
}

// obey returns the permission of the organization's rules to confirm documents, or the refusal that names the rule. It
// reads costs from the account if a rule needs them.
func (s *Service) obey(ctx context.Context, actor stockhand.Actor, h loaded, w Writer,
	ids []stockhand.DocumentID) (permit, error) {
	p := permit{given: map[stockhand.Setting]string{}, first: map[stockhand.DocumentID]bool{}}
	stop, err := s.Store.WriteStop(ctx, h.Org)
	if err == nil {
		err = stop.Refusal()
	}
	if err != nil {
		return p, err
	}
	if !actor.Person {
		p.given[stockhand.KeysMayConfirm] = on // as mayConfirm found it
	}
	value, err := s.Store.Setting(ctx, h.Org, stockhand.DraftRules)
	if err != nil {
		return p, err
	}
	p.given[stockhand.DraftRules] = value
	r, err := readRules(value)
	if err != nil {
		return p, err
	}
	if err := s.quiet(r, h); err != nil {
		return p, err
	}
	if r.ProposerMayNotConfirm {
		if err := s.notTheProposer(ctx, actor, h); err != nil {
			return p, err
		}
	}
	restores := h.Undoes != "" && len(h.Editors) == 0
	for _, id := range ids {
		d := *h.document(id)
		var costs []decimal.Maybe
		if r.pricesByCost(d) {
			if costs, err = costsOf(ctx, w, d); err != nil {
				return p, err
			}
		}
		if err := r.limited(d, costs, restores); err != nil {
			return p, err
		}
		if err := r.proven(actor, h, d, s.Clock()); err != nil {
			return p, err
		}
		if rule := r.needsTwo(h, d, restores); rule != "" {
			if p.first[id], err = s.first(ctx, actor, h, *h.state(id), rule); err != nil {
				return p, err
			}
		}
	}
	return p, nil
}

func costsOf(ctx context.Context, w Writer, d tool.Document) ([]decimal.Maybe, error) {
	unknown := make([]decimal.Maybe, len(d.Lines))
	pricer, ok := w.(Pricer)
	if !ok {
		return unknown, nil
	}
	costs, err := pricer.Costs(ctx, d)
	if err == nil && len(costs) != len(d.Lines) {
		err = stockhand.Errorf(stockhand.CodeInternal, "%d costs of %d lines", len(costs), len(d.Lines))
	}
	return costs, err
}

func (s *Service) quiet(r Rules, h loaded) error {
	zone := h.proposal.Provenance.Zone
	if !r.QuietHours.include(s.Clock().In(zone.Location())) {
		return nil
	}
	from, to := r.QuietHours.From, r.QuietHours.To
	en := stockhand.Words{Message: fmt.Sprintf("nothing is confirmed from %s to %s, %s", from, to,
		zone.Title(stockhand.English))}
	ru := stockhand.Words{Message: fmt.Sprintf("с %s до %s ничего не подтверждают (%s)", from, to,
		zone.Title(stockhand.Russian))}
	en.Hint, ru.Hint = orChangeTheRule("confirm from "+to+" on", "подтвердите после "+to)
	return broken(ruleQuietHours, en, ru)
}

// notTheProposer refuses those for whom the draft was created, or who edited it.
func (s *Service) notTheProposer(ctx context.Context, actor stockhand.Actor, h loaded) error {
	confirms, err := s.behind(ctx, h.Org, actor.Name)
	if err != nil {
		return err
	}
	// a draft without a proposer comes from the local command line
	same := h.By == "" && strings.HasPrefix(actor.Name, "cli:")
	for _, name := range append(slices.Clone(h.Editors), h.By) {
		proposer, err := s.behind(ctx, h.Org, name)
		if err != nil {
			return err
		}
		same = same || proposer == confirms
	}
	if !same {
		return nil
	}
	en := stockhand.Words{Message: "you proposed or edited this draft"}
	ru := stockhand.Words{Message: "вы предложили или изменили этот черновик"}
	en.Hint, ru.Hint = orChangeTheRule("let another person confirm it", "пусть его подтвердит другой человек")
	return broken(ruleProposer, en, ru)
}

// first reports whether this is the first of the two confirmations that a document needs. It refuses keys, and a person
// who has confirmed this version before.
func (s *Service) first(ctx context.Context, actor stockhand.Actor, h loaded, doc stockhand.DraftDocument,
	rule string) (bool, error) {
	if !actor.Person {
		return false, broken(rule, stockhand.Words{Message: "two people must confirm this, and a key is confirming",
			Hint: "let two people confirm it"},
			stockhand.Words{Message: "это подтверждают два человека, а подтверждает ключ",
				Hint: "пусть это подтвердят два человека"})
	}
	if doc.ApprovedBy == "" || doc.Approved != h.Version {
		return true, nil
	}
	if doc.ApprovedBy != actor.Name {
		return false, nil
	}
	return false, broken(rule, stockhand.Words{Message: "two people must confirm this, and you already have",
		Hint: "let another person confirm this version of the draft"},
		stockhand.Words{Message: "это подтверждают два человека, а вы уже подтвердили",
			Hint: "пусть эту же версию черновика подтвердит другой человек"})
}

// behind returns the name of the actor behind a name: for a key, the person who created it or the keys before it.
func (s *Service) behind(ctx context.Context, org stockhand.OrgID, name string) (string, error) {
	for range 100 { // a chain of keys that create keys
		id, isKey := strings.CutPrefix(name, "key:")
		if !isKey {
			break
		}
		k, err := s.Store.Key(ctx, org, stockhand.KeyID(id))
		if stockhand.CodeOf(err) == stockhand.CodeNotFound && err != nil {
			break
		}
		if err != nil {
			return "", err
		}
		name = k.By
	}
	return name, nil
}
