package facts

// ReadInSmallPages makes goods be read in pages of a few. It returns a function that ends it.
func ReadInSmallPages() (end func()) {
	page, few := goodsPerPage, fewGoods
	goodsPerPage, fewGoods = 12, 6
	return func() { goodsPerPage, fewGoods = page, few }
}
