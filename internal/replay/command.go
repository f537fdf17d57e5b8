package replay

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/stockhand/stockhand/internal/app"
	"github.com/stockhand/stockhand/internal/llm"
)

// RecordCommand is stockhand record.
type RecordCommand struct {
	File string   `arg:"" type:"path" help:"The file to write; compressed if it ends with .gz."`
	Task []string `arg:"" help:"The tasks of the conversation, each an argument of its own."`
}

// Help adds to stockhand record --help.
func (RecordCommand) Help() string {
	return "The accounts and the model are those of stockhand ask. The file holds what was read of the account: keep " +
		"it like the account's data."
}

// Record asks the tasks, prints the answers, and writes the cassette.
func (c RecordCommand) Record(ctx context.Context, getenv func(string) string, out io.Writer,
	write func(path string, mode os.FileMode, content func(io.Writer) error) error) error {
	config, err := app.ReadConfig(getenv)
	if err != nil {
		return err
	}
	var tasks []Task
	for _, text := range c.Task {
		tasks = append(tasks, Task{Text: text})
	}
	r, err := Record(ctx, config, "", tasks...)
	if err != nil {
		return err
	}
	for _, f := range r.Finished {
		fmt.Fprintln(out, said(f))
	}
	return write(c.File, 0o600, func(w io.Writer) error { return r.Write(w, c.File) })
}

// PlayCommand is stockhand replay.
type PlayCommand struct {
	File  string `arg:"" type:"path" help:"A cassette: what stockhand record wrote."`
	Model string `placeholder:"URL/NAME" help:"Let another model answer from the same traffic; STOCKHAND_LLM_API_KEY is its key."`
}

// Help adds to stockhand replay --help.
func (PlayCommand) Help() string {
	return "Nothing is sent to an account. Exit codes: 0 everything is as recorded; 1 an answer differs, or more was " +
		"asked of the account."
}

// ErrChanged means that an answer is not as recorded.
var ErrChanged = errors.New("not as recorded")

// Play plays the cassette and prints what came of it.
func (c PlayCommand) Play(ctx context.Context, getenv func(string) string, out io.Writer) (err error) {
	var model llm.Model
	if c.Model != "" {
		if model, err = Model(c.Model, getenv("STOCKHAND_LLM_API_KEY")); err != nil {
			return err
		}
	}
	recorded, err := ReadFile(c.File)
	if err != nil {
		return err
	}
	same, err := Show(ctx, out, recorded, model)
	if err == nil && !same {
		err = ErrChanged
	}
	return err
}
