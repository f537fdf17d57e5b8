package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/cli/table"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/draft"
	"github.com/stockhand/stockhand/internal/tool"
)

// draftsCmd manages drafts from the command line, as the user who runs it.
type draftsCmd struct {
	List    draftsListCmd    `cmd:"" help:"List drafts, the newest first."`
	Show    draftsShowCmd    `cmd:"" help:"Show a draft: its documents, their lines, where each stands."`
	Edit    draftsEditCmd    `cmd:"" help:"Change quantities or prices, drop lines or documents; this makes a new version."`
	Confirm draftsConfirmCmd `cmd:"" help:"Confirm a version of a draft: its documents are then written into the account."`
	Reject  draftsRejectCmd  `cmd:"" help:"Reject a draft: nothing of it will be written."`
	Undo    draftsUndoCmd    `cmd:"" help:"Prepare a draft that undoes what was written."`
	Resume  draftsResumeCmd  `cmd:"" help:"Continue confirmed documents that were interrupted."`
}

// withDrafts opens the database that ask uses and runs fn on it.
func withDrafts(ctx context.Context, e *env, fn func(s *local) error) error {
	s, err := openLocal(ctx, e)
	if err != nil {
		return err
	}
	defer s.Close()
	return fn(s)
}

// withDraft is like withDrafts for one draft by ID.
func withDraft(ctx context.Context, e *env, id string, fn func(s *local, d tool.Draft) error) error {
	return withDrafts(ctx, e, func(s *local) error {
		d, err := s.read(ctx, id)
		if err != nil {
			return err
		}
		return fn(s, d)
	})
}

// shows prints a draft, as JSON if requested.
type shows struct {
	JSON bool   `help:"Print the draft as a JSON object."`
	Lang string `enum:"ru,en" placeholder:"ru|en" help:"The language of what is printed around the draft (default: its own)."`
	Rows int    `default:"20" help:"How many lines of a document to print; 0 prints all."`

	brief bool // without the lines of decided documents
}

func (o shows) print(e *env, d tool.Draft) error {
	if o.JSON {
		return printJSON(e.streams.Out, d)
	}
	l := d.Language
	if o.Lang != "" {
		l = stockhand.Language(o.Lang)
	}
	showDraft(e.streams.Out, d, table.Table{Language: l, Rows: o.Rows, Width: width(e.streams.Out),
		Place: table.Place{Commands: !e.interactive()}, Style: e.style(e.streams.Out)}, o.brief)
	return nil
}

func (o shows) printStored(e *env, d stockhand.Draft) error {
	shown, err := tool.ReadDraft(d)
	if err != nil {
		return err
	}
	return o.print(e, shown)
}

type draftsListCmd struct {
	JSON  bool `help:"Print a JSON object a line."`
	Limit int  `default:"20" help:"How many (1 to 200)."`
}

func (c *draftsListCmd) Run(ctx context.Context, e *env) error {
	if c.Limit < 1 || c.Limit > 200 {
		return fmt.Errorf("%w: --limit must be 1 to 200", errUsage)
	}
	return withDrafts(ctx, e, func(s *local) error {
		all, err := s.Drafts.List(ctx, s.Org, "", c.Limit)
		if err != nil {
			return err
		}
		if len(all) == 0 && !c.JSON {
			fmt.Fprintln(e.streams.Out, "No drafts. Ask for one: stockhand ask \"подготовь заказы поставщикам на всё, что ниже минимума\"")
		}
		for _, d := range all {
			shown, err := tool.ReadDraft(d)
			if err != nil {
				return err
			}
			if c.JSON {
				if err := printJSON(e.streams.Out, shown); err != nil {
					return err
				}
				continue
			}
			fmt.Fprintf(e.streams.Out, "%s  v%d  %s  %s  %s\n", d.ID, d.Version,
				d.Created.In(shown.Zone.Location()).Format("02.01.2006 15:04"), states(shown),
				table.OneLine(shown.Title))
		}
		return nil
	})
}

// states counts a draft's documents by state.
func states(d tool.Draft) string {
	var order []stockhand.DocumentState
	for _, doc := range d.Documents {
		if !slices.Contains(order, doc.State) {
			order = append(order, doc.State)
		}
	}
	return counted(d, order, d.Language)
}

type draftsShowCmd struct {
	Draft string `arg:"" help:"The draft's id."`
	shows
}

func (c *draftsShowCmd) Run(ctx context.Context, e *env) error {
	return withDraft(ctx, e, c.Draft, func(_ *local, d tool.Draft) error { return c.print(e, d) })
}

type draftsEditCmd struct {
	Draft    string   `arg:"" help:"The draft's id."`
	Version  int64    `required:"" placeholder:"N" help:"The version that was shown; another one is refused."`
	Quantity []string `placeholder:"DOC:LINE=N" help:"A line's quantity, e.g. 1:3=20. Documents are named by number or id."`
	Price    []string `placeholder:"DOC:LINE=N" help:"A line's price in main units, e.g. 1:3=99.90."`
	Drop     []string `placeholder:"DOC[:LINE]" help:"A document or a line to drop, e.g. 2 or 1:3."`
	shows
}

func (c *draftsEditCmd) Run(ctx context.Context, e *env) error {
	return withDraft(ctx, e, c.Draft, func(s *local, d tool.Draft) error {
		edits, err := c.edits(d)
		if err != nil {
			return err
		}
		edited, err := s.Drafts.Edit(ctx, s.person(), d.ID, c.Version, edits)
		if err != nil {
			return worded(err, d.Language)
		}
		return c.printStored(e, edited)
	})
}

// edits parses the flags.
func (c *draftsEditCmd) edits(d tool.Draft) (draft.Edits, error) {
	documents := map[stockhand.DocumentID]*draft.DocumentEdit{}
	var order []stockhand.DocumentID
	line := func(at string) (*draft.DocumentEdit, *draft.LineEdit, error) {
		name, number, isLine := strings.Cut(at, ":")
		id, err := documentNamed(d, name)
		if err != nil {
			return nil, nil, err
		}
		doc := documents[id]
		if doc == nil {
			doc = &draft.DocumentEdit{ID: id}
			documents[id] = doc
			order = append(order, id)
		}
		if !isLine {
			return doc, nil, nil
		}
		for i := range doc.Lines {
			if doc.Lines[i].ID == number {
				return doc, &doc.Lines[i], nil
			}
		}
		doc.Lines = append(doc.Lines, draft.LineEdit{ID: number})
		return doc, &doc.Lines[len(doc.Lines)-1], nil
	}
	for flag, values := range map[string][]string{"--quantity": c.Quantity, "--price": c.Price} {
		for _, v := range values {
			at, text, ok := strings.Cut(v, "=")
			n, err := decimal.Parse(strings.Replace(text, ",", ".", 1))
			if !ok || err != nil || !strings.Contains(at, ":") {
				return draft.Edits{}, fmt.Errorf("%w: %s must be DOC:LINE=N, for example 1:3=20", errUsage, flag)
			}
			_, l, err := line(at)
			if err != nil {
				return draft.Edits{}, err
			}
			if flag == "--price" {
				l.Price = decimal.Some(n)
			} else {
				l.Quantity = decimal.Some(n)
			}
		}
	}
	for _, v := range c.Drop {
		doc, l, err := line(v)
		if err != nil {
			return draft.Edits{}, err
		}
		if l != nil {
			l.Drop = true
		} else {
			doc.Drop = true
		}
	}
	if len(order) == 0 {
		return draft.Edits{}, fmt.Errorf("%w: nothing to change: use --quantity, --price or --drop", errUsage)
	}
	var edits draft.Edits
	for _, id := range order {
		edits.Documents = append(edits.Documents, *documents[id])
	}
	return edits, nil
}

// documentNamed returns a document by its number in the draft, from 1, or its ID.
func documentNamed(d tool.Draft, name string) (stockhand.DocumentID, error) {
	if n, err := strconv.Atoi(name); err == nil && n >= 1 && n <= len(d.Documents) {
		return d.Documents[n-1].ID, nil
	}
	id := stockhand.DocumentID(name)
	if slices.ContainsFunc(d.Documents, func(doc tool.DraftDocument) bool { return doc.ID == id }) {
		return id, nil
	}
	return "", fmt.Errorf("%w: the draft has no document %q; they are numbered 1 to %d", errUsage, name,
		len(d.Documents))
}

type draftsConfirmCmd struct {
	Draft     string   `arg:"" help:"The draft's id."`
	Version   int64    `placeholder:"N" help:"The version that was shown. Required without a terminal."`
	Documents []string `placeholder:"DOC" help:"Only these documents, by number or id (default: all that wait)."`
	DryRun    bool     `help:"Show what would be sent and what stands in the way, and send nothing."`
	shows
}

func (c *draftsConfirmCmd) Run(ctx context.Context, e *env) error {
	return withDraft(ctx, e, c.Draft, func(s *local, d tool.Draft) error {
		only, err := c.chosen(d)
		if err != nil {
			return err
		}
		if c.DryRun {
			preview, err := s.Drafts.Preview(ctx, s.person(),
				draft.Decision{Draft: d.ID, Version: cmp.Or(c.Version, d.Version), Documents: only})
			if err != nil {
				return worded(err, d.Language)
			}
			if c.JSON {
				return printJSON(e.streams.Out, map[string]any{"verdicts": preview.Verdicts})
			}
			showVerdicts(e.streams.Out, d, preview.Verdicts)
			return nil
		}
		if c.Version == 0 {
			if !e.interactive() {
				return fmt.Errorf("%w: give the version that was shown: --version %d", errUsage, d.Version)
			}
			if err := c.print(e, d); err != nil {
				return err
			}
			if yes, err := e.agree(ctx, d, true); err != nil || !yes {
				return err
			}
			c.Version = d.Version
		}
		return worded(s.confirm(ctx, e, d.ID, c.Version, only, c.shows), d.Language)
	})
}

func (c *draftsConfirmCmd) chosen(d tool.Draft) ([]stockhand.DocumentID, error) {
	var only []stockhand.DocumentID
	for _, names := range c.Documents {
		for _, name := range strings.Split(names, ",") {
			id, err := documentNamed(d, name)
			if err != nil {
				return nil, err
			}
			only = append(only, id)
		}
	}
	return only, nil
}

// confirm confirms a draft for the user and shows the outcome. It returns an error if a document was not written.
func (s *local) confirm(ctx context.Context, e *env, id stockhand.DraftID, version int64, only []stockhand.DocumentID,
	o shows) error {
	confirmed, err := s.Drafts.Confirm(ctx, s.person(), draft.Decision{Draft: id, Version: version, Documents: only})
	if err != nil {
		return err
	}
	d, err := tool.ReadDraft(confirmed)
	if err != nil {
		return err
	}
	o.brief = true
	if err := o.print(e, d); err != nil {
		return err
	}
	for _, doc := range d.Documents {
		if doc.ConfirmedVersion == version && doc.State != stockhand.DocumentApplied || doc.Problem != "" {
			return errReported // the printed draft says what happened
		}
	}
	return nil
}

// agree asks the user whether to confirm what was just shown. A stored draft can be confirmed later.
func (e *env) agree(ctx context.Context, d tool.Draft, kept bool) (bool, error) {
	l := d.Language
	said, err := e.prompt().line(ctx, l.Pick("Подтвердить? Наберите «подтверждаю»: ", "Confirm? Type \"confirm\": "))
	if errors.Is(err, io.EOF) {
		err = nil
	}
	if err == nil && !draft.Confirms(said) {
		fmt.Fprintln(e.streams.Err, l.Pick("Не подтверждено, ничего не отправлено.",
			"Not confirmed; nothing was sent."))
		if kept {
			fmt.Fprintf(e.streams.Err, "%s stockhand drafts confirm %s --version %d\n",
				l.Pick("Подтвердить позже:", "To confirm later:"), d.ID, d.Version)
		}
		return false, nil
	}
	return err == nil, err
}

type draftsRejectCmd struct {
	Draft   string `arg:"" help:"The draft's id."`
	Version int64  `required:"" placeholder:"N" help:"The version that was shown; another one is refused."`
	shows
}

func (c *draftsRejectCmd) Run(ctx context.Context, e *env) error {
	return withDraft(ctx, e, c.Draft, func(s *local, d tool.Draft) error {
		rejected, err := s.Drafts.Reject(ctx, s.person(), d.ID, c.Version)
		if err != nil {
			return worded(err, d.Language)
		}
		c.brief = true
		return c.printStored(e, rejected)
	})
}

type draftsUndoCmd struct {
	Draft string `arg:"" help:"The id of the draft whose written documents are to be taken back."`
	shows
}

func (c *draftsUndoCmd) Run(ctx context.Context, e *env) error {
	return withDrafts(ctx, e, func(s *local) error {
		d, err := s.Drafts.Undo(ctx, s.person(), stockhand.DraftID(c.Draft))
		if err != nil {
			return err
		}
		return c.printStored(e, d)
	})
}

type draftsResumeCmd struct{}

// Run resumes documents and lists the drafts, among the latest two hundred, that are still unfinished.
func (draftsResumeCmd) Run(ctx context.Context, e *env) error {
	return withDrafts(ctx, e, func(s *local) error {
		if err := s.Drafts.Resume(ctx); err != nil {
			return err
		}
		all, err := s.Drafts.List(ctx, s.Org, "", 200)
		if err != nil {
			return err
		}
		left := 0
		for _, d := range all {
			shown, err := tool.ReadDraft(d)
			if err != nil {
				return err
			}
			if slices.ContainsFunc(shown.Documents,
				func(doc tool.DraftDocument) bool { return unfinished(doc.State) }) {
				fmt.Fprintf(e.streams.Out, "%s  %s  %s\n", d.ID, states(shown), table.OneLine(shown.Title))
				left++
			}
		}
		if left > 0 {
			fmt.Fprintf(e.streams.Err, "%d drafts are not finished yet: run this command again later.\n", left)
			return errReported
		}
		fmt.Fprintln(e.streams.Out, "No confirmed document is unfinished.")
		return nil
	})
}

// unfinished reports whether a document was confirmed and its outcome is not known yet.
func unfinished(s stockhand.DocumentState) bool {
	return s == stockhand.DocumentConfirmed || s == stockhand.DocumentApplying || s == stockhand.DocumentUnknown
}
