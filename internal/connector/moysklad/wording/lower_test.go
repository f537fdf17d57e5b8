package wording

import "testing"

// The title of an additional field may be empty once invisible characters are removed.
func TestEmptyTitleInLowerCase(t *testing.T) {
	for title, want := range map[string]string{"": "", "Бренд": "бренд", "Net sales": "net sales"} {
		if got := Lower(title); got != want {
			t.Errorf("%q: got %q, want %q", title, got, want)
		}
	}
}
