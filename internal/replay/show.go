package replay

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/stockhand/stockhand/internal/agent"
	"github.com/stockhand/stockhand/internal/cassette"
	"github.com/stockhand/stockhand/internal/llm"
)

// Show plays a cassette and writes what came of each turn. It reports whether everything is as recorded: with another
// model, whether that one asked for nothing that the cassette does not have.
func Show(ctx context.Context, out io.Writer, c *cassette.Cassette, model llm.Model) (same bool, err error) {
	all, err := Run(ctx, c, model)
	if err != nil {
		return false, err
	}
	same = true
	for i, p := range all {
		fmt.Fprintf(out, "%d. %s\n", i+1, clean(p.Turn.Task))
		if model != nil {
			fmt.Fprintf(out, "\n   %s said:\n%s\n\n   %s says (%d calls, %d + %d tokens):\n%s\n", c.Header.Model,
				indent(recorded(p.Turn)), model.Name(), len(p.Finished.ToolCalls), p.Finished.InputTokens,
				p.Finished.OutputTokens, indent(said(p.Finished)))
		} else if len(p.Differences) == 0 {
			fmt.Fprintln(out, "   the same")
		}
		for _, d := range p.Differences {
			fmt.Fprintf(out, "   %s\n", clean(d.String()))
		}
		for _, m := range p.Missing {
			fmt.Fprintf(out, "   not in the cassette: %s\n", clean(m))
		}
		if p.Changed() || model != nil && len(p.Missing) > 0 {
			same = false
		}
	}
	return same, nil
}

func recorded(t cassette.Turn) string {
	var o struct {
		Answer   string `json:"answer"`
		Question *struct {
			Text string `json:"text"`
		} `json:"question"`
		Failure *struct {
			Message string `json:"message"`
		} `json:"failure"`
	}
	switch err := json.Unmarshal(t.Outcome, &o); {
	case err != nil:
		return err.Error()
	case o.Failure != nil:
		return o.Failure.Message
	case o.Answer == "" && o.Question != nil:
		return o.Question.Text
	}
	return o.Answer
}

func said(f *agent.Finished) string {
	switch {
	case f.Failure != nil:
		return f.Failure.Message
	case f.FinalResponse == "" && f.Question != nil:
		return f.Question.Text
	default:
		return f.FinalResponse
	}
}

func indent(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		b.WriteString("     " + clean(strings.TrimRight(line, "\n")) + "\n")
	}
	return strings.TrimRight(b.String(), "\n")
}

// clean removes control characters, which could change a terminal.
func clean(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return ' '
		}
		return r
	}, s)
}
