package remote

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
)

// Definition is a tool as the server described it.
type Definition struct {
	Name        string          `json:"name"`
	Title       string          `json:"title,omitempty"`
	Description string          `json:"description,omitempty"`
	Input       json.RawMessage `json:"input"`       // the JSON Schema of its arguments
	ReadOnly    bool            `json:"read_only"`   // the tool declares that it changes nothing
	Fingerprint string          `json:"fingerprint"` // hash of the declared fields; if it changes, the tool has changed
}

// declared are the fields that define a tool. Other fields, such as icons, may change at any time.
var declared = []string{"name", "title", "description", "inputSchema", "outputSchema", "annotations"}

// readDefinition decodes one tool of a list. A tool that is declared both read-only and destructive is not read-only.
func readDefinition(raw json.RawMessage) (Definition, error) {
	var all map[string]any
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	if err := d.Decode(&all); err != nil {
		return Definition{}, errors.New("its description cannot be read")
	}
	text := func(in map[string]any, name string) string { s, _ := in[name].(string); return s }
	flag := func(in map[string]any, name string) bool { b, _ := in[name].(bool); return b }
	annotations, _ := all["annotations"].(map[string]any)
	out := Definition{
		Name: text(all, "name"), Title: Words(text(all, "title"), 100),
		Description: Words(text(all, "description"), 2000),
		ReadOnly:    flag(annotations, "readOnlyHint") && !flag(annotations, "destructiveHint"),
	}
	if out.Title == "" {
		out.Title = Words(text(annotations, "title"), 100)
	}
	if out.Name == "" || len(out.Name) > 200 {
		return out, errors.New("it has no usable name")
	}
	kept := map[string]any{}
	for _, name := range declared {
		if v, ok := all[name]; ok {
			kept[name] = v
		}
	}
	canonical, err := json.Marshal(kept) // keys are sorted
	if err == nil {
		out.Input, err = json.Marshal(all["inputSchema"])
	}
	if err != nil {
		return out, fmt.Errorf("its description cannot be read: %w", err)
	}
	sum := sha256.Sum256(canonical)
	out.Fingerprint = hex.EncodeToString(sum[:])
	return out, nil
}

// Same reports whether a list contains the tool exactly once and as verified.
func Same(list []Definition, pinned Definition) bool {
	found := 0
	for _, d := range list {
		if d.Name == pinned.Name {
			found++
			if d.Fingerprint != pinned.Fingerprint {
				return false
			}
		}
	}
	return found == 1
}
