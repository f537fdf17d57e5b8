package documents

import (
	"context"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/stockhand/stockhand/internal/connector/moysklad/account"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/connector/moysklad/wording"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
)

type openInput struct {
	Kind   Kind   `json:"kind,omitempty" jsonschema:"alone: the latest"`
	Number string `json:"number,omitempty"`
	ID     string `json:"id,omitempty"`
	Link   string `json:"link,omitempty" jsonschema:"of its page"`
}

func openTool(a *account.Account) tool.Tool {
	return reading(a, "moysklad_document",
		text("Документ", "Document"),
		text("Один документ целиком: реквизиты, строки с ценами и скидками, оплаты, связанные документы и история "+
			"статусов. По номеру, ID или ссылке.", "One document: lines with prices and discounts, "+
			"payments, linked documents, history of states. By number, id or link; a number may need its "+
			"kind."),
		(*call).open).Requires(account.NeedDocumentSums)
}

// opened is a document with everything that belongs to it.
type opened struct {
	row
	lines  []msapi.Line
	linked []linkedDocument
	events []msapi.Event
	unit   func(msapi.ID) string
	logins map[string]string // names of employees
}

// linkedDocument is a document that the opened one names.
type linkedDocument struct {
	row
	link msapi.Linked
}

func (c *call) open(ctx context.Context, in openInput) error {
	k, id, err := c.find(ctx, in)
	if err != nil || id == "" {
		return err
	}
	var d opened
	var document msapi.Document
	work, inner := errgroup.WithContext(ctx)
	work.Go(func() (err error) { document, err = c.Reader.Document(inner, string(k.name), id); return })
	work.Go(func() (err error) { c.currency, c.currencies, err = c.AccountCurrency(inner); return })
	if k.name == production {
		c.Notice(tool.NoticePartial, "Материалы и продукция техоперации здесь не читаются.",
			"The materials and products of a production are not read here.")
	}
	if k.goods {
		work.Go(func() error {
			return account.Each(c.Call, c.Reader.Lines(inner, string(k.name), id),
				func(l msapi.Line) { d.lines = append(d.lines, l) })
		})
	}
	work.Go(func() (err error) {
		d.events, err = c.Reader.Events(inner, string(k.name), id)
		if closed(err) || msapi.IsNotFound(err) {
			c.Notice(tool.NoticePartial, "История документа сотруднику не видна.",
				"The employee may not see the history of the document.")
			return nil
		}
		return err
	})
	switch err := work.Wait(); {
	case msapi.IsNotFound(err):
		return account.Invalid("id", c.Pick("такого документа нет", "there is no such document"))
	case err != nil:
		c.section = k.section()
		return err
	}
	q := conditions{today: account.Today(c.Env)}
	d.row = c.row(&q, k, document)
	if err := c.readLinked(ctx, &q, &d); err != nil {
		return err
	}
	rows := []row{d.row}
	for _, l := range d.linked {
		rows = append(rows, l.row)
	}
	if err := c.name(ctx, rows); err != nil {
		return err
	}
	if state := c.closing[d.State.ID]; d.of.shipped && state.Closing() {
		d.overdue, d.unshipped = 0, decimal.Maybe{} // and not "fully shipped"
		if state.Type == msapi.StateUnsuccessful {
			d.unpaid = decimal.Maybe{}
		}
	}
	if err := c.describe(ctx, &d); err != nil {
		return err
	}
	c.showOpened(&d)
	return nil
}

// describe reads the names of units and of the employees in the history.
func (c *call) describe(ctx context.Context, d *opened) error {
	d.unit, d.logins = func(msapi.ID) string { return "" }, map[string]string{}
	if slices.ContainsFunc(d.lines, func(l msapi.Line) bool { return l.Unit.ID != "" }) {
		var err error
		if d.unit, err = c.UnitName(ctx); err != nil {
			return err
		}
	}
	if len(d.events) > 0 {
		list, err := c.EmployeeList(ctx)
		if err != nil && !msapi.IsForbidden(err) {
			return err
		}
		for _, e := range list {
			d.logins[e.UID] = e.Name
		}
	}
	return nil
}

// readLinked reads the documents that a document names: one request for each type. Those that the employee may not see
// are counted in a notice.
func (c *call) readLinked(ctx context.Context, q *conditions, d *opened) error {
	wanted := map[Kind][]msapi.ID{}
	hidden, others := 0, 0
	for _, l := range d.Links {
		switch k := kindOf(Kind(l.Type)); {
		case k == nil:
			others++
		case !c.Rights.Sees(l.Type):
			hidden++
		default:
			wanted[k.name] = append(wanted[k.name], l.ID)
		}
	}
	found := make([]map[msapi.ID]row, len(kinds))
	work, inner := errgroup.WithContext(ctx)
	for i, k := range kinds {
		if len(wanted[k.name]) == 0 {
			continue
		}
		found[i] = map[msapi.ID]row{}
		work.Go(func() error {
			err := account.Each(c.Call, c.Reader.Documents(inner, string(k.name),
				msapi.DocumentQuery{IDs: wanted[k.name]}),
				func(x msapi.Document) { found[i][x.ID] = c.row(q, k, x) })
			if closed(err) {
				return nil
			}
			return err
		})
	}
	if err := work.Wait(); err != nil {
		return err
	}
	for _, l := range d.Links {
		i := slices.IndexFunc(kinds, func(k *kind) bool { return string(k.name) == l.Type })
		if i < 0 || found[i] == nil {
			continue
		}
		if r, ok := found[i][l.ID]; ok {
			d.linked = append(d.linked, linkedDocument{r, l})
		} else {
			hidden++
		}
	}
	if others > 0 {
		c.Noticef(tool.NoticePartial, "Связанных документов других видов, которые здесь не читаются: %d.",
			"Linked documents of other types, which are not read here: %d.", others)
	}
	if hidden > 0 {
		c.Noticef(tool.NoticeVisibility, "Связанных документов, которые сотруднику не видны: %d.",
			"Linked documents that the employee may not see: %d.", hidden)
	}
	return nil
}

// second returns the argument that names the document once more, or "".
func (in openInput) second() string {
	switch {
	case in.Link != "" && in.ID != "":
		return "id"
	case (in.Link != "" || in.ID != "") && strings.TrimSpace(in.Number) != "":
		return "number"
	}
	return ""
}

// find returns the type and the ID of the document that was asked for. Several documents with the number, or none, are
// an error that lists what there is: a number is not a key (fact M94, rule R242).
func (c *call) find(ctx context.Context, in openInput) (*kind, msapi.ID, error) {
	if field := in.second(); field != "" {
		return nil, "", account.Invalid(field, c.Pick("назовите документ одним способом: номером, ID или ссылкой",
			"name the document in one way: by number, by id or by link"))
	}
	if in.Link != "" {
		k, id, ok := ofLink(in.Link)
		if ok && in.Kind != "" && in.Kind != k.name {
			return nil, "", account.Invalid("kind", c.Pickf("ссылка ведёт на документ другого вида: «%s»",
				"the link leads to a document of another type: “%s”", k.one.In(c.Lang)))
		}
		if !ok {
			return nil, "", account.Invalid("link", c.Pick("это не ссылка на документ МоегоСклада",
				"this is not the address of a document in MoySklad"))
		}
		return k, id, nil
	}
	id, isID := msapi.ParseID(in.ID)
	switch {
	case in.ID != "" && !isID:
		return nil, "", account.Invalid("id", c.Pick("это не идентификатор", "this is not an id"))
	case isID && in.Kind != "":
		return kindOf(in.Kind), id, nil
	case !isID && in.Kind != "" && strings.TrimSpace(in.Number) == "":
		return c.latest(ctx, kindOf(in.Kind))
	case !isID && strings.TrimSpace(in.Number) == "":
		return nil, "", account.Invalid("number", c.Pick("назовите номер, ID или ссылку",
			"name the number, the id or the link"))
	}
	rows, err := c.candidates(ctx, in, id)
	if err != nil {
		return nil, "", err
	}
	field, asked := "number", in.Number
	if isID {
		field, asked = "id", in.ID
	}
	switch len(rows) {
	case 0:
		return nil, "", account.Invalid(field, c.Pickf("документа %s не видно: его нет или у сотрудника нет доступа",
			"the document %s is not visible: it does not exist, or the employee has no access",
			wording.InQuotes(asked, c.Lang)))
	case 1:
		return rows[0].of, rows[0].ID, nil
	}
	var list []string
	for _, r := range rows[:min(10, len(rows))] {
		list = append(list, c.Pickf("%s %s от %s, id %s", "%s %s of %s, id %s", r.of.one.In(c.Lang), r.Name,
			tool.DayOf(r.Moment.In(msapi.Moscow)).Format(c.Lang), r.ID))
	}
	if n := len(rows) - len(list); n > 0 {
		list = append(list, fmt.Sprintf("… %d", n))
	}
	return nil, "", account.Invalid(field, c.Pickf("документов с таким номером несколько (%d)",
		"%d documents have this number", len(rows))).WithHint("%s", c.Pick("назовите kind или id: ",
		"name kind or id: ")+strings.Join(list, "; "))
}

// candidates reads the documents with a number or an ID, of the named type or of all that the employee sees.
func (c *call) candidates(ctx context.Context, in openInput, id msapi.ID) ([]row, error) {
	q := conditions{today: account.Today(c.Env)}
	if in.Kind != "" {
		q.Kinds = []Kind{in.Kind}
	}
	if err := c.chooseKinds(&q); err != nil {
		return nil, err
	}
	if q.id = id; id == "" {
		q.numbers = padded(in.Number)
	}
	rows, err := c.read(ctx, &q, mostDocuments)
	if err != nil {
		return nil, err
	}
	rows = slices.DeleteFunc(rows, func(r row) bool {
		return id != "" && r.ID != id || id == "" && wording.Fold(digits(r.Name)) != wording.Fold(digits(in.Number))
	})
	if len(rows) > 0 { // what may not be seen is another document
		c.Result.Notices = nil
	}
	return rows, nil
}

// padded returns a number as it may be written: with different numbers of leading zeros.
func padded(number string) []string {
	list := []string{strings.TrimSpace(number)}
	rest := digits(number)
	if strings.Trim(rest, "0123456789") != "" {
		return list
	}
	for ; len(rest) <= 10; rest = "0" + rest {
		if rest != list[0] {
			list = append(list, rest)
		}
	}
	return list
}

// latest returns the newest document of a type, up to today (rule R1142).
func (c *call) latest(ctx context.Context, k *kind) (*kind, msapi.ID, error) {
	q := msapi.DocumentQuery{Newest: 1, To: account.DayEnd(account.Today(c.Env))}
	var id msapi.ID
	err := account.Each(c.Call, c.Reader.Documents(ctx, string(k.name), q), func(d msapi.Document) {
		if id == "" {
			id = d.ID
		}
	})
	switch {
	case closed(err):
		c.section = k.section()
		return nil, "", err
	case err == nil && id == "":
		err = account.Invalid("kind", c.Pickf("документов нет: «%s»", "there are no documents: “%s”",
			k.many.In(c.Lang)))
	}
	return k, id, err
}

// ofLink returns the document that an address of the web application or of the API leads to.
func ofLink(link string) (*kind, msapi.ID, bool) {
	u, err := url.Parse(strings.TrimSpace(link))
	if err != nil || u.Host != "online.moysklad.ru" && u.Host != "api.moysklad.ru" {
		return nil, "", false
	}
	for _, part := range strings.FieldsFunc(u.Path+"/"+u.Fragment, func(r rune) bool {
		return strings.ContainsRune("/?&=#", r)
	}) {
		if id, ok := msapi.ParseID(part); ok {
			for _, k := range kinds {
				if strings.Contains(u.Path+"/"+u.Fragment, "/"+string(k.name)+"/") {
					return k, id, true
				}
			}
		}
	}
	return nil, "", false
}
