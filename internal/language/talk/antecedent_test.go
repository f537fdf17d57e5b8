package talk

import "testing"

func TestRule1240_NoWordForWhatWasShownDisappears(t *testing.T) {
	alfa := `"counterparties":["ООО «Альфа»"],"direction":"owed_to_us"`
	follows(t, shown("product", "a", "b"), map[string]string{
		"сколько купила Альфа за год | что она брала | а они нам что-нибудь должны":         alfa,
		"сколько купила Альфа за год | что она брала | а какой у неё долг":                  alfa,
		"how much did Alfa buy this year | what do they usually buy | their debt":           "ООО «Альфа»",
		"how much did Alfa buy this year | what do they usually buy | do they owe us money": "ООО «Альфа»",
	})
	creditors := shown("counterparty", "a", "b")
	creditors.Top = true
	follows(t, creditors, map[string]string{
		"кому мы больше всего должны | когда последний раз платили ему": `"counterparties":["a"],"limit":1`,
		"кому мы больше всего должны | за что":                          `"counterparties":["a"],"unpaid":true}`,
	})
	for _, said := range []string{"sales yesterday | do they owe us anything",
		"приёмки за эту неделю | от кого самая большая | что в ней было"} {
		if r := converseOf(said, nil); complete(&r) {
			t.Errorf("%s: %s %v was answered", said, r.Skill, r.ToolInput())
		}
	}
}

// TestRule1241_AnAuxiliaryVerbIsNoStock reads "how much have they bought" as what they bought.
func TestRule1241_AnAuxiliaryVerbIsNoStock(t *testing.T) {
	bought := shown("counterparty", "a")
	follows(t, bought, map[string]string{
		"debt of Alfa | how much have they bought this year":      `["revenue"],"where":[{"field":"counterparty"`,
		"debt of Alfa | how much has Alfa bought in october":      `["revenue"],"where":[{"field":"counterparty"`,
		"debt of Alfa | what have they returned":                  `{"measures":["returns"`,
		"stock of Кружка эмаль 2 л | how much have we got at all": `stock`,
	})
}
