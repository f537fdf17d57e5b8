package api_test

import (
	"encoding/json"
	"testing"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/app"
	"github.com/stockhand/stockhand/internal/app/apptest"
	"github.com/stockhand/stockhand/internal/llm"
	"github.com/stockhand/stockhand/internal/llm/llmtest"
)

type spent struct {
	Cached int         `json:"cached_tokens"`
	Cost   *llm.Charge `json:"cost"`
}

// What models cost is shown in the event and the message of a run, and in the usage; it is unknown without prices.
func TestCostsOfModelsAreShown(t *testing.T) { // rule R374
	t.Parallel()
	for _, priced := range []bool{true, false} {
		model := llmtest.New(t, llmtest.Always(llmtest.Answer{Text: "Готово.",
			Usage: &llm.Usage{Input: 2000, Output: 300, Cached: 1500}}))
		config := model.Config()
		config.Reader, config.Currency = llm.ReaderOff, "RUB"
		if priced {
			if err := json.Unmarshal(
				[]byte(`{"name":"scripted","input_price":"4","output_price":"16","cached_price":"1"}`),
				&config.Providers[0].Models[0]); err != nil {
				t.Fatal(err)
			}
		}
		s := apptest.Start(t, apptest.Options{Accounts: 1, Configure: func(c *app.Config) { c.LLM = config }})
		key := s.Key()
		message := read[struct {
			Cached int         `json:"total_cached_tokens"`
			Cost   *llm.Charge `json:"cost"`
		}](t, "ask", s.Do("POST", "/sessions/stream?wait=60", key, about(s, "расскажи, как дела в магазине")), 200)
		usage := read[struct {
			Total   spent
			ByActor []spent `json:"by_actor"`
			Data    []spent
		}](t, "usage", s.Do("GET", "/organizations/"+string(s.OrgID)+"/usage", s.Key(stockhand.ScopeReadData), nil),
			200)
		want := "0.008300" // 500 × 4 + 1500 × 1 + 300 × 16 millionths
		all := append(usage.Data, usage.ByActor...)
		for _, each := range append(all, usage.Total, spent{message.Cached, message.Cost}) {
			if each.Cached != 1500 || (each.Cost != nil) != priced ||
				priced && *each.Cost != (llm.Charge{Amount: want, Currency: "RUB"}) {
				t.Errorf("prices %t: %+v, %+v", priced, each, each.Cost)
			}
		}
	}
}
