package cassette

import (
	"bytes"
	"regexp"
	"slices"
)

// made are the UUIDs that requests choose for what they create. They are derived from random IDs, so a replay chooses
// others: those of a request take the places of those in the recorded request that is otherwise the same.
type made struct{ old, now map[string]string } // by the one of the replay, and by the recorded one

func newMade() *made { return &made{old: map[string]string{}, now: map[string]string{}} }

var uuid = regexp.MustCompile(`\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b`)

// recorded returns a text of the replay with the recorded UUIDs.
func (m *made) recorded(b []byte) []byte { return exchanged(b, m.old) }

// live returns a recorded text with the UUIDs of the replay.
func (m *made) live(b []byte) []byte { return exchanged(b, m.now) }

func exchanged(b []byte, with map[string]string) []byte {
	if len(with) == 0 {
		return b
	}
	return uuid.ReplaceAllFunc(b, func(id []byte) []byte {
		if other, ok := with[string(id)]; ok {
			return []byte(other)
		}
		return id
	})
}

// alike returns the key of a recorded request that differs from one of the replay only in UUIDs, which it notes; "" if
// there is none.
func (p *Player) alike(x Exchange) string {
	masked := func(b []byte) []byte { return uuid.ReplaceAllLiteral(b, nil) }
	for _, other := range p.turn.Exchanges {
		key := other.key()
		if other.Connection != x.Connection || other.Request != x.Request || len(p.left[key]) == 0 ||
			!bytes.Equal(masked(other.Sent), masked(x.Sent)) {
			continue
		}
		was, is := uuid.FindAll(other.Sent, -1), uuid.FindAll(x.Sent, -1)
		if !slices.EqualFunc(was, is, func(a, b []byte) bool {
			_, taken := p.made.now[string(a)]
			return bytes.Equal(a, b) || !taken
		}) {
			continue
		}
		for i := range was {
			if !bytes.Equal(was[i], is[i]) {
				p.made.old[string(is[i])], p.made.now[string(was[i])] = string(was[i]), string(is[i])
			}
		}
		return key
	}
	return ""
}
