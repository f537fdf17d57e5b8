account currency
	валюта аккаунта
another period
	другой период
buyPrice: the purchase price; default: the first
	buyPrice — закупочная цена; обычно первая
by revenue; default: 50, or all named
	по выручке; обычно 50 или все названные
change, negative to lower
	изменение; чтобы снизить — отрицательное
days; default: 182; seasons need 730
	дни; обычно 182; для сезонности нужно 730
default 1
	обычно 1
default 3
	обычно 3
default 50, at most 200
	обычно 50, не больше 200
default 7
	обычно 7
default 90
	обычно 90
default: all
	обычно: все
default: balances, now
	обычно: остатки денег, сейчас
default: day
	обычно: день
default: day; weeks begin on Monday
	обычно: день; неделя начинается в понедельник
default: desc
	обычно desc: по убыванию
default: in_stock; all when goods are named
	обычно in_stock — в наличии; если товары названы — все
default: now
	обычно: сейчас
default: owed_to_us
	обычно owed_to_us: должны нам
default: product
	обычно: товар
default: profit
	обычно: прибыль
default: revenue
	обычно: выручка
default: value
	обычно: сумма
false: drafts
	false — непроведённые; обычно и те, и другие
first day of the sales rate
	первый день, с которого считается скорость продаж
first day; default: 30 days up to and including the last
	первый день; обычно 30 дней до последнего включительно
for every good
	для каждого товара
in the comment
	в комментарии
document currency
	в валюте документа
instead of days
	вместо дней
its last day
	его последний день
last day, included; default: today
	последний день, включительно; обычно сегодня
least debt
	наименьший долг
least sum of an order
	наименьшая сумма заказа
name, code, article, barcode or id
	название, код, артикул, штрихкод или идентификатор
name, legal name, code or id
	название, полное название, код или идентификатор
needed if no goods are named
	нужно, если товары не названы
alone: the latest
	один: последний документ этого вида
needs compare and by
	нужны compare и by
negative to lower
	чтобы снизить — отрицательное
no sale in the last min_days
	без продаж за последние min_days
none: one row; else of:
	none — одна строка; иначе что-то из:
not plain rate
	не по одной скорости продаж
of documents.kinds, or product, variant, bundle, service, counterparty
	из documents.kinds или product, variant, bundle, service, counterparty
of each good; default: by sales
	каждого товара; обычно по продажам
of its page
	страницы с ним
of listed bundles
	состав названных комплектов
open customer orders
	открытые заказы покупателей
open orders past their date
	открытые заказы с прошедшим сроком
open supplier orders
	открытые заказы поставщикам
or a part; of any age
	или его часть; без дат — за всё время
percent of the new price
	процент от новой цены
percent of the purchase price
	процент от закупочной цены
percent of the total
	процент от итога
posted, not fully paid
	проведённые и не оплаченные полностью
read again
	прочитать заново
rows to return; 0 or absent: all. Totals cover all rows anyway
	сколько строк вернуть; 0 или не задано — все. Итоги в любом случае по всем строкам
per value of earlier by
	на каждое значение измерений перед последним
running percent of it
	накопленный процент от него
stock should last, on both sides; default 14
	на сколько дней должно хватить запаса на обоих складах; обычно 14
stock should last; default 14
	на сколько дней должно хватить запаса; обычно 14
the organization's own, listed for an unknown name, or:
	свои показатели организации (список — в ответ на незнакомое имя) или:
today included; default: 14
	включая сегодня; обычно 14
what a budget buys first; default: cover
	что бюджет покупает сначала; обычно cover — нехватку по дням
where to deliver a list, or what all lack
	куда доставить список или то, чего всем не хватает
with the month, or as many days, before
	с предыдущим месяцем или столькими же днями раньше
words of the name or code
	слова названия или код
balances: only bank accounts or only cash desks; default: both
	для остатков денег: только счета или только кассы; обычно и те, и другие
values of the first dimension that the answer names
	значения первого измерения, которые назовёт ответ
of each good
	каждого товара
of each good, at the source
	каждого товара, на складе, откуда перемещают
least new price
	новая цена не меньше
new price at least cost + this percent; 0: cost
	новая цена не меньше себестоимости плюс этот процент; 0 — не меньше себестоимости
same, of the purchase price
	то же от закупочной цены
balances only, e.g. USD
	только для остатков денег, например USD
totals only
	только итоги
first planned day
	первый плановый день
where the supplier's is unknown
	где срок поставщика неизвестен
first from other warehouses
	сначала с других складов
multiples of this
	кратно этому
default: as recently
	обычно: как в последних документах
default: in 7 days
	обычно через 7 дней
with quantities, as items
	с количествами, как items
on present figures
	на нынешние цифры
of the new price, percent
	от новой цены, в процентах
