package auth_test

import (
	"bytes"
	"encoding/hex"
	"errors"
	"sync"
	"testing"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/auth"
	"github.com/stockhand/stockhand/internal/secret"
	"github.com/stockhand/stockhand/internal/store"
	"github.com/stockhand/stockhand/internal/store/storetest"
)

func ring(t testing.TB, fills ...byte) *secret.Ring {
	t.Helper()
	var lines string
	for _, f := range fills {
		lines += hex.EncodeToString(bytes.Repeat([]byte{f}, 32)) + "\n"
	}
	r, err := secret.Parse(lines)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestEveryReplicaHasTheSamePepper(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		peppers := make([][]byte, 8)
		var wg sync.WaitGroup
		for i := range peppers {
			wg.Go(func() {
				var err error
				if peppers[i], err = auth.Pepper(t.Context(), db.System(), ring(t, 1)); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		for _, p := range peppers {
			if len(p) != 32 || !bytes.Equal(p, peppers[0]) {
				t.Fatalf("peppers of %d and %d bytes differ", len(p), len(peppers[0]))
			}
		}
		resting, err := db.System().InstallationSecret(t.Context(), "pepper")
		if err != nil || bytes.Contains(resting, peppers[0]) {
			t.Errorf("the pepper can be read in the record, %v", err)
		}
	})
}

// Decision 11: the sealing key rotates, and no API key ends.
func TestPepperSurvivesTheRotationOfTheSealingKey(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		before, err := auth.Pepper(t.Context(), db.System(), ring(t, 1))
		if err != nil {
			t.Fatal(err)
		}
		if changed, err := auth.SealPepper(t.Context(), db.System(), ring(t, 2, 1)); err != nil || !changed {
			t.Fatal(changed, err)
		}
		if changed, err := auth.SealPepper(t.Context(), db.System(), ring(t, 2, 1)); err != nil || changed {
			t.Errorf("the second time: %v, %v", changed, err)
		}
		after, err := auth.Pepper(t.Context(), db.System(), ring(t, 2))
		if err != nil || !bytes.Equal(before, after) {
			t.Errorf("with the new key alone the pepper is another, %v", err)
		}
		_, err = auth.Pepper(t.Context(), db.System(), ring(t, 1))
		if !errors.Is(err, secret.ErrUnknownKey) {
			t.Errorf("with the old key alone: %v", err)
		}
		wantCode(t, "with the old key alone", err, stockhand.CodeInternal)
	})
}

func TestNoPepperToSealIsNoFailure(t *testing.T) {
	if changed, err := auth.SealPepper(t.Context(), storetest.New(t).System(), ring(t, 1)); err != nil || changed {
		t.Error(changed, err)
	}
}
