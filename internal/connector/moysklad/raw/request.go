// Package raw contains the operations: single reads of the MoySklad API, validated against a schema.
package raw

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/connector/moysklad/account"
	"github.com/stockhand/stockhand/internal/connector/moysklad/msapi"
	"github.com/stockhand/stockhand/internal/connector/moysklad/wording"
	"github.com/stockhand/stockhand/internal/tool"
)

// rawInput has all arguments of operations; each operation's schema allows only its own.
type rawInput struct {
	Entity       string         `json:"entity"`
	ID           string         `json:"id"`
	Search       string         `json:"search"`
	Filter       []rawCondition `json:"filter"`
	Order        []rawOrder     `json:"order"`
	Limit        int            `json:"limit"`
	Offset       int            `json:"offset"`
	Expand       []string       `json:"expand"`
	Fields       string         `json:"fields"`
	From         string         `json:"from"`
	To           string         `json:"to"`
	Every        string         `json:"interval"`
	Group        string         `json:"group_by"`
	By           string         `json:"by"`
	Kind         string         `json:"kind"`
	Period       string         `json:"period"`
	ByStore      bool           `json:"by_store"`
	Zero         bool           `json:"zero"`
	Recalculated bool           `json:"recalculated"`
	Items        []string       `json:"items"`
	Stores       []string       `json:"stores"`
	Since        string         `json:"since"`
}

type rawCondition struct {
	Field  string   `json:"field"`
	Op     string   `json:"op"`
	Values []string `json:"values"`
	Entity string   `json:"entity"`
}

type rawOrder struct {
	Field string `json:"field"`
	Desc  bool   `json:"desc"`
}

// rawQuery is a request under construction.
type rawQuery struct {
	reader *msapi.Reader
	params url.Values
	filter msapi.Filter
}

// where adds a condition; if entity is set, the values are IDs.
func (q *rawQuery) where(field, op, entity string, values ...string) {
	values = slices.Clone(values)
	for i, v := range values {
		if entity != "" && v != "" {
			values[i] = q.reader.Href(entity, msapi.ID(v))
		}
	}
	if len(values) == 0 {
		values = []string{""}
	}
	q.filter = q.filter.Where(field, msapi.Op(op), values...)
}

func setCurrent(in rawInput, q *rawQuery) {
	set := func(name, value string) {
		if value != "" {
			q.params.Set(name, value)
		}
	}
	set("stockType", in.Kind)
	set("changedSince", in.Since)
	if in.Zero {
		q.params.Set("include", "zeroLines")
	}
	if in.Recalculated && in.ByStore {
		q.params.Set("withRecalculate", "true")
	}
	// IDs and not hrefs (fact M75); in a fixed order, so that identical requests have the same URL
	if len(in.Items) > 0 {
		q.where("assortmentId", "=", "", strings.Join(in.Items, ","))
	}
	if len(in.Stores) > 0 {
		q.where("storeId", "=", "", strings.Join(in.Stores, ","))
	}
}

// defaultPage is the default number of rows per page; expand and fields are silently ignored on larger pages.
const defaultPage = 100

// request returns the request for validated arguments.
func (o operation) request(reader *msapi.Reader, in rawInput) (string, url.Values, error) {
	q := &rawQuery{reader: reader, params: url.Values{}}
	wrong := func(field, message string) error {
		e := stockhand.Errorf(stockhand.CodeValidation, "invalid arguments: %s: %s", field, message)
		e.Fields = []stockhand.FieldError{{Field: field, Message: message}}
		return e.WithHint("see the operation's schema and traps")
	}
	if in.Limit > defaultPage && (len(in.Expand) > 0 || in.Fields != "") {
		return "", nil, wrong("limit", "at most 100 with expand or fields: above it MoySklad silently leaves them out")
	}
	for i, c := range in.Filter {
		if c.Entity != "" {
			for _, v := range c.Values {
				if _, ok := msapi.ParseID(v); !ok && v != "" {
					return "", nil, wrong(fmt.Sprintf("filter[%d].values", i),
						"expected ids of entity, or an empty text for not filled")
				}
			}
		}
		q.where(c.Field, c.Op, c.Entity, c.Values...)
	}
	if o.takes("limit") {
		q.params.Set("limit", strconv.Itoa(cmp.Or(in.Limit, defaultPage)))
	}
	if in.Offset > 0 {
		q.params.Set("offset", strconv.Itoa(in.Offset))
	}
	if in.Search != "" {
		if in.Entity == "assortment" { // the search parameter is ignored there (rule R22)
			q.where("search", "=", "", in.Search)
		} else {
			q.params.Set("search", in.Search)
		}
	}
	if order := orderOf(in); order != "" && o.takes("order") {
		q.params.Set("order", order)
	}
	for name, value := range map[string]string{
		"expand": strings.Join(in.Expand, ","), "fields": in.Fields, "groupBy": in.Group, "interval": in.Every,
		"momentFrom": wholeDay(in.From, "00:00:00"), "momentTo": wholeDay(in.To, "23:59:59"),
	} {
		if value != "" {
			q.params.Set(name, value)
		}
	}
	if o.set != nil {
		o.set(in, q)
	}
	text, err := q.filter.Build()
	if err != nil {
		return "", nil, wrong("filter", strings.TrimPrefix(err.Error(), string(stockhand.CodeValidation)+": "))
	}
	if text != "" {
		q.params.Set("filter", text)
	}
	return o.path(in), q.params, nil
}

// orderOf returns the order parameter: by ID, unless the caller chose an order or a search has its own.
func orderOf(in rawInput) string {
	if len(in.Order) == 0 {
		if in.Search != "" || in.Entity == "assortment" {
			return ""
		}
		return "id"
	}
	var parts []string
	for _, o := range in.Order {
		if o.Desc {
			o.Field += ",desc"
		}
		parts = append(parts, o.Field)
	}
	return strings.Join(parts, ";")
}

// wholeDay adds a time to a bare date.
func wholeDay(moment, time string) string {
	if len(moment) == len("2026-11-21") {
		return moment + " " + time
	}
	return moment
}

// Operate validates the arguments of an operation and makes its single request.
func Operate(ctx context.Context, a *account.Account, name string, arguments json.RawMessage) (connector.Reading,
	error) {
	for _, o := range operations {
		if o.Name != name {
			continue
		}
		arguments, err := o.Input.Check(arguments)
		if err != nil {
			return connector.Reading{}, err
		}
		var in rawInput
		if err := json.Unmarshal(arguments, &in); err != nil {
			return connector.Reading{}, stockhand.Errorf(stockhand.CodeValidation,
				"the arguments do not fit the operation's schema")
		}
		return operate(ctx, a, o, in)
	}
	return connector.Reading{}, stockhand.Errorf(stockhand.CodeNotFound, "no such operation").WithHint(
		"GET /connectors/moysklad lists them")
}

func operate(ctx context.Context, a *account.Account, o operation, in rawInput) (connector.Reading, error) {
	path, params, err := o.request(a.Reader, in)
	if err != nil {
		return connector.Reading{}, err
	}
	body, err := msapi.Get[json.RawMessage](ctx, a.Reader, path, params)
	if err != nil {
		return connector.Reading{}, rawFailure(err)
	}
	out := connector.Reading{Data: body, Notices: []tool.Notice{}}
	notice := func(code tool.NoticeCode, format string, args ...any) {
		out.Notices = append(out.Notices, tool.Notice{Code: code, Message: fmt.Sprintf(format, args...)})
	}
	var page struct {
		Meta struct{ Size, Offset int }
		Rows []json.RawMessage
	}
	_ = json.Unmarshal(body, &page) // a response with another structure has no pages
	if in.Search != "" {
		if err := honoured(in.Search, page.Rows); err != nil {
			return connector.Reading{}, err
		}
	}
	if last := page.Meta.Offset + len(page.Rows); last < page.Meta.Size {
		notice(tool.NoticeTruncated, "rows %d to %d of %d; continue with offset %d", page.Meta.Offset+1, last,
			page.Meta.Size, last)
	}
	for _, trap := range o.Traps {
		switch {
		case trap == pitfallMinorUnits:
			notice("minor_units", "amounts and prices are in minor units, as MoySklad gives them: divide by 100")
		case trap == pitfallZeroCost && !a.Rights.Has(account.RightCost):
			notice(tool.NoticeRightMissing, "the right “%s” is missing: cost is hidden, and a zero is not a cost",
				account.SectionCost.EN)
		case trap == pitfallVisibility && a.Rights.Partial(in.Entity):
			notice(tool.NoticeVisibility,
				"the employee's rights show only part of these objects: the rest is not in this answer")
		}
	}
	return out, nil
}

// rawFailure explains a failure to a developer: an invalid request with the API's message, and a missing right with its
// name in the role settings (rule R15).
func rawFailure(err error) error {
	e, ok := errors.AsType[*msapi.APIError](err)
	switch {
	case !ok || msapi.IsTariff(err):
		return err
	case msapi.IsForbidden(err):
		section := account.SectionOf(err)
		return &stockhand.Error{
			Code: stockhand.CodePermissionDenied, Err: err,
			Message: "the employee lacks the right “" + section.EN + "” in MoySklad",
			Hint:    "an administrator of the MoySklad account can add it to the role",
			RU: stockhand.Words{Message: "у сотрудника нет права «" + section.RU + "» в МоёмСкладе",
				Hint: "право в роль может добавить администратор аккаунта в МоёмСкладе"},
		}
	case e.Status == http.StatusBadRequest || e.Status == http.StatusPreconditionFailed:
		return &stockhand.Error{
			Code: stockhand.CodeValidation, Err: err,
			Message: fmt.Sprintf("MoySklad refused the request (code %d): %s", e.Code, e.Message),
			Hint:    "correct the arguments; field names are those of the MoySklad API",
		}
	}
	return err
}

// honoured rejects the rows of a search that the API ignored, which are the whole catalogue (rule R22). A few rows may
// match by fields that a list does not include; most of them cannot.
func honoured(search string, rows []json.RawMessage) error {
	words, missed := strings.Fields(wording.Fold(search)), 0
	for _, row := range rows {
		var value any
		_ = json.Unmarshal(row, &value) // it is part of a valid response
		var texts strings.Builder
		collect(value, &texts)
		shown := wording.Fold(texts.String())
		for _, w := range words {
			if !strings.Contains(shown, w) {
				missed++
				break
			}
		}
	}
	if missed*2 <= len(rows) {
		return nil
	}
	return stockhand.Errorf(stockhand.CodeExternalUnavailable,
		"MoySklad ignored the search: %d of %d rows do not match it", missed, len(rows)).
		WithHint("filter by name with ~, or use the tool moysklad_find_products")
}

// collect gathers the strings in a value.
func collect(value any, into *strings.Builder) {
	switch v := value.(type) {
	case string:
		into.WriteString(v)
		into.WriteByte(' ')
	case []any:
		for _, x := range v {
			collect(x, into)
		}
	case map[string]any:
		for _, x := range v {
			collect(x, into)
		}
	}
}
