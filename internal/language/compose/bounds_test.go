package compose

import "testing"

func TestRule855_WhatOnlyOneWarehouseHasIsAQuestion(t *testing.T) {
	r := read("что лежит только на витрине", nil)
	if r == nil || r.Ask[0] == "" || short(r) != "stock by product,store" {
		t.Errorf("%v", r)
	}
	if r = read("остатки только на витрине", nil); r == nil || r.Ask[0] != "" {
		t.Error("the stock of one warehouse is no question")
	}
}
