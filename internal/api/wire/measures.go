package wire

import (
	"time"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/measure"
	"github.com/stockhand/stockhand/internal/tool"
)

// MeasureFields define a measure of an organization.
type MeasureFields struct {
	Title   MeasureTitle `json:"title" doc:"Of the column, in Russian, English or both"`
	Formula string       `json:"formula" minLength:"1" maxLength:"300" doc:"Measures, own ones among them, numbers, + - * / and brackets; division by zero is unknown" example:"(revenue - cost) / cost"`
	Unit    string       `json:"unit,omitempty" enum:"money,quantity,count,days,percent,number" doc:"By default it follows from the formula; percent shows a ratio as a percentage"`
	Words   MeasureWords `json:"words,omitzero" doc:"What people call it"`
}

// MeasureTitle is a title in both languages.
type MeasureTitle struct {
	RU string `json:"ru,omitempty" maxLength:"60" example:"Наша наценка"`
	EN string `json:"en,omitempty" maxLength:"60" example:"Our markup"`
}

// MeasureWords are words for a measure in both languages.
type MeasureWords struct {
	RU []string `json:"ru,omitempty" maxItems:"20" nullable:"false" example:"[\"наша наценка\"]"`
	EN []string `json:"en,omitempty" maxItems:"20" nullable:"false"`
}

// OwnMeasure is a measure of an organization as the API shows it.
type OwnMeasure struct {
	Name string `json:"name" example:"our_markup" doc:"To use in queries like any measure of the catalogue"`
	MeasureFields
	LeftOut   string    `json:"left_out,omitempty" doc:"Why it does not fit the catalogue any more, so that queries cannot use it"`
	UpdatedBy string    `json:"updated_by" doc:"The actor who changed it last"`
	UpdatedAt time.Time `json:"updated_at"`
}

// OwnMeasureOf converts a measure of an organization.
func OwnMeasureOf(m measure.Measure) OwnMeasure {
	return OwnMeasure{Name: m.Name, LeftOut: m.LeftOut, UpdatedBy: m.By, UpdatedAt: m.Updated,
		MeasureFields: MeasureFields{Title: MeasureTitle(m.Title), Formula: m.Formula, Unit: string(m.Unit),
			Words: MeasureWords(m.Words)}}
}

// Definition returns the measure that the fields define.
func (f MeasureFields) Definition(name string) analysis.OwnMeasure {
	return analysis.OwnMeasure{Name: name, Title: tool.Text(f.Title), Formula: f.Formula, Unit: analysis.Shown(f.Unit),
		Words: analysis.Words(f.Words)}
}
