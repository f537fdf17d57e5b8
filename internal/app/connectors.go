package app

import (
	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/connector/mcp"
	"github.com/stockhand/stockhand/internal/connector/moysklad"
)

// connectors lists the external systems that Stockhand connects to.
var connectors = []connector.Kind{
	moysklad.Kind,
	mcp.Kind,
}
