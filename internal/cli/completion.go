package cli

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
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

func (c completionCmd) Run(e *env) error {
	_, err := fmt.Fprint(e.streams.Out, shells[c.Shell])
	return err
}

// complete prints the candidates for the last word: commands, flags, or values of a flag or argument.
func complete(w io.Writer, root *kong.Node, words []string) {
	if len(words) == 0 {
		words = []string{""}
	}
	node, value := root, (*kong.Value)(nil) // value is the flag whose value is expected next
	flags := slices.Clone(root.Flags)
	for _, word := range words[:len(words)-1] {
		if value != nil {
			value = nil
			continue
		}
		if strings.HasPrefix(word, "-") {
			i := slices.IndexFunc(flags, func(f *kong.Flag) bool { return "--"+f.Name == word })
			if i >= 0 && !flags[i].IsBool() {
				value = flags[i].Value
			}
			continue
		}
		i := slices.IndexFunc(node.Children, func(n *kong.Node) bool { return n.Name == word })
		if i >= 0 {
			node = node.Children[i]
			flags = append(flags, node.Flags...)
		}
	}
	last := words[len(words)-1]
	for _, candidate := range candidates(node, flags, value, last) {
		if candidate != "" && strings.HasPrefix(candidate, last) {
			fmt.Fprintln(w, candidate)
		}
	}
}

func candidates(node *kong.Node, flags []*kong.Flag, value *kong.Value, last string) (all []string) {
	switch {
	case value != nil:
		return value.EnumSlice()
	case strings.HasPrefix(last, "-"):
		for _, f := range flags {
			if !f.Hidden {
				all = append(all, "--"+f.Name)
			}
		}
		return all
	}
	for _, n := range node.Children {
		if !n.Hidden {
			all = append(all, n.Name)
		}
	}
	for _, a := range node.Positional {
		all = append(all, a.EnumSlice()...)
	}
	return all
}
