package eval

import (
	"regexp"
	"strings"
	"testing"
)

var draftIDs = regexp.MustCompile(`drf_[0-9a-z]+`)

// asked asks the turns of a conversation, parted by "|", and returns the answers.
func asked(t *testing.T, talk string) (said []string) {
	t.Helper()
	c := conversation{ID: "own"}
	for text := range strings.SplitSeq(talk, "|") {
		c.Turns = append(c.Turns, turn{Say: strings.TrimSpace(text), Kind: "draft", Must: []string{"x"}})
	}
	converse(t, serve(t), []conversation{c}, func(_ conversation, _ int, a answered) {
		said = append(said, a.FinalResponse)
	})
	return said
}

// What changes a draft leads to its next version, and what asks for something else to a draft beside it.
func TestAFollowUpReplacesItsDraft(t *testing.T) { // rule R670
	for talk, replaced := range map[string]bool{
		"перемести 4 плед махра 140×200 с лесной на витрину | нет, 6":          true,
		"закажи 12 соль экстра 500 г на витрину | привезти на лесную":          true,
		"подними цены на посуду на 5% | не 5, а 7":                             true,
		"discount 10% on Посуда | not 10 but 7":                                true,
		"поставь наценку 45 на хозтовары без округления | округли до 5 рублей": true,
		"подними цены на посуду на 5% | а на сладости?":                        false,
		"снизь оптовые цены на посуду на 3% | а розничные на 1":                false,
	} {
		said := asked(t, talk)
		first, second := draftIDs.FindString(said[0]), draftIDs.FindString(said[1])
		if first == "" || second == "" || (first == second) != replaced {
			t.Errorf("%s: %q, then %q in\n%s", talk, first, second, said[1])
		}
	}
}

// A draft that cannot do without a warehouse asks for it, with each as an option.
func TestAnOrderAsksForItsWarehouse(t *testing.T) { // rule R675
	said := asked(t, "закажи 5 соль экстра 500 г на лесную | подтверждаю | закажи 5 соль экстра 500 г | 2")
	if !strings.HasPrefix(said[2], "На какой склад заказать?\n1. на склад «") ||
		!strings.Contains(said[3], "Подготовлено") {
		t.Errorf("%s\n\n%s", said[2], said[3])
	}
}

// What a good is filled up to leads to the quantity that is missing, and the answer says what there is.
func TestAnOrderFillsUp(t *testing.T) { // rule R674
	said := asked(t, "докупи соль домашние 500 г до 600 | докупи соль домашние 500 г до 1")
	if !strings.Contains(said[0], "До 600: доступно ") || !strings.Contains(said[1], "уже есть не меньше 1") {
		t.Errorf("%s\n\n%s", said[0], said[1])
	}
}
