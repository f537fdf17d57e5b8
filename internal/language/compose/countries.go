package compose

import (
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/language/compose/typed"
	"github.com/stockhand/stockhand/internal/language/token"
	"github.com/stockhand/stockhand/internal/words"
)

// country reads "страна Китай", "товары из Китая", "goods made in China" as a condition on the country of goods (rule
// R826). Countries are no names that are looked up: there are few.
func (d *draft) country(i int, it *typed.Item) {
	name := countries[d.Tokens[it.At].Stem]
	if name == "" || it.End != it.At+1 || d.Tokens[it.At].Use != token.Unused {
		return
	}
	prev := d.neighbour(i, -1)
	ofCountry := is(prev, typed.Dimension) && prev.ID == "country"
	if !ofCountry && (it.At == 0 || !madeIn[d.Tokens[it.At-1].Norm]) && !adjective(d.Tokens[it.At].Norm) {
		return
	}
	it.Used = true
	d.q.By = slices.DeleteFunc(d.q.By, func(by string) bool { return by == "country" })
	for _, x := range d.Items {
		x.Used = x.Used || ofCountry && x == prev ||
			x.Kind == typed.Unexplained && madeWords[d.Tokens[x.At].Norm] || x.Kind == typed.Dimension &&
			x.ID == "country"
	}
	d.q.Where = append(d.q.Where, analysis.Condition{Field: "country", Op: analysis.Contains,
		Values: []analysis.Scalar{analysis.Scalar(name)}})
	d.goods = true
}

// ofCountry reports whether the goods are limited by their country.
func (d *draft) ofCountry() bool {
	return slices.ContainsFunc(d.q.Where, func(w analysis.Condition) bool {
		return w.Field == "country" && w.Op == analysis.Contains
	})
}

func adjective(w string) bool {
	return strings.HasSuffix(w, "ий") || strings.HasSuffix(w, "ие") || strings.HasSuffix(w, "ая") ||
		strings.HasSuffix(w, "ое") || strings.HasSuffix(w, "их") || strings.HasSuffix(w, "ого") ||
		strings.HasSuffix(w, "ой") || strings.HasSuffix(w, "ese") || strings.HasSuffix(w, "ish") ||
		strings.HasSuffix(w, "ian")
}

var (
	madeIn    = words.Set("из в производства происхождения страна страны страной in from country")
	madeWords = words.Set("производства производство происхождения происхождение сделано сделан сделана сделаны " +
		"сделанные сделанный произведено произведен произведена произведены произведённые произведенный везут " +
		"привезено привезены привозят made produced origin")
)

// countries are the names of countries, as accounts write them, by the stems of what people say.
var countries = func() map[string]string {
	m := map[string]string{}
	for name, list := range map[string]string{
		"Россия":     "россия россии россию россией рф российский российские отечественный russia russian",
		"Китай":      "китай китая китае китаю кнр китайский китайские china chinese",
		"Турция":     "турция турции турцию турецкий турецкие turkey turkish",
		"Беларусь":   "беларусь беларуси белоруссия белоруссии белорусский белорусские belarus belarusian",
		"Казахстан":  "казахстан казахстана казахский казахстанский kazakhstan",
		"Узбекистан": "узбекистан узбекистана узбекский uzbekistan",
		"Индия":      "индия индии индию индийский индийские india indian",
		"Вьетнам":    "вьетнам вьетнама вьетнамский vietnam",
		"Германия":   "германия германии германию немецкий немецкие germany german",
		"Италия":     "италия италии италию итальянский итальянские italy italian",
		"Польша":     "польша польши польшу польский польские poland polish",
		"Франция":    "франция франции французский французские france french",
		"Испания":    "испания испании испанский испанские spain spanish",
		"Япония":     "япония японии японский японские japan japanese",
		"Корея":      "корея кореи корейский корейские korea korean",
		"Иран":       "иран ирана иранский iran",
		"Армения":    "армения армении армянский armenia",
		"Грузия":     "грузия грузии грузинский georgia",
	} {
		for w := range strings.FieldsSeq(list) {
			m[token.Stem(w, token.IsCyrillic(w))] = name
		}
	}
	return m
}()
