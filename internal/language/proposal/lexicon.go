package proposal

import (
	"strings"

	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/words"
)

// The verbs of a request. Russian ones are imperatives and infinitives, which nothing else in a sentence looks like;
// English ones count only where an order begins.
var (
	raises = words.Set(`подними поднимите поднять поднимем подыми приподними повысь повысьте повысить увеличь увеличьте
		увеличить накинь накиньте накинуть прибавь прибавить добавь добавить raise increase bump hike`)
	lowers = words.Set(`снизь снизьте снизить снизим понизь понизьте понизить опусти опустить уменьши уменьшите уменьшить
		сбрось сбросить сбавь сбавить скинь скиньте скинуть уцени уцените уценить удешеви удешевить lower
		reduce decrease
		cut drop discount markdown`)
	sets = words.Set(`поставь поставьте поставить установи установите установить назначь назначьте назначить задай задайте
		задать выстави выставить сделай сделайте сделать дай дать пусть хочу set make put give`)
	changes = words.Set(`измени измените изменить поменяй поменять переоцени переоценить пересчитай пересчитать пересчитайте
		обнови обновить рассчитай рассчитать посчитай change adjust reprice update recalculate calculate`)
	rounds = words.Set(`округли округлите округлить round`)
	buys   = words.Set(`закажи закажите заказать закажем дозакажи дозаказать докупи докупите докупить купи купите купить
		закупи закупите закупить закупим order buy purchase reorder restock`)
	moves = words.Set(`перемести переместите переместить перекинь перекиньте перекинуть перебрось перебросьте перебросить
		переброс переброска переброску перенеси перенести перевези перевезти отвези отвезти отвезите привези привезите
		привезти завези завезти transfer move relocate`)
	sends = words.Set(`отправь отправьте отправить send bring ship`)
	makes = words.Set(`сделай сделайте сделать создай создайте создать подготовь подготовьте подготовить оформи оформите
		оформить сформируй сформировать составь составьте составить собери собрать набросай нужен нужна нужно
		надо хочу
		make create prepare draft place generate do need want write`)
)

// The nouns of a request, by their beginnings.
var (
	priceNouns      = []string{"цен", "прайс", "price", "pricing", "ценник"}
	orderNouns      = []string{"заказ", "заявк", "order", "po", "дозаказ", "закупк"}
	transferNouns   = []string{"перемещени", "переброс", "transfer"}
	minimumNouns    = []string{"неснижаем", "минимум", "минимальн", "minimum", "reorder"}
	discountNouns   = []string{"скидк", "уценк", "discount", "распродаж"}
	markupNouns     = []string{"наценк", "накрутк", "markup"}
	marginNouns     = []string{"марж", "рентабельност", "margin"}
	purchaseNouns   = []string{"закуп", "себестоимост", "себес", "purchase", "cost", "buying", "вход"}
	customerNouns   = []string{"покупател", "клиент", "заказчик", "customer", "client", "buyer"}
	supplierNouns   = []string{"поставщик", "supplier", "vendor"}
	exceptWords     = words.Set("кроме исключая except excluding besides without")
	everythingWords = words.Set(`все всё всего всех весь всем всю вся целиком ассортимент ассортименту everything all every entire
		whole`)
)

func begins(w string, with []string) bool {
	if w == "" {
		return false
	}
	for _, b := range with {
		if strings.HasPrefix(w, b) && (b != "po" || w == "po" || w == "pos") && (b != "cost" || w != "costing") {
			return true
		}
	}
	return false
}

// fillers are words that say nothing more in a request for a draft. Function words of package compose are not here.
var fillers = words.Set(`черновик черновики draft drafts товар товара товары товаров товарам товару товаре позиция позиции
	позиций позициям ассортимент products product goods items item skus sku ones stuff things thing
	цена цены цену цене ценам ценах цен прайс прайсу прайсе прайсы ценники price prices
	заказ заказа заказы заказик заявка заявку заявки дозаказ order orders po закупку purchase
	перемещение перемещения transfer transfers
	поставщику поставщикам поставщиков supplier suppliers
	продажи продажа розничную
	такой такую такие таким так чтобы чтоб было будет стало были стала стал нужно надо хочу пусть давай-ка
	ка пж плз плиз pls
	примерно около ровно exactly about around please kindly
	штук штуки шт единиц pcs pieces piece units unit each кажд каждого каждой каждый каждую каждому
	сегодня today сразу срочно asap now быстро
	процентов процента процент percent
	подготовь подготовьте подготовить сделай сделайте сделать создай создать оформи оформить сформируй составь
	prepare create make place do need want`)

// kinds are the words that say what the name beside them is.
var kinds = func() map[string]connector.NameKind {
	out := map[string]connector.NameKind{}
	for k, list := range map[connector.NameKind]string{
		connector.NameStore: `склад склада складу складе складом магазин магазина магазину магазине магазином точка точки
			точку точке филиал филиала филиале warehouse store shop location branch`,
		connector.NameSupplier: `поставщик поставщика поставщику поставщиком поставщике поставщиков supplier suppliers vendor
			vendors`,
		connector.NameGroup: `группа группы группе группу группой групп группам категория категории категорию категорией
			раздел раздела разделе group groups category categories`,
		connector.NameCounterparty: `клиент клиента клиенту клиентом клиентам покупатель покупателя покупателю покупателям
			контрагент контрагента контрагенту customer client buyer`,
		connector.NamePriceType: `прайс прайса прайсу прайсе`,
	} {
		for w := range strings.FieldsSeq(list) {
			out[w] = k
		}
	}
	return out
}()

// asking are words of questions: "на сколько поднять цены" is none of ours.
var asking = words.Set(`что чего чему какие какой каких какую какая сколько ли когда почему зачем кто кому стоит what which how
	who whom when why should`)

// padding are words that may precede an English order.
var padding = words.Set(`please pls can could would you kindly i we want to need us hey hi hello now then and also go ahead
	just let let's lets s ok okay so i'd like d`)

// nouns after an English verb turn it into a noun: "order list".
var nounAfter = words.Set(`list lists recommendations recommendation suggestions plan plans needs proposal volume report reports
	status statuses point points history summary analysis overview book total totals date dates number average by per`)
