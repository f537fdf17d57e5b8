package main

import "github.com/stockhand/stockhand/internal/connector"

// names are the account that the phrases speak of: generated, generic, and with two suppliers that are easy to mix up.
var names = []connector.Name{
	{Kind: connector.NameStore, ID: "s1", Name: "Основной склад"},
	{Kind: connector.NameStore, ID: "s2", Name: "Магазин на Лесной"},
	{Kind: connector.NameStore, ID: "s3", Name: "Склад Юг"},
	{Kind: connector.NameSupplier, ID: "c1", Name: "ООО «Восток»"},
	{Kind: connector.NameSupplier, ID: "c2", Name: "ООО «Восток-Сервис»"},
	{Kind: connector.NameSupplier, ID: "c3", Name: "ИП Тестов"},
	{Kind: connector.NameCounterparty, ID: "c1", Name: "ООО «Восток»"},
	{Kind: connector.NameCounterparty, ID: "c2", Name: "ООО «Восток-Сервис»"},
	{Kind: connector.NameCounterparty, ID: "c3", Name: "ИП Тестов"},
	{Kind: connector.NameCounterparty, ID: "c4", Name: "ООО «Ромашка»"},
	{Kind: connector.NameCounterparty, ID: "c5", Name: "Розничный покупатель"},
	{Kind: connector.NameGroup, ID: "g1", Name: "Посуда"},
	{Kind: connector.NameGroup, ID: "g2", Name: "Кофе и чай"},
	{Kind: connector.NameGroup, ID: "g3", Name: "Текстиль"},
	{Kind: connector.NameProduct, ID: "p1", Name: "Чайник стальной 2 л", Also: []string{"10-200"}},
	{Kind: connector.NameProduct, ID: "p2", Name: "Кружка белая 300 мл", Also: []string{"11-305"}},
	{Kind: connector.NameProduct, ID: "p3", Name: "Плед шерстяной", Also: []string{"12-001"}},
}
