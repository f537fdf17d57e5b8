package auth

import (
	"math"
	"regexp"
	"strings"
	"testing"
)

func TestSecretHasTheFormOfTheContract(t *testing.T) {
	form := regexp.MustCompile(`^sk-(org|usr)-[0-9A-Za-z]{49}$`)
	for _, begins := range []string{keyBegins, tokenBegins} {
		seen := map[string]bool{}
		for range 1000 {
			secret, prefix := newSecret(begins)
			if !form.MatchString(secret) || seen[secret] {
				t.Fatalf("a secret of an unknown form, or one that was there before: %q", secret)
			}
			seen[secret] = true
			if prefix != secret[:len(begins)+10] {
				t.Fatalf("the prefix of %q is %q; it is the beginning and 10 public characters", secret, prefix)
			}
			if got, ok := parse(secret); !ok || got != begins {
				t.Fatalf("%q is not taken for a secret", secret)
			}
		}
	}
	if bits := randomSize * math.Log2(62); bits < 192 {
		t.Errorf("the random part has %.0f bits; at least 192 are promised", bits)
	}
}

func TestCharactersOfSecretsAreEquallyLikely(t *testing.T) {
	const secrets = 20_000
	count := map[rune]float64{}
	for range secrets {
		secret, _ := newSecret(keyBegins)
		for _, c := range secret[len(keyBegins) : secretSize-checksumSize] {
			count[c]++
		}
	}
	mean := float64(secrets*(publicSize+randomSize)) / 62
	for _, c := range alphabet {
		if off := math.Abs(count[c]-mean) / math.Sqrt(mean); off > 6 { // six deviations: once in 500 million characters
			t.Errorf("%c came %.0f times, %.0f are expected", c, count[c], mean)
		}
	}
}

func TestMistypedSecretIsKnownForOne(t *testing.T) {
	secret, _ := newSecret(keyBegins)
	for i := range secret {
		for _, c := range []byte("0Aa_- я") {
			if mistyped := secret[:i] + string(rune(c)) + secret[i+1:]; mistyped != secret {
				if _, ok := parse(mistyped); ok {
					t.Errorf("character %d changed to %q: it still passes", i, c)
				}
			}
		}
		if i > 0 && secret[i] != secret[i-1] {
			swapped := secret[:i-1] + string(secret[i]) + string(secret[i-1]) + secret[i+1:]
			if _, ok := parse(swapped); ok {
				t.Errorf("characters %d and %d swapped: it still passes", i-1, i)
			}
		}
		if _, ok := parse(secret[:i]); ok {
			t.Errorf("cut to %d characters it still passes", i)
		}
	}
	for _, s := range []string{"", " " + secret, secret + " ", secret + "\n", strings.ToUpper(secret),
		strings.ToLower(secret), secret + secret,
		tokenBegins + secret[len(keyBegins):]} {
		if _, ok := parse(s); ok {
			t.Errorf("%q passes", s)
		}
	}
}

// What passes is exactly what could have been made: the right beginning, the alphabet, and the checksum of the rest.
func FuzzParse(f *testing.F) {
	key, _ := newSecret(keyBegins)
	token, _ := newSecret(tokenBegins)
	for _, s := range []string{key, token, key[1:], key + "0", "", keyBegins, strings.Repeat("я", 28),
		strings.Replace(key, "org", "usr", 1)} {
		f.Add(s)
	}
	form := regexp.MustCompile(`\A(sk-org-|sk-usr-)[0-9A-Za-z]{49}\z`)
	f.Fuzz(func(t *testing.T, s string) {
		begins, ok := parse(s)
		want := false
		if m := form.FindStringSubmatch(s); m != nil {
			body, sum := s[:secretSize-checksumSize], s[secretSize-checksumSize:]
			own := checksum(body)
			want = string(own[:]) == sum
			if want && begins != m[1] {
				t.Errorf("%q begins with %q", s, begins)
			}
			if _, ok := parse(body + string(own[:])); !ok {
				t.Errorf("%q with its right checksum is refused", s)
			}
		}
		if ok != want {
			t.Errorf("%q: %v, want %v", s, ok, want)
		}
	})
}
