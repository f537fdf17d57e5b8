package api

import (
	"bytes"
	"net/http"

	"github.com/stockhand/stockhand"
)

// getCassette returns a conversation up to one of its turns as a cassette. It holds what was read of the account, raw,
// so it takes the scope admin.
func (s *Server) getCassette(w http.ResponseWriter, r *http.Request) error {
	ctx := r.Context()
	at := TurnPath{SessionPath{stockhand.SessionID(r.PathValue("session_id"))},
		stockhand.MessageID(r.PathValue("message_id"))}
	run, err := s.seenRun(ctx, at)
	if err != nil {
		return err
	}
	if !run.State.Finished() {
		return stockhand.Errorf(stockhand.CodeConflict, "this turn is not finished").
			WithHint("follow its events until it ends")
	}
	var body bytes.Buffer // an error in the middle must not look like a cassette
	if err := s.Traffic.Export(ctx, &body, run); err != nil {
		return err
	}
	h := w.Header()
	h.Set("Content-Type", "application/x-ndjson")
	h.Set("Content-Disposition", `attachment; filename="`+string(run.Message)+`.cassette"`)
	h.Set("Cache-Control", "private, no-store")
	_, err = w.Write(body.Bytes())
	return err
}
