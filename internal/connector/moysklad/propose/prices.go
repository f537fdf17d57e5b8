package propose

import (
	"context"

	"github.com/stockhand/stockhand/internal/connector/moysklad/account"
	"github.com/stockhand/stockhand/internal/connector/moysklad/propose/prices"
	"github.com/stockhand/stockhand/internal/tool"
)

func proposePricesTool(a *account.Account) tool.Tool {
	return proposing(a, "moysklad_propose_price_change",
		tool.Text{RU: "Изменение цен", EN: "Price changes"},
		tool.Text{
			RU: "Черновик изменения цен: на процент, наценкой на закупочную цену, под целевую маржу или списком; " +
				"любой тип цены, с округлением. Показывает старую и новую цену, маржу до и после, цены ниже " +
				"себестоимости и минимальной. Ничего не отправляет: решает человек.",
			EN: "A draft of new prices, with margins before and after, and which are below cost. " +
				"One goal: amount, percent, markup, margin, price or items.",
		}, func(c *call, ctx context.Context, in prices.Input) ([]tool.Document, error) {
			return prices.Propose(ctx, c.Call, in)
		}).Requires(account.NeedGoods, account.NeedMarkup)
}
