package cli

import (
	"context"
	"errors"
	"os/user"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/app"
	"github.com/stockhand/stockhand/internal/tool"
)

// local is the service in this process, used by the person at the command line.
type local struct{ *app.Service }

// localConfig is what the environment says, with the user's data folder for what it leaves open.
func localConfig(e *env) (app.Config, error) {
	c, err := app.ReadConfig(e.getenv)
	if err != nil {
		return c, err
	}
	return c.InDataFolder(e.getenv)
}

// openLocal opens the record that the environment names, or the one in the user's data folder. It sends nothing to an
// external system.
func openLocal(ctx context.Context, e *env) (*local, error) {
	c, err := localConfig(e)
	if err != nil {
		return nil, err
	}
	s, err := app.OpenLocal(ctx, c)
	if err != nil {
		return nil, err
	}
	return &local{s}, nil
}

// openReal opens the record and connects the accounts that the environment names.
func openReal(ctx context.Context, e *env) (*local, error) {
	c, err := app.ReadConfig(e.getenv)
	if err != nil {
		return nil, err
	}
	if len(c.Tokens) == 0 {
		return nil, errors.Join(errUsage,
			stockhand.Errorf(stockhand.CodeValidation, "no account to ask: STOCKHAND_MOYSKLAD_TOKEN is not set").
				WithHint("set it to an employee token of the account, or try the generated shop: stockhand ask --demo \"…\""))
	}
	s, err := openLocal(ctx, e)
	if err != nil {
		return nil, err
	}
	for _, token := range c.Tokens {
		if err := s.Connect(ctx, token.Connector, token.Token, ""); err != nil {
			s.Close()
			return nil, err
		}
	}
	return s, nil
}

// person is who runs the command. Only people may confirm, and the user of this command line is one.
func (s *local) person() stockhand.Actor {
	return stockhand.Actor{Org: s.Org, Name: "cli:" + login(), Person: true}
}

// login is the name of the user who runs the program.
func login() string {
	if u, err := user.Current(); err == nil {
		return u.Username
	}
	return "unknown"
}

// read finds a draft by its id and decodes it.
func (s *local) read(ctx context.Context, id string) (tool.Draft, error) {
	d, err := s.Drafts.Draft(ctx, s.Org, stockhand.DraftID(id))
	if err != nil {
		return tool.Draft{}, err
	}
	return tool.ReadDraft(d)
}

// named finds the connection that a person means by a label, an account id or a connection id.
func (s *local) named(ctx context.Context, name string) (stockhand.ConnectionID, error) {
	all, err := s.Store.Connections(ctx, s.Org)
	if err != nil {
		return "", err
	}
	return pick(mapped(all, func(c stockhand.Connection) candidate {
		return candidate{c.ID, c.Account, c.Label}
	}), name)
}
