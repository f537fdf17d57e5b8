package command

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/pflag"

	"github.com/stockhand/stockhand/internal/cli/table"
)

// Help prints the help in lines of at most that width.
func (c *Command) Help(w io.Writer, width int) {
	fmt.Fprintf(w, "Usage: %s\n\n%s\n", c.usage(c.Path, " [flags]"), table.Wrap(c.summary, width))
	for paragraph := range strings.SplitSeq(c.detail, "\n\n") {
		if !strings.HasPrefix(paragraph, " ") { // an example otherwise
			paragraph = table.Wrap(paragraph, width)
		}
		if paragraph != "" {
			fmt.Fprintf(w, "\n%s\n", paragraph)
		}
	}
	var arguments, commands [][2]string
	for _, v := range c.arguments {
		arguments = append(arguments, [2]string{v.shown, v.help})
	}
	for _, child := range c.children {
		commands = append(commands, [2]string{child.usage(strings.Join(child.names, ", "), ""), child.summary})
	}
	flags := [][2]string{{"-h, --help", "Show this help."}}
	c.flags.VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			v := f.Value.(*value)
			flags = append(flags, [2]string{"    " + v.shown, v.help})
		}
	})
	columns(w, "Arguments", arguments, width)
	columns(w, "Commands", commands, width)
	columns(w, "Flags", flags, width)
	if len(commands) > 0 {
		fmt.Fprintf(w, "\nRun \"%s <command> --help\" for more information on a command.\n", c.Path)
	}
}

// usage returns how to call the command by that name, with the addition if it has flags that may be left out.
func (c *Command) usage(name, flags string) string {
	words, optional := []string{name}, ""
	c.flags.VisitAll(func(f *pflag.Flag) {
		if v := f.Value.(*value); v.required {
			words = append(words, v.shown)
		} else {
			optional = flags
		}
	})
	for _, v := range c.arguments {
		words = append(words, v.shown)
	}
	if len(c.children) > 0 {
		words = append(words, "<command>")
	}
	return strings.Join(words, " ") + optional
}

// columns prints names beside their texts; a long name has a line of its own.
func columns(w io.Writer, title string, rows [][2]string, width int) {
	const gap, longest = 2, 30
	if len(rows) == 0 {
		return
	}
	fmt.Fprintf(w, "\n%s:\n", title)
	left := 0
	for _, row := range rows {
		if len(row[0]) <= longest {
			left = max(left, len(row[0]))
		}
	}
	margin := "\n" + strings.Repeat(" ", gap+left+gap)
	for _, row := range rows {
		name, text := fmt.Sprintf("%-*s", left+gap, row[0]), table.Wrap(row[1], max(width-len(margin)+1, 20))
		if len(row[0]) > left {
			name = row[0] + margin
		}
		fmt.Fprintf(w, "  %s%s\n", name, strings.ReplaceAll(text, "\n", margin))
	}
}
