package app

import (
	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/connector/mcp"
	"github.com/stockhand/stockhand/internal/connector/moysklad"
)

// Connectors lists the external systems that Stockhand connects to.
var Connectors = []connector.Kind{
	moysklad.Kind,
	mcp.Kind,
}
