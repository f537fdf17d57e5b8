package moysklad

import (
	_ "embed"
	"encoding/json"

	"github.com/stockhand/stockhand/internal/tool"
)

// shapesJSON holds the columns of each read tool's result as it comes by default. A tool adds columns one by one while
// it reads, so they are known only from a result: a test makes this file from results of the sandbox (go test -run
// Shapes -update) and compares it with them afterwards.
//
//go:embed shapes.json
var shapesJSON []byte

var shapes = readShapes()

func readShapes() map[string][]tool.Column {
	all := map[string][]tool.Column{}
	if err := json.Unmarshal(shapesJSON, &all); err != nil {
		panic("shapes.json: " + err.Error()) // it is part of the program
	}
	return all
}

// shaped fills in what is known of the tools' results.
func shaped(tools []tool.Tool) []tool.Tool {
	for i := range tools {
		tools[i].Shape = shapes[tools[i].Name]
	}
	return tools
}
