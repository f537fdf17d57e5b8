package company

type ledger struct{}

type reportCache struct{}
