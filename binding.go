package stockhand

import "slices"

// Binding restricts a key to some connections, agents and tools (rule R109). An empty list does not restrict; the zero
// Binding restricts nothing.
type Binding struct {
	Connections []ConnectionID `json:"connections,omitempty"`
	Agents      []AgentID      `json:"agents,omitempty"` // tasks for these agents only, and no tools beside them
	Tools       []string       `json:"tools,omitempty"`
}

// Some reports whether the binding restricts anything.
func (b Binding) Some() bool { return len(b.Connections)+len(b.Agents)+len(b.Tools) > 0 }

// Scopes are those that a bound key may have: the others reach beyond every binding.
func (Binding) Scopes() []Scope {
	return []Scope{ScopeReadTools, ScopeWriteTools, ScopeChat, ScopeGateway}
}

// Sees reports whether the binding permits a connection.
func (b Binding) Sees(c ConnectionID) bool {
	return len(b.Connections) == 0 || slices.Contains(b.Connections, c)
}

// SeesTool reports whether the binding permits direct calls of a tool. A key that is bound to agents gives tasks only.
func (b Binding) SeesTool(name string) bool {
	return len(b.Agents) == 0 && (len(b.Tools) == 0 || slices.Contains(b.Tools, name))
}

// Connection checks the connection that a request names; empty means one of those that the key may use.
func (b Binding) Connection(c ConnectionID) error {
	if c == "" || b.Sees(c) {
		return nil
	}
	return &Error{Code: CodeNotFound, Message: "this key may not use such a connection",
		Hint: "use one of the connections that the key is bound to: GET /me",
		RU: Words{Message: "этому ключу такое подключение недоступно",
			Hint: "возьмите одно из подключений, к которым привязан ключ: GET /me"}}
}

// Means returns the connection that a request means: the one it names, or the only one of the binding; empty if the
// binding restricts no connections.
func (b Binding) Means(named ConnectionID) (ConnectionID, error) {
	if named == "" && len(b.Connections) > 0 {
		named = b.Connections[0]
		if len(b.Connections) > 1 {
			return "", Errorf(CodeAccountRequired, "name the connection in connection_id").
				WithHint("GET /me shows the connections that the key is bound to")
		}
	}
	return named, b.Connection(named)
}

// Tool checks a direct call of a tool.
func (b Binding) Tool(name string) error {
	if b.SeesTool(name) {
		return nil
	}
	return outside("this tool directly", "этому инструменту напрямую")
}

// Raw checks a request to the external system that is no tool: an operation or the gateway.
func (b Binding) Raw() error {
	if len(b.Agents)+len(b.Tools) == 0 {
		return nil
	}
	return outside("the external system directly", "внешней системе напрямую")
}

// Model checks a chat with a provider's model, which is neither an agent nor a tool.
func (b Binding) Model() error {
	if !b.Some() {
		return nil
	}
	return outside("a provider's model", "модели провайдера")
}

// outside is the refusal of what a key is not bound to.
func outside(what, whatRU string) error {
	return &Error{Code: CodePermissionDenied, Message: "this key is bound and may not call " + what,
		Hint: "GET /me shows what the key is bound to; a person with the role admin can create another key",
		RU: Words{Message: "ключ ограничен: обращаться к " + whatRU + " с ним нельзя",
			Hint: "к чему привязан ключ, показывает GET /me; другой ключ создаёт администратор"}}
}

// Narrow returns an agent's profile with only what the binding also permits. It is an error if the binding does not
// permit tasks for the agent, or no connection or tool is left.
func (b Binding) Narrow(p AgentProfile) (AgentProfile, error) {
	if len(b.Agents) > 0 && !slices.Contains(b.Agents, p.ID) {
		return p, outside("this agent", "этому агенту")
	}
	var some, left bool
	p.Connections, some = common(p.Connections, b.Connections)
	p.Tools, left = common(p.Tools, b.Tools)
	if some && left {
		return p, nil
	}
	return p, &Error{Code: CodePermissionDenied, Message: "this key is bound to nothing that this agent may use",
		Hint: "use another key or another agent",
		RU: Words{Message: "ключ ограничен: этому агенту с ним ничего не доступно",
			Hint: "возьмите другой ключ или другого агента"}}
}

// Offered returns the agents that the binding permits tasks for, narrowed.
func (b Binding) Offered(agents []AgentProfile) []AgentProfile {
	var all []AgentProfile
	for _, p := range agents {
		if narrow, err := b.Narrow(p); err == nil {
			all = append(all, narrow)
		}
	}
	return all
}

// common returns what is in both lists, of which an empty one has everything; false if they have nothing in common.
func common[T comparable](a, b []T) ([]T, bool) {
	if len(a) == 0 {
		return b, true
	}
	if len(b) == 0 {
		return a, true
	}
	both := slices.DeleteFunc(slices.Clone(a), func(x T) bool { return !slices.Contains(b, x) })
	return both, len(both) > 0
}
