// Package command makes commands of structs. A field is a subcommand (tag cmd), an argument (tag arg) or a flag, and an
// embedded struct adds its own fields. More tags:
//
//   - help describes the field; name replaces its name in lower case with hyphens
//   - aliases: other names of a subcommand, separated by commas
//   - optional: the argument may be missing; a list as the last argument takes all that follow
//   - required: the flag must be given; xor: only one flag with the same value of this tag may be given
//   - negatable: there is also --no-NAME
//   - default, placeholder, enum (the allowed values), type:"path" (becomes an absolute path)
//
// Flags of lists take several values, separated by commas. pflag parses the flags.
package command

import (
	"cmp"
	"reflect"
	"slices"
	"strings"
	"unicode"

	"github.com/spf13/pflag"
)

// ErrHelp is returned for --help and -h.
var ErrHelp = pflag.ErrHelp

// Command is a command or a group of commands.
type Command struct {
	Path string // its name after those of the groups
	Spec any    // points to the struct

	summary, detail string
	names           []string // the aliases follow the name
	children        []*Command
	arguments       []*value
	flags           *pflag.FlagSet
}

// New returns the command of the struct that spec points to. If spec has a method Help, the help shows its text too.
func New(name, summary string, spec any) *Command {
	c := &Command{Path: name, Spec: spec, summary: summary, flags: pflag.NewFlagSet(name, pflag.ContinueOnError)}
	if d, ok := spec.(interface{ Help() string }); ok {
		c.detail = d.Help()
	}
	c.flags.SortFlags = false
	c.flags.Usage = func() {} // ErrHelp is enough
	c.add(reflect.ValueOf(spec).Elem())
	c.flags.SetInterspersed(len(c.children) == 0) // what follows a command's name is for that command
	return c
}

func (c *Command) add(fields reflect.Value) {
	for f, field := range fields.Fields() {
		name := cmp.Or(f.Tag.Get("name"), hyphenated(f.Name))
		switch {
		case f.Anonymous:
			c.add(field)
		case !f.IsExported():
		case tagged(f, "cmd"):
			child := New(c.Path+" "+name, f.Tag.Get("help"), field.Addr().Interface())
			child.names = append([]string{name}, list(f, "aliases")...)
			c.children = append(c.children, child)
		case tagged(f, "arg"):
			c.arguments = append(c.arguments, argumentOf(f, field, name))
		default:
			c.addFlag(flagOf(f, field, name), name, tagged(f, "negatable"))
		}
	}
}

func (c *Command) addFlag(v *value, name string, negatable bool) {
	f := c.flags.VarPF(v, name, "", v.help)
	if v.isBool() {
		f.NoOptDefVal = "true"
	}
	if negatable {
		v.shown = "--[no-]" + name
		no := c.flags.VarPF(&value{field: v.field, name: "--no-" + name, clears: true}, "no-"+name, "", v.help)
		no.NoOptDefVal, no.Hidden = "true", true
	}
}

// Parse sets the fields of the command that the arguments name and returns it. With an error, which is ErrHelp or an
// *Error, it returns the command whose help to show.
func (c *Command) Parse(args []string) (*Command, error) {
	if err := c.flags.Parse(args); err != nil {
		return c, c.explained(err)
	}
	args = c.flags.Args()
	switch {
	case len(c.children) == 0:
		return c, c.accept(args)
	case len(args) == 0:
		return c, wrong("нужна команда: %s", "a command is needed: %s", strings.Join(c.commands(), ", "))
	}
	if child := c.child(args[0]); child != nil {
		return child.Parse(args[1:])
	}
	return c, wrong("нет команды %q", "unknown command %q", args[0]).instead(args[0], c.commands())
}

// accept sets the arguments and checks what was given as a whole.
func (c *Command) accept(args []string) error {
	var missing []string
	exclusive := map[string]string{}
	var err error
	c.flags.VisitAll(func(f *pflag.Flag) {
		v := f.Value.(*value)
		switch {
		case v.required && !f.Changed:
			missing = append(missing, v.shown)
		case v.group != "" && f.Changed && exclusive[v.group] != "":
			err = wrong("%s и %s нельзя указать вместе", "%s and %s cannot be given together",
				exclusive[v.group], v.name)
		case v.group != "" && f.Changed:
			exclusive[v.group] = v.name
		}
	})
	if err != nil {
		return err
	}
	for _, v := range c.arguments {
		takes := min(1, len(args))
		if v.isList() {
			takes = len(args)
		}
		if takes == 0 && v.required {
			missing = append(missing, v.name)
		}
		for _, text := range args[:takes] {
			if err := v.assign(text); err != nil {
				return err
			}
		}
		args = args[takes:]
	}
	switch {
	case len(missing) > 0:
		return wrong("не указано: %s", "missing: %s", strings.Join(missing, ", "))
	case len(args) > 0:
		return wrong("лишний аргумент %q", "unexpected argument %q", args[0])
	}
	return nil
}

// Complete returns what the last word may become: commands, flags, or values of a flag or argument.
func (c *Command) Complete(words []string) []string {
	last := len(words) - 1
	var all []string
	var given *value // the flag whose value is expected next
	for _, word := range words[:last] {
		if given != nil {
			given = nil
		} else if f := c.flags.Lookup(strings.TrimPrefix(word, "--")); f != nil && strings.HasPrefix(word, "--") {
			if given = f.Value.(*value); given.isBool() {
				given = nil
			}
		} else if child := c.child(word); child != nil {
			c = child
		}
	}
	switch {
	case given != nil:
		all = given.enum
	case strings.HasPrefix(words[last], "-"):
		all = c.flagNames()
	case len(c.children) > 0:
		all = c.commands()
	default:
		for _, v := range c.arguments {
			all = append(all, v.enum...)
		}
	}
	return filter(all, func(s string) bool { return strings.HasPrefix(s, words[last]) })
}

func (c *Command) child(name string) *Command {
	i := slices.IndexFunc(c.children, func(child *Command) bool { return slices.Contains(child.names, name) })
	if i < 0 {
		return nil
	}
	return c.children[i]
}

func (c *Command) commands() (names []string) {
	for _, child := range c.children {
		names = append(names, child.names[0])
	}
	return names
}

func (c *Command) flagNames() []string {
	names := []string{"--help"}
	c.flags.VisitAll(func(f *pflag.Flag) { names = append(names, "--"+f.Name) })
	return names
}

func filter(all []string, keep func(string) bool) (kept []string) {
	for _, s := range all {
		if keep(s) {
			kept = append(kept, s)
		}
	}
	return kept
}

// hyphenated returns the name of a field as a flag: ExpiresInDays is expires-in-days, DocURL is doc-url.
func hyphenated(name string) string {
	var b strings.Builder
	for i, r := range name {
		if i > 0 && unicode.IsUpper(r) && (unicode.IsLower(rune(name[i-1])) ||
			i+1 < len(name) && unicode.IsLower(rune(name[i+1]))) {
			b.WriteByte('-')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}
