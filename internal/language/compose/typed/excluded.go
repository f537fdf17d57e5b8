package typed

import (
	"slices"

	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// excludedBehind reads an exception whose words stand behind its name, or behind a kind of goods: "walk-in retail
// doesn't count", "услуги не считай" (rule R782). They are moved in front of it.
func (s *Sentence) excludedBehind() {
	for i, it := range s.Items {
		if it.Kind != Named && (it.Kind != Dimension || it.ID != "kind") || i > 0 && s.Items[i-1].Kind == Except {
			continue
		}
		behind := it.End
		if it.Kind == Named {
			behind = max(behind, slices.Max(it.Name.At)+1)
		}
		end, n := s.exclusion(behind)
		if n == 0 {
			continue
		}
		i = s.firstOfList(i)
		except := &Item{Kind: Except, At: behind, End: end}
		rest := slices.DeleteFunc(slices.Clone(s.Items[i:]), func(x *Item) bool { return x.At >= behind && x.At < end })
		s.Items = slices.Concat(s.Items[:i], []*Item{except}, rest)
		return
	}
}

// firstOfList returns the first item of a list of names whose last one is item i: "сборку и доставку не считай".
func (s *Sentence) firstOfList(i int) int {
	for k := i - 1; k > 0 && s.Items[k].Kind == Joining; {
		for k--; k >= 0 && s.Items[k].Kind == Function; k-- {
		}
		if k < 0 || s.Items[k].Kind != Named {
			break
		}
		i = k
		k--
	}
	return i
}

// exclusion returns the token behind words at a token which say that what stands before them is left out, and how many
// of them say so.
func (s *Sentence) exclusion(at int) (end, n int) {
	denied := false
	for end = at; end < len(s.Tokens); end++ {
		t := &s.Tokens[end]
		switch w := t.Norm; {
		case t.Use != token.Unused:
			return end, n
		case excludes[w], denied && counts[w]:
			n++
			return end + 1, n
		case w == "not" || w == "не":
			denied = true
		case !besideCount[w]:
			return end, n
		}
	}
	return end, n
}

var (
	excludes = words.Set("excluded aside ignored omitted исключая исключить исключи исключаем")
	counts   = words.Set("count counted counting included include counts considered matter считать считай считаем " +
		"считается считаются учитывать учитывай учитываем учитывается берем бери брать счет включай включать нужны нужна " +
		"нужен нужно")
	besideCount = words.Set("do does did is are should to be в и пожалуйста please customers customer buyers clients sales " +
		"покупателя покупателей покупатель клиента клиентов")
)
