package company

// New generates a company.
func New(o Options) *Company {
	o = o.withDefaults()
	return &Company{options: o, catalogue: &Catalogue{}}
}
