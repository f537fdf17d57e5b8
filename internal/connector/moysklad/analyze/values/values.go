// Package values recognizes the values of dimensions that can have only certain ones, in people's words: weekdays,
// kinds of goods, intervals of time. It reads nothing.
package values

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/stockhand/stockhand/internal/tool"
	"github.com/stockhand/stockhand/internal/words"
)

// Value is a value of a closed list and what people call it in both languages. The first name is for display.
type Value struct {
	Key   string
	Names tool.Text // for display
	Also  []string  // other names
	Parts []string  // the keys that it stands for, if not its own: the weekend is two days
}

func (v Value) keys() []string {
	if v.Parts != nil {
		return v.Parts
	}
	return []string{v.Key}
}

func (v Value) called() []string { return append([]string{v.Key, v.Names.RU, v.Names.EN}, v.Also...) }

// Find returns the keys that a text names; nil if it names no value of the list.
func Find(list []Value, text string) []string {
	for _, v := range list {
		if slices.ContainsFunc(v.called(), func(name string) bool { return Like(text, name) }) {
			return v.keys()
		}
	}
	return nil
}

// Containing returns the keys of the values whose names contain a text.
func Containing(list []Value, text string) (keys []string) {
	folded := fold(text)
	for _, v := range list {
		if slices.ContainsFunc(v.called(), func(name string) bool { return strings.Contains(fold(name), folded) }) {
			keys = append(keys, v.keys()...)
		}
	}
	return keys
}

// Like reports whether two phrases are the same but for the endings of their words, of at most two letters.
func Like(x, y string) bool {
	a, b := strings.Fields(fold(x)), strings.Fields(fold(y))
	return len(a) > 0 && slices.EqualFunc(a, b, func(x, y string) bool {
		if x == y {
			return true
		}
		same := 0
		r := []rune(y)
		for _, c := range x {
			if same == len(r) || r[same] != c {
				break
			}
			same++
		}
		return same >= 3 && max(utf8.RuneCountInString(x), len(r))-same <= 2
	})
}

func fold(s string) string { return strings.Trim(words.Fold(strings.TrimSpace(s)), ".") }

// Weekdays are the days of a week, by their keys in [analysis.Interval].
var Weekdays = []Value{
	{Key: "1", Names: text("понедельник", "Monday"), Also: []string{"пн", "mon"}},
	{Key: "2", Names: text("вторник", "Tuesday"), Also: []string{"вт", "tue", "tues"}},
	{Key: "3", Names: text("среда", "Wednesday"), Also: []string{"ср", "wed"}},
	{Key: "4", Names: text("четверг", "Thursday"), Also: []string{"чт", "thu", "thur", "thurs"}},
	{Key: "5", Names: text("пятница", "Friday"), Also: []string{"пт", "fri"}},
	{Key: "6", Names: text("суббота", "Saturday"), Also: []string{"сб", "sat"}},
	{Key: "7", Names: text("воскресенье", "Sunday"), Also: []string{"вс", "sun"}},
	{Key: "6–7", Names: text("выходные", "weekend"), Also: []string{"выходной", "weekends"}, Parts: []string{"6", "7"}},
	{Key: "1–5", Names: text("будни", "weekdays"),
		Also:  []string{"будний день", "будние дни", "рабочие дни", "workdays"},
		Parts: []string{"1", "2", "3", "4", "5"}},
}

// Kinds are the kinds of goods. A variant is of the kind of its product.
var Kinds = []Value{
	{Key: "product", Names: text("товар", "product"), Also: []string{"good", "goods"}},
	{Key: "service", Names: text("услуга", "service")},
	{Key: "bundle", Names: text("комплект", "bundle"), Also: []string{"набор", "kit", "set"}},
	{Key: "consignment", Names: text("серия", "consignment"), Also: []string{"batch"}},
}

// Hour returns the key of an hour of the day: of "9", "9:00", "09:00", "9 ч" or "9 pm". It is empty for anything else.
func Hour(s string) string {
	s = fold(s)
	late := strings.HasSuffix(s, "pm")
	early := strings.HasSuffix(s, "am")
	number := strings.TrimSpace(strings.TrimRight(s, "абвгдеёжзийклмнопрстуфхцчшщъыьэюяabcdefghijklmnopqrstuvwxyz. "))
	unit := strings.TrimSpace(strings.TrimPrefix(s, number))
	if !slices.Contains([]string{"", "ч", "час", "часа", "часов", "h", "hour", "hours", "am", "pm"}, unit) {
		return ""
	}
	n, err := strconv.Atoi(strings.TrimSuffix(number, ":00"))
	switch {
	case err != nil || n < 0 || n > 23 || (late || early) && (n < 1 || n > 12):
		return ""
	case late && n < 12:
		n += 12
	case early && n == 12:
		n = 0
	}
	return fmt.Sprintf("%02d", n)
}

func text(ru, en string) tool.Text { return tool.Text{RU: ru, EN: en} }

// Currencies replaces people's words for currencies, such as "рубли" or "$", by their codes.
func Currencies(names []string) []string {
	codes := slices.Clone(names)
	for i, s := range names {
		unit, ok := words.UnitOf(fold(s))
		if r, n := utf8.DecodeRuneInString(strings.TrimSpace(s)); !ok && n == len(strings.TrimSpace(s)) {
			unit, _ = words.SignOf(r)
		}
		if unit.Currency != "" {
			codes[i] = unit.Currency
		}
	}
	return codes
}

// unitNames are the abbreviations of units whose full names do not begin with them.
var unitNames = words.Table(map[string]string{"кг": "килограмм килограммы килограммов кило kg kilogram kilograms",
	"шт": "pc pcs piece pieces", "г": "грамм граммы граммов gram grams g", "м": "метр метры метров metre metres m",
	"л": "литр литры литров litre litres l"})

// Unit returns those of an account's units of measure that a text means: "штуки" is "шт".
func Unit(units []string, s string) (found []string) {
	s = fold(s)
	for _, same := range []func(unit string) bool{
		func(unit string) bool { return unit == s },
		func(unit string) bool { return unit == unitNames[s] || Like(unit, s) },
		func(unit string) bool { return utf8.RuneCountInString(unit) >= 2 && strings.HasPrefix(s, unit) },
	} {
		for _, u := range units {
			if same(fold(u)) {
				found = append(found, u)
			}
		}
		if found != nil {
			return found
		}
	}
	return nil
}
