package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/app/apptest"
)

// pictures names the environment variable of a folder for screenshots; without it, none are taken.
const pictures = "STOCKHAND_SCREENSHOTS"

// chrome is the browser of all tests, started by the first. Chromium's headless shell needs half the CPU of Chromium.
var chrome = sync.OnceValues(func() (context.Context, error) {
	at, err := exec.LookPath("chromium-headless-shell")
	if err != nil {
		if at, err = exec.LookPath("chromium"); err != nil {
			return nil, err
		}
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(at), chromedp.NoSandbox,
		chromedp.Flag("lang", "en-GB"))
	allocator, _ := chromedp.NewExecAllocator(context.Background(), options...)
	first, _ := chromedp.NewContext(allocator)
	return first, chromedp.Do(first, chromedp.Navigate("about:blank"))
})

// size is a window.
type size struct {
	name          string
	width, height int64
}

var (
	desk  = size{"desk", 1280, 800}
	phone = size{"phone", 360, 740}
)

// tab is a browser's tab with cookies of its own, in which a person works.
type tab struct {
	t      *testing.T
	ctx    context.Context
	s      *apptest.Service
	window size
	hasAxe bool // its documents have axe

	mu       sync.Mutex
	problems []string // what the browser complained about: scripts, the policy, requests to other hosts
	asked    []string // what dialogs of the browser asked
	stays    bool     // they are answered with "cancel", not with "OK"
}

// needChromium returns the browser. Without one, it skips the test, or fails it in CI.
func needChromium(t *testing.T) context.Context {
	t.Helper()
	first, err := chrome()
	if err != nil {
		if os.Getenv("CI") != "" {
			t.Fatalf("Chromium is required in CI: %v", err)
		}
		t.Skipf("Chromium is not installed (make tools installs it as root on Debian): %v", err)
	}
	return first
}

// open opens a tab. With a person, it is signed in.
func open(t *testing.T, s *apptest.Service, who stockhand.User, l stockhand.Language, theme string, window size) *tab {
	t.Helper()
	ctx, cancel := chromedp.NewContext(needChromium(t), chromedp.WithNewBrowserContext())
	t.Cleanup(cancel)
	ctx, stop := context.WithTimeout(ctx, 10*time.Minute) // of a whole walk; patience limits each step
	t.Cleanup(stop)
	b := &tab{t: t, ctx: ctx, s: s, window: window}
	cookies := map[string]string{"stockhand-language": string(l), "stockhand-theme": theme}
	if who.ID != "" {
		name, value, _ := strings.Cut(s.Browser(who), "=")
		cookies[name] = value
	}
	steps := []chromedp.Action[chromedp.Void]{b.resize(window.height)}
	for name, value := range cookies {
		steps = append(steps, chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
			_, err := cdp.Call(ctx, t, network.SetCookie, network.SetCookieParams{Name: name, Value: value, URL: s.URL})
			return err
		}))
	}
	steps = append(steps, chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
			Features: []*emulation.MediaFeature{{Name: "prefers-reduced-motion", Value: "reduce"}}})
		return err
	}))
	b.do("open a tab", steps...)
	b.listen()
	return b
}

// resize changes the height of the window.
func (b *tab) resize(height int64) chromedp.Action[chromedp.Void] {
	if b.window.width <= phone.width {
		return chromedp.EmulateViewport(b.window.width, height, chromedp.EmulateMobile, chromedp.EmulateTouch)
	}
	return chromedp.EmulateViewport(b.window.width, height)
}

// listen collects what the browser complains about until the tab is closed.
func (b *tab) listen() {
	complain := func(what string) {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.problems = append(b.problems, what)
	}
	exceptions := chromedp.Events(b.ctx, runtime.ExceptionThrown)
	entries := chromedp.Events(b.ctx, log.EntryAdded)
	requests := chromedp.Events(b.ctx, network.RequestWillBeSent)
	dialogs := chromedp.Events(b.ctx, page.JavascriptDialogOpening)
	go func() {
		for e, err := range dialogs {
			if err == nil {
				b.answer(e.Message)
			}
		}
	}()
	go func() {
		for e, err := range exceptions {
			if err == nil {
				complain("script: " + e.ExceptionDetails.Text)
			}
		}
	}()
	go func() {
		for e, err := range entries {
			// the browser logs each response of 4xx as a failure to load
			if err == nil && !strings.Contains(e.Entry.Text, "the server responded with a status of") {
				complain("log: " + e.Entry.Text)
			}
		}
	}()
	origin := b.s.URL
	go func() {
		for e, err := range requests {
			if err == nil && !strings.HasPrefix(e.Request.URL, origin) && !strings.HasPrefix(e.Request.URL, "data:") &&
				e.Request.URL != "about:blank" {
				complain("request to another host: " + e.Request.URL)
			}
		}
	}()
	b.t.Cleanup(func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		for _, p := range b.problems {
			b.t.Error(p)
		}
	})
}

// answer notes what a dialog of the browser asked, and closes it.
func (b *tab) answer(question string) {
	b.mu.Lock()
	b.asked = append(b.asked, question)
	accept := !b.stays
	b.mu.Unlock()
	_ = chromedp.Do(b.ctx, chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, page.HandleJavaScriptDialog, page.HandleJavaScriptDialogParams{Accept: accept})
		return err
	})) // the tab may have been closed
}

func (b *tab) do(what string, steps ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	if err := chromedp.Do(b.ctx, steps...); err != nil {
		b.shot("failed-" + strings.ReplaceAll(b.t.Name(), "/", "-"))
		b.t.Fatalf("%s: %v\n%s", what, err, b.text())
	}
}

// visit opens an address of the server and waits until it is loaded.
func (b *tab) visit(path string) {
	b.t.Helper()
	if !strings.HasPrefix(path, "http") {
		path = b.s.URL + path
	}
	b.do("visit "+path, chromedp.Navigate(path))
}

// click clicks the first element that the CSS selector matches, once it is visible.
func (b *tab) click(selector string) {
	b.t.Helper()
	b.do("click "+selector, chromedp.Click(chromedp.CSS(selector), chromedp.NodeVisible))
}

// press clicks the visible button or link with the text, once there is one.
func (b *tab) press(title string) {
	b.t.Helper()
	words, _ := json.Marshal(title)
	found := fmt.Sprintf(`[...document.querySelectorAll("button, a, summary, label")].find((e) =>
		e.checkVisibility() && e.textContent.replace(/\s+/g, " ").trim() === %s)`, words)
	b.when("!!"+found, "find "+title)
	b.eval(found + `.scrollIntoView({block: "center"})`)
	b.eval(found + ".click()")
}

// fill types a value into a field, in place of what it has.
func (b *tab) fill(selector, value string) {
	b.t.Helper()
	b.do("empty "+selector, chromedp.WaitVisible(chromedp.CSS(selector)), chromedp.Focus(chromedp.CSS(selector)))
	b.eval(`document.activeElement.select?.()`)
	b.do("fill "+selector, chromedp.SendKeys(chromedp.CSS(selector), value))
}

// when waits until a condition in JavaScript holds for a page that was read to its end. It checks the condition
// whenever the page is drawn, also over page loads.
func (b *tab) when(condition, what string) {
	b.t.Helper()
	condition = `document.readyState !== "loading" && (` + condition + ")"
	begin := time.Now()
	for {
		_, err := chromedp.Run(b.ctx, chromedp.Poll[bool](condition, chromedp.WithPollingTimeout(patience)))
		if err == nil {
			return
		}
		loading := strings.Contains(err.Error(), "navigated") || strings.Contains(err.Error(), "context") ||
			strings.Contains(err.Error(), "TypeError")
		if b.ctx.Err() == nil && loading && time.Since(begin) < patience {
			continue // the page was replaced by another one
		}
		b.shot("failed-" + strings.ReplaceAll(b.t.Name(), "/", "-"))
		b.t.Fatalf("%s: %v\nThe page at %s says:\n%s", what, err, b.location(), b.text())
	}
}

// patience is how long a test waits for the page. A page waits for its account, and a busy machine is slow.
const patience = 40 * time.Second

// sees waits until the page shows a text.
func (b *tab) sees(words string) {
	b.t.Helper()
	quoted, _ := json.Marshal(words)
	b.when(fmt.Sprintf(`document.body.innerText.replaceAll("\u00a0", " ").includes(%s)`, quoted), "see "+words)
}

func (b *tab) eval(script string) {
	b.t.Helper()
	if _, err := chromedp.Run(b.ctx, chromedp.Evaluate[*runtime.RemoteObject](script)); err != nil {
		b.t.Fatalf("%s: %v", script, err)
	}
}

// value returns a text that a script finds.
func (b *tab) value(script string) string {
	b.t.Helper()
	v, err := chromedp.Run(b.ctx, chromedp.Evaluate[string](script))
	if err != nil {
		b.t.Fatalf("%s: %v", script, err)
	}
	return v
}

// await waits for a promise in the page, and stores the text that it gives.
func (b *tab) await(script string, out *string) (err error) {
	*out, err = chromedp.Run(b.ctx, chromedp.Evaluate[string](script, chromedp.EvalAwaitPromise))
	return err
}

// keys presses keys.
func (b *tab) keys(keys string) {
	b.t.Helper()
	b.do("press keys", chromedp.KeyEvent(keys))
}

// text returns what the page says.
func (b *tab) text() string {
	words, err := chromedp.Run(b.ctx, chromedp.Evaluate[string](`document.body.innerText`))
	if err != nil {
		return err.Error()
	}
	return words
}

func (b *tab) location() string {
	at, err := chromedp.Run(b.ctx, chromedp.Location())
	if err != nil {
		return err.Error()
	}
	return at
}

// shot takes a picture of the whole page if there is a folder for them.
func (b *tab) shot(name string) {
	b.t.Helper()
	dir := os.Getenv(pictures)
	if dir == "" {
		return
	}
	height, err := chromedp.Run(b.ctx, chromedp.Evaluate[int64](`document.documentElement.scrollHeight`))
	if err == nil { // a window as high as the page, so that what sticks to its bottom is at the bottom
		err = chromedp.Do(b.ctx, b.resize(max(height, b.window.height)))
	}
	var picture []byte
	if err == nil {
		picture, err = chromedp.Run(b.ctx, chromedp.CaptureScreenshot())
	}
	if err == nil {
		err = chromedp.Do(b.ctx, b.resize(b.window.height))
	}
	if err != nil {
		b.t.Errorf("picture %s: %v", name, err)
		return
	}
	if err := os.MkdirAll(dir, 0o750); err != nil {
		b.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, name+".png"), picture, 0o600); err != nil {
		b.t.Fatal(err)
	}
}
