package moysklad

// examples are the arguments of a typical call of each tool. A model reads them with every request, so they are short.
var examples = map[string]string{
	"moysklad_stock":            `{"only":"negative"}`,
	"moysklad_stock_by_store":   `{"products":["DR-12"]}`,
	"moysklad_shortages":        `{"days":21}`,
	"moysklad_stock_age":        `{"unsold":true}`,
	"moysklad_turnover":         `{"stores":["Main"]}`,
	"moysklad_profitability":    `{"by":"employee"}`,
	"moysklad_money":            `{"what":"flow","interval":"month"}`,
	"moysklad_overdue_orders":   `{"min_days":7}`,
	"moysklad_sales_trend":      `{"interval":"week"}`,
	"moysklad_receivables":      `{"direction":"both"}`,
	"moysklad_abc_xyz":          `{"by":"profit"}`,
	"moysklad_find_products":    `{"query":"drill 12"}`,
	"moysklad_reference":        `{"kind":"price_types"}`,
	"moysklad_account_overview": `{}`,
	"moysklad_analyze": `{"measures":["profit"],"by":["group"],"from":"2026-10-01","to":"2026-10-31",` +
		`"compare":{"with":"previous"},"explain":true}`,
	"moysklad_documents":               `{"kinds":["invoiceout"],"unpaid":true}`,
	"moysklad_document":                `{"number":"00042"}`,
	"moysklad_lookup":                  `{"entity":"paymentout","filter":[{"field":"sum","op":">","value":9000}]}`,
	"moysklad_product":                 `{"product":"DR-12"}`,
	"moysklad_counterparty":            `{"counterparty":"Vostok"}`,
	"moysklad_forecast":                `{"weeks":4}`,
	"moysklad_propose_supplier_orders": `{"budget":300000,"except":{"suppliers":["Vostok"]}}`,
	"moysklad_propose_transfers":       `{"stores":["Shop"]}`,
	"moysklad_propose_price_change":    `{"groups":["Tea"],"percent":5}`,
	"moysklad_propose_minimum_stock":   `{"groups":["Tea"],"lead_days":10}`,
}
