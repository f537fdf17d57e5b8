package main

import (
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/connector/moysklad"
	"github.com/stockhand/stockhand/internal/sandbox"
	"github.com/stockhand/stockhand/internal/sandbox/company"
)

// A named query that the product does not know would measure nothing.
func TestEveryNamedQueryIsAnswered(t *testing.T) {
	s := sandbox.New(sandbox.Options{NoLimits: true, Accounts: 1,
		Company: company.Options{Products: 50, Days: 40, Seed: 7}})
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	info := s.Accounts()[0]
	config := connector.Config{BaseURL: server.URL + sandbox.APIPath, Token: info.Tokens.Owner}
	who, err := moysklad.Kind.Verify(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	account := moysklad.Kind.Open(config, who)
	customer := s.Company(info.AccountID).Documents(company.CustomerOrderDoc)[0].Agent.Name
	for _, q := range namedQueries {
		name, arguments := q.call(customer, time.Now())
		if _, err := answer(t.Context(), account, name, arguments); err != nil {
			t.Errorf("%s: %v", q.name, err)
		}
	}
}
