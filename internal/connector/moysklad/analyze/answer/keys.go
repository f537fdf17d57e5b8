package answer

import (
	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/connector/moysklad/analyze/measures"
	"github.com/stockhand/stockhand/internal/decimal"
	"github.com/stockhand/stockhand/internal/tool"
)

// display returns the name of a key for people.
func (v View) display(d *analysis.Dimension, k analysis.Key) string {
	if k.Other {
		k.Other = false
		return v.display(d, k) + v.Pick(" (период сравнения)", " (the other period)")
	}
	switch {
	case k.ID == "" && (d.Name == measures.DimABC || d.Name == measures.DimXYZ || d.Name == measures.DimRFM):
		return v.Pick("(без класса)", "(no class)")
	case k.ID == "":
		return v.Pick("(не указано)", "(none)")
	case d.Step == analysis.Weekday:
		return weekdays[k.ID].In(v.Lang)
	case d.Step == analysis.Hour:
		return k.ID + ":00"
	case d.Step == analysis.Day:
		return tool.Day(k.ID).Format(v.Lang)
	case d.Name == measures.DimKind:
		return kindTitles[k.ID].In(v.Lang)
	case d.Type != analysis.Text:
		return valueText(d.Type, k.ID, v.Lang)
	case k.Name == "":
		return k.ID
	}
	return k.Name
}

var weekdays = map[string]tool.Text{"1": words("понедельник", "Monday"), "2": words("вторник", "Tuesday"),
	"3": words("среда", "Wednesday"), "4": words("четверг", "Thursday"), "5": words("пятница", "Friday"),
	"6": words("суббота", "Saturday"), "7": words("воскресенье", "Sunday")}

// valueText returns a value of an additional field for people.
func valueText(t analysis.ValueType, id string, l stockhand.Language) string {
	switch t {
	case analysis.Flag:
		return map[string]tool.Text{"true": words("Да", "Yes"), "false": words("Нет", "No")}[id].In(l)
	case analysis.Date:
		return tool.Day(id).Format(l)
	case analysis.Number:
		n, _ := decimal.Parse(id)
		return tool.Number(n).Format(tool.UnitNumber, l)
	case analysis.Text:
	}
	return id
}

var kindTitles = map[string]tool.Text{
	"product": words("Товар", "Product"), "variant": words("Модификация", "Variant"),
	"bundle": words("Комплект", "Bundle"), "service": words("Услуга", "Service"),
	"consignment": words("Серия", "Consignment"),
}
