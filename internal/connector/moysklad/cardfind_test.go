package moysklad

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/sandbox"
	"github.com/stockhand/stockhand/internal/sandbox/company"
	"github.com/stockhand/stockhand/internal/tool"
)

// Rule R243: whichever of its names a counterparty is called by, and whether or not they are cached, it is the same
// one; an exact name is meant rather than a part of another, and a current counterparty rather than an archived one.
func TestACounterpartyIsTheSameByEachOfItsNames(t *testing.T) {
	s := openShop(t, sandbox.Options{})
	add := func(name, legal, code string, archived bool) company.ID {
		x := *s.company.Catalogue().Counterparties[13]
		x.ID, x.SyncID, x.Name, x.LegalTitle, x.Code, x.Archived = "", "", name, legal, code, archived
		saved, err := s.company.SaveCounterparty(x)
		if err != nil {
			t.Fatal(err)
		}
		return saved.ID
	}
	add("Вектор-Плюс", "ООО «Плюс»", "V1", false)
	legal := add("Сидоров", "Вектор", "V2", false)
	add("Орбита (старая)", "Орбита", "V3", true)
	current := add("Орбита", "ООО «Орбита»", "V4", false)
	old := add("Зенит", "ООО «Зенит»", "V5", true)
	add("Зенит-Сервис", "ООО «Зенит-Сервис»", "V6", false)
	add("Квант", "ООО «Квант»", "V7", false)
	twin := add("Лавка", "Квант", "V8", false)
	for _, cached := range []bool{false, true} {
		a := s.owner(t)
		if cached {
			if _, err := a.CounterpartyList(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		for name, want := range map[string]company.ID{"Вектор": legal, "Орбита": current, "Зенит": old} {
			r, err := tryTool(a, "moysklad_counterparty", fmt.Sprintf(`{"counterparty":%q}`, name), tool.Env{Now: noon})
			if err != nil {
				t.Errorf("cached %t, %s: %v", cached, name, err)
				continue
			}
			if id := facts(parts(t, r)["Карточка"])["ID"]; id != string(want) {
				t.Errorf("cached %t, %s: %s", cached, name, r.Title)
			}
			r = callTool(t, a, "moysklad_documents", fmt.Sprintf(`{"counterparties":[%q]}`, name))
			if !strings.Contains(fmt.Sprint(r.Provenance.Sources), string(want)) {
				t.Errorf("cached %t, documents of %s: %v", cached, name, r.Provenance.Sources)
			}
		}
		_, err := tryTool(a, "moysklad_counterparty", `{"counterparty":"Квант"}`, tool.Env{Now: noon})
		if e, ok := errors.AsType[*stockhand.Error](err); !ok || !strings.Contains(e.Hint, string(twin)) {
			t.Errorf("cached %t: the name of two: %v", cached, err)
		}
	}
}

// Rule R243: the good with exactly a name is found among any number of goods that contain it, and in the archive.
func TestAnExactNameIsFoundAmongManyThatContainIt(t *testing.T) {
	s := openShop(t, sandbox.Options{})
	for i := range 1001 {
		s.company.AddGood(company.Product, company.Card{Name: fmt.Sprintf("Гвоздь %04d", i)})
	}
	exact := s.company.AddGood(company.Product, company.Card{Name: "Гвоздь"})
	old := s.company.AddGood(company.Product, company.Card{Name: "Гвоздь 0", Archived: true})
	a := s.owner(t)
	for name, want := range map[string]company.ID{"Гвоздь": exact.ID, "Гвоздь 0": old.ID} {
		r, err := tryTool(a, "moysklad_product", fmt.Sprintf(`{"product":%q}`, name), tool.Env{Now: noon})
		if err != nil {
			t.Errorf("%s: %v", name, err)
		} else if id := facts(parts(t, r)["Карточка"])["ID"]; id != string(want) {
			t.Errorf("%s: %s", name, r.Title)
		}
	}
	r := callTool(t, a, "moysklad_stock", `{"products":["Гвоздь"],"only":"all"}`)
	if len(r.Rows) != 1 || cell(t, r, r.Rows[0], "id").Text() != string(exact.ID) {
		t.Errorf("%v", r.Rows)
	}
	_, err := tryTool(a, "moysklad_product", `{"product":"Гвозд"}`, tool.Env{Now: noon})
	if err == nil || !strings.Contains(err.Error(), "больше 1\u00a0000, показаны") {
		t.Errorf("%v", err)
	}
}
