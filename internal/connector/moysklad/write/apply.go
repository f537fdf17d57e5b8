package write

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/tool"
)

// Apply sends the documents and returns an outcome for each, in order. It never repeats a write whose outcome is
// unknown. A failed document does not stop the others, except that after a rejected token, or a missing right for the
// same kind, the rest fail without being sent.
//
// An outcome is applied, failed or unknown. Unknown also covers a document that could not be sent yet: look it up with
// [Writer.Find] like any other, and send it again if it certainly does not exist. When ctx ends, Apply sends nothing
// more and waits briefly for the write in progress.
func (w *Writer) Apply(ctx context.Context, docs []tool.Document) []tool.Outcome {
	outcomes := make([]tool.Outcome, len(docs))
	r := &run{w: w, ctx: ctx, refused: map[string]verdict{}}
	created := map[string][]item{}
	for i, doc := range docs {
		bodies, err := w.Bodies(doc)
		if err != nil {
			outcomes[i] = tool.Outcome{State: stockhand.DocumentFailed, Problem: w.scrub(err.Error())}
			continue
		}
		if doc.Kind == tool.SupplierOrder || doc.Kind == tool.Transfer {
			settle := func(v verdict) { outcomes[i] = v.outcome() }
			created[bodies[0].Path] = append(created[bodies[0].Path], item{bodies[0].Body, SyncID(doc.ID), settle})
		}
	}
	for _, path := range []string{"entity/purchaseorder", "entity/move"} {
		for chunk := range chunks(created[path]) {
			r.post(path, chunk, false)
		}
	}
	for i, doc := range docs {
		switch {
		case outcomes[i].State != "":
		case doc.Kind == tool.PriceChange, doc.Kind == tool.MinimumStock:
			outcomes[i] = r.change(doc)
		case doc.Kind == tool.Deletion:
			outcomes[i] = r.remove(doc)
		}
	}
	return outcomes
}

// run is one call of Apply.
type run struct {
	w       *Writer
	ctx     context.Context
	refused map[string]verdict // by path: the verdict for everything else sent there; "" applies to all paths
}

// item is an element to send, with a callback for its verdict.
type item struct {
	body   json.RawMessage
	syncID msapi.ID // of a document; empty for a price change
	settle func(verdict)
}

// verdict is the result of one element.
type verdict struct {
	state   stockhand.DocumentState
	problem string
	ref     *tool.Ref
	link    string
}

func (v verdict) outcome() tool.Outcome {
	return tool.Outcome{State: v.state, External: v.ref, Link: v.link, Problem: v.problem}
}

// chunks splits items into arrays that the vendor accepts.
func chunks(items []item) func(yield func([]item) bool) {
	return func(yield func([]item) bool) {
		for len(items) > 0 {
			n, size := 0, 0
			for n < len(items) && n < batchSize && (n == 0 || size+len(items[n].body) <= batchBytes) {
				size += len(items[n].body)
				n++
			}
			if !yield(items[:n]) {
				return
			}
			items = items[n:]
		}
	}
}

// post sends items to one path in one request, and settles each. A single item is sent without an array unless always
// is set.
func (r *run) post(path string, items []item, always bool) {
	all := func(v verdict) {
		for _, it := range items {
			it.settle(v)
		}
	}
	if v, ok := r.stopped(path); ok {
		all(v)
		return
	}
	body := items[0].body
	if len(items) > 1 || always {
		elements := make([]json.RawMessage, len(items))
		for i, it := range items {
			elements[i] = it.body
		}
		body = array(elements)
	}
	answer := r.w.send(r.ctx, http.MethodPost, path, body)
	entity := strings.TrimPrefix(path, "entity/")
	if answer.fate != answered {
		v := verdict{state: stockhand.DocumentUnknown, problem: r.w.unknownWords(answer)}
		if answer.fate == unsent && answer.status == 0 {
			r.refused[""] = v // there is no connection, or the caller gave up: do not try the rest
		}
		all(v)
		return
	}
	parsed, ok := answer.read(len(items))
	switch {
	case !ok:
		all(verdict{state: stockhand.DocumentUnknown,
			problem: r.w.unknownWords(reply{fate: lost, status: answer.status})})
	case parsed.whole == nil:
		for i, it := range items {
			it.settle(r.w.verdict(&parsed.each[i], entity, it.syncID))
		}
	case parsed.whole.vague():
		all(verdict{state: stockhand.DocumentUnknown,
			problem: r.w.scrub(parsed.whole.words(r.w.config.Language, entity))})
	case parsed.whole.fatal(), parsed.whole.right():
		v := verdict{state: stockhand.DocumentFailed,
			problem: r.w.scrub(parsed.whole.words(r.w.config.Language, entity))}
		if parsed.whole.fatal() {
			r.refused[""] = v
		} else {
			r.refused[path] = v
		}
		all(v)
	case len(items) > 1 && parsed.whole.ofContent():
		// One element that the server considers malformed made it reject all. Nothing was saved, so send the halves
		// separately.
		r.post(path, items[:len(items)/2], always)
		r.post(path, items[len(items)/2:], always)
	default:
		v := verdict{state: stockhand.DocumentFailed,
			problem: r.w.scrub(parsed.whole.words(r.w.config.Language, entity))}
		if !parsed.whole.ofContent() {
			r.refused[path] = v // everything sent there would be rejected
		}
		all(v)
	}
}

// stopped returns the verdict for everything sent to the path, if it is known in advance.
func (r *run) stopped(path string) (verdict, bool) {
	if v, ok := r.refused[""]; ok {
		return v, true
	}
	v, ok := r.refused[path]
	return v, ok
}

// verdict interprets one element of a response.
func (w *Writer) verdict(e *element, entity string, syncID msapi.ID) verdict {
	l := w.config.Language
	if len(e.Errors) > 0 {
		v := verdict{state: stockhand.DocumentFailed, problem: w.scrub(e.Errors[0].words(l, entity))}
		if e.Errors[0].vague() {
			v.state = stockhand.DocumentUnknown
		}
		return v
	}
	id := e.id()
	if id == "" || e.SyncID != "" && syncID != "" && !strings.EqualFold(string(e.SyncID), string(syncID)) {
		return verdict{
			state: stockhand.DocumentUnknown,
			problem: l.Pick("МойСклад ответил не о том документе: проверим, записан ли он",
				"MoySklad's response is about another document: we will check whether this one was written"),
		}
	}
	return verdict{state: stockhand.DocumentApplied, ref: &tool.Ref{Type: entity, ID: string(id), Name: e.Name},
		link: e.Meta.UUIDHref}
}

// change sends a change of goods, one array after another.
func (r *run) change(doc tool.Document) tool.Outcome {
	batches, err := r.w.changes(doc)
	if err != nil {
		return tool.Outcome{State: stockhand.DocumentFailed, Problem: r.w.scrub(err.Error())}
	}
	lines := make([]tool.LineOutcome, len(doc.Lines))
	for _, b := range batches {
		items := make([]item, len(b.lines))
		for i, of := range b.lines {
			items[i] = item{body: b.bodies[i], settle: func(v verdict) {
				for _, at := range of {
					lines[at] = tool.LineOutcome{Line: doc.Lines[at].ID, State: v.state, Problem: v.problem}
				}
			}}
		}
		r.post(b.path, items, true)
	}
	return r.w.together(doc.Kind, lines)
}

// together combines the outcomes of a document's lines: unknown if one is unknown, applied if all are, and otherwise
// failed, with the lines showing what was written.
func (w *Writer) together(kind tool.DocumentKind, lines []tool.LineOutcome) tool.Outcome {
	out := tool.Outcome{State: stockhand.DocumentApplied, Lines: lines}
	done := 0
	for _, l := range lines {
		switch {
		case l.State == stockhand.DocumentApplied:
			done++
			continue
		case l.State == stockhand.DocumentUnknown && out.State != stockhand.DocumentUnknown:
			// an unknown line's problem takes precedence over a failed line's
			out.State, out.Problem = stockhand.DocumentUnknown, l.Problem
		case out.State == stockhand.DocumentApplied:
			out.State, out.Problem = stockhand.DocumentFailed, l.Problem
		}
	}
	if out.State != stockhand.DocumentApplied && len(lines) > 1 {
		said := tool.Text{RU: "изменено цен: %d из %d; %s", EN: "%d of %d prices are changed; %s"}
		if kind == tool.MinimumStock {
			said = tool.Text{RU: "изменено минимумов: %d из %d; %s", EN: "%d of %d minimums are changed; %s"}
		}
		out.Problem = fmt.Sprintf(said.In(w.config.Language), done, len(lines), out.Problem)
	}
	return out
}

// remove sends a deletion. A document that no longer exists counts as deleted.
func (r *run) remove(doc tool.Document) tool.Outcome {
	path, err := deletion(doc)
	if err != nil {
		return tool.Outcome{State: stockhand.DocumentFailed, Problem: r.w.scrub(err.Error())}
	}
	kind := "DELETE " + doc.Deletes.Type
	if v, ok := r.stopped(kind); ok {
		return v.outcome()
	}
	answer := r.w.send(r.ctx, http.MethodDelete, path, nil)
	if answer.fate != answered {
		v := verdict{state: stockhand.DocumentUnknown, problem: r.w.unknownWords(answer)}
		if answer.fate == unsent && answer.status == 0 {
			r.refused[""] = v
		}
		return v.outcome()
	}
	gone := tool.Outcome{State: stockhand.DocumentApplied,
		External: &tool.Ref{Type: doc.Deletes.Type, ID: doc.Deletes.ID, Name: doc.Deletes.Name}}
	if answer.status == http.StatusOK || answer.status == http.StatusNoContent {
		return gone
	}
	parsed, ok := answer.read(1)
	var refused *refusal
	switch {
	case ok && parsed.whole != nil:
		refused = parsed.whole
	case ok && len(parsed.each) == 1 && len(parsed.each[0].Errors) > 0:
		refused = &parsed.each[0].Errors[0]
	default:
		return tool.Outcome{State: stockhand.DocumentUnknown,
			Problem: r.w.unknownWords(reply{fate: lost, status: answer.status})}
	}
	v := verdict{state: stockhand.DocumentFailed,
		problem: r.w.scrub(refused.words(r.w.config.Language, doc.Deletes.Type))}
	switch {
	case refused.gone():
		return gone
	case refused.vague():
		v.state = stockhand.DocumentUnknown
	case refused.fatal():
		r.refused[""] = v
	case refused.right():
		r.refused[kind] = v
	}
	return v.outcome()
}
