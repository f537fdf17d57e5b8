package toolbox

import (
	"context"
	"fmt"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
)

// The names of the tools over drafts. Neither decides on one: they show what waits, and make its next version.
const (
	DraftsName    = "drafts"
	EditDraftName = "edit_draft"
)

type draftsInput struct {
	Draft stockhand.DraftID `json:"draft,omitempty"`
}

// Drafts returns drafts over the open drafts that list returns.
func Drafts(list func(ctx context.Context) ([]tool.Draft, error), of tool.Provenance) tool.Tool {
	return tool.Read(DraftsName,
		tool.Text{RU: "Открытые черновики", EN: "Open drafts"},
		tool.Text{RU: "Черновики этого аккаунта, которые ждут решения, по документам; или строки одного из них.",
			EN: "Open drafts by document; of one draft, by line. Decided ones are not listed."},
		func(ctx context.Context, env tool.Env, in draftsInput) (*tool.Result, error) {
			open, err := list(ctx)
			if err != nil {
				return nil, err
			}
			l := env.Language
			r := &tool.Result{Title: l.Pick("Открытые черновики", "Open drafts"), Notices: []tool.Notice{},
				Provenance: of}
			r.Provenance.Read = env.Clock().UTC()
			r.Provenance.Method = l.Pick("черновики Stockhand, без запросов к аккаунту",
				"drafts of Stockhand, without requests to the account")
			if in.Draft == "" {
				documents(r, open, l)
				return r, nil
			}
			for _, d := range open {
				if d.ID == in.Draft {
					lines(r, d, l)
					return r, nil
				}
			}
			return nil, stockhand.Errorf(stockhand.CodeNotFound, "there is no open draft %s of this account", in.Draft).
				WithHint("call %s without arguments", DraftsName)
		}).Like(`{}`)
}

func waits(doc tool.DraftDocument) bool { return doc.State == stockhand.DocumentPending }

// documents fills a result with the documents of drafts that wait.
func documents(r *tool.Result, open []tool.Draft, l stockhand.Language) {
	r.Columns = []tool.Column{
		{Name: "draft", Label: l.Pick("Черновик", "Draft"), Unit: tool.UnitText},
		{Name: "version", Label: l.Pick("Версия", "Version"), Unit: tool.UnitCount},
		{Name: "document", Label: "№", Unit: tool.UnitNumber},
		{Name: "title", Label: l.Pick("Документ", "Document"), Unit: tool.UnitText},
		{Name: "lines", Label: l.Pick("Строк", "Lines"), Unit: tool.UnitCount},
		{Name: "sum", Label: l.Pick("Сумма", "Sum"), Unit: tool.UnitMoney},
	}
	n := 0
	for _, d := range open {
		n++
		for i, doc := range d.Documents {
			if waits(doc) {
				r.Rows = append(r.Rows, tool.Row{tool.TextValue(string(d.ID)), tool.Number(decimal.FromInt(d.Version)),
					tool.Number(decimal.FromInt(int64(i + 1))), tool.TextValue(doc.Title),
					tool.Number(decimal.FromInt(int64(len(doc.Lines)))), tool.MaybeMoney(doc.Total, doc.Currency)})
			}
		}
	}
	r.Answer = fmt.Sprintf(l.Pick("Открытых черновиков: %d, документов в них: %d.",
		"Open drafts: %d, documents in them: %d."), n, len(r.Rows))
}

// lines fills a result with the lines of a draft that wait.
func lines(r *tool.Result, d tool.Draft, l stockhand.Language) {
	r.Columns = []tool.Column{
		{Name: "document", Label: "№", Unit: tool.UnitNumber},
		{Name: "title", Label: l.Pick("Документ", "Document"), Unit: tool.UnitText},
		{Name: "product", Label: l.Pick("Товар", "Product"), Unit: tool.UnitText},
		{Name: "quantity", Label: l.Pick("Количество", "Quantity"), Unit: tool.UnitQuantity},
		{Name: "unit", Label: l.Pick("Ед.", "Unit"), Unit: tool.UnitText},
		{Name: "price", Label: l.Pick("Цена", "Price"), Unit: tool.UnitMoney},
		{Name: "sum", Label: l.Pick("Сумма", "Sum"), Unit: tool.UnitMoney},
		{Name: "old_price", Label: l.Pick("Было", "Old price"), Unit: tool.UnitMoney},
	}
	for i, doc := range d.Documents {
		if !waits(doc) {
			continue
		}
		for _, x := range doc.Lines {
			r.Rows = append(r.Rows, tool.Row{tool.Number(decimal.FromInt(int64(i + 1))), tool.TextValue(doc.Title),
				tool.TextValue(x.Product.Name), tool.MaybeNumber(x.Quantity), tool.TextValue(x.Unit),
				tool.MaybeMoney(x.Price, doc.Currency), tool.MaybeMoney(x.Sum(), doc.Currency),
				tool.MaybeMoney(x.OldPrice, doc.Currency)})
		}
	}
	r.Answer = fmt.Sprintf(l.Pick("Черновик %s, версия %d: %s", "Draft %s, version %d: %s"), d.ID, d.Version, d.Answer)
}

type editInput struct {
	Draft  stockhand.DraftID `json:"draft"`
	Drop   []string          `json:"drop,omitempty" jsonschema:"goods, or documents by number"`
	Set    []editLine        `json:"set,omitempty"`
	Budget *decimal.Decimal  `json:"budget,omitempty"`
	Merge  stockhand.DraftID `json:"merge,omitempty" jsonschema:"an open draft to move in"`
	Split  []string          `json:"split,omitempty" jsonschema:"into a draft of its own"`
}

type editLine struct {
	Product  string           `json:"product"`
	Document int              `json:"document,omitempty"`
	Quantity *decimal.Decimal `json:"quantity,omitempty"`
	Price    *decimal.Decimal `json:"price,omitempty"`
}

// EditDraft returns edit_draft. It makes the next version of an open draft, which a person confirms like any other.
func EditDraft() tool.Tool {
	return tool.Propose(EditDraftName,
		tool.Text{RU: "Изменение черновика", EN: "Change of a draft"},
		tool.Text{RU: "Меняет открытый черновик: убирает, меняет, укладывает в бюджет, объединяет, делит. Не подтверждает.",
			EN: "The next version of an open draft. It cannot add: propose `into`."},
		func(_ context.Context, env tool.Env, in editInput) (*tool.Proposal, error) {
			r := &tool.Revision{Draft: in.Draft, Drop: in.Drop, Merge: in.Merge, Split: in.Split,
				Budget: maybe(in.Budget)}
			for _, x := range in.Set {
				if x.Quantity == nil && x.Price == nil {
					return nil, stockhand.Errorf(stockhand.CodeValidation, "set.%s has no quantity and no price",
						x.Product)
				}
				r.Set = append(r.Set, tool.RevisedLine{Product: x.Product, Document: x.Document,
					Quantity: maybe(x.Quantity), Price: maybe(x.Price)})
			}
			return &tool.Proposal{Title: env.Language.Pick("Изменение черновика", "Change of a draft"),
				Documents: []tool.Document{}, Notices: []tool.Notice{}, Revision: r}, nil
		}).Like(`{"draft":"drf_…","drop":["Salt"]}`)
}

func maybe(d *decimal.Decimal) decimal.Maybe {
	if d == nil {
		return decimal.Maybe{}
	}
	return decimal.Some(*d)
}

// NoteName is the name of the tool that proposes a change of the organization's notes.
const NoteName = "propose_note"

// ProposeNote returns propose_note. A function returns the document of a change: notes are written by people, and by
// the draft that they confirm.
func ProposeNote(document func(ctx context.Context, remove, add string, l stockhand.Language) (tool.Document, error),
	of tool.Provenance) tool.Tool {
	return tool.Propose(NoteName,
		tool.Text{RU: "Заметка организации", EN: "Note of the organization"},
		tool.Text{RU: "Предлагает добавить, изменить или убрать заметку организации.",
			EN: "A draft that changes the notes on how things are done here. Only what the person said."},
		func(ctx context.Context, env tool.Env, in struct {
			Add    string `json:"add,omitempty"`
			Remove string `json:"remove,omitempty" jsonschema:"word for word"`
		}) (*tool.Proposal, error) {
			doc, err := document(ctx, in.Remove, in.Add, env.Language)
			if err != nil {
				return nil, err
			}
			p := &tool.Proposal{Title: doc.Title, Documents: []tool.Document{doc}, Notices: []tool.Notice{},
				Provenance: of, Answer: env.Language.Pick(
					"Заметка для следующих разговоров. Она начнёт действовать после подтверждения.",
					"A note for the conversations to come. It holds once it is confirmed.")}
			p.Provenance.Read = env.Clock().UTC()
			return p, nil
		}).Like(`{"add":"Closed on Sundays"}`)
}
