package caller

import "context"

type trialKey struct{}

// Trying marks a request that the console's API reference sends for a person (rule R416).
func Trying(ctx context.Context) context.Context { return context.WithValue(ctx, trialKey{}, true) }

// OnTrial reports whether a request is marked by [Trying].
func OnTrial(ctx context.Context) bool { return ctx.Value(trialKey{}) != nil }
