package connection

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/stockhand/stockhand"
)

// CheckBinding returns the first of the connections, agents and tools that does not exist in the organization, or nil.
func (s *Service) CheckBinding(ctx context.Context, org stockhand.OrgID, b stockhand.Binding) (
	*stockhand.FieldError, error) {
	connected, err := s.Store.Connections(ctx, org)
	if err != nil {
		return nil, err
	}
	missing := func(field string, i int, message string) (*stockhand.FieldError, error) {
		return &stockhand.FieldError{Field: fmt.Sprintf("%s[%d]", field, i), Message: message}, nil
	}
	for i, name := range b.Tools {
		if known, err := s.knowsTool(ctx, connected, name); err != nil {
			return nil, err
		} else if !known {
			return missing("tools", i, "there is no such tool; see GET /tools")
		}
	}
	for i, id := range b.Agents {
		if id == stockhand.SystemAgent {
			continue
		}
		if _, err := s.Store.Agent(ctx, org, id); err != nil && stockhand.CodeOf(err) == stockhand.CodeNotFound {
			return missing("agents", i, "there is no such agent; see GET /agents")
		} else if err != nil {
			return nil, err
		}
	}
	for i, id := range b.Connections {
		if !slices.ContainsFunc(connected, func(c stockhand.Connection) bool { return c.ID == id }) {
			return missing("connections", i, "there is no such connection; see GET /connections")
		}
	}
	return nil, nil //nolint:nilnil // all of them exist
}

// knowsTool looks for a tool among those of the connectors and of the organization's MCP connections.
func (s *Service) knowsTool(ctx context.Context, connected []stockhand.Connection, name string) (bool, error) {
	for _, k := range s.Kinds {
		for _, t := range k.Tools {
			if t.Name == name {
				return true, nil
			}
		}
	}
	from, _, _ := strings.Cut(name, "_") // a tool's name starts with its connector's
	if k, err := s.Kind(from); err != nil || !k.ToolsOnly {
		return false, nil //nolint:nilerr // an unknown connector has no tools
	}
	for _, c := range connected {
		if c.Connector != from {
			continue
		}
		account, err := s.Open(ctx, c)
		if err != nil {
			return false, err
		}
		for _, t := range account.Tools() {
			if t.Name == name {
				return true, nil
			}
		}
	}
	return false, nil
}
