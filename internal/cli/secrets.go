package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/app"
	"github.com/stockhand/stockhand/internal/auth"
	"github.com/stockhand/stockhand/internal/cli/table"
	"github.com/stockhand/stockhand/internal/secret"
	"github.com/stockhand/stockhand/internal/store"
)

// secretsCmd rotates the keys that encrypt credentials and the data keys of organizations.
type secretsCmd struct {
	NewKey  secretsNewKeyCmd  `cmd:"" help:"Add a new key at the top of the key file."`
	Rotate  secretsRotateCmd  `cmd:"" help:"Re-encrypt every credential and data key with the first key, and list the keys that are no longer needed."`
	Encrypt secretsEncryptCmd `cmd:"" help:"Encrypt the messages, results and drafts that were stored before STOCKHAND_ENCRYPT_DATA was set."`
}

// Help adds to stockhand secrets --help.
func (secretsCmd) Help() string {
	return "To rotate: 1. stockhand secrets new-key; 2. restart every server, which then reads both keys; 3. stockhand secrets rotate; " +
		"4. remove the keys that it names from the file, and restart the servers again when it suits. At every step all credentials can be opened."
}

type secretsNewKeyCmd struct{ printable }

func (c *secretsNewKeyCmd) Run(ctx context.Context, e *env) error {
	config, err := localConfig(e)
	if err != nil {
		return err
	}
	if config.SecretKey != "" {
		return stockhand.Errorf(stockhand.CodeValidation, "the keys are in %s, which no command can change",
			app.EnvSecretKey).
			WithHint("add a new first line to it, generated with: openssl rand -base64 32")
	}
	if config.SecretKeyCommand != "" {
		return stockhand.Errorf(stockhand.CodeValidation, "the keys come from a command").
			WithHint("add a new first line to what it prints, generated with: openssl rand -base64 32")
	}
	ring, err := secret.Prepend(config.SecretKeyFile)
	if err != nil {
		return err
	}
	err = operate(ctx, e, func(o *operator) error {
		return o.did(ctx, "secrets.key_added", map[string]any{"key_id": ring.IDs()[0]})
	})
	if err != nil {
		return err
	}
	if c.JSON {
		return printJSON(e.streams.Out, map[string]any{"file": config.SecretKeyFile, "key_ids": ring.IDs()})
	}
	fmt.Fprintf(e.streams.Out, "%s now starts with a new key, %s. Keep a copy of the file.\nNext: restart every "+
		"server, then: stockhand secrets rotate\n", config.SecretKeyFile, ring.IDs()[0])
	return nil
}

type secretsRotateCmd struct{ printable }

// rotated is the result of a rotation.
type rotated struct {
	Key         string   `json:"key_id"`      // the current key
	Resealed    int      `json:"resealed"`    // re-encrypted by this run
	Already     int      `json:"already"`     // already encrypted with it
	Failed      []string `json:"failed"`      // what could not be decrypted, and why
	NotNeeded   []string `json:"not_needed"`  // IDs of keys that may be removed
	Connections int      `json:"connections"` // the total number
}

// Run encrypts one credential after another again. If it is interrupted, the next run continues.
func (c *secretsRotateCmd) Run(ctx context.Context, e *env) error {
	return operate(ctx, e, func(o *operator) error {
		r, err := o.rotate(ctx)
		if err != nil {
			return err
		}
		if err := o.did(ctx, "secrets.rotated", map[string]any{"key_id": r.Key, "resealed": r.Resealed}); err != nil {
			return err
		}
		if c.JSON {
			if err := printJSON(o.streams.Out, r); err != nil {
				return err
			}
		} else {
			fmt.Fprintf(o.streams.Out, "Sealed under %s: %d re-encrypted, %d unchanged.\n", r.Key, r.Resealed,
				r.Already)
			for _, f := range r.Failed {
				fmt.Fprintf(o.streams.Out, "  ! %s\n", table.OneLine(f))
			}
			switch {
			case len(r.Failed) > 0:
				fmt.Fprintln(o.streams.Out,
					"Keep all keys until these are fixed: connect those accounts again, or add the missing key.")
			case len(r.NotNeeded) > 0:
				fmt.Fprintf(o.streams.Out,
					"No longer needed: %s. First answers of writes that are kept for a repetition are opened with them for one more day; after that they can be removed.\n", strings.Join(r.NotNeeded, ", "))
			default:
				fmt.Fprintln(o.streams.Out, "There is only this one key. A new one: stockhand secrets new-key")
			}
		}
		if len(r.Failed) > 0 {
			return errReported
		}
		return nil
	})
}

func (o *operator) rotate(ctx context.Context) (*rotated, error) {
	ids := o.ring.IDs()
	r := &rotated{Key: ids[0], Failed: []string{}, NotNeeded: []string{}}
	changed, err := auth.SealPepper(ctx, o.db.System(), o.ring)
	if err != nil {
		return nil, err
	}
	r.count(changed)
	all, err := o.db.System().Organizations(ctx)
	if err != nil {
		return nil, err
	}
	for _, org := range all {
		changed, err := o.db.ResealDataKey(ctx, org.ID)
		if r.failed(err, "the data key", org.ID) {
			continue
		}
		if err != nil {
			return nil, err
		}
		if changed {
			r.Resealed++
		}
		connections, err := o.db.Connections(ctx, org.ID)
		if err != nil {
			return nil, err
		}
		for _, c := range connections {
			r.Connections++
			changed, err := o.reseal(ctx, c)
			if r.failed(err, string(c.ID), org.ID) {
				continue
			}
			if err != nil {
				return nil, err
			}
			r.count(changed)
		}
	}
	if len(r.Failed) == 0 {
		r.NotNeeded = append(r.NotNeeded, ids[1:]...)
	}
	return r, nil
}

// failed notes what cannot be decrypted, and reports whether that is the error.
func (r *rotated) failed(err error, what string, org stockhand.OrgID) bool {
	own, ok := errors.AsType[*stockhand.Error](err)
	if ok = ok && (errors.Is(err, secret.ErrFormat) || errors.Is(err, secret.ErrTampered) ||
		errors.Is(err, secret.ErrUnknownKey)); ok {
		r.Failed = append(r.Failed, fmt.Sprintf("%s of %s: %s", what, org, own.Message))
	}
	return ok
}

func (r *rotated) count(changed bool) {
	if changed {
		r.Resealed++
	} else {
		r.Already++
	}
}

// reseal encrypts a connection's credential with the current key. It handles a credential that is replaced at the same
// time.
func (o *operator) reseal(ctx context.Context, c stockhand.Connection) (changed bool, err error) {
	if !o.ring.Stale(c.Sealed) {
		return false, nil
	}
	_, err = o.db.ChangeConnection(ctx, c.Org, c.ID, func(now *stockhand.Connection) ([]stockhand.AuditEntry, error) {
		changed = o.ring.Stale(now.Sealed)
		if !changed {
			return nil, nil
		}
		credential, err := o.ring.Open(c.Org, c.ID, now.Sealed)
		if err != nil {
			return nil, err
		}
		now.Sealed, err = o.ring.Seal(c.Org, c.ID, credential)
		return nil, err
	})
	if stockhand.CodeOf(err) == stockhand.CodeNotFound {
		return false, nil // deleted at the same time
	}
	return changed, err
}

type secretsEncryptCmd struct{ printable }

// Run encrypts one organization after another. If it is interrupted, the next run continues.
func (c *secretsEncryptCmd) Run(ctx context.Context, e *env) error {
	return operate(ctx, e, func(o *operator) error {
		all, err := o.db.System().Organizations(ctx)
		if err != nil {
			return err
		}
		encrypted := 0
		for _, org := range all {
			err := o.db.EncryptContents(ctx, org.ID, func(rows int) {
				if encrypted += rows; encrypted%10_000 < rows && !c.JSON {
					fmt.Fprintf(o.streams.Err, "%d values encrypted\n", encrypted)
				}
			})
			if err != nil && !errors.Is(err, store.ErrErased) {
				return err
			}
		}
		err = o.did(ctx, "data.encrypted", map[string]any{"organizations": len(all), "values": encrypted})
		if err != nil {
			return err
		}
		if c.JSON {
			return printJSON(o.streams.Out, map[string]any{"organizations": len(all), "values": encrypted})
		}
		fmt.Fprintf(o.streams.Out, "All data of %d organizations is encrypted, %d values of it by this command.\n",
			len(all), encrypted)
		return nil
	})
}
