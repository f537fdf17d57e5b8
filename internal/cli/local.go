package cli

import (
	"context"
	"errors"
	"os/user"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/app"
	"github.com/stockhand/stockhand/internal/tool"
)

// local is the service in this process, used from the command line.
type local struct{ *app.Service }

// localConfig reads the environment, with the user's data folder for unset paths.
func localConfig(e *env) (app.Config, error) {
	c, err := app.ReadConfig(e.getenv)
	if err != nil {
		return c, err
	}
	return c.InDataFolder(e.getenv)
}

// openLocal opens the database of the environment, or the one in the user's data folder. It sends nothing to an
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

// openReal opens the database and connects the accounts of the environment.
func openReal(ctx context.Context, e *env) (*local, error) {
	c, err := app.ReadConfig(e.getenv)
	if err != nil {
		return nil, err
	}
	if len(c.Tokens) == 0 {
		return nil, errors.Join(errUsage,
			stockhand.Errorf(stockhand.CodeValidation, "no account: STOCKHAND_MOYSKLAD_TOKEN is not set").
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

// person returns the user who runs the command as an actor, who may do everything. Only people may confirm drafts.
func (s *local) person() stockhand.Actor {
	return stockhand.Actor{Org: s.Org, Name: "cli:" + login(), Person: true,
		Scopes: []stockhand.Scope{stockhand.ScopeAdmin}}
}

// login returns the name of the user who runs the program.
func login() string {
	if u, err := user.Current(); err == nil {
		return u.Username
	}
	return "unknown"
}

// read reads a draft by ID.
func (s *local) read(ctx context.Context, id string) (tool.Draft, error) {
	d, err := s.Drafts.Draft(ctx, s.Org, stockhand.DraftID(id))
	if err != nil {
		return tool.Draft{}, err
	}
	return tool.ReadDraft(d)
}

// named returns the connection with a label, account ID or connection ID.
func (s *local) named(ctx context.Context, name string) (stockhand.ConnectionID, error) {
	all, err := s.Store.Connections(ctx, s.Org)
	if err != nil {
		return "", err
	}
	return pick(mapped(all, func(c stockhand.Connection) candidate {
		return candidate{c.ID, c.Account, c.Label}
	}), name)
}
