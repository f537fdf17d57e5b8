package secret

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/stockhand/stockhand"
)

const (
	org        stockhand.OrgID        = "org_1"
	connection stockhand.ConnectionID = "con_1"
)

func keyText(fill byte) string {
	return base64.StdEncoding.EncodeToString(bytes.Repeat([]byte{fill}, keySize))
}

func ring(t testing.TB, fills ...byte) *Ring {
	t.Helper()
	var lines []string
	for _, f := range fills {
		lines = append(lines, keyText(f))
	}
	r, err := Parse(strings.Join(lines, "\n"))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func seal(t testing.TB, r *Ring, credential string) stockhand.Sealed {
	t.Helper()
	sealed, err := r.Seal(org, connection, []byte(credential))
	if err != nil {
		t.Fatal(err)
	}
	return sealed
}

func TestACredentialDecryptsWhereItWasEncrypted(t *testing.T) {
	r := ring(t, 1)
	for _, credential := range []string{"", "token", strings.Repeat("x", 100_000)} {
		sealed := seal(t, r, credential)
		if len(credential) > 0 && bytes.Contains(sealed, []byte(credential)) {
			t.Error("the credential can be read in the blob")
		}
		got, err := r.Open(org, connection, sealed)
		if err != nil || string(got) != credential {
			t.Errorf("got %d bytes, %v, want %d bytes", len(got), err, len(credential))
		}
	}
	if bytes.Equal(seal(t, r, "token"), seal(t, r, "token")) {
		t.Error("sealing twice gave the same blob")
	}
}

func TestACredentialDecryptsNowhereElse(t *testing.T) {
	r := ring(t, 1)
	sealed := seal(t, r, "token")
	for _, place := range []struct {
		org        stockhand.OrgID
		connection stockhand.ConnectionID
	}{{"org_2", connection}, {org, "con_2"}, {"org_1c", "on_1"}, {"", connection}} {
		if _, err := r.Open(place.org, place.connection, sealed); !errors.Is(err, ErrTampered) {
			t.Errorf("%v: %v, want ErrTampered", place, err)
		}
	}
}

func TestEveryChangedByteIsDetected(t *testing.T) {
	r := ring(t, 1)
	sealed := seal(t, r, "token")
	for i := range sealed {
		changed := bytes.Clone(sealed)
		changed[i] ^= 0x40
		if got, err := r.Open(org, connection, changed); err == nil {
			t.Errorf("byte %d changed: opened as %q", i, got)
		}
	}
	for n := range sealed {
		if _, err := r.Open(org, connection, sealed[:n]); err == nil {
			t.Errorf("cut to %d bytes: opened", n)
		}
	}
}

func TestAWrongKeyAndATamperedBlobAreDifferentErrors(t *testing.T) {
	sealed := seal(t, ring(t, 1), "token")
	_, err := ring(t, 2).Open(org, connection, sealed)
	if !errors.Is(err, ErrUnknownKey) || errors.Is(err, ErrTampered) {
		t.Errorf("%v, want ErrUnknownKey", err)
	}
	if e, ok := errors.AsType[*stockhand.Error](err); !ok || e.Hint == "" {
		t.Errorf("%v: no hint for the operator", err)
	}
	if _, err := ring(t, 1).Open(org, connection, []byte("plain text that was never sealed at all")); !errors.Is(err,
		ErrFormat) {
		t.Errorf("%v, want ErrFormat", err)
	}
}

func TestTwoKeysInTheRingRotate(t *testing.T) {
	old, both, next := ring(t, 1), ring(t, 2, 1), ring(t, 2)
	sealed := seal(t, old, "token")
	if !both.Stale(sealed) || old.Stale(sealed) {
		t.Error("a blob is stale when another key than the first sealed it")
	}
	credential, err := both.Open(org, connection, sealed)
	if err != nil {
		t.Fatal(err)
	}
	again := seal(t, both, string(credential))
	if both.Stale(again) {
		t.Error("what was just sealed is stale")
	}
	if got, err := next.Open(org, connection, again); err != nil || string(got) != "token" {
		t.Errorf("got %q, %v without the old key", got, err)
	}
}

func TestKeysAreParsedInEveryCommonEncoding(t *testing.T) {
	k := bytes.Repeat([]byte{0xfb}, keySize) // has both characters that differ between the alphabets
	want := ring(t, 0xfb).String()
	for _, text := range []string{
		base64.StdEncoding.EncodeToString(k), base64.RawStdEncoding.EncodeToString(k),
		base64.URLEncoding.EncodeToString(k),
		hex.EncodeToString(k), "# made today\n\n  " + base64.StdEncoding.EncodeToString(k) + "\r\n",
	} {
		r, err := Parse(text)
		if err != nil {
			t.Errorf("%q: %v", text, err)
		} else if r.String() != want {
			t.Errorf("%q: another key", text)
		}
	}
	for _, text := range []string{"", "# nothing", "password", keyText(1)[:20], hex.EncodeToString(k[:16]), keyText(1) +
		"\n" + keyText(1)} {
		_, err := Parse(text)
		if err == nil {
			t.Errorf("%q was taken for a key", text)
		} else if text != "" && strings.Contains(err.Error(), text) {
			t.Errorf("the error quotes the key: %v", err)
		}
	}
}

func TestKeysAreNeverPrinted(t *testing.T) {
	r := ring(t, 'K')
	sealed := seal(t, r, "token")
	var log bytes.Buffer
	slog.New(slog.NewJSONHandler(&log, nil)).Info("x", "ring", r, "sealed", sealed, "connection",
		stockhand.Connection{Sealed: sealed})
	slog.New(slog.NewTextHandler(&log, nil)).Info("x", "ring", r, "sealed", sealed, "connection",
		stockhand.Connection{Sealed: sealed})
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%x", "%q", "%d"} {
		fmt.Fprintf(&log, verb+verb+verb+"\n", r, sealed, stockhand.Connection{Sealed: sealed})
	}
	for _, secret := range []string{"KKKK", "4b4b", "75 75", keyText('K')[:8],
		base64.StdEncoding.EncodeToString(sealed)[:12], fmt.Sprintf("%d", []byte(sealed))[1:12]} {
		if strings.Contains(log.String(), secret) {
			t.Errorf("%q was printed in\n%s", secret, log.String())
		}
	}
}

func TestFirstStartCreatesAKeyFileThatOnlyItsOwnerCanRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "secret.key")
	first, created, err := LoadOrCreate(path)
	if err != nil || !created {
		t.Fatalf("created %v, %v", created, err)
	}
	again, created, err := LoadOrCreate(path)
	if err != nil || created || again.String() != first.String() {
		t.Fatalf("second start: created %v, keys %v and %v, %v", created, first, again, err)
	}
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if info.Mode().Perm() != 0o600 && runtime.GOOS != "windows" {
		t.Errorf("mode %v", info.Mode())
	}
	if files, err := os.ReadDir(filepath.Dir(path)); err != nil || len(files) != 1 {
		t.Errorf("left behind: %v, %v", files, err)
	}
	if _, _, err := LoadOrCreate(filepath.Join(t.TempDir(), "absent", "secret.key")); err == nil {
		t.Error("a key was made in a folder that does not exist")
	}
}

func TestProcessesThatStartTogetherUseOneKey(t *testing.T) {
	path := filepath.Join(t.TempDir(), "secret.key")
	var mu sync.Mutex
	keys, makers := map[string]bool{}, 0
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			r, created, err := LoadOrCreate(path)
			if err != nil {
				t.Error(err)
				return
			}
			mu.Lock()
			defer mu.Unlock()
			keys[r.String()] = true
			if created {
				makers++
			}
		})
	}
	all.Wait()
	if len(keys) != 1 || makers != 1 {
		t.Errorf("%d keys, made by %d", len(keys), makers)
	}
}

func TestErrorsNameTheUnusableKeyFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "secret.key")
	if err := os.WriteFile(path, []byte("hunter2\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, _, err := LoadOrCreate(path)
	if err == nil || !strings.Contains(err.Error(), path) || strings.Contains(err.Error(), "hunter2") {
		t.Errorf("%v: want the file named and its content not", err)
	}
}

func FuzzOpen(f *testing.F) {
	r := ring(f, 1, 2)
	f.Add([]byte{}, "org_1", "con_1")
	f.Add([]byte(seal(f, r, "token")), "org_1", "con_1")
	f.Add([]byte(seal(f, ring(f, 2), "token")), "org_1", "con_1")
	f.Fuzz(func(t *testing.T, sealed []byte, org, connection string) {
		credential, err := r.Open(stockhand.OrgID(org), stockhand.ConnectionID(connection), sealed)
		if err == nil && string(credential) != "token" {
			t.Errorf("opened what was never sealed: %q", credential)
		}
		if err != nil && credential != nil {
			t.Error("both a credential and an error")
		}
	})
}

func BenchmarkSealAndOpen(b *testing.B) {
	r := ring(b, 1)
	credential := bytes.Repeat([]byte("x"), 64)
	b.ReportAllocs()
	for b.Loop() {
		sealed, err := r.Seal(org, connection, credential)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := r.Open(org, connection, sealed); err != nil {
			b.Fatal(err)
		}
	}
}
