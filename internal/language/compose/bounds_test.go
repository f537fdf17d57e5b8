package compose

import "testing"

func TestRule854_ProfitWithoutReturnsIsAQuestion(t *testing.T) {
	for _, task := range []string{"прибыль без возвратов за октябрь", "маржа без учета возвратов", "profit without returns"} {
		if r := read(task, nil); r == nil || r.Ask[0] == "" || len(r.Choices) != 1 {
			t.Errorf("%s: no question", task)
		}
	}
	for task, want := range map[string]string{
		"товары без возвратов": "returns by product where returns = [0]",
	} {
		if got := short(read(task, nil)); got != want {
			t.Errorf("%s\n got %s\nwant %s", task, got, want)
		}
	}
}

func TestRule855_WhatOnlyOneWarehouseHasIsAQuestion(t *testing.T) {
	r := read("что лежит только на витрине", nil)
	if r == nil || r.Ask[0] == "" || short(r) != "stock by product,store" {
		t.Errorf("%v", r)
	}
	if r = read("остатки только на витрине", nil); r == nil || r.Ask[0] != "" {
		t.Error("the stock of one warehouse is no question")
	}
}
