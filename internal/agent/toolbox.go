package agent

import (
	"embed"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/agent/render"
	"github.com/stockhand/stockhand/internal/language"
	"github.com/stockhand/stockhand/internal/llm"
	"github.com/stockhand/stockhand/internal/tool"
)

//go:embed instructions/*.md
var files embed.FS

func instruction(name string) string {
	b, err := files.ReadFile("instructions/" + name + ".md")
	if err != nil {
		panic(err) // the file is embedded
	}
	return strings.TrimSpace(string(b))
}

// maxProfile is the maximum length of a profile's instructions in characters.
const maxProfile = 4000

// instructions returns the system message of a run.
func instructions(t *turn, label string) string {
	now := t.now()
	s := strings.NewReplacer(
		"{{language}}", t.language.Pick("Russian", "English"),
		"{{today}}", now.Format("2006-01-02, Monday"),
		"{{zone}}", t.zone.Title(stockhand.English),
		"{{account}}", "<data>"+render.Escape(render.Clip(label, 80))+"</data>",
	).Replace(instruction("agent"))
	if p := t.agent; p.Instructions != "" {
		s += "\n\n" + instruction("profile") + "\n" + render.Clip(p.Instructions, maxProfile)
	}
	return s
}

// The tools of every run besides those of the account.
const (
	moreTools   = "more_tools"
	queryResult = "query_result"
)

// few is the number of tools up to which all are shown with their schemas. Of more, those that the task may need are,
// and the others by name only.
const few = 8

// offer selects the tools that the model sees with their schemas at the start: schemas are most of a request, and a
// task needs one or two. The reader's reading is a free hint; more_tools shows the others.
func offer(tools []tool.Tool, r language.Reading) map[string]bool {
	skills := []language.Skill{r.Skill}
	if r.Question != nil {
		for _, o := range r.Question.Options {
			skills = append(skills, o.Skill)
		}
	}
	if !slices.ContainsFunc(skills, language.Skill.Calls) {
		skills = []language.Skill{language.Stock, language.Shortages, language.SalesTrend, language.Profitability}
	}
	offered := map[string]bool{}
	for _, fn := range tools {
		if len(tools) <= few || slices.Contains(skills, language.Skill(bare(fn.Name))) {
			offered[fn.Name] = true
		}
	}
	return offered
}

// bare returns a tool's name without the connector prefix, which is the name that the model uses.
func bare(name string) string {
	_, rest, ok := strings.Cut(name, "_")
	if !ok {
		return name
	}
	return rest
}

// called returns the model's name for a tool: without prefix, in characters that servers accept, and different from the
// loop's own tools. Tools of other servers may have any name.
func called(fn tool.Tool) string {
	name := render.Clip(strings.Map(func(r rune) rune {
		if validName(string(r)) {
			return r
		}
		return '_'
	}, bare(fn.Name)), 60)
	name = strings.ReplaceAll(name, "…", "_")
	if name == "" || name == moreTools || name == queryResult || name == computeTool {
		return "their_" + name
	}
	return name
}

// Limits on other servers' tool descriptions, because they are sent with every request.
const (
	maxAbout  = 400     // characters
	maxSchema = 4 << 10 // bytes
)

// described returns a tool as shown to the model.
func described(fn tool.Tool) llm.Tool {
	parameters := compact(fn.Input)
	if len(parameters) > maxSchema {
		parameters = json.RawMessage(`{"type":"object"}`)
	}
	return llm.Tool{Name: called(fn), Description: render.Escape(render.Clip(fn.About.EN, maxAbout)),
		Parameters: parameters}
}

// find returns the tool with the model's name, whether or not the model has seen it.
func (l *loop) find(name string) (tool.Tool, bool) {
	switch name {
	case queryResult:
		return l.query(), true
	case computeTool:
		return l.compute(), true
	}
	for _, fn := range l.tools {
		if fn.Name == name || called(fn) == name {
			return fn, true
		}
	}
	return tool.Tool{}, false
}

// names returns the names of all tools that the model may call.
func (l *loop) names() []string {
	names := []string{queryResult, computeTool}
	for _, fn := range l.tools {
		names = append(names, called(fn))
	}
	return names
}

// toolbox returns the tools shown to the model.
func (l *loop) toolbox() []llm.Tool {
	var out []llm.Tool
	var others []string
	for _, fn := range l.tools {
		if l.offered[fn.Name] {
			out = append(out, described(fn))
		} else {
			others = append(others, called(fn))
		}
	}
	if len(l.results) > 0 || l.remembers {
		for _, fn := range []tool.Tool{l.query(), l.compute()} {
			out = append(out, llm.Tool{Name: fn.Name, Description: fn.About.EN, Parameters: compact(fn.Input)})
		}
	}
	if len(others) > 0 {
		out = append(out, llm.Tool{
			Name:        moreTools,
			Description: "Shows more tools, by name: " + strings.Join(others, ", "),
			Parameters: json.RawMessage(
				`{"type":"object","properties":{"names":{"type":"array","items":{"type":"string"}}},"required":["names"]}`),
		})
	}
	return out
}

// open shows the model more tools.
func (l *loop) open(arguments string) toolReply {
	var in struct {
		Names []string `json:"names"`
	}
	if err := json.Unmarshal([]byte(arguments), &in); err != nil || len(in.Names) == 0 {
		return advice(`Give the tools' names, as in {"names":["stock"]}.`)
	}
	var shown []string
	for _, fn := range l.tools {
		if slices.Contains(in.Names, called(fn)) || slices.Contains(in.Names, fn.Name) {
			l.offered[fn.Name] = true
			shown = append(shown, called(fn))
		}
	}
	if len(shown) == 0 {
		return advice("There are no such tools. There are: %s.", strings.Join(l.names(), ", "))
	}
	return advice("Now shown: %s.", strings.Join(shown, ", "))
}

// common are fields with the same meaning in every tool; the instructions explain them once.
var common = []string{"stores", "groups", "suppliers", "products", "counterparties", "from", "to", "limit"}

// compact shortens a schema to what the model needs. Arguments are validated against the full schema.
func compact(s *tool.Schema) json.RawMessage {
	raw, err := json.Marshal(s.Schema)
	if err != nil {
		panic(fmt.Sprintf("schema: %v", err)) // derived from our own types
	}
	var v map[string]any
	if err := json.Unmarshal(raw, &v); err != nil {
		panic(fmt.Sprintf("schema: %v", err))
	}
	thin(v)
	if properties, ok := v["properties"].(map[string]any); ok {
		for _, name := range common {
			if p, ok := properties[name].(map[string]any); ok {
				delete(p, "description")
			}
		}
	}
	return encode(v)
}

// thin removes what only a validator needs.
func thin(v any) {
	switch v := v.(type) {
	case map[string]any:
		delete(v, "additionalProperties")
		delete(v, "pattern")
		if types, ok := v["type"].([]any); ok {
			types = slices.DeleteFunc(types, func(t any) bool { return t == "null" })
			v["type"] = types
			if len(types) > 0 {
				v["type"] = types[0]
			}
		}
		for _, inner := range v {
			thin(inner)
		}
	case []any:
		for _, inner := range v {
			thin(inner)
		}
	}
}
