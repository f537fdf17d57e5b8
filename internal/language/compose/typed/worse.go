package typed

import "github.com/stockhand/stockhand/internal/words"

// WorseIfMore are figures that are the worse the higher they are.
var WorseIfMore = words.Set("written_off quantity_written_off returns quantity_returned return_rate discount " +
	"money_out " +
	"overdue_days supplier_overdue_days debt_age our_debt_age owed_by_us shortage days_since days_since_sale " +
	"days_in_stock")
