package developers

import (
	"context"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/console/page"
	"github.com/stockhand/stockhand/internal/console/text"
	"github.com/stockhand/stockhand/internal/console/ui"
	"github.com/stockhand/stockhand/internal/tool"
)

// Requests is the part of internal/api/requestlog that shows requests.
type Requests interface {
	Latest(ctx context.Context, org stockhand.OrgID, f stockhand.RequestFilter, before stockhand.APIRequestID,
		limit int) ([]stockhand.APIRequest, error)
	Keeps() stockhand.KeptRequests
}

// perPage is how many requests a page shows.
const perPage = 50

// requestsView is the page of the log.
type requestsView struct {
	Org    stockhand.OrgID
	Keep   stockhand.KeptRequests
	All    []stockhand.APIRequest
	More   stockhand.APIRequestID // the last one shown, if there are more
	Failed bool
	Key    stockhand.KeyID
	Keys   []stockhand.Key // to choose one
	names  page.Names
}

// ListRequests serves the log (rule R386).
func (h Handlers) ListRequests(w http.ResponseWriter, r *http.Request) (err error) {
	ctx, a, q := r.Context(), stockhand.ActorOf(r.Context()), r.URL.Query()
	v := requestsView{Org: a.Org, Keep: h.Requests.Keeps(), Failed: q.Get("failed") == "1",
		Key: stockhand.KeyID(q.Get("key"))}
	f := stockhand.RequestFilter{Failed: v.Failed}
	if v.Key != "" {
		f.By = "key:" + string(v.Key)
	}
	v.All, err = h.Requests.Latest(ctx, a.Org, f, stockhand.APIRequestID(q.Get("before")), perPage+1)
	if err != nil {
		return err
	}
	if len(v.All) > perPage {
		v.All = v.All[:perPage]
		v.More = v.All[perPage-1].ID
	}
	if a.May(stockhand.ScopeAdmin) { // others may not see the keys
		if v.Keys, err = h.Keys.Keys(ctx, a, "", mostKeys); err != nil {
			return err
		}
	}
	if v.names, err = h.names(ctx, v.Keys); err != nil {
		return err
	}
	return h.show(w, r, http.StatusOK, requests, requestsPage(v))
}

func (v requestsView) path() string { return path(v.Org, requests) }

// further is the address of the next page.
func (v requestsView) further() string {
	q := url.Values{"before": {string(v.More)}}
	if v.Failed {
		q.Set("failed", "1")
	}
	if v.Key != "" {
		q.Set("key", string(v.Key))
	}
	return v.path() + "?" + q.Encode()
}

func (v requestsView) filtered() bool { return v.Failed || v.Key != "" }

// by is the key or person of a request.
func (v requestsView) by(ctx context.Context, r stockhand.APIRequest) string {
	return v.names.Of(ctx, r.By)
}

func (v requestsView) keys(ctx context.Context) []ui.Option {
	all := []ui.Option{{Title: text.RequestAnyKey.In(ctx)}}
	for _, k := range v.Keys {
		all = append(all, ui.Option{Value: string(k.ID), Title: k.Name + " · " + k.Prefix + "…"})
	}
	return all
}

func (v requestsView) hint(ctx context.Context) string {
	return text.RequestsHint.With(ctx, tool.Count(v.Keep.Most).Format(tool.UnitCount, text.Language(ctx)),
		text.Days.Of(ctx, int(v.Keep.For/(24*time.Hour))), ui.Zone(ctx).String())
}

// kindOf is the meaning of a status.
func kindOf(status int) ui.Kind {
	switch {
	case status >= http.StatusInternalServerError:
		return ui.Bad
	case status >= http.StatusBadRequest:
		return ui.Warn
	}
	return ui.Good
}

// second formats a time to the second.
func second(ctx context.Context, t time.Time) string {
	return ui.Day(ctx, t) + t.In(ui.Zone(ctx)).Format(" 15:04:05")
}

// milliseconds formats a duration: 0.4 ms, 12 ms, 1 204 ms.
func milliseconds(ctx context.Context, d time.Duration) string {
	n := tool.Count(int(d.Round(time.Millisecond)/time.Millisecond)).Format(tool.UnitCount, text.Language(ctx))
	switch {
	case d < 100*time.Microsecond:
		n = "< " + text.Language(ctx).Pick("0,1", "0.1")
	case d < 10*time.Millisecond:
		n = strconv.FormatFloat(d.Seconds()*1000, 'f', 1, 64)
		n = strings.Replace(n, ".", text.Language(ctx).Pick(",", "."), 1)
	}
	return text.Milliseconds.With(ctx, n)
}
