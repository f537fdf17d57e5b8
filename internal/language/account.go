package language

import (
	"slices"
	"strings"
)

// readAccounts finds which connected accounts the task mentions.
func (r *reader) readAccounts(out *Reading) {
	accounts := slices.Clone(r.in.Accounts)
	slices.SortStableFunc(accounts, func(a, b Account) int { return len(b.Label) - len(a.Label) }) // "Магазин 2" before "Магазин"
	low := normalize(r.task)
	for _, a := range accounts {
		if a.ID != "" && strings.Contains(low, normalize(string(a.ID))) {
			for i := range r.ts {
				if id := normalize(string(a.ID)); strings.Contains(id, r.ts[i].norm) && len(r.ts[i].norm) > 2 {
					r.ts[i].use = asAccount
				}
			}
			out.Accounts = append(out.Accounts, a)
			continue
		}
		if at := r.labelAt(a.Label); at != nil {
			for _, i := range at {
				r.ts[i].use = asAccount
			}
			for i := max(0, at[0]-2); i < min(len(r.ts), at[len(at)-1]+3); i++ {
				if accountWords[r.ts[i].norm] {
					r.ts[i].use = asAccount
				}
			}
			out.Accounts = append(out.Accounts, a)
		}
	}
	switch len(out.Accounts) {
	case 0:
	case 1:
		out.Account = &out.Accounts[0]
	default:
		same := slices.ContainsFunc(out.Accounts[1:], func(a Account) bool { return a.ID != out.Accounts[0].ID })
		if same {
			out.Consolidate = true
		} else {
			out.Account = &out.Accounts[0]
		}
	}
}

// accountWords say that the name beside them is an account's label.
var accountWords = set("аккаунт аккаунта аккаунту аккаунте аккаунтом account кабинет кабинета кабинету кабинете подключение подключению подключения connection учетка учетке учетку")

// labelAt finds the words of a label together. A label made of everyday words counts only in quotes or beside a word
// such as "аккаунт".
func (r *reader) labelAt(label string) []int {
	var want []token
	for _, t := range tokenize(label) {
		if t.kind != mark {
			want = append(want, t)
		}
	}
	if len(want) == 0 {
		return nil
	}
	for i := range r.ts {
		if r.ts[i].use != unused {
			continue
		}
		if r.ts[i].kind == quoted && r.ts[i].norm == normalize(label) {
			return []int{i}
		}
		var at []int
		j, special := i, false
		for _, w := range want {
			for j < len(r.ts) && r.ts[j].kind == mark && len(at) > 0 {
				j++
			}
			if j >= len(r.ts) || r.ts[j].use != unused || r.ts[j].kind != w.kind || r.ts[j].stemOrNumber() != w.stemOrNumber() {
				at = nil
				break
			}
			if w.kind == word && !r.x.explains(&r.ts[j]) && !isKindWord(w.norm) {
				special = true
			}
			at = append(at, j)
			j++
		}
		if at == nil {
			continue
		}
		for k := max(0, i-2); k < min(len(r.ts), j+2); k++ {
			special = special || accountWords[r.ts[k].norm]
		}
		if special && (len(r.in.Accounts) > 1 || r.nearAccountWord(i, j)) {
			return at
		}
	}
	return nil
}

func (r *reader) nearAccountWord(i, j int) bool {
	for k := max(0, i-2); k < min(len(r.ts), j+2); k++ {
		if accountWords[r.ts[k].norm] {
			return true
		}
	}
	return false
}
