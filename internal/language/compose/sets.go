package compose

import (
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// comparatives are operators that sort, without a number.
var comparatives = words.Set("больше меньше more less fewer higher lower bigger smaller дороже дешевле выше " +
	"ниже cheaper dearer")

// prepositions are operators that say nothing without a number.
var prepositions = words.Set("от from over up до между between старше")

// carriers are verbs that say nothing where another measure is asked for: "приносит больше всего прибыли".
var carriers = token.Stems("приносит приносят принесли принес brings bring brought made makes")

// subjects are dimensions that a task may name without saying "by".
var subjects = words.Set("product variant group supplier store legal_entity counterparty employee sales_channel " +
	"expense_item account price_type abc xyz rfm tag project state document unit country contract")

// debts are measures whose rows are what people ask for.
var debts = words.Set("owed_to_us owed_by_us debt_age our_debt_age days_since supplier_overdue_days")

// agents are measures of documents that name the supplier themselves.
var agents = words.Set("purchases deliveries quantity_received purchase_price ordered purchase_orders not_received " +
	"open_orders expected_on money_out owed_by_us our_debt_age")
