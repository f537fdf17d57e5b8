package analyze

import (
	"slices"
	"strings"

	"github.com/stockhand/stockhand/internal/analysis"
	"github.com/stockhand/stockhand/internal/connector/moysklad/account"
	"github.com/stockhand/stockhand/internal/connector/moysklad/analyze/measures"
)

// classify replaces goods by their ABC classes, where the query uses them: facts carry the product in their place. The
// classes are those of the query's period, also for the facts of the one that it is compared with.
func (c *call) classify(now, all []analysis.Fact) error {
	at := slices.Index(c.fields, measures.DimABC)
	if at < 0 {
		return nil
	}
	if m := c.plan.Shown[0]; c.isHidden(m) {
		err := account.Invalid("measures", c.Pickf(
			"сотруднику этого подключения не видно «%s», поэтому классов ABC не посчитать",
			"the employee of this connection may not see “%s”, so there are no ABC classes", m.Title.In(c.Lang)))
		err.Err = ErrHidden
		return err
	}
	classes := c.plan.Classify(measures.DimABC, now)
	for _, f := range all {
		f.Keys[at] = plainKey(classes[f.Keys[at].ID])
	}
	return nil
}

// classesOf resolves the classes of a condition, which people also write with the letters that look alike in Russian.
func (c *call) classesOf(f *analysis.Filter) error {
	f.IDs = map[string]bool{}
	for _, v := range f.Values {
		class := lookalikes.Replace(strings.ToUpper(strings.TrimSpace(string(v))))
		if class != "A" && class != "B" && class != "C" {
			return account.Invalid("where", c.Pickf("нет класса «%s»; есть A, B и C",
				"there is no class “%s”; there are A, B and C", string(v)))
		}
		f.IDs[class] = true
	}
	return nil
}

var lookalikes = strings.NewReplacer("А", "A", "В", "B", "Б", "B", "С", "C")
