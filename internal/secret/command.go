package secret

import (
	"bytes"
	"context"
	"errors"
	"os/exec"
	"time"

	"github.com/stockhand/stockhand"
)

const (
	commandTime = 30 * time.Second // a vault that has to be unlocked by hand is not for a server
	mostKeys    = 64 << 10         // bytes of a command's output
)

// FromCommand reads a key ring in the format of [Parse] from the output of a shell command, such as one that asks a
// vault or a key management service. The command has 30 seconds. No error contains its output, which may be the key.
func FromCommand(ctx context.Context, command string) (*Ring, error) {
	return fromCommand(ctx, command, commandTime)
}

func fromCommand(ctx context.Context, command string, most time.Duration) (*Ring, error) {
	ctx, stop := context.WithTimeout(ctx, most)
	defer stop()
	var out limited
	c := exec.CommandContext(ctx, "/bin/sh", "-c", command) //nolint:gosec // the operator's own setting
	c.Stdout = &out
	c.WaitDelay = time.Second // what the shell started may hold the output open
	err := c.Run()
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		err = errors.New("it did not end in " + most.String())
	}
	if out.refused != nil { // rather than the signal that ended the command for it
		err = out.refused
	}
	if err != nil {
		return nil, stockhand.Errorf(stockhand.CodeInternal, "the command for the secret key failed: %w", err).
			WithHint("run it by hand as the user of the server; its output is not shown here, because it may be the key")
	}
	if out.bytes.Len() == 0 {
		return nil, stockhand.Errorf(stockhand.CodeInternal, "the command for the secret key printed nothing").
			WithHint("it must print the key in base64 or hexadecimal on its standard output")
	}
	ring, err := Parse(out.bytes.String())
	if own, ok := errors.AsType[*stockhand.Error](err); ok {
		own.Hint = "the command must print the keys in base64 or hexadecimal, one a line, and nothing else"
	}
	return ring, err
}

// limited is a buffer that refuses more than mostKeys bytes. It does not embed the buffer, whose ReadFrom would be
// called instead of Write and reads without a bound.
type limited struct {
	bytes   bytes.Buffer
	refused error
}

func (l *limited) Write(b []byte) (int, error) {
	if l.bytes.Len()+len(b) > mostKeys {
		l.refused = errors.New("it printed more than a key")
		return 0, l.refused
	}
	return l.bytes.Write(b)
}
