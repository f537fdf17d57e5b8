package ask

import (
	"context"
	"net/http"
	"slices"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/console/page"
	"github.com/stockhand/stockhand/internal/tool"
)

// suggestedNames is how many names of a kind suggestions may use, and suggestPatience how long they wait for them.
const (
	suggestedNames  = 3
	suggestPatience = 8 * time.Second
)

// Suggest serves questions that fit an account: what its employee may see, with names of its own (rule R451).
func (h Handlers) Suggest(w http.ResponseWriter, r *http.Request) error {
	ctx, org := r.Context(), stockhand.ActorOf(r.Context()).Org
	all, err := h.accounts(ctx)
	if err != nil {
		return err
	}
	at := slices.IndexFunc(all, func(c stockhand.Connection) bool {
		return string(c.ID) == r.URL.Query().Get("connection")
	})
	if at < 0 {
		return stockhand.Errorf(stockhand.CodeNotFound, "no such connection")
	}
	some, cancel := context.WithTimeout(ctx, suggestPatience)
	defer cancel()
	names, err := h.Agent.SomeNames(some, org, all[at].ID, suggestedNames, connector.NameStore, connector.NameSupplier,
		connector.NameGroup, connector.NameSalesChannel)
	if err != nil {
		names = nil // the questions are asked without
	}
	return page.Write(w, r, http.StatusOK, suggested(org, all[at].ID, h.questions(all[at], names)))
}

// questions returns what people may ask an account.
func (h Handlers) questions(c stockhand.Connection, names map[connector.NameKind][]string) []tool.Text {
	for _, k := range h.Kinds {
		if k.Name != c.Connector || k.Suggest == nil {
			continue
		}
		known := connector.Known{Names: names}
		if k.Rights != nil {
			_, missing := k.Rights(c.Rights)
			for _, right := range missing {
				known.Missing = append(known.Missing, right.Name)
			}
		}
		return k.Suggest(known)
	}
	return nil
}
