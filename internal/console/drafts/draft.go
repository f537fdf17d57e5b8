package drafts

import (
	"net/http"
	"net/url"
	"strconv"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/console/page"
	"github.com/stockhand/stockhand/internal/console/text"
	"github.com/stockhand/stockhand/internal/draft"
)

// draftID returns the draft of the request's path.
func draftID(r *http.Request) stockhand.DraftID { return stockhand.DraftID(r.PathValue("draft_id")) }

func draftPath(org stockhand.OrgID, id stockhand.DraftID, parts ...string) string {
	return page.Path(org, append([]string{page.Drafts, string(id)}, parts...)...)
}

// Show serves the page of a draft. With since, it shows what has changed from that version.
func (h Handlers) Show(w http.ResponseWriter, r *http.Request) error {
	ctx, a := r.Context(), stockhand.ActorOf(r.Context())
	d, err := h.Drafts.Draft(ctx, a.Org, draftID(r))
	if err != nil {
		return err
	}
	v, err := h.viewOf(ctx, a, d)
	if err != nil {
		return err
	}
	if since, err := strconv.ParseInt(r.URL.Query().Get("since"), 10, 64); err == nil {
		if v.Since, err = h.since(ctx, d, since); err != nil {
			return err
		}
		if v.Since != nil && r.URL.Query().Has("saved") {
			v.Done = text.Saved.With(ctx, d.Version)
		}
	}
	return h.show(w, r, http.StatusOK, v)
}

func (h Handlers) show(w http.ResponseWriter, r *http.Request, status int, v view) error {
	return h.Frames.Show(w, r, page.Page{Title: v.Title, Section: page.Drafts, Status: status,
		Content: draftPage(v)})
}

// again shows the draft as it is now with an error: what the person wanted was not done. entered is what they typed.
func (h Handlers) again(w http.ResponseWriter, r *http.Request, failed error, version int64, entered []entry) error {
	ctx, a := r.Context(), stockhand.ActorOf(r.Context())
	words, ok := page.Said(ctx, failed)
	code := stockhand.CodeOf(failed)
	if !ok || code == stockhand.CodeNotFound {
		return failed
	}
	d, err := h.Drafts.Draft(ctx, a.Org, draftID(r))
	if err != nil {
		return err
	}
	v, err := h.viewOf(ctx, a, d)
	if err != nil {
		return err
	}
	switch code {
	case stockhand.CodeDraftChanged, stockhand.CodeConflict:
		words = stockhand.Words{Message: text.ChangedNow.In(ctx)}
		if v.Since, err = h.since(ctx, d, version); err != nil {
			return err
		}
		v.Since = withEntered(ctx, v.Since, version, entered)
		if v.Since == nil { // the state of a document has changed
			words, _ = page.Said(ctx, failed)
		}
	case stockhand.CodeValidation:
		words = stockhand.Words{Message: text.EditsWrong.In(ctx), Hint: text.EditsWrongHint.In(ctx)}
		v.restore(ctx, entered, failed)
		if len(entered) == 0 {
			words = stockhand.Words{Message: text.NoEdits.In(ctx)}
		}
	default:
	}
	v.Problem = &words
	return h.show(w, r, page.Status(failed), v)
}

// Reject rejects a draft.
func (h Handlers) Reject(w http.ResponseWriter, r *http.Request) error {
	ctx, a := r.Context(), stockhand.ActorOf(r.Context())
	form, err := page.Form(r)
	if err != nil {
		return err
	}
	version := versionOf(form)
	if _, err := h.Drafts.Reject(ctx, a, draftID(r), version); err != nil {
		return h.again(w, r, err, version, nil)
	}
	return page.Go(w, r, draftPath(a.Org, draftID(r)))
}

// Undo makes a draft that reverses what was written, and shows it.
func (h Handlers) Undo(w http.ResponseWriter, r *http.Request) error {
	ctx, a := r.Context(), stockhand.ActorOf(r.Context())
	d, err := h.Drafts.Undo(ctx, a, draftID(r))
	if err != nil {
		return h.again(w, r, err, 0, nil)
	}
	return page.Go(w, r, draftPath(a.Org, d.ID))
}

// versionOf returns the version that the person saw; one that cannot be read is never the current one.
func versionOf(form url.Values) int64 {
	v, err := strconv.ParseInt(form.Get("version"), 10, 64)
	if err != nil {
		return 0
	}
	return v
}

// decisionOf returns what a form confirms.
func decisionOf(r *http.Request, form url.Values) draft.Decision {
	what := draft.Decision{Draft: draftID(r), Version: versionOf(form)}
	for _, id := range form["document"] {
		what.Documents = append(what.Documents, stockhand.DocumentID(id))
	}
	return what
}
