package wire

import (
	"github.com/stockhand/stockhand"
	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/tool"
)

// Query is a query over an account. Its fields are those of the analysis tool's arguments.
type Query struct {
	Measures   []string     `json:"measures" minItems:"1" maxItems:"12" nullable:"false" doc:"Names from the catalogue" example:"[\"revenue\",\"profit\"]"`
	By         []string     `json:"by,omitempty" maxItems:"5" nullable:"false" doc:"Dimensions from the catalogue; none for a single row" example:"[\"store\",\"month\"]"`
	Where      []Condition  `json:"where,omitempty" maxItems:"20" nullable:"false" doc:"All of them must hold"`
	From       tool.Day     `json:"from,omitempty" format:"date" doc:"First day; by default 30 days up to and including the last"`
	To         tool.Day     `json:"to,omitempty" format:"date" doc:"Last day, included; by default today"`
	Compare    *Comparison  `json:"compare,omitempty" doc:"The period to compare with"`
	Order      []QueryOrder `json:"order,omitempty" maxItems:"17" nullable:"false" doc:"By default the first measure, greatest first; time in its order"`
	Limit      int          `json:"limit,omitempty" minimum:"0" maximum:"100000" doc:"Rows to return; 0 for all. Totals cover all rows anyway"`
	LimitEach  int          `json:"limit_each,omitempty" minimum:"0" maximum:"100000" doc:"Rows for each value of the dimensions before the last; 0 for all. Totals cover all rows anyway"`
	Offset     int          `json:"offset,omitempty" minimum:"0" maximum:"100000" doc:"Rows to skip"`
	Share      bool         `json:"share,omitempty" doc:"Add each row's percentage of the total"`
	Cumulative bool         `json:"cumulative,omitempty" doc:"Add the running percentage of the total"`
	Explain    bool         `json:"explain,omitempty" doc:"With compare: what the change of revenue or profit consists of"`
	Define     []Definition `json:"define,omitempty" maxItems:"12" nullable:"false" doc:"Measures of your own for this query; each may use those before it"`
	Highlight  []any        `json:"highlight,omitempty" maxItems:"500" nullable:"false" doc:"Values of the first dimension that the answer names"`
	Fresh      bool         `json:"fresh,omitempty" doc:"Read everything from the account again, nothing from what is kept"`
}

// Definition is a measure of the caller's own. Its totals are computed from the totals of what the formula names.
type Definition struct {
	Name    string `json:"name" pattern:"^[a-z][a-z0-9_]{1,39}$" maxLength:"40" doc:"To use in measures, where and order" example:"our_margin"`
	Formula string `json:"formula" maxLength:"300" doc:"Measures, numbers, + - * / and brackets; 40% counts as 0.4, and division by zero is unknown" example:"(revenue - cost) / cost"`
	Title   string `json:"title,omitempty" maxLength:"60" doc:"Of the column; by default the name"`
	Unit    string `json:"unit,omitempty" enum:"money,quantity,count,days,percent,number" doc:"By default it follows from the formula; percent shows a ratio as a percentage"`
}

// Condition restricts what is added up, if its field is a dimension, or the rows, if it is a measure.
type Condition struct {
	Field  string `json:"field" maxLength:"100" doc:"A dimension or a measure" example:"group"`
	Of     string `json:"of,omitempty" enum:"change,change_percent" doc:"Of a measure, with compare; by default its value"`
	Op     string `json:"op" enum:"=,!=,in,not_in,<,<=,>,>=,between,contains,is_empty,is_not_empty"`
	Values []any  `json:"values,omitempty" maxItems:"500" nullable:"false" doc:"Names or IDs; numbers for a measure" example:"[\"Посуда\"]"`
	At     string `json:"at,omitempty" maxLength:"255" doc:"Of a measure of stock: the warehouse that it is of" example:"Витрина"`
}

// Comparison is the period to compare with: by its relation to the query's, or by its days.
type Comparison struct {
	With string   `json:"with,omitempty" enum:"previous,last_year" doc:"previous: the calendar unit or as many days before; last_year: the same days a year before"`
	From tool.Day `json:"from,omitempty" format:"date" doc:"First day of the other period, instead of with"`
	To   tool.Day `json:"to,omitempty" format:"date" doc:"Last day of the other period, included"`
}

// QueryOrder sorts the rows.
type QueryOrder struct {
	Field     string `json:"field" maxLength:"100" doc:"A measure or dimension of the query"`
	Direction string `json:"direction,omitempty" enum:"asc,desc" doc:"By default desc for measures and asc for dimensions"`
	Change    bool   `json:"change,omitempty" doc:"With a comparison: by how much the measure changed"`
}

// Catalogue lists what can be asked of an account.
type Catalogue struct {
	Measures   []MeasureInfo   `json:"measures" nullable:"false"`
	Dimensions []DimensionInfo `json:"dimensions" nullable:"false"`
	LeftOut    []LeftOut       `json:"left_out,omitempty" nullable:"false" doc:"The organization's own measures that do not fit and cannot be used"`
}

// LeftOut is an own measure that does not fit the catalogue.
type LeftOut struct {
	Name    string    `json:"name" example:"our_markup"`
	Title   tool.Text `json:"title"`
	Formula string    `json:"formula"`
	Reason  string    `json:"reason" example:"there is no measure \"markup\""`
}

// MeasureInfo describes a measure.
type MeasureInfo struct {
	Name       string    `json:"name" example:"revenue"`
	Title      tool.Text `json:"title"`
	Unit       tool.Unit `json:"unit" enum:"text,money,quantity,count,percent,days,date,moment,number"`
	Formula    tool.Text `json:"formula" doc:"How it is computed, in words"`
	Caution    tool.Text `json:"caution,omitzero" doc:"What is easily misunderstood"`
	Dimensions []string  `json:"dimensions" nullable:"false" doc:"What it may be broken down by and filtered with"`

	Words analysis.Words `json:"words" doc:"What people call it, without endings where these vary"`
	Own   bool           `json:"own,omitempty" doc:"The organization defined it"`
	Needs []MeasureNeed  `json:"needs" nullable:"false" doc:"The rights in the external system that it is computed with; with a connection, whether its employee has them"`
}

// MeasureNeed is a right in the external system that a measure needs.
type MeasureNeed struct {
	Section  tool.Text       `json:"section" doc:"As the external system's role settings name it"`
	Employee analysis.Extent `json:"employee,omitempty" enum:"has,part,lacks" doc:"Whether the employee of the connection has it, sees part of the objects, or lacks it; absent if that is not known"`
}

func needsOf(rights []analysis.NeededRight) []MeasureNeed {
	needs := make([]MeasureNeed, len(rights))
	for i, r := range rights {
		needs[i] = MeasureNeed(r)
	}
	return needs
}

// DimensionInfo describes a dimension.
type DimensionInfo struct {
	Name   string    `json:"name" example:"store"`
	Title  tool.Text `json:"title"`
	Type   string    `json:"type,omitempty" enum:"number,date,boolean" doc:"What its values are, if not texts or objects"`
	Nested bool      `json:"nested,omitempty" doc:"A condition on a value includes the values below it"`
}

// CatalogueOf describes a catalogue, or a single measure and its dimensions.
func CatalogueOf(c *analysis.Catalogue, measure string) (Catalogue, error) {
	out := Catalogue{Measures: []MeasureInfo{}, Dimensions: []DimensionInfo{}}
	used := map[string]bool{}
	for _, m := range c.Measures {
		if measure != "" && m.Name != measure {
			continue
		}
		out.Measures = append(out.Measures, MeasureInfo{Name: m.Name, Title: m.Title, Unit: m.Unit, Formula: m.Formula,
			Caution: m.Caution, Dimensions: m.Over, Words: m.Words, Own: m.Own,
			Needs: needsOf(m.Needs)})
		for _, d := range m.Over {
			used[d] = true
		}
	}
	for _, l := range c.LeftOut {
		if measure == "" || measure == l.Name {
			out.LeftOut = append(out.LeftOut, LeftOut{Name: l.Name, Title: l.Title, Formula: l.Formula,
				Reason: l.Reason})
		}
	}
	if measure != "" && len(out.Measures)+len(out.LeftOut) == 0 {
		return out, stockhand.Errorf(stockhand.CodeNotFound, "there is no measure of that name").
			WithHint("GET /catalogue lists the measures.")
	}
	for _, d := range c.Dimensions {
		if used[d.Name] {
			out.Dimensions = append(out.Dimensions, DimensionInfo{Name: d.Name, Title: d.Title, Type: string(d.Type),
				Nested: d.Nested})
		}
	}
	return out, nil
}
