package agent

import (
	"embed"
	"strings"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/agent/render"
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
func instructions(t *turn, label, notes string) string {
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
	if notes != "" {
		s += "\n\n" + instruction("notes") + "\n" + notes
	}
	return s
}
