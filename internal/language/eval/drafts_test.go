package eval

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var draftIDs = regexp.MustCompile(`drf_[0-9a-z]+`)

// asked asks the turns of conversations, parted by "|", of one service, and returns the answers of each.
func asked(t *testing.T, talks ...string) map[string][]string {
	t.Helper()
	said, of := map[string][]string{}, []conversation{}
	for _, talk := range talks {
		c := conversation{ID: talk}
		for text := range strings.SplitSeq(talk, "|") {
			c.Turns = append(c.Turns, turn{Say: strings.TrimSpace(text), Kind: "draft", Must: []string{"x"}})
		}
		of = append(of, c)
	}
	converse(t, serve(t), of, func(c conversation, _ int, a answered) {
		said[c.ID] = append(said[c.ID], a.FinalResponse)
	})
	return said
}

// What changes a draft leads to its next version, and what asks for something else to a draft beside it.
func TestAFollowUpReplacesItsDraft(t *testing.T) { // rules R670 and R681
	replaced := map[string]bool{
		"перемести 4 плед махра 140×200 с лесной на витрину | нет, 6":          true,
		"закажи 12 соль экстра 500 г на витрину | привезти на лесную":          true,
		"подними цены на посуду на 5% | не 5, а 7":                             true,
		"discount 10% on Посуда | not 10 but 7":                                true,
		"поставь наценку 45 на хозтовары без округления | округли до 5 рублей": true,
		"подними цены на посуду на 5% | а на сладости?":                        false,
		"снизь оптовые цены на посуду на 3% | а розничные на 1":                false,
	}
	for talk, said := range asked(t, slices.Sorted(maps.Keys(replaced))...) {
		first, second := draftIDs.FindString(said[0]), draftIDs.FindString(said[1])
		if first == "" || second == "" || (first == second) != replaced[talk] {
			t.Errorf("%s: %q, then %q in\n%s", talk, first, second, said[1])
		}
	}
}

// A draft of a table's rows is not widened to other goods, and what is to be left of them is left.
func TestADraftOfRowsKeepsThem(t *testing.T) { // rules R680 and R812
	const talk = "какие товары дороже 5000 | скидка 3% | только на инструмент"
	if said := asked(t, talk)[talk]; !strings.Contains(said[2], "; товары из таблицы, группа Инструмент.") {
		t.Errorf("%s", said[2])
	}
}

// A draft that cannot do without a warehouse asks for it, with each as an option.
func TestAnOrderAsksForItsWarehouse(t *testing.T) { // rule R675
	const talk = "закажи 5 соль экстра 500 г на лесную | подтверждаю | закажи 5 соль экстра 500 г | 2"
	said := asked(t, talk)[talk]
	if !strings.HasPrefix(said[2], "На какой склад заказать?\n1. на склад «") ||
		!strings.Contains(said[3], "Подготовлено") {
		t.Errorf("%s\n\n%s", said[2], said[3])
	}
}

// What a good is filled up to leads to the quantity that is missing, and the answer says what there is.
func TestAnOrderFillsUp(t *testing.T) { // rule R674
	const talk = "докупи соль домашние 500 г до 600 | докупи соль домашние 500 г до 1"
	said := asked(t, talk)[talk]
	if !strings.Contains(said[0], "До 600: доступно ") || !strings.Contains(said[1], "уже есть не меньше 1") {
		t.Errorf("%s\n\n%s", said[0], said[1])
	}
}
