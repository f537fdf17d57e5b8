package language_test

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/language"
)

var today = time.Date(2026, time.November, 21, 12, 0, 0, 0, time.UTC)

func ExampleRead() {
	r := language.Read("топ-5 товаров по прибыли за прошлый месяц", language.Input{Now: today})
	arguments, _ := json.Marshal(r.Arguments)
	fmt.Printf("%s\n%s\n", r.Skill, arguments)
	// Output:
	// profitability
	// {"from":"2026-10-01","to":"2026-10-31","by":"product","order":"profit","direction":"desc","limit":5}
}

func ExampleRead_names() {
	task := "сколько чая на складе Лесная"
	first := language.Read(task, language.Input{Now: today})
	for _, p := range first.Unknown { // load these names from the account
		fmt.Println(p.Words, p.Kinds[0])
	}
	r := language.Read(task, language.Input{Now: today, Names: []connector.Name{
		{Kind: connector.NameStore, ID: "1", Name: "Склад «Лесная»"},
		{Kind: connector.NameGroup, ID: "2", Name: "Чай"},
	}})
	fmt.Println(r.Skill, r.Arguments.Stores, r.Arguments.Groups)
	// Output:
	// чая products
	// Лесная stores
	// stock [Склад «Лесная»] [Чай]
}

func ExampleRead_question() {
	r := language.Read("товары", language.Input{Now: today})
	for _, o := range r.Question.Options {
		fmt.Println(o.Text)
	}
	// Output:
	// Какие остатки товаров
	// Прибыль по товарам
	// Что заканчивается и что заказать
	// Какие товары залежались
}
