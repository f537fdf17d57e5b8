package facts

// ReadInPagesOf makes goods be read in pages of a few. It returns a function that ends it.
func ReadInPagesOf(n int) (end func()) {
	page, few := goodsPerPage, fewGoods
	goodsPerPage, fewGoods = n, n/2
	return func() { goodsPerPage, fewGoods = page, few }
}
