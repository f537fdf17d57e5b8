package cassette

import (
	"bufio"
	"bytes"
	"cmp"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/llm"
)

// A file has one JSON object in each line. Each but the header has one field, which says what it is.
type line struct {
	Turn    *Turn           `json:"turn,omitempty"`
	Account *Exchange       `json:"account,omitempty"`
	Model   *step           `json:"model,omitempty"`
	Outcome json.RawMessage `json:"outcome,omitempty"`
}

// step is a Step in a file. Most of a request repeats the one before.
type step struct {
	Kept      int           `json:"kept_messages,omitempty"` // so many messages are those of the step before
	Messages  []llm.Message `json:"messages"`
	SameTools bool          `json:"same_tools,omitempty"`
	Tools     []Tool        `json:"tools,omitempty"`
	Answer    bool          `json:"answer,omitempty"`
	MaxTokens int           `json:"max_tokens,omitempty"`
	Reply     *Reply        `json:"reply,omitempty"`
	Failure   *Failure      `json:"failure,omitempty"`
}

// Write writes a cassette without the secrets and with numbered IDs.
func (c *Cassette) Write(w io.Writer, secrets Secrets) error {
	return c.write(w, secrets, newNumbers())
}

// Keep is like Write, and leaves the IDs as they are, so that turns which were kept apart can be joined.
func (c *Cassette) Keep(w io.Writer, secrets Secrets) error { return c.write(w, secrets, nil) }

func (c *Cassette) write(w io.Writer, secrets Secrets, ids *numbers) error {
	out := bufio.NewWriter(w)
	none := func(b []byte) []byte { return b }
	number, known := none, none
	if ids != nil {
		number, known = ids.number, ids.known
	}
	put := func(v any, number func([]byte) []byte) ([]byte, error) {
		b, err := marshal(v)
		if err != nil {
			return nil, err
		}
		b = number(secrets.remove(b))
		return b, secrets.absent(b)
	}
	c.Header.Version = Version
	header, err := put(c.Header, none)
	if err != nil {
		return err
	}
	_, _ = out.Write(header) // Flush returns the error
	last := Step{}
	for i := range c.Turns {
		t := &c.Turns[i]
		lines := []any{line{Turn: t}}
		for _, s := range t.Steps {
			lines, last = append(lines, line{Model: s.after(last)}), s
		}
		if len(t.Outcome) > 0 {
			lines = append(lines, line{Outcome: t.Outcome})
		}
		var all [][]byte
		for _, l := range lines {
			b, err := put(l, number)
			if err != nil {
				return err
			}
			all = append(all, b)
		}
		// What is asked and answered has IDs of the conversation, and others that are not numbered.
		for n, x := range settled(t.Exchanges) {
			b, err := put(line{Account: &x}, known)
			if err != nil {
				return err
			}
			all = slices.Insert(all, 1+n, b)
		}
		for _, b := range all {
			_, _ = out.Write(b)
		}
	}
	return out.Flush()
}

// marshal encodes a value as one line.
func marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return b.Bytes(), err
}

func compact(raw json.RawMessage) json.RawMessage {
	var b bytes.Buffer
	if json.Compact(&b, raw) != nil {
		return raw
	}
	return b.Bytes()
}

// settled returns the exchanges in an order that does not depend on which response came first, without the temporary
// failures after which the request was repeated: a replay does not wait for them.
func settled(all []Exchange) []Exchange {
	again := map[string]int{}
	for _, x := range all {
		again[x.key()]++
	}
	var out []Exchange
	for _, x := range all {
		again[x.key()]--
		if temporary(x.Status) && again[x.key()] > 0 {
			continue
		}
		out = append(out, x)
	}
	slices.SortStableFunc(out, func(a, b Exchange) int { return cmp.Compare(a.key(), b.key()) })
	return out
}

func temporary(status int) bool { return status == 0 || status == 429 || status >= 500 }

func (x Exchange) key() string {
	key := x.Connection + " " + x.Request
	if len(x.Sent) > 0 {
		key += " " + string(x.Sent)
	}
	return key
}

// after returns the step without what it repeats of the step before.
func (s Step) after(last Step) *step {
	kept := 0
	for kept < min(len(s.Messages), len(last.Messages)) && reflect.DeepEqual(s.Messages[kept], last.Messages[kept]) {
		kept++
	}
	out := &step{Kept: kept, Messages: s.Messages[kept:], Answer: s.Answer, MaxTokens: s.MaxTokens, Failure: s.Failure}
	if s.Failure == nil {
		out.Reply = &s.Reply
	}
	if out.SameTools = len(s.Tools) > 0 && reflect.DeepEqual(s.Tools, last.Tools); !out.SameTools {
		out.Tools = s.Tools
	}
	return out
}

// whole returns the step with what it repeats of the step before.
func (s step) whole(last Step) (Step, error) {
	if s.Kept > len(last.Messages) {
		return Step{}, errors.New("it keeps more messages than the step before has")
	}
	out := Step{Messages: slices.Concat(last.Messages[:s.Kept], s.Messages), Tools: s.Tools, Answer: s.Answer,
		MaxTokens: s.MaxTokens, Failure: s.Failure}
	if s.SameTools {
		out.Tools = last.Tools
	}
	switch {
	case s.Reply != nil:
		out.Reply = *s.Reply
	case s.Failure == nil:
		return Step{}, errors.New("it has no reply")
	}
	return out, nil
}

// maxLine is the maximum length of a line in bytes.
const maxLine = 64 << 20

// Read reads a cassette, which may be compressed with gzip. The error says which line is wrong.
func Read(r io.Reader) (*Cassette, error) {
	in := bufio.NewReader(r)
	r = in
	if magic, _ := in.Peek(2); string(magic) == "\x1f\x8b" {
		packed, err := gzip.NewReader(in)
		if err != nil {
			return nil, invalid(1, err)
		}
		r = packed
	}
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxLine)
	c := &Cassette{}
	if !lines.Scan() {
		return nil, errors.Join(invalid(1, errors.New("there is no header")), lines.Err())
	}
	if err := json.Unmarshal(lines.Bytes(), &c.Header); err != nil {
		return nil, invalid(1, err)
	}
	if c.Header.Version != Version {
		return nil, invalid(1, fmt.Errorf("version %d is not supported, only %d", c.Header.Version, Version))
	}
	last := Step{}
	for n := 2; lines.Scan(); n++ {
		if err := c.add(lines.Bytes(), &last); err != nil {
			return nil, invalid(n, err)
		}
	}
	return c, lines.Err()
}

func (c *Cassette) add(b []byte, last *Step) error {
	var l line
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	if err := d.Decode(&l); err != nil {
		return err
	}
	if l.Turn != nil {
		c.Turns = append(c.Turns, *l.Turn)
		return nil
	}
	if len(c.Turns) == 0 {
		return errors.New("it belongs to no turn")
	}
	t := &c.Turns[len(c.Turns)-1]
	switch {
	case l.Account != nil:
		t.Exchanges = append(t.Exchanges, *l.Account)
	case l.Model != nil:
		s, err := l.Model.whole(*last)
		if err != nil {
			return err
		}
		t.Steps = append(t.Steps, s)
		*last = s
	case l.Outcome != nil:
		t.Outcome = l.Outcome
	default:
		return errors.New("it says nothing")
	}
	return nil
}

func invalid(n int, err error) error {
	return stockhand.Errorf(stockhand.CodeValidation, "this is not a cassette: line %d: %w", n, err).
		WithHint("a cassette is what stockhand record writes; see docs/replay.md")
}
