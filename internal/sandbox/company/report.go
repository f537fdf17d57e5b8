package company

// StockAll is report/stock/all: all rows that match, in the order asked for.
func (c *Company) StockAll(q StockQuery) []StockRow { return nil }

// StockByStore is report/stock/bystore.
func (c *Company) StockByStore(q StockQuery) []ByStoreRow { return nil }

// Current is report/stock/all/current or bystore/current.
func (c *Company) Current(q CurrentQuery) []CurrentRow { return nil }

// Turnover is report/turnover/all.
func (c *Company) Turnover(q TurnoverQuery) []TurnoverRow { return nil }

// TurnoverByStore is report/turnover/bystore.
func (c *Company) TurnoverByStore(q TurnoverQuery) []TurnoverStoreRow { return nil }

// TurnoverByOperations is report/turnover/byoperations.
func (c *Company) TurnoverByOperations(q TurnoverQuery) []OperationRow { return nil }

// Profit is report/profit/by….
func (c *Company) Profit(q ProfitQuery) []ProfitRow { return nil }

// MoneyByAccount is report/money/byaccount.
func (c *Company) MoneyByAccount() []AccountBalance { return nil }

// MoneyFlow is report/money/plotseries.
func (c *Company) MoneyFlow(q SeriesQuery) MoneySeries { return MoneySeries{} }

// SalesSeries is report/sales/plotseries.
func (c *Company) SalesSeries(q SeriesQuery) []SeriesPoint { return nil }

// OrdersSeries is report/orders/plotseries.
func (c *Company) OrdersSeries(q SeriesQuery) []SeriesPoint { return nil }

// Dashboard is report/dashboard/day, week or month.
func (c *Company) Dashboard(p Period) Dashboard { return Dashboard{} }

// CounterpartyReport is report/counterparty, in the order of the catalogue.
func (c *Company) CounterpartyReport() []CounterpartyRow { return nil }

// StockByOperations is report/byoperations/stock, reserve or intransit (TypeStock, TypeReserve, TypeInTransit).
func (c *Company) StockByOperations(good ID, t StockType) []OperationRow { return nil }

// StockByDocument is report/stock/byoperation and the stock of positions: one for each position of the document.
func (c *Company) StockByDocument(id ID) []PositionStock { return nil }

// PositionCost is what the i-th position of a posted document cost, in the account currency.
func (c *Company) PositionCost(d *Document, i int) Money { return 0 }
