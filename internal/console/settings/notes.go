package settings

import (
	"net/http"
	"net/url"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/console/page"
)

// ShowNotes serves the page of what the agent should know.
func (h Handlers) ShowNotes(w http.ResponseWriter, r *http.Request) error {
	return h.showNotes(w, r, fields{}, nil)
}

func (h Handlers) showNotes(w http.ResponseWriter, r *http.Request, f fields, failed error) (err error) {
	ctx, a := r.Context(), stockhand.ActorOf(r.Context())
	v := formView{Fields: f}
	if v.view, err = viewOf(r, noted, failed); err != nil {
		return err
	}
	if f.values == nil {
		text, err := h.Notes.Text(ctx, a.Org)
		if err != nil {
			return err
		}
		v.Fields = newFields(url.Values{noted: {text}})
	}
	return h.show(w, r, failed, notesPage(v))
}

// SaveNotes replaces the notes.
func (h Handlers) SaveNotes(w http.ResponseWriter, r *http.Request) error {
	form, err := page.Form(r)
	if err != nil {
		return err
	}
	f := newFields(form)
	if err := h.Notes.Set(r.Context(), stockhand.ActorOf(r.Context()), f.value(noted)); err != nil {
		return h.showNotes(w, r, f, err)
	}
	return saved(w, r, noted)
}
