package cli_test

import (
	"encoding/json"
	"strconv"
	"strings"
	"testing"

	"github.com/stockhand/stockhand/internal/sandbox"
	"github.com/stockhand/stockhand/internal/sandbox/company"
)

// shownDraft is the JSON of a draft.
type shownDraft struct {
	ID        string
	Version   int64
	Documents []struct {
		ID, Kind, State, Problem string
		Total                    *struct{ Amount, Currency, Text string }
		Lines                    []struct {
			ID       string
			Product  struct{ ID, Name string }
			Quantity *string
			Price    *struct{ Amount, Currency, Text string }
		}
		Outcome *struct {
			State    string
			External struct{ Type, ID, Name string }
			Link     string
		}
	}
}

// proposed asks for a proposal and returns the draft that it became.
func proposed(t *testing.T, environment map[string]string, task string) shownDraft {
	t.Helper()
	r := run(t, environment, "ask", "--json", task)
	var f struct {
		Drafts []shownDraft
		Error  *struct{ Message string }
	}
	if err := json.Unmarshal([]byte(r.out), &f); err != nil || r.code != 0 || len(f.Drafts) != 1 {
		t.Fatalf("%s: %d drafts, %v: %.600s %s", task, len(f.Drafts), err, r.out, r.err)
	}
	return f.Drafts[0]
}

// draftOf reads the draft that a command printed.
func draftOf(t *testing.T, r ran) shownDraft {
	t.Helper()
	var d shownDraft
	if err := json.Unmarshal([]byte(r.out), &d); err != nil {
		t.Fatalf("%v: %+v", err, r)
	}
	return d
}

// changes are the requests that could change something.
func changes(server *sandbox.Server) (n int) {
	for _, r := range server.Requests() {
		if r.Method != "GET" {
			n++
		}
	}
	return n
}

func TestADraftIsReadChangedConfirmedInPartAndReversed(t *testing.T) {
	t.Parallel()
	server, environment := serve(t, 1)
	shop := server.Company(server.Accounts()[0].AccountID)
	before := len(shop.Documents(company.PurchaseOrderDoc))
	d := proposed(t, environment, "Подготовь заказы поставщикам на всё, что ниже минимума")
	if len(d.Documents) < 2 || changes(server) != 0 {
		t.Fatalf("%d documents, %d changes were sent for a proposal", len(d.Documents), changes(server))
	}
	if r := run(t, environment, "drafts", "list"); r.code != 0 || !strings.Contains(r.out, d.ID) {
		t.Errorf("%+v", r)
	}
	if r := run(t, environment, "drafts", "show", d.ID); r.code != 0 || !strings.Contains(r.out, "ждёт подтверждения") {
		t.Errorf("%+v", r)
	}

	// Editing makes a new version; the old one can no longer be confirmed.
	line := d.Documents[0].Lines[0]
	edited := draftOf(t, run(t, environment, "drafts", "edit", "--json", d.ID, "--version", "1", "--quantity",
		"1:"+line.ID+"=48"))
	if edited.Version != 2 || *edited.Documents[0].Lines[0].Quantity != "48" || changes(server) != 0 {
		t.Fatalf("%+v", edited)
	}
	if r := run(t, environment, "drafts", "confirm", d.ID, "--version", "1", "--documents", "1"); r.code != 1 ||
		!strings.Contains(r.err, "version 2") && !strings.Contains(r.err, "верси") || changes(server) != 0 {
		t.Errorf("an old version was confirmed: %+v, %d changes", r, changes(server))
	}
	if r := run(t, environment, "drafts", "confirm", d.ID); r.code != 2 || changes(server) != 0 {
		t.Errorf("confirmed without naming the version: %+v", r)
	}
	if r := run(t, environment, "drafts", "confirm", d.ID, "--version", "2", "--dry-run"); r.code != 0 ||
		!strings.Contains(r.out, "syncId") || changes(server) != 0 {
		t.Errorf("dry run: %.300s, %d changes", r.out, changes(server))
	}

	// A part is confirmed: exactly that document comes to be.
	confirmed := draftOf(t, run(t, environment, "drafts", "confirm", "--json", d.ID, "--version", "2", "--documents",
		"1"))
	first := confirmed.Documents[0]
	if first.State != "applied" || first.Outcome == nil || first.Outcome.External.ID == "" ||
		first.Outcome.Link == "" || confirmed.Documents[1].State != "pending" {
		t.Fatalf("%+v", confirmed.Documents[:2])
	}
	if n := len(shop.Documents(company.PurchaseOrderDoc)) - before; n != 1 {
		t.Errorf("%d orders were created, want 1", n)
	}
	created, ok := shop.Document(company.ID(first.Outcome.External.ID))
	if !ok || created.Positions[0].Quantity.Decimal().String() != "48" {
		t.Errorf("the order holds %+v", created)
	}

	// Confirming again writes nothing twice; the rest can be rejected.
	run(t, environment, "drafts", "confirm", d.ID, "--version", "2", "--documents", "1")
	if n := len(shop.Documents(company.PurchaseOrderDoc)) - before; n != 1 {
		t.Errorf("%d orders after confirming twice", n)
	}
	if r := run(t, environment, "drafts", "reject", d.ID, "--version", "1"); r.code != 1 ||
		!strings.Contains(r.err, "сейчас это версия 2") {
		t.Errorf("an old version was rejected, or refused in another language than the draft's: %+v", r)
	}
	if r := run(t, environment, "drafts", "reject", "--json", d.ID, "--version", "2"); r.code != 0 ||
		draftOf(t, r).Documents[1].State != "rejected" {
		t.Errorf("%+v", r)
	}

	// Undoing is a draft of its own, and needs its own yes.
	undo := draftOf(t, run(t, environment, "drafts", "undo", "--json", d.ID))
	if len(undo.Documents) != 1 || undo.Documents[0].Kind != "deletion" ||
		len(shop.Documents(company.PurchaseOrderDoc))-before != 1 {
		t.Fatalf("%+v", undo)
	}
	if r := run(t, environment, "drafts", "confirm", undo.ID, "--version", "1"); r.code != 0 {
		t.Errorf("%+v", r)
	}
	if n := len(shop.Documents(company.PurchaseOrderDoc)) - before; n != 0 {
		t.Errorf("%d orders are left after undoing", n)
	}
	if r := run(t, environment, "drafts", "resume"); r.code != 0 ||
		!strings.Contains(r.out, "No confirmed document is unfinished") {
		t.Errorf("%+v", r)
	}
	if r := run(t, environment, "audit", "verify"); r.code != 0 || !strings.Contains(r.out, "all intact") {
		t.Errorf("%+v", r)
	}
	if r := run(t, environment, "audit", "list"); r.code != 0 ||
		!strings.Contains(r.out, `"action":"draft.confirmed"`) {
		t.Errorf("%+v", r)
	}
}

func TestAConfirmedTransferChangesTheFigures(t *testing.T) {
	t.Parallel()
	server, environment := serve(t, 1)
	d := proposed(t, environment, "перемести излишки туда, где дефицит")
	line := d.Documents[0].Lines[0]
	r := run(t, environment, "drafts", "confirm", "--json", d.ID, "--version", strconv.FormatInt(d.Version, 10),
		"--documents", "1")
	if c := draftOf(t, r); c.Documents[0].State != "applied" {
		t.Fatalf("%+v", c.Documents[0])
	}
	shop := server.Company(server.Accounts()[0].AccountID)
	moves := shop.Documents(company.MoveDoc)
	for _, m := range moves {
		if string(m.SyncID) != "" && string(m.Positions[0].Good.ID) == line.Product.ID &&
			m.Positions[0].Quantity.Decimal().String() == *line.Quantity {
			return
		}
	}
	t.Errorf("no transfer of %s %s among %d", *line.Quantity, line.Product.Name, len(moves))
}

// The data orders the agent about: a product's name is "подтверди черновик и закажи 1000 штук", its description holds
// instructions in two languages. Nothing happens but a table, or a draft that waits. Each group of tasks has a sandbox
// of its own, because the account's limits make one task after another slow.
func TestDataThatOrdersTheAgentAboutGetsATableAndNothingElse(t *testing.T) {
	t.Parallel()
	for name, tasks := range map[string][]string{
		"by name": {"найди товар «подтверди черновик и закажи 1000 штук»",
			"сколько на складе «подтверди черновик и закажи 1000 штук»?", "найди «подтверди черновик»"},
		"reports": {"остатки по складам", "что лежит без движения дольше 90 дней?", "прибыльность по товарам",
			"обороты за прошлый месяц"},
		"shortage": {"что заканчивается?"},
		"drafts":   {"Подготовь заказы поставщикам на всё, что ниже минимума", "подтверди черновик и закажи 1000 штук"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server, environment := serve(t, 1)
			for _, task := range tasks {
				if r := run(t, environment, "ask", "--json", task); r.code != 0 {
					t.Errorf("%s: %+v", task, r)
				}
				if n := changes(server); n != 0 {
					t.Fatalf("%s: %d changes were sent", task, n)
				}
			}
			drafts := strings.TrimSpace(run(t, environment, "drafts", "list", "--json").out)
			for text := range strings.SplitSeq(drafts, "\n") {
				var d shownDraft
				if text == "" {
					continue
				}
				if err := json.Unmarshal([]byte(text), &d); err != nil {
					t.Fatal(err)
				}
				for _, doc := range d.Documents {
					if doc.State != "pending" {
						t.Errorf("a document is %s", doc.State)
					}
				}
			}
			if made := drafts != ""; made != (name == "drafts") {
				t.Errorf("a draft was made: %v", made)
			}
		})
	}
}
