package documents

import (
	"context"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/stockhand/stockhand/internal/connector/moysklad/account"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
)

type listInput struct {
	Kinds          []Kind   `json:"kinds,omitempty"`
	Number         string   `json:"number,omitempty" jsonschema:"or a part; of any age"`
	From           tool.Day `json:"from,omitempty" jsonschema:"first day; default: 30 days up to and including the last"`
	To             tool.Day `json:"to,omitempty"`
	Counterparties []string `json:"counterparties,omitempty" jsonschema:"customers or suppliers, by name or id"`
	account.StoresArg
	States        []string         `json:"states,omitempty" jsonschema:"(none): without one"`
	Employees     []string         `json:"employees,omitempty" jsonschema:"owners"`
	Projects      []string         `json:"projects,omitempty"`
	LegalEntities []string         `json:"legal_entities,omitempty" jsonschema:"own companies"`
	Products      []string         `json:"products,omitempty" jsonschema:"goods, by name, code, article or id"`
	Groups        []string         `json:"groups,omitempty" jsonschema:"groups of goods, by name, path or id; nested groups count in"`
	Channels      []string         `json:"sales_channels,omitempty"`
	Unpaid        bool             `json:"unpaid,omitempty" jsonschema:"posted, not fully paid"`
	Unshipped     bool             `json:"unshipped,omitempty" jsonschema:"open customer orders"`
	NotReceived   bool             `json:"not_received,omitempty" jsonschema:"open supplier orders"`
	Overdue       bool             `json:"overdue,omitempty" jsonschema:"open orders past their date"`
	DueFrom       tool.Day         `json:"due_from,omitempty" jsonschema:"first planned day"`
	DueTo         tool.Day         `json:"due_to,omitempty"`
	SumFrom       *decimal.Decimal `json:"sum_from,omitempty" jsonschema:"document currency"`
	SumTo         *decimal.Decimal `json:"sum_to,omitempty"`
	Text          string           `json:"text,omitempty" jsonschema:"in the comment"`
	Posted        *bool            `json:"posted,omitempty" jsonschema:"false: drafts"`
	By            grouping         `json:"by,omitempty" jsonschema:"totals only"`
	Order         order            `json:"order,omitempty"`
	account.LimitArg
}

// open reports whether the input asks for documents that something is left to do with, or for a number. Such
// documents may be of any age.
func (in listInput) open() bool {
	return in.Number != "" || in.Unpaid || in.Unshipped || in.NotReceived || in.Overdue || in.due()
}

// due reports whether the input asks for orders by the day that they are planned for.
func (in listInput) due() bool { return in.DueFrom != "" || in.DueTo != "" }

func listTool(a *account.Account, most int) tool.Tool {
	return reading(a, "moysklad_documents",
		text("Документы", "Documents"),
		text("Документы: заказы, отгрузки, розничные продажи, возвраты, приёмки, счета, платежи, "+
			"ордера, перемещения, списания, оприходования, инвентаризации, внутренние заказы, техоперации — с "+
			"условиями, суммами и числом, в нужном порядке или по группам.",
			"Documents, newest first, with totals. Sums are of posted documents."),
		func(c *call, ctx context.Context, in listInput) error { return c.list(ctx, in, most) }).
		Requires(account.NeedDocumentSums)
}

// conditions are what documents must meet, with names resolved.
type conditions struct {
	listInput
	id        msapi.ID // only this one
	numbers   []string // only with one of these numbers
	kinds     []*kind
	unseen    []*kind // that the employee may not see, or that the tariff does not include
	period    span
	today     tool.Day
	agents    []msapi.Ref
	stores    []msapi.ID // with those nested in them
	nested    bool
	storeName []string
	owners    []msapi.Colleague
	projects  []msapi.Named
	entities  []msapi.Organization
	goods     []msapi.Ref
	wanted    map[msapi.ID]bool // the goods; nil for no condition
	folders   []string          // the names of the groups
	oneGood   bool
	channels  []msapi.SalesChannel
	states    map[Kind][]msapi.ID // of each type; nil for no condition
	noState   bool
	closing   map[msapi.ID]msapi.State // states of orders
}

// span is a period with open ends.
type span struct{ from, to tool.Day }

func (c *call) list(ctx context.Context, in listInput, most int) error {
	q := conditions{listInput: in, today: account.Today(c.Env), closing: map[msapi.ID]msapi.State{}}
	var err error
	if err = c.chooseKinds(&q); err != nil {
		return err
	}
	if err = c.choosePeriod(&q); err != nil {
		return err
	}
	work, inner := errgroup.WithContext(ctx)
	work.Go(func() error { return c.resolve(inner, &q) })
	work.Go(func() (err error) { c.currency, c.currencies, err = c.AccountCurrency(inner); return })
	if err := work.Wait(); err != nil {
		return err
	}
	rows, err := c.read(ctx, &q, most)
	if err != nil {
		return err
	}
	rows = c.choose(&q, rows)
	if in.By != "" {
		return c.group(ctx, &q, rows)
	}
	c.arrange(&q, rows)
	shown := rows
	if n := int(q.Limit); n > 0 && len(rows) > n {
		shown = rows[:n]
	}
	if err := c.name(ctx, shown); err != nil {
		return err
	}
	for i := range rows {
		rows[i].settle(c.closing[rows[i].State.ID])
	}
	c.show(&q, rows, shown)
	return nil
}

// missing returns the argument that the type has nothing for, or "".
func (in listInput) missing(k *kind) string {
	switch {
	case len(in.Counterparties) > 0 && !k.agent:
		return "counterparties"
	case len(in.Stores) > 0 && !k.store:
		return "stores"
	case len(in.Products) > 0 && !k.goods:
		return "products"
	case len(in.Groups) > 0 && !k.goods:
		return "groups"
	case len(in.Channels) > 0 && !k.channel:
		return "sales_channels"
	case in.Order.bySum() && !k.sum && in.By == "":
		return "order"
	case in.Order == plannedFirst && !k.shipped:
		return "order"
	case !in.By.known(k):
		return "by"
	case (in.SumFrom != nil || in.SumTo != nil) && !k.sum:
		return "sum_from"
	case in.Unpaid && !k.paid:
		return "unpaid"
	case in.Unshipped && k.name != customerOrder:
		return "unshipped"
	case in.NotReceived && k.name != purchaseOrder:
		return "not_received"
	case in.Overdue && !k.shipped:
		return "overdue"
	case in.due() && !k.shipped:
		return "due_from"
	}
	return ""
}

// chooseKinds sets the types to read. A condition that a named type has nothing for is an error: leaving it out would
// answer another question (rule R240).
func (c *call) chooseKinds(q *conditions) error {
	for _, name := range q.Kinds {
		k := kindOf(name)
		if field := q.missing(k); field != "" {
			return account.Invalid(field, c.Pickf("у вида «%s» этого нет", "there is no such thing in “%s”",
				k.many.In(c.Lang)))
		}
		if !slices.Contains(q.kinds, k) {
			q.kinds = append(q.kinds, k)
		}
	}
	if len(q.Kinds) > 0 {
		return nil
	}
	for _, k := range kinds {
		switch {
		case q.missing(k) != "" || q.Unpaid && !k.owed:
		case !c.Rights.Sees(string(k.name)):
			q.unseen = append(q.unseen, k)
		default:
			q.kinds = append(q.kinds, k)
		}
	}
	if len(q.kinds)+len(q.unseen) == 0 {
		return account.Invalid("kinds", c.Pick("ни у одного вида документов нет всего, что названо в условиях",
			"no type of documents has everything that the conditions name"))
	}
	return nil
}

// choosePeriod sets the period: 30 days by default, and no limits where the age of a document does not matter.
func (c *call) choosePeriod(q *conditions) error {
	if q.open() && (q.From == "" || q.To == "") {
		q.period = span{q.From, q.To}
		return nil
	}
	p, err := c.Period(q.From, q.To)
	q.period = span{p.From, p.To}
	return err
}

// resolve finds the names of the conditions. An unknown name is an error that lists similar ones.
func (c *call) resolve(ctx context.Context, q *conditions) error {
	work, inner := errgroup.WithContext(ctx)
	if len(q.Counterparties) > 0 {
		work.Go(func() (err error) {
			q.agents, err = c.FindCounterparties(inner, "counterparties", q.Counterparties)
			return err
		})
	}
	if len(q.Stores) > 0 {
		work.Go(func() error { return c.resolveStores(inner, q) })
	}
	if len(q.Products)+len(q.Groups) > 0 {
		work.Go(func() error { return c.resolveGoods(inner, q) })
	}
	if len(q.Channels) > 0 {
		work.Go(func() error {
			list, err := c.ChannelList(inner)
			if err == nil {
				q.channels, err = account.Match(c.Call, "sales_channels", q.Channels, list,
					func(x msapi.SalesChannel) (msapi.ID, []string) { return x.ID, []string{x.Name, x.Code} })
			}
			return err
		})
	}
	if len(q.Employees) > 0 {
		work.Go(func() error {
			list, err := c.EmployeeList(inner)
			if err == nil {
				q.owners, err = account.Match(c.Call, "employees", q.Employees, list,
					func(x msapi.Colleague) (msapi.ID, []string) { return x.ID, []string{x.Name, x.FullName, x.UID} })
			}
			return err
		})
	}
	if len(q.Projects) > 0 {
		work.Go(func() error {
			list, err := c.ProjectList(inner)
			if err == nil {
				q.projects, err = account.Match(c.Call, "projects", q.Projects, list,
					func(x msapi.Named) (msapi.ID, []string) { return x.ID, []string{x.Name, x.Code} })
			}
			return err
		})
	}
	if len(q.LegalEntities) > 0 {
		work.Go(func() error {
			list, err := c.OrganizationList(inner)
			if err == nil {
				q.entities, err = account.Match(c.Call, "legal_entities", q.LegalEntities, list,
					func(x msapi.Organization) (msapi.ID, []string) {
						return x.ID, []string{x.Name, x.Code, x.LegalTitle}
					})
			}
			return err
		})
	}
	if len(q.States) > 0 || q.Overdue || q.Unpaid || q.Unshipped || q.NotReceived {
		work.Go(func() error { return c.resolveStates(inner, q) })
	}
	return work.Wait()
}

// resolveStores also finds the warehouses that are nested in the named ones: documents name the warehouse itself.
func (c *call) resolveStores(ctx context.Context, q *conditions) error {
	found, err := c.FindStores(ctx, q.Stores)
	if err != nil {
		return err
	}
	all, err := c.StoreList(ctx)
	if err != nil {
		return err
	}
	within := account.StoresWithin(found, all)
	for _, s := range all {
		if within[s.ID.Key()] {
			q.stores = append(q.stores, s.ID)
		}
	}
	for _, s := range found {
		q.storeName = append(q.storeName, s.Name)
	}
	q.nested = len(q.stores) > len(found)
	return nil
}

// withoutState is the value of the states argument for documents without a state.
const withoutState = "(none)"

// resolveStates finds the states of each type. Types have states of their own, so a name must be one of at least one
// type, and types without any of the names are left out. A type whose states may not be read is one of those that the
// employee may not see.
func (c *call) resolveStates(ctx context.Context, q *conditions) error {
	lists, refused := make([][]msapi.State, len(q.kinds)), make([]error, len(q.kinds))
	work, inner := errgroup.WithContext(ctx)
	for i, k := range q.kinds {
		if len(q.States) == 0 && !k.shipped { // what is left of an order depends on its state
			continue
		}
		work.Go(func() (err error) {
			lists[i], err = c.StateList(inner, string(k.name))
			if closed(err) {
				refused[i], err = err, nil
			}
			return err
		})
	}
	if err := work.Wait(); err != nil {
		return err
	}
	if len(q.kinds) == 1 && len(q.unseen) == 0 && refused[0] != nil {
		c.section = q.kinds[0].section()
		return refused[0]
	}
	of := map[*kind][]msapi.State{}
	for i, k := range q.kinds {
		if refused[i] != nil {
			q.unseen = append(q.unseen, k)
			continue
		}
		of[k] = lists[i]
		for _, s := range lists[i] {
			q.closing[s.ID] = s
		}
	}
	q.kinds = slices.DeleteFunc(q.kinds, func(k *kind) bool { return slices.Contains(q.unseen, k) })
	if len(q.States) == 0 || len(q.kinds) == 0 {
		return nil
	}
	named := slices.DeleteFunc(slices.Clone(q.States), func(s string) bool { return s == withoutState })
	q.noState = len(named) < len(q.States)
	found, err := account.Match(c.Call, "states", named, slices.Concat(lists...),
		func(s msapi.State) (msapi.ID, []string) { return s.ID, []string{s.Name} })
	if err != nil {
		return err
	}
	q.states = map[Kind][]msapi.ID{}
	var kept []*kind
	for _, k := range q.kinds {
		for _, s := range of[k] {
			if slices.ContainsFunc(found, func(f msapi.State) bool { return f.ID == s.ID }) {
				q.states[k.name] = append(q.states[k.name], s.ID)
			}
		}
		if q.noState || len(q.states[k.name]) > 0 {
			kept = append(kept, k)
		}
	}
	q.kinds = kept
	return nil
}
