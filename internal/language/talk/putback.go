package talk

import (
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/language"
	"github.com/stockhand/stockhand/internal/language/act"
	"github.com/stockhand/stockhand/internal/language/draft"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// putBack reads "верни кружки" after a line was taken out of a list: the conversation is read as if that had not been
// said (rule R967).
func (t *talk) putBack(task string, last *language.Reading) *language.Reading {
	if !lists(last.Skill) || last.Question != nil {
		return nil
	}
	var name []string
	back := false
	for _, x := range token.Split(task) {
		switch {
		case puttingBack[x.Norm]:
			back = true
		case x.Kind == token.Mark, backThere[x.Norm]:
		default:
			name = append(name, x.Raw)
		}
	}
	if !back || len(name) == 0 {
		return nil
	}
	said := strings.Join(name, " ")
	for i, text := range slices.Backward(t.in.Earlier) {
		a := act.Read(text)
		if a.Kind != act.Drop || len(a.Names) != 1 || len(a.Lines) > 0 || !act.Names(said, a.Names[0]) {
			continue
		}
		before := *t
		before.in.Earlier = slices.Delete(slices.Clone(t.in.Earlier), i, i+1)
		before.read = nil
		x := before.said(len(before.in.Earlier))
		if x == nil || x.Skill != last.Skill || !complete(x) || same(x, last) {
			return nil
		}
		d, ok := x.Input.(draft.Draft)
		if !ok || !listed(&d) {
			return nil
		}
		return of(last, d)
	}
	return nil
}

var (
	puttingBack = words.Set("верни верните вернуть вернем возвращай восстанови restore")
	backThere   = words.Set("и а ну ладно нет все-таки всё-таки таки назад обратно в заказ заказе черновик список " +
		"тоже пожалуйста давай лучше на место put back")
)
