package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/stockhand/stockhand"
)

// auditCmd shows the audit log.
type auditCmd struct {
	Verify auditVerifyCmd `cmd:"" help:"Check that no entry of the audit log was changed, removed or inserted."`
	List   auditListCmd   `cmd:"" help:"Print the audit log, a JSON object a line."`
}

type auditVerifyCmd struct{}

func (auditVerifyCmd) Run(ctx context.Context, e *env) error {
	return withDrafts(ctx, e, func(s *local) error {
		v, err := s.Drafts.Verify(ctx, s.Org)
		if err != nil {
			return err
		}
		if v.Broken > 0 {
			fmt.Fprintf(e.streams.Out, "broken at entry %d: %s\n%d entries before it are intact\n", v.Broken, v.Reason,
				v.Entries)
			return errReported
		}
		if v.Entries == 0 {
			fmt.Fprintln(e.streams.Out, "The audit log has no entries yet.")
			return nil
		}
		fmt.Fprintf(e.streams.Out, "%d entries, all intact\nhead %s\n", v.Entries, v.Head)
		return nil
	})
}

type auditListCmd struct {
	After int64 `placeholder:"N" help:"Only entries after that number."`
}

func (c *auditListCmd) Run(ctx context.Context, e *env) error {
	return withDrafts(ctx, e, func(s *local) error {
		for after := c.After; ; {
			entries, err := s.Drafts.Audit(ctx, s.Org, after, 200)
			if err != nil || len(entries) == 0 {
				return err
			}
			for _, x := range entries {
				if err := printJSON(e.streams.Out, entryShown(x)); err != nil {
					return err
				}
				after = x.Seq
			}
		}
	})
}

// entryShown is a printed entry of the audit log: everything that its hash covers, and the hash.
type entryShown struct {
	Org      stockhand.OrgID      `json:"org_id"`
	Seq      int64                `json:"seq"`
	At       time.Time            `json:"at"`
	Actor    string               `json:"actor"`
	Action   string               `json:"action"`
	Draft    stockhand.DraftID    `json:"draft_id"`
	Document stockhand.DocumentID `json:"document_id"`
	Version  int64                `json:"version"`
	External string               `json:"external"`
	Detail   json.RawMessage      `json:"detail"`
	Previous string               `json:"previous"`
	Hash     string               `json:"hash"`
}
