package cli

import (
	"context"
	"fmt"
	"io"

	"github.com/stockhand/stockhand/internal/cli/command"
)

// completionCmd prints a completion script. The script asks the program for candidates with the hidden argument
// completeArg, so it does not depend on the commands.
type completionCmd struct {
	Shell string `arg:"" enum:"bash,zsh,fish" help:"bash, zsh or fish."`
}

// Help adds to stockhand completion --help.
func (completionCmd) Help() string {
	return "bash, in ~/.bashrc:\n\n    source <(stockhand completion bash)\n\n" +
		"zsh, in ~/.zshrc after compinit:\n\n    source <(stockhand completion zsh)\n\n" +
		"fish:\n\n    stockhand completion fish > ~/.config/fish/completions/stockhand.fish"
}

const completeArg = "__complete"

var shells = map[string]string{
	"bash": `_stockhand() {
  local IFS=$'\n'
  COMPREPLY=($(compgen -W "$(stockhand __complete "${COMP_WORDS[@]:1:COMP_CWORD}")" -- "${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _stockhand stockhand
`,
	"zsh": `_stockhand() {
  local -a candidates
  candidates=("${(@f)$(stockhand __complete "${(@)words[2,CURRENT]}")}")
  if [[ -n "${candidates[1]}" ]]; then compadd -- "${candidates[@]}"; else _files; fi
}
compdef _stockhand stockhand
`,
	"fish": `complete -c stockhand -a '(set -l w (commandline -opc) (commandline -ct); stockhand __complete $w[2..])'
`,
}

func (c completionCmd) Run(_ context.Context, e *env) error {
	_, err := fmt.Fprint(e.streams.Out, shells[c.Shell])
	return err
}

// complete prints the candidates for the last word.
func complete(w io.Writer, root *command.Command, words []string) {
	if len(words) == 0 {
		words = []string{""}
	}
	for _, candidate := range root.Complete(words) {
		fmt.Fprintln(w, candidate)
	}
}
