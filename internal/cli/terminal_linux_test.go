package cli_test

import (
	"fmt"
	"os"
	"strings"
	"syscall"
	"testing"
	"unsafe"

	"github.com/mattn/go-runewidth"

	"github.com/stockhand/stockhand/internal/app/apptest"
	"github.com/stockhand/stockhand/internal/cli"
)

// screen runs the program on a terminal of that many columns, types lines and returns its exit code and all it showed.
func screen(t *testing.T, columns int, environment map[string]string, typed string, args ...string) (int, string) {
	t.Helper()
	ptmx, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	control := func(request uintptr, value unsafe.Pointer) {
		if _, _, errno := syscall.Syscall(syscall.SYS_IOCTL, ptmx.Fd(), request, uintptr(value)); errno != 0 {
			t.Fatal(errno)
		}
	}
	var unlock, number int32
	control(syscall.TIOCSPTLCK, unsafe.Pointer(&unlock))
	control(syscall.TIOCGPTN, unsafe.Pointer(&number))
	size := [4]uint16{40, uint16(columns)}
	control(syscall.TIOCSWINSZ, unsafe.Pointer(&size))
	tty, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := ptmx.WriteString(typed); err != nil {
		t.Fatal(err)
	}
	var shown apptest.Buffer
	done := make(chan struct{})
	go func() {
		defer close(done)
		b := make([]byte, 4096)
		for {
			n, err := ptmx.Read(b)
			_, _ = shown.Write(b[:n])
			if err != nil { // EIO once the program's side is closed
				return
			}
		}
	}()
	code := cli.Run(t.Context(), args, func(k string) string { return environment[k] },
		cli.Streams{In: tty, Out: tty, Err: tty})
	_ = tty.Close()
	<-done
	_ = ptmx.Close()
	return code, strings.ReplaceAll(shown.String(), "\r\n", "\n")
}

func TestATerminalGetsColourUnlessItIsRefused(t *testing.T) {
	t.Parallel()
	_, environment := serve(t, 1)
	for refusal, coloured := range map[string]bool{"": true, "NO_COLOR=1": false, "TERM=dumb": false} {
		with := map[string]string{}
		for k, v := range environment {
			with[k] = v
		}
		if name, value, ok := strings.Cut(refusal, "="); ok {
			with[name] = value
		}
		code, shown := screen(t, 80, with, "", "ask", "сколько денег на счетах?")
		if bold := strings.Contains(shown, "\x1b[1m"); code != 0 || bold != coloured {
			t.Errorf("%q: %d %q", refusal, code, shown)
		}
	}
}

func TestNoTextIsWiderThanTheTerminal(t *testing.T) {
	t.Parallel()
	_, environment := serve(t, 1)
	environment["NO_COLOR"] = "1"
	code, shown := screen(t, 60, environment, "", "ask", "что ты умеешь?")
	if code != 0 || !strings.Contains(shown, "остатк") {
		t.Errorf("%d %s", code, shown)
	}
	for line := range strings.Lines(shown) {
		if n := runewidth.StringWidth(strings.TrimRight(line, "\n")); n > 60 && !strings.Contains(line, "\x1b[K") {
			t.Errorf("%d columns: %s", n, line)
		}
	}
}

// A draft is edited and confirmed by word, also after something else was said (rules R61 and R292).
func TestADraftIsEditedAndConfirmedByWordOnATerminal(t *testing.T) {
	t.Parallel()
	typed := strings.Join([]string{"закажи то, что заканчивается", "убери несуществующее", "сколько денег на счетах?",
		"подтверждаю", "верни как было", "exit"}, "\n") + "\n"
	code, shown := screen(t, 80, map[string]string{"NO_COLOR": "1", "HOME": t.TempDir()}, typed, "demo",
		"--addr", "127.0.0.1:0", "--products", "100", "--days", "60")
	if code != 0 {
		t.Fatalf("%d %s", code, shown)
	}
	rest := shown
	for _, want := range []string{"Чтобы подтвердить, наберите «подтверждаю»",
		"В черновике нет строки «несуществующее»", "Остатки денег", ": записан, №", "\nhttps://",
		"Чтобы вернуть как было, подтвердите этот черновик.", "Черновик drf_"} {
		_, after, found := strings.Cut(rest, want)
		if !found {
			t.Fatalf("%q is missing in:\n%s", want, rest)
		}
		rest = after
	}
	if strings.Contains(shown, "**") {
		t.Errorf("signs of bold text: %s", shown)
	}
}

func TestARefusedDraftSaysHowToConfirmItLater(t *testing.T) {
	t.Parallel()
	_, environment := serve(t, 1)
	code, shown := screen(t, 100, environment, "нет\n", "ask", "подними розничные цены на 7 % на все товары")
	if code != 0 || !strings.Contains(shown, "Подтвердить позже: stockhand drafts confirm drf_") ||
		!strings.Contains(shown, "--version 1") {
		t.Errorf("%d %s", code, shown)
	}
}
