package openai

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"time"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/agent/redact"
	"github.com/stockhand/stockhand/internal/openai/responses"
)

// keptFor is how long a response is kept; shorter if the organization keeps its sessions shorter.
const keptFor = 30 * 24 * time.Hour

// kept is what is stored of a response.
type kept struct {
	Response *responses.Response `json:"response"` // of an agent: without its answer, which its session has
	Messages []responses.Message `json:"messages"` // what was asked, and a provider's answer
	Run      stockhand.RunID     `json:"run_id,omitempty"`

	session stockhand.SessionID
}

// CreateResponse serves POST /v1/responses.
func (s *Service) CreateResponse(w http.ResponseWriter, r *http.Request) error {
	body, err := io.ReadAll(r.Body) // the API limits its size
	if err != nil {
		return err
	}
	q, err := responses.Parse(body)
	if err != nil {
		return err
	}
	q.Progress = q.Progress || r.Header.Get("X-Hermes-Tool-Progress") == "1"
	p, model, ok := s.Providers.Passes(q.Model)
	if ok {
		if err := stockhand.ActorOf(r.Context()).Binding.Model(); err != nil {
			return err
		}
	}
	var profile stockhand.AgentID
	if !ok {
		if profile, err = s.profile(r.Context(), q.Model); err != nil {
			return err
		}
	}
	if q.Input, err = responses.Resolved(r.Context(), q.Input, s.item); err != nil {
		return err
	}
	if ok {
		return s.respondThrough(w, r, q, p, model)
	}
	return s.respond(w, r, q, profile)
}

// Response serves GET /v1/responses/{response_id}.
func (s *Service) Response(w http.ResponseWriter, r *http.Request) error {
	k, err := s.kept(r.Context(), stockhand.ResponseID(r.PathValue("response_id")))
	if err == nil {
		err = s.complete(r.Context(), &k)
	}
	if err != nil {
		return err
	}
	return writeJSON(w, k.Response)
}

// DeleteResponse serves DELETE /v1/responses/{response_id}. The session of an agent's answer stays.
func (s *Service) DeleteResponse(w http.ResponseWriter, r *http.Request) error {
	k, err := s.kept(r.Context(), stockhand.ResponseID(r.PathValue("response_id")))
	if err != nil {
		return err
	}
	if err := s.Responses.DeleteResponse(r.Context(), stockhand.ActorOf(r.Context()).Org, k.Response.ID); err != nil {
		return err
	}
	return writeJSON(w, map[string]any{"id": k.Response.ID, "object": "response", "deleted": true})
}

// kept returns a stored response that the caller may see.
func (s *Service) kept(ctx context.Context, id stockhand.ResponseID) (k kept, err error) {
	actor := stockhand.ActorOf(ctx)
	if !stockhand.ValidID(string(id), "resp") {
		return k, noResponse(id)
	}
	stored, err := s.Responses.Response(ctx, actor.Org, id)
	if stockhand.CodeOf(err) == stockhand.CodeNotFound || err == nil && !actor.MaySee(stored.By) {
		return k, noResponse(id)
	}
	if err != nil {
		return k, err
	}
	if err := json.Unmarshal(stored.Body, &k); err != nil {
		return k, err
	}
	k.session = stored.Session
	return k, nil
}

func noResponse(id stockhand.ResponseID) *stockhand.Error {
	return stockhand.Errorf(stockhand.CodeNotFound, "there is no response with the id %q here", clip(string(id))).
		WithHint("Responses are kept for 30 days, unless store is false or they were deleted. Send the conversation " +
			"in input instead.")
}

// about names the field that an error is about.
func about(field string, err error) error {
	if e, ok := err.(*stockhand.Error); ok && e.Code == stockhand.CodeNotFound { //nolint:errorlint // noResponse's own
		e.Fields = []stockhand.FieldError{{Field: field, Message: e.Message}}
	}
	return err
}

// complete adds the answer to a response of an agent.
func (s *Service) complete(ctx context.Context, k *kept) error {
	if k.Run == "" {
		return nil
	}
	org := stockhand.ActorOf(ctx).Org
	run, err := s.Store.Run(ctx, org, k.Run)
	if err != nil {
		return err
	}
	f, err := s.Agent.Finished(ctx, org, k.Run)
	switch {
	case stockhand.CodeOf(err) == stockhand.CodeConflict: // it still runs
		return nil
	case err != nil:
		return err
	case f.Cancelled:
		k.Response.Status = responses.Cancelled
	case f.Failure != nil:
		e := publicError(&stockhand.Error{Code: f.Failure.Code, Message: f.Failure.Message, Hint: f.Failure.Hint})
		k.Response.Status = responses.Failed
		k.Response.Error = &responses.Failure{Code: string(e.Code), Message: e.Message}
	default:
		s.fill(responses.NewStream(nil, k.Response), f, run.Updated)
	}
	return nil
}

// earlier returns the conversation up to a response.
func (s *Service) earlier(ctx context.Context, id stockhand.ResponseID) (all []responses.Message, err error) {
	size := 0
	for next := id; next != ""; {
		k, err := s.kept(ctx, next)
		if err == nil {
			err = s.complete(ctx, &k)
		}
		if err != nil {
			return nil, about("previous_response_id", err)
		}
		turn := k.Messages
		if k.Run != "" { // its answer is in the session
			said, err := k.Response.Said()
			if err != nil {
				return nil, err
			}
			turn = slices.Concat(turn, said)
		}
		for _, m := range turn {
			if size += len(m.Content); size > maxAnswer {
				return nil, responses.Invalid("previous_response_id", "the conversation is too long; begin another")
			}
		}
		all = slices.Concat(turn, all)
		next = ""
		if k.Response.Previous != nil {
			next = stockhand.ResponseID(*k.Response.Previous)
		}
	}
	return all, nil
}

// item returns an item of a stored response.
func (s *Service) item(ctx context.Context, id string) (responses.OutputItem, error) {
	k, err := s.kept(ctx, responses.ResponseOf(id))
	if err == nil {
		err = s.complete(ctx, &k)
	}
	if err == nil {
		if i := slices.IndexFunc(k.Response.Output, func(o responses.OutputItem) bool { return o.ID == id }); i >= 0 {
			return k.Response.Output[i], nil
		}
		err = noResponse("")
	}
	if stockhand.CodeOf(err) == stockhand.CodeNotFound {
		err = about("input", stockhand.Errorf(stockhand.CodeNotFound, "there is no item with the id %q here", clip(id)).
			WithHint("Items are kept with their responses for 30 days, unless store is false. Send the item itself."))
	}
	return responses.OutputItem{}, err
}

// keep stores a response, if the request wants that.
func (s *Service) keep(ctx context.Context, q responses.Request, k kept) error {
	if !q.Store {
		return nil
	}
	actor := stockhand.ActorOf(ctx)
	life := keptFor
	if s.Sessions != nil {
		most, err := s.Sessions(ctx, actor.Org)
		if err != nil {
			return err
		}
		if most > 0 {
			life = min(life, most)
		}
	}
	body, err := json.Marshal(k)
	if err != nil {
		return err
	}
	if k.Run != "" {
		body = []byte(redact.Text(string(body))) // as the session's messages are (rule R111)
	}
	now := time.Now()
	return s.Responses.PutResponse(ctx, actor.Org, stockhand.StoredResponse{ID: k.Response.ID, Session: k.session,
		By: actor.Name, Body: body, Created: now, Expires: now.Add(life)})
}
