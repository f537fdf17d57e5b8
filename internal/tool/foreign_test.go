package tool_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/tool"
)

func TestForeignSchemasAreLimited(t *testing.T) {
	var doubling strings.Builder // each refers to the next one twice
	for i := range 40 {
		fmt.Fprintf(&doubling, `"a%d":{"allOf":[{"$ref":"#/$defs/a%d"},{"$ref":"#/$defs/a%d"}]},`, i, i+1, i+1)
	}
	for name, schema := range map[string]string{
		"refers to itself":    `{"type":"object","allOf":[{"$ref":"#"}]}`,
		"a circle":            `{"type":"object","$ref":"#/$defs/a","$defs":{"a":{"$ref":"#/$defs/b"},"b":{"$ref":"#/$defs/a"}}}`,
		"doubles forty times": `{"type":"object","$ref":"#/$defs/a0","$defs":{` + doubling.String() + `"a40":{}}}`,
		"elsewhere":           `{"type":"object","properties":{"a":{"$ref":"https://example.com/schema"}}}`,
		"dynamic":             `{"type":"object","$dynamicRef":"#a"}`,
		"no object":           `{"type":"string"}`,
		"no type":             `{}`,
		"no schema":           `{"type":"object","properties":7}`,
		"not JSON":            `{`,
		"a bad pattern":       `{"type":"object","properties":{"a":{"type":"string","pattern":"("}}}`,
		"an old draft":        `{"$schema":"http://json-schema.org/draft-04/schema#","type":"object"}`,
		"deep":                `{"type":"object","a":` + strings.Repeat(`[`, 200) + strings.Repeat(`]`, 200) + `}`,
		"large":               `{"type":"object","description":"` + strings.Repeat("x", 20<<10) + `"}`,
	} {
		if _, err := tool.ForeignSchema(json.RawMessage(schema)); err == nil {
			t.Errorf("%s: it is taken", name)
		}
	}
}

func TestArgumentsAreValidatedAgainstAForeignSchema(t *testing.T) {
	schema, err := tool.ForeignSchema(json.RawMessage(`{"$schema":"http://json-schema.org/draft-07/schema#","type":"object","required":["n"],
		"properties":{"n":{"type":"integer"},"money":{"$ref":"#/definitions/money"}},"definitions":{"money":{"type":"string","pattern":"^[0-9.]+$"}}}`))
	if err != nil {
		t.Fatal(err)
	}
	var got string
	fn := tool.ReadRaw("mcp_x", tool.Text{}, tool.Text{}, schema,
		func(_ context.Context, _ tool.Env, arguments json.RawMessage) (*tool.Result, error) {
			got = string(arguments)
			return &tool.Result{}, nil
		})
	for arguments, field := range map[string]string{
		`{}`: "n", `{"n":"secret"}`: "n", `{"n":1,"money":"secret"}`: "", `[]`: "", `{"n":1.5}`: "n",
	} {
		_, err := fn.Call(t.Context(), tool.Env{}, json.RawMessage(arguments))
		e, ok := errors.AsType[*stockhand.Error](err)
		if !ok || e.Code != stockhand.CodeValidation || strings.Contains(err.Error(), "secret") || got != "" ||
			field != "" && (len(e.Fields) != 1 || e.Fields[0].Field != field) {
			t.Errorf("%s: %v, called with %q", arguments, err, got)
		}
	}
	const exact = `{"n":9007199254740993, "money":"1.10", "more":true}`
	if _, err := fn.Call(t.Context(), tool.Env{}, json.RawMessage(exact)); err != nil || got != exact {
		t.Errorf("%v, called with %q", err, got)
	}
}
