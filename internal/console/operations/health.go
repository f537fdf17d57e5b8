package operations

import (
	"context"
	"net/http"
	"strconv"
	"time"

	"github.com/a-h/templ"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/connection"
	"github.com/stockhand/stockhand/internal/console/page"
	"github.com/stockhand/stockhand/internal/console/text"
	"github.com/stockhand/stockhand/internal/console/ui"
)

// healthView is how the service and the accounts are now.
type healthView struct {
	Org      stockhand.OrgID
	Tabs     []ui.Tab
	At       time.Time
	Replicas []replica
	Working  bool // this replica can answer
	Accounts []accountHealth
}

// replica is a process with what is to be said about it.
type replica struct {
	stockhand.Replica
	Silent bool
}

// accountHealth is how the limits of an account are used by one connection.
type accountHealth struct {
	stockhand.Connection
	State connection.State
}

// silentAfter is how long a replica may give no sign of life.
const silentAfter = 35 * time.Second

// Health serves the page of how the replicas and the accounts are.
func (h Handlers) Health(w http.ResponseWriter, r *http.Request) error {
	v, err := h.healthOf(r.Context())
	if err != nil {
		return err
	}
	v.Tabs = tabs(r.Context(), v.Org, health)
	return h.show(w, r, text.Health, healthPage(v))
}

// HealthState serves the part of the page that changes by itself.
func (h Handlers) HealthState(w http.ResponseWriter, r *http.Request) error {
	v, err := h.healthOf(r.Context())
	if err != nil {
		return err
	}
	return page.Write(w, r, http.StatusOK, healthNow(v))
}

func (h Handlers) healthOf(ctx context.Context) (healthView, error) {
	a := stockhand.ActorOf(ctx)
	v := healthView{Org: a.Org, At: time.Now(), Working: h.Ready(ctx) == nil}
	all, err := h.Replicas(ctx)
	if err != nil {
		return v, err
	}
	for i, r := range all {
		if !a.May(stockhand.ScopeAdmin) {
			r.Name = text.ReplicaName.In(ctx) + " " + strconv.Itoa(i+1)
		}
		v.Replicas = append(v.Replicas, replica{r, v.At.Sub(r.Seen) > silentAfter})
	}
	connected, err := h.Store.Connections(ctx, v.Org)
	if err != nil {
		return v, err
	}
	for _, c := range connected {
		if k, err := h.Connections.Kind(c.Connector); err != nil || k.ToolsOnly {
			continue
		}
		if at, err := h.Connections.State(ctx, c); err == nil && at.Known {
			v.Accounts = append(v.Accounts, accountHealth{c, at})
		}
	}
	return v, nil
}

func (v healthView) state() templ.SafeURL { return templ.SafeURL(page.Path(v.Org, health, "state")) }
