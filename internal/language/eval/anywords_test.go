package eval

import (
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/stockhand/stockhand/internal/connector/moysklad/analyze/measures"
	"github.com/stockhand/stockhand/internal/language"
	"github.com/stockhand/stockhand/internal/language/talk"
)

// TestAnyWordsAreRead joins parts of labelled phrases at random, as first messages and as follow-ups: whatever somebody
// types is read, and no reading panics (rule R1033). STOCKHAND_TEST_MESSAGES is another number of messages.
func TestAnyWordsAreRead(t *testing.T) {
	t.Parallel()
	phrases := labelledPhrases(t)
	messages := 1500
	if n, err := strconv.Atoi(os.Getenv("STOCKHAND_TEST_MESSAGES")); err == nil {
		messages = n
	}
	random := rand.New(rand.NewPCG(1, uint64(messages)))
	part := func() string {
		words := strings.Fields(phrases[random.IntN(len(phrases))].task)
		from := random.IntN(len(words))
		return strings.Join(words[from:from+1+random.IntN(len(words)-from)], " ")
	}
	var previous *language.Reading
	var earlier []string
	for range messages {
		said := part()
		for range random.IntN(3) {
			said += [...]string{" ", ", ", " и ", " а "}[random.IntN(4)] + part()
		}
		p := phrases[random.IntN(len(phrases))]
		in := language.Input{Now: p.now, Names: p.names, Catalogue: measures.Catalogue, Previous: previous,
			Earlier: earlier}
		func() {
			defer func() {
				if broken := recover(); broken != nil {
					t.Errorf("%q after %q: %v", said, earlier, broken)
				}
			}()
			if r := talk.Read(said, in); r.Skill.Calls() && r.Question == nil && len(r.Unknown) == 0 {
				previous, earlier = &r, []string{said}
			}
		}()
	}
}
