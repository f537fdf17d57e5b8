package lookup

import (
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/connector"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

func (d *papers) number(it, prev *item) {
	if it.used || it.id != "document" || d.in.Number != "" {
		return
	}
	it.used = true
	if is(prev, numbered) {
		prev.used = true
	}
	if !d.inName(it) {
		d.in.Number = it.value
	}
}

// inName reports whether a number is part of the name in front of it: "заказы столовой №5".
func (d *papers) inName(n *item) bool {
	i := slices.Index(d.items, n) - 1
	for i >= 0 && (d.items[i].meaning == numbered || d.items[i].meaning == function) {
		i--
	}
	return i >= 0 && d.items[i].name != nil && slices.ContainsFunc(d.items[i].name.Meanings,
		func(m connector.Name) bool {
			return slices.ContainsFunc(token.Split(m.Name), func(t token.Token) bool { return t.Norm == n.value })
		})
}

// askName leaves it to a question which of several names is meant.
func (s *sentence) askName(it *item, found []connector.Name) {
	if s.unclear == nil {
		s.unclear, s.fits = it, found
	}
}

// takeName takes a name for what it may mean of some kinds, and returns that. Which is meant is asked, if several.
func (s *sentence) takeName(it *item, kinds ...connector.NameKind) []connector.Name {
	found := meanings(it.name, kinds...)
	if it.used = it.used || len(found) > 0; len(found) > 1 {
		s.askName(it, found)
	}
	return found
}

// comment reads the words of a comment that documents have: "заказы с комментарием срочно". "Комментарий к
// последнему заказу" asks for the comment itself, which lists show.
func (d *papers) comment(i int, it *item) {
	if it.end < len(d.ts) && commentOf[d.ts[it.end].Norm] && i+1 < len(d.items) {
		it.used, d.rows, d.items[i+1].used = true, true, true
		return
	}
	at, end := -1, -1
	for _, x := range d.items[i+1:] {
		if x.meaning != unexplained && x.meaning != function && x.meaning != name {
			break
		}
		if at < 0 {
			at = x.at
		}
		end, x.used = x.end, true
	}
	if at < 0 {
		return
	}
	it.used = true
	d.others++
	d.in.Text = d.raw(at, end)
	if end == at+1 && d.ts[at].Kind == token.Quoted {
		d.in.Text = d.ts[at].Raw
	}
}

var commentOf = words.Set("к ко у по of to on")

// numberAlone reads a task that is nothing but the number of a document: "00012", "№ 15".
func (s *sentence) numberAlone() *Reading {
	n := -1
	marked := false
	for i := range s.ts {
		t := &s.ts[i]
		switch {
		case t.Norm == "№" || t.Norm == "#" || t.Norm == "номер":
			marked = true
		case t.Kind == token.Number && n < 0 && !strings.ContainsAny(t.Norm, ",."):
			n = i
		case t.Kind != token.Mark:
			return nil
		}
	}
	const shortest, longest = 4, 8
	if n < 0 || len(s.ts[n].Norm) > longest ||
		!marked && (len(s.ts[n].Norm) < shortest || !strings.HasPrefix(s.ts[n].Norm, "0")) {
		return nil
	}
	for _, it := range s.items {
		it.used = true
	}
	return &Reading{Call: Call{Tool: documentsTool, Input: Documents{Number: s.ts[n].Norm}}, Listing: true}
}

// single reads one document by its number. A number of a type that shares numbers with another is asked about
// (rule R311).
func (d *papers) single() *Reading {
	noun := d.nouns[0]
	types, several := numberedTypes[noun]
	if noun == "any" {
		return &Reading{Call: Call{Tool: documentTool, Input: Document{Number: d.in.Number}}}
	}
	if !several || len(d.in.Kinds) == 1 && noun != "order" {
		return &Reading{Call: Call{Tool: documentTool, Input: Document{Kind: d.in.Kinds[0], Number: d.in.Number}}}
	}
	r := &Reading{Ask: WhichType}
	for _, k := range types {
		title := d.language().Pick(titles[k][0], titles[k][1])
		r.Options = append(r.Options, Option{Text: title + " " + d.in.Number,
			Call: Call{Tool: documentTool, Input: Document{Kind: k, Number: d.in.Number}}})
	}
	return r
}
