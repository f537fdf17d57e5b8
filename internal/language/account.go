package language

import (
	"slices"
	"strings"

	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// readAccounts finds the connected accounts that the task mentions: by the ID of the account or of a connection, or by
// a label. A label that several accounts share identifies none of them.
func (r *reader) readAccounts(out *Reading) {
	low := words.Fold(r.task)
	for _, a := range r.in.Accounts {
		connection, account := r.holdsID(low, string(a.Connection)), r.holdsID(low, string(a.ID))
		if !connection {
			a.Connection = ""
		}
		if connection || account {
			out.Accounts = append(out.Accounts, a)
		}
	}
	accounts := slices.Clone(r.in.Accounts)
	// "Магазин 2" before "Магазин"
	slices.SortStableFunc(accounts, func(a, b Account) int { return len(b.Label) - len(a.Label) })
	for _, a := range accounts {
		at := r.labelAt(a.Label)
		if at == nil {
			continue
		}
		for _, i := range at {
			r.ts[i].Use = token.AsAccount
		}
		for i := max(0, at[0]-2); i < min(len(r.ts), at[len(at)-1]+3); i++ {
			if accountWords[r.ts[i].Norm] {
				r.ts[i].Use = token.AsAccount
			}
		}
		alike := slices.DeleteFunc(slices.Clone(accounts),
			func(b Account) bool { return words.Fold(b.Label) != words.Fold(a.Label) })
		switch {
		// its ID is there, too
		case slices.ContainsFunc(out.Accounts, func(b Account) bool { return has(alike, b.ID) }):
		case slices.ContainsFunc(alike, func(b Account) bool { return b.ID != a.ID }):
			out.Alike = alike
		default:
			if len(alike) > 1 {
				a.Connection = ""
			}
			out.Accounts = append(out.Accounts, a)
		}
	}
	switch {
	case len(out.Accounts) == 0:
	case out.Alike != nil, slices.ContainsFunc(out.Accounts,
		func(a Account) bool { return a.ID != out.Accounts[0].ID }):
		out.Consolidate = true
	default:
		out.Account = &out.Accounts[max(0,
			slices.IndexFunc(out.Accounts, func(a Account) bool { return a.Connection != "" }))]
	}
}

// holdsID reports whether the task, folded, contains the ID, and marks its words as used.
func (r *reader) holdsID(task, id string) bool {
	id = words.Fold(id)
	if id == "" || !strings.Contains(task, id) {
		return false
	}
	for i := range r.ts {
		if strings.Contains(id, r.ts[i].Norm) && len(r.ts[i].Norm) > 2 {
			r.ts[i].Use = token.AsAccount
		}
	}
	return true
}

func has(accounts []Account, id stockhand.AccountID) bool {
	return slices.ContainsFunc(accounts, func(a Account) bool { return a.ID == id })
}

// accountWords are the words that say that the name beside them is an account's label.
var accountWords = words.Set("аккаунт аккаунта аккаунту аккаунте аккаунтом account кабинет кабинета " +
	"кабинету кабинете подключение подключению подключения connection учетка учетке учетку")

// labelAt finds the words of a label together. A label of everyday words counts only in quotes, beside a word such as
// "аккаунт", or before a colon at the beginning.
func (r *reader) labelAt(label string) []int {
	var want []token.Token
	for _, t := range token.Split(label) {
		if t.Kind != token.Mark {
			want = append(want, t)
		}
	}
	if len(want) == 0 {
		return nil
	}
	for i := range r.ts {
		if r.ts[i].Use != token.Unused {
			continue
		}
		if r.ts[i].Kind == token.Quoted && r.ts[i].Norm == words.Fold(label) {
			return []int{i}
		}
		var at []int
		j, special := i, false
		for _, w := range want {
			for j < len(r.ts) && r.ts[j].Kind == token.Mark && len(at) > 0 {
				j++
			}
			if j >= len(r.ts) || r.ts[j].Use != token.Unused || r.ts[j].Kind != w.Kind ||
				r.ts[j].StemOrNumber() != w.StemOrNumber() {
				at = nil
				break
			}
			if w.Kind == token.Word && !r.x.explains(&r.ts[j]) && !isKindWord(w.Norm) {
				special = true
			}
			at = append(at, j)
			j++
		}
		if at == nil {
			continue
		}
		if r.namedAsAccount(i, j) || special && len(r.in.Accounts) > 1 {
			return at
		}
	}
	return nil
}

// namedAsAccount reports whether the task says that the words from i to j are an account: "аккаунт X", or "X: …".
func (r *reader) namedAsAccount(i, j int) bool {
	if i == 0 && j < len(r.ts) && r.ts[j].Raw == ":" {
		return true
	}
	for k := max(0, i-2); k < min(len(r.ts), j+2); k++ {
		if accountWords[r.ts[k].Norm] {
			return true
		}
	}
	return false
}
