package documents

import (
	"context"
	"slices"

	"github.com/stockhand/stockhand/internal/connector/moysklad/account"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
)

// resolveGoods finds the goods that the documents are to have: those that are named, and all of the groups, with
// archived ones, because documents of the past have them.
func (c *call) resolveGoods(ctx context.Context, q *conditions) error {
	f, err := c.Narrow(ctx, nil, account.GoodsArgs{Products: q.Products, Groups: q.Groups})
	if err != nil {
		return err
	}
	q.goods = f.Goods
	for _, folder := range f.Folders {
		q.folders = append(q.folders, folder.Name)
	}
	if len(q.Products) == 0 {
		err = account.Each(c.Call, c.Reader.Assortment(ctx, msapi.AssortmentQuery{Folders: f.FolderIDs(),
			Archived: msapi.ArchivedAlso}), func(x msapi.AssortmentItem) {
			q.goods = append(q.goods, msapi.Ref{Type: x.Type, ID: x.ID, Name: x.Name})
		})
	}
	q.oneGood = len(q.Products) == 1 && len(slices.DeleteFunc(slices.Clone(f.Goods),
		func(g msapi.Ref) bool { return g.Type == "variant" })) <= 1
	q.wanted = make(map[msapi.ID]bool, len(q.goods))
	for _, g := range q.goods {
		q.wanted[g.ID] = true
	}
	return err
}
