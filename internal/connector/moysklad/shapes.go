package moysklad

import (
	_ "embed"
	"encoding/json"

	"github.com/stockhand/stockhand/internal/tool"
)

// shapesJSON contains the columns of each read tool's default result. Tools add columns while they read, so the columns
// are only known from a result: a test writes this file from results of the sandbox (go test -run Shapes -update) and
// checks that it is current.
//
//go:embed shapes.json
var shapesJSON []byte

var shapes = readShapes()

func readShapes() map[string][]tool.Column {
	all := map[string][]tool.Column{}
	if err := json.Unmarshal(shapesJSON, &all); err != nil {
		panic("shapes.json: " + err.Error()) // the file is embedded
	}
	return all
}

// complete sets the known columns of the tools' results, and their examples.
func complete(tools []tool.Tool) []tool.Tool {
	for i := range tools {
		tools[i].Shape = shapes[tools[i].Name]
		tools[i] = tools[i].Like(examples[tools[i].Name])
	}
	return tools
}
