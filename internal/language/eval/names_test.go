package eval

import (
	"time"

	"github.com/stockhand/stockhand/internal/connector"
)

// split is a file of phrases with the account and the day to which they refer.
type split struct {
	name  string
	now   time.Time
	names []connector.Name
}

// splits are the measured data sets. The rules are tuned on tune and tune-shop. The held-out sets were written before
// the rules and are only measured.
var splits = []split{
	{"tune", wednesday, office}, {"heldout", wednesday, office},
	{"tune-shop", saturday, shop}, {"heldout-shop", saturday, shop},
}

var (
	moscow    = time.FixedZone("MSK", 3*60*60)
	wednesday = time.Date(2026, time.October, 21, 12, 0, 0, 0, moscow)
	saturday  = time.Date(2026, time.November, 21, 12, 0, 0, 0, moscow)
)

// office is the account of tune and heldout: generic, with two suppliers that are easy to confuse.
var office = []connector.Name{
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

// shop is the account of tune-shop and heldout-shop, which contain phrases about shops and drafts.
var shop = []connector.Name{
	{Kind: connector.NameStore, ID: "s1", Name: "Основной склад"},
	{Kind: connector.NameStore, ID: "s2", Name: "Склад на Лесной"},
	{Kind: connector.NameStore, ID: "s3", Name: "Магазин на Мира"},
	{Kind: connector.NameStore, ID: "s4", Name: "Витрина"},
	{Kind: connector.NameSupplier, ID: "c1", Name: "ООО «Восток»"},
	{Kind: connector.NameSupplier, ID: "c2", Name: "ООО «Северный путь»"},
	{Kind: connector.NameCounterparty, ID: "c1", Name: "ООО «Восток»"},
	{Kind: connector.NameCounterparty, ID: "c2", Name: "ООО «Северный путь»"},
	{Kind: connector.NameCounterparty, ID: "c3", Name: "ООО «Альфа»"},
	{Kind: connector.NameGroup, ID: "g1", Name: "Инструмент"},
	{Kind: connector.NameGroup, ID: "g2", Name: "Продукты"},
	{Kind: connector.NameGroup, ID: "g3", Name: "Посуда"},
	{Kind: connector.NameGroup, ID: "g4", Name: "Текстиль"},
	{Kind: connector.NamePriceType, ID: "t1", Name: "Цена продажи"},
	{Kind: connector.NamePriceType, ID: "t2", Name: "Оптовая цена"},
	{Kind: connector.NameProduct, ID: "p1", Name: "Чай зелёный горный 1 кг", Also: []string{"20-001"}},
	{Kind: connector.NameProduct, ID: "p2", Name: "Кружка синяя 350 мл", Also: []string{"21-350"}},
	{Kind: connector.NameProduct, ID: "p3", Name: "Сковорода Дачница 26 см", Also: []string{"21-026"}},
	{Kind: connector.NameProduct, ID: "p4", Name: "Рис краснодарский 900 г", Also: []string{"20-900"}},
}
