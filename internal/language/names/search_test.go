package names

import "testing"

func TestGoodsAreSearchedForByWhatTheirNamesHaveInCommon(t *testing.T) { // rule R954
	for _, c := range []struct {
		said, want string
		list       []string
	}{
		{"салатник", "салатник", []string{"Салатник сталь 1 л", "Салатник с рисунком"}},
		{"кружек", "кружк", []string{"Кружка сталь", "Кружка эмаль"}},
		{"сковороду", "сковород", []string{"Сковорода сталь", "Сковорода эмаль"}},
		{"кружек", "круж", []string{"Кружка сталь", "Подставка для кружек"}},
		{"чай 200", "чай 200", []string{"Чай зелёный 200 г"}},
	} {
		if got := Search(c.said, c.list); got != c.want {
			t.Errorf("%q is searched for as %q, want %q", c.said, got, c.want)
		}
	}
}
