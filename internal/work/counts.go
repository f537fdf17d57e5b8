package work

import "encoding/json"

// maxCounts is how many counts one message contains, so that it is shorter than maxMessage.
const maxCounts = 2000

// TellCounts sends counts of requests, by whose they are, to the other replicas. They are lost while NATS cannot be
// reached.
func (e *Engine) TellCounts(counts map[string]int) {
	if !e.shared() {
		return
	}
	part := map[string]int{}
	tell := func() {
		if data, err := json.Marshal(part); err == nil && len(part) > 0 {
			e.nats.broadcast(e.nats.counts, data)
		}
		clear(part)
	}
	for name, n := range counts {
		if part[name] = n; len(part) == maxCounts {
			tell()
		}
	}
	tell()
}

// HearCounts receives the counts that other replicas tell.
func (e *Engine) HearCounts() <-chan map[string]int { return e.counts }

func (e *Engine) hear(data []byte) {
	var counts map[string]int
	if json.Unmarshal(data, &counts) != nil {
		return // from a newer version
	}
	select {
	case e.counts <- counts:
	default: // this replica is too busy to count along
	}
}
