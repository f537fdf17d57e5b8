package aside

import "testing"

func TestATaskIsCutWithContractions(t *testing.T) { // rule R295
	for _, task := range []string{"which orders haven't been shipped?", "don't they, haven't they? and dont"} {
		for _, s := range Segments(task) {
			if s[0] >= s[1] || s[1] > len(task) {
				t.Errorf("%s: %v", task, s)
			}
		}
	}
}
