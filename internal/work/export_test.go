package work

// Cut ends an engine's connection as a death of its process would: nothing more is said.
func Cut(e *Engine) { e.nats.nc.Close() }
