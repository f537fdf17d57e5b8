package answer

import (
	"context"
	"encoding/json"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/agent"
	"github.com/stockhand/stockhand/internal/console/fields"
	"github.com/stockhand/stockhand/internal/console/text"
	"github.com/stockhand/stockhand/internal/console/ui"
	"github.com/stockhand/stockhand/internal/tool"
)

// Called is the call of a tool that answers one kind of question, as chips. Each argument can be changed (rule
// R692).
type Called struct {
	Title    tool.Text
	Period   *tool.Period   // what it came to
	Moveable bool           // the tool takes a period
	Dated    bool           // it was called with one
	Given    []Argument     // what it was called with
	More     []fields.Field // what else it takes
}

// Argument is an argument with its value in words.
type Argument struct {
	fields.Field
	Value string
	Why   text.T // it cannot be changed here
}

// ofPeriod are the arguments that are one chip.
var ofPeriod = []string{"from", "to"}

// called returns how a call of a known tool is shown; nil for a tool that is not known.
func (b Builder) called(ctx context.Context, name string, arguments json.RawMessage, of *tool.Period) *Called {
	i := slices.IndexFunc(b.Tools, func(t tool.Tool) bool { return t.Name == name })
	if i < 0 {
		return nil
	}
	t := b.Tools[i]
	out := &Called{Title: t.Title, Period: of,
		Moveable: t.Input.Properties["from"] != nil && t.Input.Properties["to"] != nil}
	var given map[string]json.RawMessage
	if json.Unmarshal(arguments, &given) != nil {
		return out
	}
	out.Dated = given["from"] != nil || given["to"] != nil
	named := b.named(arguments)
	for _, f := range fields.Of(ctx, t.Input.Schema, nil) {
		if out.Moveable && slices.Contains(ofPeriod, f.Name) {
			continue
		}
		b.title(ctx, &f)
		f.Values = f.ValuesOf(given[f.Name])
		switch a := (Argument{Field: f, Why: fixed(f)}); {
		case len(f.Values) > 0:
			a.inWords(ctx, named)
			out.Given = append(out.Given, a)
		case a.Why.EN == "":
			out.More = append(out.More, f)
		}
	}
	if slices.ContainsFunc(out.Given, func(a Argument) bool { return a.Name == "id" }) {
		out.More = nil // one document: another is another question
	}
	return out
}

// fixed says why an argument cannot be changed by its chip.
func fixed(f fields.Field) (why text.T) {
	switch {
	case f.Name == "id" || f.Name == "link":
		return text.ChipOne
	case f.Kind == fields.JSON:
		return text.ChipComplex
	case f.Name == "sql" || f.Name == "results":
		return text.ChipSQL
	}
	return why
}

// title puts an argument and its choices into words.
func (b Builder) title(ctx context.Context, f *fields.Field) {
	f.Title, f.About = f.Name, "" // the title says it, without the names of programs
	if t, ok := text.ToolArguments[f.Name]; ok {
		f.Title = t.In(ctx)
	}
	for i, o := range f.Options {
		f.Options[i].Title = b.choice(ctx, o)
	}
}

// choice puts a value that can be chosen into words.
func (b Builder) choice(ctx context.Context, o ui.Option) string {
	if t, ok := text.ToolChoices[o.Value]; ok {
		return t.In(ctx)
	}
	for _, k := range b.Kinds {
		if k.Name == o.Value {
			return k.Title.In(text.Language(ctx))
		}
	}
	return o.Title
}

// mostInChip is how many of several values a chip says.
const mostInChip = 3

// inWords puts the value into words, with names in place of IDs, which the form has, too.
func (a *Argument) inWords(ctx context.Context, named map[string]string) {
	all := a.Values
	if a.Kind == fields.List {
		all = strings.Split(a.Values[0], "\n")
	}
	words := make([]string, len(all))
	unnamed := 0
	for i, v := range all {
		words[i] = v
		if o := slices.IndexFunc(a.Options, func(o ui.Option) bool { return o.Value == v }); o >= 0 {
			words[i] = a.Options[o].Title
		}
		if name := named[v]; name != "" {
			words[i], all[i] = name, name
		} else if isID.MatchString(v) {
			unnamed++
		}
	}
	switch {
	case a.Kind == fields.Flag:
		a.Value = text.Yes.In(ctx)
	case a.Kind == fields.JSON, unnamed > 0:
		a.Value = text.ChipChosen.With(ctx, max(unnamed, 1))
	case len(words) > mostInChip:
		a.Value = strings.Join(words[:mostInChip], "; ") + " " + text.ChipAndMore.With(ctx, len(words)-mostInChip)
	default:
		a.Value = strings.Join(words, "; ")
	}
	if a.Kind == fields.List {
		a.Values = []string{strings.Join(all, "\n")}
	}
}

var isID = regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f-]{27}$`)

var idsIn = regexp.MustCompile(`"([0-9a-f]{8}-[0-9a-f-]{27})"`)

// named returns the names of the IDs in arguments, as far as they are known.
func (b Builder) named(arguments json.RawMessage) map[string]string {
	var all []string
	for _, m := range idsIn.FindAllSubmatch(arguments, -1) {
		all = append(all, string(m[1]))
	}
	if len(all) == 0 || b.Names == nil {
		return nil
	}
	return b.Names(all)
}

// span is the period in words.
func (c Called) span(ctx context.Context) string {
	if c.Period == nil {
		return text.ChipUnset.In(ctx)
	}
	return Span(*c.Period, text.Language(ctx))
}

func (c Called) from() string {
	if c.Period == nil {
		return ""
	}
	return string(c.Period.From)
}

func (c Called) to() string {
	if c.Period == nil {
		return ""
	}
	return string(c.Period.To)
}

// field is an argument's field in a form of the answer: a page has several answers.
func (a Answer) field(f fields.Field) fields.Field {
	f.ID = f.Input() + "-" + string(a.Message)
	return f
}

// Another is a call with a change, and what it asks in words.
type Another struct {
	Tool      string
	Arguments json.RawMessage
	Words     string
}

// Recalled returns a call with the change that a form of [Show] asks for.
func (b Builder) Recalled(ctx context.Context, c agent.Call, form url.Values, today tool.Day) (Another, error) {
	i := slices.IndexFunc(b.Tools, func(t tool.Tool) bool { return t.Name == c.Name })
	var all map[string]json.RawMessage
	if i < 0 || json.Unmarshal(c.Arguments, &all) != nil || all == nil {
		return Another{}, wrong("call")
	}
	if form.Get("change") == "period" {
		if err := movePeriod(all, form, today); err != nil {
			return Another{}, err
		}
	}
	named := b.named(c.Arguments)
	for _, f := range fields.Of(ctx, b.Tools[i].Input.Schema, form) {
		if !slices.Contains(form["argument"], f.Name) {
			continue
		}
		value, given := f.JSON(ctx)
		switch {
		case form.Get("drop") == f.Name:
			delete(all, f.Name)
		case f.Error != "":
			b.title(ctx, &f)
			said := "«" + f.Title + "»: " + f.Error
			return Another{}, &stockhand.Error{Code: stockhand.CodeValidation, Message: said,
				RU: stockhand.Words{Message: said}}
		case given:
			all[f.Name] = restored(value, named)
		default:
			delete(all, f.Name)
		}
	}
	raw, err := json.Marshal(all)
	if err != nil {
		return Another{}, err
	}
	return Another{Tool: c.Name, Arguments: raw, Words: b.words(ctx, c.Name, raw)}, nil
}

// movePeriod sets the period of arguments to that of a form, or takes it away.
func movePeriod(all map[string]json.RawMessage, form url.Values, today tool.Day) error {
	if form.Get("preset") == "none" {
		delete(all, "from")
		delete(all, "to")
		return nil
	}
	from, to, err := PeriodOf(form, today)
	if err == nil {
		all["from"], all["to"] = fields.Encode(string(from)), fields.Encode(string(to))
	}
	return err
}

// restored returns a value with the IDs for which the form has shown names.
func restored(value json.RawMessage, named map[string]string) json.RawMessage {
	id := func(name string) string {
		for id, n := range named {
			if n == name {
				return id
			}
		}
		return name
	}
	var one string
	var several []string
	switch {
	case len(named) == 0:
	case json.Unmarshal(value, &one) == nil:
		return fields.Encode(id(one))
	case json.Unmarshal(value, &several) == nil:
		for i, name := range several {
			several[i] = id(name)
		}
		return fields.Encode(several)
	}
	return value
}

// words are a call in a line, as the question of a turn.
func (b Builder) words(ctx context.Context, name string, arguments json.RawMessage) string {
	c := b.called(ctx, name, arguments, nil)
	out := c.Title.In(text.Language(ctx))
	for _, a := range c.Given {
		out += " · " + a.Title + ": " + a.Value
	}
	var p tool.Period
	if json.Unmarshal(arguments, &p) == nil && p.From != "" && p.To != "" {
		out += " · " + Span(p, text.Language(ctx))
	}
	return out
}
